"""Products of parallel moves that act nearly like a turn of the whole puzzle.

If all layers of an axis but one turn, the puzzle is held in another way, and the layer that did not
turn has moved. So such a product stands for a move of that layer, which the puzzle may not have.
For example, the layers R, 2R, 2L' and L' of a 5x5x5 turn everything but the middle layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    still = np.arange(targets.shape[1])
    effects = _Effects.of(targets, turns, modulus, places.inverses)
    farthest = int(_MOST_LEFT * effects.sizes.sum())
    found: list[WholeTurn] = []
    for word in dict.fromkeys(_products(places)):
        whole_to, whole_by = still, np.zeros_like(still)
        for move in word:
            whole_by = (whole_by + turns[move][whole_to]) % modulus[targets[move][whole_to]]
            whole_to = targets[move][whole_to]
        if len(found) == most:
            farthest = found[-1].differ
        becomes, differ = _conjugates(effects, whole_to, whole_by, farthest)
        if 0 < differ <= farthest:
            found.append(WholeTurn(word, bytes(becomes), differ))
            found = sorted(found, key=lambda each: (each.differ, each.word))[:most]
    return found


@attrs.frozen
class _Effects:
    """What the moves do: a row for each move, or for each place if they are compared."""

    targets: Any
    turns: Any
    modulus: Any
    #: For each place and each move the target and the turn, as one number.
    codes: Any
    #: For each place and each move whether the move changes the piece there.
    changed: Any
    #: The number of places that each move changes.
    sizes: Any
    #: The inverse of each move.
    inverses: list[int]
    #: Moves and their inverses, those that change most places first.
    pairs: list[tuple[int, int]]

    @classmethod
    def of(cls, targets: Any, turns: Any, modulus: Any, inverses: list[int]) -> _Effects:
        """Return the effects of moves; the turns are at least 0 and below the modulus."""
        codes = (targets * modulus.max() + turns).T.astype(np.int32, order="C")
        still = np.arange(len(modulus), dtype=np.int32)[:, None] * modulus.max()
        changed = codes != still
        sizes = changed.sum(axis=0)
        pairs = [(move, back) for move, back in enumerate(inverses) if move <= back]
        pairs.sort(key=lambda pair: (-sizes[pair[0]], pair))
        return cls(targets, turns, modulus, codes, changed, sizes, inverses, pairs)


def _conjugates(
    effects: _Effects, whole_to: Any, whole_by: Any, farthest: int
) -> tuple[list[int], int]:
    """Return for each move the move that is nearest to its conjugate, and how far all are.

    If they are farther than `farthest`, some moves are left out.
    """
    modulus, inverses = effects.modulus, effects.inverses
    back = np.argsort(whole_to)
    back_by = -whole_by[back]
    still = np.arange(len(back))
    becomes, differ = [0] * len(inverses), 0
    for move, undone in effects.pairs:
        beat()
        target, turn = effects.targets[move], effects.turns[move]
        moved = target[whole_to]  # after the word and the move
        to = back[moved]
        by = (whole_by + turn[whole_to] + back_by[moved]) % modulus[to]
        own = np.flatnonzero((to != still) | (by != 0))
        code = (to[own] * modulus.max() + by[own]).astype(np.int32)
        same = effects.codes[own] == code[:, None]
        # A place differs if only one of the moves changes it, or if both do so differently.
        alike = same.view(np.uint8) + effects.changed[own]
        apart = effects.sizes + len(own) - alike.sum(axis=0, dtype=np.int32)
        nearest = int(apart.argmin())
        becomes[undone], becomes[move] = inverses[nearest], nearest
        differ += int(apart[nearest]) * (1 + (move != undone))
        if differ > farthest:
            break
    return becomes, differ


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
