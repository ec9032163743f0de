"""Run searches within limits, in time slices, in threads, and from several starts."""
