# Declares what other compiled modules use of endings.py, and imports what endings.py uses.

cimport cython

from puzzlekit.engine.ranks cimport (
    Carry, bytes_at, ints_at, longs_at, new_ints, new_words, int_array
)
from puzzlekit.engine.space cimport Space

@cython.final
cdef class Endings:
    cdef int plies
    cdef int moves
    cdef int coordinates
    cdef int width
    cdef long long count
    cdef long long* radix
    cdef int* undo
    cdef unsigned int* first
    cdef unsigned char* move
    cdef unsigned char* gather
    cdef int tested
    cdef int* number
    cdef unsigned char* source
    cdef int* value
    cdef unsigned char* word
    cdef list _owners
    cdef _from_goals(self, Space space, int c, int filling)
    cdef void _back(self, Space space, int left, int filling) noexcept nogil
    cdef void _compose(self, Carry carry) noexcept nogil
    cdef int _differ(self, long long n, int* number_at) noexcept nogil
    cdef long long _entry(self, int* values, Py_ssize_t base) noexcept nogil
