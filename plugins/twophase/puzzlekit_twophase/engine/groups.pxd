# Declares what improve.py uses of groups.py, and imports what groups.py uses of other compiled modules.

cimport cython

from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at
from puzzlekit.engine.search cimport Search
from puzzlekit.engine.space cimport Space
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED

cdef extern from *:  # the macro that defines `fetch`, for pointers of other types
    void fetch_notes "puzzlekit_fetch"(long long* table, Py_ssize_t at) noexcept nogil
    void fetch_words "puzzlekit_fetch"(unsigned int* table, Py_ssize_t at) noexcept nogil

@cython.final
cdef class Notes:
    cdef Space space
    cdef int fits
    cdef int masked
    cdef long long* useful
    cdef unsigned char* image
    cdef list _owners
    cdef long long _note(self, Space space, int row) noexcept nogil

@cython.final
cdef class Groups:
    cdef Space space
    cdef Notes notes
    cdef int fits
    cdef int masked
    cdef int bound
    cdef int plies
    cdef Py_ssize_t many
    cdef Py_ssize_t total
    cdef int* value
    cdef int* far
    cdef int* state
    cdef int* spent
    cdef int* taken
    cdef int* parent
    cdef int* count
    cdef int* cursor
    cdef int* node
    cdef int* move
    cdef int* room
    cdef int* alive
    cdef int* child
    cdef int* child_far
    cdef long long* index
    cdef int* walker
    cdef int* steps
    cdef int* left
    cdef int* tried
    cdef int* code
    cdef int* best
    cdef int* most
    cdef int* bound_to
    cdef list _owners
    cdef _make_room(self, int plies)
    cdef int* _room(self, Py_ssize_t size)
    cdef void _begin(self, Search outer) noexcept nogil
    cdef int _step(self, Search outer, Space space, long long budget) noexcept nogil
    cdef void _lay(self, Search outer, Space space, int depth, int node) noexcept nogil
    cdef void _walk(self, Space space, int t, int walkers) noexcept nogil
    cdef int _list(self, Search outer, Space space, int depth, int start, int end) noexcept nogil
    cdef void _advance(self, Space space, int c, Py_ssize_t base, int n) noexcept nogil
