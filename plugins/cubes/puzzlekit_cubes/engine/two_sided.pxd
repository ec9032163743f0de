# Declares the classes of two_sided.py, and imports what it uses.

cimport cython

from puzzlekit_cubes.engine.cosets cimport Cosets
from puzzlekit_cubes.engine.coset_layout cimport (
    BATCH, FIRST_PAIRS, FLIPS, FROM, KNOWN_X, KNOWN_Y, LAST_X, LAST_Y, LINE, MADE, MASK, MOST, ONE,
    SECOND_PAIRS, SIDE, TURN, TWO, WIDTH
)
from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport (
    bytes_at, ints_at, longs_at, words_at, shorts_at, new_ints, new_longs, new_shorts, int_array
)
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED

@cython.final
cdef class PiecePairs:
    cdef Cosets cosets
    cdef int first_codes
    cdef int second_codes
    cdef int first_pairs
    cdef int second_pairs
    cdef int first_turns
    cdef int second_turns
    cdef int groups
    cdef long long every
    cdef int states
    cdef unsigned short* first_moved
    cdef unsigned short* second_moved
    cdef unsigned int* words
    cdef long long* masks
    cdef int* first
    cdef int* via
    cdef int* to
    cdef int* runs
    cdef int* group
    cdef int* begin
    cdef int* turning
    cdef int* weight
    cdef unsigned char* first_place
    cdef unsigned char* second_place
    cdef unsigned char* first_turned
    cdef unsigned char* second_turned
    cdef unsigned char* first_undone
    cdef unsigned char* second_undone
    cdef unsigned char* first_kind
    cdef unsigned char* second_kind
    cdef list _owners
    cdef long long _first_of(self, unsigned short* node, Py_ssize_t at, Py_ssize_t group) noexcept nogil
    cdef long long _masks_of(self, unsigned short* node, Py_ssize_t at, Py_ssize_t group) noexcept nogil
    cdef void _swap(self, unsigned short* node, Py_ssize_t at) noexcept nogil
