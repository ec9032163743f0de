"""A beam search that a network guides, many states at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlekit_lab.arrays import States
from puzzlekit_lab.network import Network

_WIDEST = 1 << 20
_MORE = 2  # so many times as many children as the beam is wide are made, before equal ones go


class Layer(NamedTuple):
    """The states of a beam after some moves, with the parent and the move of each."""

    states: States
    scores: NDArray[np.float32]
    parents: NDArray[np.intp]
    moves: NDArray[np.intp]
    costs: NDArray[np.int64]


class NetworkBeam:
    """Searches for a solution layer by layer, and keeps the best states of each.

    The score of a state is the sum of the logarithms of the shares that the network gave to its
    moves: the policy-guided beam of EfficientCube (K. Takano, "Self-Supervision is All You Need
    for Solving Rubik's Cube", 2023). The network sees each kept state once and rates all its moves,
    so only the children with the best scores are ever made.
    """

    def __init__(self, network: Network, seed: int = 1) -> None:
        self.network = network
        self.arrays = network.arrays
        rng = np.random.default_rng(seed)
        self._hash = rng.integers(1 << 63, size=self.arrays.width, dtype=np.uint64) | np.uint64(1)
        self.generated = self.expanded = 0

    def starts(self, state: bytes) -> States:
        """Return a state, held in each way from which moves may solve it."""
        puzzle, arrays = self.arrays.puzzle, self.arrays
        held = dict.fromkeys(puzzle.relabel(state, each) for each in puzzle.whole_rotations)
        found = arrays.of(list(held))
        still = ~arrays.changing
        fitting = np.flatnonzero((found[:, still] == arrays.solved(1)[:, still]).all(axis=1))
        return found[fitting]

    def run(
        self, starts: States, width: int, most: int, stop: Callable[[], bool]
    ) -> list[int] | None:
        """Return the numbers of moves to a solved state; None if the beam finds none.

        - `width`: number of states that are kept in each layer.
        - `most`: the largest cost of the moves.
        - `stop`: whether to give up, asked after each part of a layer.
        """
        arrays = self.arrays
        count = len(starts)
        zeros = np.zeros(count, dtype=np.intp)
        scores = np.zeros(count, dtype=np.float32)
        layers = [Layer(starts, scores, zeros, zeros, np.zeros(count, dtype=np.int64))]
        seen = [self._hashes(starts)]
        longest = most if arrays.costs.min(initial=1) > 0 else 4 * most + 16
        for _ in range(min(longest, 1000)):
            layer = self._next(layers[-1], seen, width, most, stop)
            if layer is None or not len(layer.states):
                return None
            layers.append(layer)
            (solved,) = arrays.is_solved(layer.states).nonzero()
            if len(solved):
                return self._path(layers, int(solved[layer.costs[solved].argmin()]))
        return None

    def _hashes(self, states: States) -> NDArray[np.uint64]:
        return states.astype(np.uint64) @ self._hash

    def _next(
        self, layer: Layer, seen: list[Any], width: int, most: int, stop: Callable[[], bool]
    ) -> Layer | None:
        arrays = self.arrays
        rated = []
        for begin in range(0, len(layer.states), 4096):
            if stop():
                return None
            rated.append(self.network.log_shares(layer.states[begin : begin + 4096]))
        scores = np.concatenate(rated) + layer.scores[:, None]
        scores[(layer.costs[:, None] + arrays.costs) > most] = -np.inf
        self.expanded += len(layer.states)
        flat = scores.reshape(-1)
        wanted = min(_MORE * width, len(flat))
        chosen = np.argpartition(-flat, wanted - 1)[:wanted]
        chosen = chosen[flat[chosen] > -np.inf]
        chosen = chosen[np.argsort(-flat[chosen], kind="stable")]
        parents, moves = np.divmod(chosen, len(arrays))
        states = arrays.step(layer.states[parents], moves)
        self.generated += len(chosen)
        hashes = self._hashes(states)
        _, first = np.unique(hashes, return_index=True)
        first.sort()  # the best of equal states, in the order of their scores
        first = first[~np.isin(hashes[first], np.concatenate(seen))][:width]
        seen.append(hashes[first])
        del seen[:-3]  # with those before, no state returns to one that it was at
        return Layer(
            states[first],
            flat[chosen[first]],
            parents[first],
            moves[first],
            layer.costs[parents[first]] + arrays.costs[moves[first]],
        )

    @staticmethod
    def _path(layers: list[Layer], at: int) -> list[int]:
        found = []
        for layer in reversed(layers[1:]):
            found.append(int(layer.moves[at]))
            at = int(layer.parents[at])
        return found[::-1]

    def search(
        self, state: bytes, most: int, left: Callable[[], float], stop: Callable[[], bool]
    ) -> Iterator[list[int]]:
        """Yield ever shorter answers, from ever wider beams, until no time is left.

        - `most`: the largest cost of an answer.
        - `left`: returns the seconds that are left.
        """
        starts = self.starts(state)
        if not len(starts):
            return
        if self.arrays.is_solved(starts).any():
            yield []
            return
        width, rate = 64, 0.0
        while not stop() and most >= 0 and width <= _WIDEST:
            begun = perf_counter()
            path = self.run(starts, width, most, stop)
            taken = perf_counter() - begun
            if path is not None:
                yield path
                most = int(self.arrays.costs[path].sum()) - 1
            rate = max(taken / width, 1e-7)
            fitting = left() * 0.9 / rate
            if fitting < width:
                return
            width = int(min(width * 4, max(fitting, width + 1)))
