"""Conversion between a state and the named coordinates of a method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product, starmap
from math import prod
from operator import add
from typing import NamedTuple

import attrs

from puzzlekit import (
    Coordinate,
    DeclarationError,
    Method,
    Orbit,
    Phase,
    Puzzle,
    StateError,
    UsageError,
)
from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.symmetry import relabelled

__all__ = ["NamedCoordinates", "coordinate_values", "read_coordinates"]

_SEPARATORS = str.maketrans("=:,;()[]{}\"'", " " * 12)
_MOST = 20_000  # candidate states that are tried


class CoordinateValue(NamedTuple):
    """The value of a coordinate in a state."""

    #: The first phase that uses the coordinate.
    phase: str
    #: The name, unique in the method.
    name: str
    #: The value, from 0 to `size` - 1. None if the coordinate is not defined in this state because
    #: an earlier phase is not solved.
    value: int | None
    #: The number of values.
    size: int
    #: The value in the solved state.
    solved: int
    #: A description of the coordinate in words.
    tells: str


class _Named(NamedTuple):
    phase: Phase
    coordinate: Coordinate


def seen_by(puzzle: Puzzle, method: Method, state: bytes) -> bytes:
    """Return a state after renaming its pieces: the fixed places of the method are solved.

    If several renamings are possible, the first renaming is used.
    """
    return next(relabelled(puzzle, method.fixed, state))


def coordinate_values(puzzle: Puzzle, method: Method, state: bytes) -> list[CoordinateValue]:
    """Return the value of every coordinate of a method, phase by phase.

    A product of coordinates is split into its factors. A coordinate that several phases share is
    listed once, with the first of these phases.

    Raises UsageError if the method has no coordinates.
    """
    seen = seen_by(puzzle, method, state)
    return [
        CoordinateValue(
            each.phase.name,
            name,
            _value(puzzle, each, seen),
            each.coordinate.size,
            int(each.coordinate.rank(each.coordinate.puzzle.solved)),
            _told(each.coordinate),
        )
        for name, each in _named(method).items()
    ]


def read_coordinates(
    puzzle: Puzzle, method: Method, given: str | Mapping[str, int | None]
) -> bytes:
    """Return the state in which the coordinates have given values.

    In this state the pieces are renamed as in `seen_by`. `given` is a mapping, or a string such as
    "permutation=123 orientation=45". Blanks, commas, `=`, `:`, quotes and brackets are separators,
    so JSON objects can be read too. A value of None is ignored.

    Raises a StateError that names every impossible value, or every place that the coordinates do
    not determine, and a UsageError if the method has no coordinates.
    """
    if not isinstance(given, (str, Mapping)):
        kind = type(given).__name__
        raise UsageError(f"coordinates are given by a text or a mapping, not {kind}")
    named = _named(method)
    faults: list[str] = []
    values = dict(given) if isinstance(given, Mapping) else _split(given, faults)
    _check(method, named, values, faults)
    if faults:
        raise StateError(faults)
    told = {name: value for name, value in values.items() if value is not None}
    possible = _possible(puzzle, method, {named[name]: value for name, value in told.items()})
    if prod(map(len, possible)) > _MOST:
        raise StateError(_open(puzzle, method, named, told, possible))
    found: list[bytes] = []
    wrong: list[str] = []
    for state in _states(puzzle, possible):
        faults = _faults(puzzle, named, told, state)
        if not faults:
            found.append(state)
        wrong = wrong or faults
    if len(found) > 1:
        raise StateError(_open(puzzle, method, named, told, possible))
    if not found:
        raise StateError(wrong or ["no state has these coordinates: they contradict each other"])
    return found[0]


def _named(method: Method) -> dict[str, _Named]:
    found: dict[str, _Named] = {}
    known: set[tuple[str, str]] = set()
    for phase in method.phases:
        for coordinate in plain_coordinates(phase.coordinates):
            which = coordinate.puzzle.name, coordinate.identity
            if which not in known:
                known.add(which)
                taken = coordinate.name in found
                name = f"{phase.name}.{coordinate.name}" if taken else coordinate.name
                found[name] = _Named(phase, coordinate)
    if not found:
        raise UsageError(f"the method {method.name} has no coordinates")
    return found


def _value(puzzle: Puzzle, each: _Named, state: bytes) -> int | None:
    """The value of a coordinate in a state of the method's puzzle; None if it is not defined."""
    view, coordinate = each.phase.view, each.coordinate
    if view is not None:
        try:
            state = view.see(puzzle, state)
        except DeclarationError:
            return None
        labels = view.puzzle.labels(state, coordinate.orbit)
        if sorted(labels) != sorted(coordinate.orbit.solved):  # not yet reduced to that puzzle
            return None
    value = int(coordinate.rank(state))
    return value if 0 <= value < coordinate.size else None


def _told(coordinate: Coordinate) -> str:
    """The subject of a coordinate, with the pieces and places that it names."""
    kind = type(coordinate)
    told = f"{coordinate.orbit.name}: {coordinate.about or kind.__name__}"
    for field in attrs.fields(kind):
        named = getattr(coordinate, field.name)
        if field.name not in ("name", "orbit_name") and field.type == "str" and named:
            told += f"; {field.name} {named}"
    return told


