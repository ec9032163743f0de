"""All states near the solved one, so that a search need not lead all the way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzlekit_lab.arrays import StateArrays, States

_MOST = 4_000_000  # children from which the last layer is made: about two seconds
_PART = 1 << 16  # of them at once

Hashes = NDArray[np.uint64]


class Ball:
    """The states that a few moves solve, by their number of moves.

    Only hashes are stored.

    - `most`: the largest number of states times moves from which a layer is made.
    """

    def __init__(self, arrays: StateArrays, most: int = _MOST) -> None:
        self.arrays = arrays
        self._words = -(-arrays.width // 8)
        rng = np.random.default_rng(1)
        odd = rng.integers(1 << 63, size=(self._words, 2), dtype=np.uint64)
        self._odd = odd * np.uint64(2) + np.uint64(1)
        states = arrays.goals[arrays.fitting(arrays.goals)]
        #: For each number of moves, the sorted hashes of its states.
        self.layers = [np.sort(self.hashes(states))]
        while len(states) * len(arrays) <= most:
            states, hashes = self._next(states)
            if not len(states):
                break
            self.layers.append(hashes)

    @property
    def depth(self) -> int:
        """The number of moves of the outermost layer."""
        return len(self.layers) - 1

    def hashes(self, states: States) -> Hashes:
        """Return a hash of each state."""
        padded = np.zeros((len(states), 8 * self._words), dtype=np.uint8)
        padded[:, : self.arrays.width] = states
        words = padded.view(np.uint64)
        found = np.zeros(len(states), dtype=np.uint64)
        for number, (one, other) in enumerate(self._odd):
            word = words[:, number] * one
            word ^= word >> np.uint64(32)
            word *= other
            found += word ^ (word >> np.uint64(29))
        return found

    def _next(self, states: States) -> tuple[States, Hashes]:
        """Return the states one move further, with their sorted hashes."""
        arrays = self.arrays
        kept_states, kept = [], []
        rows = max(_PART // len(arrays), 1)
        for begin in range(0, len(states), rows):
            children = arrays.children(states[begin : begin + rows]).reshape(-1, arrays.width)
            hashes, first = np.unique(self.hashes(children), return_index=True)
            fresh = ~member(hashes, self.layers[-1])
            if len(self.layers) > 1:
                fresh &= ~member(hashes, self.layers[-2])
            kept.append(hashes[fresh])
            kept_states.append(children[first[fresh]])
        hashes, first = np.unique(np.concatenate(kept), return_index=True)
        return np.concatenate(kept_states)[first], hashes

    def way(self, state: States) -> list[int] | None:
        """Return the numbers of moves that solve a state of one row in the ball; None outside."""
        arrays = self.arrays
        (depths,) = np.nonzero([member(self.hashes(state), each)[0] for each in self.layers])
        if not len(depths):
            return None
        found = []
        for layer in self.layers[: depths[0]][::-1]:
            children = arrays.children(state)[0]
            (nearer,) = member(self.hashes(children), layer).nonzero()
            if not len(nearer):
                return None
            move = int(nearer[arrays.costs[nearer].argmin()])
            found.append(move)
            state = children[move : move + 1]
        return found if arrays.is_solved(state)[0] else None


def member(hashes: Hashes, among: Hashes) -> NDArray[np.bool_]:
    """Return which hashes are in a sorted array."""
    if not len(among):
        return np.zeros(len(hashes), dtype=bool)
    places = np.searchsorted(among, hashes)
    places[places == len(among)] = 0
    found: NDArray[np.bool_] = among[places] == hashes
    return found
