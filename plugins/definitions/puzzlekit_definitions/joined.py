"""Join places of a definition that always move together: their pieces are stickers of one piece.

Some files list the stickers of edges, for example, instead of edges with orientations. No moves
bring one sticker to another place alone, so methods that know nothing of edges solve little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

import attrs

from puzzlekit import StateError
from puzzlekit.errors import DefinitionError
from puzzlekit_definitions.definition import (
    DefinedMove,
    Definition,
    Numbers,
    Pattern,
    Set,
    no_change,
)
from puzzlekit_definitions.orbits import singular
from puzzlekit_definitions.permutations import StickerPieces, pieces_of

__all__ = ["joined"]

_MOST_STICKERS = 2000


@attrs.frozen(slots=False, eq=False)
class _Stickers:
    """The stickers of some sets: each place has one for each orientation."""

    definition: Definition
    sets: tuple[Set, ...]

    @cached_property
    def owners(self) -> list[tuple[str, int]]:
        """The set and the place of each sticker."""
        return [
            (of.name, place)
            for of in self.sets
            for place in range(of.size)
            for _ in range(of.orientations)
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the place of each sticker."""
        return tuple(f"{name} {place + self.definition.first}" for name, place in self.owners)

    def permutation(self, move: DefinedMove) -> list[int]:
        """Return the sticker that a move brings to each sticker."""
        found: list[int] = []
        for of in self.sets:
            start, m = len(found), of.orientations
            for source, turn in zip(*(move.changes.get(of.name) or no_change(of)), strict=True):
                found += [start + source * m + (sticker - turn) % m for sticker in range(m)]
        return found

    def colours(self, patterns: Mapping[str, Pattern]) -> list[str]:
        """Return the colour of each sticker in a state."""
        return [
            self._colour(of.name, piece, (sticker - turn) % of.orientations)
            for of in self.sets
            for piece, turn in zip(patterns[of.name].pieces, patterns[of.name].turns, strict=True)
            for sticker in range(of.orientations)
        ]

    def _colour(self, name: str, piece: int, sticker: int) -> str:
        return f"{name} {piece} {sticker % self._moduli[name].get(piece, 1)}"

    @cached_property
    def _moduli(self) -> dict[str, dict[int, int]]:
        """For each set the modulus of the orientation of each piece."""
        solved = self.definition.solved
        return {
            of.name: dict(zip(solved[of.name].pieces, solved[of.name].moduli, strict=True))
            for of in self.sets
        }

    def open_turns(self, patterns: Mapping[str, Pattern]) -> list[str]:
        """Return faults: orientations that a state leaves open, although they matter."""
        faults = []
        for of in self.sets:
            own = patterns[of.name]
            for place, (piece, modulus) in enumerate(zip(own.pieces, own.moduli, strict=True)):
                if modulus % self._moduli[of.name].get(piece, 1):
                    piece, place = (each + self.definition.first for each in (piece, place))
                    name = f"{singular(of.name)} {piece} at {place}"
                    faults.append(f"the orientation of {name} is '?', but it matters")
        return faults

    def numbers(self, colours: Sequence[str]) -> dict[str, tuple[list[int], list[int]]]:
        """Return the pieces and orientations of each set, from the colours of the stickers."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        at = 0
        for of in self.sets:
            pieces, turns = [], []
            for colour in colours[at : at + of.size * of.orientations : of.orientations]:
                piece, sticker = map(int, colour.split()[-2:])
                pieces.append(piece)
                turns.append(-sticker % self._moduli[of.name][piece])
            found[of.name] = pieces, turns
            at += of.size * of.orientations
        return found


@attrs.frozen(kw_only=True)
class _Joined(Definition):
    """A definition with joined places, made from the one of a file."""

    file: Definition
    stickers: _Stickers
    pieces: StickerPieces

    @property
    def has_orientations(self) -> bool:
        """False: the orientations of joined pieces are chosen when the puzzle is built."""
        return False

    @property
    def written(self) -> Definition:
        """The definition of the file."""
        return self.file

    def taken(self, patterns: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        """Return the patterns of the sets, from those of the file."""
        if faults := self.stickers.open_turns(patterns):
            raise StateError(faults)
        return {**patterns, **self.pieces.patterns(self.stickers.colours(patterns))}

    def given(self, numbers: Numbers) -> Numbers:
        """Return a state in the sets of the file, from one in the sets."""
        own = {name: each for name, each in numbers.items() if name not in self.pieces.places}
        return own | self.stickers.numbers(self.pieces.shown(numbers))


def joined(definition: Definition) -> Definition:
    """Return a definition in which places that always move together are one place.

    The sets with such places become sets of pieces; the others stay as they are. A definition
    without such places is returned unchanged, and so is one with `illegal` or glued pieces.
    """
    size = sum(of.size * of.orientations for of in definition.sets)
    if (
        definition.illegal
        or definition.blocks
        or not definition.has_orientations
        or size > _MOST_STICKERS
    ):
        return definition
    every = _Stickers(definition, definition.sets)
    permutations = [every.permutation(move) for move in definition.moves]
    if not _may_join(permutations, every.owners):
        return definition
    try:
        found = pieces_of(permutations, size, "")
    except DefinitionError:  # too many stickers trade places
        return definition
    tied: set[str] = set()
    for places in found:
        for place in places if len(places) > 1 else ():
            owners = {every.owners[sticker] for each in place for sticker in each}
            if len(owners) > 1:
                tied |= {name for name, _ in owners}
    if not tied:
        return definition
    own = _Stickers(definition, tuple(of for of in definition.sets if of.name in tied))
    permutations = [own.permutation(move) for move in definition.moves]
    kept = [of for of in definition.sets if of.name not in tied]
    names = {of.name for of in definition.sets}
    places_of = {}
    for places in pieces_of(permutations, len(own.owners), ""):
        stem, _ = own.owners[places[0][0][0]]
        # No name of the file: a goal in its places must not be read in these places.
        name = next(name for name in _numbered(f"{stem}-pieces") if name not in names)
        names.add(name)
        places_of[name] = places
    pieces = StickerPieces(tuple(own.colours(definition.solved)), places_of, own.names)
    moves = [
        DefinedMove(
            move.name,
            {of.name: move.changes[of.name] for of in kept if of.name in move.changes}
            | pieces.changes(permutation),
            move.where,
        )
        for move, permutation in zip(definition.moves, permutations, strict=True)
    ]
    return _Joined(
        definition.source,
        definition.name,
        definition.first,
        (*kept, *pieces.sets),
        {of.name: definition.solved[of.name] for of in kept} | pieces.solved,
        tuple(moves),
        definition.derived,
        definition.warnings,
        definition.notes,
        by_turns=definition.by_turns,
        file=definition,
        stickers=own,
        pieces=pieces,
    )


def _may_join(permutations: Sequence[Sequence[int]], owners: Sequence[object]) -> bool:
    """Whether stickers of several places may belong together.

    If they do, each sequence of moves changes all of them or none. So stickers are divided by the
    moves that change them, then by where these bring them, until no group is divided further.
    """
    if not permutations:
        return False
    sources = list(zip(*permutations, strict=True))
    moved = [tuple(source != i for source in each) for i, each in enumerate(sources)]
    groups = _groups(moved)
    while True:
        finer = _groups(
            (groups[i], *(groups[source] for source in each)) for i, each in enumerate(sources)
        )
        if max(finer) == max(groups):
            break
        groups = finer
    owner: dict[int, object] = {}
    return any(
        any(row) and owner.setdefault(group, own) != own
        for group, own, row in zip(groups, owners, moved, strict=True)
    )


def _groups(signs: Iterable[object]) -> list[int]:
    """Return the same number for equal signs."""
    known: dict[object, int] = {}
    return [known.setdefault(sign, len(known)) for sign in signs]


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
