"""The goal of a phase in words, with how it was found."""

from __future__ import annotations

from puzzlekit.solve.solution import PhaseReport


def goal_words(phase: PhaseReport) -> str:
    """The goal, and how the phase was solved where the goal cannot be seen on the puzzle as held.

    >>> import puzzlekit
    >>> (phase,) = puzzlekit.load("cube2").solve("R U F2").phases
    >>> goal_words(phase)
    'the cube is solved'
    """
    if phase.direct:
        return phase.goal
    found = phase.found
    how = [
        *(["found directly"] if found.directly else []),
        *(["along another axis"] if found.rotated else []),
        *(["read backwards, in the inverse of the state"] if found.inverted else []),
        *(["but for the last moves"] if found.premoves else []),
    ]
    return f"{phase.goal} ({', '.join(how)})"
