"""The options of a search: as names, and as the objects with these names."""

from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit.puzzle.move import Metric
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.method import Method

if TYPE_CHECKING:
    from puzzlekit.search.goals.goal import Goal


class SearchOptions(NamedTuple):
    """The options of a search as names. `Solver.choose` makes a `Choice` of them."""

    #: The name of a method. Default: the puzzle's default method.
    method: str | None = None
    #: A heuristic, or a string that `puzzlekit.search.heuristics` reads. Default: max.
    heuristic: str | Heuristic | None = None
    #: A metric or machine, or its name. Default: the method's first metric.
    metric: str | Metric | None = None
    #: The name of a profile of tables. Default: the largest profile whose tables are on disk. If no
    #: tables are on disk, the smallest profile.
    profile: str | None = None
    #: The memory for tables, in bytes. The largest profile that fits is used. Not allowed together
    #: with `profile`.
    memory: int | None = None
    #: A goal, or its text (see `puzzlekit.search.goals.goal_text`). Default: solved.
    goal: "Goal | str | None" = None
    #: The allowed moves of the search for a goal, such as "R,U". Default: the moves of the default
    #: method.
    moves: str | None = None
    #: Rotations after which the goal counts, too; "any" for all of them. Default: none.
    colours: str | None = None
    #: The state that counts as the solved state. Default: the solved state of the puzzle.
    target: bytes | None = None


@attrs.frozen(eq=False, repr=False)
class Choice:
    """The options of a search as objects: the method, the metric and the heuristics."""

    #: The method, with the tables of the chosen profile.
    method: Method
    #: The metric or machine.
    metric: Metric
    #: The heuristic of each phase.
    heuristics: tuple[Heuristic, ...]
    #: The choice for the method that finds upper bounds. None if the method needs none.
    upper: "Choice | None" = None
    #: The state that counts as the solved state; None for the solved state of the puzzle.
    target: bytes | None = attrs.field(default=None, kw_only=True)
    #: Choices of one solver with the same key share their tables and phases.
    key: tuple[object, ...] = attrs.field(init=False, repr=False)

    @key.default
    def _key(self) -> tuple[object, ...]:
        # Max is the default, and its identity takes longer to compute than all else.
        identities = ["" if each.is_max else each.identity for each in self.heuristics]
        upper = () if self.upper is None else self.upper.key
        # Methods of goals are derived, so their names may be equal.
        method = self.method.name if self.method.goal is None else self.method
        return (method, self.method.profile, self.metric, *identities, upper)
