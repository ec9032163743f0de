# What coset_fill.py uses of other compiled modules, and of the compiler.

cimport cython

from puzzlekit.engine.cosets cimport Cosets
from puzzlekit.engine.layout cimport ENTRIES, LINE, WAITING
from puzzlekit.engine.memory cimport clear_bits, fetch
from puzzlekit.engine.ranks cimport _bytes_at, _ints_at, _longs_at, _numbers, _shorts_at
