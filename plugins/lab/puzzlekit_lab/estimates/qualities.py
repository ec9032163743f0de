"""Quality of heuristics: estimates against true distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Event

from puzzlekit import TableError, UsageError
from puzzlekit_lab.distances.distribution import MEMORY
from puzzlekit_lab.estimates.exhaustive import exhaustive
from puzzlekit_lab.estimates.judged_phase import JudgedPhase, Tell
from puzzlekit_lab.estimates.sample import sampled
from puzzlekit_lab.experiment.case import Case
from puzzlekit_lab.experiment.experiment import Experiment, QualityTask
from puzzlekit_lab.experiment.record import WHOLE, Quality, Run


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
    try:
        return exhaustive(judged_phase, memory, tell)
    except (UsageError, TableError):  # the states cannot be listed, or memory is short
        return sampled(judged_phase, runs, tell)


def quality_task(experiment: Experiment, task: QualityTask, cancel: Event | None) -> list[Quality]:
    """Return one record per heuristic of a task. The task ends early once `cancel` is set."""

    def tell(_: float) -> None:
        if cancel is not None and cancel.is_set():
            raise KeyboardInterrupt

    case = experiment.cases[task.case]
    return quality(case, task.phase, task.heuristics, task.runs, task.memory, tell)


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
