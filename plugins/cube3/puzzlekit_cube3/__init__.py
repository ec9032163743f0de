"""The 3x3x3 cube: Kociemba's Two-Phase algorithm, and shortest solutions.

Phase 1 brings the cube into the subgroup <U, D, R2, L2, F2, B2>. There, corners and edges are
oriented, and the four middle edges are in the middle layer. Phase 2 solves the cube within this
subgroup.
H. Kociemba, "The Two-Phase-Algorithm", kociemba.org/twophase.htm. The table of phase 1 also gives a
lower bound for the whole cube, if it is looked up along all axes: M. Reid's optimal solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from puzzlekit import (
    Combination,
    Coordinate,
    Method,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    PruningTable,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.method import Profile
from puzzlekit.tables.product_table import Folded, Modulo3
from puzzlekit_cubes import (
    Based,
    ProveBothSides,
    cube_puzzle,
    cube_rankings,
    supercube_puzzle,
)
from puzzlekit_robots import FLIP_SPIN, Machine
from puzzlekit_twophase import Anytime

if TYPE_CHECKING:
    from puzzlekit_events import Event
    from puzzlekit_steps import Goal, StepMethod

puzzlekit_api = 2

MIDDLE = "BL BR FR FL"
OUTER = "UB UR UF UL DB DR DF DL"
TOP_CORNERS = "ULB UBR URF UFL"
TOP_EDGES = "UB UR UF UL"
BOTTOM_EDGES = "DB DR DF DL"
TETRAD = "ULB URF DRB DLF"
STANDING, SIDEWAYS = "UB UF DB DF", "UR UL DR DL"
# The moves of `optimal` with larger profiles, by metric. In QTM, a half turn is two moves.
MOVES = {"HTM": "U R F D L B", "QTM": "U1 U' R1 R' F1 F' D1 D' L1 L' B1 B'"}
METRICS = ("HTM", "QTM", "AXHT", "AXQT", "STM")
ROBOT = Machine(
    name="robot",
    title="four arms in two pairs, which also turn the cube: the larger turn, and 1 to grip",
    arms=(("R", "L"), ("F", "B")),
    amounts=(-1, 2),
    turns={1: 1, 2: 2},
    grip=1,
    rotations=("x", "z"),
    whole=2,
)
# One layer at a time. A turn of M is R and L' for the phases, which see the centers at rest.
LAYERS = Machine(
    name="STM",
    title="turns of single layers by any angle",
    arms=tuple((family,) for family in "URFDLBMES"),
)
# These profiles: name, metric, number of edges whose flips the table stores, base, and benefit.
SIZES = (
    ("120mb", "HTM", 2, 8, "built in 1 minute on 2 cores; half of all states take under a minute"),
    ("500mb", "HTM", 4, 8, "built in 1 minute on 2 cores; half of all states take under 15 s"),
    ("1gb", "HTM", 5, 8, "built in 90 s on 2 cores; half of all states take under 8 s"),
    ("2gb", "HTM", 6, 8, "built in 90 s on 2 cores; half of all states take under 5 s"),
    ("120mb", "QTM", 2, 9, "built in 1 to 2 minutes on 2 cores"),
    ("1gb", "QTM", 5, 10, "built in 4 minutes on 2 cores; half of all states take under 15 s"),
)


def puzzle() -> Puzzle:
    """Make the 3x3x3 cube. Its centers show how the cube is held."""
    return cube_puzzle("cube3", 3, machines=(ROBOT, FLIP_SPIN))


def _orient(cube: Puzzle, table: PruningTable) -> Phase:
    """Make phase 1, with a table over the flip-slice classes and the twist."""
    twist = Orientation("twist", cube, "corners")  # 3**7
    flip = Orientation("flip", cube, "edges")  # 2**11
    middle = Combination("slice", cube, "edges", MIDDLE)  # 12 choose 4
    classes = SymCoordinate(
        "flip-slice", cube, "edges", (flip, middle), classes=64430, symmetries=16
    )
    return Phase(
        name="orient",
        goal="corners and edges oriented, middle edges in the middle layer",
        moves="U R F D L B",
        coordinates=(classes, twist),
        tables=("flip-slice", table),
    )


def _finish(cube: Puzzle, table: PruningTable) -> Phase:
    """Make phase 2, with a table over the corner classes and the outer edges."""
    corners = Permutation("corners", cube, "corners")  # 8!
    classes = SymCoordinate(
        "corner-classes", cube, "corners", (corners,), classes=2768, symmetries=16
    )
    return Phase(
        name="finish",
        goal="the cube is solved",
        moves="U D R2 F2 L2 B2",
        coordinates=(
            corners,
            Permutation("middle", cube, "edges", MIDDLE, MIDDLE),  # 4!
            classes,
            Permutation("edges", cube, "edges", OUTER, OUTER),  # 8!
        ),
        tables=("corners middle", table, "edges middle"),
    )


def _solve(cube: Puzzle) -> Phase:
    """Make one phase for the whole cube, with the table of phase 1 along all three axes."""
    orient = _orient(cube, Modulo3("flip-slice twist"))
    return evolve(
        orient,
        name="solve",
        goal="the cube is solved",
        coordinates=(*orient.coordinates, *_places(cube)),
        turned=True,
    )


def _places(cube: Puzzle) -> tuple[Coordinate, ...]:
    """Return coordinates for the places of all pieces."""
    return (
        Permutation("corners", cube, "corners"),
        Permutation("middle-edges", cube, "edges", MIDDLE),  # 12! / 8!
        Permutation("top-edges", cube, "edges", TOP_EDGES),
        Permutation("bottom-edges", cube, "edges", BOTTOM_EDGES),
    )


def _solve_both_sides(cube: Puzzle) -> Iterator[Profile]:
    """Yield profiles of one phase for the whole cube, with tables of cosets, from both sides.

    The tables are looked up for the state and its inverse, under all 48 symmetries. The subgroup
    contains the states whose corners are in their tetrad, whose edges are in their slice, and in
    which nothing is twisted or flipped. All half turns belong to the subgroup. T. Rokicki, "nxopt",
    in cube20src, and S. Tronto, "H48", in nissy-core, describe such tables.
    """
    tetrads = Combination("tetrads", cube, "corners", TETRAD)
    twist = Orientation("twist", cube, "corners")
    cosets = SymCoordinate(
        "corner-cosets", cube, "corners", (tetrads, twist), classes=3393, symmetries=48
    )
    slices = (STANDING, SIDEWAYS)
    # With more nodes, two-phase would take more time than its shorter answers save.
    strategy = ProveBothSides(upper_bound_method="two-phase", upper_bound_share=0.05)
    for name, metric, flips, base, brings in SIZES:
        phase = Phase(
            name="solve",
            goal="the cube is solved",
            moves=MOVES[metric],
            coordinates=(cosets, twist, Orientation("flip", cube, "edges"), *_places(cube)),
            tables=(Based("corner-cosets", "edges", slices, flips, {metric: base}),),
        )
        yield Profile(name, (phase,), (metric,), strategy, brings)


def two_phases(cube: Puzzle, large: bool = False) -> tuple[Phase, Phase]:
    """Return the phases of `two-phase`, with small or large tables."""
    if large:
        return (
            _orient(cube, Modulo3("flip-slice twist")),
            _finish(cube, Folded("corner-classes edges", fold=3, farthest={"HTM": 12})),
        )
    farthest = {"HTM": 8, "QTM": 10, "AXHT": 7, "AXQT": 8, "steps": 7}
    orient = _orient(cube, Folded("flip-slice twist", fold=9, farthest=farthest))
    farthest = {"HTM": 10, "QTM": 14, "AXHT": 7, "steps": 7}
    finish = _finish(cube, Folded("corner-classes edges", fold=24, farthest=farthest))
    return orient, finish


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `two-phase` and `optimal`.

    `two-phase` finds ever shorter answers. `optimal` proves that its answers are shortest.
    """
    yield Method(
        name="two-phase",
        title="Kociemba's Two-Phase algorithm, improving",
        phases=two_phases(cube),
        # The next ends of the first phase are better than a long search of the second phase.
        strategy=Anytime(premoves=2, premoves_after=(3_000, 30_000), finish_nodes=1_000),
        profile="small",
        larger=(Profile("large", two_phases(cube, large=True), metrics=("HTM", "AXHT", "AXQT")),),
        fixed={"centers": "U R F D L B"},
        metrics=(*METRICS, "robot", "flip-spin"),
        searched_as={"STM": LAYERS},
    )
    yield Method(
        name="optimal",
        title="shortest solutions",
        phases=(_solve(cube),),
        strategy=Optimal(upper_bound_method="two-phase"),
        profile="small",
        larger=tuple(_solve_both_sides(cube)),
        fixed={"centers": "U R F D L B"},
        moves=MOVES["HTM"],
        metrics=METRICS,
        searched_as={"STM": LAYERS},
    )


