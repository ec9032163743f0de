"""Group the moves of a definition into families: a base move and its powers.

`with_derived` makes the derived moves and omits rotations of the whole puzzle. `families_of` groups
the moves into families. A move that equals a power of another move becomes a second name of the
power.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import gcd, lcm

import attrs

from puzzlekit import DeclarationError, NotationError
from puzzlekit.errors import DefinitionError
from puzzlekit.puzzle.move import Effect, gather_of, invert, no_effect, powers, product
from puzzlekit.puzzle.notation import Notation
from puzzlekit_definitions.definition import (
    MAX_WRITTEN,
    Change,
    DefinedMove,
    Definition,
    DerivedMove,
    Set,
    no_change,
    repeated,
)
from puzzlekit_definitions.orbits import DefinedOrbit, effect_of

MAX_FAMILIES = 127  # moves that are not powers of each other
MAX_ORDER = 1000
_MOST_NUMBERS = 50_000_000  # of all powers of all moves together
_MOST_STEPS = 5_000  # moves that all derived moves together are made of
_MOST_ROUNDS = 20  # levels of derived moves that are made of derived moves

# Names that turn the whole puzzle, by the custom of these formats.
_ROTATION = re.compile(r"[xyz]|[A-Z_]+v")
_NAME = re.compile(r"(.*?)([0-9]*)(['\u2019]*)")


@attrs.frozen
class Families:
    """The families of moves.

    `turns` maps the name of each family to the effect of its base move. If a move
    equals a power of a family, `aliases` maps the name of the move to this family and the amount.
    `amounts` has, for each family, its powers that are moves of the file, and no second names.
    `notes` are sentences that `--explain` prints.
    """

    turns: Mapping[str, Effect]
    aliases: Mapping[str, tuple[str, int]]
    amounts: Mapping[str, tuple[int, ...]]
    notes: tuple[str, ...]

    def family(self, name: str) -> str | None:
        """Return the family of a move of the file; None if the move has no effect."""
        for each in (name, _unprimed(name), _split(name)[0]):
            if each in self.aliases:
                return self.aliases[each][0]
            if each in self.turns:
                return each
        return None


def with_derived(definition: Definition) -> tuple[DefinedMove, ...]:
    """Return all moves, with derived moves, but without rotations of the whole puzzle."""
    known = {move.name: move for move in definition.moves}
    if (again := repeated([move.name for move in definition.moves])) is not None:
        twice = definition.moves[again]
        problem = f"there is already a move {twice.name}: use another name"
        raise DefinitionError(problem, definition.source, twice.where)
    maker = _Maker(definition.sets, definition.source)
    left = list(definition.derived)
    for move in left:
        if len(move.text) > MAX_WRITTEN:
            problem = f"{move.name} is written in more than {MAX_WRITTEN} characters"
            raise DefinitionError(problem, definition.source, move.where)
    rounds = 0
    while left:
        rounds += 1
        notation = maker.notation(known.values())
        waiting: list[DerivedMove] = []
        problem = ""
        for move in left:
            try:
                parsed = notation.parse(move.text)
            except NotationError as error:
                waiting.append(move)
                problem = str(error)
                continue
            if move.name in known:
                problem = f"there is already a move {move.name}: use another name"
                raise DefinitionError(problem, definition.source, move.where)
            known[move.name] = maker.made(move, parsed, known)
        if waiting and rounds == _MOST_ROUNDS:
            problem = f"it is nested more than {rounds} levels deep"
        if waiting and (len(waiting) == len(left) or rounds == _MOST_ROUNDS):
            raise DefinitionError(
                f"{waiting[-1].name} cannot be made: {problem}",
                definition.source,
                waiting[-1].where,
            )
        left = waiting
    return tuple(move for move in known.values() if not is_rotation(move.name))


def is_rotation(name: str) -> bool:
    """Whether a name means a rotation of the whole puzzle: x, y, z, or capitals and v (Uv).

    >>> [is_rotation(name) for name in ("x", "Uv", "y2", "U", "Rw")]
    [True, True, True, False, False]
    """
    stem = _NAME.fullmatch(name)[1]  # type: ignore[index]
    return bool(_ROTATION.fullmatch(stem))


def _unprimed(name: str) -> str:
    return name.rstrip("'\u2019")


def _split(name: str) -> tuple[str, int, bool]:
    """Split a name such as R2' into the letter, the amount, and whether it is an inverse."""
    stem, digits, primes = _NAME.fullmatch(name).groups()  # type: ignore[union-attr]
    return stem, int(digits or 1), bool(len(primes) % 2)


