"""What a definition says, whatever format it came in.

Everything here counts from 0 and is passive: what comes to place i was at place `source[i]` before,
and what is added to its orientation is said for place i. The readers translate.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.errors import DefinitionError

# Bounds of what is read; a state has one byte for each piece and orientation, 256 in all.
MAX_TEXT = 1_000_000  # characters
MAX_PLACES = 128  # of a set
MAX_BYTES = 256  # of a state
MAX_ORIENTATIONS = 127
MAX_SETS = 64
MAX_ORBITS = 32  # places that trade pieces, over all sets
MAX_NAME = 60  # characters
MAX_DEFINED = 300  # moves, with those that are the same as others
MAX_WRITTEN = 1000  # characters of a move that is written as others


class Set(NamedTuple):
    """The places of one kind of piece, and in how many ways a piece can be turned there."""

    name: str
    size: int
    orientations: int


class Change(NamedTuple):
    """What a move does to a set: where the piece of each place comes from, how it is turned."""

    source: tuple[int, ...]
    turns: tuple[int, ...]


class Pattern(NamedTuple):
    """A state of a set: the piece at each place, its orientation, and how far that matters.

    Pieces of one number are alike. An orientation matters modulo `moduli`: not at all where this
    is 1.
    """

    pieces: tuple[int, ...]
    turns: tuple[int, ...]
    moduli: tuple[int, ...]


class DefinedMove(NamedTuple):
    """A move by what it does to the sets; those that are not named stay as they are."""

    name: str
    changes: Mapping[str, Change]
    where: str


class DerivedMove(NamedTuple):
    """A move by what it is made of, written as moves; an alias is only another name."""

    name: str
    text: str
    where: str
    alias: bool = False


@attrs.frozen
class Definition:
    """A definition as read.

    `source` names the file in errors, `first` is the number of the first place and piece in it (0
    or 1). `warnings` say what in it restricts a search but not the puzzle, and is left out here;
    `notes` what makes no difference.
    """

    source: str
    name: str
    first: int
    sets: tuple[Set, ...]
    solved: Mapping[str, Pattern]
    moves: tuple[DefinedMove, ...]
    derived: tuple[DerivedMove, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def checked_set(found: Sequence[Set], new: Set, source: str, where: str) -> Set:
    """A set next to those before it; a DefinitionError where it is one too many, or too large."""
    if any(each.name == new.name for each in found):
        raise DefinitionError(f"there is a set {new.name} already", source, where)
    if len(found) == MAX_SETS:
        raise DefinitionError(f"more than {MAX_SETS} sets", source, where)
    taken = sum(each.size * (1 + (each.orientations > 1)) for each in [*found, new])
    if taken > MAX_BYTES:
        raise DefinitionError(
            f"with set {new.name} a state takes {taken} numbers; at most {MAX_BYTES} can be held",
            source,
            where,
        )
    return new


def checked_name(name: str, what: str, source: str, where: str) -> str:
    """A name of the definition, of a set or a move: short, in one line, without odd characters."""
    words = 1 if what != "the puzzle" else MAX_NAME
    if len(name) > MAX_NAME or not name.isprintable() or not 1 <= len(name.split()) <= words:
        shown = f"{name[:20]!r}{'...' if len(name) > 20 else ''}"
        form = f"1 to {MAX_NAME} printable characters{' without blanks' if words == 1 else ''}"
        raise DefinitionError(f"the name of {what} is {form}, not {shown}", source, where)
    return name.strip()


def repeated(numbers: Sequence[Hashable]) -> int | None:
    """Where a number stands that stood before; None if there is none."""
    seen: set[Hashable] = set()
    for i, number in enumerate(numbers):
        if number in seen:
            return i
        seen.add(number)
    return None


def no_change(of: Set) -> Change:
    """What a move does that leaves a set as it is."""
    return Change(tuple(range(of.size)), (0,) * of.size)


def in_order(of: Set) -> Pattern:
    """Every piece at its own place, and no two alike."""
    return Pattern(tuple(range(of.size)), (0,) * of.size, (of.orientations,) * of.size)
