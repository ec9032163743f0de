"""Bring a state to where the words of a library solve the rest: blocks, parities and hard orbits.

The moves act on points: the stickers of orbits that the library does not solve, the blocks of
places that moves exchange, the parity of each block, and the sum of its orientations. A chain of
stabilisers of these points brings all of them home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit import TableStore
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.tables.table import TableSpec
from puzzlekit_universal.places import Places
from puzzlekit_universal.stabiliser_chain import StabiliserChain
from puzzlekit_universal.word_library import Block

_State = tuple[list[int], list[int]]  # labels and orientations
_Numbers = Sequence[int] | Mapping[int, int]
_VERSION = 3
_MOST_BYTES = 1 << 18  # of a chain in the store
_SECONDS = 60.0  # after which the search of a beginning ends


class Beginnings:
    """Words after which a library can solve the rest of a state."""

    def __init__(
        self, places: Places, blocks: Sequence[Block], store: TableStore, effort: int
    ) -> None:
        self._places = places
        self.blocks = self._usable(blocks)
        count = len(places.modulus)
        #: The block of each place; -1 for places that the chain solves.
        self.block = [-1] * count
        self._within = [-1] * count  # the number of a place in its block
        for number, block in enumerate(self.blocks):
            for within, place in enumerate(block.places):
                self.block[place] = number
                self._within[place] = within
        self._signs: dict[int, int] = {}  # first point of the parity of a block
        self._sums: dict[int, int] = {}
        self._stickers: dict[int, int] = {}
        points = 0
        order = []
        for number, block in enumerate(self.blocks):
            self._signs[number] = points
            order.append(points)
            points += 2 if block.even else 1
            self._sums[number] = points
            order.append(points)
            points += block.step
        hard = [place for place in range(count) if self.block[place] < 0]
        sizes = {orbit: places.orbit.count(orbit) for orbit in set(places.orbit)}
        for place in sorted(hard, key=lambda each: (-sizes[places.orbit[each]], each)):
            self._stickers[place] = points
            order.append(points)
            points += places.modulus[place]
        self._of = self._origins(points)
        pairs = zip(places.targets, places.turns, strict=True)
        images = [self._image(target, turn, points) for target, turn in pairs]
        engine = places.engine
        self.chain = StabiliserChain(images, places.costs, places.inverses, engine.shortened, order)
        if order:
            self._prepare(store, f"{_VERSION} {images} {order} {places.costs}", effort)

    def _prepare(self, store: TableStore, identity: str, effort: int) -> None:
        """Take the chain from the store, or fill it. A chain that is too long is not stored."""
        key = TableSpec(
            self._places.puzzle.name,
            "chain",
            f"chain of stabilisers {identity} {effort}",
            "u1",
            (_MOST_BYTES,),
            "Has sequences of moves for the pieces that no short words of 3-cycles solve.",
        )

        def built() -> bytes:
            self.chain.fill(effort, lambda share: store.tell(key, share))
            packed = self.chain.packed()
            size = len(packed) + 4
            if size > _MOST_BYTES:
                return bytes(_MOST_BYTES)
            return (size.to_bytes(4, "little") + packed).ljust(_MOST_BYTES, b"\0")

        data = store.get(key, built).data
        size = int.from_bytes(bytes(data[:4]), "little")
        if self.chain.base:
            return
        if size:
            self.chain.unpack(bytes(data[4:size]))
        else:
            self.chain.fill(effort, lambda _: None)

    def _usable(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Return the blocks that moves exchange as wholes, without alike pieces in several."""
        places = self._places
        of = {place: number for number, block in enumerate(blocks) for place in block.places}
        wrong = set()
        for target in places.targets:
            for number, block in enumerate(blocks):
                reached = {of.get(target[place], -1) for place in block.places}
                if len(reached) > 1 or (not block.even and reached != {number}):
                    wrong |= {places.orbit[block.places[0]]}
        return tuple(block for block in blocks if places.orbit[block.places[0]] not in wrong)

    def _origins(self, points: int) -> list[tuple[str, int, int]]:
        """For each point its kind, its block or place, and its number there."""
        found = [("", 0, 0)] * points
        for number, first in self._signs.items():
            for s in range(2 if self.blocks[number].even else 1):
                found[first + s] = "sign", number, s
        for number, first in self._sums.items():
            for s in range(self.blocks[number].step):
                found[first + s] = "sum", number, s
        for place, first in self._stickers.items():
            for s in range(self._places.modulus[place]):
                found[first + s] = "sticker", place, s
        return found

    def _image(self, target: Sequence[int], turn: Sequence[int], points: int) -> list[int]:
        """Return the point to which a move, or another permutation, brings each point."""
        image = list(range(points))
        for place, first in self._stickers.items():
            m = self._places.modulus[place]
            for s in range(m):
                image[first + s] = self._stickers[target[place]] + (s + turn[place]) % m
        for number, block in enumerate(self.blocks):
            to, parity, total = self._moved(block, target, turn)
            for s in range(2 if block.even else 1):
                image[self._signs[number] + s] = self._signs[to] + (
                    (s + parity) % 2 if block.even else 0
                )
            for s in range(block.step):
                image[self._sums[number] + s] = self._sums[to] + (s + total) % block.step
        return image

    def _moved(self, block: Block, target: _Numbers, turn: _Numbers) -> tuple[int, int, int]:
        """Return the block to which a block goes, the parity on the way, and the turns.

        `target` and `turn` have numbers for the places of the block.
        """
        to = self.block[target[block.places[0]]]
        parity = permutation_parity([self._within[target[place]] for place in block.places])
        return to, parity, sum(turn[place] for place in block.places)

    def word(
        self,
        labels: Sequence[int],
        turns: Sequence[int],
        first: bytes = b"",
        seconds: float = _SECONDS,
    ) -> bytes | None:
        """Return a word that begins with `first`, after which the library solves a state.

        Returns None if there is no such word, or if none is found within some seconds.
        """
        places = self._places
        if not self.chain.base:
            return first

        seen: list[Any] = [None, {}]  # the labels of a state, and the place of each label

        def choices(state: _State, base: int) -> list[int]:
            at, by = state
            kind, number, _ = self._of[base]
            if kind == "sticker":
                wanted = places.wanted[number]
                return [
                    self._stickers[place] + by[place]
                    for place in self._stickers
                    if at[place] == wanted
                ]
            block = self.blocks[number]
            if not block.even:
                if kind == "sign":
                    return [base]
                return [base + sum(by[place] for place in block.places) % block.step]
            if at is not seen[0]:
                seen[:] = at, {label: place for place, label in enumerate(at)}
            target = {place: seen[1][places.wanted[place]] for place in block.places}
            if len({self.block[place] for place in target.values()}) > 1:
                return []  # no moves lead to the state
            turned = {place: by[there] for place, there in target.items()}
            to, parity, total = self._moved(block, target, turned)
            if kind == "sign":
                return [self._signs[to] + parity]
            return [self._sums[to] + total % block.step]

        found = self.chain.solve(
            self.after(labels, turns, first),
            lambda state, word: self.after(*state, word),
            choices,
            self._is_solved,
            seconds,
        )
        return None if found is None else places.engine.shortened(first + found)

    def _is_solved(self, state: _State) -> bool:
        """Whether the places that the library does not solve are solved."""
        at, by = state
        wanted = self._places.wanted
        return all(at[place] == wanted[place] and not by[place] for place in self._stickers)

    def after(
        self, labels: Sequence[int], turns: Sequence[int], word: bytes
    ) -> tuple[list[int], list[int]]:
        """Return the labels and orientations after a word."""
        return self._places.engine.after(labels, turns, word)
