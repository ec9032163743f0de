"""The puzzle of the NxNxN cube, from 2x2x2 to 7x7x7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import attrs

from puzzlekit import (
    DeclarationError,
    EvenParity,
    FaceletLayout,
    Frame,
    Metric,
    Orbit,
    OrientationSum,
    Puzzle,
)
from puzzlekit.puzzle.layout import sticker_effect
from puzzlekit.puzzle.move import Effect, product
from puzzlekit.puzzle.orbit import state_modulus
from puzzlekit_cubes.cube_places import cube_orbits, place_stickers
from puzzlekit_cubes.geometry import FACES, Point, sticker_numbers, turned_stickers
from puzzlekit_cubes.turns import Family, aliases, families, hint
from puzzlekit_robots import FLIP_SPIN, Machine

if TYPE_CHECKING:
    from puzzlekit.puzzle.layout import Picture

SCHEMES = {"western": "WRGYOB", "japanese": "WRGBOY"}
AXES = (("R", "L"), ("U", "D"), ("F", "B"))  # opposite faces, which a machine can turn at once

HELD = "white on top, green in front"  # for a scramble

COLOURS = ("white", "red", "green", "yellow", "orange", "blue")


def cube_puzzle(name: str, size: int, machines: tuple[Machine, ...] = ()) -> Puzzle:
    """Return the puzzle of the cube with `size` layers (2 to 7).

    `machines` lists machines (metrics for robots), which the puzzle has in addition to its usual
    metrics. Raises a DeclarationError for another size.

    Each place is named after the faces that it touches, in capitals. On larger cubes, small letters
    name other faces near a place. The two wings of the edge UF of a 4x4x4 are UFr, which is next to
    the corner URF, and FUl, which is next to the corner UFL. The three letters of a wing name the
    faces of this corner counterclockwise, and the small letter comes last. This is the upper face,
    seen from above:

                     B
            ULB  UBl  BUr  UBR
            LUb  Ubl  Ubr  URb
        L   ULf  Ufl  Ufr  RUf   R
            UFL  FUl  UFr  URF
                     F

    A small letter stands for the second layer from its face, as Rw does. A number before the letter
    names another layer: UF3r is the wing in the third layer from R. See `places` for the names of
    all centers.

    Centers of one colour in one orbit are alike. Their label is the index of the face in URFDLB,
    from 0 to 5.

    >>> cube = cube_puzzle("cube3", 3)
    >>> [orbit.name for orbit in cube.orbits], len(cube.whole_rotations)
    (['corners', 'edges', 'centers'], 24)
    >>> [(orbit.name, orbit.size) for orbit in cube_puzzle("cube4", 4).orbits]
    [('corners', 8), ('wings', 24), ('centers', 24)]
    >>> [orbit.name for orbit in cube_puzzle("cube5", 5).orbits]
    ['corners', 'midges', 'wings', 'x-centers', 't-centers', 'centers']
    """
    if not 2 <= size <= 7:
        raise DeclarationError(f"a cube of {size} layers is not supported: use 2 to 7")
    orbits = cube_orbits(size)
    constraints: list[OrientationSum | EvenParity | Frame] = [OrientationSum("corners")]
    if size % 2:
        # On cubes of even size, quarter turns of inner layers make every combination of parities.
        edges = orbits[1].name
        constraints.append(OrientationSum(edges))
        constraints.append(EvenParity(("corners", edges, "centers")))
        constraints.append(Frame("centers"))
    layout = _layout(size, orbits)
    known = families(size)
    return Puzzle(
        name=name,
        title=f"{size}x{size}x{size} cube",
        orbits=tuple(orbits),
        turns=turns_of(size, orbits, layout, sticker_numbers(size)),
        metrics=(*_metrics(size, known), *machines),
        rotations=("x", "y", "z"),
        reflections=(_mirrored(known),),
        constraints=tuple(constraints),
        layout=layout,
        aliases=aliases(size),
        hints=hint(size),
    )


def turns_of(
    size: int, orbits: Sequence[Orbit], layout: FaceletLayout, numbers: Mapping[Point, int]
) -> dict[str, Effect]:
    """Return the effect of each family, the product of the turns of its layers.

    `numbers` has the index of each sticker.
    """
    modulus = state_modulus(orbits)

    @cache
    def layer(face: str, number: int) -> Effect:
        return sticker_effect(orbits, layout.places, turned_stickers(numbers, size, face, number))

    return {
        family.name: product((layer(family.face, number) for number in family.layers), modulus)
        for family in families(size)
    }


def _mirrored(known: list[Family]) -> dict[str, tuple[str, int]]:
    """Return the image of each family in a mirror between left and right.

    Turns about the axis from left to right keep their direction; all others reverse it.
    """
    mirrored = {"R": "L", "L": "R"}
    named = {(family.face, tuple(family.layers), family.rotation): family for family in known}
    found = {}
    for family in known:
        face, layers = family.face, tuple(family.layers)
        other = named.get((mirrored.get(face, face), layers, family.rotation), family)
        found[family.name] = (other.name, 1 if other is family and face in mirrored else -1)
    return found


def _metrics(size: int, known: list[Family]) -> tuple[Metric, ...]:
    outer = {family.name: 0 if family.rotation else 2 if family.inner else 1 for family in known}
    # A turn of most layers equals a rotation of the cube and a turn of the other layers back.
    single = {family.name: min(len(family.layers), size - len(family.layers)) for family in known}
    block = {family.name: 0 if family.rotation else 1 for family in known}
    by_outer = "turns of an outer block by any angle"
    by_layer = Metric("STM", "turns of single layers by any angle", single)
    if size > 3:
        by_block = "turns of any block of neighbouring layers by any angle"
        by_blocks = Metric("BTM", by_block, block)
        return Metric("OBTM", by_outer, outer), by_layer, by_blocks, *_large_robots(size)
    metrics = [
        Metric("HTM", by_outer, outer),
        Metric("QTM", "quarter turns of an outer block", outer, per_turn=True),
    ]
    robots = [
        Machine(name="AXHT", title="turns of opposite faces at once, by any angles", arms=AXES),
        Machine(
            name="AXQT",
            title="quarter turns, of opposite faces at once",
            arms=AXES,
            turns={1: 1, 2: 2},
        ),
    ]
    return (*metrics, *robots, by_layer) if size == 3 else (*metrics, *robots)


def _large_robots(size: int) -> tuple[Machine, ...]:
    """Return the robots of a 3x3x3, whose grippers can hold several layers."""
    wide = ["", "w", *(f"{depth}w" for depth in range(3, size // 2 + 1))]
    blocks = {face: [f"{each[:-1]}{face}{each[-1:]}" for each in wide] for face in "RLFBD"}
    times = dict(FLIP_SPIN.each)
    for block in blocks["D"]:
        times |= {block + amount: FLIP_SPIN.each["D" + amount] for amount in ("", "'", "2")}
    return (
        Machine(
            name="robot",
            title="two pairs of arms, which also turn the cube: the larger turn, and 1 to grip",
            arms=tuple(
                pair
                for one, other in ("RL", "FB")
                for pair in zip(blocks[one], blocks[other], strict=True)
            ),
            amounts=(-1, 2),
            turns={1: 1, 2: 2},
            grip=1,
            rotations=("x", "z"),
            whole=2,
        ),
        attrs.evolve(FLIP_SPIN, arms=tuple((block,) for block in blocks["D"]), each=times),
    )


def cube_pictures(
    outlines: Mapping[int, Sequence[tuple[float, float]]] | None = None,
    sides: tuple[float, float, float] = (1, 1, 1),
) -> tuple[Picture, ...]:
    """Return the pictures of a puzzle with six rectangular faces, besides its net.

    Parameters
    ----------
    outlines
        The outlines of special facelets, each in a box from (0, 0) to (1, 1).
    sides
        The lengths of the sides from L to R, from D to U and from B to F.
    """
    from puzzlekit_cubes.pictures import pictures

    return pictures(outlines, sides)


def cube_rankings(cube: Puzzle) -> list[Metric]:
    """Return the metrics by which answers for a cube can be sorted, besides its own."""
    from puzzlekit_cubes.ergonomic import ergonomic

    return [ergonomic(cube)]


def _layout(size: int, orbits: list[Orbit]) -> FaceletLayout:
    at = sticker_numbers(size)
    area = size * size
    return FaceletLayout(
        faces=FACES,
        face_of=tuple(i // area for i in range(6 * area)),
        places={
            orbit.name: tuple(
                tuple(at[point] for point in place_stickers(size, place)) for place in orbit.places
            )
            for orbit in orbits
        },
        net=_net(size),
        schemes=SCHEMES,
        colours=COLOURS,
        viewer=f"{size}x{size}x{size}",
        pictures=cube_pictures,
    )


def _net(size: int) -> tuple[tuple[int | None, ...], ...]:
    def cell(face: str, row: int, column: int) -> int | None:
        return None if face == " " else (FACES.index(face) * size + row) * size + column

    return tuple(
        tuple(cell(face, row, column) for face in band for column in range(size))
        for band in (" U", "LFRB", " D")
        for row in range(size)
    )


def held_at_random(turns: str) -> tuple[str, ...]:
    """Return 24 move sequences from three families, one for each way of holding a cube.

    The moves of the first two families bring each face to the top. The moves of the third family
    then turn the cube about the vertical axis.

    >>> held_at_random("Rw Fw Uw")[:6]
    ('', 'Uw', 'Uw2', "Uw'", 'Rw', 'Rw Uw')
    """
    side, front, top = turns.split()
    up = ("", side, f"{side}2", f"{side}'", front, f"{front}'")
    around = ("", top, f"{top}2", f"{top}'")
    return tuple(f"{one} {other}".strip() for one in up for other in around)
