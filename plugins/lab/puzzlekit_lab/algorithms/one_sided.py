"""Searches from the start: best-first with several orders, focal, beam, and weighted IDA*."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any

import numpy as np

from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit_lab.algorithms.graph import Graph
from puzzlekit_lab.algorithms.search import GaveUp, Node, StateSearch, way

__all__ = ["BeamSearch", "BestFirst", "Deepening", "Focal", "rows_of"]

Key = tuple[float, float]


class Stored(StateSearch):
    """Keeps the cheapest way to each state. A subclass says which state is next."""

    def __init__(self, graph: Graph, starts: Sequence[bytes], most: int) -> None:
        super().__init__(graph, most)
        self.nodes: dict[bytes, Node] = {}
        rows = rows_of(starts)
        for state, h in zip(starts, graph.to_goal(rows), strict=True):
            self.nodes[state] = Node(0, int(h), b"", -1)
            self.put(state, 0, int(h))

    def put(self, state: bytes, g: int, h: int) -> None:
        """Note a state with a cheaper way to it."""
        raise NotImplementedError

    def expand(self, state: bytes) -> None:
        """Put the neighbours to which a cheaper way leads."""
        graph, nodes = self.graph, self.nodes
        g = nodes[state].g
        numbers, costs, rows = graph.moves.neighbours(state, graph.puzzle.place_of_guard(state))
        self.expanded_nodes += 1
        self.generated_nodes += len(numbers)
        data, width = rows.tobytes(), len(state)
        new: list[int] = []
        found: list[tuple[bytes, int]] = []
        for i, cost in enumerate(costs):
            child = data[i * width : (i + 1) * width]
            known = nodes.get(child)
            if known is None:
                new.append(i)
                found.append((child, g + cost))
            elif g + cost < known.g:
                nodes[child] = Node(g + cost, known.h, state, numbers[i])
                self.put(child, g + cost, known.h)
        if new:
            estimates = graph.to_goal(rows[new])
            for i, (child, spent), h in zip(new, found, estimates, strict=True):
                known = nodes.get(child)
                if known is None or spent < known.g:  # two moves may lead to one state
                    nodes[child] = Node(spent, int(h), state, numbers[i])
                    self.put(child, spent, int(h))
            self.check_room(len(nodes))

    def solved(self, state: bytes) -> int:
        """Set the answer that leads to a state, and return FOUND."""
        self.path = way(self.nodes, state)[::-1]
        self.spent_here = self.nodes[state].g
        return FOUND


class BestFirst(Stored):
    """Expands the state with the least key; of the states with equal keys, the last one put.

    `order` returns the key of a state from g and h. A state to which a cheaper way is found later
    is expanded again.
    """

    def __init__(
        self,
        graph: Graph,
        starts: Sequence[bytes],
        most: int,
        order: Callable[[int, int], Key],
    ) -> None:
        self._order = order
        self._keys: list[Key] = []
        self._at: dict[Key, list[tuple[bytes, int]]] = {}
        super().__init__(graph, starts, most)

    def put(self, state: bytes, g: int, h: int) -> None:
        """Note a state under its key."""
        key = self._order(g, h)
        if key not in self._at:
            self._at[key] = []
            heappush(self._keys, key)
        self._at[key].append((state, g))

    def step(self) -> int:
        """Expand the state with the least key."""
        self.steps += 1
        if not self._keys:
            return EXHAUSTED
        at = self._at[self._keys[0]]
        if not at:
            del self._at[heappop(self._keys)]
            return PAUSED
        state, g = at.pop()
        if g > self.nodes[state].g:
            return PAUSED  # a cheaper way was found since
        if state == self.graph.goal:
            return self.solved(state)
        self.expand(state)
        return PAUSED


class Focal(Stored):
    """Expands, of the states with f at most `weight` times the least f, one with the least h."""

    def __init__(self, graph: Graph, starts: Sequence[bytes], most: int, weight: float) -> None:
        self._weight = weight
        self._at: dict[int, dict[int, dict[bytes, None]]] = {}  # by f, then by h
        super().__init__(graph, starts, most)

    def put(self, state: bytes, g: int, h: int) -> None:
        """Note a state under its f and h."""
        self._at.setdefault(g + h, {}).setdefault(h, {})[state] = None

    def step(self) -> int:
        """Expand the state with the least h among those with a small f."""
        self.steps += 1
        if not self._at:
            return EXHAUSTED
        most = self._weight * min(self._at)
        h, f = min((min(own), f) for f, own in self._at.items() if f <= most)
        own = self._at[f]
        state, _ = own[h].popitem()
        if not own[h]:
            del own[h]
            if not own:
                del self._at[f]
        node = self.nodes[state]
        if node.g + node.h < f:
            return PAUSED  # a cheaper way was found since
        if state == self.graph.goal:
            return self.solved(state)
        self.expand(state)
        return PAUSED


class BeamSearch(Stored):
    """Expands the best `width` states of each level, level by level, and none of them twice."""

    def __init__(self, graph: Graph, starts: Sequence[bytes], most: int, width: int) -> None:
        self._width = width
        self._level: list[bytes] = []
        self._next: dict[bytes, None] = {}
        super().__init__(graph, starts, most)

    def put(self, state: bytes, g: int, h: int) -> None:
        """Note a state of the next level."""
        self._next[state] = None

    def step(self) -> int:
        """Expand a state of the level; raise GaveUp if the level is empty."""
        self.steps += 1
        if not self._level:
            if self.graph.goal in self._next:
                return self.solved(self.graph.goal)
            nodes = self.nodes
            best = sorted(self._next, key=lambda state: nodes[state].h)[: self._width]
            self._level, self._next = best[::-1], {}
            if not best:
                raise GaveUp(
                    f"the beam of {self._width:,} states has no further state: raise the option "
                    "'width'"
                )
        self.expand(self._level.pop())
        return PAUSED


class Deepening(StateSearch):
    """Iterative deepening over bounds on g + weight * h. No move undoes the one before."""

    def __init__(self, graph: Graph, starts: Sequence[bytes], weight: float) -> None:
        super().__init__(graph, 0)
        self._weight = weight
        self._starts = list(starts)
        estimates = [int(h) for h in graph.to_goal(rows_of(starts))]
        self._bound: float = min(weight * h for h in estimates)
        self._estimates = estimates
        self._walk = self._iterations()

    def step(self) -> int:
        """Expand the next state of the depth-first search."""
        self.steps += 1
        return next(self._walk)

    def _iterations(self) -> Iterator[int]:
        while self._bound < inf:
            self._above = inf
            for start, h in zip(self._starts, self._estimates, strict=True):
                if self._within(self._weight * h):
                    yield from self._depth_first(start)
            self._bound = self._above
        while True:
            yield EXHAUSTED

    def _within(self, f: float) -> bool:
        if f <= self._bound:
            return True
        self._above = min(self._above, f)
        return False

    def _depth_first(self, start: bytes) -> Iterator[int]:
        """Search one bound; yield FOUND at a goal, PAUSED after each expansion."""
        if start == self.graph.goal:
            yield FOUND
        path: list[tuple[bytes, int, int]] = [(start, 0, -1)]  # state, cost, move
        waiting: list[list[tuple[bytes, int, int]]] = [self._children(start, 0, b"")]
        yield PAUSED
        while waiting:
            if not waiting[-1]:
                waiting.pop()
                path.pop()
                continue
            state, g, move = waiting[-1].pop()
            path.append((state, g, move))
            if state == self.graph.goal:
                self.path = [move for _, _, move in path[1:]]
                self.spent_here = g
                yield FOUND
            waiting.append(self._children(state, g, path[-2][0]))
            yield PAUSED

    def _children(self, state: bytes, g: int, before: bytes) -> list[tuple[bytes, int, int]]:
        graph = self.graph
        numbers, costs, rows = graph.moves.neighbours(state, graph.puzzle.place_of_guard(state))
        self.expanded_nodes += 1
        data, width = rows.tobytes(), len(state)
        found = []
        estimates = graph.to_goal(rows)
        for i, (number, cost) in enumerate(zip(numbers, costs, strict=True)):
            child = data[i * width : (i + 1) * width]
            if child != before:
                self.generated_nodes += 1
                if self._within(g + cost + self._weight * int(estimates[i])):
                    found.append((child, g + cost, number))
        return found[::-1]


def rows_of(states: Sequence[bytes]) -> Any:
    """Return an array with a row for each state."""
    return np.frombuffer(b"".join(states), dtype=np.uint8).reshape(len(states), -1)
