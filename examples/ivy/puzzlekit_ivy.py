"""The Ivy Cube: four corners that turn in place, each taking the three petals next to it along."""

from puzzlekit import (
    EvenParity,
    Frame,
    Method,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    Surface,
    hookimpl,
)

puzzlekit_api = 2

# The corner that each move turns about, and the opposite one, as it goes round with that turn.
TURNS = {"R": "UBR DFL", "L": "UFL DBR", "D": "DFR UBL", "B": "DBL UFR"}
CORNERS = " ".join(cycles[:3] for cycles in TURNS.values())
# A place is named by the faces that it touches; each face has two corners and a petal.
SURFACE = Surface(
    orbits=(
        Orbit("corners", "corner", CORNERS, orientations=3),
        Orbit("petals", "petal", "U R F D L B"),
    ),
    faces={
        "U": "UBR U UFL",
        "R": "UBR R DFR",
        "F": "UFL F DFR",
        "D": "DFR D DBL",
        "L": "UFL L DBL",
        "B": "UBR B DBL",
    },
    net="""
        .....U......
        ....U.......
        ...U........
        ..LF....RB..
        .L..F..R..B.
        L....FR....B
        .....D......
        ....D.......
        ...D........
    """,
)


def puzzle():
    """29,160 states; corners stay where they are, and so tell how the puzzle is held."""
    turns = {
        name: SURFACE.turn(cycles, [cycles[:3], *cycles[:3]]) for name, cycles in TURNS.items()
    }
    rotations = {f"{name}v": SURFACE.turn(cycles) for name, cycles in TURNS.items()}
    costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
    return Puzzle(
        name="ivy",
        title="Ivy Cube",
        orbits=SURFACE.orbits,
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns of a corner", costs),),
        rotations=tuple(rotations),
        constraints=(Frame("corners"), EvenParity(("petals",))),
        layout=SURFACE.layout(
            {"western": "WRGYOB"}, ("white", "red", "green", "yellow", "orange", "blue")
        ),
        hints=lambda _: "turns are R L D B; Rv Lv Dv Bv turn the whole puzzle",
    )


def methods(ivy):
    """`optimal` with one exact table of 29,160 entries."""
    solve = Phase(
        name="solve",
        goal="the Ivy Cube is solved",
        moves="R L D B",
        coordinates=(
            Orientation("corners", ivy, "corners", summed=False),  # 3**4
            Permutation("petals", ivy, "petals", "U R F D"),  # 6! / 2: it is even
        ),
        tables=("corners petals",),
    )
    title = "shortest answers from one exact table"
    return [Method("optimal", title, (solve,), fixed={"corners": CORNERS})]


@hookimpl
def puzzlekit_puzzles():
    """Register ivy."""
    yield PuzzleEntry("ivy", "Ivy Cube", puzzle, methods)
