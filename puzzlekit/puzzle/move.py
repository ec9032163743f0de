"""Moves: permutations of places with orientation changes.

A state and a move are two things (a state labels places, a move trades them), but both are laid
out alike: for each orbit its labels and then, where pieces can be turned, its orientations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

import attrs

from puzzlekit.errors import DeclarationError

# What a move does: (gather, add), see `Move`.
Effect = tuple[bytes, bytes]


@attrs.frozen(eq=False, repr=False)
class Move:
    r"""A move as it acts on the bytes of a state.

    After the move, byte `j` of the state is `(state[gather[j]] + add[j]) % modulus[j]`, where
    `modulus` is that of the puzzle (0 stands for 256: labels are only moved). `family` and `amount`
    say that this is the base move `family` done `amount` times; `order` times is no move at all.
    Of several moves done at once (see `Puzzle.together`) `parts` lists them, and `order` is 0.

    A move that is not always possible (see `Guard`) has in place of an effect its `cases`: for each
    place of the guarding piece a move, or None. Such a case takes that piece from the place
    `guard_before` to `guard_after`, which are -1 in all other moves; `order` is 0 in both.

    >>> swap = Move("S", "S", 1, 2, bytes([1, 0, 2]), bytes(3))
    >>> act(bytes([7, 8, 9]), swap.gather, swap.add, bytes(3))
    b'\x08\x07\t'
    """

    name: str
    family: str
    amount: int
    order: int
    gather: bytes
    add: bytes
    parts: tuple[Move, ...] = ()
    cases: tuple[Move | None, ...] = ()
    guard_before: int = -1
    guard_after: int = -1

    def __repr__(self) -> str:
        return f"Move({self.name!r})"

    @property
    def effect(self) -> Effect:
        """What two moves of the same effect have in common."""
        return self.gather, self.add


def act(vector: bytes, gather: bytes, add: bytes, modulus: bytes) -> bytes:
    """Apply a move to a vector laid out as a state; shape (n,), dtype bytes.

    Written with whole-string operations: a command makes some thousand products at its start.
    """
    moved = gather.translate(vector.ljust(256))
    if not add.strip(b"\0"):
        return moved
    total = int.from_bytes(moved, "little") + int.from_bytes(add, "little")
    moved = total.to_bytes(len(modulus), "little")
    for start, end, remainders in _turned(modulus):
        moved = moved[:start] + moved[start:end].translate(remainders) + moved[end:]
    return moved


@lru_cache(maxsize=64)
def _turned(modulus: bytes) -> list[tuple[int, int, bytes]]:
    """The stretches of bytes with one modulus, each with a table of remainders."""
    stretches = []
    start = 0
    for m, group in groupby(modulus):
        end = start + len(list(group))
        if m:
            stretches.append((start, end, bytes(value % m for value in range(256))))
        start = end
    return stretches


def compose(first: Effect, second: Effect, modulus: bytes) -> Effect:
    """The effect (gather, add) of doing `first` and then `second`."""
    gather, add = second
    return gather.translate(first[0].ljust(256)), act(first[1], gather, add, modulus)


def no_effect(modulus: bytes) -> Effect:
    r"""The effect of doing nothing.

    >>> no_effect(bytes(3))
    (b'\x00\x01\x02', b'\x00\x00\x00')
    """
    return bytes(range(len(modulus))), bytes(len(modulus))


def invert(effect: Effect, modulus: bytes) -> Effect:
    """The effect that undoes `effect`."""
    gather, add = effect
    back = bytearray(len(gather))
    undo = bytearray(len(gather))
    for j, source in enumerate(gather):
        back[source] = j
        if add[j]:
            undo[source] = modulus[j] - add[j]
    return bytes(back), bytes(undo)


def powers(effect: Effect, modulus: bytes) -> list[Effect]:
    """The effect done 1, 2, ... times, up to the last that is not the identity.

    A DeclarationError where it is no permutation, which would never come back.

    >>> len(powers((bytes([1, 2, 3, 0]), bytes(4)), bytes(4)))
    3
    """
    if sorted(effect[0]) != list(range(len(modulus))) or len(effect[1]) != len(modulus):
        raise DeclarationError(
            f"a move is no permutation of the {len(modulus)} bytes of a state: {effect}"
        )
    found = []
    power = effect
    while power != no_effect(modulus):
        found.append(power)
        power = compose(power, effect, modulus)
    return found


def product(effects: Iterable[Effect], modulus: bytes) -> Effect:
    """The effect of doing several one after the other."""
    done = no_effect(modulus)
    for effect in effects:
        done = compose(done, effect, modulus)
    return done


def permutation_parity(permutation: Sequence[int]) -> int:
    """0 for an even permutation of 0..n-1, 1 for an odd one.

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
