"""Scrambles: moves that lead from the solved puzzle to a random state."""

from __future__ import annotations

from random import Random
from typing import Protocol

from puzzlekit.errors import NoSolutionError
from puzzlekit.method.method import Method
from puzzlekit.puzzle.guard import GuardedMoves
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.solve.solution import Solution

# Nodes that a scramble may take to find; more where that finds none. It only says how soon one of
# few nodes is taken: another number would give other scrambles for the same seeds.
_NODES = 30_000
_MOST_NODES = 5_000_000  # of the method that was derived for a definition, which knows no short way
_PATIENCE = 500_000_000  # nodes, half a minute to a minute of any puzzle: then none is found
RANDOM_MOVES = 100


class ScramblingSolver(Protocol):
    """What a scramble needs of a `Solver`."""

    puzzle: Puzzle
    gives_up: bool

    def random_state(self, seed: Random) -> bytes:
        """A random state that can be reached."""

    def method(self) -> Method:
        """The first method; the moves of its first phase reach every state."""

    def solve(
        self, position: bytes, *, method: str | None, max_nodes: int, threads: int
    ) -> Solution:
        """A solution; a NoSolutionError where the nodes are too few."""


def random_moves(solver: ScramblingSolver, rng: Random) -> list[str]:
    """Names of moves, no two of one family in a row; where moves have a guard, possible ones."""
    puzzle = solver.puzzle
    guarded = puzzle.guarded
    if guarded is not None:
        return _guarded_moves(guarded, guarded.place(puzzle.solved), rng)
    first = solver.method().phases[0]  # its moves lead to every state
    every = dict.fromkeys(move.family for move in first.allowed(puzzle))
    families: list[str] = []
    while len(families) < RANDOM_MOVES:
        family = rng.choice(list(every))
        if not families or family != families[-1] or len(every) == 1:
            families.append(family)
    return [rng.choice(puzzle.family_moves([family])).name for family in families]


def _guarded_moves(guarded: GuardedMoves, place: int, rng: Random) -> list[str]:
    """Some moves that are possible one after the other, none of which undoes the one before."""
    names: list[str] = []
    while len(names) < RANDOM_MOVES:
        cases = [(name, move.cases[place]) for name, move in guarded.moves.items()]
        possible = [(name, case) for name, case in cases if case is not None]
        onward = [each for each in possible if not names or each[0] != guarded.inverses[names[-1]]]
        name, case = rng.choice(onward or possible)
        names.append(name)
        place = case.guard_after
    return names


def random_scramble(solver: ScramblingSolver, rng: Random) -> list[str]:
    """Names of moves that lead from the solved state to a random one: a solution of it, undone.

    Empty where the solver gives up what takes long.
    """
    puzzle = solver.puzzle
    state = solver.random_state(rng)
    while puzzle.is_solved(state):
        state = solver.random_state(rng)
    try:
        solution = patient_solution(solver, state)
    except NoSolutionError:
        if solver.gives_up:
            return []
        raise
    return [move.name for move in puzzle.undo(solution.sequence)]


def patient_solution(solver: ScramblingSolver, state: bytes, method: str | None = None) -> Solution:
    """A solution by few nodes, or by four times as many, and so on; the same each time.

    A NoSolutionError if there is none, or if the solver gives up what takes long.
    """
    nodes = _NODES
    while True:
        try:
            return solver.solve(state, method=method, max_nodes=nodes, threads=1)
        except NoSolutionError:
            if solver.gives_up and nodes > _MOST_NODES:
                raise
            if nodes > _PATIENCE:
                name = solver.puzzle.name
                raise NoSolutionError(
                    f"no moves to a random state found within {nodes:,} nodes; 'puzzlekit "
                    f"check-plugin {name}' tells whether random states can be reached"
                ) from None
            nodes *= 4