class _Maker:
    """Makes derived moves on all sets of the definition."""

    def __init__(self, sets: Sequence[Set], source: str) -> None:
        self.sets = sets
        self.source = source
        self.modulus = b"".join(
            bytes(of.size) + bytes([of.orientations]) * of.size * (of.orientations > 1)
            for of in sets
        )
        self.steps = 0

    def effect(self, move: DefinedMove) -> Effect:
        """Return the effect of a move as bytes."""
        return _joined(
            effect_of(move.changes.get(of.name) or no_change(of), of.orientations)
            for of in self.sets
        )

    def notation(self, known: Iterable[DefinedMove]) -> Notation:
        """Return the notation of the known moves.

        A move whose name means a power of another move, such as `R2`, is read as this power.
        """
        orders = {move.name: max(2, order_of(self.effect(move), self.modulus)) for move in known}
        plain = {}
        for name, order in orders.items():
            stem, _, inverse = _split(name)
            if not inverse and (stem == name or stem not in orders):
                plain[name] = order
        return _notation(plain, {}, self.source)

    def made(
        self, move: DerivedMove, parsed: Sequence[tuple[str, int]], known: Mapping[str, DefinedMove]
    ) -> DefinedMove:
        """Return a derived move that is made of the `parsed` moves."""
        self.steps += len(parsed)
        if self.steps > _MOST_STEPS:
            problem = f"derived moves consist of more than {_MOST_STEPS:,} moves"
            raise DefinitionError(problem, self.source, move.where)
        effects = (
            _power(self.effect(known[name]), amount, self.modulus) for name, amount in parsed
        )
        gather, add = product(effects, self.modulus)
        changes = {}
        start = 0
        for of in self.sets:
            turned = start + of.size
            source = tuple(byte - start for byte in gather[start:turned])
            start = turned + of.size * (of.orientations > 1)
            changes[of.name] = Change(source, tuple(add[turned:start]) or (0,) * of.size)
        return DefinedMove(move.name, changes, move.where)


def families_of(
    definition: Definition,
    moves: Sequence[DefinedMove],
    parts: Sequence[DefinedOrbit],
    modulus: bytes,
) -> Families:
    """Return the families of the moves.

    Raise a DefinitionError if the name of a move contradicts its effect.
    """
    moving = [part for part in parts if part.orbit is not None]
    effects = {
        move.name: _joined(
            part.effect(move.changes.get(part.of.name) or no_change(part.of)) for part in moving
        )
        for move in moves
    }
    where = {move.name: move.where for move in moves}
    notes = []
    bases = {name: effect for name, effect in effects.items() if name == _unprimed(name)}
    turns: dict[str, Effect] = {}
    orders: dict[str, int] = {}
    for name, effect in effects.items():
        stem, amount, inverse = _split(name)
        family = _unprimed(name)
        if effect == no_effect(modulus):
            notes.append(f"{name} has no effect and is left out")
        elif family not in bases and stem not in bases:  # a name with a prime, and none without
            notes.append(f"{name} is read as the inverse of {family}")
            bases[family] = invert(effect, modulus) if inverse else effect
            turns[family] = bases[family]
        elif family == name and (stem == name or stem not in bases):
            turns[name] = effect
        else:
            family, times = (stem, amount) if stem in bases else (family, 1)
            if _power(bases[family], -times if inverse else times, modulus) != effect:
                raise DefinitionError(
                    f"{name} is not a power of {family}, but the name {name} means a power of "
                    f"{family}: rename the move",
                    definition.source,
                    where[name],
                )
    left = _MOST_NUMBERS
    for family, effect in turns.items():
        orders[family] = order_of(effect, modulus)
        left -= orders[family] * len(modulus)
        if orders[family] > MAX_ORDER:
            raise DefinitionError(
                f"{family} has the order {orders[family]:,}, but at most {MAX_ORDER:,} is "
                "possible: leave out this move",
                definition.source,
                where.get(family, ""),
            )
        if left < 0:
            problem = f"all powers of the moves have more than {_MOST_NUMBERS:,} numbers together"
            raise DefinitionError(problem, definition.source, where.get(family, ""))
    return _sorted_out(definition, effects, turns, orders, modulus, notes)


