"""Vectors: a state as named lists of labels and orientations."""

from __future__ import annotations

from puzzlekit.errors import StateError, UsageError
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.given import check_text
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

# Separators of names and numbers. They also allow JSON objects and Python dictionaries.
_SEPARATORS = str.maketrans("=:,;()[]{}\"'", " " * 12)


def format_vectors(puzzle: Puzzle, state: bytes) -> dict[str, list[int]]:
    """Return the vectors of a state by name: the labels and orientations of each orbit.

    Orbits whose vectors have no names are left out.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB", orientations=2, vectors="ep eo")
    >>> format_vectors(Puzzle("ring", "three edges", (edges,), {}, ()), bytes([1, 0, 2, 0, 1, 1]))
    {'ep': [1, 0, 2], 'eo': [0, 1, 1]}
    """
    vectors = {}
    for orbit in puzzle.orbits:
        blocks = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
        for name, block in zip(_names(orbit), blocks, strict=False):
            vectors[name] = list(block)
    return vectors


def parse_vectors(puzzle: Puzzle, text: str) -> bytes:
    """Return the state that a text describes by named vectors.

    In the text, the numbers of a vector follow its name. White space, commas, semicolons, `=`,
    `:`, quotes and brackets are separators. An orbit is solved if its vectors have no names. A
    frame is solved if its vectors are not given.

    Raises a StateError that names every fault of the text. If the text has no fault, the error
    names every fault of the state. Raises a UsageError if the puzzle has no vectors.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB", orientations=2, vectors="ep eo")
    >>> ring = Puzzle("ring", "three edges", (edges,), {}, ())
    >>> parse_vectors(ring, "ep = [1, 0, 2]  eo: 0 1 1") == bytes([1, 0, 2, 0, 1, 1])
    True
    """
    check_text(text, "a state by its vectors")
    known = [name for orbit in puzzle.orbits for name in orbit.vectors]
    if not known:
        raise UsageError(f"{puzzle.name} has no vectors that could describe a state")
    given, faults = _split(text)
    faults += [
        f"unknown vector {name}: {puzzle.name} has {', '.join(known)}"
        for name in given
        if name not in known
    ]
    state = bytearray()
    for orbit in puzzle.orbits:
        if orbit.name in puzzle.frames and given.keys().isdisjoint(orbit.vectors):
            state += orbit.solved_bytes
        else:
            state += _read_orbit(orbit, given, faults)
    if not given and not faults:
        faults.append(f"no vectors are given: {puzzle.name} has {', '.join(known)}")
    if faults:
        raise StateError(faults)
    check(puzzle, bytes(state))
    return bytes(state)


def _names(orbit: Orbit) -> tuple[str, ...]:
    """Return the names of the vectors of an orbit: one for labels and one for orientations.

    The name for orientations is missing if the pieces of the orbit never turn.
    """
    return orbit.vectors[: orbit.width // orbit.size]


def _split(text: str) -> tuple[dict[str, list[int]], list[str]]:
    """Return the numbers after each name, and the faults of words that cannot be read."""
    given: dict[str, list[int]] = {}
    faults = []
    numbers: list[int] | None = None
    for word in text.translate(_SEPARATORS).split():
        if word.isidentifier():
            if word in given:
                faults.append(f"vector {word} is given twice")
            numbers = given.setdefault(word, [])
            numbers.clear()
            continue
        try:
            number = int(word)
        except ValueError:
            faults.append(f"{word!r} is neither the name of a vector nor a number")
            continue
        if numbers is None:
            faults.append(f"number {word} stands before the name of any vector")
        else:
            numbers.append(number)
    return given, faults


def _read_orbit(orbit: Orbit, given: dict[str, list[int]], faults: list[str]) -> bytes:
    """Return the bytes of an orbit, and add the faults of its vectors to `faults`."""
    block = bytearray(orbit.solved_bytes)
    allowed = [sorted(set(orbit.solved)), list(range(orbit.orientations))]
    for k, name in enumerate(_names(orbit)):
        if name not in given:
            faults.append(f"vector {name} is missing")
            continue
        numbers = given[name]
        if len(numbers) != orbit.size:
            faults.append(f"vector {name} has {len(numbers)} numbers instead of {orbit.size}")
        wrong = [
            f"vector {name}: {number} at position {i + 1} is not {_range(allowed[k])}"
            for i, number in enumerate(numbers)
            if number not in allowed[k]
        ]
        faults += wrong
        if not wrong and len(numbers) == orbit.size:
            block[k * orbit.size : (k + 1) * orbit.size] = bytes(numbers)
    return bytes(block)


def _range(numbers: list[int]) -> str:
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return "one of " + ", ".join(map(str, numbers))
