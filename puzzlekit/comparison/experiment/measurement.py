"""One measured run: a phase, or all phases, of a case from one state."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from time import perf_counter
from typing import Any, TypeVar

from puzzlekit.comparison.experiment.case import Case, admissible
from puzzlekit.comparison.experiment.record import (
    NODES,
    NONE,
    SOLVED,
    TIMEOUT,
    WHOLE,
    Iteration,
    Run,
)
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import PuzzlekitError
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.puzzle.move import Move
from puzzlekit.run.driver import Deadline, Driver, thread_time
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.chain import length_limit
from puzzlekit.strategy.first_chain import FirstChain

# What is searched with `max` for a start of a later phase; where that is not enough there is none.
_START_NODES = 10**8
# Seconds of CPU time below which a search is done twice.
_TWICE = 0.002

T = TypeVar("T")


def instance(case: Case, seed: int, number: int) -> bytes:
    """The random state that is instance `number` of a seed, whatever their count is."""
    return case.candidate("max").chain.normal(case.solver.random_state(Random(f"{seed} {number}")))


@lru_cache(maxsize=4096)
def starts(case: Case, seed: int, number: int) -> tuple[bytes | None, ...]:
    """Where the phases of a case start for an instance: the same for every heuristic.

    Each phase starts where those before it lead, searched with `max`. None where that would have
    taken more than a hundred million nodes, and for what comes after the last phase that is
    compared.
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


def _after(chain: FirstChain, number: int, state: bytes) -> bytes | None:
    """The state that the first answer of a phase leads to."""
    phase = chain.phases[number]
    search = Search(phase.space)
    limits = Limits(max_nodes=_START_NODES)
    phase.start(search, chain.puzzle, state, length_limit(limits), chain.parity(state, number))
    if Driver(limits, Deadline(None)).run(search) != FOUND:
        return None
    return chain.puzzle.apply(state, [phase.moves[move] for move in search.path])


def measure_phase(
    case: Case, heuristic: str | Heuristic, number: int, state: bytes, limits: Limits
) -> Mapping[str, Any]:
    """Search a phase for its first answer; what a `Run` says of the search.

    The answer is replayed; a PuzzlekitError if it does not reach the goal.
    """
    chain = case.candidate(heuristic).chain
    phase = chain.phases[number]
    how = state, length_limit(limits), chain.parity(state, number)

    def search_once(driver: _Clocked) -> tuple[Search, int]:
        search = Search(phase.space)
        phase.start(search, chain.puzzle, *how)
        return search, driver.run(search)

    (search, status), driver = _timed(search_once, limits)
    moves = None
    if status == FOUND:
        moves = [phase.moves[move] for move in search.path]
        _replay(case, chain, number, chain.puzzle.apply(state, moves))
    return {
        **_answer(driver, moves, search.spent_here),
        **({"outcome": NONE} if status == EXHAUSTED else {}),
        "h": phase.estimate(chain.puzzle, state),
        "generated": search.generated_nodes,
        "expanded": search.expanded_nodes,
        "iterations": tuple(Iteration(*each) for each in search.iterations),
    }


def _timed(search_once: Callable[[_Clocked], T], limits: Limits) -> tuple[T, _Clocked]:
    """What a search finds, and the clock of it.

    One that takes less than a few milliseconds is done twice, and the shorter time counts: in the
    first one most of it goes by until tables are in the caches of the processor, which whoever
    searches there next finds in them.
    """
    found = search_once(first := _Clocked(limits, Deadline(limits.timeout)))
    if first.over or first.cpu_seconds >= _TWICE:
        return found, first
    search_once(again := _Clocked(limits, Deadline(limits.timeout)))
    return found, again if again.cpu_seconds < first.cpu_seconds else first


class _Clocked(Driver):
    """A driver that knows how long it searched.

    Between the searches of phases a chain does what no heuristic has a say in.
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


def _answer(driver: _Clocked, moves: Sequence[Move] | None, cost: int) -> dict[str, Any]:
    """What a `Run` says of an answer of that cost; without one, of the limit that was met."""
    met = NONE if not driver.over else NODES if driver.out_of_nodes else TIMEOUT
    return {
        "outcome": met if moves is None else SOLVED,
        "length": None if moves is None else len(moves),
        "cost": None if moves is None else cost,
        "moves": " ".join(move.name for move in moves or ()),
        "seconds": driver.seconds,
        "cpu_seconds": driver.cpu_seconds,
    }


def _replay(case: Case, chain: FirstChain, number: int, reached: bytes) -> None:
    """A PuzzlekitError where a state is not at the goal of a phase."""
    phase = chain.phases[number]
    search = Search(phase.space, plies=1)  # room for a path takes longer than this look
    phase.start(search, chain.puzzle, reached, 0)
    last = number == len(chain.phases) - 1
    if search.run(1) != FOUND or search.path or (last and not chain.puzzle.is_solved(reached)):
        raise PuzzlekitError(
            f"internal error: an answer of the phase {phase.phase.name} of {case.name} does not "
            f"reach its goal: {reached.hex()}"
        )


def measure_whole(
    case: Case, heuristic: str | Heuristic, state: bytes, limits: Limits
) -> Mapping[str, Any]:
    """Solve all phases, each from where the one before it ended; what a `Run` says of it.

    Answers of a few moves, for which a solve looks first with no heuristic, are not looked for.
    """
    chain = case.candidate(heuristic).chain
    answer, driver = _timed(
        lambda driver: chain.first_answer(state, length_limit(limits), driver), limits
    )
    moves = answer.moves
    if moves is not None and not chain.puzzle.is_solved(chain.puzzle.apply(state, moves)):
        raise PuzzlekitError(f"internal error: an answer of {case.name} does not solve the puzzle")
    return {
        **_answer(driver, moves, chain.metric.total(moves or ())),
        "h": chain.phases[0].estimate(chain.puzzle, state),
        "generated": sum(generated for generated, _ in answer.counts),
        "expanded": sum(expanded for _, expanded in answer.counts),
        "iterations": (),
    }


def measure(
    case: Case, heuristic: str | Heuristic, phase: str, seed: int, number: int, limits: Limits
) -> Run | None:
    """The run of a heuristic in a phase (or "whole") from an instance; None if it has no start.

    >>> import puzzlekit
    >>> case = Case(puzzlekit.load("cube2"))
    >>> run = measure(case, "max", "solve", seed=1, number=0, limits=Limits())
    >>> run.outcome, run.cost >= run.h, run.generated == sum(b.generated for b in run.iterations)
    ('solved', True, True)
    """
    heuristics = case.candidate(heuristic).heuristics
    state: bytes | None
    if phase == WHOLE:
        state = instance(case, seed, number)
        found = measure_whole(case, heuristic, state, limits)
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
    """The fields of the run that `measure` returns for these which are known before it is done."""
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
    """Facts about this computer: system, processor, number of cores."""
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
    """The versions of puzzlekit and Python, and whether the engine is compiled."""
    from puzzlekit.engine.fill import COMPILED
    from puzzlekit.version import __version__

    return {
        "puzzlekit": __version__,
        "engine": "compiled" if COMPILED else "interpreted",
        "python": platform.python_version(),
    }