def _split(text: str, faults: list[str]) -> dict[str, int | None]:
    """The values by name; words that cannot be read are added to `faults`."""
    values: dict[str, int | None] = {}
    words = iter(text.translate(_SEPARATORS).split())
    for name in words:
        word = next(words, "")
        if name in values:
            faults.append(f"coordinate {name} is given twice")
        try:
            values[name] = int(word) if word else None
        except ValueError:
            faults.append(f"coordinate {name}: {word!r} is not a number")
        if not word:
            faults.append(f"coordinate {name} has no value")
    return values


def _check(
    method: Method, named: Mapping[str, _Named], values: Mapping[str, int | None], faults: list[str]
) -> None:
    """Add the problems with names and values to `faults`."""
    known = ", ".join(named)
    if not values and not faults:
        faults.append(f"no coordinates are given: {method.name} has {known}")
    for name, value in values.items():
        if name not in named:
            near = get_close_matches(name, named, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            faults.append(f"unknown coordinate {name}: {method.name} has {known}{hint}")
        elif value is not None and not (
            isinstance(value, int) and 0 <= value < named[name].coordinate.size
        ):
            most = named[name].coordinate.size - 1
            faults.append(f"coordinate {name}: {value!r} is not a number from 0 to {most:,}")


def _possible(puzzle: Puzzle, method: Method, told: Mapping[_Named, int]) -> list[frozenset[int]]:
    """The possible values of each byte of the state."""
    found = []
    for orbit in puzzle.orbits:
        found += [frozenset(orbit.solved)] * orbit.size
        found += [frozenset(range(orbit.orientations))] * (orbit.width - orbit.size)
    for byte in puzzle.bytes_at(method.fixed):
        found[byte] = frozenset([puzzle.solved[byte]])
    for (phase, coordinate), value in told.items():
        if phase.view is None:
            for byte, values in coordinate.possible(value).items():
                found[byte] &= values
    for orbit in puzzle.orbits:
        _narrow(found, puzzle.offsets[orbit.name], orbit)
    return found


def _narrow(possible: list[frozenset[int]], start: int, orbit: Orbit) -> None:
    """Remove a label from the other places of an orbit if all pieces of the label are placed."""
    places = range(start, start + orbit.size)
    before = None
    while before != (before := [possible[j] for j in places]):
        for label in set(orbit.solved):
            count = orbit.solved.count(label)
            here = [j for j in places if label in possible[j]]
            placed = [j for j in here if len(possible[j]) == 1]
            if len(here) == count:  # each of these places is needed
                for j in here:
                    possible[j] = frozenset([label])
            elif len(placed) == count:
                for j in set(here) - set(placed):
                    possible[j] -= {label}


def _states(puzzle: Puzzle, possible: Sequence[frozenset[int]]) -> Iterator[bytes]:
    """All states with possible bytes in which every piece occurs."""
    if not all(possible):
        return  # a byte has no value; the product of the others may be too large to list
    parts = []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        turns = start + orbit.size
        placed = _placed(possible[start:turns], list(orbit.solved))
        turned = map(bytes, product(*possible[turns : start + orbit.width]))
        parts.append(list(starmap(add, product(placed, turned))))
    yield from map(b"".join, product(*parts))


def _placed(possible: Sequence[frozenset[int]], left: list[int]) -> Iterator[bytes]:
    """All ways of placing the remaining labels."""
    if not possible:
        yield b""
        return
    for label in sorted(possible[0] & set(left)):
        others = left.copy()
        others.remove(label)
        for rest in _placed(possible[1:], others):
            yield bytes([label]) + rest


def _faults(
    puzzle: Puzzle, named: Mapping[str, _Named], told: Mapping[str, int], state: bytes
) -> list[str]:
    """The faults of a candidate state: coordinates with other values, or broken constraints."""
    found = [
        f"coordinate {name}: {value} contradicts the others"
        for name, value in told.items()
        if _value(puzzle, named[name], state) != value
    ]
    return found or list(diagnose(puzzle, state))


def _open(
    puzzle: Puzzle,
    method: Method,
    named: Mapping[str, _Named],
    told: Mapping[str, int],
    possible: Sequence[frozenset[int]],
) -> list[str]:
    """The places that the coordinates do not determine, in words."""
    faults = []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        turns = start + orbit.size
        for what, own in (
            ("which piece is", possible[start:turns]),
            ("how the piece is turned", possible[turns : start + orbit.width]),
        ):
            pairs = zip(orbit.places, own, strict=False)
            many = [place for place, values in pairs if len(values) > 1]
            if many:
                where = f"{orbit.piece} place{'s' if len(many) > 1 else ''} {' '.join(many)}"
                faults.append(f"the coordinates leave open {what} at the {where}")
    missing = [name for name in named if name not in told]
    if missing:
        faults.append(f"missing coordinates of {method.name}: {', '.join(missing)}")
    return faults or ["the coordinates leave open which state it is"]


class NamedCoordinates:
    """The service "coordinates" of this plugin."""

    values = staticmethod(coordinate_values)
    read = staticmethod(read_coordinates)
