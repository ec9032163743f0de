"""Shared by the benchmarks: states to solve, and facts about profiles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import puzzlekit
from puzzlekit.search.options import SearchOptions, profile_keys

DATA = Path(__file__).parent / "data" / "cube3_states.txt"


def random_states(solver: puzzlekit.Solver, count: int, seed: int | None = None) -> list[str]:
    """Return the facelets of random states: drawn with a seed, else read from the 3x3x3 file."""
    if seed is None:
        return DATA.read_text(encoding="utf-8").split()[:count]
    rng = random.Random(seed)
    return [solver.positions.to_facelets(solver.random_state(rng)) for _ in range(count)]


def scrambled_states(
    solver: puzzlekit.Solver,
    count: int,
    length: int,
    seed: int | None = None,
    moves: str = "URFDLB",
) -> list[str]:
    """Return the facelets after a number of random turns of faces, or of other `moves`.

    No face is turned twice in sequence. Such states are nearer than random states, and they are not
    equally likely.
    """
    rng = random.Random(1 if seed is None else seed)
    turns = [solver.puzzle.moves(name)[0] for name in _names(moves)]
    states = []
    for _ in range(count):
        state, last = solver.puzzle.solved, ""
        for _ in range(length):
            move = rng.choice([turn for turn in turns if turn.family != last])
            last = move.family
            state = solver.puzzle.apply(state, [move])
        states.append(solver.positions.to_facelets(state))
    return states


def _names(moves: str) -> Sequence[str]:
    if " " in moves:
        return moves.split()
    return [face + amount for face in moves for amount in ("", "2", "'")]


def ready(
    solver: puzzlekit.Solver, method: str, profile: str | None, metric: str | None = None
) -> str:
    """Load or build the tables of a profile (None: the default one) and return its name."""
    choice = solver.choose(SearchOptions(method, metric=metric, profile=profile))
    solver.make_ready(choice)
    return choice.method.profile


def megabytes(
    solver: puzzlekit.Solver, method: str, profile: str, metric: str | None = None
) -> float:
    """Return the size of a profile's tables, including the method that gives upper bounds."""
    choice = solver.choose(SearchOptions(method, metric=metric, profile=profile or None))
    keys = dict.fromkeys(profile_keys(solver.chooser.plan, choice.method, choice.metric))
    if choice.upper is not None:
        keys |= dict.fromkeys(profile_keys(solver.chooser.plan, choice.upper.method, choice.metric))
    return sum(key.nbytes for key in keys) / 1e6
