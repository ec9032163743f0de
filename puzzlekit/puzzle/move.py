"""Moves: permutations of places with changes of orientation, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, NamedTuple

import attrs

from puzzlekit.errors import DeclarationError, UsageError

__all__ = [
    "Effect",
    "Given",
    "Step",
    "act",
    "compose",
    "gather_of",
    "gathered",
    "invert",
    "move_names",
    "no_effect",
    "permutation_parity",
    "powers",
    "product",
]


#: For each byte of a state, the number of a byte. A tuple if a state has more than 256 bytes.
Gather = bytes | tuple[int, ...]

#: The effect of a move: the pair of its lists (gather, add). See `Move`.
Effect = tuple[Gather, bytes]


@attrs.frozen(eq=False, repr=False)
class Move:
    r"""A move, described by its effect on the bytes of a state.

    After the move, byte `j` of the state is `(state[gather[j]] + add[j]) % modulus[j]`. Here
    `modulus` is `Puzzle.modulus`. A modulus of 0, for a label, stands for 256.

    >>> swap = Move("S", "S", 1, 2, bytes([1, 0, 2]), bytes(3))
    >>> act(bytes([7, 8, 9]), swap.gather, swap.add, bytes(3))
    b'\x08\x07\t'
    """

    #: The name, such as "R2".
    name: str
    #: The name of the base move.
    family: str
    #: How many times the base move is done.
    amount: int
    #: The number of base moves that restore every state. It is 0 if the move stands for several
    #: moves at once, or if it has a guard.
    order: int
    #: For each byte of the new state, the number of the old byte that is copied there.
    gather: Gather
    #: For each byte of the new state, the number that is added to it.
    add: bytes
    #: The single moves, if this move stands for several moves at once (see `Puzzle.together`).
    parts: tuple[Move, ...] = ()
    #: For a move with a guard (see `Guard`): the case of the move for each place of the guarding
    #: piece; None if the move is not possible there. Such a move has no effect of its own.
    cases: tuple[Move | None, ...] = ()
    #: In a case of a move with a guard: the place of the guarding piece before the move. -1 in
    #: other moves.
    guard_before: int = -1
    #: In a case of a move with a guard: the place of the guarding piece after the move. -1 in
    #: other moves.
    guard_after: int = -1

    def __repr__(self) -> str:
        return f"Move({self.name!r})"

    @property
    def effect(self) -> Effect:
        """The effect (gather, add)."""
        return self.gather, self.add

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """The numbers of the bytes that the move copies from elsewhere, or adds something to."""
        pairs = enumerate(zip(self.gather, self.add, strict=True))
        return tuple(j for j, (source, added) in pairs if source != j or added)


def gather_of(sources: Sequence[int]) -> Gather:
    """Return the numbers of bytes as bytes, or as a tuple if there are more than 256.

    >>> gather_of([1, 0]), gather_of(range(300))[-1]
    (b'\\x01\\x00', 299)
    """
    return bytes(sources) if len(sources) <= 256 else tuple(sources)


def gathered(vector: bytes, gather: Gather) -> bytes:
    """Return the bytes of a vector whose numbers are in `gather`."""
    if isinstance(gather, bytes):
        return gather.translate(vector.ljust(256))
    return bytes(itemgetter(*gather)(vector)) if vector.strip(b"\0") else bytes(len(gather))


def act(vector: bytes, gather: Gather, add: bytes, modulus: bytes) -> bytes:
    """Return a vector with the layout of a state, as it is after a move.

    The function must be fast, because a command computes some thousand products of moves when it
    starts. So each operation handles all bytes at once.
    """
    moved = gathered(vector, gather)
    if not add.strip(b"\0"):
        return moved
    total = int.from_bytes(moved, "little") + int.from_bytes(add, "little")
    moved = total.to_bytes(len(modulus), "little")
    for start, end, remainders in _turned(modulus):
        moved = moved[:start] + moved[start:end].translate(remainders) + moved[end:]
    return moved


def act_on_few(state: bytearray, move: Move, modulus: bytes) -> None:
    """Change a state as a move does, by its changed bytes. Fast if the state is large."""
    gather, add = move.effect
    values = [state[gather[j]] + add[j] for j in move.changed]
    for j, value in zip(move.changed, values, strict=True):
        state[j] = value % (modulus[j] or 256)


def commute(one: Move, other: Move, modulus: bytes) -> bool:
    """Whether two moves commute."""
    if isinstance(one.gather, bytes):
        both = compose(one.effect, other.effect, modulus)
        return both == compose(other.effect, one.effect, modulus)
    (first, added), (second, more) = one.effect, other.effect
    for j in {*one.changed, *other.changed}:
        here, there = second[j], first[j]
        if first[here] != second[there]:
            return False
        if (added[here] + more[j] - more[there] - added[j]) % (modulus[j] or 256):
            return False
    return True


@lru_cache(maxsize=64)
def _turned(modulus: bytes) -> list[tuple[int, int, bytes]]:
    """Return the start and end of each range of bytes with one modulus, and its remainders."""
    stretches = []
    start = 0
    for m, group in groupby(modulus):
        end = start + len(list(group))
        if m:
            stretches.append((start, end, bytes(value % m for value in range(256))))
        start = end
    return stretches


def compose(first: Effect, second: Effect, modulus: bytes) -> Effect:
    """Return the effect (gather, add) of doing `first` and then `second`."""
    gather, add = second
    before = first[0]
    moved = gathered(before, gather) if isinstance(before, bytes) else itemgetter(*gather)(before)
    return moved, act(first[1], gather, add, modulus)


def no_effect(modulus: bytes) -> Effect:
    r"""Return the effect of doing nothing.

    >>> no_effect(bytes(3))
    (b'\x00\x01\x02', b'\x00\x00\x00')
    """
    return gather_of(range(len(modulus))), bytes(len(modulus))


def invert(effect: Effect, modulus: bytes) -> Effect:
    """Return the effect that undoes `effect`."""
    gather, add = effect
    back = [0] * len(gather)
    undo = bytearray(len(gather))
    for j, source in enumerate(gather):
        back[source] = j
        if add[j]:
            undo[source] = modulus[j] - add[j]
    return gather_of(back), bytes(undo)


def powers(effect: Effect, modulus: bytes) -> list[Effect]:
    """Return the powers of an effect in order: the effect itself, its square, and so on.

    The list ends before the power that is the identity. Raises a DeclarationError if the effect is
    not a permutation, because its powers would never become the identity.

    >>> len(powers((bytes([1, 2, 3, 0]), bytes(4)), bytes(4)))
    3
    """
    if sorted(effect[0]) != list(range(len(modulus))) or len(effect[1]) != len(modulus):
        raise DeclarationError(
            f"a move is not a permutation of the {len(modulus)} bytes of a state: {effect}"
        )
    found = []
    power = effect = gather_of(effect[0]), effect[1]
    while power != no_effect(modulus):
        found.append(power)
        power = compose(power, effect, modulus)
    return found


def product(effects: Iterable[Effect], modulus: bytes) -> Effect:
    """Return the effect of doing several effects in sequence."""
    done = no_effect(modulus)
    for effect in effects:
        done = compose(done, effect, modulus)
    return done


def permutation_parity(permutation: Sequence[int]) -> int:
    """Return the parity of a permutation of 0..n-1: 0 if it is even, 1 if it is odd.

    >>> permutation_parity([0, 1, 2]), permutation_parity([1, 0, 2])
    (0, 1)
    """
    seen = [False] * len(permutation)
    parity = 0
    for start in range(len(permutation)):
        length = 0
        place = start
        while not seen[place]:
            seen[place] = True
            place = permutation[place]
            length += 1
        parity ^= length > 0 and (length - 1) & 1
    return parity


class Step(NamedTuple):
    """One move or several simultaneous moves, with their cost.

    >>> str(Step((Move("R'", "R", 3, 4, b"", b""), Move("L2", "L", 2, 4, b"", b"")), 3))
    "R' + L2"
    """

    moves: tuple[Move, ...]
    cost: int

    def __str__(self) -> str:
        return " + ".join(move.name for move in self.moves)


@attrs.frozen(eq=False, repr=False)
class Metric:
    """The costs of moves. The cost of a move does not depend on the moves before.

    In a subclass, costs may depend on earlier moves. Then `counts` is false, and `steps` may
    combine several moves. A search needs a subclass of `puzzlekit.search.step_metric.StepMetric`.

    >>> half = Move("R2", "R", 2, 4, b"", b"")
    >>> Metric("HTM", "half turns", {"R": 1}).cost(half)
    1
    >>> Metric("QTM", "quarter turns", {"R": 1}, per_turn=True).cost(half)
    2
    """

    #: What the metric is called in messages.
    kind: ClassVar[str] = "metric"
    #: Whether each move has a cost of its own, which does not depend on earlier moves.
    counts: ClassVar[bool] = True

    #: The short name, such as "HTM".
    name: str
    #: A description in words.
    title: str
    #: The cost of the base move of each family.
    weights: Mapping[str, int]
    #: If True, the cost of the base move is multiplied by the number of base moves in the shorter
    #: direction. R2 then costs twice as much as R. If False, all powers of a base move cost the
    #: same.
    per_turn: bool = False
    _costs: dict[Move, int] = attrs.field(init=False, factory=dict)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def cost(self, move: Move) -> int:
        """Return the cost of one move; 0 for a rotation of the whole puzzle."""
        several = self.per_turn and move.order
        turns = min(move.amount, move.order - move.amount) if several else 1
        return self.weights[move.family] * turns

    def total(self, moves: Iterable[Move]) -> int:
        """Return the total cost of several moves."""
        costs = self._costs
        listed = tuple(moves)
        try:
            return sum(map(costs.__getitem__, listed))
        except KeyError:
            costs.update((move, self.cost(move)) for move in listed)
        return sum(map(costs.__getitem__, listed))

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """Return the moves as steps with their costs. Each step has one move."""
        return tuple(Step((move,), self.cost(move)) for move in moves)


# A position as an argument: text, a state, or a list of moves or names of moves.
Given = str | bytes | Iterable[str | Move]


def move_names(given: object) -> str | None:
    """Return the names of moves in a list, as one string; None if `given` is not a list.

    >>> move_names(["R", "U2"])
    'R U2'
    >>> move_names([1, 2])
    Traceback (most recent call last):
    puzzlekit.errors.UsageError: a move in a list is a name or a Move, not int
    """
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping, Set)):
        return None
    names = []
    for each in given:
        name = each.name if isinstance(each, Move) else each
        if not isinstance(name, str):
            raise UsageError(f"a move in a list is a name or a Move, not {type(name).__name__}")
        names.append(name)
    return " ".join(names)
