"""The Ivy Cube. Four corners turn in place, and each takes three petals with it."""

from math import cos, pi, sin

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
from puzzlekit_pictures import NetPicture, SolidPicture

puzzlekit_api = 2

# For each move, the cycles of faces about its corner and about the opposite corner.
TURNS = {"R": "UBR DFL", "L": "UFL DBR", "D": "DFR UBL", "B": "DBL UFR"}
CORNERS = " ".join(cycles[:3] for cycles in TURNS.values())
# Each place is named after the faces that it touches. Each face has two corners and a petal.
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


# The corners of each face of a cube: upper left, upper right, lower left in the net.
FACES = {
    "U": ((-1, 1, -1), (1, 1, -1), (-1, 1, 1)),
    "R": ((1, 1, 1), (1, 1, -1), (1, -1, 1)),
    "F": ((-1, 1, 1), (1, 1, 1), (-1, -1, 1)),
    "D": ((-1, -1, 1), (1, -1, 1), (-1, -1, -1)),
    "L": ((-1, 1, -1), (-1, 1, 1), (-1, -1, -1)),
    "B": ((1, 1, -1), (-1, 1, -1), (1, -1, -1)),
}


def outlines():
    """Return the outlines of the stickers of a square face: a petal and two corners."""
    steps = [pi / 2 * step / 12 for step in range(13)]
    arc = [(sin(t), 1 - cos(t)) for t in steps]  # from (0, 0) to (1, 1), around (0, 1)
    petal = arc + [(1 - sin(t), cos(t)) for t in steps[1:-1]]
    above = [(0, 0), (1, 0), (1, 1), *arc[-2:0:-1]]
    below = [(1 - x, 1 - y) for x, y in above]
    found = {}
    for number, face in enumerate(SURFACE.faces):
        own = (above, petal, below)
        if face in "FB":  # the petal goes from the upper right to the lower left
            own = tuple([(1 - x, y) for x, y in each] for each in own)
        found |= {3 * number + i: each for i, each in enumerate(own)}
    return found


def pictures():
    """Return the net and the picture in space, with round stickers."""
    return NetPicture(outlines()), SolidPicture(FACES, (4.2, 4.0, 4.8), outlines())


def puzzle():
    """Make the puzzle, with 29,160 states. Corners stay in place and show how it is held."""
    turns = {
        name: SURFACE.turn(cycles, [cycles[:3], *cycles[:3]]) for name, cycles in TURNS.items()
    }
    rotations = {f"{name}v": SURFACE.turn(cycles) for name, cycles in TURNS.items()}
    costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
    return Puzzle(
        name="my-ivy",
        title="My Ivy Cube",
        orbits=SURFACE.orbits,
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns of a corner", costs),),
        rotations=tuple(rotations),
        constraints=(Frame("corners"), EvenParity(("petals",))),
        layout=SURFACE.layout(
            {"western": "WRGYOB"},
            ("white", "red", "green", "yellow", "orange", "blue"),
            pictures=pictures,
        ),
        hints=lambda _: "turns are R L D B; Rv Lv Dv Bv turn the whole puzzle",
    )


def methods(ivy):
    """Make the method `optimal`, with one exact table of 29,160 entries."""
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
    """Register my-ivy. (A bundled plugin has a puzzle named ivy.)"""
    yield PuzzleEntry("my-ivy", "My Ivy Cube", puzzle, methods)
