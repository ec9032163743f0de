# What other compiled modules use of space.py.

cimport cython

cdef unsigned char* _bytes_at(object buffer, list owners)
cdef unsigned short* _shorts_at(object buffer, list owners)
cdef unsigned int* _words_at(object buffer, list owners)
cdef int* _ints_at(object buffer, list owners)
cdef long long* _longs_at(object buffer, list owners)
cdef object _numbers(object values)
cdef (int*, int*) _programs_at(list programs, list owners)
cdef long long _rank_pairs(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil
cdef long long _rank(int* program, int at, unsigned char* vector, Py_ssize_t base) noexcept nogil

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
cdef class Sym:
    cdef int shift
    cdef int moves
    cdef unsigned char* images
    cdef unsigned char* products
    cdef list _owners

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
    cdef int* turned
    cdef int* modulus
    cdef unsigned char* table
    cdef list _owners
    cdef void _prepend(self, int effect, unsigned char* source, Py_ssize_t start, unsigned char* target) noexcept nogil

@cython.final
cdef class Space:
    cdef int moves
    cdef int coordinates
    cdef int tables
    cdef int joined
    cdef int raised
    cdef int cheapest
    cdef int dearest
    cdef int followed
    cdef Carry carry
    cdef int ranked
    cdef int paired
    cdef PairRank pairing
    cdef int hashed
    cdef int hash_width
    cdef int hash_values
    cdef int* hash_value
    cdef int hash_most
    cdef int hash_reads
    cdef int hash_before
    cdef long long hash_entries
    cdef long long* hash_keys
    cdef unsigned char* hash_table
    cdef unsigned char* late
    cdef int* program
    cdef int* program_at
    cdef int* cost
    cdef int* first
    cdef int* via
    cdef int* follow
    cdef unsigned char* ending
    cdef unsigned char* commuting
    cdef int joint
    cdef int* goal
    cdef int* size
    cdef unsigned short* narrow[16]
    cdef unsigned int* wide[16]
    cdef unsigned char* goals[16]
    cdef unsigned char* pruning[16]
    cdef unsigned char* sym_images[16]
    cdef unsigned char* sym_products[16]
    cdef unsigned short* image[48]
    cdef int* shift
    cdef int* width
    cdef int* bits
    cdef int* bounds
    cdef int* arity
    cdef int* within
    cdef int* imaged
    cdef int* part
    cdef int* part_size
    cdef int* radix
    cdef unsigned short* estimates
    cdef list _owners
    cdef _set_coordinates(self, list coordinates)
    cdef int _all_below(self, int c, Py_ssize_t entries, int width, unsigned int size) noexcept nogil
    cdef _set_tables(self, list coordinates, list tables)
    cdef _set_hashed(self, list coordinates, tuple hashed)
    cdef long long _hashed_at(self, int* values, Py_ssize_t base, Py_ssize_t step, unsigned char* vector, Py_ssize_t at) noexcept nogil
    cdef long long _rank_vector(self, int c, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _after(self, int c, int value, int move) noexcept nogil
    cdef long long _entry(self, int t, int* values, Py_ssize_t base) noexcept nogil
    cdef int _code(self, int t, long long index) noexcept nogil
    cdef int _walk(self, int t, int* values, Py_ssize_t base) noexcept nogil
    cdef int _at_least(self, int* values, Py_ssize_t base) noexcept nogil
    cdef int _estimate(self, int* values, Py_ssize_t base, int* distances) noexcept nogil
