"""Find the moves that make all others: layers, if a definition also has wide moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlekit import Move, Puzzle
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit_definitions.phases import Subgroup

_MOST = 5000  # elements of a group of moves that commute

_Image = npt.NDArray[np.intp]


class BasicMoves:
    """The families of moves that make all others of a puzzle.

    A family is left out if its move is a product of others that commute with it and with each
    other, and that move fewer pieces. A wide move is a product of an outer move and slices.

    - `families`: the names of the families that are left.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> BasicMoves(cube, ("U", "D", "E", "Uw", "Dw")).families
    ['U', 'D', 'E']
    """

    def __init__(self, puzzle: Puzzle, families: Iterable[str]) -> None:
        self._puzzle = puzzle
        every = [family for family in families if family not in puzzle.rotations]
        images = {family: self._image(puzzle.move(family)) for family in every}
        size = {each: sum(i != j for i, j in enumerate(image)) for each, image in images.items()}
        kept: dict[str, _Image] = {}
        for family in sorted(every, key=lambda each: size[each]):
            if not next(_are_made([images[family]], [*kept.values()])):
                kept[family] = images[family]
        self.families = [family for family in every if family in kept]
        self._others = [
            move
            for move in puzzle.family_moves(puzzle.turns)
            if move.family not in puzzle.rotations and move.family not in kept
        ]

    def _image(self, move: Move) -> _Image:
        return np.array(Subgroup(self._puzzle, [move], 1).points(move), dtype=np.intp)

    def with_made(self, names: str) -> str:
        """Return moves, then all moves of other families that these make.

        Too many moves for one search are not added.
        """
        moves = self._puzzle.named_moves(names)
        others = [self._image(move) for move in self._others]
        made = _are_made(others, [self._image(move) for move in moves])
        more = [move for move, is_made in zip(self._others, made, strict=True) if is_made]
        if len(moves) + len(more) > MAX_MOVES:
            return names
        return " ".join([names, *(f"{move.family}{move.amount}" for move in more)])


def _are_made(images: Sequence[_Image], others: Sequence[_Image]) -> Iterator[bool]:
    """Yield for each image if it is a product of others that commute with it and each other."""
    known: dict[tuple[int, ...], set[bytes]] = {}
    for image in images:
        own: list[int] = []
        for number, other in enumerate(others):
            if all(_commute(other, each) for each in (image, *(others[i] for i in own))):
                own.append(number)
        if (key := tuple(own)) not in known:
            known[key] = _products([others[i] for i in own])
        yield image.tobytes() in known[key]


def _commute(one: _Image, other: _Image) -> bool:
    return np.array_equal(one[other], other[one])


def _products(images: Sequence[_Image]) -> set[bytes]:
    """Return all products of some images, or many of them."""
    listed = [np.arange(len(images[0]), dtype=np.intp)] if images else []
    found = {each.tobytes() for each in listed}
    for element in listed:  # grows during the loop
        for image in images:
            after = element[image]
            if len(listed) < _MOST and (key := after.tobytes()) not in found:
                found.add(key)
                listed.append(after)
    return found
