"""What a trained network is used for: the method `learned`, and the heuristic `learned`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import attrs

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Heuristic,
    Limits,
    Method,
    Phase,
    Puzzle,
    Solver,
    TableStore,
    UsageError,
)
from puzzlekit.plugins.readers import load_file
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.solver import Origin
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit

_SECONDS = 2.0


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class LearnedBeam(Strategy):
    """Searches with beams that a network of `puzzlekit learn` guides (see `NetworkBeam`).

    The beams become wider until the time is over. It proves nothing.
    """

    takes_guards = True
    takes_forbidden = True
    needs_coordinates = False

    #: The file of the network.
    path: str = ""
    #: Seconds if no limit is given, or until the first answer.
    seconds: float = _SECONDS

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: a network solves in one phase")

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Read the network."""
        self.phases = []
        self._network = network_of(self.path)
        if plan.metric.name != self._network.arrays.metric.name:
            raise UsageError(
                f"{self.path} was trained for {self._network.arrays.metric.name}, not for "
                f"{plan.metric.name}"
            )

    @property
    def no_counts(self) -> tuple[tuple[int, int], ...]:
        """The counts before any search."""
        return ((0, 0),)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        from puzzlekit_lab.network_beam import NetworkBeam

        budget, beam = Budget(limits), NetworkBeam(self._network)
        unlimited = limits.timeout is None and limits.max_nodes is None

        def stop() -> bool:
            spent = limits.max_nodes is not None and beam.generated >= limits.max_nodes
            return spent or budget.is_cancelled or budget.left <= 0

        names = self._network.arrays.names
        longest = length_limit(limits)
        for path in beam.search(state, longest, lambda: budget.left, stop):
            moves = tuple(self.puzzle.moves(names[number])[0] for number in path)
            counts = ((beam.generated, beam.expanded),)
            yield Candidate((PhaseMoves(0, moves, merged=moves),), False, counts)
            if limits.max_length is not None:
                return
            if unlimited:
                budget.allow(self.seconds)
        yield Candidate(None, False, ((beam.generated, beam.expanded),))


@attrs.frozen
class Learned(Heuristic):
    """The cost that a network of `puzzlekit learn` estimates; it may be too high."""

    name = "learned"

    #: The file of the network. A slash separates phases, so the file is in the working directory.
    file: str = ""

    @property
    def identity(self) -> str:
        """The heuristic and the hash of its network."""
        return f"Learned.1 {network_of(self.file).fingerprint if self.file else ''}"

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the estimates of some states, rounded. The solved state has 0."""
        import numpy as np

        if not self.file:
            raise UsageError("the heuristic learned needs a network: learned:file=NAME.network")
        network = network_of(self.file)
        own = network.arrays.puzzle
        if (puzzle.solved, puzzle.modulus) != (own.solved, own.modulus):
            raise UsageError(f"{self.file} is a network for {own.name}, not for {puzzle.name}")
        found = np.maximum(np.rint(network.values(states)), 0).astype(np.int64)
        found[network.arrays.is_solved(states)] = 0
        return found


def network_of(path: str) -> Any:
    """Return the network in a file. It is read again if the file has changed."""
    try:
        changed = os.stat(path).st_mtime_ns
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    return _network(os.path.abspath(path), changed)


@lru_cache(maxsize=4)
def _network(path: str, changed: int) -> Any:
    from puzzlekit_lab.network import load_network

    return load_network(path, _base(path))


def _base(path: str) -> Solver:
    """Return the solver of the puzzle that a network was trained for."""
    from puzzlekit_lab.network import read_about

    about = read_about(path)
    if about.get("definition") is None:
        return puzzlekit.load(about["puzzle"])
    if Path(about["definition"]).suffix == Path(path).suffix:
        raise UsageError(f"{path} is a network for another network: train it again for its puzzle")
    return load_file(str(Path(path).parent / about["definition"]))


def load_trained(path: str | os.PathLike[str], memory: int | None = None) -> Solver:
    """Return the solver of a network's puzzle, whose first method is `learned`.

    The puzzle's own methods follow. Raises UsageError if the file is not a network of `puzzlekit
    learn`, or if the puzzle has changed since.
    """
    return _trained(os.path.abspath(path))


def _trained(path: str, root: str | None = None) -> Solver:
    arrays, base = network_of(path).arrays, _base(path)
    phase = Phase("solve", "the puzzle is solved", arrays.moves, (), ())
    method = Method(
        name="learned",
        title="a beam search with a trained network",
        phases=(phase,),
        strategy=LearnedBeam(path),
        metrics=(arrays.metric.name,),
    )
    store = base.store if root is None else TableStore(root)

    def methods() -> Iterator[Method]:
        yield method
        yield from base.methods

    solver = Solver(base.puzzle, methods, store, positions=base.positions)
    solver.origin = Origin(base.puzzle.name, _trained, (path,))
    return solver
