"""The phases that bring the inner x-centers and the obliques to their axes.

They are the first phases of `reduction`, of the 7x7x7, too.
"""

from __future__ import annotations

from puzzlekit import Folded, Hashed, MaxSum, Parity, Phase
from puzzlekit_cubes import SPLITTING, LargeCubePieces, blocks

# Moves that keep the inner x-centers of two opposite colours on F and B.
SORTING = "U R F D L B Uw Rw Fw Dw Lw Bw 3Fw 3Bw 3Uw2 3Rw2 3Dw2 3Lw2"


def sorting_phases(pieces: LargeCubePieces) -> tuple[Phase, Phase, Phase, Phase]:
    """Return four phases: `inner`, `one colour`, `obliques` and `axes`."""
    return _inner(pieces), _one_colour(pieces), _obliques(pieces), _axes(pieces)


def _inner(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="inner",
        goal="the inner x-centers of two opposite colours on F and B",
        moves=f"U R F D L B {blocks('URFDLB')}",
        coordinates=(pieces.classes("fb-x", "FB", "URFDLB", 46371, 16),),  # 24 choose 8
        tables=("fb-x-classes",),
    )


def _one_colour(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="one colour",
        goal="the obliques of one colour on F and B",
        moves=SORTING,
        goal_moves=SPLITTING,
        coordinates=(
            pieces.classes("f-l", "F", "URFDLB", 2676, 4),
            pieces.centers("f-r", "F", "URFDLB"),
        ),
        tables=(Folded("f-l-classes f-r", fold=6),),
    )


def _obliques(pieces: LargeCubePieces) -> Phase:
    # A reflection exchanges left and right obliques, so there are 8 symmetries only.
    return Phase(
        name="obliques",
        goal="the obliques of two opposite colours on F and B",
        moves=SORTING,
        coordinates=tuple(
            pieces.classes(name, "FB", "URFDLB", 92247, 8) for name in ("fb-l", "fb-r")
        ),
        tables=(
            "fb-l-classes",
            "fb-r-classes",
            Hashed("fb-l-classes fb-r-classes", entries=1 << 25, farthest={"OBTM": 7}),
        ),
        heuristic=MaxSum(share=0.2),
    )


def _axes(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="axes",
        goal="each inner x-center and oblique on its axis, no parity of inner wings",
        moves=SPLITTING,
        coordinates=(
            pieces.classes("ud-x", "UD", "UDRL", 1703, 8),  # 16 choose 8
            pieces.classes("ud-l", "UD", "UDRL", 1703, 8),
            pieces.centers("ud-l", "UD", "UDRL"),
            pieces.centers("ud-r", "UD", "UDRL"),
            Parity("wing-parity", pieces.cube, pieces.wings),
        ),
        tables=(
            Folded("ud-x-classes wing-parity ud-l", fold=12),
            Folded("ud-x-classes wing-parity ud-r", fold=12),
            Folded("ud-l-classes ud-r", fold=8),
        ),
        heuristic=MaxSum(share=0.4),
    )
