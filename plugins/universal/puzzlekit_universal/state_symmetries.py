"""The symmetries of a state: those of the moves that map the state to itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

import attrs

from puzzlekit import Move, Orbit, Puzzle
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.symmetry import symmetries

__all__ = ["Code", "OrbitMoves", "StateSymmetries"]

Code = tuple[int, int]  # a place, and the orientation of the piece there


@attrs.frozen(slots=False, eq=False, repr=False)
class OrbitMoves:
    """The effects of moves on the places of one orbit."""

    puzzle: Puzzle
    name: str
    moves: Sequence[Move]

    @cached_property
    def orbit(self) -> Orbit:
        """The orbit."""
        return self.puzzle.orbit(self.name)

    @property
    def size(self) -> int:
        """The number of places."""
        return self.orbit.size

    @property
    def codes(self) -> int:
        """The number of codes. A code is a pair (place of a piece, its orientation there)."""
        return self.orbit.size * self.orbit.orientations

    def of(self, effect: Effect) -> tuple[list[int], list[int]]:
        """Return for each place where its piece comes from, and by how much the piece turns."""
        start, size = self.puzzle.offsets[self.name], self.orbit.size
        gather, add = effect
        sources = [gather[start + place] - start for place in range(size)]
        if self.orbit.orientations == 1:
            return sources, [0] * size
        return sources, [add[start + size + place] for place in range(size)]

    @cached_property
    def steps(self) -> list[dict[Code, Code]]:
        """For each move, a dict that maps the code of a piece before the move to its code after.

        The code of a piece is the pair (place of the piece, its orientation there).
        """
        found = []
        for move in self.moves:
            sources, turns = self.of(move.effect)
            found.append(
                {
                    (source, turn): (place, (turn + turns[place]) % self.orbit.orientations)
                    for place, source in enumerate(sources)
                    for turn in range(self.orbit.orientations)
                }
            )
        return found

    def carried(self, images: Sequence[int]) -> dict[Code, Code] | None:
        """Return the map of codes that belongs to a symmetry of the moves; None if there is none.

        The code of a piece is the pair (place of the piece, its orientation there). `images` lists
        the image of each move under the symmetry. The map s of codes must fit the moves: if move m
        leads from code c to code d, the image of m leads from s(c) to s(d).
        """
        found: dict[Code, Code] = {}
        for code in product(range(self.size), range(self.orbit.orientations)):
            if code in found:
                continue
            left = [other for other in (code, *self.steps[0]) if other not in found.values()]
            ways = (self._carried_from(code, other, images) for other in left)
            fitting = next((way for way in ways if way is not None), None)
            if fitting is None:
                return None
            found.update(fitting)
        return found

    def _carried_from(
        self, code: Code, target: Code, images: Sequence[int]
    ) -> dict[Code, Code] | None:
        """Return the images of all codes that moves reach from `code`, if its image is `target`."""
        found, fresh = {code: target}, [code]
        while fresh:
            here = fresh.pop()
            for step, image in zip(self.steps, images, strict=True):
                after, there = step[here], self.steps[image][found[here]]
                if after not in found:
                    found[after] = there
                    fresh.append(after)
                elif found[after] != there:
                    return None
        return found

    def pieces(self, state: bytes) -> list[int]:
        """Return for each place the home of the piece there."""
        home = {label: place for place, label in enumerate(self.orbit.solved)}
        return [home[label] for label in self.puzzle.labels(state, self.orbit)]

    def is_kept(self, carried: dict[Code, Code], state: bytes) -> bool:
        """Whether a map of codes (see `carried`) maps the pieces of a state to themselves."""
        base = self.orbit.orientations
        turns = self.puzzle.orientations(state, self.orbit)
        at = {piece: (place, turns[place]) for place, piece in enumerate(self.pieces(state))}

        def after(code: Code) -> Code:
            """Return the code of a piece after moves that lead from solved to the state."""
            place, turned = at[code[0]]
            return place, (turned + code[1]) % base

        return all(after(image) == carried[after(code)] for code, image in carried.items())


class StateSymmetries:
    """Finds the symmetries of states, among the rotations and reflections that permute some moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> found = StateSymmetries(cube.puzzle, cube.puzzle.family_moves("URFDLB"))
    >>> len(found.of(cube.state("R2 L2 U2 D2 F2 B2"))), len(found.of(cube.state("R")))
    (48, 4)
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move]) -> None:
        self._puzzle = puzzle
        self._moves = moves

    def of(self, state: bytes) -> list[Sequence[int]]:
        """Return the symmetries that map a state to itself, the identity first.

        A symmetry is given as the list of the indices of the images of the moves. If pieces that
        move look alike, the result is only the identity.
        """
        return [
            images
            for images, maps in self._carriers
            if all(of.is_kept(each, state) for of, each in zip(self._orbits, maps, strict=True))
        ]

    @cached_property
    def _orbits(self) -> list[OrbitMoves]:
        """The orbits whose pieces the moves change."""
        puzzle = self._puzzle
        every = (OrbitMoves(puzzle, orbit.name, self._moves) for orbit in puzzle.orbits)
        return [
            of for of in every if any(code != to for step in of.steps for code, to in step.items())
        ]

    @cached_property
    def _carriers(self) -> list[tuple[Sequence[int], list[dict[Code, Code]]]]:
        """Each symmetry of the moves, with the images of the codes of all orbits."""
        if any(len(set(of.orbit.solved)) < of.size for of in self._orbits):
            return [(range(len(self._moves)), [{} for _ in self._orbits])]  # the identity
        found: list[tuple[Sequence[int], list[dict[Code, Code]]]] = []
        for images in symmetries(self._puzzle, self._moves):
            maps = [of.carried(images) for of in self._orbits]
            if None not in maps:
                found.append((images, [each for each in maps if each is not None]))
        return found
