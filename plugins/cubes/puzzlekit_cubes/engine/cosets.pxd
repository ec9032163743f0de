# Declares what other compiled modules use of cosets.py, and imports what cosets.py uses.

cimport cython

from puzzlekit_cubes.engine.coset_layout cimport ENTRIES, LINE
from puzzlekit.engine.ranks cimport bytes_at, longs_at, shorts_at, words_at

@cython.final
cdef class Cosets:
    cdef int moves
    cdef int turns
    cdef int kept
    cdef int every
    cdef int order
    cdef int kinds
    cdef int classes
    cdef long long arrangements
    cdef long long entries
    cdef long long lines
    cdef unsigned short* kind_moves
    cdef unsigned short* turn_moves
    cdef unsigned int* class_of
    cdef long long* keepers
    cdef unsigned char* products
    cdef unsigned short* move_halves
    cdef unsigned short* move_flips
    cdef unsigned short* symmetry_halves
    cdef unsigned short* symmetry_flips
    cdef unsigned char* kind_shifts
    cdef long long* flip_masks
    cdef unsigned int* first_ranks
    cdef unsigned int* second_ranks
    cdef unsigned char* squeezed
    cdef unsigned char* counted
    cdef list _owners
    cdef unsigned int _word(self, int turn, int mask) noexcept nogil
    cdef long long _place(self, unsigned int word, int symmetry, long long masks, int kept) noexcept nogil
    cdef void _slots(self, long long* slots, long long* masks, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    cdef int _mask_after(self, int mask, int move) noexcept nogil
    cdef void _do(self, Py_ssize_t move, unsigned short* source, Py_ssize_t at, unsigned short* target, Py_ssize_t to) noexcept nogil
