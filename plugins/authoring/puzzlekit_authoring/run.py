"""Run checks one by one, or as pytest tests of a plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple, TypeVar
from unittest import SkipTest

from puzzlekit.errors import UsageError
from puzzlekit_authoring.checks import (
    EFFORTS,
    PHASE,
    REGISTRY,
    Check,
    CheckFailed,
    Subject,
    Target,
    What,
    subject_of,
)

F = TypeVar("F", bound=Callable[..., Any])

OK = "ok"
FAILED = "failed"
SKIPPED = "skipped"

# The modules with the checks, in the order of their runs.
_MODULES = (
    "plugin_checks",
    "move_checks",
    "look_checks",
    "coordinate_checks",
    "table_checks",
    "method_checks",
)


class Result(NamedTuple):
    """The outcome of a check.

    `outcome` is "ok", "failed" or "skipped". `reason` describes the fault of a failed check. For a
    skipped check, it says why the check does not apply. `seconds` is the run time.
    """

    check: Check
    outcome: str
    reason: str
    seconds: float


def checks_of(
    what: What | Subject, effort: str = "normal", seed: int = 0, only: str = ""
) -> list[Check]:
    """Return the checks of a plugin or puzzle, in the order of their runs.

    Listing the checks makes the puzzles and methods, but builds no tables.

    Parameters
    ----------
    what
        The name of a puzzle or plugin, a `PuzzleEntry`, or a plugin module.
    effort
        The sizes of samples and the limits of searches: "quick", "normal" or "thorough".
    seed
        The start of the random numbers. Checks with the same seed draw the same states.
    only
        Return only checks whose name or title contains this text.

    Raises
    ------
    UsageError
        If a name or an effort is unknown, or no check contains the text `only`.

    Examples
    --------
    >>> [str(check) for check in checks_of("cube2", only="automaton")][0]
    'cube2-optimal-solve: the automaton loses no state'
    """
    for module in _MODULES:
        import_module(f"puzzlekit_authoring.{module}")
    if effort not in EFFORTS:
        raise UsageError(f"there is no effort {effort!r}; there are {', '.join(EFFORTS)}")
    subject = what if isinstance(what, Subject) else subject_of(what)
    found = []
    for target in _targets(Target(subject, EFFORTS[effort], seed)):
        kinds = [kind for kind in REGISTRY if kind.scope == len(target.path)]
        if len(target.path) == PHASE and target.phase.view is not None:
            kinds = kinds[:1]  # one check is enough to give the reason for skipping
        found += [Check(kind, target) for kind in kinds]
    kept = [check for check in found if only.lower() in str(check).lower()]
    if not kept:
        raise UsageError(f"no check of {subject.name} is called {only!r}")
    return kept


def _targets(whole: Target) -> Iterator[Target]:
    """Yield the targets: the plugin, then each puzzle, and for each method its phases before it."""
    from attrs import evolve

    yield whole
    for entry in whole.subject.entries:
        target = evolve(whole, entry=entry, path=(entry.name,))
        try:
            methods = target.solver.methods
        except (Exception, SystemExit):  # the check of this target reports it
            continue
        yield target
        for method in methods:
            for phase in method.phases:
                yield evolve(target, path=(entry.name, method.name, phase.name))
            yield evolve(target, path=(entry.name, method.name))


def run_checks(
    what: What | Subject, effort: str = "normal", seed: int = 0, only: str = ""
) -> Iterator[Result]:
    """Run the checks of a plugin or puzzle one by one, and yield a `Result` for each.

    The parameters are the same as for `checks_of`.

    >>> (result,) = run_checks("cube2", "quick", only="notation")
    >>> result.outcome, result.check.title
    ('ok', 'notation reads what it writes')
    """
    for check in checks_of(what, effort, seed, only):
        yield run(check)


def run(check: Check) -> Result:
    """Run one check and return its result."""
    begun = perf_counter()
    outcome, reason = OK, ""
    try:
        check()
    except SkipTest as why:
        outcome, reason = SKIPPED, str(why)
    except CheckFailed as error:
        outcome, reason = FAILED, str(error)
    return Result(check, outcome, reason, perf_counter() - begun)


def parametrize_with_checks(*what: What, effort: str = "normal", seed: int = 0) -> Callable[[F], F]:
    """Return a decorator that makes a pytest test of each check of some puzzles.

    The decorated function takes one argument, `check`, and calls it. pytest calls the function once
    for each check.

    Parameters
    ----------
    *what
        Names of puzzles or plugins, `PuzzleEntry` objects, or plugin modules.
    effort
        The sizes of samples and the limits of searches: "quick", "normal" or "thorough".
    seed
        The start of the random numbers. Checks with the same seed draw the same states.

    >>> @parametrize_with_checks("cube2", effort="quick")
    ... def test_conformance(check):
    ...     check()
    >>> test_conformance.pytestmark[0].args[0]
    'check'
    """
    import pytest

    checks = [check for each in what for check in checks_of(each, effort, seed)]
    mark: Callable[[F], F] = pytest.mark.parametrize("check", checks, ids=str)
    return mark
