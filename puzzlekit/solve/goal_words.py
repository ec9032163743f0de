"""The goal of a phase in words."""

from __future__ import annotations

from puzzlekit.solve.solution import PhaseReport


def goal_words(phase: PhaseReport) -> str:
    """Return the goal of a phase in words.

    If the phase was searched for another way of holding the puzzle or for the inverse state, the
    goal cannot be seen on the puzzle. The words then say how the phase was searched.

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
        *(["in the inverse state"] if found.inverted else []),
        *(["except for the last moves"] if found.premoves else []),
        *(["and moves that part or join alike pieces"] if found.joined else []),
    ]
    return f"{phase.goal} ({', '.join(how)})"
