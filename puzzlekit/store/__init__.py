"""The store: tables as files in the cache, with their locks, checksums and builds."""
