# Declares what other compiled modules use of library.py, and imports what library.py uses.

cimport cython

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, new_ints, new_longs
from puzzlekit_universal.engine.word_sizes cimport BITS, FAR, MASK, ROOM
from puzzlekit_universal.engine.word_moves cimport Moves

@cython.final
cdef class Library:
    cdef Moves moves
    cdef int slots
    cdef int longest
    cdef int keys
    cdef int* group
    cdef int* local
    cdef int* start
    cdef int* size
    cdef int* turns
    cdef int* cycles
    cdef int* twists
    cdef int* entry
    cdef int* corner
    cdef long long* origin
    cdef unsigned char* words
    cdef int* cost
    cdef unsigned char* fresh
    cdef unsigned char* _word
    cdef unsigned char* _made
    cdef int* _at
    cdef int* _to
    cdef int* _turn
    cdef long long* _met
    cdef long long* _seen
    cdef long long _stamp
    cdef bint _has_pairs
    cdef int _parts
    cdef int _masks
    cdef long long* _bits
    cdef long long* _own
    cdef long long* _moving
    cdef long long* _joined
    cdef long long* _joining
    cdef long long* _passing
    cdef int _groups
    cdef list _owners
    cdef void _list_bits(self)
    cdef void _measure(self)
    cdef int _cycle(self, int a, int b, int c, int t, int u) noexcept nogil
    cdef int _corner(self, int a, int b, int c, int m, int t, int u) noexcept nogil
    cdef int _twist(self, int a, int b, int t) noexcept nogil
    cdef int _offer(self, int g, int key, unsigned char* word, Py_ssize_t at, int count) noexcept nogil
    cdef int _changes(self, int count, int most) noexcept nogil
    cdef int _look(self, int p, int count, int changed, int most) noexcept nogil
    cdef int _brought(self, int p, int begin, int count) noexcept nogil
    cdef int _commuted(self, int length, int length2, int most) noexcept nogil
    cdef void _hold(self, int length) noexcept nogil
    cdef int _key_of(self, int changed) noexcept nogil
    cdef int _try(self, int count, int changed) noexcept nogil
    cdef void _lay(self, unsigned char* words, Py_ssize_t at, int length, int begin, int both) noexcept nogil
    cdef int _joined_twist(self, int a, int b, int c, int t, int u, int v) noexcept nogil
    cdef void _spread_key(self, int g, int a, int key, int most) noexcept nogil
    cdef int _is_full(self, int key, int cost) noexcept nogil
    cdef int _joins(self, int count) noexcept nogil
    cdef void _conjugates(self, Py_ssize_t e, int g, int a, int b, int c, int t, int u) noexcept nogil
    cdef void _conjugate(self, int count, int cost, int g, int a, int b, int c, int t, int u, int x) noexcept nogil
