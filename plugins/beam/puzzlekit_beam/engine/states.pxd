# Declares what stages.py uses of states.py, and imports what states.py uses.

cimport cython

from puzzlekit.engine.opcodes cimport COMBINATION, HALVES, ORIENTATION, RELATIVE_ORIENTATION
from puzzlekit.engine.ranks cimport Labels, Ranks, Reading, bytes_at, ints_at, longs_at, new_ints
from puzzlekit.engine.space cimport Space

@cython.final
cdef class Names:
    cdef Labels labels
    cdef int count
    cdef int* changed
    cdef int changes
    cdef int* affected
    cdef int quick
    cdef int* record
    cdef unsigned char* renamed
    cdef list _owners
    cdef void _write(self, int name, unsigned char* state, Py_ssize_t base, unsigned char* target) noexcept nogil
    cdef void _rank_all(self, unsigned char* state, Py_ssize_t base, unsigned char* found, int* rank) noexcept nogil

@cython.final
cdef class Entry:
    cdef Space space
    cdef Ranks ranks
    cdef Reading reading
    cdef int* value
    cdef unsigned char* vector
    cdef int* distances
    cdef unsigned char* found
    cdef int* rank
    cdef Names names
    cdef int renamed
    cdef list _owners
    cdef int _rank(self, Space space, unsigned char* state, Py_ssize_t base) noexcept nogil
    cdef int _rank_some(self, Space space, unsigned char* state, Py_ssize_t base, int which) noexcept nogil

@cython.final
cdef class Renaming:
    cdef Labels labels
    cdef int count
    cdef int coordinates
    cdef unsigned char* flags
    cdef long long* flags_at
    cdef list _owners
    cdef int _held(self, int* values, Py_ssize_t at) noexcept nogil

@cython.final
cdef class Inversion:
    cdef int orbits
    cdef int* start
    cdef int* size
    cdef int* turns
    cdef unsigned char* solved
    cdef int* home
    cdef list _owners
    cdef void _do(self, unsigned char* source, Py_ssize_t begin, unsigned char* target) noexcept nogil
