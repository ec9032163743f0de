"""Convert the sets of a definition to the orbits of a puzzle.

A set may contain more than the puzzle needs: places between which no move carries a piece,
orientations that never change or do not matter, or a solved state with other orientations than 0.
An orbit contains only places among which moves carry pieces, and orientations that can be
distinguished. In the solved state, all orientations of an orbit are 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from random import Random

import attrs

from puzzlekit import Orbit, StateError
from puzzlekit.errors import DefinitionError
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit_definitions.definition import (
    MAX_BYTES,
    MAX_ORBITS,
    MAX_TRADING,
    Change,
    DefinedMove,
    Definition,
    Pattern,
    Set,
)

_ORDERS = 30  # orders of the moves that are tried
_MOST = 20_000_000  # steps of all these orders, about
_SHARE = 0.01  # of an orbit that a move does not turn, against a move that turns no piece at all


class _References:
    """The references of the places of one orbit, as far as moves that turn nothing set them."""

    def __init__(self, count: int, modulus: int) -> None:
        self._modulus = modulus
        self._above = list(range(count))
        self._offset = [0] * count

    def reference(self, place: int) -> tuple[int, int]:
        """Return the first of the places linked with a place, and the reference relative to it."""
        offset = 0
        while self._above[place] != place:
            offset += self._offset[place]
            place = self._above[place]
        return place, offset % self._modulus

    def link(self, change: Change) -> bool:
        """Set references so that a move turns no piece; return False if that is impossible."""
        above, offsets = self._above[:], self._offset[:]
        for place, (source, turn) in enumerate(zip(*change, strict=True)):
            (one, own), (other, its) = self.reference(place), self.reference(source)
            more = (own - turn - its) % self._modulus
            if one != other:
                self._above[other] = one
                self._offset[other] = more
            elif more:
                self._above, self._offset = above, offsets
                return False
        return True


def references(moduli: Sequence[int], moves: Sequence[Sequence[Change]]) -> list[tuple[int, ...]]:
    """Return for each orbit the reference orientation of each place.

    Random orders of the moves are tried. In each order, the references are set so that each move in
    turn, or else one of its powers, turns no piece of an orbit.

    Parameters
    ----------
    moduli
        The number of orientations of each orbit.
    moves
        For each move its change of each orbit.
    """
    counts = [len(change.source) for change in moves[0]] if moves else []
    orders = min(_ORDERS, _MOST // max(1, 5 * sum(counts) * len(moves)))
    powers = [
        [_powers(change, modulus) for change, modulus in zip(move, moduli, strict=True)]
        for move in moves
    ]
    rng = Random(1)
    best = -1.0
    found = [_References(count, modulus) for count, modulus in zip(counts, moduli, strict=True)]
    for _ in range(orders if moduli else 0):
        frames = [
            _References(count, modulus) for count, modulus in zip(counts, moduli, strict=True)
        ]
        score = 0.0
        for move in rng.sample(powers, len(powers)):
            least = 1
            for own, frame in zip(move, frames, strict=True):
                works = (power for power, change in own.items() if frame.link(change))
                power = next(works, 0)
                score += _SHARE / power if power else 0
                least = max(least, power) if power and least else 0
            score += 1 / least if least else 0
        if score > best:
            best, found = score, frames
    return [
        tuple(frame.reference(place)[1] for place in range(count))
        for frame, count in zip(found, counts, strict=True)
    ]


def _powers(change: Change, modulus: int) -> Mapping[int, Change]:
    """Return the powers of a change from which the others do not follow, the change first."""
    found = {1: change}
    nothing = Change(tuple(range(len(change.source))), (0,) * len(change.source))
    power = change
    number = 1
    while power != nothing:
        found[number] = power
        number += 1
        power = Change(
            tuple(power.source[j] for j in change.source),
            tuple((turn + power.turns[j]) % modulus for j, turn in zip(*change, strict=True)),
        )
    return {each: own for each, own in found.items() if number % each == 0 and each < number}


@attrs.frozen(eq=False)
class DefinedOrbit:
    """A part of a set: places among which the moves carry pieces.

    `places` are the places of the part, as indices in the set. `orientations` is the number of
    orientations in the orbit. An orientation o of the orbit is the orientation o * `step` of the
    definition, plus an offset. `modulus` is orientations * step. The offset is `frame[i] - frame[j]
    + solved[i]` for a piece at place i that is solved at place j. `orbit` is None if no move ever
    moves or turns a piece of the part.

    `moduli` has, for each place, the modulus of the orientation of the piece that is solved there.
    If these moduli differ, the orbit consists of `stickers` instead of pieces: each place has one
    sticker for each orientation. Two stickers of a piece are alike if the two orientations count as
    equal.
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
        """Whether the orbit consists of stickers."""
        return len(set(self.moduli)) > 1

    @property
    def orientations(self) -> int:
        """The number of orientations of the orbit."""
        return self.modulus // self.step

    @property
    def distinct(self) -> bool:
        """Whether no two pieces are alike."""
        return len(set(self.pieces)) == len(self.pieces)

    @property
    def piece(self) -> str:
        """The name of one piece in messages."""
        return singular(self.of.name)

    def place(self, index: int) -> str:
        """The name of a place: its number in the definition."""
        return self.number(self.places[index])

    def number(self, place: int) -> str:
        """The name of a place of the set, or of the piece that is solved there."""
        return self.of.names[place] if self.of.names else str(place + self.first)

    def change(self, change: Change) -> Change:
        """Return the change of this part, from the change of the whole set."""
        source = tuple(self.places.index(change.source[place]) for place in self.places)
        turns = []
        for i, j in enumerate(source):
            turn = change.turns[self.places[i]] + self.solved[j] - self.solved[i]
            turn += self.frame[j] - self.frame[i]
            turns.append(turn % self.modulus // self.step)
        return Change(source, tuple(turns))

    def effect(self, change: Change) -> tuple[list[int], list[int]]:
        """Return the effect (gather, add) of a change on the bytes of the orbit."""
        own = self.change(change)
        if self.stickers:
            gather = stickers_from(*own, self.orientations)
            return gather, [0] * len(gather)
        return effect_of(own, self.orientations)

    def home(self, piece: int) -> int:
        """Return the first place where a piece with this number is solved."""
        return self.pieces.index(piece)

    def read(self, pattern: Pattern) -> tuple[list[int], list[int], list[str]]:
        """Return the homes and orientations of the pieces in a state, and its faults."""
        faults = []
        there = [pattern.pieces[place] for place in self.places]
        for piece in sorted(set(there) - set(self.pieces)):
            at = there.index(piece)
            faults.append(
                f"{self.piece} {self.number(piece)} is at {self.place(at)}, where no move brings it"
            )
        for piece in dict.fromkeys(self.pieces):
            wanted, found = self.pieces.count(piece), there.count(piece)
            if found != wanted and not (faults and found < wanted):
                times = f"{found} times" if wanted == 1 else f"{found} times, not {wanted}"
                word = "missing" if not found else f"there {times}"
                faults.append(f"{self.piece} {self.number(piece)} is {word}")
        if faults:
            return [], [], faults
        homes = [self.home(piece) for piece in there]
        turns = []
        for i, j in enumerate(homes):
            turn = pattern.turns[self.places[i]] - self.solved[i] - self.frame[i] + self.frame[j]
            name = f"{self.piece} {self.number(there[i])} at {self.place(i)}"
            if pattern.moduli[self.places[i]] % self.moduli[j]:
                faults.append(f"the orientation of {name} is '?', but it matters")
            elif turn % self.modulus % self.step:
                faults.append(f"{name} has an orientation that no move gives it")
            turns.append(turn % self.modulus // self.step)
        return homes, turns, faults

    def write(self, homes: Sequence[int], turns: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the pieces and orientations in the numbers of the definition."""
        found = []
        for i, (j, turn) in enumerate(zip(homes, turns, strict=True)):
            turn = turn * self.step + self.solved[i] + self.frame[i] - self.frame[j]
            found.append(turn % self.moduli[j])
        return [self.pieces[j] for j in homes], found

    def pack(self, homes: Sequence[int], turns: Sequence[int]) -> bytes:
        """Return the bytes of the orbit."""
        if not self.stickers:
            return bytes(homes) + (bytes(turns) if self.orientations > 1 else b"")
        assert self.orbit is not None
        return bytes(
            map(self.orbit.solved.__getitem__, stickers_from(homes, turns, self.orientations))
        )

    def unpack(self, part: bytes) -> tuple[list[int], list[int]]:
        """Return the homes and orientations of the pieces, from the bytes of the orbit."""
        n, m = len(self.places), self.orientations
        if not self.stickers:
            return list(part[:n]), list(part[n:]) if m > 1 else [0] * n
        assert self.orbit is not None
        # The first stickers with these labels.
        homes, turns = pieces_from([self.orbit.solved.index(label) for label in part[::m]], m)
        return homes, [turn % self.moduli[j] for j, turn in zip(homes, turns, strict=True)]


def effect_of(change: Change, orientations: int) -> tuple[list[int], list[int]]:
    """Return the effect (gather, add) of a change on the bytes of an orbit."""
    source, turns = change
    n = len(source)
    if orientations == 1:
        return list(source), [0] * n
    return [*source, *(n + j for j in source)], [*([0] * n), *turns]


def stickers_from(source: Sequence[int], turns: Sequence[int], m: int) -> list[int]:
    """Return the origin of each sticker, if each piece has m stickers that rotate in a cycle.

    >>> stickers_from([1, 0], [0, 2], 3)
    [3, 4, 5, 1, 2, 0]
    """
    return [j * m + (s - turn) % m for j, turn in zip(source, turns, strict=True) for s in range(m)]


def pieces_from(firsts: Sequence[int], m: int) -> tuple[list[int], list[int]]:
    """Invert `stickers_from`, from the origin of the first sticker of each place."""
    return [first // m for first in firsts], [-first % m for first in firsts]


def defined_orbits(definition: Definition, moves: Sequence[DefinedMove]) -> list[DefinedOrbit]:
    """Return the parts of all sets, in the order of the sets: places that moves connect."""
    parts: list[DefinedOrbit] = []
    for of in definition.sets:
        changes = [move.changes[of.name] for move in moves if of.name in move.changes]
        found = orbits_of(of.size, [change.source for change in changes])
        parts += [_part(definition, of, places, changes, len(found) == 1) for places in found]
    if not definition.has_orientations:
        parts = _framed(parts, moves)
    names = [part.orbit.name for part in parts if part.orbit]
    for name in names:
        if names.count(name) > 1:
            raise DefinitionError(f"two sets have places named {name}", definition.source)
    if len(names) > MAX_ORBITS:
        problem = f"the places split into {len(names)} orbits; at most {MAX_ORBITS} are possible"
        raise DefinitionError(problem, definition.source)
    if sum(part.orbit.width for part in parts if part.orbit) > MAX_BYTES:
        raise DefinitionError(f"a state has more than {MAX_BYTES:,} numbers", definition.source)
    return parts


def singular(name: str) -> str:
    """Return the name of one piece of a set.

    >>> singular("CORNERS"), singular("Edge"), singular("S")
    ('corner', 'edge', 's')
    """
    name = name.lower()
    return name[:-1] if name.endswith("s") and len(name) > 2 else name


def _part(
    definition: Definition, of: Set, places: tuple[int, ...], changes: Sequence[Change], whole: bool
) -> DefinedOrbit:
    if len(places) > MAX_TRADING:
        problem = f"{len(places)} places of {of.name} trade pieces; at most {MAX_TRADING} may"
        raise DefinitionError(problem, definition.source)
    pattern = definition.solved[of.name]
    pieces = tuple(pattern.pieces[place] for place in places)
    moduli = tuple(pattern.moduli[place] for place in places)
    for i, piece in enumerate(pieces):
        if moduli[i] != moduli[pieces.index(piece)]:
            raise DefinitionError(
                f"the orientation of {singular(of.name)} {piece + definition.first} matters at one "
                "of its places but not at another",
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


def _framed(parts: Sequence[DefinedOrbit], moves: Sequence[DefinedMove]) -> list[DefinedOrbit]:
    """Return the parts with references for orientations that many moves keep."""
    turned = [part for part in parts if part.orbit and part.distinct and part.orientations > 1]
    turned = [part for part in turned if not part.stickers]
    changes = [
        [
            part.change(move.changes[part.of.name])
            if part.of.name in move.changes
            else Change(tuple(range(len(part.places))), (0,) * len(part.places))
            for part in turned
        ]
        for move in moves
    ]
    better = references([part.orientations for part in turned], changes)
    found = list(parts)
    for part, own in zip(turned, better, strict=True):
        frame = tuple(
            (old + turn * part.step) % part.modulus
            for old, turn in zip(part.frame, own, strict=True)
        )
        found[parts.index(part)] = attrs.evolve(part, frame=frame)
    return found


def _frame(part: DefinedOrbit, changes: Sequence[Change]) -> tuple[int, tuple[int, ...]]:
    """Return the step of the rotations of pieces, and the reference orientation of each place.

    A spanning tree of moves carries the reference from the first place to the others. Relative to
    the reference, every rotation is a multiple of the step. Alike pieces need the same reference.
    If their references differ, the step is 1 and all references are 0.
    """
    frame: dict[int, int] = {0: 0}
    fresh = [0]
    for place in fresh:  # grows during the loop
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
    if m * len(places) > MAX_TRADING:
        raise DefinitionError(
            f"set {part.of.name}: orientations matter only for some pieces, so "
            f"{m * len(places)} stickers are read as places, but at most {MAX_TRADING} places "
            "are possible",
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
    """Return the homes and orientations of the pieces of each part.

    Raise a StateError that names every fault of the state.
    """
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
