"""The edges of a large cube: low and high places of wings, and renamings of whole edges.

Each edge has one low and one high place of each orbit of wings. Quarter turns of U, D, R and L and
half turns of all faces and blocks bring low places to low places.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from puzzlekit import Puzzle
from puzzlekit.puzzle.move import Effect

# The edges of the layers between R and L come first.
EDGES = ("UF", "UB", "DF", "DB", "UR", "UL", "DR", "DL", "FR", "FL", "BR", "BL")

#: Renames the pieces of edges. The first argument maps edges to edges: the pieces of the second
#: edge come to the first edge. The second argument lists the edges whose pieces are flipped.
Renaming = Callable[[dict[str, str], tuple[str, ...]], Effect]


def low_and_high(cube: Puzzle, orbit: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the name of the low and of the high place of each edge, for an orbit of wings."""
    wings, start = cube.orbit(orbit), cube.offsets[orbit]
    found = [start + next(i for i, wing in enumerate(wings.places) if wing[:2] == "UF")]
    for j in found:  # grows during the loop
        turned = {move.gather[j] for move in cube.moves("U D R L F2 B2")}
        found += sorted(turned.difference(found))
    low: dict[str, str] = {}
    high: dict[str, str] = {}
    for edge in EDGES:
        for j, wing in enumerate(wings.places, start):
            if set(wing[:2]) == set(edge):
                (low if j in found else high)[edge] = wing
    return low, high


def edge_flips(renaming: Renaming) -> list[Effect]:
    """Return the 2048 renamings that flip an even number of edges."""
    homes = dict(zip(EDGES, EDGES, strict=True))
    return [
        renaming(homes, flipped)
        for count in range(0, len(EDGES) + 1, 2)
        for flipped in combinations(EDGES, count)
    ]


def edge_choices(renaming: Renaming) -> list[Effect]:
    """Return 495 renamings. Each names other four edges as those of the layers between R and L."""
    found = []
    for chosen in combinations(EDGES, 4):
        order = (*chosen, *(edge for edge in EDGES if edge not in chosen))
        found.append(renaming(dict(zip(order, EDGES, strict=True)), ()))
    return found
