"""A check of the names that a user gives, with suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlekit.errors import UsageError

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric
    from puzzlekit.search.choice import SearchOptions
    from puzzlekit.search.solver import Solver

__all__ = ["check_names", "did_you_mean"]


def check_names(solver: Solver, options: SearchOptions) -> None:
    """Raise a UsageError for an unknown name, before anything is read or built.

    The message lists the known names.
    """
    method, heuristic, metric, *_ = options
    if method is heuristic is metric is None:
        return
    if options.goal is not None or options.moves is not None:  # the method is derived
        _check_metric(solver, metric)
        return
    try:
        solver.method(method)
    except UsageError as error:
        names = [each.name for each in solver.methods]
        raise UsageError(f"{error}{did_you_mean(method, names)}") from None
    method = method or solver.default_method(metric).name
    try:
        solver.metric(method, metric)
    except UsageError as error:
        if not isinstance(metric, str):
            raise
        names = [each.name for each in solver.metrics(method)]
        if metric.upper() in [each.name.upper() for each in solver.puzzle.metrics]:
            raise
        raise UsageError(
            f"{solver.method(method).name} has no metric {metric!r}; it searches in "
            f"{', '.join(names)}{did_you_mean(metric, names)}"
        ) from error
    if heuristic is not None:
        from puzzlekit.search.heuristics import parse_heuristics

        parse_heuristics(solver.method(method), heuristic)


def _check_metric(solver: Solver, metric: str | Metric | None) -> None:
    if not isinstance(metric, str):
        return
    try:
        solver.puzzle.metric(metric)
    except UsageError as error:
        names = [each.name for each in solver.puzzle.metrics]
        raise UsageError(f"{error}{did_you_mean(metric, names)}") from None


def did_you_mean(name: str | None, names: Sequence[str]) -> str:
    """Return a hint with the most similar name; empty if no name is similar."""
    from difflib import get_close_matches

    folded = {each.lower(): each for each in names}
    near = get_close_matches(str(name).lower(), folded, 1)
    return f" (did you mean {folded[near[0]]}?)" if near else ""
