"""Grids: states written as numbers of pieces, row by row."""

from __future__ import annotations

from puzzlekit.errors import StateError
from puzzlekit.puzzle.layout import Grid
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

_BETWEEN = str.maketrans(dict.fromkeys(",;/|[]", " "))
# If there are at most this many numbers too many or too few, faults of single numbers are named.
_NEAR = 2


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
