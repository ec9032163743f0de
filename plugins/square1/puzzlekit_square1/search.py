"""The strategy of the Square-1: shortest answers in slashes or in twists."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from time import perf_counter
from typing import Any

import attrs

from puzzlekit import Heuristic, Limits, Move, Phase, UsageError
from puzzlekit.engine.fill import COMPILED
from puzzlekit.engine.statuses import FOUND
from puzzlekit.search.budget import OUT_OF_LIMITS, Budget
from puzzlekit.search.limits import BoundReport
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit.tables.table import TableSpec
from puzzlekit_square1.graph import (
    ORDERS,
    distances,
    first_rotation,
    graph,
    order,
    order_parts,
    solved_orders,
    twists,
)
from puzzlekit_square1.pieces import layers

__all__ = ["SliceBySlice"]

_SEEN = 1 << 21  # places for nodes
_MOST = 40  # slices of an answer
_FEWER = 500_000  # nodes for fewer twists among answers with the same number of slashes


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class SliceBySlice(Strategy):
    """Finds shortest answers of a Square-1, in slashes or in twists.

    The search goes from shape to shape, one slash after the other. Two tables have the fewest
    slashes that solve the corners, and the edges, of each shape. The parity of the number of slices
    is that of the middle layer. Among the answers with the fewest slashes, a short search looks for
    one with few twists. In twists, the tables have the fewest twists, whichever way the layers are
    turned.

    >>> SliceBySlice().proves
    True
    """

    takes_forbidden = True
    needs_coordinates = False
    improves = False
    proves = True
    needs_compiler = True

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Do nothing: the phase only names the moves."""

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no coordinates."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Load or build the tables."""
        if plan.metric.name not in ("SLASHES", "TWISTS"):
            raise UsageError(f"{plan.name} of square1 searches in SLASHES and TWISTS only")
        self.phases = []
        self._turn = int(plan.metric.name == "TWISTS")
        build, counted = (twists, "twists") if self._turn else (distances, "slashes")
        tables = []
        for kind, name in (("c", "corners"), ("e", "edges")):
            key = TableSpec(
                "square1",
                f"{name} {counted}",
                f"square1: fewest {counted} that solve the {name} of each shape, version 2",
                "u1",
                (len(graph().shapes) * ORDERS,),
                f"The fewest {counted} that solve the {name}, for each shape and order.",
            )
            tables.append(plan.store.get(key, partial(_built, build, kind)))
        self.tables = tuple(tables)

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the shortest answer, if it is within the limits."""
        from puzzlekit_square1.engine.slices import Slices

        budget, begun = Budget(limits), perf_counter()
        node = _Node(state)
        arrays = [*_arrays()]
        work = tuple(array(kind, bytes(4 * _MOST)) for kind in "iiiiiiII")
        tables = (*order_parts(), *(table.data for table in self.tables))
        seen = memoryview(array("q", bytes(8 * (_SEEN if COMPILED else 1024))))
        kind: Any = Slices
        make = partial(kind, arrays[0], arrays[1], tables, arrays[2], seen, work)
        search = make(self._turn, bool(self._turn))
        longest = min(length_limit(limits), _MOST - 2)
        step = 1 if self._turn else 2
        bound = self._least(node, state[25])
        while bound <= longest:
            search.start(*node.place, state[25], bound, bound)
            status = budget.run(search)
            counts = ((search.work, search.work),)
            if status == FOUND:
                moves = self._moves(state, node, work[0][: search.length])
                fewer, nodes = make(1, False), 0 if self._turn else _FEWER
                while nodes > fewer.work:
                    fewer.start(*node.place, state[25], len(moves) - 1, bound)
                    if budget.run(fewer, nodes=nodes - fewer.work) != FOUND:
                        break
                    moves = self._moves(state, node, work[0][: fewer.length])
                found = PhaseMoves(0, moves, merged=moves)
                shortest = frozenset([0])
                yield Candidate((found,), True, counts, shortest=shortest, at_least=bound)
                return
            if status == OUT_OF_LIMITS:
                yield Candidate(None, False, counts, at_least=bound)
                return
            if limits.on_bound is not None:
                spent = perf_counter() - begun
                report = BoundReport(bound, None, bound + step, search.work, spent, 4 * spent)
                limits.on_bound(report)
            bound += step
        yield Candidate(None, False, ((search.work, search.work),), at_least=bound)

    def _least(self, node: _Node, middle: int) -> int:
        """Return a lower bound on the cost of a state."""
        first, last = order_parts()
        shape, *orders, _, _ = node.place
        least = max(
            table.data[shape * ORDERS + first[own & 65535] * 24 + last[own >> 16]]
            for table, own in zip(self.tables, orders, strict=True)
        )
        if self._turn:
            return max(0, least - 1)
        return least + ((least ^ middle) & 1)

    def _moves(self, state: bytes, node: _Node, path: Sequence[int]) -> tuple[Move, ...]:
        """Return the moves of a path of slices from a state."""
        puzzle = self.puzzle
        every = [*chain.from_iterable(graph().slices)]
        found: list[Move] = []

        def turn(family: str, hours: int) -> None:
            if hours % 12:
                found.append(puzzle.move(family, hours))

        for number in path:
            each = every[number]
            for family, top in (("U", True), ("D", False)):
                turn(family, -node.hour(each.top if top else each.bottom, top))
            found.append(puzzle.move("/"))
            node = _Node(puzzle.apply(state, found), node.hinted(each))
        solved = puzzle.solved
        end = puzzle.apply(state, found)
        turn("U", -end.index(solved[0], 0, 12))
        turn("D", 12 - end.index(solved[12], 12, 24))
        return tuple(found)


class _Node:
    """A state as the search sees it.

    `place` has the shape, the orders of corners and edges, and the pieces at the cuts of the
    layers, or -1 where no piece begins at the cut. `begin` has the piece with which each layer of
    the shape begins, counted from the first piece that begins in the layer of the state.
    """

    def __init__(self, state: bytes, begin: Sequence[int] | None = None) -> None:
        own = layers(state)
        kinds = ["".join(kind for kind, _, _ in layer) for layer in own]
        self.begin = [first_rotation(kind) for kind in kinds] if begin is None else [*begin]
        self._layers = [layer[by:] + layer[:by] for layer, by in zip(own, self.begin, strict=True)]
        upper, lower = ("".join(kind for kind, _, _ in layer) for layer in self._layers)
        pieces = self._layers[0] + self._layers[1]
        orders = (order([k for kind, k, _ in pieces if kind == each]) for each in "ce")
        cuts = (
            next((i for i, piece in enumerate(layer) if piece[2] == 0), -1)
            for layer in self._layers
        )
        self.place = (graph().shapes[upper, lower], *orders, *cuts)

    def hour(self, piece: int, top: bool) -> int:
        """Return the hour at which a piece begins, counted from the start of the shape's layer."""
        return self._layers[0 if top else 1][piece][2]

    def hinted(self, each: Any) -> list[int]:
        """Return the pieces with which the layers begin after a slice."""
        upper, lower = [*graph().shapes][each.target]
        return [-each.new_top % len(upper), -each.new_bottom % len(lower)]


