"""Products of parallel moves that act nearly like a turn of the whole puzzle.

If all layers of an axis but one turn, the puzzle is held in another way, and the layer that did not
turn has moved. So such a product stands for a move of that layer, which the puzzle may not have.
For example, the layers R, 2R, 2L' and L' of a 5x5x5 turn everything but the middle layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import combinations, product
from typing import Any

import attrs
import numpy as np

from puzzlekit.engine.beats import beat
from puzzlekit_universal.places import Places

_MOST_WORK = 12_000_000  # comparisons of places for each product; larger puzzles have no products
_FEW = 6  # parallel moves that are tried in all directions, and in pairs
_MOST_LEFT = 0.5  # of the places that the moves change may differ after the turn


@attrs.frozen
class WholeTurn:
    """A word of parallel moves, and the moves that other moves become by it."""

    word: bytes
    #: For each move m, the move that changes nearly the same as word, m, and word undone.
    becomes: bytes
    #: The number of places at which they differ, for all moves together.
    differ: int


def whole_turns(places: Places, most: int) -> list[WholeTurn]:
    """Return `most` words of parallel moves that nearly turn the whole puzzle, the nearest first.

    The list has fewer words if there are no more.
    """
    targets, modulus = np.array(places.targets), np.array(places.modulus)
    turns = np.array(places.turns) % modulus[targets]
    if len(targets) * targets.size > _MOST_WORK:
        return []
    effects = _Effects.of(targets, turns, modulus, places.inverses)
    farthest = int(_MOST_LEFT * effects.sizes.sum())
    found: list[WholeTurn] = []
    # Go on with the nearest word at each step, so that far ones are soon left.
    words = dict.fromkeys(_products(places))
    running = {word: _conjugates(effects, *_product(places, effects, word)) for word in words}
    nearest = [(0, word, b"") for word in sorted(words)]
    while nearest and len(found) < most:
        differ, word, becomes = heappop(nearest)
        if becomes:
            found.append(WholeTurn(word, becomes, differ))
            continue
        differ, becomes = next(running[word])
        if differ <= farthest and (differ or not becomes):
            heappush(nearest, (differ, word, becomes))
    return found


@attrs.frozen
class _Effects:
    """What the moves do: a row for each move, or for each place if they are compared."""

    targets: Any
    turns: Any
    modulus: Any
    #: For each place, each target and each turn the row of `alike`.
    rows: Any
    #: For each move whether it changes the piece there, plus whether it does so alike.
    alike: Any
    #: The number of places that each move changes.
    sizes: Any
    #: The inverse of each move.
    inverses: list[int]
    #: Moves and their inverses, those that change most places first.
    pairs: list[tuple[int, int]]

    @classmethod
    def of(cls, targets: Any, turns: Any, modulus: Any, inverses: list[int]) -> _Effects:
        """Return the effects of moves; the turns are at least 0 and below the modulus."""
        count, highest = len(modulus), int(modulus.max())
        places = np.arange(count)
        changed = (targets != places) | (turns != 0)
        rows = np.repeat(places[:, None], count * highest, axis=1)
        codes = targets * highest + turns
        used, known = np.unique(codes + count * highest * places, return_inverse=True)
        rows.flat[used] = np.arange(count, count + len(used))
        alike = changed.T[np.concatenate((places, used // (count * highest)))].astype(np.uint8)
        alike[count + known.reshape(codes.shape).T, np.arange(len(targets))] += 1
        sizes = changed.sum(axis=1)
        pairs = [(move, back) for move, back in enumerate(inverses) if move <= back]
        pairs.sort(key=lambda pair: (-sizes[pair[0]], pair))
        return cls(targets, turns, modulus, rows, alike, sizes, inverses, pairs)


def _product(places: Places, effects: _Effects, word: bytes) -> tuple[Any, Any]:
    """Return the target and the turn of each place by a word."""
    to = np.arange(len(effects.modulus))
    by = np.zeros_like(to)
    for move in word:
        by = (by + effects.turns[move][to]) % effects.modulus[effects.targets[move][to]]
        to = effects.targets[move][to]
    return to, by


def _conjugates(effects: _Effects, whole_to: Any, whole_by: Any) -> Iterator[tuple[int, bytes]]:
    """Find for each move the move that is nearest to its conjugate.

    Yield after each pair of moves how far they are until then, and at last with all of them.
    """
    modulus, inverses = effects.modulus, effects.inverses
    highest = int(modulus.max())
    back = np.argsort(whole_to)
    back_by = -whole_by[back]
    still = np.arange(len(back))
    becomes, differ = [0] * len(inverses), 0
    for number, (move, undone) in enumerate(effects.pairs, 1):
        beat()
        target, turn = effects.targets[move], effects.turns[move]
        moved = target[whole_to]  # after the word and the move
        to = back[moved]
        by = (whole_by + turn[whole_to] + back_by[moved]) % modulus[to]
        own = np.flatnonzero((to != still) | (by != 0))
        # A place differs if only one of the moves changes it, or if both do so differently.
        alike = effects.alike[effects.rows[own, to[own] * highest + by[own]]]
        apart = effects.sizes + len(own) - alike.sum(axis=0, dtype=np.int32)
        nearest = int(apart.argmin())
        becomes[undone], becomes[move] = inverses[nearest], nearest
        differ += int(apart[nearest]) * (1 + (move != undone))
        yield differ, bytes(becomes) if number == len(effects.pairs) else b""


def _products(places: Places) -> Iterator[bytes]:
    """Yield the products of parallel moves, some of them forward and the others back.

    If many moves are parallel, the first ones turn forward, and the others back. Wide moves need
    only two of them, such as the wide moves R and L of a 5x5x5.
    """
    numbers = {(move.family, move.amount): i for i, move in enumerate(places.moves)}
    orders = {move.family: move.order for move in places.moves}
    for run in _parallel(places, list(orders)):
        order = orders[run[0]]
        if any(orders[family] != order for family in run):
            continue
        few = len(run) <= _FEW
        signs: Iterable[tuple[bool, ...]] = product((True, False), repeat=len(run) if few else 0)
        if not few:
            signs = (tuple(i < turned for i in range(len(run))) for turned in range(len(run) + 1))
        for forward, amount in product(signs, range(1, order)):
            keys = [
                (family, amount if ahead else order - amount)
                for family, ahead in zip(run, forward, strict=True)
            ]
            if all(key in numbers for key in keys):
                word = bytes(numbers[key] for key in keys)
                yield word
                if few:
                    yield from map(bytes, combinations(word, 2))


def _parallel(places: Places, families: list[str]) -> list[list[str]]:
    """Return lists of several families that all commute with each other."""
    first = {}
    for i, move in reversed(list(enumerate(places.moves))):
        first[move.family] = i

    def commute(one: str, other: str) -> bool:
        i, j = first[one], first[other]
        return not places.engine.shortened(bytes([i, j, places.inverses[i], places.inverses[j]]))

    found: list[list[str]] = []
    for family in families:
        for run in found:
            if all(commute(family, other) for other in run):
                run.append(family)
                break
        else:
            found.append([family])
    return [run for run in found if len(run) > 1]
