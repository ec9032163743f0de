"""Networks that estimate how far a state is from the solved one, and which move leads there."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit import Solver, UsageError
from puzzlekit.search.directions import Direction
from puzzlekit_lab.arrays import Floats, StateArrays, States
from puzzlekit_lab.ball import Ball
from puzzlekit_lab.torch_layers import TorchLayers, find_gpu
from puzzlekit_lab.views import Indices, Views, directions

FORMAT = "puzzlekit.network/3"
SUFFIX = ".network"
WEIGHTS = ("first", "first_bias", "second", "second_bias", "value", "policy")
_SAMPLE, _MIXED = 2048, 40  # random walks that show which bytes depend on each other
_SPARSE = 50  # with more inputs for each that is one, a gradient is added up row by row
_DECIDING = 4  # so many places decide which view of a state is seen
_PART = 512  # states at once: a part's layers fit into the cache of a core
_PART_OF_GPU = 16384


class Inputs:
    """The one-hot inputs of states: a column for each piece, in each orientation, at each place.

    Bytes that another byte determines, such as those of further stickers of a piece, are left out.
    Of all images of a state under the symmetries of the puzzle, only one is seen (see `Views`).
    """

    def __init__(self, arrays: StateArrays) -> None:
        labels: list[int] = []
        turns: list[int] = []
        for orbit in arrays.puzzle.orbits:
            start = arrays.puzzle.offsets[orbit.name]
            labels += range(start, start + orbit.size)
            more = start + orbit.size if orbit.orientations > 1 else arrays.width
            turns += range(more, more + orbit.size) if more < arrays.width else [-1] * orbit.size
        self._labels, self._turns = np.array(labels), np.array(turns)
        self._bases = np.where(self._turns < 0, 1, arrays.values[self._turns])
        values = arrays.values[self._labels] * self._bases
        kept = _independent(self._read(arrays.walks([_MIXED] * _SAMPLE, np.random.default_rng(1))))
        found = directions(arrays)
        gathers = np.array([list(each.unrotation[0]) for each in found])
        kept = np.flatnonzero(np.isin(self._labels, gathers[:, self._labels[kept]])).tolist()
        self._labels, self._turns = self._labels[kept], self._turns[kept]
        self._bases, values = self._bases[kept], values[kept]
        #: The number of inputs that are one.
        self.active = len(kept)
        self._starts = (np.cumsum(values) - values).astype(np.intp)
        self.width = int(values.sum())
        self._sparse = self.width > _SPARSE * self.active
        #: Chooses the view of each state; None if the puzzle has no symmetries.
        self.views = self._views(arrays, found) if len(found) > 1 else None

    def _views(self, arrays: StateArrays, found: list[Direction]) -> Views:
        puzzle, number = arrays.puzzle, {move: i for i, move in enumerate(arrays.first)}
        sizes = arrays.values[self._labels]
        every = list(product(range(sizes.max()), range(self._bases.max())))
        # States that have a piece in an orientation at all places; an image has another one.
        filled = np.zeros((len(every), arrays.width), dtype=np.uint8)
        filled[:, self._labels] = [[label] for label, _ in every]
        filled[:, self._turns[self._turns >= 0]] = [[turn] for _, turn in every]
        columns = np.zeros((len(found), self.width), dtype=np.intp)
        sources = np.zeros((len(found), self.active), dtype=np.intp)
        for view, seen in enumerate(found):
            gather = np.array(list(seen.unrotation[0]))[self._labels]
            source = np.searchsorted(self._labels, gather)
            images = self._read(arrays.of([seen.see(puzzle, each.tobytes()) for each in filled]))
            images += self._starts
            for (label, turn), image in zip(every, images, strict=True):
                known = (label < sizes[source]) & (turn < self._bases[source])
                own = self._starts[source] + label * self._bases[source] + turn
                columns[view, own[known]] = image[known]
            sources[view] = source
        moves = [np.argsort([number[seen.back[m]] for m in arrays.first]) for seen in found]
        return Views(columns, sources[:, self._still(arrays)], np.array(moves))

    def _still(self, arrays: StateArrays) -> list[int]:
        """Return the places that the fewest moves change."""
        changed = [sum(at in each.changed for each in arrays.first) for at in self._labels.tolist()]
        found: list[int] = np.argsort(changed, kind="stable")[:_DECIDING].tolist()
        return found

    def _read(self, states: States) -> NDArray[np.intp]:
        found: NDArray[np.intp] = states[:, self._labels].astype(np.intp)
        found *= self._bases
        found += states[:, self._turns] * (self._turns >= 0)
        return found

    def columns(self, states: States) -> tuple[Indices, Indices]:
        """Return the inputs that are one, an (active, n) array, and the view of each state."""
        columns = np.ascontiguousarray((self._read(states) + self._starts).T)
        if self.views is None:
            return columns, np.zeros(len(states), dtype=np.intp)
        return self.views.choose(columns)

    def __call__(self, states: States) -> Floats:
        """Return the inputs of some states: an (n, width) array."""
        return self._dense(self.columns(states)[0])

    def _dense(self, columns: Indices) -> Floats:
        count = columns.shape[1]
        found = np.zeros((count, self.width), dtype=np.float32)
        found.reshape(-1)[(columns + np.arange(count) * self.width).reshape(-1)] = 1
        return found

    def first_layer(self, columns: Indices, weights: Floats) -> Floats:
        """Return the product of the inputs and some weights, from the rows that count."""
        total: Floats = weights.take(columns[0], axis=0)
        for each in columns[1:]:
            total += weights.take(each, axis=0)
        return total

    def gradient(self, columns: Indices, errors: Floats) -> Floats:
        """Return the product of the transposed inputs and the errors of some states.

        If few inputs are one, the errors are added to their rows in rounds: each round has at most
        one state for each row.
        """
        if not self._sparse:
            dense: Floats = self._dense(columns).T @ errors
            return dense
        rows, states = columns.reshape(-1), np.tile(np.arange(columns.shape[1]), len(columns))
        order = rows.argsort(kind="stable")
        rows, states = rows[order], states[order]
        first = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
        lengths = np.diff(first, append=len(rows))
        rounds = np.arange(len(rows)) - first.repeat(lengths)
        order = rounds.argsort(kind="stable")
        rows, states = rows[order], states[order]
        found = np.zeros((self.width, errors.shape[1]), dtype=np.float32)
        begin = 0
        for end in np.bincount(rounds).cumsum():
            found[rows[begin:end]] += errors[states[begin:end]]
            begin = end
        return found


def _independent(sample: NDArray[np.intp]) -> list[int]:
    """Return the columns that no earlier one of them determines, in all rows."""
    kept: list[int] = []
    open_ = np.any(sample != sample[0], axis=0)
    for number in range(sample.shape[1]):
        if open_[number]:
            kept.append(number)
            rows = sample[sample[:, number].argsort(kind="stable")]
            same = rows[1:, number] == rows[:-1, number]
            open_ &= (rows[1:][same] != rows[:-1][same]).any(axis=0)
    return kept


class Network:
    """A network for one puzzle, metric and list of moves, with two hidden layers.

    `value` estimates the cost of a random walk from the solved state, and `policy` the move that
    undoes its last one. `about` says how it was trained.
    """

    def __init__(
        self, arrays: StateArrays, weights: Mapping[str, Floats], about: Mapping[str, Any]
    ) -> None:
        self.arrays = arrays
        self.weights = dict(weights)
        self.about = dict(about)
        self.inputs = Inputs(arrays)
        #: What rates states in place of NumPy; its weights may be newer.
        self.on_device: TorchLayers | None = None

    @classmethod
    def fresh(cls, arrays: StateArrays, hidden: tuple[int, int], rng: Any) -> Network:
        """Return a network with random weights, which shrink with the number of inputs."""
        one, two = hidden
        inputs = Inputs(arrays)

        def layer(above: int, below: int, active: int, gain: float = 2.0) -> Floats:
            drawn = rng.standard_normal((above, below)) * (gain / active) ** 0.5
            return np.asarray(drawn, dtype=np.float32)

        weights = {
            "first": layer(inputs.width, one, inputs.active),
            "first_bias": np.zeros(one, dtype=np.float32),
            "second": layer(one, two, one),
            "second_bias": np.zeros(two, dtype=np.float32),
            "value": layer(two + 1, 1, two, gain=0.1),
            "policy": layer(two + 1, len(arrays), two, gain=0.1),
        }
        return cls(arrays, weights, {})

    def layers(self, columns: Indices) -> tuple[Floats, Floats]:
        """Return both hidden layers, the last with a 1 added."""
        weights = self.weights
        one = self.inputs.first_layer(columns, weights["first"])
        one += weights["first_bias"]
        np.maximum(one, 0, out=one)
        two = np.ones((len(one), weights["second"].shape[1] + 1), dtype=np.float32)
        np.matmul(one, weights["second"], out=two[:, :-1])
        two[:, :-1] += weights["second_bias"]
        return one, np.maximum(two, 0, out=two)

    def _each(self, states: States, head: str) -> Floats:
        parts = []
        size = _PART_OF_GPU if self.on_device else _PART
        for begin in range(0, len(states), size):
            columns, views = self.inputs.columns(states[begin : begin + size])
            if self.on_device:
                rated = self.on_device.rate(columns, head)
            else:
                rated = self.layers(columns)[-1] @ self.weights[head]
            if head == "policy" and self.inputs.views is not None:
                rated = np.take_along_axis(rated, self.inputs.views.moves[views], axis=1)
            parts.append(rated)
        return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def values(self, states: States) -> Floats:
        """Return the estimated costs of some states."""
        return self._each(states, "value")[:, 0]

    def log_shares(self, states: States) -> Floats:
        """Return the logarithms of the shares of the moves: an (n, moves) array."""
        logits = self._each(states, "policy")
        if self.arrays.restricted:
            logits[~self.arrays.possible(states)] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return logits

    @cached_property
    def ball(self) -> Ball:
        """The states near the solved one, where a search ends."""
        return Ball(self.arrays)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the weights, in eight hex digits."""
        found = hashlib.sha256()
        for name in WEIGHTS:
            found.update(np.ascontiguousarray(self.weights[name]).tobytes())
        return found.hexdigest()[:8]

    def save(self, path: str | Path) -> None:
        """Write the network to a file, with everything that identifies it.

        An earlier file of this name is kept until the new one is complete.
        """
        told = {"format": FORMAT, **self.about, "identity": identity(self.arrays)}
        text = np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)
        path = Path(path)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with part.open("wb") as file:
                arrays: dict[str, Any] = {"about": text, **self.weights}
                np.savez(file, **arrays)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def identity(arrays: StateArrays) -> str:
    """Return a hash of the puzzle's states, moves and costs, which a network depends on."""
    puzzle = arrays.puzzle
    told = [puzzle.solved.hex(), puzzle.modulus.hex(), arrays.metric.name, arrays.costs.tolist()]
    effects = [arrays.names, *arrays.effects]
    return hashlib.sha256(repr([told, effects]).encode()).hexdigest()[:16]


