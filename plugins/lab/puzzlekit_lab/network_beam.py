"""A beam search that a network guides, many states at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlekit.search.directions import are_undone
from puzzlekit_lab.arrays import States
from puzzlekit_lab.ball import member
from puzzlekit_lab.network import Network

_WIDEST = 1 << 20
_LONGER = 2  # a beam has so many times as many layers as a walk had moves
_MEETINGS = 16  # states at which a layer meets the ball, whose ways are compared
_MORE = 2  # so many times as many children as the beam is wide are made, before equal ones go

_Way = tuple[int, list[int]]  # the number of a start, and the moves from there


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
    so only the children with the best scores are ever made. The search ends where a layer meets
    the ball of all states that a few moves solve.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.arrays = network.arrays
        self.ball = network.ball
        self.generated = self.expanded = 0

    def starts(self, state: bytes) -> States:
        """Return a state, held in each way from which moves may solve it."""
        puzzle, arrays = self.arrays.puzzle, self.arrays
        held = dict.fromkeys(puzzle.relabel(state, each) for each in puzzle.whole_rotations)
        found = arrays.of(list(held))
        return found[arrays.fitting(found)]

    def inverses(self, starts: States) -> States:
        """Return the inverses of some states.

        There are none if the puzzle has alike pieces or guards, or if a move and its inverse differ
        in cost. A network rates a state and its inverse differently, so that one of them may be
        easier.
        """
        arrays, puzzle = self.arrays, self.arrays.puzzle
        if (
            not puzzle.invertible
            or arrays.restricted
            or len(self.ball.layers[0]) > 1
            or not are_undone(puzzle, arrays.first, arrays.costs.tolist())
        ):
            return starts[:0]
        return arrays.of([puzzle.invert(each.tobytes()) for each in starts])

    def run(
        self, starts: States, width: int, most: int, stop: Callable[[], bool], inverted: int = 0
    ) -> list[int] | None:
        """Return the numbers of moves to a solved state; None if the beam finds none.

        - `starts`: the states to begin with. The last of them, so many as `inverted` says, are
          inverses: moves that solve one of these are inverted.
        - `width`: number of states that are kept in each layer.
        - `most`: the largest cost of the moves.
        - `stop`: whether to give up, asked after each part of a layer.
        """
        count = len(starts)
        zeros = np.zeros(count, dtype=np.intp)
        scores = np.zeros(count, dtype=np.float32)
        layers = [Layer(starts, scores, zeros, zeros, np.zeros(count, dtype=np.int64))]
        seen = [np.sort(self.ball.hashes(starts))]
        for _ in range(_LONGER * int(self.network.about["depth"])):
            layer = self._next(layers[-1], seen, width, most, stop)
            if layer is None or not len(layer.states):
                return None
            layers.append(layer)
            (near,) = member(self.ball.hashes(layer.states), self.ball.layers[-1]).nonzero()
            ways = self._ways((self._path(layers, at), layer.states[at]) for at in near[:_MEETINGS])
            if ways and self._cost(ways[0][1]) <= most:
                start, way = ways[0]
                if start >= count - inverted:
                    way = [int(self.arrays.inverses[move]) for move in reversed(way)]
                return way
        return None

    def _cost(self, moves: list[int]) -> int:
        return int(self.arrays.costs[moves].sum())

    def _ways(self, reached: Iterable[tuple[_Way, Any]]) -> list[_Way]:
        """Return the ways to a solved state by moves to a state in the ball, the cheapest first."""
        found = [(start, path, self.ball.way(state[None])) for (start, path), state in reached]
        ways = [(start, path + way) for start, path, way in found if way is not None]
        return sorted(ways, key=lambda way: self._cost(way[1]))

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
        least = self.ball.depth * int(arrays.costs.min())  # no state before was in the ball
        scores[layer.costs[:, None] + arrays.costs > most - least] = -np.inf
        self.expanded += len(layer.states)
        flat = scores.reshape(-1)
        wanted = min(_MORE * width, len(flat))
        chosen = np.argpartition(-flat, wanted - 1)[:wanted]
        chosen = chosen[flat[chosen] > -np.inf]
        chosen = chosen[np.argsort(-flat[chosen], kind="stable")]
        parents, moves = np.divmod(chosen, len(arrays))
        states = arrays.step(layer.states[parents], moves)
        self.generated += len(chosen)
        hashes, first = np.unique(self.ball.hashes(states), return_index=True)
        fresh = np.ones(len(hashes), dtype=bool)
        for each in seen:
            fresh &= ~member(hashes, each)
        # The best of equal states, in the order of their scores.
        first = np.sort(first[fresh])[:width]
        seen.append(np.sort(self.ball.hashes(states[first])))
        del seen[:-3]  # with those before, no state returns to one that it was at
        return Layer(
            states[first],
            flat[chosen[first]],
            parents[first],
            moves[first],
            layer.costs[parents[first]] + arrays.costs[moves[first]],
        )

    @staticmethod
    def _path(layers: list[Layer], at: int) -> _Way:
        found = []
        for layer in reversed(layers[1:]):
            found.append(int(layer.moves[at]))
            at = int(layer.parents[at])
        return at, found[::-1]

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
        near = self._ways(((0, []), each) for each in starts)
        if near:
            if self._cost(near[0][1]) <= most:
                yield near[0][1]
            return
        inverses = self.inverses(starts)
        starts = np.concatenate([starts, inverses])
        width = 64
        while not stop() and most >= 0 and width <= _WIDEST:
            begun = perf_counter()
            path = self.run(starts, width, most, stop, len(inverses))
            taken = perf_counter() - begun
            if path is not None:
                yield path
                most = self._cost(path) - 1
            rate = max(taken / width, 1e-7)
            fitting = left() * 0.9 / rate
            if fitting < width:
                return
            # The last beam takes all the time that is left.
            width = int(max(fitting, width + 1) if fitting < 8 * width else 4 * width)
