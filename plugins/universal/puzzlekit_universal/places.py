"""The places of a puzzle and how moves permute them, as numbers for the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter, ne
from typing import Any

import attrs

from puzzlekit import Metric, Move, Puzzle, UsageError
from puzzlekit.puzzle.move import compose
from puzzlekit.search.resolved import Plan
from puzzlekit_universal.engine.word_moves import Moves

__all__ = ["MOST_MOVES", "products_of"]

MOST_MOVES = 255  # a word has a byte for each move


@attrs.frozen(slots=False, eq=False)
class Places:
    """The places of all orbits in one list, and the moves of a search.

    A piece at a place has a label and an orientation. Labels of different orbits differ.
    """

    puzzle: Puzzle
    #: The moves, without rotations of the whole puzzle and without moves of equal effect.
    moves: tuple[Move, ...]
    #: The cost of each move.
    costs: tuple[int, ...]

    @classmethod
    def of(cls, puzzle: Puzzle, metric: Metric, allowed: Sequence[Move] = ()) -> Places:
        """Return the places of a puzzle with the allowed moves, of equal moves the cheapest.

        By default, all moves of the puzzle are allowed. A move is left out if a rotation of the
        whole puzzle turns it into a move of fewer pieces that costs no more. If there are more than
        `MOST_MOVES` moves left, only the base moves and their inverses are kept.
        """
        moves: dict[object, Move] = {}
        for move in allowed or puzzle.family_moves(puzzle.turns):
            if move.family in puzzle.rotations:
                continue
            other = moves.setdefault(move.effect, move)
            if metric.cost(move) < metric.cost(other):
                moves[move.effect] = move
        moves = {move.effect: move for move in _needed(puzzle, metric, tuple(moves.values()))}
        if len(moves) > MOST_MOVES:  # the others are powers of these
            single = {
                move.effect
                for move in allowed or puzzle.family_moves(puzzle.turns)
                if move.amount in (1, move.order - 1)
            }
            moves = {effect: move for effect, move in moves.items() if effect in single}
        found = tuple(moves.values())
        return cls(puzzle, found, tuple(metric.cost(move) for move in found))

    @cached_property
    def _bytes(self) -> list[tuple[int, int]]:
        """For each place the bytes of its label and of its orientation; -1 for no orientation."""
        found = []
        for orbit in self.puzzle.orbits:
            start = self.puzzle.offsets[orbit.name]
            for i in range(orbit.size):
                found.append((start + i, start + orbit.size + i if orbit.orientations > 1 else -1))
        return found

    @cached_property
    def modulus(self) -> list[int]:
        """The number of orientations of each place."""
        return [orbit.orientations for orbit in self.puzzle.orbits for _ in range(orbit.size)]

    @cached_property
    def orbit(self) -> list[int]:
        """The number of the orbit of each place."""
        return [i for i, orbit in enumerate(self.puzzle.orbits) for _ in range(orbit.size)]

    @cached_property
    def targets(self) -> list[list[int]]:
        """For each move and each place, the place to which the move brings the piece."""
        number = {label: place for place, (label, _) in enumerate(self._bytes)}
        found = []
        for move in self.moves:
            row = [0] * len(self._bytes)
            for place, (label, _) in enumerate(self._bytes):
                row[number[move.gather[label]]] = place
            found.append(row)
        return found

    @cached_property
    def turns(self) -> list[list[int]]:
        """For each move and each place, what the move adds to the orientation of the piece."""
        found = []
        for move, row in zip(self.moves, self.targets, strict=True):
            added = [move.add[turn] if turn >= 0 else 0 for _, turn in self._bytes]
            found.append([added[place] for place in row])
        return found

    @cached_property
    def _labels(self) -> dict[tuple[int, int], int]:
        pairs = zip(self.orbit, self._bytes, strict=True)
        known = dict.fromkeys((orbit, self.puzzle.solved[at]) for orbit, (at, _) in pairs)
        return {key: number for number, key in enumerate(known)}

    @cached_property
    def wanted(self) -> list[int]:
        """The label of each place in the solved state."""
        return self.seen(self.puzzle.solved)[0]

    def seen(self, state: bytes) -> tuple[list[int], list[int]]:
        """Return the label and the orientation at each place of a state."""
        labels = [
            self._labels[orbit, state[at]]
            for orbit, (at, _) in zip(self.orbit, self._bytes, strict=True)
        ]
        return labels, [state[turn] if turn >= 0 else 0 for _, turn in self._bytes]

    @cached_property
    def inverses(self) -> list[int]:
        """The number of the inverse of each move."""
        number = {move.effect: i for i, move in enumerate(self.moves)}
        return [number[self.puzzle.inverse(move).effect] for move in self.moves]

    @cached_property
    def images(self) -> list[list[int]]:
        """For each move and each sticker, the sticker to which the move brings it.

        A place with m orientations has m stickers.
        """
        first = [0, *accumulate(self.modulus)]
        found = []
        for target, turn in zip(self.targets, self.turns, strict=True):
            image = []
            for place, there in enumerate(target):
                m = self.modulus[there]
                image += [first[there] + (s + turn[place]) % m for s in range(m)]
            found.append(image)
        return found

    def elements(self, most: int) -> dict[bytes, bytes] | None:
        """Return a shortest word of each element of the group of the moves, shortest words first.

        An element is the sticker to which each sticker goes. Return None if there are more than
        `most` elements, or more than 256 stickers.
        """
        return self._elements(self.images, most)

    def permutes_three(self, start: int, size: int, most: int) -> bool:
        """Whether moves may permute just three of some places that trade pieces with each other.

        The places are `size` from `start` on; what happens to all others does not matter. Only if
        the moves permute the places in at most `most` ways is it known that none permutes three.
        """
        ways = [[place - start for place in row[start : start + size]] for row in self.targets]
        every = self._elements(ways, most)
        return every is None or any(sum(i != j for i, j in enumerate(way)) == 3 for way in every)

    def _elements(
        self, permutations: Sequence[Sequence[int]], most: int
    ) -> dict[bytes, bytes] | None:
        count = len(permutations[0])
        if count > 256:
            return None
        images = [bytes(row).ljust(256, b"\0") for row in permutations]
        found = {bytes(range(count)): b""}
        fresh = list(found)
        for element in fresh:  # grows during the loop
            for move, image in enumerate(images):
                if (reached := element.translate(image)) not in found:
                    found[reached] = found[element] + bytes([move])
                    fresh.append(reached)
            if len(found) > most:
                return None
        return found

    @cached_property
    def engine(self) -> Moves:
        """The moves as the engine takes them."""
        joined, commuting = products_of(self.images, self.costs)
        return Moves(
            self.modulus,
            [place for row in self.targets for place in row],
            [turn for row in self.turns for turn in row],
            self.costs,
            self.inverses,
            joined,
            commuting,
        )

    @cached_property
    def _rows(self) -> Any:
        """The targets and the turns of each move, as arrays."""
        import numpy as np

        return np.array(self.targets), np.array(self.turns), np.array(self.modulus)

    def changed(self, word: Sequence[int]) -> tuple[Any, Any]:
        """Return the places whose pieces a word moves or turns, and those whose pieces it moves."""
        import numpy as np

        targets, turns, modulus = self._rows
        still = np.arange(len(modulus))
        at, by = still, np.zeros_like(still)
        for move in word:
            by = by + turns[move][at]
            at = targets[move][at]
        moved = at != still
        return np.flatnonzero(moved | (by % modulus > 0)), np.flatnonzero(moved)

    def named(self, word: Sequence[int]) -> tuple[Move, ...]:
        """Return the moves of a word."""
        return tuple(self.moves[number] for number in word)


def undoable_moves(plan: Plan) -> tuple[Move, ...]:
    """Return the moves of a plan of one phase; raise UsageError if one has no inverse there."""
    puzzle, (phase,) = plan.puzzle, plan.phases
    moves = phase.allowed(puzzle)
    effects = {move.effect for move in moves}
    for move in moves:
        if puzzle.inverse(move).effect not in effects:
            raise UsageError(
                f"{plan.name} of {puzzle.name} needs the inverse of each move, but its moves have "
                f"{move.name} without {puzzle.inverse(move).name}"
            )
    return moves


def products_of(images: Sequence[Sequence[int]], costs: Sequence[int]) -> tuple[list[int], bytes]:
    """Return which move two moves join to, and whether they commute, for each pair of moves.

    `images` has for each move the sticker to which it brings each sticker. -1 stands for no move of
    at most the same cost, -2 for no effect. Products are compared by a few stickers that tell all
    moves apart, and only products that agree there by all stickers.
    """
    count = len(images)
    still = tuple(range(len(images[0]))) if images else ()
    few = _telling([still, *images])
    single = {tuple(few): -2}
    for i, image in enumerate(images):
        single.setdefault(_picked(few)(image), i)
    whole = [_picked(image) for image in images]
    part = [_picked([image[s] for s in few]) for image in images]
    moved = [{s for s in still if image[s] != s} for image in images]
    joined = []
    commuting = bytearray(count * count)
    for i, one in enumerate(images):
        for j, other in enumerate(images):
            reached = part[i](other)
            known = single.get(reached, -1)
            if known != -1:
                dear = known >= 0 and costs[known] > costs[i] + costs[j]
                if dear or whole[i](other) != tuple(still if known == -2 else images[known]):
                    known = -1
            joined.append(known)
            if i <= j and (
                moved[i].isdisjoint(moved[j])
                or (reached == part[j](one) and whole[i](other) == whole[j](one))
            ):
                commuting[i * count + j] = commuting[j * count + i] = 1
    return joined, bytes(commuting)


def _picked(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """Return a function that takes the items at some places of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple(row[place] for place in places)


