# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Search a Square-1 slice by slice, with or without a cost of the turns between slices.

A node is a shape, up to turns of its layers, with the order of the eight corners and of the eight
edges. An order is a number of 32 bits: four bits for the piece at each slot, the first slot lowest.
A *slice* of a shape has the shape that it leads to, and the old slot of the piece at each new slot.
"""

from __future__ import annotations

import cython

__all__ = ["Slices"]

if not cython.compiled:  # slices.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, shorts_at, words_at


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _after(order: cython.uint, slots: cython.uint) -> cython.uint:
    """Return an order after a slice."""
    done: cython.uint = (order >> ((slots & 7) << 2)) & 15
    done |= ((order >> (((slots >> 4) & 7) << 2)) & 15) << 4
    done |= ((order >> (((slots >> 8) & 7) << 2)) & 15) << 8
    done |= ((order >> (((slots >> 12) & 7) << 2)) & 15) << 12
    done |= ((order >> (((slots >> 16) & 7) << 2)) & 15) << 16
    done |= ((order >> (((slots >> 20) & 7) << 2)) & 15) << 20
    done |= ((order >> (((slots >> 24) & 7) << 2)) & 15) << 24
    done |= ((order >> (((slots >> 28) & 7) << 2)) & 15) << 28
    return done


@cython.cclass
class Slices:
    """A depth-first search for an answer of at most some cost, which continues where it stopped.

    The arguments are tuples of arrays. `graph`: the slices of shape s are those from `begin[s]` to
    `begin[s + 1]`. For each slice there are

    - `target`, `corner_slots`, `edge_slots`: the shape after it, and the old slots of pieces;
    - `tops`, `bottoms`: the pieces of both layers at which it cuts, counted from the first slot;
    - `new_tops`, `new_bottoms`: the pieces that are at the cut after it;
    - `undone`: a bit for each slice of the shape after it; 1 if both lead back to the same node.

    `turns`: `begin`, and for each turn of the layers that keeps a shape the old slots of corners
    and edges. `tables`: parts of the number of an order, for its lower and upper half, and for each
    shape and number of an order the fewest slices, or twists after a slice, that solve the corners,
    and the edges. `goals`:
    the orders of solved pieces, edges in the upper half, and the pieces at the cuts of both layers
    when the layers are not turned. `seen`: places for nodes, a power of two. `work`: arrays with
    a place for each slice of an answer.
    """

    begin: cython.p_int
    target: cython.p_int
    corner_slots: cython.p_uint
    edge_slots: cython.p_uint
    tops: cython.p_int
    bottoms: cython.p_int
    new_tops: cython.p_int
    new_bottoms: cython.p_int
    undone: cython.p_longlong
    turn_begin: cython.p_int
    corner_turns: cython.p_uint
    edge_turns: cython.p_uint
    first: cython.p_ushort
    last: cython.p_uchar
    corners: cython.p_uchar
    edges: cython.p_uchar
    goals: cython.p_longlong
    goal_count: cython.int
    goal_tops: cython.p_int
    goal_bottoms: cython.p_int
    seen: cython.p_longlong
    places: cython.Py_ssize_t
    path: cython.p_int
    shape_at: cython.p_int
    next_at: cython.p_int
    left_at: cython.p_int
    top_at: cython.p_int
    bottom_at: cython.p_int
    corner_at: cython.p_uint
    edge_at: cython.p_uint
    depth: cython.int
    turn: cython.int
    in_twists: cython.bint
    middle: cython.int
    most: cython.int
    counted: cython.bint
    nodes: cython.longlong
    _owners: list

    def __init__(self, graph, turns, tables, goals, seen, work, turn, in_twists):
        """Set the arrays, the cost of turning a layer (0 or 1), and what the tables count."""
        owners: list = []
        self._owners = owners
        self.begin, self.target = ints_at(graph[0], owners), ints_at(graph[1], owners)
        self.corner_slots, self.edge_slots = words_at(graph[2], owners), words_at(graph[3], owners)
        self.tops, self.bottoms = ints_at(graph[4], owners), ints_at(graph[5], owners)
        self.new_tops, self.new_bottoms = ints_at(graph[6], owners), ints_at(graph[7], owners)
        self.undone = longs_at(graph[8], owners)
        self.turn_begin = ints_at(turns[0], owners)
        self.corner_turns, self.edge_turns = words_at(turns[1], owners), words_at(turns[2], owners)
        self.first, self.last = shorts_at(tables[0], owners), bytes_at(tables[1], owners)
        self.corners, self.edges = bytes_at(tables[2], owners), bytes_at(tables[3], owners)
        self.goals, self.goal_count = longs_at(goals[0], owners), len(goals[0])
        self.goal_tops, self.goal_bottoms = ints_at(goals[1], owners), ints_at(goals[2], owners)
        self.seen, self.places = longs_at(seen, owners), len(seen)
        self.path, self.shape_at = ints_at(work[0], owners), ints_at(work[1], owners)
        self.next_at, self.left_at = ints_at(work[2], owners), ints_at(work[3], owners)
        self.top_at, self.bottom_at = ints_at(work[4], owners), ints_at(work[5], owners)
        self.corner_at, self.edge_at = words_at(work[6], owners), words_at(work[7], owners)
        self.turn = turn
        self.in_twists = in_twists
        self.nodes = 0

    @property
    def work(self) -> int:
        """The number of slices that the search has looked at."""
        return self.nodes

    @property
    def length(self) -> int:
        """The number of slices of the answer."""
        return self.depth

    def start(
        self,
        shape: cython.int,
        corners: cython.uint,
        edges: cython.uint,
        top: cython.int,
        bottom: cython.int,
        middle: cython.int,
        cost: cython.int,
        most: cython.int,
    ) -> None:
        """Set the node where the search begins, the pieces at its cuts, and the most cost.

        The number of a piece is -1 if a cut is not between pieces. `middle` is 1 if the middle
        layer is turned, so that the number of slices is odd. `most` is the largest number of
        slices.
        """
        k: cython.Py_ssize_t
        for k in range(self.places):
            self.seen[k] = 0
        self.shape_at[0] = shape
        self.corner_at[0] = corners
        self.edge_at[0] = edges
        self.top_at[0] = top
        self.bottom_at[0] = bottom
        self.next_at[0] = self.begin[shape] - 1
        self.left_at[0] = cost
        self.middle = middle
        self.most = most
        self.counted = most < cost
        self.depth = 0

    def run(self, most: cython.longlong) -> int:
        """Search until there is an answer, none is left, or `most` slices were looked at.

        Returns a status of the engine. The answer is the first `length` slices in `path`.
        """
        depth: cython.int = self.depth
        turn: cython.int = self.turn
        k: cython.int
        goal: cython.int
        left: cython.int
        shape: cython.int
        free: cython.int
        symmetry: cython.int
        corner: cython.uint
        edge: cython.uint
        other: cython.uint
        corner_number: cython.int
        edge_number: cython.int
        entry: cython.Py_ssize_t
        place: cython.Py_ssize_t
        key: cython.longlong
        same: cython.longlong
        mask: cython.Py_ssize_t = self.places - 1
        until: cython.longlong = self.nodes + most
        while depth >= 0:
            if self.nodes >= until:
                self.depth = depth
                return 0
            k = self.next_at[depth]
            shape = self.shape_at[depth]
            self.next_at[depth] = k + 1
            if k < self.begin[shape]:  # a new node: is it solved?
                left = self.left_at[depth]
                key = (cython.cast(cython.longlong, self.edge_at[depth]) << 32) | self.corner_at[
                    depth
                ]
                if shape == 0 and (depth ^ self.middle) & 1 == 0:
                    for goal in range(self.goal_count):
                        if self.goals[goal] == key and left >= turn * (
                            (self.top_at[depth] != self.goal_tops[goal])
                            + (self.bottom_at[depth] != self.goal_bottoms[goal])
                        ):
                            self.depth = depth
                            return 1
                continue
            if k >= self.begin[shape + 1]:
                depth -= 1
                continue
            left = self.left_at[depth] - 1
            if turn:
                left -= self.tops[k] != self.top_at[depth]
                left -= self.bottoms[k] != self.bottom_at[depth]
            if left < 0 or (
                depth and (self.undone[self.path[depth - 1]] >> (k - self.begin[shape])) & 1
            ):
                continue
            self.nodes += 1
            # Before each further slice, a layer is turned. So half of the twists may be slices.
            free = left >> (turn and not self.in_twists)
            if free >= self.most - depth:
                free = self.most - depth - 1
            corner = _after(self.corner_at[depth], self.corner_slots[k])
            shape = self.target[k]
            entry = shape * 40320
            corner_number = self.first[corner & 65535] * 24 + self.last[corner >> 16]
            if self.corners[entry + corner_number] > free:
                continue
            edge = _after(self.edge_at[depth], self.edge_slots[k])
            edge_number = self.first[edge & 65535] * 24 + self.last[edge >> 16]
            if self.edges[entry + edge_number] > free:
                continue
            if free > 2:
                # A node from which no answer was found is not searched again at the same cost.
                key = (cython.cast(cython.longlong, corner_number) << 16) | edge_number
                if not turn:
                    for symmetry in range(self.turn_begin[shape], self.turn_begin[shape + 1]):
                        other = _after(corner, self.corner_turns[symmetry])
                        corner_number = self.first[other & 65535] * 24 + self.last[other >> 16]
                        other = _after(edge, self.edge_turns[symmetry])
                        edge_number = self.first[other & 65535] * 24 + self.last[other >> 16]
                        same = (cython.cast(cython.longlong, corner_number) << 16) | edge_number
                        if same < key:
                            key = same
                key = (((key << 8) | shape) << 6) | left
                if turn:
                    key = (((key << 4) | self.new_tops[k]) << 4) | self.new_bottoms[k]
                    key = (key << 6) | (depth if self.counted else depth & 1)
                place = ((cython.cast(cython.ulonglong, key) * 11400714819323198485) >> 40) & mask
                if self.seen[place] == key:
                    continue
                self.seen[place] = key
            self.path[depth] = k
            depth += 1
            self.shape_at[depth] = shape
            self.corner_at[depth] = corner
            self.edge_at[depth] = edge
            self.top_at[depth] = self.new_tops[k]
            self.bottom_at[depth] = self.new_bottoms[k]
            self.left_at[depth] = left
            self.next_at[depth] = self.begin[shape] - 1
        self.depth = depth
        return 2
