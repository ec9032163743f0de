"""How a puzzle is held when a goal is tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from puzzlekit.puzzle.move import Effect, Move, act, invert
from puzzlekit.puzzle.part import parts_of
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.goals.condition import Test


@lru_cache(maxsize=64)
def frame_bytes(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the bytes of the labels that show how the puzzle is held (see `Frame`)."""
    return tuple(
        puzzle.offsets[name] + place
        for name in puzzle.frames
        for place in range(puzzle.orbit(name).size)
    )


def carries_frame(puzzle: Puzzle, effects: Iterable[Effect]) -> bool:
    """Whether effects change how the puzzle is held, as an M of a 3x3x3 carries its centers.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [carries_frame(cube, [move.effect]) for move in cube.moves("R M")]
    [False, True]
    """
    frame = frame_bytes(puzzle)
    return any(gather[j] != j for gather, _ in effects for j in frame)


def framed(puzzle: Puzzle, state: bytes) -> bytes:
    """Return a state with its pieces renamed as the frame of the puzzle shows how it is held.

    The state is returned unchanged if there is no frame, or if the frame shows no holding.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> framed(cube.puzzle, cube.scrambled("M")) == cube.scrambled("R L'")
    True
    """
    frame, solved = frame_bytes(puzzle), puzzle.solved
    if all(state[j] == solved[j] for j in frame):
        return state
    for held in puzzle.holdings:
        seen = puzzle.recolour(state, held)
        if all(seen[j] == solved[j] for j in frame):
            return seen
    return state


def in_any_holding(puzzle: Puzzle, moves: Sequence[Move], test: Test) -> Test:
    """Return a test whether another test accepts a state, renamed by one of the rotations.

    The other test must accept only states in which the places that exchange pieces under the moves
    have the pieces that they have when the puzzle is solved.
    """
    if len(puzzle.holdings) == 1:
        return test
    groups = [
        [puzzle.offsets[part.orbit.name] + home for home in part.homes]
        for part in parts_of(puzzle, moves)
    ]

    def labels(state: bytes) -> tuple[bytes, ...]:
        return tuple(bytes(sorted(state[j] for j in places)) for places in groups)

    #: The rotations that rename pieces in such a way, by the labels at the places.
    holdings: dict[tuple[bytes, ...], list[Effect]] = {}
    for held in puzzle.holdings:
        before = act(puzzle.solved, *invert(held, puzzle.modulus), puzzle.modulus)
        holdings.setdefault(labels(before), []).append(held)

    def accepts(state: bytes) -> bool:
        found = holdings.get(labels(state), ())
        return any(test(puzzle.recolour(state, held)) for held in found)

    return accepts
