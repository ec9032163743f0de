"""Small random puzzles, and their distances by a breadth-first search that shares no code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from puzzlekit import Metric, Orbit, Puzzle

State = tuple[int, ...]


def names(puzzle: Puzzle, families: Sequence[str]) -> dict[str, tuple[str, int]]:
    """The name of each power of some families, as (family, amount)."""
    return {
        move.name: (family, move.amount)
        for family in families
        for move in puzzle.family_moves([family])
    }


class Force:
    """Distances to the solved state of a puzzle, by brute force."""

    def __init__(
        self, puzzle: Puzzle, moves: Mapping[str, int], goals: Sequence[bytes] = ()
    ) -> None:
        """Find all states; `moves` has the cost of each allowed move, such as "U2"."""
        self._modulus = [m or 256 for m in puzzle.modulus]
        known = names(puzzle, tuple(puzzle.turns))
        self.moves = {name: (puzzle.turns[known[name][0]], known[name][1]) for name in moves}
        self.costs = moves
        self.distances = {tuple(goal): 0 for goal in goals or [puzzle.solved]}
        levels = {0: [*self.distances]}
        while levels:
            cost = min(levels)
            for state in levels.pop(cost):
                if self.distances[state] < cost:
                    continue
                for name, price in moves.items():
                    before = self.undone(state, name)
                    if self.distances.get(before, cost + price + 1) > cost + price:
                        self.distances[before] = cost + price
                        levels.setdefault(cost + price, []).append(before)

    def done(self, state: State, name: str) -> State:
        (gather, add), times = self.moves[name]
        for _ in range(times):
            rows = zip(gather, add, self._modulus, strict=True)
            state = tuple((state[source] + more) % m for source, more, m in rows)
        return state

    def undone(self, state: State, name: str) -> State:
        (gather, add), times = self.moves[name]
        for _ in range(times):
            before = [0] * len(state)
            for j, (source, more) in enumerate(zip(gather, add, strict=True)):
                before[source] = (state[j] - more) % self._modulus[source]
            state = tuple(before)
        return state

    def check(self, state: bytes, sequence: str, cost: int | None = None) -> int:
        """Replay allowed moves to a goal, check their cost, and return it."""
        at, total = tuple(state), 0
        for name in sequence.split():
            assert name in self.costs, f"{name} is not allowed"
            at, total = self.done(at, name), total + self.costs[name]
        assert self.distances[at] == 0
        assert cost in (None, total)
        return total


def random_puzzle(rng: Random, distinct: bool = True) -> Puzzle:
    """A puzzle of one or two orbits with two or three moves, and two metrics."""
    shapes = rng.choice(([(4, 1)], [(3, 2)], [(3, 3)], [(3, 1), (3, 2)], [(5, 1)], [(2, 4)]))
    orbits = []
    for number, (size, turns) in enumerate(shapes):
        labels = [*range(size)] if distinct else [rng.randrange(2) for _ in range(size)]
        places = tuple(f"p{number}{i}" for i in range(size))
        orbits.append(Orbit(f"o{number}", "piece", places, turns, tuple(labels)))
    width = sum(orbit.width for orbit in orbits)
    moves = {}
    for family in "ABC"[: rng.choice((2, 2, 3))]:
        gather, add, start = [0] * width, [0] * width, 0
        for orbit in orbits:
            order = rng.sample(range(orbit.size), orbit.size)
            for i, source in enumerate(order):
                gather[start + i] = start + source
                if orbit.orientations > 1:
                    gather[start + orbit.size + i] = start + orbit.size + source
                    add[start + orbit.size + i] = rng.randrange(orbit.orientations)
            start += orbit.width
        moves[family] = bytes(gather), bytes(add)
        if gather == [*range(width)] and not any(add):
            return random_puzzle(rng, distinct)
    weights = dict.fromkeys(moves, 1)
    dear = {family: rng.choice((1, 2, 3)) for family in moves}
    metrics = (Metric("HTM", "moves", weights), Metric("QTM", "turns", dear, per_turn=True))
    return Puzzle("made", "made", tuple(orbits), moves, metrics)
