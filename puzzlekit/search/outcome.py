"""The outcome of one search: answers, replayed and checked, and the integrity of its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.errors import (
    DeclarationError,
    NoSolutionError,
    NotationError,
    PuzzlekitError,
    TableError,
)
from puzzlekit.puzzle.move import Metric, Move, act
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.budget import thread_time
from puzzlekit.search.limits import BoundReport, Limits
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.solution import PhaseReport, Solution
from puzzlekit.search.strategies.candidate import AS_HELD, Candidate, Counts
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.goals import goals
from puzzlekit.tables.store import TableStore

__all__ = ["Outcome", "goal_fault", "no_solution", "reaches"]


def reaches(puzzle: Puzzle, state: bytes, target: bytes | None) -> bool:
    """Whether a state is the target, however the puzzle is held. No target: the solved state."""
    if target is None:
        return puzzle.is_solved(state)
    return any(act(target, *held, puzzle.modulus) == state for held in puzzle.whole_rotations)


def fault_at_goal(plan: Plan, state: bytes) -> DeclarationError | None:
    """Return the error for a method whose goal includes an unsolved state.

    Returns None if the state is not at the goal of the method's last phase, however its pieces are
    named.
    """
    puzzle, last = plan.puzzle, plan.phases[-1]
    own = last.own_puzzle(puzzle)
    goal_moves, goal_states = last.kept(own), last.goal_states(own)
    wanted = [
        (each, goals(plan.store, each, goal_moves, goal_states))
        for each in plain_coordinates(last.coordinates)
    ]
    for held in puzzle.whole_rotations:
        seen = puzzle.relabel(state, held)
        try:
            shown = seen if last.view is None else last.view.see(puzzle, seen)
        except DeclarationError:
            continue
        ranked = ((int(each.rank(shown)), values) for each, values in wanted)
        if all(value >= 0 and _is_among(value, values) for value, values in ranked):
            where = f"in the state {state.hex()}, which the constraints allow"
            return goal_fault(plan, where, state)
    return None


def _is_among(value: int, values: Any) -> bool:
    """Whether a value is among the goals, which are a tuple of values or an array of flags."""
    return value in values if isinstance(values, tuple) else bool(values[value])


def goal_fault(plan: Plan, where: str, state: bytes) -> DeclarationError:
    """Return the error for a goal that holds in an unsolved state; it names the pieces."""
    puzzle, phase = plan.puzzle, plan.phases[-1]
    solved = min(puzzle.solved_states, key=lambda each: (sum(map(int.__ne__, each, state)), each))
    wrong = []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        places = [
            place
            for i, place in enumerate(orbit.places)
            if any(state[j] != solved[j] for j in range(start + i, start + orbit.width, orbit.size))
        ]
        wrong += [f"the {orbit.name} at {' '.join(places)}"] if places else []
    several = "the goals of its phases hold" if len(plan.phases) > 1 else "its goal holds"
    return DeclarationError(
        f"method {plan.name} of {puzzle.name} does not solve the puzzle: {several} {where}, but "
        f"{' and '.join(wrong)} are not solved. Give its last phase, {phase.name}, coordinates "
        "that include these pieces, or add a phase that solves them"
    )


Made = TypeVar("Made", bound=Strategy)

_TRIES = 3


class DamagedTables(Exception):
    """A search has used damaged tables and must be repeated."""


class Integrity:
    """Protection against damaged tables: a search that used a damaged table is repeated.

    The checksums of the tables are compared in two cases: a search fails or finds no answer, or an
    answer has a proof or a lower bound, which follows from the tables alone. In the second case,
    `TableStore.check` skips checks that would take too much time.
    """

    def __init__(self, store: TableStore, limits: Limits) -> None:
        self._store = store
        self._cancel = limits.cancel
        self._tries = 0

    def claims(self, chain: Strategy, answer: Candidate) -> None:
        """Raise DamagedTables if an answer has a proof or a bound and a table is damaged."""
        if answer.proven or answer.at_least or answer.shortest:
            self.check(chain)

    def limits(self, chain: Strategy, limits: Limits) -> Limits:
        """Return the same limits, with a check of the tables before each bound is reported."""
        report = limits.on_bound
        if report is None and not chain.proves:
            return limits  # no bound is reported, and answers are checked

        def on_bound(bound: BoundReport) -> None:
            self.check(chain)
            if report is not None:
                report(bound)

        return limits._replace(on_bound=on_bound)

    def explains(self, chain: Strategy, error: Exception) -> bool:
        """Whether an error comes from damaged tables, so that the search must be repeated."""
        if not isinstance(error, DamagedTables):
            # "No solution" may be true. Like a proven answer, it needs only the cheap check.
            usual = isinstance(error, NoSolutionError) and error.proven
            usual |= self._cancel is not None and self._cancel.is_set()
            if not self._store.check(chain.all_tables, sparing=usual):
                return False
        self._tries += 1
        if self._tries == _TRIES:
            raise TableError(
                f"tables in {self._store.root} are damaged as soon as they are built: the disk or "
                "the memory may be failing; set PUZZLEKIT_CACHE to another directory"
            ) from error
        return True

    def check(self, chain: Strategy) -> None:
        """Raise DamagedTables if a cheap check finds damage in the tables of a chain."""
        if self._store.check(chain.all_tables, sparing=True):
            raise DamagedTables


def made(store: TableStore, make: Callable[[], Made]) -> Made:
    """Return the chain that `make` returns, with its tables. Repeat if a table is damaged."""
    with store.noting() as taken:
        try:
            chain = make()
        except Exception:
            if not store.check(taken.values()):
                raise
            taken.clear()
            chain = make()
    chain.tables = tuple(taken.values())
    return chain


class Outcome:
    """The outcome of one search so far: its best answer, its bound and its time.

    `improved` is true if the latest answer was shorter than all earlier answers. A search that used
    a damaged table is repeated. `earlier` is then the outcome of the first search. Its answers are
    kept, because they were replayed. Its proofs and bounds are not kept.
    `target` is the state that counts as the solved state; None for the solved state of the puzzle.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        chain: Strategy,
        state: bytes,
        earlier: Outcome | None = None,
        target: bytes | None = None,
    ) -> None:
        self.best: Candidate | None = None
        self._moves: tuple[Move, ...] = ()  # of the best answer
        self._cost = 0  # of these moves
        self.improved = False
        self._latest: Candidate | None = None
        self._puzzle = puzzle
        self._chain = chain
        self._state = state
        self._goal = chain.plan.goal
        self._target = target
        self._started = perf_counter()
        self._cpu_started = thread_time()
        self._improvements: list[tuple[float, int]] = []
        self._solution: tuple[Candidate, bool, Solution] | None = None
        self._earlier: int | None = None  # cost of the best answer of the earlier search
        if earlier is not None and earlier.best is not None and earlier.best.moves is not None:
            self.best = earlier.best._replace(proven=False, at_least=0, shortest=frozenset())
            self._moves, self._cost = earlier._moves, earlier._cost
            self._earlier = self._cost
            self._improvements = earlier._improvements

    def begin_earlier(self, seconds: float, cpu_seconds: float) -> None:
        """Count the time of a search that was done before."""
        self._started -= seconds
        self._cpu_started -= cpu_seconds

    def note(self, answer: Candidate) -> None:
        """Record an answer, or the final report of a search.

        Raises a PuzzlekitError for an answer that does not solve the state.
        """
        self._latest = answer
        self._seconds = perf_counter() - self._started
        self.improved = False
        moves = answer.moves
        if moves is None:
            return
        try:
            end = self._puzzle.apply(self._state, moves)
        except NotationError:  # one of them is not possible
            solved = False
        else:
            solved = self.is_goal(end)
        if not solved:
            raise _wrong(self._puzzle, self._chain, self._state, moves)
        cost = self._chain.metric.total(moves)
        if self._earlier is None or cost <= self._earlier:
            self.best, self._moves, self._cost = answer, moves, cost
        if not self._improvements or cost < self._improvements[-1][1]:
            self.improved = True
            self._improvements.append((self._seconds, cost))

    def is_goal(self, state: bytes) -> bool:
        """Whether a state is at the goal of the method."""
        if self._goal is None and self._target is None:
            return self._puzzle.is_solved(state)
        if self._goal is None:
            return reaches(self._puzzle, state, self._target)
        return self._goal.reached(self._puzzle, self._seen(state)) is not None

    def _relative(self, state: bytes) -> bytes:
        """A state with its pieces renamed so that the target is the solved state."""
        return state if self._target is None else self._puzzle.relabel_to(state, self._target)

    def _seen(self, state: bytes) -> bytes:
        """A state with its pieces renamed as the puzzle is held."""
        return self._chain.held(self._relative(state))

    @property
    def at_least(self) -> int:
        """A lower bound on the cost of every answer."""
        return self._latest.at_least if self._latest is not None else 0

    @property
    def reached(self) -> str:
        """In words, the last phase that was searched; empty if there is only one phase."""
        phases = self._chain.plan.phases
        if self._latest is None or len(phases) == 1:
            return ""
        last = max((i for i, (nodes, _) in enumerate(self._latest.counts) if nodes), default=0)
        return f": the search has come to phase {last + 1} of {len(phases)}, {phases[last].name}"

    def solution(self, improvements: bool = True) -> Solution:
        """Return the best answer as a solution, with the effort of the search so far."""
        puzzle, chain, best, latest = self._puzzle, self._chain, self.best, self._latest
        if (made := self._solution) and made[0] is latest and made[1] == improvements:
            return made[2]  # nothing is new since then
        assert best is not None and best.phases is not None and latest is not None
        moves, cost = self._moves, self._cost
        proven = best.proven or latest.proven
        counts, phases = latest.counts, chain.plan.phases
        searched_alone = proven and len(chain.phases) == 1
        solution = Solution(
            puzzle=puzzle.name,
            method=chain.plan.name,
            heuristic=chain.plan.heuristic,
            metric=chain.metric.name,
            profile=chain.plan.profile,
            state=self._state,
            steps=() if chain.metric.counts else self._steps(moves),
            sequence=moves,
            cost=cost,
            nodes=sum([generated for generated, _ in counts]),
            expanded=sum([expanded for _, expanded in counts]),
            seconds=self._seconds,
            cpu_seconds=thread_time() - self._cpu_started + latest.helpers_cpu,
            optimal=proven,
            at_least=cost if proven else latest.at_least,
            improvements=tuple(self._improvements) if improvements else (),
            verified=True,
            reports=partial(
                _reports, best, phases, chain.metric, counts, self._seconds, searched_alone
            ),
            costs=partial(puzzle.lengths, moves, chain.metric),
            **(self._goal_fields(moves) if self._goal or self._target else {}),
            declared=puzzle,
        )
        self._solution = latest, improvements, solution
        return solution

    def _goal_fields(self, moves: Sequence[Move]) -> dict[str, str]:
        """The fields of a solution that describe its goal or target."""
        if self._goal is None:
            return {"goal": "state", "goal_words": "the given state"}
        end = self._seen(self._puzzle.apply(self._state, moves))
        reached = self._goal.reached(self._puzzle, end)
        assert reached is not None
        words = f"{self._goal.words}, as in the given state" if self._target else self._goal.words
        return {"goal": self._goal.name, "goal_words": words, "goal_after": reached.after}

    def _steps(self, moves: Sequence[Move]) -> tuple[tuple[tuple[str, ...], int], ...]:
        """The steps of a metric of steps with their costs; empty if single moves have costs."""
        if self._chain.metric.name in self._puzzle.lengths(()):
            return ()
        steps = self._chain.metric.steps(moves)
        return tuple((tuple(move.name for move in step.moves), step.cost) for step in steps)


