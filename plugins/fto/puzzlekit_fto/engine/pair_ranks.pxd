# Imports what pair_ranks.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport add_kind
