"""The shapes of a Square-1, and the slices that lead from one to another.

A layer is a circle of corners, two hours wide, and edges, one hour wide. A shape is a pair of
layers that can be cut, up to turns; its layers begin at their first rotation in the order of
strings. There are 170 shapes. The pieces are counted from there, the top layer first.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["ORDERS", "distances", "graph", "order", "order_parts", "solved_orders", "twists"]

ORDERS = 40320  # 8!
Layer = str  # "c" for a corner, "e" for an edge
Piece = tuple[str, int]  # the kind of a piece, and its slot among the pieces of this kind
SQUARE = "ce" * 4
_HOURS = {"c": 2, "e": 1}


class Slice(NamedTuple):
    """A slice of a shape.

    - `top`, `bottom`: the pieces of the layers at which it cuts.
    - `target`: the number of the shape after it.
    - `corners`, `edges`: the old slot of the piece at each new slot.
    - `new_top`, `new_bottom`: the pieces at the cuts after it.
    """

    top: int
    bottom: int
    target: int
    corners: tuple[int, ...]
    edges: tuple[int, ...]
    new_top: int
    new_bottom: int


class Turn(NamedTuple):
    """A turn of the layers that keeps a shape.

    - `corners`, `edges`: the old slot of the piece at each new slot.
    - `top`, `bottom`: the pieces with which the layers begin after it, counted as before it.
    - `size_of_top`, `size_of_bottom`: the numbers of pieces of the layers.
    """

    corners: tuple[int, ...]
    edges: tuple[int, ...]
    top: int
    bottom: int
    size_of_top: int
    size_of_bottom: int


class Graph(NamedTuple):
    """All shapes with their slices, and the turns of layers that keep each shape."""

    shapes: dict[tuple[Layer, Layer], int]
    slices: list[list[Slice]]
    turns: list[list[Turn]]


def first_rotation(layer: Layer) -> int:
    """Return the piece at which a layer begins."""
    return min(range(len(layer)), key=lambda i: layer[i:] + layer[:i])


def boundaries(layer: Layer) -> list[int]:
    """Return the hour at which each piece of a layer begins."""
    found = [0]
    for kind in layer:
        found.append(found[-1] + _HOURS[kind])
    return found[:-1]


def _halves(layer: Layer) -> Iterator[tuple[int, int]]:
    """Yield each piece at which a layer can be cut, and the number of pieces to the other cut."""
    at = {hour: i for i, hour in enumerate(boundaries(layer))}
    for hour, i in at.items():
        if (hour + 6) % 12 in at:
            yield i, (at[(hour + 6) % 12] - i) % len(layer)


def _pieces(top: Layer, bottom: Layer) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces of both layers with their slots."""
    slots = {"c": iter(range(8)), "e": iter(range(8))}
    whole = [(kind, next(slots[kind])) for kind in top + bottom]
    return whole[: len(top)], whole[len(top) :]


def _slots(pieces: Sequence[Piece], kind: str) -> tuple[int, ...]:
    return tuple(slot for each, slot in pieces if each == kind)


def _rotated(pieces: list[Piece], by: int) -> list[Piece]:
    return pieces[by:] + pieces[:by]


def _layer(pieces: Sequence[Piece]) -> Layer:
    return "".join(kind for kind, _ in pieces)


@cache
def graph() -> Graph:
    """Return the shapes that slices reach from the solved shape, which has number 0."""
    shapes = {(SQUARE, SQUARE): 0}
    slices = []
    for top, bottom in (queue := [(SQUARE, SQUARE)]):
        upper, lower = _pieces(top, bottom)
        own = []
        for i, size in _halves(top):
            one = _rotated(upper, i)
            for j, other in _halves(bottom):
                two = _rotated(lower, j)
                joined = one[:size] + two[:other], one[size:] + two[other:]
                begin = [first_rotation(_layer(each)) for each in joined]
                new = [_rotated(each, by) for each, by in zip(joined, begin, strict=True)]
                shape = _layer(new[0]), _layer(new[1])
                if shape not in shapes:
                    shapes[shape] = len(shapes)
                    queue.append(shape)
                whole = new[0] + new[1]
                cut = (-by % len(each) for by, each in zip(begin, new, strict=True))
                own.append(Slice(i, j, shapes[shape], _slots(whole, "c"), _slots(whole, "e"), *cut))
        slices.append(own)
    turns = [[*_turns(top, bottom)] for top, bottom in shapes]
    return Graph(shapes, slices, turns)