def _reports(
    answer: Candidate,
    phases: Sequence[Phase],
    metric: Metric,
    counts: Counts,
    seconds: float,
    proven: bool,
) -> tuple[PhaseReport, ...]:
    """Return the report on each phase of an answer.

    `phases` are those of the method, `counts` and `seconds` the effort of the search until now, and
    `proven` says whether the whole answer is one phase and proven shortest.

    If the last phase of the method comes last in the answer, the puzzle as held is at the goal of
    this phase, however the phase was searched.
    """
    found = []
    last = len(answer.phases or ()) - 1
    nodes = max(sum(generated for generated, _ in counts), 1)
    for at, (number, moves, how, merged) in enumerate(answer.phases or ()):
        phase = phases[number]
        generated, expanded = counts[number]
        direct = how == AS_HELD or at == number == last
        shortest = number in answer.shortest or proven
        own = metric.total(moves)
        name, share = how.method or phase.name, seconds * generated / nodes
        found.append(
            PhaseReport(
                *(number, name, phase.goal, how, direct, moves, merged, own),
                *(generated, expanded, share, shortest),
            )
        )
    return tuple(found)


def no_solution(
    limits: Limits, metric: Metric, at_least: int, found: int = 0, reached: str = ""
) -> NoSolutionError:
    """Return the error for a search that found no answer, or not all answers.

    `at_least` is a lower bound on the cost of every answer in the metric. `found` is the number of
    answers that a search for all answers has found. `reached` says which phase was searched last.
    """
    if found:
        return NoSolutionError("a limit was met: there may be more solutions")
    most = f"of at most {limits.max_length} {metric.name}"
    if limits.max_length is not None and at_least > limits.max_length:
        error = NoSolutionError(f"there is no solution {most}")
        error.proven = True
        return error
    if limits.cancel is not None and limits.cancel.is_set():
        return NoSolutionError("the search was cancelled before a solution was found")
    met = []
    if limits.max_length is not None:
        met.append(most)
    within = [] if limits.timeout is None else [f"{limits.timeout:g} s"]
    if limits.max_nodes is not None:
        within.append(f"{limits.max_nodes} node{'' if limits.max_nodes == 1 else 's'}")
    met += ["within " + " and ".join(within)] if within else []
    return NoSolutionError(" ".join(["no solution", *met, "was found"]) + reached)


def _wrong(puzzle: Puzzle, chain: Strategy, state: bytes, moves: Sequence[Move]) -> PuzzlekitError:
    """The error for an answer that does not solve a state."""
    with suppress(NotationError):  # one of the moves is not possible
        end = puzzle.apply(state, moves)
        if (fault := fault_at_goal(chain.plan, end)) is not None:
            return fault
    return PuzzlekitError(
        f"internal error: method {chain.plan.name!r} of {puzzle.name} returned "
        f"{' '.join(move.name for move in moves) or 'no moves'} as an answer, which does not "
        f"solve the state {state.hex()}"
    )
