# Declares what other compiled modules use of pieces.py, and imports what pieces.py uses.

cimport cython

from puzzlekit.engine.ranks cimport bytes_at, ints_at, new_ints, new_longs
from puzzlekit_universal.engine.word_sizes cimport FAR, OPS
from puzzlekit_universal.engine.word_moves cimport Moves

@cython.final
cdef class WordPieces:
    cdef Moves moves
    cdef int* labels
    cdef int* turns
    cdef int* at
    cdef int* by
    cdef int* homes
    cdef int* first
    cdef int* wanted
    cdef int* block
    cdef unsigned char* even
    cdef int* step
    cdef int blocks
    cdef long long* op_hash
    cdef long long hash
    cdef int* loose
    cdef int* op_x
    cdef int* op_y
    cdef int* op_z
    cdef int* op_t
    cdef int* op_u
    cdef int* op_left
    cdef int* op_cost
    cdef int* op_place
    cdef int* op_entry
    cdef int ops
    cdef unsigned char* seen
    cdef int* unsolved
    cdef int* begin
    cdef int* members
    cdef int* grouped
    cdef int* carried
    cdef int* spun
    cdef list _owners
    cdef int _fits(self) noexcept nogil
    cdef int _replay(self, unsigned char* word, Py_ssize_t base, int count) noexcept nogil
    cdef void _write(self, int* states, Py_ssize_t base) noexcept nogil
    cdef int _read(self, int* states, Py_ssize_t base) noexcept nogil
    cdef void _apply(self, int* ops, Py_ssize_t base) noexcept nogil
    cdef int _note(self) noexcept nogil
    cdef long long _mixed(self, int place, int label, int turned) noexcept nogil
    cdef int _solved_by(self, int place, int label, int turned) noexcept nogil
    cdef void _add(self, int left, int x, int y, int z, int t, int u) noexcept nogil
    cdef void _gather(self, int left, int offset) noexcept nogil
