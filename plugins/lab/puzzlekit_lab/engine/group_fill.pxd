# Imports what group_fill.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport shorts_at
