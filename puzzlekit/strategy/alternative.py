"""Another way through a phase of a beam."""

from __future__ import annotations

from typing import NamedTuple

from puzzlekit.phase.phase import Phase


class Alternative(NamedTuple):
    """Another way through the phase of a beam that is named `of`, such as along another axis.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [other.of for other in cube.method("reduction").strategy.alternatives]
    ['split']
    """

    #: The name of the phase, not the first one, to which this is an alternative.
    of: str
    #: What is searched in its place. It ends where the phase named `of` ends.
    phase: Phase
    #: Rotations of the whole puzzle (move sequences): the ends of the phase before are turned by
    #: each of them.
    turns: tuple[str, ...]
    #: Rotations as by which pieces are renamed then, each in turn; the empty one renames nothing.
    names: tuple[str, ...] = ("",)
