"""For the tests: least costs by plain searches, which know nothing of automata and tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from operator import itemgetter
from typing import TypeVar

from bundled import stickers

from puzzlekit import Puzzle
from puzzlekit.engine.automaton import NOTHING, Edge, Pruned
from puzzlekit_robots import Machine
from puzzlekit_robots.machine import FREE

Node = TypeVar("Node", bound=Hashable)
Element = TypeVar("Element", bound=Hashable)
Stickers = tuple[str, ...]


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


def as_held(puzzle: Puzzle, machine: Machine, limit: int) -> dict[bytes, int]:
    """The least cost at which a machine makes each state of the solved one, as it is held then."""

    def after(node: tuple[bytes, int]) -> Iterable[tuple[tuple[bytes, int], int]]:
        for step, group in machine.following(puzzle, node[1]):
            yield (puzzle.apply(node[0], step.moves), group), step.cost

    return least(cheapest([(puzzle.solved, FREE)], after, limit))


# The rules of the robot, in words of its own: four arms on R, L, F, B; in a step one pair of them
# turns, counter-clockwise only. Each pair has six steps, which cost 1 for gripping and 1 for each
# quarter of the larger turn; no pair turns in two steps in a row.
ROBOT_STEPS = {
    frozenset(turns.replace("A", one).replace("B", other).split()): (pair, cost)
    for pair, (one, other) in enumerate((("R", "L"), ("F", "B")))
    for turns, cost in (
        ("A'", 2),
        ("A2", 3),
        ("B'", 2),
        ("A' B'", 2),
        ("A2 B'", 3),
        ("A' B2", 3),
    )
}


def robot_cost(steps: Sequence[Iterable[str]]) -> int:
    """What the robot takes for steps; an AssertionError where it cannot do them."""
    total = 0
    before = -1
    for step in steps:
        assert frozenset(step) in ROBOT_STEPS, step
        pair, cost = ROBOT_STEPS[frozenset(step)]
        assert pair != before, steps
        before = pair
        total += cost
    return total


@cache
def robot_distances(limit: int) -> dict[str, int]:
    """The robot's least cost for every 2x2x2 within a limit, as held, by its stickers.

    From all the solved ones backwards, over (stickers, the pair that turns next).
    """
    cube = stickers("cube2")
    undone: list[list[tuple[Callable[[Stickers], Stickers], int]]] = [[], []]
    for step, (pair, cost) in ROBOT_STEPS.items():
        back = " ".join(
            " ".join([name[0]] * (2 if name.endswith("2") else 1)) for name in sorted(step)
        )
        undone[pair].append((itemgetter(*cube.sequence(back)), cost))
    turned = [(x, y) for x in range(4) for y in range(4)] + [(-1, 1), (-1, 3)]
    solved = {
        tuple(cube.replay(cube.solved, "x " * x + "y " * y if x >= 0 else "z " * y + "y " * k))
        for x, y in turned
        for k in range(4)
    }
    solved = {tuple(cube.replay("".join(each), "y " * k)) for each in solved for k in range(4)}
    assert len(solved) == 24

    def before(node: tuple[Stickers, int]) -> Iterable[tuple[tuple[Stickers, int], int]]:
        here, following = node
        for pair in (0, 1):
            if pair != following:
                for back, cost in undone[pair]:
                    yield (back(here), pair), cost

    found = least(cheapest([(each, -1) for each in solved], before, limit))
    return {"".join(each): cost for each, cost in found.items()}
