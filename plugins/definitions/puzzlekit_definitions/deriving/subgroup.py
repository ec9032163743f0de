"""The subgroup that some moves generate, and how many states it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import inf, lgamma, log

from puzzlekit import Move, Orbit, Puzzle
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit_definitions.deriving.lattice import Lattice

_UNSEEN = log(4.5)  # allowed states for each reached one, at most, if a subgroup is described
_MARGIN = 1e-3  # larger than errors of rounding


class Subgroup:
    """The subgroup that some moves generate. All numbers of states are natural logarithms.

    - `generators`: the moves.
    - `moves`: how many moves there are, with the powers of the generators.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> half = Subgroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"), 6)
    >>> round(2.718281828459045 ** half.unseen())  # 4! * 4! * 4!^3 / 4 states against 663,552
    3
    """

    def __init__(self, puzzle: Puzzle, generators: Sequence[Move], moves: int) -> None:
        self._puzzle = puzzle
        self._generators = generators
        self.moves = moves
        self._parts = parts_of(puzzle, generators)

    @cached_property
    def states(self) -> float:
        """The states that parities and sums of orientations allow, all reached ones among them."""
        return self._allowed(alike=True)

    @cached_property
    def is_described(self) -> bool:
        """Whether at least one of four allowed states is reached."""
        return self.unseen(_UNSEEN - _MARGIN) <= _UNSEEN

    def unseen(self, most: float = -inf) -> float:
        """Return the allowed states for each reached one, as far as alike pieces do not hide it.

        The search ends as soon as a bound of this number is at most `most`; then the result is the
        bound. Schreier-Sims finds the states that are reached, with rare errors (see
        `puzzlekit_definitions.deriving.group_order`).
        """
        from puzzlekit_definitions.deriving.group_order import log_order_at_least  # imports NumPy

        if not self._generators:
            return 0.0
        allowed = self._allowed(alike=False)
        points = [self._points(move) for move in self._generators]
        return self.states - log_order_at_least(points, min(allowed, self.states - most))

    def _allowed(self, alike: bool) -> float:
        """Return the allowed states. If not `alike`, no two pieces count as alike."""
        total = 0.0
        rows: list[list[int]] = [[] for _ in self._generators]
        moduli = []
        for part in self._parts:
            count, base = len(part.homes), part.orbit.orientations
            if part.turned:
                total += count * log(base)
                moduli.append(base)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(
                        sum(self._turn(part.orbit, home, move) for home in part.homes) % base
                    )
            if part.still:
                continue
            total += lgamma(count + 1)
            same = Counter(part.orbit.solved[home] for home in part.homes) if alike else {}
            total -= sum(lgamma(each + 1) for each in same.values())
            if not alike or len(same) == count:
                moduli.append(2)
                for row, move in zip(rows, self._generators, strict=True):
                    row.append(self._parity(part, move))
        return total - log(Lattice(rows, moduli).index) if moduli else total

    def _source(self, orbit: Orbit, home: int, move: Move) -> int:
        start = self._puzzle.offsets[orbit.name]
        return move.gather[start + home] - start

    def _turn(self, orbit: Orbit, home: int, move: Move) -> int:
        return move.add[self._puzzle.offsets[orbit.name] + orbit.size + home]

    def _parity(self, part: Part, move: Move) -> int:
        sources = [self._source(part.orbit, home, move) for home in part.homes]
        return permutation_parity([part.homes.index(source) for source in sources])

    def _points(self, move: Move) -> list[int]:
        """Return the permutation of the pairs of place and orientation."""
        points: list[int] = []
        for orbit in self._puzzle.orbits:
            first, base = len(points), orbit.orientations
            for home in range(orbit.size):
                turn = self._turn(orbit, home, move) if base > 1 else 0
                source = first + self._source(orbit, home, move) * base
                points += [source + (number - turn) % base for number in range(base)]
        return points
