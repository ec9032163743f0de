"""The method of the 3x3x3 supercube: the orientations of its centers count, as on picture cubes.

The method is Kociemba's Two-Phase algorithm. At the end of its first phase, the centers of the side
faces are turned by half turns only, because the second phase has no quarter turns of these faces.
"""

from __future__ import annotations

from attrs import evolve

from puzzlekit import (
    Improve,
    Method,
    Modulo3,
    Orientation,
    Phase,
    Profile,
    Puzzle,
)
from puzzlekit_cube3 import two_phases

SIDES, POLES = "R F L B", "U D"


def methods(cube: Puzzle) -> list[Method]:
    """Make the method `two-phase`."""
    sides = Orientation("sides", cube, "centers", SIDES, summed=False)  # 4**4
    poles = Orientation("poles", cube, "centers", POLES, summed=False)  # 4**2

    def with_centers(orient: Phase, finish: Phase) -> tuple[Phase, Phase]:
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
                # With larger caps, a state in which only centers are turned takes minutes.
                caps={"HTM": 11, "QTM": 22},
            ),
        )

    return [
        Method(
            name="two-phase",
            title="Kociemba's Two-Phase algorithm with the centers, improving",
            phases=with_centers(*two_phases(cube)),
            strategy=Improve(premoves=2, premoves_after=(3_000, 30_000)),
            profile="small",
            larger=(Profile("large", with_centers(*two_phases(cube, large=True)), ("HTM",)),),
            fixed={"centers": "U R F D L B"},
            metrics=("HTM", "QTM"),
        ),
    ]
