"""Tables: move tables, one module for each kind of pruning table, and the store of their files."""
