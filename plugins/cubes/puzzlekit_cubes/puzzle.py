"""The puzzle of the NxNxN cube, for 2x2x2 and 3x3x3."""

from __future__ import annotations

from functools import cache

from puzzlekit import (
    Effect,
    EvenParity,
    FaceletLayout,
    Frame,
    Metric,
    Orbit,
    OrientationSum,
    Puzzle,
    product,
    state_modulus,
    sticker_effect,
)
from puzzlekit_cubes.geometry import FACES, NORMALS, Point, sticker_numbers, turned_stickers
from puzzlekit_cubes.notation import Family, aliases, families, hint

# Places by the faces they touch; the first letter is the sticker that shows orientation 0, the
# letters of a corner go round clockwise. The order is that of the vectors cp, co, ep, eo in use
# since K. Nishi's 3x3x3 model (2018): top layer, then bottom layer; middle edges first. Edge
# orientation so defined changes under quarter turns of F and B only.
CORNERS = "ULB UBR URF UFL DBL DRB DFR DLF"
EDGES = "BL BR FR FL UB UR UF UL DB DR DF DL"

SCHEMES = {"western": "WRGYOB", "japanese": "WRGBOY"}
COLOURS = ("white", "red", "green", "yellow", "orange", "blue")


def cube_puzzle(name: str, size: int) -> Puzzle:
    """The cube with `size` layers (2 or 3) as a puzzle.

    >>> cube = cube_puzzle("cube3", 3)
    >>> [orbit.name for orbit in cube.orbits], len(cube.holdings)
    (['corners', 'edges', 'centers'], 24)
    """
    orbits = [Orbit("corners", "corner", CORNERS, orientations=3, vectors="cp co")]
    constraints: list[OrientationSum | EvenParity | Frame] = [OrientationSum("corners")]
    if size % 2:
        orbits.append(Orbit("edges", "edge", EDGES, orientations=2, vectors="ep eo"))
        orbits.append(Orbit("centers", "center", " ".join(FACES)))
        constraints.append(OrientationSum("edges"))
        constraints.append(EvenParity(("corners", "edges", "centers")))
        constraints.append(Frame("centers"))
    layout = _layout(size, orbits)
    known = families(size)
    return Puzzle(
        name=name,
        title=f"{size}x{size}x{size} cube",
        orbits=tuple(orbits),
        turns=_turns(size, orbits, layout, known),
        metrics=_metrics(size, known),
        rotations=("x", "y", "z"),
        constraints=tuple(constraints),
        layout=layout,
        aliases=aliases(size),
        hints=hint(size),
    )


def _turns(
    size: int, orbits: list[Orbit], layout: FaceletLayout, known: list[Family]
) -> dict[str, Effect]:
    """The effect of each family: its layers one after the other."""
    modulus = state_modulus(orbits)

    @cache
    def layer(face: str, number: int) -> Effect:
        return sticker_effect(orbits, layout.places, turned_stickers(size, face, number))

    return {
        family.name: product((layer(family.face, number) for number in family.layers), modulus)
        for family in known
    }


def _metrics(size: int, known: list[Family]) -> tuple[Metric, ...]:
    inner = {family.name: family.inner for family in known}
    rotation = {family.name: family.rotation for family in known}
    block = {name: 0 if rotation[name] else 2 if inner[name] else 1 for name in inner}
    layer = {name: 0 if rotation[name] else 1 for name in inner}
    metrics = [
        Metric("HTM", "turns of an outer block by any angle", block),
        Metric("QTM", "quarter turns of an outer block", block, per_turn=True),
    ]
    if size % 2:
        metrics.append(Metric("STM", "turns of any layer or block", layer))
    return tuple(metrics)


def _layout(size: int, orbits: list[Orbit]) -> FaceletLayout:
    at = sticker_numbers(size)
    area = size * size
    return FaceletLayout(
        faces=FACES,
        face_of=tuple(i // area for i in range(6 * area)),
        places={
            orbit.name: tuple(
                tuple(at[point] for point in _stickers(size, place)) for place in orbit.places
            )
            for orbit in orbits
        },
        net=_net(size),
        schemes=SCHEMES,
        colours=COLOURS,
    )


def _stickers(size: int, place: str) -> list[Point]:
    """The stickers of the corner, middle edge or center on these faces, in their order."""
    stickers = []
    for face in place:
        point = [0, 0, 0]
        for other in place:
            axis, side = NORMALS[other]
            point[axis] = side * (size if other == face else size - 1)
        stickers.append((point[0], point[1], point[2]))
    return stickers


def _net(size: int) -> tuple[tuple[int | None, ...], ...]:
    area = size * size

    def face_row(face: str, row: int) -> list[int | None]:
        first = FACES.index(face) * area + row * size
        return list(range(first, first + size))

    blank: list[int | None] = [None] * size
    rows = [tuple(blank + face_row("U", row)) for row in range(size)]
    for row in range(size):
        rows.append(tuple(facelet for face in "LFRB" for facelet in face_row(face, row)))
    rows += [tuple(blank + face_row("D", row)) for row in range(size)]
    return tuple(rows)
