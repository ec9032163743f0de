"""Estimate the share of a bound that is done, from the nodes of each subtree in the last bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

_EVENLY = 0.1  # share of the work assumed to be spread evenly, since small bounds are uncertain

#: The first moves of a subtree.
Key = tuple[int, ...]


class Shares:
    """Estimates how much of the search of a bound is done.

    - `keys`: the subtrees, in the order in which they are searched. A subtree is given by its first
      moves.
    - `last`: maps each subtree to its number of nodes at the previous bound.
    - `likely`: the expected number of nodes at the current bound.
    """

    def __init__(self, keys: Sequence[Key], last: Mapping[Key, float], likely: int) -> None:
        times = Counter(keys)
        even = 1 / max(len(keys), 1)
        total = sum(last.get(key, 0) for key in times)
        self._each = [
            _EVENLY * even + (1 - _EVENLY) * last.get(key, 0) / times[key] / total
            if total
            else even
            for key in keys
        ]
        self._before = list(accumulate(self._each, initial=0.0))
        self._likely = likely

    def behind(self, number: int, nodes: int = 0) -> float:
        """Return the share of the bound that is done within subtree `keys[number]`.

        `nodes` is the number of nodes of this subtree that are done. All earlier subtrees are done.

        >>> round(Shares([(0,), (1,)], {(0,): 30, (1,): 10}, 400).behind(1), 6)
        0.725
        """
        if number >= len(self._each):
            return 1.0
        within = nodes / self._likely if self._likely else 0.0
        return self._before[number] + min(within, self._each[number])
