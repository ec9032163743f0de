"""The method that solves any puzzle whose moves have no guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.method import Method
from puzzlekit.search.phase import Phase

if TYPE_CHECKING:
    from puzzlekit.search.strategies.universal.universal import Universal


def universal_method(puzzle: Puzzle, strategy: Universal | None = None) -> Method:
    """Return the universal method of a puzzle.

    `strategy` replaces the default strategy `Universal()`. If the puzzle has forbidden places, the
    strategy becomes part of `ByShapes`. Raises a DeclarationError if the puzzle has a guard.

    >>> import puzzlekit
    >>> universal_method(puzzlekit.load("cube2").puzzle)
    Method('universal')
    """
    if puzzle.guard is not None:
        raise DeclarationError(
            f"{puzzle.name} has no universal method, because its moves have a guard"
        )
    from puzzlekit.search.strategies.universal.by_shapes import ByShapes
    from puzzlekit.search.strategies.universal.universal import Universal

    chosen = strategy or Universal()
    families = " ".join(family for family in puzzle.turns if family not in puzzle.rotations)
    phase = Phase("solve", "the puzzle is solved", families, (), ())
    return Method(
        name="universal",
        title="short answers from the moves alone",
        phases=(phase,),
        strategy=ByShapes(chosen) if puzzle.forbidden else chosen,
        notes=(
            f"moves: {families}",
            "short words permute three pieces or twist two, and are inserted where moves cancel",
        ),
    )
