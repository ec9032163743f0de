"""The content of a definition, independent of its format.

Places and pieces are numbered from 0. In a move, the piece that arrives at place i comes from place
`source[i]`, and `turns[i]` is added to its orientation. The readers of the formats translate the
numbers of their files to these conventions.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.errors import DefinitionError

# Limits of definitions. A state has one number per piece and per orientation.
MAX_TEXT = 20_000_000  # characters
MAX_PLACES = 20_000  # of a set
MAX_TRADING = 256  # places of a set that trade pieces with each other
MAX_BYTES = 20_000  # numbers of a state
MAX_ORIENTATIONS = 127
MAX_SETS = 1000
MAX_ORBITS = 1000  # groups of places that trade pieces, in all sets together
MAX_NAME = 60  # characters
MAX_DEFINED = 300  # moves, including duplicates
MAX_WRITTEN = 1000  # characters of a move that is made of others

Numbers = Mapping[str, tuple[list[int], list[int]]]


class Set(NamedTuple):
    """The places of one kind of piece, and the number of their orientations.

    `names` names the places, if they are others than those of the file, which have numbers.
    """

    name: str
    size: int
    orientations: int
    names: tuple[str, ...] = ()


class Change(NamedTuple):
    """How a move changes a set.

    The piece that arrives at place i comes from place `source[i]`, and `turns[i]` is added to its
    orientation.
    """

    source: tuple[int, ...]
    turns: tuple[int, ...]


class Pattern(NamedTuple):
    """A state of a set: for each place the piece, its orientation, and a modulus.

    Pieces with the same number are alike. Two orientations at a place count as equal if they are
    equal modulo the entry of `moduli` for this place. If this entry is 1, the orientation does not
    matter.
    """

    pieces: tuple[int, ...]
    turns: tuple[int, ...]
    moduli: tuple[int, ...]


class DefinedMove(NamedTuple):
    """A move: the change of each set. `changes` has no entry for a set that stays as it is.

    `turned` has the places that the move turns in sets whose orientations are not told apart.
    """

    name: str
    changes: Mapping[str, Change]
    where: str
    turned: frozenset[tuple[str, int]] = frozenset()


class DerivedMove(NamedTuple):
    """A move that is written as a sequence of other moves.

    If `alias` is true, `name` is only another name of an existing move.
    """

    name: str
    text: str
    where: str
    alias: bool = False


class Illegal(NamedTuple):
    """A piece that must not be at a place of a set."""

    set: str
    place: int
    piece: int
    where: str


class Block(NamedTuple):
    """Pieces that are glued together, as pairs of a set and a number of a piece."""

    pieces: tuple[tuple[str, int], ...]
    where: str


@attrs.frozen
class Definition:
    """The content of a definition.

    `source` names the file in errors. `first` is the number of the first place and piece in the
    file (0 or 1). `warnings` list ignored commands that restrict searches. `notes` list commands
    without effect. `illegal` lists where pieces must not be, and `blocks` which are glued together.
    `by_turns` is true if the default
    metric counts a power of a move as several moves.
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
    illegal: tuple[Illegal, ...] = ()
    blocks: tuple[Block, ...] = ()
    by_turns: bool = False

    @property
    def has_orientations(self) -> bool:
        """Whether the file says which orientation a piece has at another place than its own."""
        return True

    @property
    def written(self) -> Definition:
        """The definition with the sets of the file, in which states are read and written."""
        return self

    def taken(self, patterns: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        """Return the patterns of the sets, from those of the sets of the file."""
        return patterns

    def given(self, numbers: Numbers) -> Numbers:
        """Return a state in the sets of the file, from one in the sets."""
        return numbers


def checked_set(found: Sequence[Set], new: Set, source: str, where: str) -> Set:
    """Return `new`, the next set of a definition, if it is allowed; `found` are the sets before it.

    Raise a DefinitionError if there are too many sets, or if the set is too large.
    """
    if any(each.name == new.name for each in found):
        raise DefinitionError(f"there is already a set {new.name}: use another name", source, where)
    if len(found) == MAX_SETS:
        raise DefinitionError(f"a definition has at most {MAX_SETS} sets", source, where)
    taken = sum(each.size * (1 + (each.orientations > 1)) for each in [*found, new])
    if taken > MAX_BYTES:
        raise DefinitionError(
            f"with set {new.name} a state has {taken:,} numbers, but at most {MAX_BYTES:,} are "
            "possible: use fewer or smaller sets",
            source,
            where,
        )
    return new


def checked_name(name: str, what: str, source: str, where: str) -> str:
    """Return a name without blanks around it. Raise a DefinitionError if it is not allowed."""
    words = 1 if what != "the puzzle" else MAX_NAME
    if len(name) > MAX_NAME or not name.isprintable() or not 1 <= len(name.split()) <= words:
        shown = f"{name[:20]!r}{'...' if len(name) > 20 else ''}"
        form = f"1 to {MAX_NAME} printable characters{' without blanks' if words == 1 else ''}"
        raise DefinitionError(f"the name of {what} is {form}, not {shown}", source, where)
    return name.strip()


def repeated(numbers: Sequence[Hashable]) -> int | None:
    """Return the index of the first repeated number, or None if no number is repeated."""
    seen: set[Hashable] = set()
    for i, number in enumerate(numbers):
        if number in seen:
            return i
        seen.add(number)
    return None


def no_change(of: Set) -> Change:
    """Return the change that leaves a set as it is."""
    return Change(tuple(range(of.size)), (0,) * of.size)


def in_order(of: Set) -> Pattern:
    """Return the state of a set in which piece i is at place i, for every i, with orientation 0."""
    return Pattern(tuple(range(of.size)), (0,) * of.size, (of.orientations,) * of.size)


def write_text_state(definition: Definition, numbers: Numbers) -> str:
    """Return a state in the format of twsearch and ksolve."""
    lines = ["Scramble state"]
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        lines += [of.name, " ".join(str(piece + 1) for piece in pieces)]
        if of.orientations > 1:
            moduli = _moduli(definition.solved[of.name], pieces)
            shown = zip(turns, moduli, strict=True)
            lines.append(" ".join("?" if modulus == 1 else str(turn) for turn, modulus in shown))
    return "\n".join([*lines, "End"])


def write_kpuzzle_state(definition: Definition, numbers: Numbers) -> str:
    """Return a state as a pattern of cubing.js."""
    data = {}
    for of in definition.sets:
        pieces, turns = numbers[of.name]
        data[of.name] = {"pieces": pieces, "orientation": turns}
        moduli = [m % of.orientations for m in _moduli(definition.solved[of.name], pieces)]
        if any(moduli):
            data[of.name]["orientationMod"] = moduli
    return json.dumps({"patternData": data})


def _moduli(solved: Pattern, pieces: Iterable[int]) -> list[int]:
    """Return the modulus of the orientation of each piece."""
    known = dict(zip(solved.pieces, solved.moduli, strict=True))
    return [known[piece] for piece in pieces]
