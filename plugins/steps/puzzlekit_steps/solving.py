"""Choose a step method and search its steps."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from puzzlekit import Limits, Solver, UsageError
from puzzlekit.plugins.manager import manager
from puzzlekit.puzzle.move import Given
from puzzlekit.search.options import did_you_mean
from puzzlekit.tables.watchers import Patience
from puzzlekit_steps.beam import StepBeamSearch
from puzzlekit_steps.report import StepSolution
from puzzlekit_steps.search import StepSearch
from puzzlekit_steps.step_method import StepMethod

_Search = StepSearch | StepBeamSearch

#: The searches of each solver, by step method, metric and lookahead. They share tables.
_searches: WeakKeyDictionary[Solver, dict[tuple[object, ...], _Search]] = WeakKeyDictionary()


def solve_in_steps(
    solver: Solver,
    position: Given,
    method: StepMethod | str | None = None,
    *,
    metric: str | None = None,
    colours: str | None = None,
    together: int = 1,
    timeout: float | None = None,
    cancel: threading.Event | None = None,
) -> StepSolution:
    """Solve a position step by step. The answer is replayed, and the goal of each step tested.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    position
        A string (a scramble or stickers), a list of moves, or a state (bytes).
    method
        A step method, or its name. Default: the first step method of the puzzle.
    metric
        The name of a metric. Default: the metric of the step method.
    colours
        Rotations, such as "x2", by which the puzzle may be turned before the first step; "any"
        for all rotations.
    together
        The number of successive steps for which a shortest answer is searched.
    timeout
        Seconds. A step method with a beam then searches for this time. Other step methods fail
        if they take longer.
    cancel
        An event that ends the search when another thread sets it.

    Raises
    ------
    UsageError
        If an option does not exist, or if a step cannot be searched.
    NoSolutionError
        If the moves of a step do not reach its goal, or if no answer is found in time.
    """
    limits = Limits(timeout=timeout, cancel=cancel).checked()
    chosen = _chosen(solver, method)
    if together < 1:
        raise UsageError("together has to be at least 1")
    state = solver.state(position)
    searches = _searches.setdefault(solver, {})
    key = chosen, metric, together
    if key not in searches:
        if chosen.beam is None:
            searches[key] = StepSearch(solver, chosen, metric, together)
        elif together > 1:
            raise UsageError(f"{chosen.name} always searches all steps together")
        else:
            with solver.store.watched(Patience(timeout, cancel)):
                searches[key] = StepBeamSearch(solver, chosen, metric)
    return searches[key].solve(state, colours, limits)


def no_step_methods(solver: Solver) -> str:
    """Return the message that a puzzle has no step methods, with the puzzles that have some."""
    names = [each.name for each in manager().entries() if each.steps is not None]
    return f"{solver.puzzle.name} has no step methods; puzzles with some: {', '.join(names)}"


def _chosen(solver: Solver, method: StepMethod | str | None) -> StepMethod:
    """Return the step method that an argument means."""
    if not isinstance(method, str | None):
        return method
    known: dict[str, StepMethod] = solver.catalogue.step_methods
    if not known:
        raise UsageError(no_step_methods(solver))
    if method is None:
        return next(iter(known.values()))
    chosen = known.get(method) or known.get(method.lower())
    if chosen is None:
        goal = method.lower()
        lead = f"; 'puzzlekit solve --goal {goal}' goes as far as that"
        meant = next((name for name, own in known.items() if goal in own.also), method)
        raise UsageError(
            f"{solver.puzzle.name} has no step method {method!r}{did_you_mean(meant, [*known])}; "
            f"it has {', '.join(known)}{lead if goal in solver.catalogue.goals else ''}"
        )
    return chosen
