# Declares what other compiled modules use of space.py, and imports what space.py uses.

cimport cython

from puzzlekit.engine.ranks cimport (
    Carry, CarriedRank, bytes_at, ints_at, longs_at, int_array, new_shorts, _programs_at, _rank,
    shorts_at, shorts_below, words_at
)

@cython.final
cdef class Sym:
    cdef int shift
    cdef int moves
    cdef unsigned char* images
    cdef unsigned char* products
    cdef unsigned char* inverses
    cdef tuple group
    cdef list _owners

cdef class Lookup:
    cdef object lookup
    cdef object failure
    cdef int _distance(self, int* values, int count) noexcept nogil
    cdef int _asked(self, int* values, int count) noexcept

@cython.final
cdef class ValueLookup(Lookup):
    pass

@cython.final
cdef class Estimator(CarriedRank):
    cdef object ask
    cdef int admissible
    cdef readonly ValueLookup table
    cdef int _asked(self, unsigned char* vector, Py_ssize_t base) noexcept

@cython.final
cdef class Lookups:
    cdef Lookup last
    cdef Lookups before
    cdef int count
    cdef int _distance(self, int number, int* values, int count) noexcept nogil

@cython.final
cdef class Space:
    cdef int moves
    cdef int coordinates
    cdef int tables
    cdef int joined
    cdef int loose
    cdef int raised
    cdef int summed
    cdef int cheapest
    cdef int dearest
    cdef int unit
    cdef int followed
    cdef Carry carry
    cdef int ranked
    cdef int owned
    cdef CarriedRank own_rank
    cdef int hashed
    cdef int hash_width
    cdef int hash_values
    cdef int* hash_value
    cdef int hash_shift
    cdef unsigned char* hash_inverses
    cdef unsigned char* hash_products
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
    cdef unsigned char* closes
    cdef int* imaged
    cdef int* part
    cdef int* part_size
    cdef int* radix
    cdef unsigned short* estimates
    cdef unsigned short* floors
    cdef int* floor_at
    cdef Lookups lookups
    cdef int* order
    cdef list _owners
    cdef _set_coordinates(self, list coordinates)
    cdef int _all_below(self, int c, Py_ssize_t entries, int width, unsigned int size) noexcept nogil
    cdef _set_tables(self, list coordinates, list tables)
    cdef _set_groups(self, tuple groups, int joined)
    cdef _set_floors(self, list radix)
    cdef _set_hashed(self, list coordinates, object hashed)
    cdef long long _hashed_at(self, int* values, Py_ssize_t base, Py_ssize_t step, unsigned char* vector, Py_ssize_t at) noexcept nogil
    cdef long long _rank_vector(self, int c, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _after(self, int c, int value, int move) noexcept nogil
    cdef long long _entry(self, int t, int* values, Py_ssize_t base) noexcept nogil
    cdef int _code(self, int t, long long index) noexcept nogil
    cdef int _looked_up(self, int t, int* values, Py_ssize_t base, Py_ssize_t step) noexcept nogil
    cdef int _listed(self, int t, int* values, Py_ssize_t base) noexcept nogil
    cdef void _moved(self, int t, int move, int* here, int* there, unsigned char* vector, Py_ssize_t source, Py_ssize_t target) noexcept nogil
    cdef int _walk(self, int t, int* values, Py_ssize_t base, unsigned char* vector) noexcept nogil
    cdef int _at_least(self, int* values, Py_ssize_t base) noexcept nogil
    cdef int _estimate(self, int* values, Py_ssize_t base, int* distances, unsigned char* vector) noexcept nogil
