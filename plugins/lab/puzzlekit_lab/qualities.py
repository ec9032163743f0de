"""The quality of heuristics in a phase: their estimates compared with true distances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

from puzzlekit import Move, PuzzlekitError, UsageError
from puzzlekit.errors import TableError
from puzzlekit.puzzle.diagnose import check
from puzzlekit_lab.case import Case
from puzzlekit_lab.distances import MEMORY
from puzzlekit_lab.exhaustive import exhaustive
from puzzlekit_lab.judged_phase import JudgedPhase, Tell
from puzzlekit_lab.record import WHOLE, BrokenEdge, Quality, Run, Witness


def sampled(
    judged_phase: JudgedPhase, runs: Iterable[Run], tell: Tell = lambda share: None
) -> list[Quality]:
    """Compare the estimates of each heuristic of a phase with true distances that `runs` prove.

    Returns one record for each heuristic. Only solved runs with the heuristic `max` are used, since
    their answers are optimal. So for the start and for the state after each move of the answer, the
    cost of the remaining moves is the true distance. In the metric of a machine only the starts are
    used, because there the cost of a move may depend on the moves before. If there is no such run,
    the list is empty. `tell` is called now and then with the share of the work that is done.
    """
    started = perf_counter()
    known, starts = known_distances(judged_phase, runs)
    if not known:
        return []
    more = len(known) - starts
    sample = (
        f"{starts:,} start{'s' if starts != 1 else ''} solved with max and {more:,} more "
        f"state{'s' if more != 1 else ''} on the answers"
    )
    tallies = [_Tally() for _ in judged_phase.candidates]
    spaces = [judged_phase.ready(each).space for each in judged_phase.candidates]
    edges = 0
    for done, (state, distance) in enumerate(known.items(), 1):
        seen = judged_phase.max.seen(judged_phase.puzzle, state)
        highest = judged_phase.max.space.estimate(*seen)
        near = list(_edges(judged_phase, state))
        edges += len(near)
        for space, tally in zip(spaces, tallies, strict=True):
            h = space.estimate(*seen)
            tally.note(state, distance, h, h != highest)
            for move, cost, after in near:
                tally.note_edge(state, move, cost, h, space.estimate(*after))
        tell(done / len(known))
    seconds = (perf_counter() - started) / len(judged_phase.candidates)
    return [
        judged_phase.record(
            candidate, how="sampled", sample=sample, seconds=seconds, edges=edges, **tally.found
        )
        for candidate, tally in zip(judged_phase.candidates, tallies, strict=True)
    ]


def known_distances(judged_phase: JudgedPhase, runs: Iterable[Run]) -> tuple[dict[bytes, int], int]:
    """Return the distances that some runs prove, starts first, and the number of starts."""
    proofs = [run for run in runs if _proves(judged_phase, run)]
    found = {bytes.fromhex(run.state): run.cost or 0 for run in proofs}
    starts = len(found)
    for run in proofs:
        for state, distance in _along(judged_phase, run):
            found.setdefault(state, distance)
    return found, starts


def _proves(judged_phase: JudgedPhase, run: Run) -> bool:
    """Whether the cost of a run's answer is the distance of its start."""
    case = judged_phase.case
    of = case.puzzle.name, case.method.name, case.metric.name, judged_phase.phase.name
    if not run.solved or (run.puzzle, run.method, run.metric, run.phase) != of:
        return False
    if not case.method.heuristics(run.heuristic)[judged_phase.number].is_max:
        return False
    try:  # the answer is replayed, because the journal may be damaged
        check(judged_phase.puzzle, bytes.fromhex(run.state))
        left = [left for _, left in _along(judged_phase, run)]
    except (ValueError, PuzzlekitError):
        return False
    return not left or left[-1] == 0


def _along(judged_phase: JudgedPhase, run: Run) -> Iterator[tuple[bytes, int]]:
    """Yield the state after each move of an answer, and the cost of the remaining moves."""
    if not judged_phase.case.plan.metric.counts:
        return
    puzzle, state, left = judged_phase.puzzle, bytes.fromhex(run.state), run.cost or 0
    for name in run.moves.split():
        (move,) = puzzle.moves(name)
        state = puzzle.apply(state, [move])
        left -= judged_phase.case.metric.cost(move)
        yield state, left


def _edges(
    judged_phase: JudgedPhase, state: bytes
) -> Iterator[tuple[Move, int, tuple[list[int], bytes]]]:
    """Yield each move of a state, its cost, and the next state as the engine sees it."""
    ready, puzzle = judged_phase.max, judged_phase.puzzle
    place = puzzle.place_of_guard(state)
    for move, cost in dict(zip(ready.moves, ready.costs, strict=True)).items():
        if move.guard_before < 0 or move.guard_before == place:
            yield move, cost, ready.seen(puzzle, puzzle.apply(state, [move]))


