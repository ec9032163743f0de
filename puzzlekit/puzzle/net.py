"""States as text: stickers, numbers in a grid, and the unfolded net."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain, pairwise
from textwrap import indent

from puzzlekit.errors import StateError
from puzzlekit.puzzle.layout import FaceletLayout, Grid
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.stickers import appearance

__all__ = ["draw_net", "facelets", "sticker_colours"]


_BETWEEN = str.maketrans(dict.fromkeys(",;/|[]", " "))
# If there are at most this many numbers too many or too few, faults of single numbers are named.
_NEAR = 2
_INDENT = 2
# The number of each colour among the 256 colours of terminals, and whether black letters are
# readable on it.
_COLOURS = {
    "white": (255, True),
    "red": (160, False),
    "green": (34, True),
    "yellow": (226, True),
    "orange": (208, True),
    "blue": (21, False),
    "black": (16, False),
    "grey": (245, True),
    "purple": (92, False),
    "pink": (218, True),
    "brown": (94, False),
    "light blue": (117, True),
    "light green": (155, True),
    "beige": (230, True),
}


def write_grid(puzzle: Puzzle, state: bytes) -> str:
    """Return a state as numbers separated by spaces; raise StateError for unknown pieces."""
    (orbit,) = puzzle.orbits
    labels = puzzle.labels(state, orbit)
    if sorted(labels) != sorted(orbit.solved):
        from puzzlekit.puzzle.diagnose import diagnose

        raise StateError(diagnose(puzzle, state))
    return " ".join(map(str, labels))


def draw_grid(puzzle: Puzzle, grid: Grid, state: bytes, indent: int) -> str:
    """Return a state as numbers in rows and right-aligned columns, each line after `indent`."""
    numbers = write_grid(puzzle, state).split()
    width = max(map(len, numbers))
    cells = [number.rjust(width) for number in numbers]
    rows = range(0, len(cells), grid.columns)
    return "\n".join(" " * indent + " ".join(cells[at : at + grid.columns]) for at in rows)


def is_grid(text: str) -> bool:
    """Whether most words of a text are numbers. Words are separated as in `read_grid`."""
    words = text.translate(_BETWEEN).split()
    return 2 * sum(map(_is_number, words)) > len(words)


def read_grid(puzzle: Puzzle, text: str) -> bytes:
    """Return the state that the numbers in a text describe; raise StateError if impossible.

    White space and punctuation separate the numbers.

    >>> from puzzlekit.puzzle.layout import Grid
    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> square = Puzzle("square", "Four", (Orbit("n", "tile", "0 1 2 3"),), {}, (), grid=Grid(2))
    >>> list(read_grid(square, "3 1, 2 0"))
    [3, 1, 2, 0]
    >>> read_grid(square, "3 1 2 4")
    Traceback (most recent call last):
    puzzlekit.errors.StateError: 4 is not a tile: use 0 to 3; tile 0 is missing
    """
    assert puzzle.grid is not None
    (orbit,) = puzzle.orbits
    words = text.translate(_BETWEEN).split()
    numbers = [word.lstrip("0") or "0" if _is_number(word) else word for word in words]
    faults = _faults(puzzle, puzzle.grid, orbit, numbers)
    if faults:
        raise StateError(faults)
    state = bytes(map(int, numbers)) + bytes(orbit.width - orbit.size)
    from puzzlekit.puzzle.diagnose import check

    check(puzzle, state)
    return state


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal()


def _faults(puzzle: Puzzle, grid: Grid, orbit: Orbit, numbers: list[str]) -> list[str]:
    """Return the faults for wrong, missing and duplicate numbers."""
    count = len(numbers)
    faults = []
    if count != orbit.size:
        plural = "" if count == 1 else "s"
        faults.append(f"{count:,} number{plural} instead of {orbit.size}")
        if abs(count - orbit.size) > _NEAR:
            return faults
    known = {str(label): label for label in orbit.solved}
    labels = sorted(known.values())
    faults += [
        f"{number[:20]} is not a {orbit.piece}: use {labels[0]} to {labels[-1]}"
        for number in dict.fromkeys(numbers)
        if number not in known
    ]
    for number, label in known.items():
        places = [grid.where(at) for at, each in enumerate(numbers) if each == number]
        expected = orbit.solved.count(label)
        guarded = puzzle.guarded
        name = f"{orbit.piece} {number}"
        if guarded is not None and guarded.label == label:
            name = f"{guarded.name} ({number})"
        if not places:
            faults.append(f"{name} is missing")
        elif len(places) != expected:
            times = "twice" if len(places) == 2 else f"{len(places)} times"
            faults.append(f"{name} is there {times}: {' and '.join(places)}")
    return faults


def facelets(puzzle: Puzzle, state: bytes) -> str:
    """Return the face letter of each sticker, in the order of the layout.

    If the puzzle has a `Grid` or a `Writing`, the result is the state in this form. Raises a
    StateError if the state has unknown pieces or orientations.
    """
    if puzzle.grid is not None:
        return write_grid(puzzle, state)
    if puzzle.writing is not None:
        return puzzle.writing.write(state)
    look = appearance(puzzle)
    shown: list[str] = []
    try:
        for pieces in look.orbits:
            labels = puzzle.labels(state, pieces.orbit)
            turns = puzzle.orientations(state, pieces.orbit)
            seen = zip(labels, turns, strict=True)
            shown += chain.from_iterable(map(pieces.shown.__getitem__, seen))
        shown += [look.solved[i] for i in look.fixed]
        return "".join(map(shown.__getitem__, look.listed_at))
    except (KeyError, IndexError, ValueError):
        from puzzlekit.puzzle.diagnose import diagnose

        raise StateError(diagnose(puzzle, state)) from None


def draw_net(
    puzzle: Puzzle,
    state: bytes,
    coloured: bool = False,
    symbols: Mapping[str, str] | None = None,
    grey: Container[int] = (),
) -> str:
    """Return the unfolded net or the grid of a state as text; empty if the puzzle has neither.

    Each sticker is shown as the letter of its face, or as in the `net_scheme` of the layout. If
    `symbols` maps a symbol to this face, the sticker is shown as this symbol. `coloured` adds the
    colours of `sticker_colours`. The facelets in `grey` are shown as `.`, without their colours.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> print(draw_net(cube, cube.solved))
           U U
           U U
      L L  F F  R R  B B
      L L  F F  R R  B B
           D D
           D D
    """
    if puzzle.grid is not None:
        return draw_grid(puzzle, puzzle.grid, state, _INDENT)
    if puzzle.writing is not None:
        return indent(puzzle.writing.rows(state), " " * _INDENT)
    if puzzle.layout is None:
        return ""
    layout = puzzle.layout
    if layout.net_scheme:
        symbols = symbols or dict(zip(layout.schemes[layout.net_scheme], layout.faces, strict=True))
    typed = {face: symbol for symbol, face in (symbols or {}).items()}
    letters = "".join(typed.get(face, face) for face in facelets(puzzle, state))
    colours = sticker_colours(layout, symbols) if coloured else {}
    paint = {typed.get(face, face): colour for face, colour in colours.items()}
    seams = _seams(layout)
    rows = []
    for row in layout.net:
        line = " " * _INDENT
        for column, facelet in enumerate(row):
            line += " " if column in seams else ""
            letter = " " if facelet is None else "." if facelet in grey else letters[facelet]
            line += _sticker(letter, paint)
        rows.append(line.rstrip())
    return "\n".join(rows)


def sticker_colours(
    layout: FaceletLayout, symbols: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the colour of the stickers of each face, in words.

    `symbols` maps symbols to faces. If all symbols are initials of colours, each face has the
    colour of its symbol. Otherwise each face has its usual colour.

    >>> import puzzlekit
    >>> skewb = puzzlekit.load("skewb").puzzle.layout
    >>> sticker_colours(skewb)["U"], sticker_colours(skewb, dict(zip("YRBWOG", "URFDLB")))["U"]
    ('white', 'yellow')
    """
    initials = {colour[:1].upper(): colour for colour in layout.colours}
    usual = dict(zip(layout.faces, layout.colours, strict=True))
    if symbols and initials.keys() >= symbols.keys():
        return usual | {face: initials[symbol] for symbol, face in symbols.items()}
    return usual


def _seams(layout: FaceletLayout) -> set[int]:
    """Return the columns of the net before which a gap separates adjacent faces.

    There is no gap if the column is inside a face in another row, as in a net of triangles.
    """
    meeting: set[int] = set()
    crossed: set[int] = set()
    for row in layout.net:
        for column, (left, right) in enumerate(pairwise(row), 1):
            if left is not None and right is not None:
                alike = layout.face_of[left] == layout.face_of[right]
                (crossed if alike else meeting).add(column)
    return meeting - crossed


def _sticker(letter: str, paint: dict[str, str]) -> str:
    if (colour := _COLOURS.get(paint.get(letter, ""))) is None:
        return f"{letter} "
    number, dark = colour
    return f"\x1b[48;5;{number};38;5;{16 if dark else 231}m{letter} \x1b[0m"
