"""Batches: solve many positions in several processes or on several machines, with dask."""
