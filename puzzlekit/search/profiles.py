"""Profiles: smaller and larger tables for the same phases, and the choice of one."""

from __future__ import annotations

import os
from collections.abc import Callable

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Metric
from puzzlekit.search.method import Method
from puzzlekit.search.plan import Plan
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableKey

__all__ = ["profile_keys", "profiles"]

# Makes the plan of a method in a metric: `Solver.plan`.
Plans = Callable[[Method, Metric], Plan]


def profiles(method: Method, metric: Metric) -> list[Method]:
    """Return one method for each profile of a method in a metric, the smallest profile first."""
    larger = [
        attrs.evolve(
            method,
            profile=each.name,
            phases=each.phases,
            larger=(),
            strategy=each.strategy or method.strategy,
        )
        for each in method.larger
        if each.exists_in(metric)
    ]
    return [attrs.evolve(method, larger=()), *larger]


def profile_keys(plans: Plans, method: Method, metric: Metric) -> list[TableKey]:
    """Return the keys of the tables of all phases, except the tables of heuristics."""
    plan = plans(method, metric)
    found: dict[TableKey, None] = {}
    for own, phase, _ in method.strategy.searched(plan):
        for keys in own.resolved(phase).table_keys():
            found.update(dict.fromkeys(keys))
    return list(found)


def _nbytes(plans: Plans, metric: Metric, *methods: Method | None) -> int:
    """The number of bytes of the tables of some methods. Shared tables count once."""
    found = [profile_keys(plans, method, metric) for method in methods if method is not None]
    return sum(key.nbytes for key in {key for keys in found for key in keys})


def upper_profile(
    plans: Plans, method: Method, upper: Method, metric: Metric, memory: int | None
) -> str | None:
    """Return the name of the largest profile of `upper` that fits into `memory` with `method`.

    `upper` is the method that finds upper bounds for `method`. The tables of both methods must fit
    into `memory` together. If no profile fits, the result is the smallest profile. The result is
    None if `memory` is None, or if `upper` has only one profile.
    """
    if memory is None or not upper.larger:
        return None
    known = profiles(upper, metric)
    fitting = [each for each in known if _nbytes(plans, metric, method, each) <= memory]
    return (fitting or known)[-1 if fitting else 0].profile


def choose_profile(
    plans: Plans,
    method: Method,
    metric: Metric,
    store: TableStore,
    profile: str | None,
    memory: int | None,
    upper: Method | None = None,
) -> Method:
    """Return the method with one of its profiles.

    Parameters
    ----------
    plans
        A function that takes a method and a metric and returns the plan.
    method, metric
        The method, and the metric of the search.
    store
        The store in which tables are looked up.
    profile
        The name of the profile. Not allowed together with `memory`.
    memory
        The memory for tables, in bytes. The result has the largest profile whose tables fit into
        this memory. If `upper` is given, the tables of the smallest profile of `upper` must fit
        too. Without `profile` and `memory`, the largest profile whose tables
        are all on disk is used. If no such tables are on disk, the smallest profile is used.
    upper
        The method that finds the upper bounds, if there is one.

    Raises
    ------
    UsageError
        If the profile does not exist, if the smallest profile needs more than `memory`, or if both
        `profile` and `memory` are given.
    """
    if profile is not None and memory is not None:
        raise UsageError("choose tables by a profile or by memory, not by both")
    known = profiles(method, metric)
    if profile is not None:
        for each in known:
            if each.profile == profile:
                return each
        names = ", ".join(each.profile for each in known if each.profile)
        listed = f"the profiles are {names}" if names else "it has none"
        raise UsageError(f"{method.name} has no profile {profile!r} in {metric.name}; {listed}")
    if memory is not None:
        least = None if upper is None else profiles(upper, metric)[0]
        sizes = [_nbytes(plans, metric, each, least) for each in known]
        fitting = [each for each, size in zip(known, sizes, strict=True) if size <= memory]
        if not fitting:
            raise UsageError(
                f"the tables of {method.name} take at least {sizes[0] / 1e6:.3g} MB, but only "
                f"{memory / 1e6:.3g} MB are allowed"
            )
        return fitting[-1]
    for each in reversed(known[1:]):
        # The largest table is the most likely to be missing.
        keys = sorted(profile_keys(plans, each, metric), key=lambda key: -key.nbytes)
        if all(os.path.exists(store.path(key)) for key in keys):
            return each
    return known[0]
