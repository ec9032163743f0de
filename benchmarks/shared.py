"""What the benchmarks share: the states that they solve, and what is known of profiles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import puzzlekit
from puzzlekit.phase.profiles import profile_keys

DATA = Path(__file__).parent / "data" / "cube3_states.txt"


def random_states(solver: puzzlekit.Solver, count: int, seed: int | None = None) -> list[str]:
    """The facelets of random states of the 3x3x3: drawn with a seed, else those of the file."""
    if seed is None:
        return DATA.read_text(encoding="utf-8").split()[:count]
    rng = random.Random(seed)
    return [solver.to_facelets(solver.random_state(rng)) for _ in range(count)]


def scrambled_states(
    solver: puzzlekit.Solver,
    count: int,
    length: int,
    seed: int | None = None,
    moves: str = "URFDLB",
) -> list[str]:
    """The facelets after so many random turns of faces, or of other `moves`, no face twice running.

    Such states are nearer than random ones, and not equally likely.
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
        states.append(solver.to_facelets(state))
    return states


def _names(moves: str) -> Sequence[str]:
    if " " in moves:
        return moves.split()
    return [face + amount for face in moves for amount in ("", "2", "'")]


def ready(solver: puzzlekit.Solver, method: str, profile: str | None) -> str:
    """Load or build the tables of a profile, the one used by itself if None; its name."""
    solver.chain(method, profile=profile)
    return solver.profiled(method, profile=profile).profile


def megabytes(solver: puzzlekit.Solver, method: str, profile: str) -> float:
    """How large the tables of a profile are, those of a method that it starts from included."""
    chosen = solver.profiled(method, profile=profile)
    keys = dict.fromkeys(profile_keys(solver.puzzle, chosen, solver.metric(method)))
    if chosen.upper:
        upper = solver.profiled(chosen.upper)
        keys |= dict.fromkeys(profile_keys(solver.puzzle, upper, solver.metric(method)))
    return sum(key.nbytes for key in keys) / 1e6
