"""The end of methods that reduce a larger cube: solve the reduced cube as a smaller one."""

from __future__ import annotations

import re
from typing import cast

from attrs import evolve

from puzzlekit import Method, Phase, Puzzle, Solver, UsageError, load
from puzzlekit.errors import PluginError
from puzzlekit_beam.view import View


def small_cube(cube: Puzzle, name: str = "cube3", method: str = "two-phase") -> Solver:
    """Return the solver of a smaller cube. Raise a PluginError if its plugin is missing."""
    try:
        small = load(name)
        small.method(method)
    except (PluginError, UsageError) as error:
        raise PluginError(
            f"the methods of {cube.name} use the method {method} of {name}, so the plugin of "
            f"{name} is needed: {error}"
        ) from None
    return small


def reduced(cube: Puzzle) -> Method:
    """Return the method `reduction` of the 5x5x5 with phases that view a larger cube."""
    five = small_cube(cube, "cube5", "reduction")
    method = five.method("reduction")
    view = View(five.puzzle, seen_as_five(cube, five.puzzle))
    return evolve(
        method,
        phases=tuple(
            evolve(phase, view=view if phase.view is None else cast(View, phase.view).through(view))
            for phase in method.phases
        ),
    )


def inner_phases(cube: Puzzle, inside: str, count: int) -> list[Phase]:
    """Return the first phases of the method `reduction` of a smaller cube, seen in a larger cube.

    The larger cube has all pieces of the smaller one.
    """
    small = small_cube(cube, inside, "reduction")
    view = View(small.puzzle, seen_by_name(cube, small.puzzle))
    return [evolve(phase, view=view) for phase in small.method("reduction").phases[:count]]


def seen_by_name(cube: Puzzle, small: Puzzle) -> list[int]:
    """Return for each sticker of a smaller cube the sticker at the place with the same name."""
    assert cube.layout is not None and small.layout is not None
    picked = [0] * len(small.layout.face_of)
    for orbit in small.orbits:
        places = zip(small.layout.places[orbit.name], cube.layout.places[orbit.name], strict=True)
        for own, other in places:
            for sticker, shown in zip(own, other, strict=True):
                picked[sticker] = shown
    return picked


def seen_as_five(cube: Puzzle, five: Puzzle) -> list[int]:
    """Return for each sticker of a 5x5x5 the sticker of the larger cube with its colour.

    The layers from the third one inwards are the middle layer of the 5x5x5. So the names of places
    agree if letters with numbers are left out.
    """
    assert cube.layout is not None and five.layout is not None
    shown: dict[tuple[str, frozenset[str]], tuple[int, ...]] = {}
    for orbit in cube.orbits:
        for name, place in zip(orbit.places, cube.layout.places[orbit.name], strict=True):
            shown.setdefault(_outer_name(name), place)
    picked = [0] * len(five.layout.face_of)
    for orbit in five.orbits:
        for name, place in zip(orbit.places, five.layout.places[orbit.name], strict=True):
            for sticker, other in zip(place, shown[_outer_name(name)], strict=True):
                picked[sticker] = other
    return picked


def _outer_name(place: str) -> tuple[str, frozenset[str]]:
    """Return the capitals of a place, and its small letters that have no number."""
    letters = re.findall("([0-9]?)([A-Za-z])", place)
    capitals = "".join(letter for _, letter in letters if letter.isupper())
    return capitals, frozenset(near for layer, near in letters if near.islower() and not layer)


def phases(cube: Puzzle, large: bool) -> list[Phase]:
    """Return the two phases of the 3x3x3. `large` chooses the table of the first phase."""
    small = small_cube(cube)
    method = small.method("two-phase")
    orient, finish = method.phases
    if large:
        orient = method.larger[-1].phases[0]
    view = View(small.puzzle, seen(cube, small.puzzle))
    return [evolve(phase, view=view) for phase in (orient, finish)]


def seen(cube: Puzzle, small: Puzzle) -> list[int]:
    """Return for each sticker of a 3x3x3 the sticker of the larger cube with its colour.

    An edge of the 3x3x3 takes its colours from the midge or from the first wing of this edge. A
    center takes its colour from one of the centers on its face.
    """
    assert cube.layout is not None and small.layout is not None
    face_of = cube.layout.face_of
    shown: dict[frozenset[int], tuple[int, ...]] = {}
    for orbit in reversed(cube.orbits):
        for place in reversed(cube.layout.places[orbit.name]):
            shown[frozenset(face_of[sticker] for sticker in place)] = place
    picked = [0] * len(small.layout.face_of)
    for places in small.layout.places.values():
        for place in places:
            faces = [small.layout.face_of[sticker] for sticker in place]
            for sticker, face in zip(place, faces, strict=True):
                picked[sticker] = next(i for i in shown[frozenset(faces)] if face_of[i] == face)
    return picked
