"""Train a network for any puzzle from random walks."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, lgamma, log
from time import perf_counter
from typing import Any

import numpy as np

from puzzlekit import Solver, UsageError, __version__
from puzzlekit_lab.arrays import Floats, StateArrays, States
from puzzlekit_lab.network import Network
from puzzlekit_lab.torch_layers import TorchLayers, find_gpu

HIDDEN = (256, 128)
SECONDS = 300.0
_BATCH = 512
_RATE = 5e-3  # the learning rate at the beginning; it falls to a hundredth
_WARM = 0.02  # share of the training in which the rate rises
_PLAIN = 0.5  # share of the training in which costs are those of the walks
_CHILDREN = 256  # after it, so many states after a move say what their parents cost
_FURTHER = 1.4  # walks are so many times longer than most states are far
_MOST_DEPTH = 400


def usual_depth(arrays: StateArrays) -> int:
    """Return the length of the walks: more moves than most states are away.

    The number of states is that of the group of the moves if it is known. Otherwise it is estimated
    from the sizes of the orbits; that of the states after n moves, from the number of moves.

    >>> import puzzlekit
    >>> usual_depth(StateArrays(puzzlekit.load("cube3")))
    25
    """
    states = 0.0
    for orbit in arrays.puzzle.orbits:
        start = arrays.puzzle.offsets[orbit.name]
        if arrays.changing[start : start + orbit.width].any():
            states += lgamma(orbit.size + 1) + orbit.size * log(orbit.orientations)
            labels = list(orbit.solved)
            states -= sum(lgamma(labels.count(each) + 1) for each in set(labels))
    levels = arrays.solver.positions.stabiliser_levels()
    if levels is not None:
        states = log(levels.order) - log(len(levels.solved))
    possible = arrays.possible(arrays.solved(1)).sum()
    followed = max(float(possible) - len(arrays) / len(arrays.families), 1.5)
    return min(max(ceil(_FURTHER * states / log(followed)), 4), _MOST_DEPTH)


class Training:
    """The training of a network, step by step.

    A walk makes random moves from the solved state. At each of its states, the network learns the
    cost so far, and the move that undoes the last one. Later it learns less than the cost so far,
    if the network estimates less after some move (a bootstrapped target, as in DeepCubeA). Adam
    follows the gradient, at a rate that rises at first and then falls with a cosine.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    metric
        The metric of the costs. Default: the first of the puzzle.
    depth
        Length of the walks in moves. Default: `usual_depth`.
    hidden
        Sizes of the two hidden layers.
    seed
        The seed of the weights and the walks.
    device
        A device of PyTorch, such as `cuda` or `cpu`. Default: the GPU if PyTorch has one, else
        NumPy.
    """

    def __init__(
        self,
        solver: Solver,
        metric: str | None = None,
        depth: int | None = None,
        hidden: tuple[int, int] = HIDDEN,
        seed: int = 1,
        device: str | None = None,
    ) -> None:
        self.arrays = StateArrays(solver, metric)
        self.depth = usual_depth(self.arrays) if depth is None else depth
        if not 1 <= self.depth <= _MOST_DEPTH:
            raise UsageError(f"walks have 1 to {_MOST_DEPTH} moves, not {self.depth}")
        self.seed = seed
        self._rng = np.random.default_rng(seed)
        self.network = Network.fresh(self.arrays, hidden, self._rng)
        weights = self.network.weights
        if device := device or find_gpu():
            self.network.on_device = TorchLayers(weights, device)
        self._means = {name: np.zeros_like(each) for name, each in weights.items()}
        self._squares = {name: np.zeros_like(each) for name, each in weights.items()}
        self._scale = float(self.depth * max(self.arrays.costs.mean(), 0.1))
        self.steps = 0
        self.seconds = 0.0
        #: Running means: the share of last moves that the network names, and the error of a cost.
        self.hits, self.error = 0.0, 0.0

    def run(self, seconds: float = SECONDS, steps: int | None = None) -> Iterator[float]:
        """Train, and yield the share that is done after each step.

        With `steps`, the same seed gives the same network on the same machine, except on a GPU.
        """
        begun = perf_counter()
        walks = self._walks()
        done = 0.0
        while done < 1:
            states, costs, undone = next(walks)
            known = len(states)
            if done > _PLAIN:
                known = max(_CHILDREN // len(self.arrays), 1)
                costs[:known] = np.minimum(costs[:known], self._reached(states[:known]))
            self._step(states, costs, undone, known, self._rate(done))
            self.steps += 1
            self.seconds = perf_counter() - begun
            done = self.seconds / seconds if steps is None else self.steps / steps
            yield min(done, 1.0)

    def _rate(self, done: float) -> float:
        falling = 0.5 * (1 + np.cos(np.pi * min(done, 1.0)))
        return float(_RATE * min(done / _WARM, 1.0) * max(falling, 0.01))

    def _walks(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield states of walks, the costs so far, and the moves that undo the last ones."""
        arrays, count = self.arrays, 4 * _BATCH
        while True:
            states = arrays.solved(count)
            last = np.full(count, len(arrays))
            spent = np.zeros(count, dtype=np.float32)
            seen, costs, undone = [], [], []
            for _ in range(self.depth):
                last = arrays.draw(states, last, self._rng)
                states = arrays.step(states, last)
                spent = spent + arrays.costs[last]
                seen.append(states)
                costs.append(spent)
                undone.append(arrays.inverses[last])
            order = self._rng.permutation(count * self.depth)
            every = np.concatenate(seen), np.concatenate(costs), np.concatenate(undone)
            for begin in range(0, len(order) - _BATCH + 1, _BATCH):
                chosen = order[begin : begin + _BATCH]
                yield every[0][chosen], every[1][chosen], every[2][chosen]

    def _reached(self, states: States) -> Floats:
        """Return the least cost of a move and the estimated rest, for some states."""
        arrays = self.arrays
        children = arrays.children(states).reshape(-1, arrays.width)
        rest = np.maximum(self.network.values(children), 0) * np.float32(self._scale)
        rest[arrays.is_solved(children)] = 0
        total = rest.reshape(len(states), -1) + arrays.costs.astype(np.float32)
        total[~arrays.possible(states)] = np.inf
        least: Floats = total.min(axis=1)
        least[arrays.is_solved(states)] = 0
        return least

    def _step(self, states: Any, costs: Any, undone: Any, known: int, rate: float) -> None:
        """Adapt the weights to some states. Only the costs of the first `known` are used."""
        weights = self.network.weights
        count = len(states)
        wanted = (costs[:known] / self._scale).astype(np.float32)
        columns, seen = self.network.inputs.columns(states)
        if self.network.inputs.views is not None:
            undone = self.network.inputs.views.moves[seen, undone]
        if self.network.on_device:
            self._note(*self.network.on_device.step(columns, wanted, undone, rate))
            return
        one, two = self.network.layers(columns)
        logits = two @ weights["policy"]
        logits -= logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        shares /= shares.sum(axis=1, keepdims=True)
        errors = two @ weights["value"]
        errors[:known, 0] -= wanted
        errors[known:] = 0
        self._note(float((shares.argmax(axis=1) == undone).mean()), errors[:known])

        shares[np.arange(count), undone] -= 1
        shares /= count
        errors *= np.float32(2 / known)
        above = shares @ weights["policy"].T + errors @ weights["value"].T
        above = above[:, :-1] * (two[:, :-1] > 0)
        below = (above @ weights["second"].T) * (one > 0)
        self._adapt(
            {
                "policy": two.T @ shares,
                "value": two.T @ errors,
                "second": one.T @ above,
                "second_bias": above.sum(axis=0),
                "first": self.network.inputs.gradient(columns, below),
                "first_bias": below.sum(axis=0),
            },
            rate,
        )

    def _note(self, hits: float, errors: Floats) -> None:
        share = max(1 / (self.steps + 1), 0.01)
        self.hits += share * (hits - self.hits)
        self.error += share * (float(abs(errors).mean()) * self._scale - self.error)

    def _adapt(self, gradients: dict[str, Floats], rate: float) -> None:
        """Make a step of Adam."""
        first, second = 0.9, 0.999
        time = self.steps + 1
        rate *= (1 - second**time) ** 0.5 / (1 - first**time)
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean *= first
            mean += (1 - first) * gradient
            square *= second
            np.square(gradient, out=gradient)
            gradient *= 1 - second
            square += gradient
            np.sqrt(square, out=gradient)
            gradient += 1e-8
            np.divide(mean, gradient, out=gradient)
            gradient *= rate
            self.network.weights[name] -= gradient

    def result(self) -> Network:
        """Return the network as it is now, with what identifies it."""
        device = self.network.on_device
        kept = device.weights() if device else self.network.weights
        weights = {name: each.copy() for name, each in kept.items()}
        weights["value"] *= self._scale
        arrays = self.arrays
        about = {
            "puzzle": arrays.puzzle.name,
            "metric": arrays.metric.name,
            "moves": list(arrays.names),
            "depth": self.depth,
            "hidden": [len(weights["first_bias"]), len(weights["second_bias"])],
            "seed": self.seed,
            "steps": self.steps,
            "states": self.steps * _BATCH,
            "seconds": round(self.seconds, 1),
            "hits": round(self.hits, 4),
            "error": round(self.error, 3),
            "device": device.name if device else "numpy",
            "versions": {"puzzlekit": __version__, "numpy": np.__version__},
        }
        return Network(arrays, weights, about)
