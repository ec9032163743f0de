"""Methods: phases in order, and the strategy that searches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.prepare.resolved import Resolver
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore
from puzzlekit.strategy.strategy import Strategy


class Profile(NamedTuple):
    """Other tables for the phases of a method: larger ones, which take longer to build.

    >>> import puzzlekit
    >>> [profile.name for profile in puzzlekit.load("cube3").method("two-phase").larger]
    ['large']
    """

    #: What it is called in `--profile`.
    name: str
    #: The phases of the method with other coordinates and tables.
    phases: tuple[Phase, ...]
    #: The metrics in which there is such a profile; all of the method's if none is named.
    metrics: tuple[str, ...] = ()
    #: How these phases are searched, where that differs from the method's own strategy.
    strategy: Strategy | None = None
    #: How long it takes to build, and what it brings, for people.
    brings: str = ""


def _first() -> Strategy:
    """The strategy of a method that names none. Most name one, so it is imported here."""
    from puzzlekit.strategy.first_strategy import First

    return First()


@attrs.frozen(eq=False, repr=False)
class Method:
    """A way of solving: phases in order, and the strategy that searches them."""

    #: What it is called in `--method`, and in messages.
    name: str
    #: What it is, for people, in a few words.
    title: str
    #: What is to be reached, one after the other, with the smallest tables.
    phases: tuple[Phase, ...]
    #: How the phases are searched: `First`, `Improve`, `Prove`, `Beam`, or one of a plugin.
    strategy: Strategy = attrs.field(factory=_first)
    #: Places, by orbit, that the phases take to be solved. Pieces are renamed, as if the puzzle
    #: were held another way, so that they are. Where several ways are left, a method of one phase,
    #: and one that improves, searches from all of them: the puzzle is solved in each.
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    #: The metrics that it searches in, the default one first; all of the puzzle's if none is named.
    #: Leave out those that count as one move what no move of the phases does.
    metrics: tuple[str, ...] = ()
    #: The name of the profile of tables that `phases` have; needed beside larger ones.
    profile: str = ""
    #: Profiles with larger tables than those of `phases`, the largest last.
    larger: tuple[Profile, ...] = ()
    #: Whether it takes minutes where the engine is not compiled: there another one is the default.
    heavy: bool = False
    #: Lines on how the method was made, for people, which `--explain` prints.
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Method({self.name!r})"

    def __attrs_post_init__(self) -> None:
        names = [phase.name for phase in self.phases]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"method {self.name}: phases need different names")
        if any([phase.name for phase in each.phases] != names for each in self.larger):
            raise DeclarationError(
                f"method {self.name}: a profile has other phases than the method"
            )
        if bool(self.larger) > bool(self.profile):
            raise DeclarationError(f"method {self.name}: its own profile needs a name")
        if not isinstance(self.strategy, Strategy):
            raise DeclarationError(
                f"method {self.name}: its strategy is a record such as First(), not "
                f"{self.strategy!r}"
            )
        self.strategy.check(self.name, self.phases)
        for each in self.larger:
            (each.strategy or self.strategy).check(self.name, each.phases)

    def plan(
        self,
        puzzle: Puzzle,
        metric: Metric,
        store: TableStore | None = None,
        heuristics: Sequence[Heuristic] = (),
        resolver: Resolver | None = None,
    ) -> Plan:
        """Return the method with all choices made for a search.

        Parameters
        ----------
        puzzle
            The puzzle that the method solves.
        metric
            The metric of the search.
        store
            Where tables are kept. Default: the directory of the cache.
        heuristics
            One heuristic for each phase. Default: `Max` for all.
        resolver
            Shares resolved phases with other plans. Default: a new one.
        """
        return Plan(
            puzzle=puzzle,
            phases=self.phases,
            metric=metric,
            store=store or TableStore(),
            heuristics=tuple(heuristics) or (Max(),) * len(self.phases),
            name=self.name,
            profile=self.profile,
            fixed=self.fixed,
            resolver=resolver or Resolver(),
        )

    def phase_number(self, wanted: str) -> int:
        """The number of the phase with that name or number; a UsageError lists what there is."""
        for number, phase in enumerate(self.phases):
            if wanted in (phase.name, str(number)):
                return number
        known = ", ".join(f"{number} {phase.name}" for number, phase in enumerate(self.phases))
        raise UsageError(f"{self.name} has no phase {wanted!r}; it has {known}")
