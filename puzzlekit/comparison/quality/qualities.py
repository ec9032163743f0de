"""The quality of heuristics in a phase: estimates against true distances and against claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Event

from puzzlekit.analysis.distribution.distribution import MEMORY
from puzzlekit.comparison.experiment.case import Case
from puzzlekit.comparison.experiment.experiment import Experiment, QualityTask
from puzzlekit.comparison.experiment.record import WHOLE, Quality, Run
from puzzlekit.comparison.quality.exhaustive import exhaustive
from puzzlekit.comparison.quality.judged_phase import JudgedPhase, Tell
from puzzlekit.comparison.quality.sample import sampled
from puzzlekit.errors import TableError, UsageError


def quality(
    case: Case,
    phase: str,
    heuristics: Sequence[str],
    runs: Iterable[Run] = (),
    memory: int = MEMORY,
    tell: Tell = lambda share: None,
) -> list[Quality]:
    """Return the quality of heuristics in a phase, one record for each.

    Parameters
    ----------
    case
        The method and its tables.
    phase
        Name or number of the phase.
    heuristics
        Texts of the heuristics.
    runs
        Runs with `max`. If there are too many states, their answers give a sample of states whose
        true distance is known.
    memory
        Number of bytes for checking all states.
    tell
        Called now and then with the share that is done.

    Returns
    -------
    list of Quality
        Over all states if they fit into `memory`, else over the sample; empty without any.

    Raises
    ------
    UsageError
        If there is no such phase or heuristic.

    Examples
    --------
    >>> import puzzlekit
    >>> case = Case(puzzlekit.load("cube2"))
    >>> (found,) = quality(case, "solve", ["max"])
    >>> found.how, found.states, found.over, quality(case, "solve", ["max"], memory=1)
    ('exhaustive', 3674160, 0, [])
    """
    judged_phase = JudgedPhase(case, phase, heuristics)
    try:
        return exhaustive(judged_phase, memory, tell)
    except (UsageError, TableError):  # the states cannot be listed, or memory is short
        return sampled(judged_phase, runs, tell)


def quality_task(experiment: Experiment, task: QualityTask, cancel: Event | None) -> list[Quality]:
    """Return the records of a task, one per heuristic. It ends early once `cancel` is set."""

    def tell(_: float) -> None:
        if cancel is not None and cancel.is_set():
            raise KeyboardInterrupt

    case = experiment.cases[task.case]
    return quality(case, task.phase, task.heuristics, task.runs, task.memory, tell)


def false_claims(qualities: Iterable[Quality], runs: Iterable[Run]) -> list[str]:
    """Return a sentence for each heuristic that wrongly claims to be admissible in a phase.

    The proof is a state whose estimate exceeds its distance, or a run whose estimate or answer
    exceeds the cost of another answer from the same start.
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
