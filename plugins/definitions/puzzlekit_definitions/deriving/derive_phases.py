"""Derive a method of several phases from orbits, moves and metrics alone."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Beam, Condition, EachSolvableBy, Method, Puzzle, Solved
from puzzlekit.search.goal_method import derive_phase


def derive_phases(puzzle: Puzzle, chain: Sequence[str], memory: int) -> Method:
    """Derive a method of several phases from the orbits and moves of a puzzle.

    Each phase has fewer moves than the phase before, and ends where these fewer moves may solve the
    puzzle. A beam joins the phases.

    Parameters
    ----------
    puzzle
        The puzzle. It must not have a guard or forbidden places.
    chain
        The moves of each phase, all moves first. `SubgroupChain` finds such a chain.
    memory
        The most bytes of the pruning tables of all phases.

    Raises
    ------
    DeclarationError
        If a phase needs too many coordinates.

    Examples
    --------
    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> derive_phases(cube, ("U R F", "U R2 F2"), 1_000_000).phases
    (Phase('phase 1'), Phase('phase 2'))
    """
    goals: list[Condition] = [EachSolvableBy(each) for each in chain[1:]]
    every = " ".join(orbit.name for orbit in puzzle.orbits)
    phases = [
        derive_phase(puzzle, f"phase {number}", goal, moves, memory // len(chain))
        for number, (moves, goal) in enumerate(zip(chain, [*goals, Solved(every)], strict=True), 1)
    ]
    return Method(
        name="phases",
        title="short answers in phases with fewer and fewer moves",
        phases=tuple(phases),
        heavy=True,
        strategy=Beam(shares=(1 / len(phases),) * len(phases), seconds=2),
        notes=tuple(f"{phase.name}: {moves}" for phase, moves in zip(phases, chain, strict=True)),
    )
