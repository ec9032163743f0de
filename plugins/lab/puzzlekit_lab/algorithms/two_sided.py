"""Searches from both ends: MM, NBS, DVCBS and BAE*."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, NamedTuple

from puzzlekit import UsageError
from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit_lab.algorithms.graph import Estimates, Graph, Moves
from puzzlekit_lab.algorithms.one_sided import rows_of
from puzzlekit_lab.algorithms.search import Node, StateSearch, way

__all__ = ["Bae", "Dvcbs", "Mm", "Nbs"]


class Key(NamedTuple):
    """What the open states of a side are grouped by.

    - `g`: the cost of the way to them.
    - `h`: the estimate of the rest.
    - `back`: the estimate of the way itself, from the other direction; 0 if the search has no use
      for it.
    """

    g: int
    h: int
    back: int

    @property
    def f(self) -> int:
        return self.g + self.h


class Side:
    """The search from one end: the cheapest way to each state, and the states that are open.

    - `nodes`: all states.
    - `open`: the states that are still to be expanded, by their keys.
    - `closed`: the states that were expanded by the way that `nodes` has.
    """

    def __init__(
        self, moves: Moves, ahead: Estimates, behind: Estimates | None, starts: Sequence[bytes]
    ) -> None:
        self.moves = moves
        self.nodes: dict[bytes, Node] = {}
        self.open: dict[Key, dict[bytes, None]] = {}
        self.closed: set[bytes] = set()
        self._ahead, self._behind = ahead, behind
        self._backs: dict[bytes, int] = {}
        for state, h, back in zip(starts, *self.estimates(rows_of(starts)), strict=True):
            self.put(state, Node(0, h, b"", -1), back)

    def estimates(self, rows: Any) -> tuple[list[int], list[int]]:
        """Return the estimates of the rest, and of the way to some states."""
        ahead = [int(h) for h in self._ahead(rows)]
        if self._behind is None:
            return ahead, [0] * len(ahead)
        return ahead, [int(h) for h in self._behind(rows)]

    def put(self, state: bytes, node: Node, back: int) -> None:
        """Store a state that is new or has a cheaper way, and open it."""
        if state in self.nodes:
            self.take(state)
        self.nodes[state] = node
        self.closed.discard(state)
        if self._behind is not None:
            self._backs[state] = back
        self.open.setdefault(Key(node.g, node.h, back), {})[state] = None

    def key(self, state: bytes) -> Key:
        """Return the key of a state."""
        node = self.nodes[state]
        return Key(node.g, node.h, self._backs.get(state, 0))

    def take(self, state: bytes) -> None:
        """Remove a state from the open ones if it is there."""
        key = self.key(state)
        own = self.open.get(key)
        if own is not None:
            own.pop(state, None)
            if not own:
                del self.open[key]

    def newest(self, key: Key) -> bytes:
        """Return the state that was opened last under a key."""
        return next(reversed(self.open[key]))


class TwoSided(StateSearch):
    """The search from both ends. A subclass chooses the states to expand, and says when to end.

    - `best`: the cost of the best answer so far.
    """

    #: Whether the search needs estimates in both directions for each state.
    both = False
    #: Whether the search is right only with estimates that no move lowers by more than its cost.
    consistent = True

    def __init__(self, graph: Graph, starts: Sequence[bytes], most: int) -> None:
        super().__init__(graph, most)
        back = graph.from_starts(starts)
        ahead = graph.to_goal
        self.sides = (
            Side(graph.moves, ahead, back if self.both else None, starts),
            Side(graph.backward_moves, back, ahead if self.both else None, [graph.goal]),
        )
        self.best: float = inf
        self._middle = b""
        if graph.goal in starts:
            self.best, self._middle = 0, graph.goal

    @abstractmethod
    def bound(self) -> float:
        """Return a lower bound on the cost of all answers that are not known yet."""

    @abstractmethod
    def chosen(self) -> Iterator[tuple[int, bytes]]:
        """Yield the states to expand next, as (side, state)."""

    def step(self) -> int:
        self.steps += 1
        least = self.bound()
        if least >= self.best:
            return EXHAUSTED if self.best == inf else self._answer()
        for number, state in list(self.chosen()):
            if self.best <= least:
                break
            if state not in self.sides[number].closed:
                self.expand(number, state)
        return PAUSED

    def _answer(self) -> int:
        here, there = (way(side.nodes, self._middle) for side in self.sides)
        self.path = here[::-1] + there
        self.spent_here = int(self.best)
        return FOUND

    def expand(self, number: int, state: bytes) -> None:
        """Expand a state of a side."""
        graph, side, other = self.graph, self.sides[number], self.sides[1 - number].nodes
        side.take(state)
        side.closed.add(state)
        node = side.nodes[state]
        place = graph.puzzle.place_of_guard(state)
        numbers, costs, rows = side.moves.neighbours(state, place)
        self.expanded_nodes += 1
        self.generated_nodes += len(numbers)
        data, width = rows.tobytes(), len(state)
        cheaper = []
        for i, cost in enumerate(costs):
            child = data[i * width : (i + 1) * width]
            known = side.nodes.get(child)
            if known is None or node.g + cost < known.g:
                cheaper.append(i)
        if not cheaper:
            return
        for i, h, back in zip(cheaper, *side.estimates(rows[cheaper]), strict=True):
            child, g = data[i * width : (i + 1) * width], node.g + costs[i]
            known = side.nodes.get(child)
            if known is not None and known.g <= g:
                continue  # two moves lead to one state
            if self.consistent and node.h > h + costs[i]:
                raise UsageError(
                    f"the heuristic {graph.heuristic} falls by more than a move costs, but this "
                    "search needs consistent estimates: choose a-star or mm"
                )
            side.put(child, Node(g, h, state, numbers[i]), back)
            met = other.get(child)
            if met is not None and g + met.g < self.best:
                self.best, self._middle = g + met.g, child
        self.check_room(len(side.nodes) + len(other))


class Mm(TwoSided):
    """Expands the state with the least max(f, 2 g) of both sides."""

    consistent = False

    def bound(self) -> float:
        """Return the largest of the bounds by priority, f, and g."""
        fs, gs, ps = [], [], []
        for side in self.sides:
            if not side.open:
                return inf
            fs.append(min(key.f for key in side.open))
            gs.append(min(key.g for key in side.open))
            ps.append(min(max(key.f, 2 * key.g) for key in side.open))
        self._least = ps
        return max(min(ps), *fs, sum(gs) + self.graph.least)

    def chosen(self) -> Iterator[tuple[int, bytes]]:
        """Yield the state with the least priority of both sides."""
        number = 0 if self._least[0] <= self._least[1] else 1
        side = self.sides[number]
        key = min(side.open, key=lambda key: (max(key.f, 2 * key.g), key.g))
        yield number, side.newest(key)


class LeastPairs(TwoSided):
    """Keeps a bound so that one of the states of each pair below it must be expanded.

    The bound of a pair of open states, one of each side, is the largest of both f and the sum of
    both g and the least cost of a move.
    """

    _bound = 0

    def bound(self) -> float:
        """Return the bound, raised until there is a pair within it."""
        first, second = (side.open for side in self.sides)
        if not first or not second:
            return inf
        while not self._pair(first, second):
            self._bound = min(self._raised(first, second))
            if self._bound >= self.best:
                break
        return self._bound

    def _pair(self, first: Any, second: Any) -> bool:
        gs = []
        for opened in (first, second):
            within = [key.g for key in opened if key.f <= self._bound]
            if not within:
                return False
            gs.append(min(within))
        return bool(sum(gs) + self.graph.least <= self._bound)

    def _raised(self, first: Any, second: Any) -> Iterator[int]:
        """Yield the values above the bound at which there may be more pairs."""
        within = []
        for opened in (first, second):
            yield from (key.f for key in opened if key.f > self._bound)
            within.append([key.g for key in opened if key.f <= self._bound])
        if all(within):
            yield min(within[0]) + min(within[1]) + self.graph.least


class Nbs(LeastPairs):
    """Expands both states of a pair with the least bound."""

    def chosen(self) -> Iterator[tuple[int, bytes]]:
        """Yield both states of the pair with the least g."""
        # States with f below the bound come first: those at the bound may not be needed.
        bound = self._bound
        for most in ((bound - 1, bound - 1), (bound, bound - 1), (bound, bound)):
            keys = []
            for side, limit in zip(self.sides, most, strict=True):
                within = [key for key in side.open if key.f <= limit]
                if not within:
                    break
                keys.append(min(within, key=lambda key: (key.g, key.f)))
            else:
                if keys[0].g + keys[1].g + self.graph.least <= bound:
                    for number, (side, key) in enumerate(zip(self.sides, keys, strict=True)):
                        yield number, side.newest(key)
                    return


class Dvcbs(LeastPairs):
    """Expands the states of least g in a least cover of all pairs within the bound."""

    def chosen(self) -> Iterator[tuple[int, bytes]]:
        """Yield the states of least g in the cover."""
        clusters: list[dict[int, list[Key]]] = []
        for side in self.sides:
            own: dict[int, list[Key]] = {}
            for key in side.open:
                if key.f <= self._bound:
                    own.setdefault(key.g, []).append(key)
            clusters.append(own)
        number, g = self._cover(clusters)
        side = self.sides[number]
        for key in clusters[number][g]:
            for state in side.open[key]:
                yield number, state

    def _cover(self, clusters: list[dict[int, list[Key]]]) -> tuple[int, int]:
        """Return the side and the g of the states of a least cover to expand first.

        Two clusters of states, one of each side, are a pair if their g and the least cost of a move
        are within the bound. So a cover has the clusters with the least g of both sides, down to
        some g of the first side.
        """
        sizes = [
            {g: sum(len(side.open[key]) for key in keys) for g, keys in own.items()}
            for side, own in zip(self.sides, clusters, strict=True)
        ]
        rest = self._bound - self.graph.least
        first, second = (sorted(own) for own in clusters)
        covers = []
        for cut in range(len(first) + 1):
            mine = [g for g in first[:cut] if g + second[0] <= rest]
            theirs = [g for g in second if cut < len(first) and first[cut] + g <= rest]
            cost = sum(sizes[0][g] for g in mine) + sum(sizes[1][g] for g in theirs)
            candidates = [(sizes[0][g], 0, g) for g in mine[:1]]
            candidates += [(sizes[1][g], 1, g) for g in theirs[:1]]
            if candidates:
                covers.append((cost, min(candidates)))
        _, (_, number, g) = min(covers)
        return number, g


class Bae(TwoSided):
    """Expands, on each side in turn, the state with the least f + g - (estimate of its way)."""

    both = True
    _turn = 1

    def bound(self) -> float:
        """Return half of the sum of the least priorities, in whole costs."""
        least = []
        for side in self.sides:
            if not side.open:
                return inf
            least.append(min(key.f + key.g - key.back for key in side.open))
        unit = self.graph.unit
        return -(-sum(least) // (2 * unit)) * unit

    def chosen(self) -> Iterator[tuple[int, bytes]]:
        """Yield the state with the least priority of the side whose turn it is."""
        self._turn = 1 - self._turn
        side, other = self.sides[self._turn], self.sides[1 - self._turn]
        key = min(side.open, key=lambda key: (key.f + key.g - key.back, -key.g))
        state = side.newest(key)
        if state in other.closed or key.f >= self.best:
            side.take(state)  # the best answer through it is known, or too expensive
            side.closed.add(state)
            return
        yield self._turn, state
