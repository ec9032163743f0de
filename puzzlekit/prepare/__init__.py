"""From a declaration to arrays: what the engine needs to search a phase."""
