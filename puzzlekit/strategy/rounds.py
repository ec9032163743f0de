"""How long the rounds of a beam are."""

from __future__ import annotations

import attrs


@attrs.frozen
class Rounds:
    """A beam searches all phases in rounds, each longer than the one before.

    The defaults were tuned for the 4x4x4 cube. Larger puzzles need longer first rounds.
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
