"""Masks: the choice of stickers that keep their colour; the others are grey."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.appearance import appearance
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Stickers"]

#: Numbers of stickers on the solved puzzle. For a puzzle with a `Grid`: places of pieces.
Stickers = frozenset[int]


def _layer(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the pieces that have a sticker on a face."""
    on_face = set(_face(puzzle, name))
    return {facelet for place in _places(puzzle) for facelet in place if on_face & {*place}}


def _face(puzzle: Puzzle, name: str) -> Iterable[int]:
    """The stickers on a face."""
    layout = appearance(puzzle).layout
    if len(name) != 1 or name not in layout.faces:
        raise UsageError(f"{puzzle.name} has no face {name!r}; it has {' '.join(layout.faces)}")
    number = layout.faces.index(name)
    return (facelet for facelet, face in enumerate(layout.face_of) if face == number)


def _piece(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the piece with this home place, or of the tile with this number."""
    if puzzle.grid is not None:
        (orbit,) = puzzle.orbits
        if not (name.isdecimal() and int(name) in orbit.solved):
            raise UsageError(f"{puzzle.name} has no {orbit.piece} {name!r}")
        return [orbit.solved.index(int(name))]
    for orbit in puzzle.orbits:
        if name in orbit.places:
            return appearance(puzzle).layout.places[orbit.name][orbit.places.index(name)]
    known = ", ".join(" ".join(orbit.places) for orbit in puzzle.orbits)
    raise UsageError(f"{puzzle.name} has no piece {name!r}; its pieces are {known}")


def _moved(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the pieces that a move changes."""
    (move,) = puzzle.moves(name)
    found: set[int] = set()
    for orbit in puzzle.orbits if move.gather else ():
        start = puzzle.offsets[orbit.name]
        for i, place in enumerate(appearance(puzzle).layout.places[orbit.name]):
            turned = orbit.orientations > 1 and move.add[start + orbit.size + i]
            if turned or move.gather[start + i] != start + i:
                found |= {*place}
    return found


#: The kinds of words in a mask, by the part before the colon.
KINDS: Mapping[str, Callable[[Puzzle, str], Iterable[int]]] = {
    "layer": _layer,
    "face": _face,
    "piece": _piece,
    "moved": _moved,
}


def mask(puzzle: Puzzle, text: str) -> Stickers:
    """Return the stickers that are named by words such as "layer:U face:R piece:UF moved:Rw".

    Raises a UsageError for a word that cannot be read.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(mask(cube, "face:U")), len(mask(cube, "layer:U")), len(mask(cube, "piece:UF piece:U"))
    (9, 21, 3)
    """
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        kind, colon, name = word.partition(":")
        if not colon or kind not in KINDS:
            raise UsageError(
                f"{word!r} names no stickers; write KIND:NAME, such as layer:U; the kinds are "
                f"{', '.join(KINDS)}"
            )
        if puzzle.grid is not None and kind != "piece":
            raise UsageError(
                f"{puzzle.name} has no faces: write the number of a piece, such as piece:1"
            )
        found |= {*KINDS[kind](puzzle, name)}
    return frozenset(found)


def shown_origins(puzzle: Puzzle, only: Stickers | None, grey: Stickers) -> Stickers:
    """Return the stickers that keep their colour, by their facelets on the solved puzzle.

    A state does not distinguish pieces that are alike. Such pieces keep their colour only if `only`
    and `grey` give all of them their colour.
    """
    if puzzle.grid is not None:
        everything = frozenset(range(puzzle.orbits[0].size))
        return (everything if only is None else only) - grey
    look = appearance(puzzle)
    shown = (set(range(len(look.solved))) if only is None else {*only}) - grey
    for pieces in look.orbits:
        for place, label in zip(pieces.places, pieces.orbit.solved, strict=True):
            first = pieces.places[pieces.orbit.solved.index(label)]
            for facelet, named in zip(place, first, strict=True):
                if facelet not in shown:
                    shown.discard(named)
    return frozenset(shown)


def _places(puzzle: Puzzle) -> Iterable[tuple[int, ...]]:
    layout = appearance(puzzle).layout
    for places in layout.places.values():
        yield from places
    yield from ((facelet,) for facelet in appearance(puzzle).fixed)