def _turns(top: Layer, bottom: Layer) -> Iterator[Turn]:
    """Yield the turns of the layers that keep a shape."""
    upper, lower = _pieces(top, bottom)
    for i in range(len(top)):
        for j in range(len(bottom)):
            if top[i:] + top[:i] == top and bottom[j:] + bottom[:j] == bottom:
                whole = _rotated(upper, i) + _rotated(lower, j)
                slots = _slots(whole, "c"), _slots(whole, "e")
                yield Turn(*slots, i, j, len(top), len(bottom))


def order(pieces: Sequence[int]) -> int:
    """Return an order of eight pieces as a number of 32 bits.

    >>> hex(order(range(8)))
    '0x76543210'
    """
    return sum(piece << 4 * slot for slot, piece in enumerate(pieces))


@cache
def order_parts() -> tuple[array[int], array[int]]:
    """Return the parts of the number of an order, for its lower and its upper 16 bits.

    The number is 24 times the first plus the second. It is the place of the order in the list of
    all orders.
    """
    first, last = array("H", bytes(2 << 16)), array("B", bytes(1 << 16))
    for number, pieces in enumerate(permutations(range(8))):
        whole = order(pieces)
        first[whole & 65535] = number // 24
        last[whole >> 16] = number % 24
    return first, last


@cache
def solved_orders() -> tuple[tuple[int, int, int, int], ...]:
    """Return the solved orders of corners and edges, however the layers are turned.

    Each item also has the pieces at the cuts of both layers when they are not turned: the top layer
    begins with a corner there, and the bottom layer with an edge.
    """
    found = []
    for top in range(4):
        for bottom in range(4):
            corners = [(k + top) % 4 for k in range(4)] + [4 + (k + bottom) % 4 for k in range(4)]
            # Both layers of the shape begin with a corner. In the bottom layer, an edge precedes
            # the first corner.
            edges = [(k + top) % 4 for k in range(4)] + [4 + (k + bottom + 1) % 4 for k in range(4)]
            found.append((order(corners), order(edges), -top % 4 * 2, (-bottom - 1) % 4 * 2 + 1))
    return tuple(found)


def distances(kind: str) -> npt.NDArray[np.uint8]:
    """Return the fewest slices that solve the corners ("c") or the edges ("e").

    The array has an entry for each shape and number of an order: breadth first from solved.
    """
    import numpy as np

    shapes = graph()
    step = _steps()
    first, last = order_parts()
    which = 0 if kind == "c" else 1
    fewest = np.full((len(shapes.slices), ORDERS), 255, np.uint8)
    for solved in solved_orders():
        fewest[0, first[solved[which] & 65535] * 24 + last[solved[which] >> 16]] = 0
    level, found = 0, True
    while found:
        found = False
        for shape, own in enumerate(shapes.slices):
            fresh = np.flatnonzero(fewest[shape] == level)
            if not len(fresh):
                continue
            for each in own:
                there = fewest[each.target]
                reached = step(each.corners if kind == "c" else each.edges)[fresh]
                reached = reached[there[reached] == 255]
                if len(reached):
                    found = True
                    for turn in shapes.turns[each.target]:
                        slots = turn.corners if kind == "c" else turn.edges
                        there[step(slots)[reached]] = level + 1
        level += 1
    return fewest.reshape(-1)


