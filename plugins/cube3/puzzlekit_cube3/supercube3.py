"""The methods of the 3x3x3 supercube: the orientations of its centers count, as on picture cubes.

`two-phase` is Kociemba's Two-Phase algorithm. At the end of its first phase, the centers of the
side faces are turned by half turns only, because the second phase has no quarter turns of these
faces.

`block` is for quarter turns. The second phase of `two-phase` has quarter turns of two faces only,
and each half turn costs two. `block` first solves a block of 2x2x2 with its centers. Then it turns
the three other faces, which have quarter turns too.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from puzzlekit import Method, Orientation, Permutation, Phase, Pieces, Puzzle
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.method import Profile
from puzzlekit.tables.product_table import Folded, Modulo3
from puzzlekit_beam import WithFallback
from puzzlekit_cube3 import LAYERS, two_phases
from puzzlekit_twophase import Anytime

SIDES, POLES = "R F L B", "U D"
# The other corners and edges than those of the block at DBL.
CORNERS = "URF UFL ULB UBR DFR DLF DRB"
EDGES = "UB UR UF UL DR DF BR FR FL"


def _two_phases(cube: Puzzle, large: bool) -> tuple[Phase, Phase]:
    """Return the phases of `two-phase`, with small or large tables."""
    orient, finish = two_phases(cube, large)
    sides = Orientation("sides", cube, "centers", SIDES, summed=False)  # 4**4
    poles = Orientation("poles", cube, "centers", POLES, summed=False)  # 4**2
    return (
        evolve(
            orient,
            goal=f"{orient.goal}, side centers turned by half turns",
            goal_moves=finish.moves,
            coordinates=(*orient.coordinates, sides),
            tables=(*orient.tables, Modulo3("flip-slice sides")),
        ),
        evolve(
            finish,
            coordinates=(*finish.coordinates, sides, poles),
            tables=(*finish.tables, "corners sides", "corners poles", "edges poles"),
        ),
    )


def _block(cube: Puzzle) -> Phase:
    """Make phase 1 of `block`, with an exact table of all its 16,220,160 values."""
    return Phase(
        name="block",
        goal="the block of 2x2x2 at DBL is solved, with its centers",
        moves="U R F D L B",
        coordinates=(
            Pieces("block-edges", cube, "edges", "DB DL BL"),  # 12 * 11 * 10 * 2**3
            Pieces("corner", cube, "corners", "DBL"),  # 8 * 3
            Orientation("block-centers", cube, "centers", "D L B", summed=False),  # 4**3
        ),
        tables=("block-edges corner block-centers",),
    )


def _faces(cube: Puzzle) -> Phase:
    """Make phase 2 of `block`, with tables of each two of: corners, edges, flips and centers."""
    corners = Permutation("corners", cube, "corners", CORNERS, CORNERS)  # 7!
    twist = Orientation("twist", cube, "corners", CORNERS)  # 3**6
    edges = Permutation("edges", cube, "edges", EDGES, EDGES)  # 9!
    # Flips are not symmetric to all axes, so the edges have a sym coordinate with them and one
    # without them.
    with_flip = SymCoordinate("edges-2", cube, "edges", (edges,), classes=181632, symmetries=2)
    alone = SymCoordinate("edges-6", cube, "edges", (edges,), classes=60726, symmetries=6)
    return Phase(
        name="faces",
        goal="the cube is solved",
        moves="U R F",
        coordinates=(
            SymCoordinate(
                "corners-6", cube, "corners", (corners, twist), classes=612630, symmetries=6
            ),
            corners,
            alone,
            with_flip,
            Orientation("flip", cube, "edges", EDGES),  # 2**8
            Orientation("centers", cube, "centers", "U R F", summed=False),  # 4**3
        ),
        # Neighbouring values of the corners have different parities, and the edges allow only one
        # parity. So folding two values costs nothing.
        tables=(Folded("edges-6 corners", fold=2), "edges-2 flip", "corners-6 centers"),
    )


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `two-phase` and `block`."""
    # Without a limit of nodes, a state in which only centers are turned takes minutes.
    improve = Anytime(premoves=2, premoves_after=(3_000, 30_000), finish_nodes=1_000)
    fixed = {"centers": "U R F D L B"}
    yield Method(
        name="two-phase",
        title="Kociemba's Two-Phase algorithm with the centers, improving",
        phases=_two_phases(cube, large=False),
        strategy=improve,
        profile="small",
        larger=(Profile("large", _two_phases(cube, large=True), ("HTM", "QTM")),),
        fixed=fixed,
        metrics=("HTM", "QTM", "STM"),
        searched_as={"STM": LAYERS},
    )
    yield Method(
        name="block",
        title="a block of 2x2x2, then the three other faces, improving",
        phases=(_block(cube), _faces(cube)),
        # Two-phase finds its answers sooner, but after a few seconds they are longer.
        strategy=WithFallback(improve, fallback="two-phase", fallback_nodes=20_000_000),
        fixed=fixed,
        metrics=("QTM",),
    )