def goals(cube: Puzzle) -> list[Goal]:
    """Make the goals: steps of the methods that people use. The first layer is on D."""
    from puzzlekit_steps import Goal, Oriented, SolvableBy, Solved, Within

    cross, pairs = "DF DR DB DL", ("DFR FR", "DRB BR", "DBL BL", "DLF FL")
    left, right = "DL BL FL DBL DLF", "DR BR FR DFR DRB"
    first_layers = Solved(" ".join((cross, *pairs)))
    edges = Oriented("edges")
    slots = tuple(Goal(pair, conditions=(Solved(pair),)) for pair in pairs)
    return [
        Goal("cross", "the four edges of D are solved", (Solved(cross),)),
        Goal("xcross", "the cross and one pair are solved", (Solved(cross),), any_of=slots),
        Goal("f2l", "the first two layers are solved", (first_layers,)),
        Goal(
            "oll",
            "the first two layers are solved, the last layer is oriented",
            (first_layers, Oriented("corners edges")),
        ),
        Goal(
            "pll",
            "the cube is solved, up to a turn of U",
            (Solved("corners edges"),),
            up_to="U",
        ),
        Goal("first-block", "the block of 1x2x3 on the left is solved", (Solved(left),)),
        Goal("blocks", "both blocks of 1x2x3 are solved", (Solved(f"{left} {right}"),)),
        Goal(
            "cmll",
            "both blocks and the corners of U are solved, up to a turn of U",
            (Solved(f"{left} {right} corners"),),
            up_to="U",
        ),
        Goal("222", "the block of 2x2x2 at DBL is solved", (Solved("DBL DL DB BL"),)),
        Goal(
            "223",
            "the block of 2x2x3 at DBL and DLF is solved",
            (Solved("DBL DLF DL DB DF BL FL"),),
        ),
        Goal("eo", "the edges are oriented: no quarter turns of F and B are needed", (edges,)),
        Goal("eo-line", "edges oriented, DF and DB solved", (edges, Solved("DF DB"))),
        Goal("eo-cross", "edges oriented, the cross is solved", (edges, Solved(cross))),
        Goal(
            "dr",
            "corners and edges oriented, middle edges in the middle layer",
            (Oriented("corners edges"), Within(MIDDLE)),
        ),
        Goal("htr", "half turns solve the cube", (SolvableBy("U2 D2 R2 L2 F2 B2"),)),
    ]


