"""Ways to run a search: in time slices up to a limit, in several threads, from several states."""
