"""The keys from which the hash of a joint state is computed.

A. Zobrist, "A new hashing method with application for game playing" (1970).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from puzzlekit import Coordinate, Move, TableStore
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import move_table

_WORD = (1 << 64) - 1


def _value_count(coordinate: Coordinate) -> int:
    """Return the number of values that the engine has for a coordinate with a move table.

    For a sym coordinate, a value of the engine is class * 2^shift + symmetry.
    """
    if isinstance(coordinate, SymCoordinate):
        return coordinate.classes << coordinate.shift
    return coordinate.size


def layout(coordinates: Sequence[Coordinate]) -> list[tuple[int, int]]:
    """Return a pair (index of the coordinate, number of values) for each byte of a joint state.

    A joint state consists of the values of several coordinates. If a coordinate is a `SymPairing`,
    the bytes of its permutation come first. The engine's values of the other coordinates follow in
    their order, the lowest byte of each value first.
    """
    listed = []
    for number, coordinate in enumerate(coordinates):
        listed += [(number, coordinate.carried)] * coordinate.carried
    for number, coordinate in enumerate(coordinates):
        if not coordinate.carried:
            left = _value_count(coordinate)
            while True:
                listed.append((number, min(left, 256)))
                left = -(-left // 256)
                if left == 1:
                    break
    return listed


def hash_keys(store: TableStore, graph: DistanceGraph) -> array[int]:
    """Return a signed 64-bit key for each byte of a joint state and each value of that byte.

    A joint state consists of the values of several coordinates. Its hash is the XOR of the keys of
    its bytes. Each byte has 256 keys, and unused keys are 0. The keys come from the generator
    SplitMix64 (G. Steele and others, 2014).

    The goal states are the solved state after some rotations of the whole puzzle. If possible, the
    keys are chosen so that joint states which differ by such a rotation have the same hash. The
    build then has fewer joint states to distinguish. This is possible if each rotation exchanges
    the values of a coordinate in pairs, and does so in an even number of coordinates. The XOR of
    the two keys is then the same for every pair.
    """
    keys: array[int] = array("q")
    at: dict[int, int] = {}  # the first byte of each coordinate
    for i, (owner, values) in enumerate(layout(graph.numbered)):
        at.setdefault(owner, i)
        keys.extend(_random(256 * (i + 1) + value) for value in range(values))
        keys.extend([0] * (256 - values))
    difference = _random(0)
    for number, pairs in _exchanged(store, graph).items():
        for value, other in pairs.items():
            if value < other:
                row = 256 * at[number]
                keys[row + other] = keys[row + value] ^ difference
    return keys


def _exchanged(store: TableStore, graph: DistanceGraph) -> dict[int, dict[int, int]]:
    """Return the exchanged values of each coordinate (see `hash_keys`).

    The function finds the image of a value by following the moves. The result is empty if the
    goal states do not exchange values in pairs.
    """
    found: dict[int, dict[int, int]] = {}
    for state in graph.goal_states:
        odd = False
        for number, coordinate in enumerate(graph.coordinates):
            if coordinate.carried:
                continue
            pairs = _image(store, coordinate, graph.moves, state)
            if pairs is None:
                return {}
            if all(value == other for value, other in pairs.items()):
                continue
            free = all(value != other == pairs[pairs[other]] for value, other in pairs.items())
            if coordinate.size > 256 or not free or found.setdefault(number, pairs) != pairs:
                return {}
            odd = not odd
        if odd:
            return {}
    return found


def _image(
    store: TableStore, coordinate: Coordinate, moves: Sequence[Move], state: bytes
) -> dict[int, int] | None:
    """Return the image of each value that moves reach, if the image of the solved state is `state`.

    Returns None if a value does not determine its image.
    """
    table = move_table(store, coordinate, moves).data
    root = coordinate.rank(coordinate.puzzle.solved)
    image = {root: coordinate.rank(state)}
    fresh = [root]
    for value in fresh:  # the loop appends to it
        for m in range(len(moves)):
            after = table[value * len(moves) + m]
            carried = table[image[value] * len(moves) + m]
            if after not in image:
                image[after] = carried
                fresh.append(after)
            elif image[after] != carried:
                return None
    return image


def _random(number: int) -> int:
    """Return a signed 64-bit pseudorandom number."""
    z = (number + 1) * 0x9E3779B97F4A7C15 & _WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    z ^= z >> 31
    return z - (z >> 63 << 64)
