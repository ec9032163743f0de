"""The end of methods that reduce a larger cube: solve the reduced cube as a 3x3x3."""

from __future__ import annotations

from attrs import evolve

from puzzlekit import Phase, PluginError, Puzzle, Solver, UsageError, View, load


def small_cube(cube: Puzzle) -> Solver:
    """Return the solver of the 3x3x3. Raise a PluginError if the plugin cube3 is missing."""
    try:
        small = load("cube3")
        small.method("two-phase")
    except (PluginError, UsageError) as error:
        raise PluginError(
            f"the methods of {cube.name} use the method two-phase of cube3, so the plugin of "
            f"cube3 is needed: {error}"
        ) from None
    return small


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