def step_methods(_: Puzzle) -> list[StepMethod]:
    """Make the step methods."""
    from puzzlekit_cube3 import steps

    return steps.step_methods()


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube3 and supercube3."""
    names = "3x3x3", "3x3", "3x3 cube", "3", "rubik", "rubiks", "Rubik's cube", "magic cube"
    aliases = (*names, "333oh", "333fm")
    yield PuzzleEntry(
        "cube3", "3x3x3 cube", puzzle, methods, aliases, goals, step_methods, cube_rankings
    )
    yield PuzzleEntry(
        "supercube3",
        "3x3x3 supercube",
        supercube,
        supercube_methods,
        ("supercube", "picture cube", "3x3x3 supercube"),
        rankings=cube_rankings,
    )


def supercube() -> Puzzle:
    """Make the 3x3x3 supercube, on which the orientations of the centers count."""
    return supercube_puzzle("supercube3", 3)


def supercube_methods(cube: Puzzle) -> Iterator[Method]:
    """Make the methods of the supercube."""
    from puzzlekit_cube3.supercube3 import methods

    return methods(cube)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the events with the 3x3x3."""
    from puzzlekit import Sequential
    from puzzlekit_cubes import HELD, held_at_random
    from puzzlekit_events import AtMost, Event

    moves = AtMost(21, "two-phase", Sequential())
    yield Event("333", "3x3x3 Cube", "cube3", least=2, moves=moves, held=HELD)
    yield Event("333oh", "3x3x3 One-Handed", "cube3", least=2, moves=moves, held=HELD)
    pad = "R' U' F"  # prevents reading an answer off the scramble
    yield Event("333fm", "3x3x3 Fewest Moves", "cube3", 2, moves, pad, (pad,), 3, HELD)
    ways = held_at_random("Rw Fw Uw")
    yield Event("333bf", "3x3x3 Blindfolded", "cube3", 2, moves, "", ways, 3, HELD)
    yield Event("333mbf", "3x3x3 Multi-Blind", "cube3", 2, moves, "", ways, 30, HELD)
