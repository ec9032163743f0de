"""Methods for cuboids: shortest answers where the states are few, else phases."""

from __future__ import annotations

from math import prod

import attrs

from puzzlekit import (
    Combination,
    Coordinate,
    Method,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
)
from puzzlekit.coordinates.products import Reached
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_beam import Beam
from puzzlekit_cuboids.cuboid import Cuboid

__all__ = ["methods"]

_ONE_TABLE = 1_000_000  # states of which one table has all


def methods(cuboid: Puzzle, shape: Cuboid) -> list[Method]:
    """Make the method `optimal`, or `phases` if there are too many states for proofs."""
    moves = " ".join(shape.layer_turns)
    if any(each.orbit.name == "side-centers" for each in shape.pieces):
        return [_phases(cuboid, moves)]
    coordinates: list[Coordinate] = []
    for orbit, _, moved in shape.pieces:
        if orbit.orientations > 1 and not shape.whole_turns:
            coordinates.append(Orientation("flips", cuboid, orbit.name, summed=False))
        elif moved:
            coordinates.append(Permutation(orbit.name, cuboid, orbit.name))
    names = [each.name for each in coordinates]
    solve = Phase("solve", "the cuboid is solved", moves, tuple(coordinates), (" ".join(names),))
    if prod(each.size for each in coordinates) <= _ONE_TABLE:
        solve = attrs.evolve(solve, goal_turns=" ".join(_kept(cuboid)))
        return [Method("optimal", "shortest answers from one exact table", (solve,))]
    # The permutation of each orbit, with the places of three pieces of another one.
    some = [
        Permutation(f"some-{orbit.name}", cuboid, orbit.name, " ".join(orbit.places[:3]))
        for orbit, _, moved in shape.pieces
        if moved
    ]
    pairs = zip(names, [*some[1:], some[0]], strict=True)
    solve = attrs.evolve(
        solve,
        coordinates=(*coordinates, *some),
        tables=tuple(Modulo3(f"{name} {other.name}") for name, other in pairs),
    )
    return [Method("optimal", "shortest answers", (solve,), Optimal())]


def _kept(cuboid: Puzzle) -> list[str]:
    """Return the rotations of the whole cuboid that turns of layers can replace."""
    found = []
    for move in cuboid.family_moves(cuboid.rotations):
        after = cuboid.apply(cuboid.solved, [move])
        turned = any(any(cuboid.orientations(after, orbit)) for orbit in cuboid.orbits)
        if not turned and cuboid.frames == ():
            found.append(move.name)
    return found


def _phases(cuboid: Puzzle, moves: str) -> Method:
    """Make the method `phases`: inner layers first, then the turns of outer layers.

    Turns of outer layers move inner edges in pairs, and keep the centers at the sides.
    """
    outer = " ".join(move for move in moves.split() if "w" not in move)
    inner = Permutation("inner", cuboid, "upright-edges")  # 8!
    centers = cuboid.orbit("side-centers")
    first = {label: place for place, label in zip(centers.places, centers.solved, strict=True)}
    sides = [
        Combination(place, cuboid, "side-centers", place)  # 8 choose 2
        for place in first.values()
    ]
    one, two, three, four = (each.name for each in sides)
    split = Phase(
        name="split",
        goal="inner edges are in pairs as the outer layers need them, centers are solved",
        moves=moves,
        coordinates=(inner, *sides),
        tables=(f"inner {one} {two}", f"inner {three} {four}"),
        goal_moves=outer,
    )
    corners = Permutation("corners", cuboid, "corners")  # 8!
    edges = Permutation("edges", cuboid, "edges")  # 8!
    pairs = Reached("pairs", cuboid, "upright-edges", (inner,), outer)
    some = [
        Permutation(f"some-{name}", cuboid, name, " ".join(cuboid.orbit(name).places[:3]))
        for name in ("corners", "edges")
    ]
    finish = Phase(
        name="finish",
        goal="the cuboid is solved",
        moves=outer,
        coordinates=(corners, edges, pairs, *some),
        tables=("corners pairs", "edges pairs", "corners some-edges", "edges some-corners"),
    )
    return Method(
        name="phases",
        title="inner layers first, then the turns of outer layers",
        phases=(split, finish),
        strategy=Beam(shares=(0.3, 0.7), seconds=1),
        fixed={"centers": " ".join(cuboid.orbit("centers").places)},
        heavy=True,
    )
