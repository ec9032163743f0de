"""Stacks of pancakes: a flip turns over the upper ones, until all of them are sorted."""

from __future__ import annotations

from math import perm

from puzzlekit import Method, Metric, Orbit, Permutation, Phase, Pieces, Puzzle, Sequential
from puzzlekit_domains.gap import Gap
from puzzlekit_domains.writing import Stack

_VALUES = (1 << 31) - 1  # most values of a coordinate


def pancakes(name: str, size: int, burnt: bool) -> Puzzle:
    """Return the stack of `size` pancakes, sorted with the smallest one on top.

    F5 turns over the five upper pancakes. Burnt pancakes show one of two sides, and a flip also
    turns each of its pancakes over.
    """
    wide = len(str(size))
    turns = {}
    for many in range(1 if burnt else 2, size + 1):
        order = [*range(many - 1, -1, -1), *range(many, size)]
        sides = [size + place for place in order] if burnt else []
        turned = [0] * size + [1] * many + [0] * (size - many)
        turns[f"F{many:0{wide}}"] = bytes(order + sides), bytes(turned[: len(order + sides)])
    places = " ".join(map(str, range(1, size + 1)))
    return Puzzle(
        name=name,
        title=f"stack of {size} {'burnt ' * burnt}pancakes",
        orbits=(Orbit("pancakes", "pancake", places, orientations=1 + burnt),),
        turns=turns,
        metrics=(Metric("FLIPS", "flips", dict.fromkeys(turns, 1)),),
        writing=Stack(1, size, signed=burnt),
    )


def methods(puzzle: Puzzle) -> list[Method]:
    """Return the one method: shortest answers by the gap heuristic, without tables."""
    (orbit,) = puzzle.orbits
    kind = Permutation if orbit.orientations == 1 else Pieces
    many = orbit.size
    while perm(orbit.size, many) * orbit.orientations**many > _VALUES:
        many -= 1
    parts = []
    for begin in range(0, orbit.size, many):
        part = " ".join(orbit.places[begin : begin + many])
        parts.append(kind(f"places {begin + 1}", puzzle, "pancakes", part))
    solve = Phase(
        "solve",
        "every pancake in its place",
        " ".join(puzzle.turns),
        tuple(parts),
        (),
        heuristic=Gap(),
    )
    return [Method("optimal", "shortest answers by the gap heuristic", (solve,), Sequential())]
