"""Running searches: in time slices, in several threads, from several starts."""
