"""The 2x2x2 cube.

The state contains all eight corners as held. The methods rename the pieces so that the corner DBL
is solved. They turn only U, R and F, which leave this corner in place. The shortest answers are as
short as with all six faces: turning D has the same effect as turning U and then the whole cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import (
    Method,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit_cubes import cube_puzzle, cube_rankings
from puzzlekit_robots import Machine

if TYPE_CHECKING:
    from puzzlekit_events import Event
    from puzzlekit_steps import Goal, StepMethod

puzzlekit_api = 2

FIXED = "DBL"
FREE = "ULB UBR URF UFL DRB DFR DLF"

# Nyanyan's robot Soltvvo has two pairs of arms. The arms turn counter-clockwise only, and never the
# same pair twice in a row. Gripping costs as much as a quarter turn.
ROBOT = Machine(
    name="robot",
    title="four arms in two pairs, turning counter-clockwise: the larger turn, and 1 to grip",
    arms=(("R", "L"), ("F", "B")),
    amounts=(-1, 2),
    turns={1: 1, 2: 2},
    grip=1,
    again=False,
    without=("L2", "R2 + L2", "B2", "F2 + B2"),
)


def puzzle() -> Puzzle:
    """Make the 2x2x2 cube: 88,179,840 states, if cubes held in different ways are different."""
    return cube_puzzle("cube2", 2, machines=(ROBOT,))


def methods(cube: Puzzle) -> Iterator[Method]:
    """Yield the methods `optimal`, with one exact table, and `small-tables`, with four tables."""
    # 7! ways to place the free corners, 3**6 ways to turn them.
    permutation = Permutation("permutation", cube, "corners", FREE, FREE)
    orientation = Orientation("orientation", cube, "corners", FREE)
    # The places of four corners, and of the three others: 7 * 6 * 5 * 4 and 7 * 6 * 5.
    upper = Permutation("upper", cube, "corners", "ULB UBR URF UFL", FREE)
    lower = Permutation("lower", cube, "corners", "DRB DFR DLF", FREE)

    def method(name: str, title: str, tables: tuple[str, ...], *coordinates: Permutation) -> Method:
        phase = Phase(
            name="solve",
            goal="the cube is solved",
            moves="U R F",
            coordinates=(orientation, *coordinates),
            tables=tables,
        )
        return Method(name, title, (phase,), fixed={"corners": FIXED})

    yield method(
        "optimal",
        "shortest answers from one exact table",
        ("permutation orientation",),
        permutation,
    )
    yield method(
        "small-tables",
        "shortest answers from four small tables",
        ("permutation", "orientation", "lower orientation", "upper"),
        permutation,
        upper,
        lower,
    )


def goals(cube: Puzzle) -> list[Goal]:
    """Make the goals of beginners: a layer, and oriented corners."""
    from puzzlekit_steps import Goal, Joined, Oriented

    return [
        Goal("layer", "the corners of the layer D are together", (Joined("DBL DRB DFR DLF"),)),
        Goal("oriented", "the colours of U and D are on U and D", (Oriented("corners"),)),
    ]


def steps(_: Puzzle) -> list[StepMethod]:
    """Make the step method `ortega`. Only the piece at DBL shows how the cube is held."""
    from puzzlekit_steps import GoalStep, StepMethod

    face = GoalStep("face", "within:layer:D oriented:layer:D")
    oll = GoalStep("oll", "oriented:layer:U")
    pbl = GoalStep("pbl", "solved:corners")
    title = "one face, orient the other face, permute both layers"
    return [StepMethod("ortega", title, (face, oll, pbl))]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube2."""
    aliases = ("2x2x2", "2x2", "2x2 cube", "2", "pocket cube", "mini cube")
    yield PuzzleEntry("cube2", "2x2x2 cube", puzzle, methods, aliases, goals, steps, cube_rankings)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register 222."""
    from puzzlekit_cubes import HELD
    from puzzlekit_events import Event, Exactly

    yield Event("222", "2x2x2 Cube", "cube2", least=4, moves=Exactly(11, "optimal"), held=HELD)
