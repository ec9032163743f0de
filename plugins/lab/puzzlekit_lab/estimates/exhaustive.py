"""Quality of heuristics over all states of a phase."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from puzzlekit import Max
from puzzlekit_lab.distances.distribution import MEMORY
from puzzlekit_lab.estimates.every_state import States
from puzzlekit_lab.estimates.judged_phase import JudgedPhase, Tell
from puzzlekit_lab.experiment.record import BrokenEdge, Quality, Witness

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit_lab.experiment.case import Candidate

# The work to number the combinations of distances of all states, and the work to estimate all
# states. The unit is the work to follow one move from all states.
_NUMBERING, _ESTIMATING = 10, 4


def exhaustive(
    judged_phase: JudgedPhase, memory: int = MEMORY, tell: Tell = lambda share: None
) -> list[Quality]:
    """Return the quality of each heuristic over all states of a phase.

    `tell` is called with the share of the work that is done. Raises UsageError if the states cannot
    be listed or do not fit into `memory` bytes.

    >>> import puzzlekit
    >>> from puzzlekit_lab.experiment.case import Case
    >>> phase = JudgedPhase(Case(puzzlekit.load("cube2")), "solve", ["max", "euclid"])
    >>> one, other = exhaustive(phase)
    >>> one.states, one.edges, one.over, one.broken, one.differ
    (3674160, 33067440, 0, 0, 0)
    >>> other.over > 0, other.worst.h > other.worst.distance
    (True, True)
    """
    each = _ESTIMATING + len(judged_phase.needs.moves)
    whole = _NUMBERING + each * len(judged_phase.candidates)

    def tell_after(before: float, done: float) -> None:
        tell((before + done) / whole)

    started = perf_counter()
    states = States(judged_phase, memory, lambda share: tell_after(0, _NUMBERING * share))
    shared = (perf_counter() - started) / len(judged_phase.candidates)
    found = []
    for number, candidate in enumerate(judged_phase.candidates):
        started = perf_counter()
        judged = _Judged(states, candidate, partial(tell_after, _NUMBERING + each * number))
        values = {**judged.accuracy(), **judged.consistency()}
        seconds = shared + perf_counter() - started
        found.append(
            judged_phase.record(
                candidate, how="exhaustive", sample="all states", seconds=seconds, **values
            )
        )
    return found


class _Judged:
    """The estimates of a candidate in all states. `tell` is called with the work done so far."""

    def __init__(self, states: States, candidate: Candidate, tell: Callable[[float], Any]) -> None:
        import numpy as np

        self._states, self._space = states, states.space
        self._candidate = candidate
        self._tell = tell
        judged_phase = states.judged_phase
        joined = judged_phase.vectors.estimates(candidate.heuristics[judged_phase.number])
        self._differing = joined != judged_phase.vectors.estimates(Max())
        # An entry that is not a state has the estimate 0.
        by_number = np.append(joined * judged_phase.needs.unit, 0)
        self._most = int(by_number.max())
        self._by_number = by_number.astype(np.min_scalar_type(self._most))
        self._estimates = np.empty(len(self._space), dtype=self._by_number.dtype)

    def accuracy(self) -> dict[str, Any]:
        """Estimate all states and return the fields of a `Quality` about the estimates."""
        import numpy as np

        pairs = self._pairs()
        distance, h = np.nonzero(pairs)
        count = pairs[distance, h]
        above = h - distance
        worst = int(np.argmax(above))
        witness = None
        if above[worst] > 0:
            witness = self._witness(int(distance[worst]), int(h[worst]))
        return {
            "pairs": tuple(zip(distance.tolist(), h.tolist(), count.tolist(), strict=True)),
            "worst": witness,
            "differ": int(self._states.counts[:-1][self._differing].sum()),
        }

    def _pairs(self) -> npt.NDArray[np.int64]:
        """Estimate all states. Return the number of states by distance and estimate."""
        import numpy as np

        states, width = self._states, self._most + 1
        pairs = np.zeros((states.farthest + 2) * width, dtype=np.int64)
        for rows in states.slices():
            here = self._by_number[states.of(states.numbers, rows)]
            states.of(self._estimates, rows)[:] = here
            # The last row counts the entries that are not states. It is removed below.
            distance = np.minimum(states.of(self._space.distance, rows), states.farthest + 1)
            pairs += np.bincount(distance.astype(np.int64) * width + here, minlength=len(pairs))
            self._tell(_ESTIMATING * states.share(rows))
        return pairs.reshape(-1, width)[:-1]

    def _witness(self, distance: int, h: int) -> Witness:
        """Return a state with this distance and this estimate."""
        import numpy as np

        states = self._states
        entries = (
            states.entry(rows, int(index))
            for rows in states.slices()
            for index in np.flatnonzero(
                (states.of(self._space.distance, rows) == distance)
                & (states.of(self._estimates, rows) == h)
            )[:1]
        )
        return Witness(self._state(next(entries)), h, distance)

    def consistency(self) -> dict[str, Any]:
        """Return the fields of a `Quality` about moves. Call `accuracy` first."""
        import numpy as np

        states = self._states
        grid = self._estimates.reshape(self._space.sizes)
        edges = broken = 0
        worst = 0, 0, 0  # largest fall beyond the cost of the move, entry, move
        for move, cost in enumerate(self._space.costs):
            columns = [graph.columns[move] for graph in self._space.graphs]
            allowed = self._space.allowed(move)
            edges += len(states) if allowed is None else int(allowed.sum())
            for rows in states.slices():
                after = grid.take(columns[0][rows], axis=0)
                for axis, column in enumerate(columns[1:], 1):
                    after = after.take(column, axis=axis)
                fall = (np.maximum(grid[rows], after) - after).reshape(-1)
                if allowed is not None:
                    fall[~states.of(allowed, rows)] = 0
                most = int(fall.max()) - cost
                if most > 0:
                    broken += int(np.count_nonzero(fall > cost))
                if most > worst[0]:
                    worst = most, states.entry(rows, int(fall.argmax())), move
                self._tell(_ESTIMATING + move + states.share(rows))
        _, entry, move = worst
        edge = self._edge(entry, move) if broken else None
        return {"edges": edges, "broken": broken, "worst_edge": edge}

    def _edge(self, entry: int, move: int) -> BrokenEdge:
        after = int(self._space.after(self._space.split(entry), move))
        self._state(after)  # checks the estimate after the move
        h, h_after = int(self._estimates[entry]), int(self._estimates[after])
        name, cost = self._space.moves[move].name, self._space.costs[move]
        return BrokenEdge(self._state(entry), name, h, h_after, cost)

    def _state(self, entry: int) -> str:
        return self._states.state(self._candidate, entry, int(self._estimates[entry])).hex()
