"""Pieces as a goal names them: by places, orbits, layers and moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.kinds import Combination
from puzzlekit.errors import UsageError
from puzzlekit.puzzle.appearance import appearance
from puzzlekit.puzzle.move import Effect, Move
from puzzlekit.puzzle.named_pieces import named_pieces
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.part import Part, parts_of
from puzzlekit.puzzle.puzzle import Puzzle

MOST_LISTED = 1 << 25  # values of a coordinate that says which places hold some pieces

#: A piece: its orbit, and the number of its home place.
Piece = tuple[Orbit, int]


def pieces(puzzle: Puzzle, text: str) -> list[Piece]:
    """Return the pieces in a text. Blanks or commas separate the words.

    A word is the name of a place or of an orbit. Another word is "moved:R", for the pieces that a
    move changes.
    The word "layer:U" stands for all pieces with a sticker on a face, "centers:U" for those of one
    orbit.
    Raises UsageError for any other word.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(pieces(cube, "UF,corners")), len(pieces(cube, "layer:U")), len(pieces(cube, "moved:R"))
    (9, 9, 8)
    """
    found: dict[Piece, None] = {}
    for word in text.replace(",", " ").split():
        kind, colon, name = word.partition(":")
        if not colon:
            own: Iterable[Piece] = named_pieces(puzzle, word)
        elif kind == "layer":
            own = _layer(puzzle, name)
        elif kind == "moved":
            own = _moved(puzzle, name)
        elif any(orbit.name == kind for orbit in puzzle.orbits):
            own = [each for each in _layer(puzzle, name) if each[0].name == kind]
        else:
            raise UsageError(
                f"{word!r} names no pieces; write the name of a piece, layer:FACE, ORBIT:FACE or "
                "moved:MOVE"
            )
        found.update(dict.fromkeys(own))
    if not found:
        raise UsageError("a condition of a goal names no pieces")
    return list(found)


def _layer(puzzle: Puzzle, name: str) -> list[Piece]:
    if puzzle.layout is None or len(name) != 1 or name not in puzzle.layout.faces:
        known = " ".join(puzzle.layout.faces) if puzzle.layout else "none"
        raise UsageError(f"{puzzle.name} has no face {name!r}; its faces: {known}")
    layout, number = puzzle.layout, puzzle.layout.faces.index(name)
    return [
        (look.orbit, home)
        for look in appearance(puzzle).orbits
        for home, place in enumerate(look.places)
        if any(layout.face_of[facelet] == number for facelet in place)
    ]


def _moved(puzzle: Puzzle, name: str) -> list[Piece]:
    found = []
    for move in puzzle.moves(name):
        for orbit in puzzle.orbits if move.gather else ():
            start = puzzle.offsets[orbit.name]
            for home in range(orbit.size):
                turned = orbit.orientations > 1 and move.add[start + orbit.size + home]
                if turned or move.gather[start + home] != start + home:
                    found.append((orbit, home))
    return found


def by_orbit(found: Iterable[Piece]) -> dict[Orbit, list[int]]:
    """Return the home places of pieces, by orbit.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [len(homes) for homes in by_orbit(pieces(cube, "corners UF")).values()]
    [8, 1]
    """
    homes: dict[Orbit, list[int]] = {}
    for orbit, home in found:
        homes.setdefault(orbit, []).append(home)
    return homes


def is_carried(puzzle: Puzzle, effect: Effect, found: Iterable[Piece], turned: bool = True) -> bool:
    """Whether an effect exchanges these pieces only with each other.

    Equal pieces must stay equal: the effect must bring all pieces of one label to places of one
    label, and turn them alike. `turned` is whether it matters how it turns them.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> (turn,) = cube.moves("U")
    >>> is_carried(cube, turn.effect, pieces(cube, "layer:U"))
    True
    """
    for orbit, homes in by_orbit(found).items():
        start = puzzle.offsets[orbit.name]
        sources = [effect[0][start + i] - start for i in range(orbit.size)]
        if {sources[home] for home in homes} != set(homes):
            return False
        turns = start + orbit.size
        added = effect[1][turns : turns + orbit.size] if turned and orbit.orientations > 1 else ()
        alike = {
            (orbit.solved[i], orbit.solved[source], added[i] if added else 0)
            for i, source in enumerate(sources)
        }
        if len(alike) > len({*orbit.solved}):
            return False
    return True


def is_evenly_turned(puzzle: Puzzle, effect: Effect, orbit: Orbit) -> bool:
    """Whether an effect turns all pieces of an orbit by the same amount.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> edges = cube.orbit("edges")
    >>> [is_evenly_turned(cube, cube.turns[name], edges) for name in ("y", "z")]
    [False, True]
    """
    if orbit.orientations == 1:
        return True
    start = puzzle.offsets[orbit.name] + orbit.size
    return len(set(effect[1][start : start + orbit.size])) == 1


def is_still(puzzle: Puzzle, orbit: Orbit, moves: Iterable[Move]) -> bool:
    """Whether moves change no place of an orbit."""
    start = puzzle.offsets[orbit.name]
    return not any(start <= j < start + orbit.width for move in moves for j in move.changed)


def across(puzzle: Puzzle, blocks: Iterable[Part], moves: Sequence[Move]) -> Iterator[Coordinate]:
    """Yield coordinates for blocks of pieces that must be within their home places.

    There is one for each block that exchanges places with others under moves which connect only
    some of the places of the block.
    """
    parts = parts_of(puzzle, moves)
    for block in blocks:
        own = [part for part in parts if part.orbit is block.orbit]
        touched = [part for part in own if not {*part.homes}.isdisjoint(block.homes)]
        if len(touched) > 1 and not all({*part.homes} <= {*block.homes} for part in touched):
            name = f"{block.orbit.name}-within:{','.join(block.names.split())}"
            where = Combination(name, puzzle, block.orbit.name, block.names)
            if where.size <= MOST_LISTED:
                yield where
