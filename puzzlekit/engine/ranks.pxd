# Declares what other compiled modules use of ranks.py, and imports what ranks.py uses.

cimport cython
from cpython.memoryview cimport PyMemoryView_GET_BUFFER

from puzzlekit.engine.opcodes cimport (
    ADD, AND, CONSTANT, ENTRY, EQUAL, FORMULA, HALVES, LESS, MULTIPLY, OR, ORIENTATION, OWN_KINDS,
    PARITY, PERMUTATION, PIECES, PRODUCT, READ, RELATIVE_ORIENTATION, REMAINDER, SUBTRACT, XOR
)

# Runs the rank program at `program[at]` on the bytes from `vector[base]`; -1 if undefined.
ctypedef long long (*RankFunction)(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil

cdef RankFunction _own_ranks[32]
cdef int add_kind(int kind, RankFunction run) except -1

cdef void* _address(object buffer, list owners, Py_ssize_t size, str kinds) except? NULL
cdef unsigned char* bytes_at(object buffer, list owners)
cdef unsigned short* shorts_at(object buffer, list owners)
cdef unsigned int* words_at(object buffer, list owners)
cdef int* ints_at(object buffer, list owners)
cdef long long* longs_at(object buffer, list owners)
cdef unsigned short* new_shorts(Py_ssize_t count, list owners)
cdef unsigned int* new_words(Py_ssize_t count, list owners)
cdef int* new_ints(Py_ssize_t count, list owners)
cdef long long* new_longs(Py_ssize_t count, list owners)
cdef object int_array(object values)
cdef (int*, int*) _programs_at(list programs, list owners)
cdef long long _parity(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
cdef long long _no_rank(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
cdef long long _rank_formula(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
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

cdef class CarriedRank:
    cdef int width
    cdef int size
    cdef int _rank(self, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _checked(self, unsigned char* vector, Py_ssize_t base) noexcept nogil

cdef class Reading:
    cdef int width
    cdef int least
    cdef int* picked
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

@cython.final
cdef class States:
    cdef int width
    cdef int orbits
    cdef int known
    cdef int* orbit
    cdef int* counts
    cdef int* homes
    cdef int* even
    cdef unsigned char* solved
    cdef unsigned char* modulus
    cdef list _owners
    cdef int _is_sound(self, unsigned char* vector) noexcept nogil
    cdef int _parity(self, int number, unsigned char* vector) noexcept nogil
