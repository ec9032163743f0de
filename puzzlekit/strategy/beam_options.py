"""What an author chooses of a beam: other ways through its phases, and how long its rounds are."""

from __future__ import annotations

from typing import NamedTuple

import attrs

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


@attrs.frozen
class Rounds:
    """A beam searches all phases in rounds, each longer than the one before.

    Phases that take longer need a longer first round, and a method states the nodes a second of its
    searches. The other numbers are ratios, measured with the 4x4x4 cube.
    """

    #: Seconds of the first round, which is to give a first answer.
    first: float = 0.06
    #: How many times as long as the one before each round is. More than 1.
    longer: float = 5
    #: A round that has found nothing in this many times its length is given up for a longer one.
    patience: float = 4
    #: Candidates that the finish takes, for each second of a round. It copies them all before it
    #: searches: a twentieth of its time is enough for that.
    pooled_a_second: int = 1000
    #: Candidates that the finish takes at least.
    least_pooled: int = 500
    #: Nodes that count as one second where a search is limited by nodes. A constant, so that such a
    #: search can be repeated: about as many as the search generates on one core.
    nodes_a_second: int = 25_000_000
