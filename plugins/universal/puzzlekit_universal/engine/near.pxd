# Declares the fields of the classes of near.py, and imports what near.py uses.

cimport cython

from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport (
    bytes_at, ints_at, longs_at, shorts_at, new_ints, new_longs, int_array
)
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED

@cython.final
cdef class NearMoves:
    cdef int places
    cdef int moves
    cdef int states
    cdef int cheapest
    cdef int* first
    cdef int* to
    cdef int* source
    cdef int* turn
    cdef unsigned char* turned
    cdef int* cost
    cdef int* begin
    cdef int* via
    cdef int* after
    cdef long long* keys
    cdef list _owners

@cython.final
cdef class NearTable:
    cdef int most
    cdef long long mask
    cdef unsigned short* entries
    cdef unsigned char* lines
    cdef list _owners
    cdef void _fetch(self, long long key) noexcept nogil
    cdef int _cost(self, long long key) noexcept nogil
    cdef void _put(self, long long key, int cost) noexcept nogil
