"""Write the definition file of a hypercube from stickers in four dimensions.

    python hypercube.py 2 > hypercube2.json

A twist turns the layer of a cell, which is a cube, about a face, an edge or a corner of this cube:
`Ou` turns the cell O about its face U, and `Oru` about the edge between its faces R and U. On the
2x2x2x2, four cells are enough, and one corner stays in place. `python hypercube.py 3 faces` leaves
out twists about edges and corners.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations, permutations, product

CELLS = ("LR", "DU", "BF", "IO")  # of each axis; the first one of a pair is at the coordinate -1

Vector = tuple[int, ...]
Rotation = tuple[tuple[int, int], ...]  # for each axis its image: an axis and a sign


def rotations(axis: int) -> Iterator[Rotation]:
    """Yield the rotations that keep the direction of an axis."""
    for order in permutations(range(4)):
        crossings = sum(one > other for one, other in combinations(order, 2))
        for signs in product((1, -1), repeat=4):
            proper = (crossings + signs.count(-1)) % 2 == 0
            if proper and order[axis] == axis and signs[axis] == 1:
                yield tuple(zip(order, signs, strict=True))


def turned(rotation: Rotation, vector: Vector) -> Vector:
    """Return where a rotation carries a vector."""
    found = [0] * 4
    for (axis, sign), value in zip(rotation, vector, strict=True):
        found[axis] = sign * value
    return tuple(found)


def order(permutation: list[int]) -> int:
    """Return how often a permutation is done until nothing has changed."""
    count, power = 1, permutation
    while power != sorted(power):
        count, power = count + 1, [power[i] for i in permutation]
    return count


def moves(size: int, cells: str, around: str) -> dict[str, list[int]]:
    """Return the moves: at each place, the sticker that comes there.

    Parameters
    ----------
    size
        2 or 3.
    cells
        The cells that turn.
    around
        "faces", or "all" for twists about edges and corners, too.
    """
    places = product((-1, 1) if size == 2 else (-1, 0, 1), repeat=4)
    stickers = [(place, facing) for place in places for facing in range(4) if place[facing]]
    index = {sticker: number for number, sticker in enumerate(stickers)}
    found = {}
    for cell in cells:
        axis = next(number for number, pair in enumerate(CELLS) if cell in pair)
        side = 2 * CELLS[axis].index(cell) - 1
        for center in product((-1, 0, 1), repeat=4):
            first = next((value for value in center if value), 0)
            if center[axis] or first < 1 or (around == "faces" and center.count(0) < 3):
                continue
            twists = []
            for rotation in rotations(axis):
                if turned(rotation, center) == center:
                    twist = [0] * len(stickers)
                    for (place, facing), number in index.items():
                        to = number
                        if place[axis] == side:
                            to = index[turned(rotation, place), rotation[facing][0]]
                        twist[to] = number
                    twists.append(twist)
            name = cell + "".join(
                CELLS[number][(value + 1) // 2].lower()
                for number, value in enumerate(center)
                if value
            )
            found[name] = max(twists, key=order)
            if order(found[name]) == 4:
                found[f"{name}2"] = [found[name][i] for i in found[name]]
    return found


if __name__ == "__main__":
    wanted, *more = sys.argv[1:]
    every = "".join(CELLS) if wanted == "3" else "RUFO"
    json.dump({"generators": moves(int(wanted), every, *more or ["all"])}, sys.stdout)