def read_about(path: str) -> dict[str, Any]:
    """Return what a file of a network says about it. Raises UsageError if it is no such file."""
    (text,) = _read(path, "about")
    try:
        about = json.loads(text.tobytes())
    except ValueError:
        about = None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise UsageError(f"{path} is not a network of `puzzlekit learn` in the format {FORMAT}")
    return about


def _read(path: str, *names: str) -> list[Any]:
    """Return arrays of a file. Raises UsageError if it does not have them."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
            return [found[name] for name in names]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error):
        raise UsageError(f"{path} is not a network of `puzzlekit learn`, or is damaged") from None


def load_network(path: str, solver: Solver) -> Network:
    """Return the network in a file, for the puzzle of a solver. It rates states on a GPU if it can.

    Raises UsageError if the file has no network, or one for other moves or another metric.
    """
    about = read_about(path)
    arrays = StateArrays(solver, about.get("metric"))
    if about.get("identity") != identity(arrays):
        raise UsageError(
            f"{path} is a network for {about.get('puzzle')}, with other pieces, moves or costs "
            f"than {solver.puzzle.name} has now: train it again"
        )
    weights = dict(zip(WEIGHTS, _read(path, *WEIGHTS), strict=True))
    network = Network(arrays, weights, about)
    if gpu := find_gpu():
        network.on_device = TorchLayers(weights, gpu)
    return network