def _steps() -> Callable[[tuple[int, ...]], npt.NDArray[np.uint16]]:
    """Return a function: the number of each order after its pieces came from some slots."""
    import numpy as np

    first, last = (np.array(part) for part in order_parts())
    pieces = np.array([*permutations(range(8))], np.uint32)

    @cache
    def step(slots: tuple[int, ...]) -> npt.NDArray[np.uint16]:
        whole = (pieces[:, slots] << np.arange(0, 32, 4, dtype=np.uint32)).sum(1, np.uint32)
        numbers = first[whole & 65535].astype(np.uint16) * 24 + last[whole >> 16]
        found: npt.NDArray[np.uint16] = numbers.astype(np.uint16)
        return found

    return step


def twists(kind: str) -> npt.NDArray[np.uint8]:
    """Return lower bounds on the twists after a slash, by the corners ("c") or the edges ("e").

    The array has an entry for each shape and number of an order: 0 if the pieces are solved.
    Otherwise a layer is turned before the next slash, so the entry is one more than the fewest
    twists from the best turn of the layers. They are found breadth first with all turns.
    """
    import numpy as np

    shapes = graph()
    step = _steps()
    first, last = order_parts()
    which = 0 if kind == "c" else 1
    tops = [sorted({each.top for each in own}) for own in shapes.slices]
    bottoms = [sorted({each.bottom for each in own}) for own in shapes.slices]
    least = np.full((len(shapes.slices), ORDERS), 255, np.uint8)
    # For each shape, each cut of the top layer, each cut of the bottom layer, and each order.
    fewest = [
        np.full((len(one), len(other), ORDERS), 255, np.uint8)
        for one, other in zip(tops, bottoms, strict=True)
    ]
    for solved in solved_orders():
        number = first[solved[which] & 65535] * 24 + last[solved[which] >> 16]
        fewest[0][tops[0].index(solved[2]), bottoms[0].index(solved[3]), number] = 0
        least[0, number] = 0
    # In which a turn of the layers that keeps the shape changes the cuts.
    symmetries = [
        [
            (
                step(turn.corners if kind == "c" else turn.edges),
                [tops[shape].index((top - turn.top) % turn.size_of_top) for top in tops[shape]],
                [
                    bottoms[shape].index((bottom - turn.bottom) % turn.size_of_bottom)
                    for bottom in bottoms[shape]
                ],
            )
            for turn in turns
        ]
        for shape, turns in enumerate(shapes.turns)
    ]
    # The entries of an order differ by at most two twists, one turn of each layer. So only orders
    # with a least entry from two levels before have an entry at this level.
    level = 0
    while (near := (least <= level) & (least + 2 >= level)).any():
        for shape, own in enumerate(shapes.slices):
            orders = np.flatnonzero(near[shape])
            some = len(orders) < ORDERS // 2
            here = fewest[shape].take(orders, 2) if some else fewest[shape]
            fresh = here == level
            if not fresh.any():
                continue
            for axis in (0, 1):
                lines = here.min(axis, keepdims=True) == level
                np.minimum(here, ~(lines * np.uint8(254 - level)), out=here)  # level + 1
            if some:
                fewest[shape][:, :, orders] = here
            for each in own:
                numbers = np.flatnonzero(
                    fresh[tops[shape].index(each.top), bottoms[shape].index(each.bottom)]
                )
                if some:
                    numbers = orders.take(numbers)
                target, target_least = fewest[each.target], least[each.target]
                i = tops[each.target].index(each.new_top)
                j = bottoms[each.target].index(each.new_bottom)
                reached = step(each.corners if kind == "c" else each.edges).take(numbers)
                reached = reached[target[i, j].take(reached) == 255]
                if len(reached):
                    for turned, new_tops, new_bottoms in symmetries[each.target]:
                        found = turned.take(reached)
                        target[new_tops[i], new_bottoms[j]][found] = level + 1
                        target_least[found[target_least.take(found) == 255]] = level + 1
        level += 1
    return (least + (least > 0)).reshape(-1)
