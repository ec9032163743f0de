"""The method that solves any puzzle whose moves have no guard."""

from __future__ import annotations

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.method import Method
from puzzlekit.search.phase import Phase
from puzzlekit.search.strategies.named import Named
from puzzlekit.search.strategies.strategy import Strategy

_UNIVERSAL = Named("universal", "universal", needs_coordinates=False)
_BY_SHAPES = Named("by-shapes", "universal", needs_coordinates=False, takes_forbidden=True)


def universal_method(puzzle: Puzzle, strategy: Strategy | None = None) -> Method:
    """Return the universal method of a puzzle.

    Its strategy comes from the plugin `universal`, which is imported when the method is used.
    `strategy` replaces it, such as `Universal(seconds=5.0)` of the plugin. Raises a
    DeclarationError if the puzzle has a guard.

    >>> import puzzlekit
    >>> universal_method(puzzlekit.load("cube2").puzzle)
    Method('universal')
    """
    if puzzle.guard is not None:
        raise DeclarationError(
            f"{puzzle.name} has no universal method, because its moves have a guard"
        )
    families = " ".join(family for family in puzzle.turns if family not in puzzle.rotations)
    phase = Phase("solve", "the puzzle is solved", families, (), ())
    return Method(
        name="universal",
        title="short answers from the moves alone",
        phases=(phase,),
        strategy=strategy or (_BY_SHAPES if puzzle.forbidden or puzzle.blocks else _UNIVERSAL),
        notes=(
            f"moves: {families}",
            "short words permute three pieces or twist two, and are inserted where moves cancel",
        ),
    )
