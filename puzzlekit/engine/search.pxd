# Declares what other compiled modules use of search.py, and imports what search.py uses.

cimport cython

from puzzlekit.engine.ranks cimport _rank, bytes_at, new_ints, new_longs
from puzzlekit.engine.space cimport Space
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, NO_ROOM, PAUSED

@cython.final
cdef class Search:
    cdef Space space
    cdef int exact
    cdef int staying
    cdef int short
    cdef int parity
    cdef int bound
    cdef int next_bound
    cdef int limit
    cdef int depth
    cdef int plies
    cdef int changed
    cdef int carried
    cdef int strayed
    cdef int rounds
    cdef long long* round
    cdef long long generated
    cdef long long expanded
    cdef int* value
    cdef int* child
    cdef int* alive
    cdef long long* index
    cdef int* far
    cdef int* child_far
    cdef int* mixed
    cdef int* total
    cdef int* count
    cdef int* cursor
    cdef int* spent
    cdef int* state
    cdef int* taken
    cdef unsigned char* vector
    cdef list _owners
    cdef _make_room(self, int plies)
    cpdef forget(self)
    cdef int* _room(self, Py_ssize_t size)
    cdef void _begin(self, int state, int spent, int bound) noexcept nogil
    cdef int _is_goal(self, Space space, int c, int value) noexcept nogil
    cdef int _at_goal(self, Space space, int depth) noexcept nogil
    cdef int _may_end(self, Space space, int depth) noexcept nogil
    cdef void _carry_to(self, Space space, int depth) noexcept nogil
    cdef int _rank_at(self, Space space, int c, int row) noexcept nogil
    cdef void _rank_children(self, Space space, int depth, int n, int carried) noexcept nogil
    cdef void _carry_children(self, Space space, int depth, int n) noexcept nogil
    cdef int _cut_hashed(self, Space space, int depth, int n, int known) noexcept nogil
    cdef int _step(self, Space space, long long budget) noexcept nogil
    cdef void _expand(self, Space space, int depth) noexcept nogil
    cdef int _cut_early(self, Space space, int group, int depth, int n, int low) noexcept nogil
    cdef void _add(self, Space space, int t, int n) noexcept nogil
    cdef void _follow(self, Space space, int t, int depth, int n) noexcept nogil
    cdef void _advance(self, Space space, int c, int depth, int n) noexcept nogil
    cdef int _listed_after(self, int state, int move) noexcept nogil
    cdef int _run(self, long long budget) noexcept nogil
    cdef void _note_round(self) noexcept nogil
