"""A beam that also searches the state turned by a quarter about a vertex.

This turn exchanges the upright faces with the other four. It is no rotation of the puzzle as
declared, in which each triangle stays on its own four faces. But the turned puzzle in exchanged
colours is a state, and its solution solves the given state in exchanged moves.
"""

from __future__ import annotations

import attrs

from puzzlekit import Move, Puzzle
from puzzlekit.search.directions import Direction
from puzzlekit_beam import Beam
from puzzlekit_fto.octahedron import FACES, PLACES, POINTS, Point, face_of

# The turn carries the places of each orbit to those of the other orbit.
_ORBITS = (
    ("corners", "corners"),
    ("edges", "edges"),
    ("u-triangles", "r-triangles"),
    ("r-triangles", "u-triangles"),
)


def _turned(point: Point) -> Point:
    """Return where a quarter turn about the vertex of U, R, F and L carries a point."""
    x, y, z = point
    return (y, -x, z)


def exchanged(puzzle: Puzzle, state: bytes) -> bytes:
    """Return the state turned by a quarter turn, with its pieces renamed alike."""
    number = {point: i for i, point in enumerate(POINTS)}
    found = bytearray(len(state))
    for source, target in _ORBITS:
        before, after = puzzle.orbit(source), puzzle.orbit(target)
        labels = puzzle.labels(state, before)
        turns = puzzle.orientations(state, before)
        start = puzzle.offsets[target]
        home = {}  # the new place of each place, and the new number of its first sticker
        for at, place in enumerate(PLACES[source]):
            first = number[_turned(POINTS[place[0]])]
            home[at] = next(
                (i, other.index(first)) for i, other in enumerate(PLACES[target]) if first in other
            )
        for at, (label, turn) in enumerate(zip(labels, turns, strict=True)):
            there, shift = home[at]
            own, own_shift = home[before.solved.index(label)]
            found[start + there] = after.solved[own]
            if after.orientations > 1:
                found[start + after.size + there] = (turn + shift - own_shift) % after.orientations
    return bytes(found)


def exchanged_moves(puzzle: Puzzle) -> dict[Move, Move]:
    """Return for each turn of a face of the turned puzzle the turn that it was before."""
    found = {}
    for face in FACES:
        after = face_of(_turned(POINTS[9 * [*FACES].index(face)]))
        for amount in (1, 2):
            found[puzzle.move(after, amount)] = puzzle.move(face, amount)
    return found


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class BothFours(Beam):
    """A beam that starts from the state and from the state turned by a quarter turn."""

    def start_states(self, state: bytes) -> list[tuple[bytes, Direction]]:
        """Return the starts for the state, then those for the turned state."""
        undone = exchanged_moves(self.puzzle)
        turned = [
            (
                seen,
                frame._replace(
                    back={move: undone[back] for move, back in frame.back.items() if back in undone}
                ),
            )
            for seen, frame in super().start_states(exchanged(self.puzzle, state))
        ]
        return super().start_states(state) + turned
