"""The small tables with which the engine ranks a pairing p reduced by symmetries.

`puzzlekit_cubes.SymPairing` defines pairings, pairs, and first and second places. A symmetry of the
pairing is a permutation s of the pairs of places. It maps p to s p s^-1. So it maps the goal, the
identity, to itself. Each rotation and reflection of the puzzle maps each move to a move, its image.
A permutation s is a candidate if it maps the action of each move on first places and on second
places to the action of the image of the move.

The image of a move need not be a move of the phase: the image of Uw2 may be Dw2. So the module
checks each candidate. For each move m and each symmetry s, there must be an allowed move m' of the
same cost and a symmetry t with

    s after m = m' after t    on first places and on second places.

Then m' leads from s p s^-1 to an image of (p after m) under a symmetry. So all images of p have the
same distance to the goal. This proves the reduction without further assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import perm
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Coordinate, DeclarationError, Move, TableStore
from puzzlekit.coordinates.kinds import unrank_places
from puzzlekit.engine.ranks import Carry
from puzzlekit.puzzle.symmetry import family_images, image_of
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import move_table, moves_identity
from puzzlekit.tables.table import TableSpec
from puzzlekit_cubes.engine.pairing import PairRank
from puzzlekit_cubes.sym_pairing import Step, SymPairing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

VERSION = 1  # increase it when the same declaration gives other numbers
NOWHERE = 0xFFFF  # the entry of impossible images

Permutation = tuple[int, ...]
Price = tuple[int, tuple[int, ...]]


@attrs.frozen(slots=False, eq=False, repr=False)
class PairingNeeds:
    """The inputs from which the classes of a pairing are built.

    The `partner` is another coordinate of the same pruning table, or None. A symmetry maps a joint
    value to another one with the same value of the partner.
    """

    coordinate: SymPairing
    moves: Sequence[Move]
    costs: Sequence[int]
    partner: Coordinate | None = None

    @cached_property
    def identity(self) -> str:
        """A string that identifies the classes, for the keys of tables."""
        coordinate = self.coordinate
        numbers = f"{coordinate.classes} {coordinate.symmetries}"
        mirrors = [sorted(mirror.items()) for mirror in coordinate.puzzle.reflections]
        turned = f"{list(self.costs)} {moves_identity(self.moves)} {mirrors}"
        partner = "" if self.partner is None else f" with {self.partner.identity}"
        return f"pairing {VERSION} {coordinate.identity} {numbers} {turned}{partner}"

    def _key(self, name: str, dtype: str, shape: tuple[int, ...], purpose: str) -> TableSpec:
        coordinate = self.coordinate
        full = f"{coordinate.name} {name}"
        identity = f"{name}: {self.identity}"
        return TableSpec(coordinate.puzzle.name, full, identity, dtype, shape, purpose)

    @property
    def heads_key(self) -> TableSpec:
        """The key of the table with the class and symmetry of each head (see `SymPairing`)."""
        return self._key(
            "heads",
            "u2",
            (self.coordinate.n**self.coordinate.k,),
            f"class and symmetry of where the partners of {self.coordinate.k} places sit",
        )

    @property
    def symmetries_key(self) -> TableSpec:
        """The key of the table with each symmetry s, s^-1, and each product "s, then t"."""
        n, order = self.coordinate.n, self.coordinate.symmetries
        return self._key(
            "symmetries",
            "u1",
            (order, 2 * n + order),
            f"what {order} symmetries make of {n} pairs of places, and products of symmetries",
        )

    def keys(self) -> list[TableSpec]:
        """The keys of both tables."""
        return [self.heads_key, self.symmetries_key]

    def carry(self) -> Carry:
        """Return the action of the moves on the pairing p, which a search stores at each node."""
        effects = self.coordinate.effects(self.moves)
        gather = [(source, bytes(self.coordinate.n)) for source, _ in effects]
        return Carry(gather, bytes(self.coordinate.n), [relabel for _, relabel in effects])


class PairingClasses:
    """The tables of a pairing from the store. Missing tables are built."""

    def __init__(self, store: TableStore, needs: PairingNeeds) -> None:
        self._store = store
        self._needs = needs

    @cached_property
    def heads(self) -> Any:
        """See `PairingNeeds.heads_key`."""
        return self._store.get(self._needs.heads_key, self._heads).data

    @cached_property
    def symmetries(self) -> bytes:
        """See `PairingNeeds.symmetries_key`."""
        return bytes(self._store.get(self._needs.symmetries_key, self._symmetries).data)

    @cached_property
    def engine_rank(self) -> PairRank:
        """The object with which the engine computes the value of a pairing."""
        coordinate = self._needs.coordinate
        return PairRank(
            coordinate.n,
            coordinate.k,
            coordinate.classes,
            coordinate.shift,
            self.heads,
            self.symmetries,
        )

    @cached_property
    def rows(self) -> list[bytes]:
        """The symmetries. Each is a permutation of the numbers of the pairs."""
        n, order = self._needs.coordinate.n, self._needs.coordinate.symmetries
        stride = 2 * n + order
        return [self.symmetries[s * stride : s * stride + n] for s in range(order)]

    def keepers(self) -> npt.NDArray[np.uint64]:
        """For each class a mask. Bit s is 1 if symmetry s fixes the representative of the class."""
        import numpy as np

        coordinate = self._needs.coordinate
        codes, images = _head_images(coordinate, self.rows)
        words = np.asarray(self.heads)[codes]
        mask = (1 << coordinate.shift) - 1
        least = np.minimum.reduce(images)
        chosen = np.flatnonzero(least == codes)
        keepers = np.zeros(coordinate.classes, dtype=np.uint64)
        for s, image in enumerate(images):
            kept = image[chosen] == codes[chosen]
            keepers[words[chosen] >> coordinate.shift] |= kept.astype(np.uint64) << np.uint64(s)
        assert not (words[chosen] & mask).any()  # the identity maps each one to itself
        return keepers

    def _symmetries(self) -> Any:
        import numpy as np

        coordinate = self._needs.coordinate
        group = find_symmetries(self._needs, self._prices())
        if len(group) != coordinate.symmetries:
            raise DeclarationError(
                f"coordinate {coordinate.name}: it has {len(group)} symmetries here, not "
                f"{coordinate.symmetries}"
            )
        rows = []
        for s in group:
            products = [group.index(_after(t, s)) for t in group]
            rows.append([*s, *_inverse(s), *products])
        return np.array(rows, dtype=np.uint8)

    def _prices(self) -> list[Price]:
        """Return for each move its cost and its effect on the partner: the price of the move.

        A symmetry must map each move to a move of the same price.
        """
        partner, moves = self._needs.partner, self._needs.moves
        if partner is None:
            return [(cost, ()) for cost in self._needs.costs]
        table = list(move_table(self._store, partner, moves).data)
        return [(cost, tuple(table[m :: len(moves)])) for m, cost in enumerate(self._needs.costs)]

    def _heads(self) -> Any:
        import numpy as np

        coordinate = self._needs.coordinate
        codes, images = _head_images(coordinate, self.rows)
        least = np.minimum.reduce(images)
        by = np.argmin(np.stack(images), axis=0)  # the first symmetry that leads there
        chosen = np.flatnonzero(least == codes)
        if len(chosen) != coordinate.classes:
            raise DeclarationError(
                f"coordinate {coordinate.name}: there are {len(chosen)} classes of heads, not "
                f"{coordinate.classes}"
            )
        number = np.zeros(coordinate.n**coordinate.k, dtype=np.int64)
        number[codes[chosen]] = np.arange(len(chosen))
        heads = np.full(coordinate.n**coordinate.k, NOWHERE, dtype=np.uint16)
        heads[codes] = (number[least] << coordinate.shift) | by
        return heads


def _head_images(
    coordinate: SymPairing, rows: Sequence[Sequence[int]]
) -> tuple[npt.NDArray[np.int64], list[npt.NDArray[np.int64]]]:
    """Return the indices of all heads, and the indices of their images under each symmetry.

    The head of a pairing p consists of the values p[i] of the head places i. These values are the
    digits of its index.
    """
    import numpy as np

    n, k = coordinate.n, coordinate.k
    count = perm(n, k)
    check_memory(8 * count * (2 * len(rows) + k + 4), f"the classes of {coordinate.name}")
    tuples = unrank_places(np.arange(count), n, k)
    found = []
    for s in [tuple(range(n)), *map(tuple, rows)]:
        back = _inverse(s)
        code = np.zeros(count, dtype=np.int64)
        for i in range(k):
            code = code * n + np.array(s)[tuples[back[i]]]
        found.append(code)
    return found[0], found[1:]


def _after(later: Permutation, earlier: Permutation) -> Permutation:
    """Return the composition of two permutations."""
    return tuple(later[i] for i in earlier)


def _inverse(s: Sequence[int]) -> Permutation:
    back = [0] * len(s)
    for i, image in enumerate(s):
        back[image] = i
    return tuple(back)


def find_symmetries(needs: PairingNeeds, prices: Sequence[Price]) -> list[Permutation]:
    """Return the symmetries of a pairing that map head places to head places.

    A symmetry is a permutation of the pairs of places. It must map each move to an allowed move of
    the same price. `prices` has the price of each move: its cost, and its effect on the partner.
    The identity is the first symmetry. `SymPairing` defines head places.
    """
    coordinate, k = needs.coordinate, needs.coordinate.k
    steps = coordinate.steps(needs.moves)
    found = {tuple(range(coordinate.n))}
    for images in family_images(coordinate.puzzle, needs.moves):
        turned = [
            coordinate.step(image_of(coordinate.puzzle, images, move)) for move in needs.moves
        ]
        if None not in turned:
            found.update(_carrying(steps, [step for step in turned if step is not None]))
    found = {s for s in found if set(s[:k]) == set(range(k))}
    known: dict[Step, set[Price]] = {}
    for step, price in zip(steps, prices, strict=True):
        known.setdefault(step, set()).add(price)
    while True:  # a candidate that needs a rejected candidate is rejected too
        kept = {s for s in found if _is_symmetry(s, found, steps, prices, known)}
        if kept == found:
            break
        found = kept
    if any(_after(s, t) not in found for s in found for t in found):
        raise DeclarationError(
            f"coordinate {coordinate.name}: its symmetries do not form a group; choose "
            "other head places"
        )
    return sorted(found)


def _carrying(steps: Sequence[Step], images: Sequence[Step]) -> list[Permutation]:
    """Return the permutations of pairs that map each step to its image, on all places."""
    n = len(steps[0][0])
    found = []
    for first in range(n):
        s = [-1] * n
        s[0] = first
        known = [0]
        for i in known:  # the loop appends to it
            for step, image in zip(steps, images, strict=True):
                for part, image_part in zip(step, image, strict=True):
                    if s[part[i]] < 0:
                        s[part[i]] = image_part[s[i]]
                        known.append(part[i])
        sound = sorted(s) == list(range(n)) and all(
            s[part[i]] == image_part[s[i]]
            for step, image in zip(steps, images, strict=True)
            for part, image_part in zip(step, image, strict=True)
            for i in range(n)
        )
        if sound:
            found.append(tuple(s))
    return found


def _is_symmetry(
    s: Permutation,
    all_of_them: set[Permutation],
    steps: Sequence[Step],
    prices: Sequence[Price],
    known: dict[Step, set[Price]],
) -> bool:
    """Whether each move has a counterpart: see the docstring of this module."""
    backs = [_inverse(t) for t in all_of_them]
    for (first, second), price in zip(steps, prices, strict=True):
        one, other = _after(s, first), _after(s, second)
        if not any(price in known.get((_after(one, t), _after(other, t)), ()) for t in backs):
            return False
    return True
