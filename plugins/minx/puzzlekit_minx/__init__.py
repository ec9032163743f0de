"""The Megaminx, and the Kilominx, which has only its corners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import (
    EvenParity,
    Frame,
    Metric,
    Orbit,
    OrientationSum,
    Puzzle,
    PuzzleEntry,
    hookimpl,
    universal_method,
)
from puzzlekit_minx import shape

if TYPE_CHECKING:
    from puzzlekit import Method
    from puzzlekit.puzzle.layout import Picture
    from puzzlekit_events import Event
    from puzzlekit_steps import Goal

puzzlekit_api = 2

_HINT = (
    "faces are U F L BL BR R DL DBL B DBR DR D; Uv Fv Lv BLv BRv Rv (or y z x) turn the whole "
    "puzzle, D++ D-- R++ R-- everything but the layer of U or L"
)


def megaminx() -> Puzzle:
    """Make the Megaminx: about 1.01 * 10**68 states, and 60 ways to hold it."""
    corners = Orbit("corners", "corner", tuple(shape.CORNERS), orientations=3, vectors="cp co")
    edges = Orbit("edges", "edge", tuple(shape.EDGES), orientations=2, vectors="ep eo")
    centers = Orbit("centers", "center", tuple(shape.FACES), vectors="xp")
    return _made("megaminx", "Megaminx", (corners, edges, centers))


def kilominx() -> Puzzle:
    """Make the Kilominx: about 2.36 * 10**25 states, and 60 ways to hold it."""
    corners = Orbit("corners", "corner", tuple(shape.CORNERS), orientations=3, vectors="cp co")
    return _made("kilominx", "Kilominx", (corners,))


def _made(name: str, title: str, orbits: tuple[Orbit, ...]) -> Puzzle:
    """Make one of the puzzles. The Kilominx has only corners."""
    edges = len(orbits) > 1
    surface = shape.make_surface(orbits, edges)
    places = [place for orbit in orbits[:2] for place in orbit.places]
    turns = shape.turns(surface, places, edges)
    costs = {family: int(family not in shape.ROTATIONS) for family in turns}

    def pictures() -> tuple[Picture, ...]:
        # A corner takes more than a third of a side of a Megaminx, and half a side of a Kilominx.
        return shape.pictures(surface, 0.37 if edges else 0.5, edges, 3.0 if edges else 2.0)

    turned = [orbit.name for orbit in orbits[:2]]
    return Puzzle(
        name=name,
        title=title,
        orbits=orbits,
        turns=turns,
        metrics=(Metric("TURNS", "turns of a face by any angle", costs),),
        rotations=tuple(shape.ROTATIONS),
        reflections=(shape.mirror(turns),),
        constraints=(
            *(Frame(orbit.name) for orbit in orbits[2:]),
            *(EvenParity((orbit,)) for orbit in turned),
            *(OrientationSum(orbit) for orbit in turned),
        ),
        layout=surface.layout(
            shape.SCHEMES, shape.COLOURS, net_scheme="wca", pictures=pictures, longitude=15
        ),
        aliases=shape.ALIASES,
        hints=lambda _: _HINT,
    )


def megaminx_methods(minx: Puzzle) -> Iterator[Method]:
    """Yield the methods `faces` and `universal`."""
    from puzzlekit_minx import megaminx_phases

    yield megaminx_phases.method(minx)
    yield universal_method(minx)


def kilominx_methods(minx: Puzzle) -> Iterator[Method]:
    """Yield the methods `halves` and `universal`."""
    from puzzlekit_minx import kilominx_halves

    yield kilominx_halves.method(minx)
    yield universal_method(minx)


def megaminx_goals(_: Puzzle) -> list[Goal]:
    """Make the goals of speedcubers. They begin with D, and U is the last layer."""
    from puzzlekit_steps import Goal, Oriented, Solved

    pieces = [*shape.EDGES, *shape.CORNERS]
    between = [edge for edge in shape.EDGES if set(edge) <= shape.AROUND_D]
    lower = Solved(" ".join(["layer:D", *between]))
    last = Solved(" ".join(place for place in pieces if "U" not in place))
    return [
        Goal("star", "the edges of D are solved", (Solved("edges:D"),)),
        Goal("layer", "the layer D is solved", (Solved("layer:D"),)),
        Goal("f2l", "the layer D and the edges above it are solved", (lower,)),
        Goal("s2l", "all but the last layer is solved", (last,)),
        Goal(
            "eo",
            "all but the last layer is solved, and its edges are oriented",
            (last, Oriented("edges:U")),
        ),
        Goal(
            "oll",
            "all but the last layer is solved, which is oriented",
            (last, Oriented("edges:U corners:U")),
        ),
        Goal(
            "pll",
            "the Megaminx is solved, up to a turn of U",
            (Solved("corners edges"),),
            up_to="U",
        ),
    ]


def kilominx_goals(_: Puzzle) -> list[Goal]:
    """Make the goals of speedcubers, who begin with a layer."""
    from puzzlekit_steps import Goal, Joined

    low = " ".join(place for place in shape.CORNERS if "D" in place)
    last = " ".join(place for place in shape.CORNERS if "U" not in place)
    return [
        Goal("layer", "the corners of the layer D are together", (Joined(low),)),
        Goal("s2l", "all corners but those of the layer U are together", (Joined(last),)),
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register megaminx and kilominx."""
    yield PuzzleEntry(
        "megaminx", "Megaminx", megaminx, megaminx_methods, ("minx", "mega"), megaminx_goals
    )
    yield PuzzleEntry("kilominx", "Kilominx", kilominx, kilominx_methods, ("kilo",), kilominx_goals)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register minx, and kilominx, which is not an event of the WCA."""
    from puzzlekit_events import AtMost, Event, Pattern

    held = "white on top, green in front"
    right, down, last = ("R++", "R--"), ("D++", "D--"), ("D++ U", "D-- U'")
    form = Pattern((*(right, down) * 4, right, last), rounds=7)
    yield Event("minx", "Megaminx", "megaminx", least=2, moves=form, held=held)
    drawn = AtMost(None, "halves")
    yield Event("kilominx", "Kilominx", "kilominx", least=2, moves=drawn, held=held)
