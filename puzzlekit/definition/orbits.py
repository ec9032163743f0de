"""From the sets of a definition to the orbits of a puzzle.

A set may hold more than the puzzle needs: places that never trade pieces, orientations that never
change or do not matter, a solved state that is turned. An orbit is what is left of it: places that
do trade pieces, with as many orientations as can be told apart, all 0 when solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

import attrs

from puzzlekit.definition.definition import (
    MAX_BYTES,
    MAX_ORBITS,
    MAX_PLACES,
    Change,
    DefinedMove,
    Definition,
    Pattern,
    Set,
)
from puzzlekit.errors import DefinitionError, StateError
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.part import trading


@attrs.frozen(eq=False)
class DefinedOrbit:
    """Places of a set that trade pieces.

    `places` are those of the set; `orientations` how many the orbit counts, each of `step` in the
    definition's own numbers, modulo `modulus` = orientations * step. A piece from the solved place
    j that is at place i has what the definition says less `frame[i] - frame[j]` and less the
    `solved` orientation of place i. `orbit` is None where nothing ever moves or turns.

    Where the orientations of some pieces matter and of others less, `moduli` says how far for each
    solved place, and the orbit is one of `stickers`: as many to a place as there are orientations,
    alike where the orientation does not matter.
    """

    of: Set
    places: tuple[int, ...]
    pieces: tuple[int, ...]
    solved: tuple[int, ...]
    moduli: tuple[int, ...]
    modulus: int
    step: int
    frame: tuple[int, ...]
    first: int
    orbit: Orbit | None

    @property
    def stickers(self) -> bool:
        """Whether the orbit is one of stickers."""
        return len(set(self.moduli)) > 1

    @property
    def orientations(self) -> int:
        """How many orientations the orbit counts."""
        return self.modulus // self.step

    @property
    def distinct(self) -> bool:
        """Whether no two pieces are alike."""
        return len(set(self.pieces)) == len(self.pieces)

    @property
    def piece(self) -> str:
        """What one piece is called."""
        return singular(self.of.name)

    def place(self, index: int) -> str:
        """The name of a place: its number in the definition."""
        return str(self.places[index] + self.first)

    def change(self, change: Change) -> Change:
        """What a move does to the part, in its own numbers."""
        source = tuple(self.places.index(change.source[place]) for place in self.places)
        turns = []
        for i, j in enumerate(source):
            turn = change.turns[self.places[i]] + self.solved[j] - self.solved[i]
            turn += self.frame[j] - self.frame[i]
            turns.append(turn % self.modulus // self.step)
        return Change(source, tuple(turns))

    def effect(self, change: Change) -> tuple[list[int], list[int]]:
        """The bytes (gather, add) of the orbit that a move's change of the part makes."""
        own = self.change(change)
        if self.stickers:
            gather = stickers_from(*own, self.orientations)
            return gather, [0] * len(gather)
        return effect_of(own, self.orientations)

    def home(self, piece: int) -> int:
        """The first place at which a piece of that number is solved."""
        return self.pieces.index(piece)

    def read(self, pattern: Pattern) -> tuple[list[int], list[int], list[str]]:
        """The homes and orientations of the pieces in a state, and what is wrong with it."""
        faults = []
        there = [pattern.pieces[place] for place in self.places]
        for piece in sorted(set(there) - set(self.pieces)):
            at = there.index(piece)
            faults.append(
                f"{self.piece} {piece + self.first} is at {self.place(at)}, where no move brings it"
            )
        for piece in dict.fromkeys(self.pieces):
            wanted, found = self.pieces.count(piece), there.count(piece)
            if found != wanted and not (faults and found < wanted):
                times = f"{found} times" if wanted == 1 else f"{found} times, not {wanted}"
                word = "missing" if not found else f"there {times}"
                faults.append(f"{self.piece} {piece + self.first} is {word}")
        if faults:
            return [], [], faults
        homes = [self.home(piece) for piece in there]
        turns = []
        for i, j in enumerate(homes):
            turn = pattern.turns[self.places[i]] - self.solved[i] - self.frame[i] + self.frame[j]
            name = f"{self.piece} {there[i] + self.first} at {self.place(i)}"
            if pattern.moduli[self.places[i]] % self.moduli[j]:
                faults.append(f"the orientation of {name} is left open, but it matters")
            elif turn % self.modulus % self.step:
                faults.append(f"{name} is turned as no move turns it")
            turns.append(turn % self.modulus // self.step)
        return homes, turns, faults

    def write(self, homes: Sequence[int], turns: Sequence[int]) -> tuple[list[int], list[int]]:
        """The numbers of pieces and their orientations, as the definition says them."""
        found = []
        for i, (j, turn) in enumerate(zip(homes, turns, strict=True)):
            turn = turn * self.step + self.solved[i] + self.frame[i] - self.frame[j]
            found.append(turn % self.moduli[j])
        return [self.pieces[j] for j in homes], found

    def pack(self, homes: Sequence[int], turns: Sequence[int]) -> bytes:
        """The bytes of the orbit."""
        if not self.stickers:
            return bytes(homes) + (bytes(turns) if self.orientations > 1 else b"")
        assert self.orbit is not None
        return bytes(
            map(self.orbit.solved.__getitem__, stickers_from(homes, turns, self.orientations))
        )

    def unpack(self, part: bytes) -> tuple[list[int], list[int]]:
        """The homes and orientations of pieces that the bytes of the orbit tell."""
        n, m = len(self.places), self.orientations
        if not self.stickers:
            return list(part[:n]), list(part[n:]) if m > 1 else [0] * n
        assert self.orbit is not None
        # The first stickers with these labels.
        homes, turns = pieces_from([self.orbit.solved.index(label) for label in part[::m]], m)
        return homes, [turn % self.moduli[j] for j, turn in zip(homes, turns, strict=True)]


def effect_of(change: Change, orientations: int) -> tuple[list[int], list[int]]:
    """The bytes (gather, add) of places with pieces and, if there are several, orientations."""
    source, turns = change
    n = len(source)
    if orientations == 1:
        return list(source), [0] * n
    return [*source, *(n + j for j in source)], [*([0] * n), *turns]


def stickers_from(source: Sequence[int], turns: Sequence[int], m: int) -> list[int]:
    """Where each sticker comes from, of m to a piece, by where pieces do and how they are turned.

    >>> stickers_from([1, 0], [0, 2], 3)
    [3, 4, 5, 1, 2, 0]
    """
    return [j * m + (s - turn) % m for j, turn in zip(source, turns, strict=True) for s in range(m)]


def pieces_from(firsts: Sequence[int], m: int) -> tuple[list[int], list[int]]:
    """The inverse of `stickers_from`, by where the first sticker of each place comes from."""
    return [first // m for first in firsts], [-first % m for first in firsts]


def defined_orbits(definition: Definition, moves: Sequence[DefinedMove]) -> list[DefinedOrbit]:
    """The parts into which these moves split the sets, in the order of the sets."""
    parts: list[DefinedOrbit] = []
    for of in definition.sets:
        changes = [move.changes[of.name] for move in moves if of.name in move.changes]
        found = trading(of.size, [change.source for change in changes])
        parts += [_part(definition, of, places, changes, len(found) == 1) for places in found]
    names = [part.orbit.name for part in parts if part.orbit]
    for name in names:
        if names.count(name) > 1:
            raise DefinitionError(f"two sets have places named {name}", definition.source)
    if len(names) > MAX_ORBITS:
        problem = f"the places fall apart into {len(names)} orbits; up to {MAX_ORBITS} can be"
        raise DefinitionError(problem, definition.source)
    if sum(part.orbit.width for part in parts if part.orbit) > MAX_BYTES:
        raise DefinitionError(f"a state takes more than {MAX_BYTES} numbers", definition.source)
    return parts


def singular(name: str) -> str:
    """What one piece of a set is called.

    >>> singular("CORNERS"), singular("Edge"), singular("S")
    ('corner', 'edge', 's')
    """
    name = name.lower()
    return name[:-1] if name.endswith("s") and len(name) > 2 else name


def _part(
    definition: Definition, of: Set, places: tuple[int, ...], changes: Sequence[Change], whole: bool
) -> DefinedOrbit:
    pattern = definition.solved[of.name]
    pieces = tuple(pattern.pieces[place] for place in places)
    moduli = tuple(pattern.moduli[place] for place in places)
    for i, piece in enumerate(pieces):
        if moduli[i] != moduli[pieces.index(piece)]:
            raise DefinitionError(
                f"the orientation of {singular(of.name)} {piece + definition.first} matters at one "
                "of its places, and at another it does not",
                definition.source,
            )
    modulus = moduli[0] if len(set(moduli)) == 1 else of.orientations
    solved = tuple(pattern.turns[place] for place in places)
    plain = DefinedOrbit(
        of, places, pieces, solved, moduli, modulus, 1, (0,) * len(places), definition.first, None
    )
    kept = [plain.change(change) for change in changes]
    if len(places) == 1 and not any(any(turns) for _, turns in kept):
        return plain
    step, frame = (1, plain.frame) if plain.stickers else _frame(plain, kept)
    part = attrs.evolve(plain, step=step, frame=frame)
    name = of.name if whole else f"{of.name}.{part.place(0)}"
    return attrs.evolve(part, orbit=_orbit(part, name, definition.source))


def _frame(part: DefinedOrbit, changes: Sequence[Change]) -> tuple[int, tuple[int, ...]]:
    """By how much pieces can be turned at all, and against what this is measured at each place.

    A spanning tree of moves from the first place carries the measure; then every turn is one of a
    multiple of the step. Pieces that are alike need one measure, or else there is none.
    """
    frame: dict[int, int] = {0: 0}
    fresh = [0]
    for place in fresh:  # grows while it is gone through
        for source, turns in changes:
            for i, j in enumerate(source):
                if j == place and i not in frame:
                    frame[i] = (frame[place] + turns[i]) % part.modulus
                    fresh.append(i)
    step = part.modulus
    for source, turns in changes:
        for i, j in enumerate(source):
            step = gcd(step, turns[i] + frame[j] - frame[i])
    alike = all(
        (frame[i] - frame[part.home(piece)]) % step == 0 for i, piece in enumerate(part.pieces)
    )
    if step == 1 or not alike:
        return 1, part.frame
    return step, tuple(frame[i] % step for i in range(len(part.places)))


def _orbit(part: DefinedOrbit, name: str, source: str) -> Orbit:
    places = [part.place(i) for i in range(len(part.places))]
    if not part.stickers:
        homes = tuple(part.home(piece) for piece in part.pieces)
        return Orbit(name, part.piece, tuple(places), part.orientations, homes)
    m = part.orientations
    if m * len(places) > MAX_PLACES:
        raise DefinitionError(
            f"set {part.of.name}: orientations matter for some pieces and not for others; this "
            f"can be read up to {MAX_PLACES} stickers, here are {m * len(places)}",
            source,
        )
    labels: dict[tuple[int, int], int] = {}
    solved = tuple(
        labels.setdefault((piece, s % modulus), len(labels))
        for piece, modulus in zip(part.pieces, part.moduli, strict=True)
        for s in range(m)
    )
    stickers = tuple(f"{place}/{s}" for place in places for s in range(m))
    return Orbit(name, f"{part.piece} sticker", stickers, 1, solved)


def state_of(
    parts: Sequence[DefinedOrbit], patterns: Mapping[str, Pattern]
) -> tuple[list[list[int]], list[list[int]]]:
    """The homes and orientations of the pieces of each part; a StateError names every fault."""
    every, turned, faults = [], [], []
    for part in parts:
        homes, turns, wrong = part.read(patterns[part.of.name])
        faults += wrong
        every.append(homes)
        turned.append(turns)
        if part.orbit is None and any(turns) and not wrong:
            faults.append(
                f"{part.piece} {part.pieces[0] + part.first} is turned, but nothing turns it"
            )
    if faults:
        raise StateError(list(dict.fromkeys(faults)))
    return every, turned
