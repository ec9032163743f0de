"""Supercubes: odd cubes on which the middle centers show how they are turned, as on picture cubes.

Such a center has four stickers, one on each side of its square. In the solved cube, each of them
has the colour of the adjacent face. So a center shows which face it belongs to, and its
orientation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from puzzlekit import DeclarationError, FaceletLayout, Orbit, Puzzle
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.orbit import Law
from puzzlekit_cubes.cube import cube_puzzle, turns_of
from puzzlekit_cubes.geometry import FACES, NORMALS, ROWS_AND_COLUMNS, Point, sticker_numbers, turn

if TYPE_CHECKING:
    from puzzlekit.puzzle.layout import Picture

_OFF = 0.5  # from the middle of a center to its stickers


def supercube(name: str, size: int) -> Puzzle:
    """Return the puzzle of the supercube with `size` layers. Raises a DeclarationError if even."""
    if size % 2 == 0:
        raise DeclarationError(f"a supercube has an odd number of layers, not {size}")
    plain = cube_puzzle(name, size)
    centers = Orbit("centers", "center", " ".join(FACES), orientations=4, vectors="mp mo")
    orbits = (*plain.orbits[:-1], centers)
    numbers = _numbers(size)
    assert plain.layout is not None
    layout = _layout(size, plain.layout, numbers)
    return evolve(
        plain,
        title=f"{size}x{size}x{size} supercube",
        orbits=orbits,
        turns=turns_of(size, orbits, layout, numbers),
        metrics=tuple(metric for metric in plain.metrics if metric.counts),  # no machines
        constraints=(*plain.constraints, Law(("corners", "centers"), _faults)),
        layout=layout,
    )


def _faults(cube: Puzzle, state: bytes) -> list[Fault]:
    """Return the fault of a state in which one center is turned by a quarter too much.

    A quarter turn of a face turns one center, and exchanges the corners in an odd permutation. The
    other turns do neither, or do both twice. Rotations of the cube turn an even number of centers.
    """
    turned = sum(cube.orientations(state, cube.orbit("centers")))
    corners = cube.labels(state, cube.orbit("corners"))
    exchanges = sum(one > other for i, one in enumerate(corners) for other in corners[i + 1 :])
    if (turned + exchanges) % 2 == 0:
        return []
    return [Fault("center twist: one of the centers is turned by a quarter turn")]


def _sides(size: int, face: str) -> list[Point]:
    """Return the stickers of a center, clockwise."""
    axis, side = NORMALS[face]
    across, _ = ROWS_AND_COLUMNS[face]
    point = [_OFF * each for each in across]
    point[axis] = side * size
    found: list[Point] = [(point[0], point[1], point[2])]
    while len(found) < 4:
        found.append(turn(found[-1], face))
    return found


def _adjacent(point: Point) -> str:
    """Return the face next to a sticker of a center."""
    axis = next(i for i in range(3) if abs(point[i]) == _OFF)
    return next(face for face, each in NORMALS.items() if each == (axis, 2 * point[axis]))


def _cells(size: int) -> Iterator[tuple[int, int, float, float]]:
    """Yield the row and column of each sticker of a face in the net, and its place on the face."""
    lines = sorted([*range(1 - size, size, 2), -_OFF, _OFF])
    for row, down in enumerate(lines):
        for column, right in enumerate(lines):
            off = [abs(down), abs(right)].count(_OFF)
            if (off == 0 and (down or right)) or (off == 1 and not (down and right)):
                yield row, column, down, right


def _numbers(size: int) -> dict[Point, int]:
    """Return a mapping from each sticker to its index in a facelet string, from 0."""
    numbers: dict[Point, int] = {}
    for face in FACES:
        axis, side = NORMALS[face]
        for _, _, down, right in _cells(size):
            steps = zip(*ROWS_AND_COLUMNS[face], strict=True)
            point = [right * a + down * d for a, d in steps]
            point[axis] = side * size
            numbers[point[0], point[1], point[2]] = len(numbers)
    return numbers


def _layout(size: int, plain: FaceletLayout, numbers: dict[Point, int]) -> FaceletLayout:
    """Return the layout of the plain cube with four stickers in place of each middle center."""
    area = len(numbers) // len(FACES)
    face_of = tuple(number // area for number in range(len(numbers)))
    plain_points = {number: point for point, number in sticker_numbers(size).items()}
    places = {
        name: tuple(tuple(numbers[plain_points[facelet]] for facelet in place) for place in own)
        for name, own in plain.places.items()
        if name != "centers"
    }
    sides = {face: _sides(size, face) for face in FACES}
    places["centers"] = tuple(tuple(map(numbers.__getitem__, own)) for own in sides.values())
    colour_of = list(face_of)
    for own in sides.values():
        for point in own:
            colour_of[numbers[point]] = FACES.index(_adjacent(point))
    cells = {(row, column): k for k, (row, column, _, _) in enumerate(_cells(size))}

    def cell(face: str, row: int, column: int) -> int | None:
        there = face != " " and (row, column) in cells
        return FACES.index(face) * area + cells[row, column] if there else None

    wide = range(size + 2)
    net = (
        tuple(cell(face, row, column) for face in band for column in wide)
        for band in (" U", "LFRB", " D")
        for row in wide
    )
    return evolve(
        plain,
        face_of=face_of,
        colour_of=tuple(colour_of),
        places=places,
        net=tuple(net),
        viewer="",
        pictures=partial(_pictures, size),
    )


def _pictures(size: int) -> tuple[Picture, ...]:
    """Return the pictures. Each center is a square of four triangles."""
    from puzzlekit_cubes.pictures import pictures
    from puzzlekit_pictures import NetPicture

    outlines: dict[int, tuple[tuple[float, float], ...]] = {}
    area = size * size + 3
    begin, end = (size - 1) / 2 / size, (size + 1) / 2 / size
    for number, (_, _, down, right) in enumerate(_cells(size)):
        x, y = ((step + size - 1) / 2 / size for step in (right, down))
        width = 1 / size
        outline: tuple[tuple[float, float], ...] = (x, y), (x + width, y), (x + width, y + width)
        outline += ((x, y + width),)
        if abs(right) == _OFF:
            side = begin if right < 0 else end
            outline = (side, begin), (side, end), (0.5, 0.5)
        elif abs(down) == _OFF:
            side = begin if down < 0 else end
            outline = (begin, side), (end, side), (0.5, 0.5)
        outlines |= {face * area + number: outline for face in range(len(FACES))}
    return NetPicture(outlines), *pictures(outlines)
