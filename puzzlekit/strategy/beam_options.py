"""Options of a beam for authors of methods: alternatives of its phases, and its rounds."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from puzzlekit.phase.phase import Phase


class Alternative(NamedTuple):
    """Another way through a phase of a beam, such as along another axis.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [other.of for other in cube.method("reduction").strategy.alternatives]
    ['split']
    """

    #: Name of the phase that this is an alternative of; not the first phase.
    of: str
    #: The phase to search instead. It ends where the phase named `of` ends.
    phase: Phase
    #: Rotations of the whole puzzle (move sequences). Each end of the phase before is turned by
    #: each of them.
    turns: tuple[str, ...]
    #: Rotations that rename the pieces after that, each in turn. The empty one renames nothing.
    names: tuple[str, ...] = ("",)


@attrs.frozen
class Rounds:
    """The rounds of a beam. Each searches all phases and is longer than the one before.

    A method with slower phases needs a longer first round and its own number of nodes per second.
    The defaults of the other numbers were measured with the 4x4x4 cube.
    """

    #: Seconds of the first round, which should give a first answer.
    first: float = 0.06
    #: Ratio of the length of a round to the one before. More than 1.
    longer: float = 5
    #: A phase without a result after this many times the length of the round starts a longer round.
    patience: float = 4
    #: Number of candidates that the finish takes per second of a round. It copies them all before
    #: it searches, which takes a twentieth of its time.
    pooled_a_second: int = 1000
    #: Least number of candidates that the finish takes.
    least_pooled: int = 500
    #: Number of nodes that count as one second if a search is limited by nodes. A constant makes
    #: such a search repeatable. It should be about the speed of the search on one core.
    nodes_a_second: int = 25_000_000
