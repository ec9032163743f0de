"""The names of faces: what moves call them, such as BL, where a facelet string has one letter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from puzzlekit import FaceletLayout, Move, Puzzle
from puzzlekit.puzzle.diagnose import Fault

__all__ = ["arrivals", "face_names", "named"]


def arrivals(puzzle: Puzzle, layout: FaceletLayout, move: Move) -> list[int]:
    """Return for each facelet the facelet to which a move carries the sticker that is there."""
    gather, add = move.effect
    arrived = list(range(len(layout.face_of)))
    for orbit in puzzle.orbits:
        start, places = puzzle.offsets[orbit.name], layout.places[orbit.name]
        for place in range(orbit.size):
            source = gather[start + place] - start
            twist = add[start + orbit.size + place] if orbit.orientations > 1 else 0
            around = len(places[place])
            for k, facelet in enumerate(places[source]):
                arrived[facelet] = places[place][(k + twist) % around]
    return arrived


@lru_cache(maxsize=64)
def face_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the names of all faces: of the move that turns it, or its letter if none does.

    >>> import puzzlekit
    >>> face_names(puzzlekit.load("megaminx").puzzle)
    ('U', 'F', 'L', 'BL', 'BR', 'R', 'DL', 'DBL', 'B', 'DBR', 'DR', 'D')
    """
    layout = puzzle.layout
    assert layout is not None
    found: dict[int, tuple[int, str]] = {}
    for family in puzzle.turns if puzzle.guard is None else ():
        if family in puzzle.rotations:
            continue
        moved = {
            (layout.face_of[i], layout.face_of[to])
            for i, to in enumerate(arrivals(puzzle, layout, puzzle.move(family)))
            if i != to
        }
        for face, to in moved:
            turned = face == to and not any(one == face != other for one, other in moved)
            if turned and (face not in found or len(moved) < found[face][0]):
                found[face] = len(moved), family.rstrip("0123456789")
    return tuple(found.get(face, (0, letter))[1] for face, letter in enumerate(layout.faces))


def named(puzzle: Puzzle, faults: Iterable[str]) -> list[str]:
    """Return faults, or other texts, with the names of faces in the names of places and stickers.

    >>> import puzzlekit
    >>> named(puzzlekit.load("fto").puzzle, ["edge XD is missing", "exchange X5 (X) and R5 (R)"])
    ['edge BR-D is missing', 'exchange BR5 (X) and R5 (R)']
    """
    layout = puzzle.layout
    if layout is None or all(len(name) == 1 for name in face_names(puzzle)):
        return list(faults)
    names = dict(zip(layout.faces, face_names(puzzle), strict=True))
    places = {place for orbit in puzzle.orbits for place in orbit.places if len(place) > 1}
    words = re.compile(rf"\b([{layout.faces}])(\d+)\b|\b[{layout.faces}]{{2,}}\b")

    def other(found: re.Match[str]) -> str:
        if found[1]:
            return names[found[1]] + found[2]
        own = [names[letter] for letter in found[0]]
        known = found[0] in places and any(len(name) > 1 for name in own)
        return "-".join(own) if known else found[0]

    return [
        Fault(words.sub(other, each), each.facelets)
        if isinstance(each, Fault)
        else words.sub(other, each)
        for each in faults
    ]
