# Declares what other compiled modules use of ranks.py, and imports what ranks.py uses.

cimport cython

from puzzlekit.engine.opcodes cimport (
    COMPANIONS, HALVES, ORIENTATION, ORIENTED_COMBINATION, PAIRING, PAIR_SPLIT, PERMUTATION,
    PIECES, PRODUCT, RELATIVE_ORIENTATION
)

cdef unsigned char* bytes_at(object buffer, list owners)
cdef unsigned short* shorts_at(object buffer, list owners)
cdef unsigned int* words_at(object buffer, list owners)
cdef int* ints_at(object buffer, list owners)
cdef long long* longs_at(object buffer, list owners)
cdef object int_array(object values)
cdef (int*, int*) _programs_at(list programs, list owners)
cdef long long _rank_pairs(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
cdef long long _rank(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
cdef int shorts_below(unsigned short* numbers, Py_ssize_t entries, unsigned int size) noexcept nogil

@cython.final
cdef class Ranks:
    cdef int count
    cdef int* program
    cdef int* program_at
    cdef int* mapped
    cdef unsigned int* value_of[16]
    cdef list _owners
    cdef long long _value(self, int c, unsigned char* vector, Py_ssize_t base) noexcept nogil

@cython.final
cdef class PairRank:
    cdef int n
    cdef int k
    cdef int shift
    cdef int tails
    cdef int size
    cdef int stride
    cdef unsigned short* heads
    cdef unsigned char* rows
    cdef unsigned char* below
    cdef list _owners
    cdef int _heads_below(self, Py_ssize_t entries, int classes, int order) noexcept nogil
    cdef int _head(self, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _tail(self, unsigned char* vector, Py_ssize_t base, Py_ssize_t symmetry) noexcept nogil
    cdef int _rank(self, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _checked(self, unsigned char* vector, Py_ssize_t base) noexcept nogil

@cython.final
cdef class Reading:
    cdef int paired
    cdef int width
    cdef int least
    cdef int* picked
    cdef unsigned char* numbers
    cdef list _owners
    cdef int _read(self, unsigned char* state, Py_ssize_t base, unsigned char* vector) noexcept nogil

@cython.final
cdef class Carry:
    cdef int width
    cdef int moves
    cdef unsigned char* gather
    cdef unsigned char* add
    cdef unsigned char* modulus
    cdef unsigned char* turned
    cdef int relabelled
    cdef unsigned char* relabel
    cdef list _owners
    cdef void _do(self, Py_ssize_t move, unsigned char* rows, Py_ssize_t source, unsigned char* others, Py_ssize_t target) noexcept nogil

@cython.final
cdef class Labels:
    cdef int width
    cdef int span
    cdef int* via
    cdef int* base
    cdef int* room
    cdef int* turned
    cdef int* modulus
    cdef unsigned char* table
    cdef list _owners
    cdef void _prepend(self, int effect, unsigned char* source, Py_ssize_t start, unsigned char* target) noexcept nogil