def _sorted_out(
    definition: Definition,
    effects: Mapping[str, Effect],
    turns: Mapping[str, Effect],
    orders: Mapping[str, int],
    modulus: bytes,
    notes: list[str],
) -> Families:
    """Return the families, after replacing moves that equal a power of another move by aliases."""
    only_names = {each.name for each in definition.derived if each.alias}
    listed = sorted(turns, key=lambda name: (name in only_names, -orders[name], len(name)))
    source: dict[Effect, tuple[str, int]] = {}
    aliases: dict[str, tuple[str, int]] = {}
    moves = {effect for name, effect in effects.items() if name not in only_names}
    amounts: dict[str, tuple[int, ...]] = {}
    for family in listed:
        effect = turns[family]
        if effect in source:
            aliases[family] = source[effect]
        elif family in only_names:
            raise DefinitionError(
                f"{family} is a MoveAlias, but no move has this effect", definition.source
            )
        else:
            own = powers(effect, modulus)
            for amount, power in enumerate(own, 1):
                source.setdefault(power, (family, amount))
            amounts[family] = (1, *(i for i, each in enumerate(own, 1) if each in moves and i > 1))
    families = {family: effect for family, effect in turns.items() if family not in aliases}
    if not families:
        raise DefinitionError("no move has an effect", definition.source)
    if len(families) > MAX_FAMILIES:
        raise DefinitionError(
            f"the definition has {len(families)} moves, not counting powers of moves, but at most "
            f"{MAX_FAMILIES} are possible: define fewer moves",
            definition.source,
        )
    notation = _notation(
        {family: orders[family] for family in families}, aliases, definition.source
    )
    notes += [f"{name} is {notation.name(*aliases[name])}" for name in aliases]
    return Families(families, aliases, amounts, tuple(notes))


def _notation(
    orders: Mapping[str, int], aliases: Mapping[str, tuple[str, int]], source: str
) -> Notation:
    try:
        return Notation(orders, aliases)
    except DeclarationError as error:
        raise DefinitionError(str(error), source) from None


def _joined(effects: Iterable[tuple[list[int], list[int]]]) -> Effect:
    """Return one effect that joins the effects on consecutive groups of bytes."""
    gather: list[int] = []
    add: list[int] = []
    for own, turned in effects:
        start = len(gather)
        gather += [start + byte for byte in own]
        add += turned
    return gather_of(gather), bytes(add)


def order_of(effect: Effect, modulus: bytes) -> int:
    """Return the order of an effect.

    >>> order_of((bytes([1, 0, 3, 4, 2]), bytes(5)), bytes(5))
    6
    """
    gather, add = effect
    order = 1
    for start in range(len(gather)):
        length, turned, byte = 0, 0, start
        while not length or byte != start:
            turned += add[byte]
            byte = gather[byte]
            length += 1
        if modulus[start]:
            length *= modulus[start] // gcd(modulus[start], turned)
        order = lcm(order, length)
    return order


@lru_cache(maxsize=1024)
def shortest_sums(order: int, amounts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the shortest sum of amounts and negative amounts for each number modulo `order`.

    >>> shortest_sums(7, (1, 3))
    ((), (1,), (1, 1), (3,), (-3,), (1, -3), (-1,))
    """
    found: dict[int, tuple[int, ...]] = {0: ()}
    for number in (queue := [0]):  # the loop appends to it
        for amount in (*amounts, *(-each for each in amounts)):
            if (near := (number + amount) % order) not in found:
                found[near] = (*found[number], amount)
                queue.append(near)
    return tuple(found[number] for number in range(order))


def _power(effect: Effect, amount: int, modulus: bytes) -> Effect:
    """Return a power of an effect, by squaring. A negative amount means the inverse."""
    if amount < 0:
        effect, amount = invert(effect, modulus), -amount
    done = no_effect(modulus)
    while amount:
        if amount & 1:
            done = product([done, effect], modulus)
        effect = product([effect, effect], modulus)
        amount >>= 1
    return done
