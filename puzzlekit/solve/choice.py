"""What a search is done with: as it is asked for, and with every name resolved."""

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


@attrs.frozen(eq=False, repr=False)
class Choice:
    """What a search is done with, every name resolved."""

    #: The method, with the tables of the chosen profile.
    method: Method
    #: The metric, or the machine.
    metric: Metric
    #: The heuristic of each phase.
    heuristics: tuple[Heuristic, ...]
    #: For a method that proves its answers: what finds the answers that bound them.
    upper: "Choice | None" = None
    #: Choices of one solver with the same key share their tables and phases.
    key: tuple[object, ...] = attrs.field(init=False, repr=False)

    @key.default
    def _key(self) -> tuple[object, ...]:
        # Max is the usual one, and its identity takes longer to work out than the rest.
        identities = ["" if each.is_max else each.identity for each in self.heuristics]
        upper = () if self.upper is None else self.upper.key
        return (self.method.name, self.method.profile, self.metric, *identities, upper)
