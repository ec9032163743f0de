# Imports what coset_fill.py uses of other compiled modules and of the compiler.

cimport cython

from puzzlekit.engine.cosets cimport Cosets
from puzzlekit.engine.coset_layout cimport ENTRIES, LINE, WAITING
from puzzlekit.engine.intrinsics cimport clear_bits, fetch
from puzzlekit.engine.ranks cimport _bytes_at, _ints_at, _longs_at, _numbers, _shorts_at
