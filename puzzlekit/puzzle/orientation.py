"""The orientation of the whole puzzle: relabel pieces so that the puzzle is held as usual."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, act, invert
from puzzlekit.puzzle.part import parts_of
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["relabellings", "setup_moves"]


def relabellings(
    puzzle: Puzzle, state: bytes, places: Sequence[int]
) -> Iterator[tuple[Effect, bytes]]:
    """Yield the rotations after which some bytes of a state are solved, and the relabelled state.

    `places` has the indices of these bytes: see `Puzzle.bytes_at`. Without any, every rotation of
    the whole puzzle is yielded.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> ((rotation, seen),) = relabellings(
    ...     cube.puzzle, cube.state("x R"), cube.puzzle.bytes_at({"corners": "DBL"})
    ... )
    >>> seen == cube.state("R")
    True
    """
    for rotation in puzzle.whole_rotations:
        seen = puzzle.relabel(state, rotation)
        if all(seen[byte] == puzzle.solved[byte] for byte in places):
            yield rotation, seen


def relabelled(
    puzzle: Puzzle, fixed: Mapping[str, str], state: bytes, relabel: bool = False
) -> Iterator[bytes]:
    """Yield the state relabelled in each way that solves the fixed places of a method.

    Without fixed places, only the unchanged state is yielded, or with `relabel` the state in every
    orientation. Raises DeclarationError if no orientation solves the fixed places.
    """
    places = puzzle.bytes_at(fixed)
    if not places and not relabel:
        yield state
        return
    none = True
    for _, seen in relabellings(puzzle, state, places):
        none = False
        yield seen
    if none:
        raise DeclarationError(
            f"no way of holding {puzzle.name} solves the places that the method fixes"
        )


@lru_cache(maxsize=64)
def _frame_bytes(puzzle: Puzzle) -> tuple[int, ...]:
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
    frame = _frame_bytes(puzzle)
    return any(gather[j] != j for gather, _ in effects for j in frame)


def framed(puzzle: Puzzle, state: bytes) -> bytes:
    """Return a state relabelled so that the frame of the puzzle is solved (see `Frame`).

    The state is returned unchanged if there is no frame, or if the frame shows no orientation.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> framed(cube.puzzle, cube.scrambled("M")) == cube.scrambled("R L'")
    True
    """
    frame, solved = _frame_bytes(puzzle), puzzle.solved
    if all(state[j] == solved[j] for j in frame):
        return state
    return next((seen for _, seen in relabellings(puzzle, state, frame)), state)


def in_any_orientation(
    puzzle: Puzzle, moves: Sequence[Move], test: Callable[[bytes], bool]
) -> Callable[[bytes], bool]:
    """Return a test whether another test accepts a state in some orientation of the puzzle.

    The other test must accept only states in which the places that exchange pieces under the moves
    have the pieces that they have when the puzzle is solved.
    """
    if len(puzzle.whole_rotations) == 1:
        return test
    groups = [
        [puzzle.offsets[part.orbit.name] + home for home in part.homes]
        for part in parts_of(puzzle, moves)
    ]

    def labels(state: bytes) -> tuple[bytes, ...]:
        return tuple(bytes(sorted(state[j] for j in places)) for places in groups)

    #: The rotations that relabel pieces in such a way, by the labels at the places.
    rotations: dict[tuple[bytes, ...], list[Effect]] = {}
    for rotation in puzzle.whole_rotations:
        before = act(puzzle.solved, *invert(rotation, puzzle.modulus), puzzle.modulus)
        rotations.setdefault(labels(before), []).append(rotation)
    return lambda state: any(
        test(puzzle.relabel(state, rotation)) for rotation in rotations.get(labels(state), ())
    )


def setup_moves(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """Return moves that lead from the solved puzzle, held in the standard way, to `state`.

    `moves` must solve `state`. The result first turns the whole solved puzzle, so that it is held
    as it is after `moves`. Then it undoes `moves`. The result is None if `moves` do not solve
    `state`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> [move.name for move in setup_moves(cube.puzzle, cube.state("R y"), cube.puzzle.moves("F'"))]
    ['y', 'F']
    """
    end = puzzle.apply(state, moves)
    for rotation in puzzle.whole_rotations:
        if act(puzzle.solved, *rotation, puzzle.modulus) == end:
            break
    else:
        return None
    turns: list[Move] = []
    step = puzzle.rotation_steps[rotation]
    while step:
        rotation, family = step
        turns.append(puzzle.move(family))
        step = puzzle.rotation_steps[rotation]
    return *reversed(turns), *puzzle.undo(moves)
