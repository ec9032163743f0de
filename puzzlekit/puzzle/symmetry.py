"""Symmetries: what turning or mirroring the whole puzzle makes of its moves.

A symmetry is known by what it does to the moves. Whether it is one of a coordinate too is checked
on the graph of its values (see `puzzlekit.tables.classes`), so nothing here has to be believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.puzzle.move import Move, compose, invert
from puzzlekit.puzzle.puzzle import Puzzle

# For each family its image, and 1 or -1: whether it turns the same way or the other way round.
Images = Mapping[str, tuple[str, int]]


def rotated_families(puzzle: Puzzle, families: Sequence[str], rotation: str) -> Images | None:
    """What each family becomes when the puzzle is turned; None if one leaves these families."""
    named = {puzzle.turns[family]: family for family in families}
    turn = puzzle.turns[rotation]
    back = invert(turn, puzzle.modulus)
    turned = {}
    for family in families:
        seen = compose(compose(back, puzzle.turns[family], puzzle.modulus), turn, puzzle.modulus)
        if seen not in named:
            return None
        turned[family] = (named[seen], 1)
    return turned


def symmetries(puzzle: Puzzle, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """Every symmetry that permutes these moves, as the numbers of their images; no change first.

    Those made of the puzzle's rotations and reflections.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(symmetries(cube, cube.family_moves("URFDLB")))
    48
    >>> len(symmetries(cube, cube.moves("U U2 U' D D2 D' R2 L2 F2 B2")))
    16
    """
    families = list(dict.fromkeys(move.family for move in moves))
    steps = [rotated_families(puzzle, families, rotation) for rotation in puzzle.rotations]
    steps += [
        mirror if all(mirror[family][0] in families for family in families) else None
        for mirror in puzzle.reflections
    ]
    start = tuple((family, 1) for family in families)
    found = [start]
    for image in found:  # grows while it is gone through
        for step in steps:
            if step is None:
                continue
            moved = tuple((step[name][0], step[name][1] * sign) for name, sign in image)
            if moved not in found:
                found.append(moved)
    number = {(move.family, move.amount): i for i, move in enumerate(moves)}
    permutations = []
    for image in found:
        of = dict(zip(families, image, strict=True))
        images = tuple(
            number.get((of[move.family][0], of[move.family][1] * move.amount % move.order), -1)
            for move in moves
        )
        if -1 not in images:
            permutations.append(images)
    return permutations
