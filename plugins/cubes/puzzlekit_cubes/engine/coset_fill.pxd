# Imports what coset_fill.py uses of other compiled modules and of the compiler.

cimport cython

from puzzlekit_cubes.engine.cosets cimport Cosets
from puzzlekit_cubes.engine.coset_layout cimport ENTRIES, LINE, WAITING
from puzzlekit.engine.intrinsics cimport clear_bits, fetch
from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, shorts_at, new_longs, int_array
