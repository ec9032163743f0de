"""The options of a search, as given by name and as resolved."""

from typing import NamedTuple

import attrs

from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.method.method import Method
from puzzlekit.puzzle.metric import Metric


class SearchOptions(NamedTuple):
    """The options of a search, by name; `Solver.choose` resolves them."""

    #: The name of a method. Default: the puzzle's default method.
    method: str | None = None
    #: A heuristic, or a text that `puzzlekit.method.heuristics` reads. Default: max.
    heuristic: str | Heuristic | None = None
    #: A metric, a machine, or the name of one. Default: the method's first metric.
    metric: str | Metric | None = None
    #: The name of a profile of tables. Default: the largest profile whose tables are on disk, or
    #: else the smallest.
    profile: str | None = None
    #: Memory for tables, in bytes. It chooses the largest profile that fits; not with `profile`.
    memory: int | None = None


@attrs.frozen(eq=False, repr=False)
class Choice:
    """The options of a search, resolved to objects."""

    #: The method, with the tables of the chosen profile.
    method: Method
    #: The metric, or the machine.
    metric: Metric
    #: The heuristic of each phase.
    heuristics: tuple[Heuristic, ...]
    #: For a method that proves its answers: the choice whose answers are the upper bounds.
    upper: "Choice | None" = None
    #: Choices of one solver with the same key share their tables and phases.
    key: tuple[object, ...] = attrs.field(init=False, repr=False)

    @key.default
    def _key(self) -> tuple[object, ...]:
        # Max is the default, and its identity takes longer to compute than all else.
        identities = ["" if each.is_max else each.identity for each in self.heuristics]
        upper = () if self.upper is None else self.upper.key
        return (self.method.name, self.method.profile, self.metric, *identities, upper)
