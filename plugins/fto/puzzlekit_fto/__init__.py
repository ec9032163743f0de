"""The FTO, the face-turning octahedron.

Each turn takes a face and the layer under it by a third around. Turns of U, F, BR and BL, no two of
which share an edge, leave the triangles of these faces on their faces, and carry each corner along
with the two triangles beside it: they move the puzzle like a Pyraminx without tips.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import (
    Combination,
    EvenParity,
    Method,
    Metric,
    Optimal,
    OrientationSum,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.puzzle.orbit import Law
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_beam import Rounds

if TYPE_CHECKING:
    from random import Random

    from puzzlekit_events import Event
    from puzzlekit_steps import Goal

puzzlekit_api = 2


def _quarter_turns(puzzle: Puzzle, state: bytes) -> list[str]:
    """Return the faults of corners that show colours of U, F, BR and BL on other faces."""
    corners = puzzle.orbits[0]
    labels, turns = puzzle.labels(state, corners), puzzle.orientations(state, corners)
    return [
        f"corner twist: {corners.label_name(label)} at {place} is turned by a quarter turn"
        for place, label, turn in zip(corners.places, labels, turns, strict=True)
        if turn % 2
    ]


def _settled(_: Puzzle, state: bytes, __: Random) -> bytes:
    """Return the state with half turns of corners in place of quarter turns."""
    turns = [turn - turn % 2 for turn in state[6:11]]
    return state[:6] + bytes([*turns, -sum(turns) % 4]) + state[12:]


def puzzle() -> Puzzle:
    """Make the FTO. It has 31,408,133,379,194,880,000,000 states and 12 ways to hold it."""
    from puzzlekit_fto.octahedron import FACES, ORBITS, layout, turn

    turns = {}
    costs = {}
    for spelling, layers, cost in (
        ("{}", range(1), 1),
        ("{}w", range(2), 1),
        ("2{}", range(1, 2), 2),
    ):
        for face in FACES:
            turns[spelling.format(face)] = turn(face, layers)
            costs[spelling.format(face)] = cost
    rotations = {f"{face}v": turn(face, range(3)) for face in FACES}
    costs |= dict.fromkeys(rotations, 0)
    mirrored = str.maketrans("LR", "RL")  # BR and BL, too
    return Puzzle(
        name="fto",
        title="Face-turning octahedron",
        orbits=ORBITS,
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns of a face by any angle", costs),),
        rotations=tuple(rotations),
        reflections=({name: (name.translate(mirrored), -1) for name in costs},),
        constraints=(
            EvenParity(("corners",)),
            EvenParity(("edges",)),
            OrientationSum("corners"),
            Law(("corners",), _quarter_turns, settle=_settled),
        ),
        layout=layout(),
        hints=lambda _: "faces are U R F L D B BR BL; Uw turns two layers, 2U one, Uv the puzzle",
    )


def methods(fto: Puzzle) -> Iterator[Method]:
    """Yield the methods `reduction` and `optimal`."""
    from puzzlekit_fto.coordinates import (
        Arrangement,
        FaceTurns,
        HalfTurns,
        Pairs,
        ThreeTrios,
        Trio,
    )
    from puzzlekit_fto.counted import Counted
    from puzzlekit_fto.octahedron import FACES
    from puzzlekit_fto.strategy import BothFours

    corners = Permutation("corners", fto, "corners", "UBXR ULZB URFL ZLFD")  # 6! / 2: it is even
    half_turns = HalfTurns("half-turns", fto, "corners")  # 2**5
    other_triangles = Arrangement("other-triangles", fto, "r-triangles")
    face = Phase(
        name="face",
        goal="edges and triangles of a face",
        moves=" ".join(FACES),
        coordinates=(
            Trio("face-edges", fto, "edges", "ZB ZL ZD"),  # 440
            Combination("face-triangles", fto, "u-triangles", "Zu"),  # 12 choose 3
        ),
        tables=("face-edges face-triangles",),
    )
    steps = (0, 3, 4, 5)  # nearly all random states need 3 to 5 turns of R
    pair = Phase(
        name="pair",
        goal="edges and triangles of U F BR BL on these faces, other triangles beside corners",
        moves="U F BR BL R",
        goal_turns="BLv",
        coordinates=(
            Arrangement("triangles", fto, "u-triangles", colours=3),  # 9! / 3!**3
            ThreeTrios("edges", fto, "edges"),  # 1680 * 4
            Pairs("turns-of-R", fto, "r-triangles", steps),
            Pairs("pairs", fto, "r-triangles"),
        ),
        tables=("triangles edges", Counted("triangles edges turns-of-R", "R", steps)),
    )
    finish = Phase(
        name="finish",
        goal="the puzzle is solved",
        moves="U F BR BL",
        coordinates=(
            corners,
            half_turns,
            FaceTurns("face-turns", fto, "edges"),  # 3**4
            other_triangles,
        ),
        tables=("corners half-turns face-turns",),
    )
    yield Method(
        name="reduction",
        title="a face, then all pieces in pairs and threes, then as a Pyraminx",
        phases=(face, pair, finish),
        strategy=BothFours(
            shares=(0.04, 0.93, 0.03),
            starts="UvRv UvLv UvBv",
            seconds=0.5,
            # The first round starts from few candidates and ends with an answer.
            rounds=Rounds(first=0.02, longer=20, patience=100, nodes_a_second=40_000_000),
        ),
    )
    threes = {"U": "UR UB UL", "R": "UR FR XR"}
    colours = {"U": Arrangement("triangles", fto, "u-triangles"), "R": other_triangles}
    known = {
        name: SymCoordinate(f"triangles-{name}", fto, each.orbit_name, (each,), 61_796, 6)
        for name, each in colours.items()
    }
    trios = {name: Trio(f"edges-{name}", fto, "edges", three) for name, three in threes.items()}
    places = fto.orbit("edges").places
    quarters = [
        Permutation(f"edges-{i}", fto, "edges", " ".join(places[i::3])) for i in range(3)
    ]  # 12! / 8!
    solve = Phase(
        name="solve",
        goal="the puzzle is solved",
        moves=" ".join(FACES),
        coordinates=(*known.values(), *trios.values(), corners, half_turns, *quarters),
        tables=(
            *(Modulo3(f"triangles-{name} edges-{name}") for name in threes),
            *(f"{each.name} corners" for each in quarters),
            "corners half-turns",
        ),
    )
    yield Method("optimal", "shortest answers, for scrambles of few moves", (solve,), Optimal())


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: the first center, the first layer, and kinds of pieces."""
    from puzzlekit_steps import Goal, Solved

    return [
        Goal("center", "the triangles of D are solved", (Solved("r-triangles:D"),)),
        Goal("layer", "the layer D is solved", (Solved("layer:D"),)),
        Goal("corners", "the corners are solved", (Solved("corners"),)),
        Goal("edges", "the edges are solved", (Solved("edges"),)),
        Goal(
            "triangles",
            "the triangles are on their faces",
            (Solved("u-triangles"), Solved("r-triangles")),
        ),
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register fto."""
    names = ("octahedron", "face turning octahedron")
    yield PuzzleEntry("fto", "Face-turning octahedron", puzzle, methods, names, goals)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register fto, an official event from January 2027."""
    from puzzlekit_events import AtMost, Event

    held = "white on top, green in front"
    yield Event("fto", "Face-Turning Octahedron", "fto", least=2, moves=AtMost(), held=held)
