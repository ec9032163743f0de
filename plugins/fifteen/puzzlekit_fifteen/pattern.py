"""Fill the additive table of some tiles: by sets of places, and parts that they leave the blank.

The state of a search for distances is which tile is where, and in which part of the other places
the blank is: two places are in one part if the blank gets from one to the other without moving a
tile of the pattern. All moves of the search move such a tile, so they cost 1, and each state is
visited once. States are numbered by the set of places with tiles, then by the order of the tiles
in it. A tile that moves leads from one set to another, whatever the order, so there are few cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit import Coordinate, Move, Permutation
from puzzlekit.engine.beats import beat
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.pruning_table import UNREACHED

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["bits_of", "exchanges", "keyed", "sliding_distances"]

MOST_KEYS = 1 << 16  # of the places of the pieces of a coordinate; and its most values
_MOST_PARTS = 8  # one bit each
_MOST_PIECES = 8  # 40,320 orders


class Pattern(NamedTuple):
    """Places of a board, the slides of its blank, and pieces whose table is filled."""

    size: int  # of the board
    slides: Sequence[tuple[int, int]]  # places of the blank before and after
    home: Sequence[int]  # the place of each piece at the goal
    blanks: Sequence[int]  # the places of the blank at the goal


def exchanges(move: Move) -> bool:
    """Whether a move exchanges the guarding piece with another piece, and moves no other piece."""
    changed = [place for place, source in enumerate(move.gather) if place != source]
    return sorted(changed) == sorted((move.guard_before, move.guard_after))


def bits_of(labels: int) -> int:
    """Return the bits of a place in a key."""
    return (labels - 1).bit_length()


def keyed(coordinate: Coordinate, labels: int) -> tuple[list[int], npt.NDArray[np.uint16]] | None:
    """Return the labels of the pieces of a coordinate, and its values by the key of their places.

    None if their places are not all that the value depends on, or if there are too many keys.
    """
    import numpy as np

    if not isinstance(coordinate, Permutation) or coordinate.size > MOST_KEYS:
        return None
    every = np.arange(coordinate.size)
    places = np.zeros((labels, coordinate.size), dtype=np.int64)
    counts = np.zeros((labels, coordinate.size), dtype=np.int64)
    for place, own in coordinate.unrank(every).items():
        known = np.flatnonzero(own < labels)
        places[own[known], known] = place
        counts[own[known], known] += 1
    own = [int(label) for label in np.flatnonzero(counts.any(axis=1))]
    bits = bits_of(labels)
    if bits * len(own) > MOST_KEYS.bit_length() - 1 or not (counts[own] == 1).all():
        return None
    keys = sum(places[label] << position * bits for position, label in enumerate(own))
    if len(np.unique(keys)) != coordinate.size:
        return None
    values = np.zeros(1 << bits * len(own), dtype=np.uint16)
    values[keys] = every
    return own, values


def sliding_distances(
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    blanks: Sequence[int],
    tell: Callable[[float], None],
) -> npt.NDArray[np.uint8] | None:
    """Return the same as `additive_distances`; None if moves or coordinates are of another form.

    Each move has to exchange the blank with another piece and to have an inverse, and each
    coordinate has to be over the places of some pieces.
    """
    import numpy as np

    puzzle = coordinates[0].puzzle
    guarded = puzzle.guarded
    if guarded is None or guarded.byte or not all(exchanges(move) for move in moves):
        return None
    size = guarded.size
    slides = {(move.guard_before, move.guard_after) for move in moves}
    if slides != {(after, before) for before, after in slides}:
        return None
    solved = puzzle.solved
    read = [keyed(each, size) for each in coordinates]
    parts = [each for each in read if each is not None]
    labels = [label for own, _ in parts for label in own]
    if (
        len(parts) < len(read)
        or len(set(labels)) < len(labels)
        or guarded.label in labels
        or not len(set(solved)) == len(solved) == size
        or not len(labels) <= min(_MOST_PIECES, size - 2)
    ):
        return None
    home = [solved.index(label) for label in labels]
    pattern = Pattern(size, sorted(slides), home, blanks)
    filled = fill(pattern, tell)
    if filled is None:
        return None
    sets, by_order = filled
    distance = np.full(prod(each.size for each in coordinates), UNREACHED, dtype=np.uint8)
    for number, order in enumerate(permutations(range(len(labels)))):
        beat()
        index = np.zeros(len(sets), dtype=np.int64)
        pieces = iter(range(len(labels)))
        for (own, values), each in zip(parts, coordinates, strict=True):
            key = np.zeros(len(sets), dtype=np.int64)
            for position, piece in zip(range(len(own)), pieces, strict=False):
                key |= sets[:, order.index(piece)].astype(np.int64) << position * bits_of(size)
            index = index * each.size + values[key]
        distance[index] = by_order[:, number]
    return distance


def fill(
    pattern: Pattern, tell: Callable[[float], None]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]] | None:
    """Return all sets of places, one a row in order, and the distances by set and order of pieces.

    None if some set divides the other places into too many parts.
    """
    import numpy as np

    from puzzlekit_fifteen.engine.additive_fill import sliding_level

    size, slides, home, blanks = pattern
    pieces = len(home)
    orders = {order: number for number, order in enumerate(permutations(range(pieces)))}
    entries = comb(size, pieces) * len(orders)
    check_memory(4 * entries, f"an additive table of {entries:,} entries")
    sets = np.array([*combinations(range(size), pieces)], dtype=np.uint8)
    part = _parts(sets, size, slides)
    parts = part.max(axis=1, where=part < UNREACHED, initial=0).astype(np.int64) + 1
    if parts.max() > _MOST_PARTS:
        return None
    begin, edges = _edges(sets, part, slides)
    turns = np.array(
        [
            [orders[_moved(order, at, to)] for order in orders]
            for at in range(pieces)
            for to in range(pieces)
        ],
        dtype=np.uint16,
    )
    distance = np.full(entries, UNREACHED, dtype=np.uint8)
    seen, here, there = (np.zeros(entries, dtype=np.uint8) for _ in range(3))
    due = np.zeros(len(sets), dtype=np.uint8)
    (goal,) = np.flatnonzero((sets == sorted(home)).all(axis=1)).tolist()
    order = tuple(home.index(place) for place in sorted(home))
    for blank in set(blanks).difference(home):
        here[goal * len(orders) + orders[order]] |= 1 << part[goal, blank]
    due[goal] = 1
    states = len(orders) * int(parts.sum())
    level = reached = 0
    while found := sliding_level(distance, seen, here, there, due, begin, edges, turns, level):
        here, there = there, here
        level += 1
        reached += found
        tell(min(1.0, reached / states))
    return sets, distance.reshape(len(sets), len(orders))


def _moved(order: tuple[int, ...], at: int, to: int) -> tuple[int, ...]:
    rest = [*order[:at], *order[at + 1 :]]
    return (*rest[:to], order[at], *rest[to:])


def _parts(
    sets: npt.NDArray[np.uint8], size: int, slides: Sequence[tuple[int, int]]
) -> npt.NDArray[np.uint8]:
    """Return for each set and place the number of its part; 255 for the places of the set."""
    import numpy as np

    first = np.tile(np.arange(size, dtype=np.uint8), (len(sets), 1))  # the least place of the part
    np.put_along_axis(first, sets.astype(np.int64), UNREACHED, axis=1)
    changed = True
    while changed:
        beat()
        changed = False
        for before, after in slides:
            near, own = first[:, before], first[:, after]
            lower = (near < own) & (own < UNREACHED)
            own[lower] = near[lower]
            changed |= bool(lower.any())
    starts = (first == np.arange(size)).cumsum(axis=1, dtype=np.uint8) - 1
    part = np.take_along_axis(starts, np.minimum(first, size - 1).astype(np.int64), axis=1)
    part[first == UNREACHED] = UNREACHED
    return part


def _edges(
    sets: npt.NDArray[np.uint8], part: npt.NDArray[np.uint8], slides: Sequence[tuple[int, int]]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the moves of a piece from each set, and for each set the index of its first one.

    A move has four numbers: the set after it, the bits of the blank's part before and after it, and
    the row of `turns`.
    """
    import numpy as np

    mask = (1 << sets.astype(np.int64)).sum(axis=1)
    rank = np.argsort(mask)
    in_order = mask[rank]
    pieces = sets.shape[1]
    found = []
    for blank, place in slides:  # the piece goes the other way
        own = np.flatnonzero((mask >> place & 1) & ~(mask >> blank) & 1)
        after = rank[np.searchsorted(in_order, mask[own] ^ (1 << place | 1 << blank))]
        at = (sets[own] < place).sum(axis=1)
        to = (sets[after] < blank).sum(axis=1)
        bits = (1 << part[own, blank].astype(np.int32), 1 << part[after, place].astype(np.int32))
        found.append(np.stack([own, after, *bits, at * pieces + to], axis=1).astype(np.int32))
    every = np.concatenate(found)
    every = every[np.argsort(every[:, 0], kind="stable")]
    begin = np.searchsorted(every[:, 0], np.arange(len(sets) + 1)).astype(np.int32)
    return begin, np.ascontiguousarray(every[:, 1:])
