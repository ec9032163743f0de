"""The small tables by which coordinates reduced by symmetries are run."""
