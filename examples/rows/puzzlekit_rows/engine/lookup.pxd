# Declares the class of lookup.py, and imports what it uses of the engine.

cimport cython
from puzzlekit.engine.ranks cimport bytes_at
from puzzlekit.engine.space cimport Lookup

@cython.final
cdef class RowLookup(Lookup):
    cdef unsigned char* data
    cdef Py_ssize_t stride
    cdef list owners