def _telling(images: Sequence[Sequence[int]]) -> list[int]:
    """Return stickers whose images tell all different permutations apart."""
    found = []
    alike = [list(range(len(images)))]  # several permutations each
    for sticker in range(len(images[0])):
        parts: list[list[int]] = []
        for same in alike:
            split: dict[int, list[int]] = {}
            for number in same:
                split.setdefault(images[number][sticker], []).append(number)
            parts += split.values()
        if len(parts) > len(alike):
            found.append(sticker)
            alike = [same for same in parts if len(same) > 1]
    return found


def _needed(puzzle: Puzzle, metric: Metric, moves: Sequence[Move]) -> list[Move]:
    """Return the moves without those that equal a move of fewer pieces up to a rotation.

    The other move must cost no more. Example: 4Rw of a 5x5x5 is L and a rotation. A move is left
    out only together with its inverse.
    """
    cost = {move: metric.cost(move) for move in moves}
    moved = {move: sum(map(ne, range(len(move.gather)), move.gather)) for move in moves}
    alike: dict[object, list[Move]] = {}  # the moves that have an effect up to a rotation
    for move in moves:
        for held in puzzle.whole_rotations:
            alike.setdefault(compose(move.effect, held, puzzle.modulus), []).append(move)
    replaced = {
        move.effect
        for move in moves
        if any(
            cost[other] <= cost[move] and moved[other] < moved[move] for other in alike[move.effect]
        )
    }
    # A move stays with its inverse.
    return [
        move
        for move in moves
        if not replaced.issuperset((move.effect, puzzle.inverse(move).effect))
    ]
