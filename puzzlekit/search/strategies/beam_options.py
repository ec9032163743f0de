"""Options of a beam for authors of methods: alternatives of its phases, and its rounds."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from puzzlekit.search.phase import Phase


class Alternative(NamedTuple):
    """Another way to search a phase of a beam, such as along another axis.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [other.of for other in cube.method("reduction").strategy.alternatives]
    ['split']
    """

    #: Name of the phase that this phase is an alternative to. It cannot be the first phase.
    of: str
    #: The phase to search instead. It ends where the phase named `of` ends.
    phase: Phase
    #: Rotations of the whole puzzle, as move sequences. The search of this phase starts from each
    #: candidate of the phase before, turned by each of these rotations.
    turns: tuple[str, ...]
    #: Rotations that rename the pieces of each turned candidate. Each of them gives one more start.
    #: The empty rotation renames nothing.
    names: tuple[str, ...] = ("",)


@attrs.frozen
class Rounds:
    """The rounds of a beam. Each round searches all phases and is longer than the round before.

    A method with slower phases needs a longer first round and its own number of nodes per second.
    The defaults of the other numbers were measured with the 4x4x4 cube.
    """

    #: Seconds of the first round, which should give a first answer.
    first: float = 0.06
    #: Ratio of the length of a round to the length of the round before. More than 1.
    longer: float = 5
    #: A round ends, and a longer round starts, if a phase has no result after this many times the
    #: length of the round, and if as much time is left for a new round. Until there is an answer,
    #: this holds for the finish, too.
    patience: float = 4
    #: Number of candidates, per second of a round, from which the finish starts. Copying this many
    #: candidates takes a twentieth of the finish's time.
    pooled_a_second: int = 1000
    #: Least number of candidates from which the finish starts.
    least_pooled: int = 500
    #: Number of renamed states, per second of a round, from which a phase with renamings starts. To
    #: estimate this many states takes about a tenth of the round.
    renamed_a_second: int = 500_000
    #: Number of nodes that count as one second if a search has a limit of nodes. Such a search then
    #: gives the same answers on every machine. The number should be about the nodes per second of
    #: one core.
    nodes_a_second: int = 25_000_000
