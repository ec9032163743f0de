"""The puzzle of a cuboid: its stickers in space, its pieces, its moves and its laws.

A cuboid AxBxC is A wide (from L to R), B deep (from F to B) and C high (from D to U). It never
changes its shape: where the layers of an axis are no squares, they turn by half turns only. Places
and pieces follow from the turns: pieces that turns bring to each other's places form an orbit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit import EvenParity, FaceletLayout, Frame, Metric, Orbit, Puzzle
from puzzlekit.puzzle.layout import Picture, sticker_effect
from puzzlekit.puzzle.move import Effect, permutation_parity
from puzzlekit.puzzle.orbit import Constraint, Law

if TYPE_CHECKING:
    from random import Random

__all__ = ["Cuboid", "Pieces"]

Point = tuple[int, int, int]  # to the right, up, to the front; neighbours differ by 2
#: For each cell that a piece reaches, the orders in which its stickers come there.
_Orders = dict[Point, list[tuple[int, ...]]]

#: For each face, its axis and side, and in the net the ways to the right and down.
FACES: Mapping[str, tuple[int, int, Point, Point]] = {
    "U": (1, 1, (1, 0, 0), (0, 0, 1)),
    "R": (0, 1, (0, 0, -1), (0, -1, 0)),
    "F": (2, 1, (1, 0, 0), (0, -1, 0)),
    "D": (1, -1, (1, 0, 0), (0, 0, -1)),
    "L": (0, -1, (0, 0, 1), (0, -1, 0)),
    "B": (2, -1, (-1, 0, 0), (0, -1, 0)),
}
SIDES = ("RL", "UD", "FB")  # the faces at the ends of each axis
COLOURS = ("white", "red", "green", "yellow", "orange", "blue")
SCHEMES = {"western": "WRGYOB", "japanese": "WRGBOY"}
_CLOCKWISE = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
#: The names of orbits by the number of axes at whose ends their pieces are.
_KINDS = {3: "corners", 2: "edges", 1: "centers"}
_VECTORS = {
    "corners": "cp co",
    "edges": "ep eo",
    "upright-edges": "up uo",
    "centers": "xp",
    "side-centers": "sp",
}


class Pieces(NamedTuple):
    """An orbit, and the facelets of its places."""

    orbit: Orbit
    places: tuple[tuple[int, ...], ...]
    #: Whether turns of layers move the pieces. If not, they only show how the cuboid is held.
    moved: bool


@attrs.frozen(slots=False, eq=False)
class Cuboid:
    """A cuboid with so many layers from L to R, from F to B, and from D to U."""

    width: int
    depth: int
    height: int

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return f"cuboid-{self.width}x{self.depth}x{self.height}"

    @property
    def size(self) -> Point:
        """The numbers of layers along each axis."""
        return self.width, self.height, self.depth

    def is_square(self, axis: int) -> bool:
        """Whether the layers of an axis are squares, so that quarter turns keep the shape."""
        across, along = (self.size[other] for other in range(3) if other != axis)
        return across == along

    @cached_property
    def stickers(self) -> dict[Point, str]:
        """The face of the sticker at each point, in the order of the facelets."""
        found: dict[Point, str] = {}
        for face, (axis, side, right, down) in FACES.items():
            columns, rows = (self.size[_axis(way)] for way in (right, down))
            for row in range(rows):
                for column in range(columns):
                    point = [0, 0, 0]
                    point[axis] = side * (self.size[axis] + 1)
                    for way, at, count in ((right, column, columns), (down, row, rows)):
                        point[_axis(way)] = sum(way) * (2 * at - count + 1)
                    found[point[0], point[1], point[2]] = face
        return found

    @cached_property
    def _number(self) -> dict[Point, int]:
        return {point: i for i, point in enumerate(self.stickers)}

    def _turn(self, axis: int, side: int, layers: int) -> list[int]:
        """Return the facelet to which a turn of outer layers carries each facelet.

        The turn is clockwise as seen from its face. It is a quarter turn if this keeps the shape.
        """
        first = self.size[axis] + 1 - 2 * layers
        quarters = 1 if self.is_square(axis) else 2
        found = []
        for point in self._number:
            carried = point
            for _ in range(quarters if side * point[axis] >= first else 0):
                carried = _quarter(carried, axis, side)
            found.append(self._number[carried])
        return found

    @cached_property
    def layer_turns(self) -> dict[str, list[int]]:
        """Where each family of turns carries each facelet: of one layer from a face, and of two."""
        found = {}
        for axis, faces in enumerate(SIDES):
            end = "" if self.is_square(axis) else "2"
            for layers in range(1, self.size[axis] // 2 + 1):
                for face, side in zip(faces, (1, -1), strict=True):
                    wide = "w" * (layers > 1)
                    found[f"{face}{wide}{end}"] = self._turn(axis, side, layers)
        return found

    @cached_property
    def whole_turns(self) -> dict[str, list[int]]:
        """Where each rotation of the whole cuboid carries each facelet.

        A flat cuboid has none: pieces that flip in place show stickers that no place holds.
        """
        if 1 in self.size:
            return {}
        return {
            name + "2" * (not self.is_square(axis)): self._turn(axis, 1, self.size[axis] + 1)
            for axis, name in enumerate("xyz")
        }

    @cached_property
    def pieces(self) -> tuple[Pieces, ...]:
        """The orbits, with the places of each."""
        at: dict[Point, list[int]] = {}
        for point, number in self._number.items():
            at.setdefault(self._cell(point), []).append(number)
        every = [*self.layer_turns.values(), *self.whole_turns.values()]
        cell_of = {number: cell for cell, own in at.items() for number in own}
        found, seen = [], set[Point]()
        for cell in sorted(at, key=lambda cell: (-len(at[cell]), [-way for way in cell])):
            if cell in seen:
                continue
            orders = self._orders(self._in_order(cell, at[cell]), every, cell_of)
            seen.update(orders)
            moved = any(
                turn[number] != number
                for turn in self.layer_turns.values()
                for own in orders
                for number in at[own]
                if cell_of[turn[number]] != own or len(orders[own]) > 1
            )
            found.append((orders, moved))
        return tuple(self._named(found))

    def _named(self, found: Sequence[tuple[_Orders, bool]]) -> Iterator[Pieces]:
        """Yield the orbits. Pieces that flip in place, on a flat cuboid, are one of them."""
        names: set[str] = set()
        flips: _Orders = {}
        for orders, moved in found:
            first = next(iter(orders))
            if len(orders) == 1 and not self.whole_turns:
                if len(orders[first]) > 1:
                    flips |= orders
                continue  # all other stickers of such pieces stay where they are
            name = _KINDS[sum(abs(at) == n - 1 for at, n in zip(first, self.size, strict=True))]
            if name == "centers" and moved:
                name = "side-centers"
            elif name in names:
                name = f"upright-{name}"
            names.add(name)
            yield self._pieces(name, orders, moved)
        if flips:
            yield self._pieces("edges", flips, True)

    def _orders(
        self, first: tuple[int, ...], turns: Sequence[Sequence[int]], cell_of: Mapping[int, Point]
    ) -> _Orders:
        """Return for each cell that a piece reaches the orders of its stickers there."""
        orders: _Orders = {cell_of[first[0]]: [first]}
        fresh = [first]
        for order in fresh:  # grows during the loop
            for turn in turns:
                after = tuple(turn[number] for number in order)
                known = orders.setdefault(cell_of[after[0]], [])
                if after not in known:
                    known.append(after)
                    fresh.append(after)
        return orders

    def _pieces(self, name: str, orders: _Orders, moved: bool) -> Pieces:
        cells = sorted(orders, key=lambda cell: (-cell[1], -cell[2], -cell[0]))
        turned = len(orders[cells[0]])
        ways = [orders[cell] for cell in cells]
        if turned > 1 and not self.whole_turns:  # only the stickers that change places
            places = tuple(
                tuple(one for one, other in zip(*each, strict=True) if one != other)
                for each in ways
            )
        else:
            places = tuple(each[0] for each in ways)
        if name == "side-centers":  # two of each face are alike
            faces = list(self.stickers.values())
            labels = tuple("URFDLB".index(faces[place[0]]) for place in places)
        elif turned > 1 and not self.whole_turns:  # pieces that flip in place look alike
            labels = (0,) * len(cells)
        else:
            labels = tuple(range(len(cells)))
        orbit = Orbit(
            name,
            name.removesuffix("s").replace("-", " "),
            tuple(map(self._place, cells)),
            turned,
            labels,
            _VECTORS[name] if turned > 1 else _VECTORS[name].split()[0],
        )
        return Pieces(orbit, places, moved)

    def _cell(self, point: Point) -> Point:
        """Return where the piece of a sticker is."""
        x, y, z = (max(1 - n, min(n - 1, way)) for way, n in zip(point, self.size, strict=True))
        return x, y, z

    def _place(self, cell: Point) -> str:
        """Return the name of a place: its faces, and in small letters the faces that are near."""
        found, near = "", ""
        for axis in (1, 0, 2):
            last = self.size[axis] - 1
            front, back = SIDES[axis][0], SIDES[axis][1]
            if last == 0:
                found += front + back
            elif abs(cell[axis]) == last:
                found += front if cell[axis] > 0 else back
            elif cell[axis]:
                near += (front if cell[axis] > 0 else back).lower()
        same = (corner for corner in _CLOCKWISE if set(corner) == set(found))
        return next(same, found) + near

    def _in_order(self, cell: Point, own: Sequence[int]) -> tuple[int, ...]:
        """Return the facelets of a piece in the order of the letters in its name."""
        faces = list(self.stickers.values())
        name = self._place(cell)
        return tuple(sorted(own, key=lambda number: name.index(faces[number])))

    def effect(self, turn: Sequence[int]) -> Effect:
        """Return the effect of a turn on the pieces."""
        orbits = [each.orbit for each in self.pieces]
        places = {each.orbit.name: each.places for each in self.pieces}
        return sticker_effect(orbits, places, turn)

    def constraints(self, turns: Mapping[str, Effect]) -> Iterator[Constraint]:
        """Yield the frames, the laws of orientations, and those of parities.

        Each smallest set of parities that add up to 0 in every turn is a law. A parity is that of
        the permutation of an orbit, or of the number of pieces of an orbit that are flipped.
        """
        start = 0
        parities: dict[str, list[int]] = {}
        flips: dict[str, list[int]] = {}
        for orbit, _, moved in self.pieces:
            end = start + orbit.size
            if orbit.orientations > 1 and self.whole_turns:
                yield Law((orbit.name,), partial(_unlike, orbit), partial(_alike, orbit))
            elif orbit.orientations > 1:
                yield Frame(orbit.name)
                flips[orbit.name] = [sum(add[end : end + orbit.size]) for _, add in turns.values()]
            elif not moved:
                yield Frame(orbit.name)
            if orbit.distinct and orbit.name not in flips:
                parities[orbit.name] = [
                    permutation_parity([byte - start for byte in gather[start:end]])
                    for gather, _ in turns.values()
                ]
            start += orbit.width
        found: list[set[str]] = []
        for count in range(1, len(parities) + 1):
            for names in combinations(parities, count):
                total = [sum(each) % 2 for each in zip(*map(parities.get, names), strict=True)]
                if any(set(names) >= less for less in found):
                    continue
                if not any(total):
                    found.append(set(names))
                    yield EvenParity(names)
                for name, own in flips.items():
                    if total == [each % 2 for each in own]:
                        yield Law((*names, name), partial(_odd_flips, names, name))

    def pictures(self) -> tuple[Picture, ...]:
        """Return the pictures besides the net."""
        from puzzlekit_cubes import cube_pictures

        width, height, depth = (layers / max(self.size) for layers in self.size)
        return cube_pictures(sides=(width, height, depth))

    def layout(self) -> FaceletLayout:
        """Return the layout of the stickers."""
        faces = "".join(FACES)
        face_of = tuple(faces.index(face) for face in self.stickers.values())
        left = {
            face: iter([i for i, at in enumerate(face_of) if faces[at] == face]) for face in faces
        }
        across, deep, high = self.width, self.depth, self.height
        rows = [" " * deep + face * across + " " * (deep + across) for face in "UD"]
        middle = "L" * deep + "F" * across + "R" * deep + "B" * across
        net = [*[rows[0]] * deep, *[middle] * high, *[rows[1]] * deep]
        return FaceletLayout(
            faces=faces,
            face_of=face_of,
            places={each.orbit.name: each.places for each in self.pieces},
            net=tuple(
                tuple(next(left[cell]) if cell in left else None for cell in row) for row in net
            ),
            schemes=SCHEMES,
            colours=COLOURS,
            pictures=self.pictures,
        )

    def puzzle(self) -> Puzzle:
        """Make the puzzle."""
        layers = {name: self.effect(turn) for name, turn in self.layer_turns.items()}
        rotations = {name: self.effect(turn) for name, turn in self.whole_turns.items()}
        turns = layers | rotations
        costs = dict.fromkeys(layers, 1) | dict.fromkeys(rotations, 0)
        mirror = str.maketrans("RL", "LR")
        about = {name: 1 if name[0] in "x" else -1 for name in turns}
        known = " ".join(turns)
        return Puzzle(
            name=self.name,
            title=f"{self.width}x{self.depth}x{self.height} cuboid",
            orbits=tuple(each.orbit for each in self.pieces),
            turns=turns,
            metrics=(
                Metric("HTM", "turns of an outer block by any angle", costs),
                Metric("QTM", "turns of an outer block by the least angle", costs, per_turn=True),
            ),
            rotations=tuple(rotations),
            reflections=({name: (name.translate(mirror), about[name]) for name in turns},),
            constraints=tuple(self.constraints(turns)),
            layout=self.layout(),
            aliases={name[0].lower() + name[2:]: (name, 1) for name in layers if "w" in name},
            hints=lambda _: f"moves are {known}; layers that are no squares turn by half turns",
        )


def _unlike(orbit: Orbit, cuboid: Puzzle, state: bytes) -> list[str]:
    """Return the faults of an orbit whose pieces only a turn of the whole cuboid can flip."""
    turns = cuboid.orientations(state, orbit)
    usual = int(2 * sum(turns) > len(turns))
    labels = cuboid.labels(state, orbit)
    return [
        f"{orbit.piece} {orbit.label_name(label)} is flipped"
        for label, turn in zip(labels, turns, strict=True)
        if turn != usual
    ]


def _alike(orbit: Orbit, cuboid: Puzzle, state: bytes, _: Random) -> bytes:
    """Return the state with no piece of an orbit flipped."""
    start = cuboid.offsets[orbit.name] + orbit.size
    return state[:start] + bytes(orbit.size) + state[start + orbit.size :]


def _odd_flips(names: Sequence[str], flipped: str, cuboid: Puzzle, state: bytes) -> list[str]:
    """Return the fault of pieces whose permutation and flips do not have one parity."""
    odd = sum(cuboid.orientations(state, cuboid.orbit(flipped)))
    odd += sum(permutation_parity(list(cuboid.labels(state, cuboid.orbit(each)))) for each in names)
    return [f"parity: one of the {flipped} is flipped, or two {names[0]} are exchanged"] * (odd % 2)


def _axis(way: Point) -> int:
    return next(axis for axis in range(3) if way[axis])


def _quarter(point: Point, axis: int, side: int) -> Point:
    """Return a point after a quarter turn, clockwise as seen from an end of an axis."""
    found = list(point)
    one, other = (axis + 1) % 3, (axis + 2) % 3
    found[one], found[other] = side * point[other], -side * point[one]
    return found[0], found[1], found[2]
