"""What a search is done with: as it is asked for, and with every name resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs

from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.method.method import Method
from puzzlekit.puzzle.metric import Metric


class SearchOptions(NamedTuple):
    """What a search is to be done with; `Solver.choose` resolves it."""

    #: The name of a method; by default the puzzle's first one.
    method: str | None = None
    #: A heuristic, or a text as `puzzlekit.method.heuristics` reads it; by default max.
    heuristic: str | Heuristic | None = None
    #: A metric, a machine, or the name of one; by default the method's first metric.
    metric: str | Metric | None = None
    #: The name of a profile of tables. By default it is the largest whose tables are on disk, or
    #: else the smallest.
    profile: str | None = None
    #: Bytes: in place of a profile the largest one that fits.
    memory: int | None = None


def _tables(method: Method) -> tuple[str, str]:
    return method.name, method.profile


def _identities(heuristics: Sequence[Heuristic]) -> tuple[str, ...]:
    return tuple(each.identity for each in heuristics)


@attrs.frozen
class Choice:
    """What a search is done with. Equal choices of one solver share their tables and phases."""

    #: The method, with the tables of the chosen profile.
    method: Method = attrs.field(eq=_tables)
    #: The metric, or the machine.
    metric: Metric
    #: The heuristic of each phase.
    heuristics: tuple[Heuristic, ...] = attrs.field(eq=_identities)
    #: For a method that proves its answers: what finds the answers that bound them.
    upper: Choice | None = None
