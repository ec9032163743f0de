"""For the tests: what machines do at least cost, by plain searches over states as they are held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter

from bundled import stickers
from walks import cheapest, least

from puzzlekit import Puzzle
from puzzlekit_robots import Machine
from puzzlekit_robots.machine import FREE

Stickers = tuple[str, ...]


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
