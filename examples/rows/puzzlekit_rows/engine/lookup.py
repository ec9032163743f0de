# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, freethreading_compatible=True
"""Look up distances in a table by rows: compiled, or as plain Python."""

import cython

if not cython.compiled:  # lookup.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at
    from puzzlekit.engine.space import Lookup


@cython.final
@cython.cclass
class RowLookup(Lookup):
    """Reads rows of `stride` bytes: the least distance of a row, then 2 bits for each value."""

    def __init__(self, data: object, stride: int) -> None:
        Lookup.__init__(self)
        self.owners = []
        self.data = bytes_at(data, self.owners)
        self.stride = stride

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _distance(self, values: cython.p_int, count: cython.int) -> cython.int:
        at: cython.Py_ssize_t = values[0] * self.stride
        column: cython.int = values[1]
        return self.data[at] + ((self.data[at + 1 + (column >> 2)] >> ((column & 3) << 1)) & 3)