class _Tally:
    """The counts and the worst examples of one heuristic."""

    def __init__(self) -> None:
        self._pairs: Counter[tuple[int, int]] = Counter()
        self._broken = self._differ = 0
        self._worst: Witness | None = None
        self._worst_edge: BrokenEdge | None = None

    def note(self, state: bytes, distance: int, h: int, differs: bool) -> None:
        """Note the estimate of a state."""
        self._pairs[distance, h] += 1
        self._differ += differs
        worst = self._worst
        if h - distance > (worst.h - worst.distance if worst else 0):
            self._worst = Witness(state.hex(), h, distance)

    def note_edge(self, state: bytes, move: Move, cost: int, h: int, h_after: int) -> None:
        """Note a move and the estimates before and after it."""
        fall = h - h_after - cost
        if fall <= 0:
            return
        self._broken += 1
        worst = self._worst_edge
        if worst is None or fall > worst.h - worst.h_after - worst.cost:
            self._worst_edge = BrokenEdge(state.hex(), move.name, h, h_after, cost)

    @property
    def found(self) -> Mapping[str, Any]:
        """The fields for `JudgedPhase.record`."""
        return {
            "pairs": tuple((*pair, count) for pair, count in sorted(self._pairs.items())),
            "worst": self._worst,
            "broken": self._broken,
            "worst_edge": self._worst_edge,
            "differ": self._differ,
        }


def quality(
    case: Case,
    phase: str,
    heuristics: Sequence[str],
    runs: Iterable[Run] = (),
    memory: int = MEMORY,
    tell: Tell = lambda share: None,
) -> list[Quality]:
    """Return the quality of the estimates in a phase.

    The estimates of each heuristic are compared with true distances. If all states of the phase
    fit into `memory`, all states are checked. Otherwise the states along the answers of `runs` are
    checked.

    Parameters
    ----------
    case
        The method and its tables.
    phase
        Name or number of the phase.
    heuristics
        The heuristics as strings, such as "blended:a=3".
    runs
        Runs of the phase with the heuristic `max`. The true distance of each state along their
        answers is known. Runs of other heuristics are ignored.
    memory
        Number of bytes that the states of the phase may take.
    tell
        Function that is called now and then with the share of the work that is done.

    Returns
    -------
    list of Quality
        One record for each heuristic. The list is empty if the states do not fit into `memory`
        and `runs` has no usable run.

    Raises
    ------
    UsageError
        If the method has no such phase, or a heuristic is unknown.

    Examples
    --------
    >>> import puzzlekit
    >>> case = Case(puzzlekit.load("cube2"))
    >>> (found,) = quality(case, "solve", ["max"])
    >>> found.how, found.states, found.over, quality(case, "solve", ["max"], memory=1)
    ('exhaustive', 3674160, 0, [])
    """
    judged_phase = JudgedPhase(case, phase, heuristics)
    if not judged_phase.candidates:
        return []  # each of them reads the state
    try:
        return exhaustive(judged_phase, memory, tell)
    except (UsageError, TableError):  # the states cannot be listed, or memory is short
        return sampled(judged_phase, runs, tell)


def false_claims(qualities: Iterable[Quality], runs: Iterable[Run]) -> list[str]:
    """Return a sentence for each heuristic that wrongly claims to be admissible in a phase.

    A heuristic claims to be admissible by its field `admissible`. The claim is wrong if the
    estimate of a state exceeds the distance of this state. The claim is also wrong if the estimate
    or cost of a run exceeds the cost of another answer from the same start.
    """
    found: dict[tuple[str, ...], str] = {}
    for each in qualities:
        if each.admissible and each.worst is not None:
            shown = f"it estimates {each.worst.h} where the distance is {each.worst.distance}"
            found.setdefault(_of(each), _sentence(each, shown, each.worst.state))
    listed = [run for run in runs if run.phase != WHOLE]
    least: dict[tuple[str, ...], int] = {}
    for run in listed:
        if run.cost is not None:
            least[_start(run)] = min(run.cost, least.get(_start(run), run.cost))
    for run in listed:
        distance = least.get(_start(run))
        if not run.admissible or distance is None:
            continue
        if run.h > distance:
            shown = f"it estimates {run.h} where the distance is {distance}"
        elif run.cost is not None and run.cost > distance:
            shown = f"its answer costs {run.cost} where the distance is {distance}"
            shown += f" (it estimates {run.h})"
        else:
            continue
        found.setdefault(_of(run), _sentence(run, shown, run.state))
    return list(found.values())


def _of(record: Quality | Run) -> tuple[str, ...]:
    return *record.case, record.phase, record.heuristic, record.fingerprint


def _start(run: Run) -> tuple[str, ...]:
    return run.puzzle, run.method, run.metric, run.phase, run.state


def _sentence(record: Quality | Run, shown: str, state: str) -> str:
    return (
        f"{record.puzzle} {record.method}, phase {record.phase}: the heuristic {record.heuristic} "
        f"claims to be admissible but is not: {shown} {record.metric}, in the state {state}"
    )