def _built(build: Callable[[str], Any], kind: str) -> Any:
    return build(kind)


@cache
def _arrays() -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """Return the slices, turns and solved orders as arrays for the compiled search."""
    shapes = graph()
    begin = array("i", [0])
    for own in shapes.slices:
        begin.append(begin[-1] + len(own))
    every = [*chain.from_iterable(shapes.slices)]
    sources = [number for number, own in enumerate(shapes.slices) for _ in own]
    slices = (
        begin,
        array("i", [each.target for each in every]),
        array("I", [order(each.corners) for each in every]),
        array("I", [order(each.edges) for each in every]),
        array("i", [each.top for each in every]),
        array("i", [each.bottom for each in every]),
        array("i", [each.new_top for each in every]),
        array("i", [each.new_bottom for each in every]),
        array("q", [_undone(source, each) for source, each in zip(sources, every, strict=True)]),
    )
    turn_begin, corners, edges = array("i", [0]), array("I"), array("I")
    for turns in shapes.turns:
        corners.extend(order(each.corners) for each in turns)
        edges.extend(order(each.edges) for each in turns)
        turn_begin.append(len(corners))
    solved = solved_orders()
    goals = (
        memoryview(array("q", [edge << 32 | corner for corner, edge, _, _ in solved])),
        array("i", [top for _, _, top, _ in solved]),
        array("i", [bottom for _, _, _, bottom in solved]),
    )
    return slices, (turn_begin, corners, edges), goals


def _undone(source: int, each: Any) -> int:
    """Return a bit for each slice after a slice: 1 if it leads back, up to turns of the layers."""
    shapes = graph()
    back = {(each.corners, each.edges) for each in shapes.turns[source]}
    bits = 0
    for k, other in enumerate(shapes.slices[each.target]):
        if other.target == source:
            corners = tuple(each.corners[slot] for slot in other.corners)
            if (corners, tuple(each.edges[slot] for slot in other.edges)) in back:
                bits |= 1 << k
    return bits - (bits >> 63 << 64)  # as a signed number of 64 bits
