# Declares the C types of sliding_search.py, and imports what it uses of other compiled modules.

cimport cython

from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport bytes_at, ints_at, shorts_at, new_ints
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, NO_ROOM, PAUSED

@cython.final
cdef class SlidingSearch:
    cdef int guard
    cdef int places
    cdef int groups
    cdef int tables
    cdef int parts
    cdef int states
    cdef int widest
    cdef int* first
    cdef int* via
    cdef int* next
    cdef int* place
    cdef int* slide
    cdef int* piece
    cdef int* group_end
    cdef unsigned short* values
    cdef unsigned char* data[16]
    cdef int* board
    cdef int* key
    cdef int* index
    cdef int* far
    cdef int* sum
    cdef int* state
    cdef int* cursor
    cdef int* child
    cdef int* before
    cdef int* before_far
    cdef int staying
    cdef int parity
    cdef int bound
    cdef int next_bound
    cdef int limit
    cdef int depth
    cdef int plies
    cdef long long generated
    cdef long long expanded
    cdef list _owners
    cdef int* _room(self, Py_ssize_t size)
    cdef _make_room(self, int plies)
    cdef void _begin(self, int bound) noexcept nogil
    cdef int _step(self, long long stop) noexcept nogil
    cdef int _run(self, long long stop) noexcept nogil
