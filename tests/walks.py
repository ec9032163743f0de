"""For the tests: least costs by plain searches, which know nothing of automata and tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeVar

from puzzlekit.engine.automaton import NOTHING, Edge, Pruned

Node = TypeVar("Node", bound=Hashable)
Element = TypeVar("Element", bound=Hashable)


def cheapest(
    starts: Iterable[Node], after: Callable[[Node], Iterable[tuple[Node, int]]], limit: int
) -> dict[Node, int]:
    """The least cost of every node within a limit; E. W. Dijkstra (1959)."""
    found: dict[Node, int] = {}
    best = dict.fromkeys(starts, 0)
    queue = [(0, number, node) for number, node in enumerate(best)]
    pushed = len(queue)
    while queue:
        spent, _, node = heappop(queue)
        if node in found:
            continue
        found[node] = spent
        for near, cost in after(node):
            total = spent + cost
            if total <= limit and total < best.get(near, limit + 1):
                best[near] = total
                heappush(queue, (total, pushed, near))
                pushed += 1
    return found


def least(costs: Mapping[tuple[Element, int], int]) -> dict[Element, int]:
    """The same whatever the second part of a node is."""
    found: dict[Element, int] = {}
    for (element, _), cost in costs.items():
        found[element] = min(cost, found.get(element, cost))
    return found


def walked(
    edges: Sequence[Sequence[Edge]],
    start: int,
    act: Callable[[Element, int], Element],
    identity: Element,
    limit: int,
) -> dict[Element, int]:
    """The least cost of everything that paths of an automaton do, within a limit."""

    def after(node: tuple[Element, int]) -> Iterable[tuple[tuple[Element, int], int]]:
        element, state = node
        for move, to, cost in edges[state]:
            yield (element if move == NOTHING else act(element, move), to), cost

    return least(cheapest([(identity, start)], after, limit))


def edges_of(found: Pruned, moves: int) -> list[list[Edge]]:
    """A pruned automaton as one of edges, the moves numbered as before."""
    return [
        [(number % moves, to, prices[number]) for number, to in row]
        for row, prices in zip(found.automaton, found.costs, strict=True)
    ]
