"""The Pyraminx, with its tips. The module `master` has the Master Pyraminx.

Each place is named after the faces that it touches, with small letters for tips. The axials are the
pieces under the tips. No move brings an axial to another place, so they show how the puzzle is
held.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from puzzlekit import (
    EvenParity,
    Frame,
    Method,
    Metric,
    Orbit,
    Orientation,
    OrientationSum,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    Surface,
    hookimpl,
)

if TYPE_CHECKING:
    from puzzlekit.puzzle.layout import Picture
    from puzzlekit_events import Event
    from puzzlekit_steps import Goal

puzzlekit_api = 2

AXIALS, EDGES, TIPS = "FLR FDL FRD DRL", "FL FR LR FD LD RD", "flr fdl frd drl"
SURFACE = Surface(
    orbits=(
        Orbit("axials", "axial", AXIALS, orientations=3, vectors="ap ao"),
        Orbit("edges", "edge", EDGES, orientations=2, vectors="ep eo"),
        Orbit("tips", "tip", TIPS, orientations=3, vectors="tp to"),
    ),
    faces={
        "F": "flr FL FLR FR fdl FDL FD FRD frd",
        "L": "drl DRL LR FLR flr LD FDL FL fdl",
        "R": "flr FLR LR DRL drl FR FRD RD frd",
        "D": "fdl FDL FD FRD frd LD DRL RD drl",
    },
    net="""
        LLLLL.F.RRRRR
        .LLL.FFF.RRR.
        ..L.FFFFF.R..
        ....DDDDD....
        .....DDD.....
        ......D......
    """,
)


def pictures() -> tuple[Picture, ...]:
    """Return the pictures besides the net: the faces F and R in space, and D from below."""
    from puzzlekit_pictures import SolidPicture, TopPicture

    # The four corners of a tetrahedron.
    top, left = (0.0, 0.612, 0.0), (-0.5, -0.204, 0.289)
    right, back = (0.5, -0.204, 0.289), (0.0, -0.204, -0.577)
    faces = {
        "F": (top, left, right),
        "L": (back, top, left),
        "R": (top, back, right),
        "D": (left, right, back),
    }
    solid = SolidPicture(faces, eye=(3.2, 1.7, 2.1))
    return solid, TopPicture(solid, "D")


def puzzle() -> Puzzle:
    """Make the Pyraminx.

    The puzzle has 75,582,720 states (933,120 without the tips) and 12 ways to hold it.
    """
    turns, rotations = {}, {}
    for name, axial in zip("ULRB", AXIALS.split(), strict=True):
        edges = [edge for edge in EDGES.split() if set(edge) <= set(axial)]
        turns[name] = SURFACE.turn(axial, [axial, axial.lower(), *edges])
        turns[name.lower()] = SURFACE.turn(axial, [axial.lower()])
        rotations[f"{name}v"] = SURFACE.turn(axial)
    costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
    frames = Frame("axials"), Frame("tips")
    swapped = str.maketrans("LRlr", "RLrl")
    return Puzzle(
        name="pyraminx",
        title="Pyraminx",
        orbits=SURFACE.orbits,
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns of a layer or a tip", costs),),
        rotations=tuple(rotations),
        reflections=({name: (name.translate(swapped), -1) for name in costs},),
        constraints=(*frames, EvenParity(("edges",)), OrientationSum("edges")),
        layout=SURFACE.layout(
            {"wca": "GRBY"},
            ("green", "red", "blue", "yellow"),
            viewer="pyraminx",
            pictures=pictures,
            longitude=50,  # the front view shows a single face
        ),
        aliases={"y": ("Uv", 1)},
        hints=lambda _: "layers are U L R B, tips u l r b; Uv Lv Rv Bv turn the whole puzzle",
    )


def methods(pyraminx: Puzzle) -> list[Method]:
    """Make the method `optimal`.

    One table is exact for the puzzle without tips. Two other tables include the tips.
    """
    solve = Phase(
        name="solve",
        goal="the Pyraminx is solved",
        moves="u l r b U L R B",
        coordinates=(
            Orientation("axials", pyraminx, "axials", summed=False),  # 3**4
            Permutation("edges", pyraminx, "edges", "FL FR LR FD"),  # 6! / 2: it is even
            Orientation("flips", pyraminx, "edges"),  # 2**5
            Orientation("tips", pyraminx, "tips", summed=False),  # 3**4
        ),
        tables=("axials edges flips", "axials edges tips", "axials flips tips"),
    )
    fixed = {"axials": AXIALS}
    return [Method("optimal", "shortest answers, tips included", (solve,), fixed=fixed)]


def goals(pyraminx: Puzzle) -> list[Goal]:
    """Make the goals: the axials, and the layer D."""
    from puzzlekit_steps import Goal, Solved

    return [
        Goal("axials", "the axials are solved", (Solved("axials"),)),
        Goal("layer", "the layer D is solved", (Solved("layer:D"),)),
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register pyraminx and master-pyraminx."""
    yield PuzzleEntry("pyraminx", "Pyraminx", puzzle, methods, ("pyram", "pyra"), goals)
    yield PuzzleEntry(
        "master-pyraminx",
        "Master Pyraminx",
        partial(_of_master, "puzzle"),
        partial(_of_master, "methods"),
        ("mpyram", "mpyr", "master tetraminx"),
        partial(_of_master, "goals"),
    )


def _of_master(function: str, *arguments: Any) -> Any:
    """Call a function of the module `master`, which is imported only then."""
    from puzzlekit_pyraminx import master

    return getattr(master, function)(*arguments)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register pyram. Tips count as moves of a solution, but not as moves of a scramble."""
    from puzzlekit_events import Event, Exactly

    moves = Exactly(11, "optimal", apart="u l r b")
    yield Event(
        "pyram",
        "Pyraminx",
        "pyraminx",
        least=6,
        moves=moves,
        held="yellow at the bottom, green in front",
    )
