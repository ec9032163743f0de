# Declares what other compiled modules use of words.py, and imports what words.py uses.

cimport cython

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, new_ints
from puzzlekit_universal.engine.word_sizes cimport BITS, MASK

@cython.final
cdef class Moves:
    cdef int moves
    cdef int places
    cdef int* target
    cdef int* turn
    cdef int* modulus
    cdef int* cost
    cdef int* joined
    cdef int* inverse
    cdef unsigned char* commuting
    cdef int* changed
    cdef int* first
    cdef int* brought
    cdef int* turned
    cdef int compared
    cdef int* pair_first
    cdef int* pair_place
    cdef int* pair_end
    cdef int* pair_turn
    cdef long long* joins_after
    cdef long long* joins_before
    cdef long long* passes
    cdef list _owners
    cdef int _push(self, unsigned char* word, Py_ssize_t at, int count, int move) noexcept nogil
    cdef void _compare(self)
    cdef void _act(self, int move, int* at, int* by, int* carried, int* spun) noexcept nogil
    cdef int _total(self, unsigned char* word, Py_ssize_t at, int count) noexcept nogil
