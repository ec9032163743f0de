"""Run a search in short time slices until a limit, in several threads, or from several states."""
