# Declares the classes of pairing.py, and imports what it uses of other compiled modules.

cimport cython

from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport (
    CarriedRank, Carry, Reading, bytes_at, ints_at, longs_at, shorts_at,
)

@cython.final
cdef class PairRank(CarriedRank):
    cdef int n
    cdef int k
    cdef int shift
    cdef int tails
    cdef int stride
    cdef unsigned short* heads
    cdef unsigned char* rows
    cdef unsigned char* below
    cdef list _owners
    cdef int _heads_below(self, Py_ssize_t entries, int classes, int order) noexcept nogil
    cdef int _head(self, unsigned char* vector, Py_ssize_t base) noexcept nogil
    cdef int _tail(self, unsigned char* vector, Py_ssize_t base, Py_ssize_t symmetry) noexcept nogil

@cython.final
cdef class PairReading(Reading):
    cdef unsigned char* numbers
