"""Scrambles: moves to a random state of the puzzle."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from random import Random
from typing import Protocol

from puzzlekit.errors import NoSolutionError, UsageError
from puzzlekit.puzzle.guard import GuardedMoves
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.random_states import random_walk
from puzzlekit.search.method import Method
from puzzlekit.search.solution import Solution

__all__ = [
    "RANDOM_MOVES",
    "fresh_seed",
    "moves_to",
    "patient_solution",
    "patiently",
    "random_moves",
    "unsolved_state",
]


# The first limit of nodes for finding a scramble. Another number would give other scrambles for the
# same seeds.
_NODES = 30_000
_MOST_NODES = 5_000_000  # the last limit if the solver gives up, as for derived methods
_PATIENCE = 500_000_000  # nodes, 30 s to 60 s for any puzzle; then the search fails
RANDOM_MOVES = 100
_SOLVED = 200  # random states, after which there seems to be no other one


class ScramblingSolver(Protocol):
    """The methods of `Solver` that making scrambles needs."""

    puzzle: Puzzle
    gives_up: bool

    def random_state(self, seed: Random) -> bytes:
        """Return a random reachable state."""

    def method(self) -> Method:
        """Return the first method. The moves of its first phase reach every state."""

    def solve(
        self,
        position: bytes,
        *,
        method: str | None = None,
        max_nodes: int | None = None,
        threads: int = 1,
    ) -> Solution:
        """Return a solution. Raises a NoSolutionError if `max_nodes` is too small."""


def fresh_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbits(64)


def random_moves(solver: ScramblingSolver, rng: Random, count: int = RANDOM_MOVES) -> list[str]:
    """Return the names of `count` random moves.

    Two moves of one family are never adjacent. If moves are not always possible, only possible
    moves are chosen.
    """
    puzzle = solver.puzzle
    guarded = puzzle.guarded
    if guarded is not None:
        return _guarded_moves(guarded, guarded.place(puzzle.solved), rng, count)
    first = solver.method().phases[0]  # its moves reach every state
    every = dict.fromkeys(move.family for move in first.allowed(puzzle))
    if puzzle.restricted:
        walk = random_walk(puzzle, puzzle.family_moves(every), rng, count)
        return [move.name for move in walk]
    families: list[str] = []
    while len(families) < count:
        family = rng.choice(list(every))
        if not families or family != families[-1] or len(every) == 1:
            families.append(family)
    return [rng.choice(puzzle.family_moves([family])).name for family in families]


def _guarded_moves(guarded: GuardedMoves, place: int, rng: Random, count: int) -> list[str]:
    """Random possible moves, none of which undoes the move before if another move is possible."""
    names: list[str] = []
    while len(names) < count:
        cases = [(name, move.cases[place]) for name, move in guarded.moves.items()]
        possible = [(name, case) for name, case in cases if case is not None]
        if not possible:
            break
        onward = [each for each in possible if not names or each[0] != guarded.inverses[names[-1]]]
        name, case = rng.choice(onward or possible)
        names.append(name)
        place = case.guard_after
    return names


def random_scramble(solver: ScramblingSolver, rng: Random) -> list[str]:
    """Return the names of moves from the solved state to a random state.

    The list is empty if the solver gave up a long search.
    """
    return moves_to(solver, unsolved_state(solver, rng))


def unsolved_state(solver: ScramblingSolver, rng: Random) -> bytes:
    """Return a random state that is not solved. Raises UsageError if there seems to be none."""
    for _ in range(_SOLVED):
        state = solver.random_state(rng)
        if not solver.puzzle.is_solved(state):
            return state
    raise UsageError(
        f"{solver.puzzle.name} cannot be scrambled: {_SOLVED} random states are all solved"
    )


def moves_to(solver: ScramblingSolver, state: bytes) -> list[str]:
    """Return the names of moves from the solved state to a state.

    The moves are the inverse of a solution. The list is empty if the solver gave up a long search.
    """
    try:
        solution = patient_solution(solver, state)
    except NoSolutionError:
        if solver.gives_up:
            return []
        raise
    return [move.name for move in solver.puzzle.undo(solution.sequence)]


def patient_solution(solver: ScramblingSolver, state: bytes, method: str | None = None) -> Solution:
    """Return a solution of a state, always the same for the same state (see `patiently`)."""
    return patiently(
        solver, lambda nodes: solver.solve(state, method=method, max_nodes=nodes, threads=1)
    )


def patiently(solver: ScramblingSolver, search: Callable[[int], Solution]) -> Solution:
    """Return what a search finds with few nodes, or with more if it finds nothing.

    `search` takes a limit of nodes. After each search without an answer, the limit is multiplied by
    four and the search is repeated. Raises a NoSolutionError if the largest limit gives no
    solution, or if the solver gives up a long search.
    """
    nodes = _NODES
    while True:
        try:
            return search(nodes)
        except NoSolutionError:
            if solver.gives_up and nodes > _MOST_NODES:
                raise
            if nodes > _PATIENCE:
                name = solver.puzzle.name
                raise NoSolutionError(
                    f"no moves to a random state found within {nodes:,} nodes; run 'puzzlekit "
                    f"check-plugin {name}' to see whether random states can be reached"
                ) from None
            nodes *= 4
