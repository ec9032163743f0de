"""One measured run: a phase of a case, or all its phases, from one state."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from time import perf_counter
from typing import Any, TypeVar

from puzzlekit import Heuristic, Limits, Move, PuzzlekitError
from puzzlekit.engine.fill import COMPILED
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.search.budget import Budget, thread_time
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit.version import __version__
from puzzlekit_lab.case import Case, admissible
from puzzlekit_lab.record import (
    NODES,
    NONE,
    SOLVED,
    STOPPED,
    TIMEOUT,
    WHOLE,
    Iteration,
    Run,
)

# Limit of the search with `max` for the start of a later phase. Beyond it the phase has no start.
_START_NODES = 10**8
# A search that takes fewer seconds of CPU time is done twice.
_TWICE = 0.002

T = TypeVar("T")


@lru_cache(maxsize=4096)
def instance(case: Case, seed: int, number: int) -> bytes:
    """Return instance `number` of a seed: a random state of the puzzle, or a given state.

    If a single phase may solve the state in several ways of holding the puzzle, its pieces are
    named as in the way with the cheapest answer that a search with `max` finds.
    """
    given, chain = case.positions, case.candidate("max").chain
    state = given[number] if given else case.solver.random_state(Random(f"{seed} {number}"))
    state = chain.normal(state)
    namings = chain.namings(state) if len(chain.phases) == 1 else [state]
    if len(namings) == 1:
        return namings[0]
    limits = Limits(max_nodes=_START_NODES)
    moves = chain.first(state, length_limit(limits), Budget(limits)).moves
    if moves is None:
        return namings[0]
    return next(seen for seen in namings if _is_goal(chain, 0, chain.puzzle.apply(seen, moves)))


@lru_cache(maxsize=4096)
def starts(case: Case, seed: int, number: int) -> tuple[bytes | None, ...]:
    """Return the state in which each phase of a case starts for an instance.

    All heuristics share the starts. To reach the start of a phase, the previous phases are solved
    with `max`. The start is None if one of these searches needs more than a hundred million nodes.
    It is also None for each phase after the last compared phase.
    """
    chain = case.candidate("max").chain
    state: bytes | None = instance(case, seed, number)
    last = case.method.phases.index(case.phases[-1])
    found: list[bytes | None] = []
    for phase in range(len(chain.phases)):
        found.append(state)
        if state is not None:
            state = _after(chain, phase, state) if phase < last else None
    return tuple(found)


def _after(chain: Strategy, number: int, state: bytes) -> bytes | None:
    """Return the state after the first answer of a phase, or None if the limit was reached."""
    phase = chain.phases[number]
    search = Search(phase.space)
    limits = Limits(max_nodes=_START_NODES)
    phase.start(search, chain.puzzle, state, length_limit(limits), chain.parity(state, number))
    if Budget(limits).run(search) != FOUND:
        return None
    return chain.puzzle.apply(state, [phase.moves[move] for move in search.path])


def measure_phase(
    case: Case, heuristic: str | Heuristic, number: int, state: bytes, limits: Limits
) -> Mapping[str, Any]:
    """Search a phase for its first answer and return the fields of a `Run` about the search.

    The answer is replayed. Raises PuzzlekitError if it does not reach the goal.
    """
    chain = case.candidate(heuristic).chain
    phase = chain.phases[number]
    how = state, length_limit(limits), chain.parity(state, number)

    def search_once(budget: _Clocked) -> tuple[Search, int]:
        search = Search(phase.space)
        phase.start(search, chain.puzzle, *how)
        return search, budget.run(search)

    (search, status), budget = _timed(search_once, limits)
    moves = None
    if status == FOUND:
        moves = [phase.moves[move] for move in search.path]
        _replay(case, chain, number, chain.puzzle.apply(state, moves))
    return {
        **_answer(budget, moves, search.spent_here),
        **({"outcome": NONE} if status == EXHAUSTED else {}),
        "h": phase.estimate(chain.puzzle, state),
        "generated": search.generated_nodes,
        "expanded": search.expanded_nodes,
        "iterations": tuple(Iteration(*each) for each in search.iterations),
    }


def _timed(search_once: Callable[[_Clocked], T], limits: Limits) -> tuple[T, _Clocked]:
    """Do a search and return its result and its clock.

    A search of less than two milliseconds is done twice, and the shorter time counts. The first
    search often waits until the processor has loaded the tables into its caches.
    """
    found = search_once(first := _Clocked(limits))
    if first.over or first.cpu_seconds >= _TWICE:
        return found, first
    search_once(again := _Clocked(limits))
    return found, again if again.cpu_seconds < first.cpu_seconds else first


class _Clocked(Budget):
    """A budget that measures only the time of its searches.

    The work between the searches of two phases is not measured, because it does not depend on the
    heuristic.
    """

    seconds = 0.0
    cpu_seconds = 0.0

    def run(
        self, search: Any, prepare: Callable[[], None] | None = None, nodes: int | None = None
    ) -> int:
        started, cpu_started = perf_counter(), thread_time()
        try:
            return super().run(search, prepare, nodes)
        finally:
            self.seconds += perf_counter() - started
            self.cpu_seconds += thread_time() - cpu_started


def _answer(budget: _Clocked, moves: Sequence[Move] | None, cost: int) -> dict[str, Any]:
    """Return the fields of a `Run` about its answer, or about the limit that was reached."""
    met = NONE if not budget.over else NODES if budget.out_of_nodes else TIMEOUT
    return {
        "outcome": met if moves is None else SOLVED,
        "length": None if moves is None else len(moves),
        "cost": None if moves is None else cost,
        "moves": " ".join(move.name for move in moves or ()),
        "seconds": budget.seconds,
        "cpu_seconds": budget.cpu_seconds,
    }


def _replay(case: Case, chain: Strategy, number: int, reached: bytes) -> None:
    """Raise PuzzlekitError if a state is not at the goal of a phase."""
    last = number == len(chain.phases) - 1
    if not _is_goal(chain, number, reached) or (last and not chain.puzzle.is_solved(reached)):
        name = chain.phases[number].phase.name
        raise PuzzlekitError(
            f"internal error: an answer of the phase {name} of {case.name} does not reach its "
            f"goal: {reached.hex()}"
        )


def _is_goal(chain: Strategy, number: int, reached: bytes) -> bool:
    """Whether a state is at the goal of a phase."""
    phase = chain.phases[number]
    search = Search(phase.space, plies=1)  # allocating a full path would take longer than the check
    phase.start(search, chain.puzzle, reached, 0)
    return search.run(1) == FOUND and not search.path


def measure_whole(
    case: Case, heuristic: str | Heuristic, state: bytes, limits: Limits
) -> Mapping[str, Any]:
    """Solve all phases in sequence, or search states, and return the fields of a `Run` about it.

    `Solver.solve` searches answers of a few moves first. This search needs no heuristic, so it is
    left out here.
    """
    candidate = case.candidate(heuristic)
    chain = candidate.chain
    answer, budget = _timed(lambda budget: chain.first(state, length_limit(limits), budget), limits)
    moves = answer.moves
    if moves is not None and not chain.puzzle.is_solved(chain.puzzle.apply(state, moves)):
        raise PuzzlekitError(f"internal error: an answer of {case.name} does not solve the puzzle")
    stopped = candidate.algorithm and moves is None and not (budget.over or answer.proven)
    return {
        **_answer(budget, moves, chain.metric.total(moves or ())),
        **({"outcome": STOPPED} if stopped else {}),
        "h": chain.phases[0].estimate(chain.puzzle, state),
        "generated": sum(generated for generated, _ in answer.counts),
        "expanded": sum(expanded for _, expanded in answer.counts),
        "iterations": (),
    }


def measure(
    case: Case, heuristic: str | Heuristic, phase: str, seed: int, number: int, limits: Limits
) -> Run | None:
    """Search a phase for its first answer with one heuristic, and measure the search.

    Parameters
    ----------
    case
        The method and its tables.
    heuristic
        The heuristic, as an object or as a string such as "blended:a=3".
    phase
        Name of a phase, or "whole" for all phases in sequence.
    seed
        The seed of the instance.
    number
        The number of the instance. A seed and a number determine a random state.
    limits
        The limits of time and nodes at which the run gives up.

    Returns
    -------
    Run or None
        The measured run. None if the phase has no start, because solving the previous phases
        takes too many nodes.

    Examples
    --------
    >>> import puzzlekit
    >>> case = Case(puzzlekit.load("cube2"))
    >>> run = measure(case, "max", "solve", seed=1, number=0, limits=Limits())
    >>> run.outcome, run.cost >= run.h, run.generated == sum(b.generated for b in run.iterations)
    ('solved', True, True)
    """
    candidate = case.candidate(heuristic)
    heuristics = candidate.heuristics
    state: bytes | None
    if candidate.algorithm or phase == WHOLE:
        state = instance(case, seed, number)
        found = measure_whole(case, heuristic, state, limits)
        if candidate.algorithm:
            claims = getattr(candidate.chain, "exact", False) and candidate.chain.admissible
        else:
            claims = all(map(admissible, heuristics, case.method.phases))
    else:
        at = case.method.phase_number(phase)
        state = starts(case, seed, number)[at]
        if state is None:
            return None
        found = measure_phase(case, heuristic, at, state, limits)
        claims = admissible(heuristics[at], case.method.phases[at])
    settings = settings_of(case, heuristic, phase, seed, number, limits)
    return Run(**settings, admissible=claims, state=state.hex(), **found)


def settings_of(
    case: Case, heuristic: str | Heuristic, phase: str, seed: int, number: int, limits: Limits
) -> dict[str, Any]:
    """Return the fields that are known before `measure` does the run."""
    candidate = case.candidate(heuristic)
    return {
        **case.case_name._asdict(),
        "phase": phase,
        "heuristic": candidate.text,
        "fingerprint": candidate.fingerprint,
        "seed": seed,
        "instance": number,
        "timeout": limits.timeout,
        "max_nodes": limits.max_nodes,
        "machine": computer(),
        "versions": versions(),
    }


@cache
def computer() -> Mapping[str, Any]:
    """Return the system, the processor and the number of cores of this computer."""
    return {
        "system": platform.platform(terse=True),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of puzzlekit and Python, and whether the engine is compiled."""
    return {
        "puzzlekit": __version__,
        "engine": "compiled" if COMPILED else "interpreted",
        "python": platform.python_version(),
    }
