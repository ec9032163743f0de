# Declares what improve.py uses of groups.py, and imports what groups.py uses of other compiled modules.

cimport cython

from puzzlekit.engine.intrinsics cimport fetch
from puzzlekit.engine.ranks cimport bytes_at, new_ints, new_longs
from puzzlekit.engine.search cimport Search
from puzzlekit.engine.space cimport Space
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED

cdef extern from *:  # the macro that defines `fetch`, for pointers of other types
    void fetch_notes "puzzlekit_fetch"(long long* table, Py_ssize_t at) noexcept nogil
    void fetch_words "puzzlekit_fetch"(unsigned int* table, Py_ssize_t at) noexcept nogil

cdef enum:
    GROUP = 16  # most nodes that are expanded together, and most states that are walked from

@cython.final
cdef class Notes:
    cdef Space space
    cdef int fits  # whether the space can be searched in groups
    cdef int masked  # the coordinate whose values have notes; -1: none
    cdef long long* useful  # for each value, without its symmetry, see `_note`; 0: not noted yet
    cdef unsigned char* image  # for each symmetry and move, the bit of the move in the notes
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
    cdef Py_ssize_t many  # room for the nodes of a depth
    cdef Py_ssize_t total  # room for the nodes of all depths
    # Listed nodes: node i of a depth is at depth * many + i.
    cdef int* value  # `total` values of the first coordinate, then of the next ones
    cdef int* far  # distances in tables modulo 3, like `value`
    cdef int* state
    cdef int* spent
    cdef int* taken
    cdef int* parent  # a node of the depth before
    # For each depth, the number of its nodes, and the first that is not looked at yet.
    cdef int* count
    cdef int* cursor
    # The children of a group. `alive` lists those that are not ruled out, and `index` their entries.
    cdef int* node  # the parent
    cdef int* move
    cdef int* room  # the cost that is left
    cdef int* alive
    cdef int* child  # `many` values of the first coordinate, then of the next ones
    cdef int* child_far
    cdef long long* index
    # States that are walked from (see `_walk`).
    cdef int* steps
    cdef int* left
    cdef int* tried  # the number of moves tried at the current state; -1: done
    cdef int* code
    cdef int* best  # a child that is nearer; -1: none found
    cdef int* most
    cdef int* ruled  # whether `left` may have ruled out moves
    cdef list _owners
    cdef _make_room(self, int plies)
    cdef int* _room(self, Py_ssize_t size)
    cdef void _begin(self, Search outer) noexcept nogil
    cdef int _step(self, Search outer, Space space, long long budget) noexcept nogil
    cdef void _lay(self, Search outer, Space space, int depth, int node) noexcept nogil
    cdef void _walk(self, Space space, int t, int walkers) noexcept nogil
    cdef int _list(self, Search outer, Space space, int depth, int start, int end) noexcept nogil
    cdef void _advance(self, Space space, int c, Py_ssize_t base, int n) noexcept nogil
    cdef void _set_indices(self, Space space, int t, int n) noexcept nogil
    cdef void _fetch_rows(self, Space space, int n) noexcept nogil
