"""Methods: phases in order, and the strategy that searches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.move import Metric, Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.estimates import find_heuristic
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan, Resolver
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.puzzle.services import Goal

__all__ = ["Profile"]


class Profile(NamedTuple):
    """Larger tables for the phases of a method. Larger tables take longer to build.

    >>> import puzzlekit
    >>> [profile.name for profile in puzzlekit.load("cube3").method("two-phase").larger]
    ['large']
    """

    #: Name of the profile in `--profile`.
    name: str
    #: Phases with the same names as the method's phases, and other coordinates and tables.
    phases: tuple[Phase, ...]
    #: Metrics in which the profile exists; empty for all metrics of the method.
    metrics: tuple[str, ...] = ()
    #: Strategy for these phases; None for the strategy of the method.
    strategy: Strategy | None = None
    #: For people: how long the tables take to build, and what the profile is good for.
    brings: str = ""

    def exists_in(self, metric: Metric) -> bool:
        """Whether the profile exists in a metric."""
        return not self.metrics or metric.name in self.metrics


def _first() -> Strategy:
    """Return the default strategy. The import is here because most methods name a strategy."""
    from puzzlekit.search.strategies.sequential import Sequential

    return Sequential()


@attrs.frozen(eq=False, repr=False)
class Method:
    """A way of solving: phases in order, and the strategy that searches them."""

    #: Name of the method in `--method` and in messages.
    name: str
    #: Description for people, in a few words.
    title: str
    #: The phases in order, with their smallest tables.
    phases: tuple[Phase, ...]
    #: Strategy that searches the phases: `Sequential`, `Optimal`, or another.
    strategy: Strategy = attrs.field(factory=_first)
    #: Maps an orbit to its places that the phases assume to be solved. The solver renames the
    #: pieces so that these places are solved, as if the puzzle were held in another way. If several
    #: ways of holding the puzzle solve these places, methods of one phase and improving methods
    #: search from all of these ways.
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    #: Names of the metrics for the search, the default metric first; empty for all metrics of the
    #: puzzle. Do not name a metric if some move of the metric has no equal move in the phases.
    metrics: tuple[str, ...] = ()
    #: Other metrics in which the method searches instead of some of its metrics, by name. The
    #: phases need not have the moves of such a metric. A turn of a middle layer, which carries the
    #: fixed centers along, is for the phases two turns of faces, and then the puzzle is held in
    #: another way. Every move of the metric must be a step of the other metric, at the same cost.
    searched_as: Mapping[str, Metric] = attrs.field(factory=dict)
    #: Name of the profile that `phases` form; required if `larger` is not empty.
    profile: str = ""
    #: Profiles with larger tables, the largest last.
    larger: tuple[Profile, ...] = ()
    #: Whether its tables take minutes to build without the compiled engine. Without the compiled
    #: engine, another method is then the default.
    heavy: bool = False
    #: Lines that explain to people how the method was chosen. `--explain` prints these lines.
    notes: tuple[str, ...] = ()
    #: Moves that answers may have besides the moves of the phases, as in `Phase.moves`. Name them
    #: if a search needs fewer moves, because the others cost as much as several of its moves: with
    #: the moves "U1 U'" in QTM, and "U" here, the answer U U becomes U2.
    moves: str = ""
    #: The goal, if the method does not solve the whole puzzle. Answers are tested against the goal.
    goal: Goal | None = None

    def __repr__(self) -> str:
        return f"Method({self.name!r})"

    def __attrs_post_init__(self) -> None:
        for what in ("phases", "metrics", "larger"):
            if not isinstance(getattr(self, what), (tuple, list)):
                raise DeclarationError(f"method {self.name}: {what} have to be a tuple, as (one,)")
        if named := [each for each in self.metrics if not isinstance(each, str)]:
            raise DeclarationError(f"method {self.name}: {named[0]!r} is not the name of a metric")
        places = self.fixed.values() if isinstance(self.fixed, Mapping) else [None]
        if not all(isinstance(each, str) for each in places):
            raise DeclarationError(
                f"method {self.name}: 'fixed' has the places of an orbit in one string, as in "
                "{'corners': 'DBL'}"
            )
        names = [phase.name for phase in self.phases]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"method {self.name}: phases need different names")
        if any([phase.name for phase in each.phases] != names for each in self.larger):
            raise DeclarationError(
                f"method {self.name}: a profile must have the same names of phases as the method"
            )
        if bool(self.larger) > bool(self.profile):
            raise DeclarationError(
                f"method {self.name} has larger profiles, so 'profile' must name the profile "
                "of the method itself"
            )
        if unknown := set(self.searched_as) - set(self.metrics):
            raise DeclarationError(
                f"method {self.name}: 'searched_as' names {min(unknown)}, which 'metrics' does not"
            )
        if not isinstance(self.strategy, Strategy):
            words = f"the strategy has to be a record such as Sequential(), not {self.strategy!r}"
            raise DeclarationError(f"method {self.name}: {words}")
        if self.strategy.needs_coordinates and not all(each.coordinates for each in self.phases):
            raise DeclarationError(f"method {self.name}: each phase needs a coordinate")
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
        """Return the `Plan` of a search: the method, a metric, and a heuristic for each phase.

        Parameters
        ----------
        puzzle
            The puzzle that the method solves.
        metric
            The metric of the search.
        store
            Where tables are stored. Default: the cache directory.
        heuristics
            One heuristic for each phase. Default: those that the phases declare.
        resolver
            The object that prepares phases for a search. Plans with the same resolver share
            prepared phases. Default: a new resolver.
        """
        return Plan(
            puzzle=puzzle,
            phases=self.phases,
            metric=self.searched_as.get(metric.name, metric),
            store=store or TableStore(),
            heuristics=tuple(heuristics) or tuple(phase.heuristic for phase in self.phases),
            name=self.name,
            profile=self.profile,
            fixed=self.fixed,
            resolver=resolver or Resolver(),
            moves=self.moves,
            goal=self.goal,
        )

    def allowed(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """Return the moves that answers may have, in search order."""
        found = dict.fromkeys(puzzle.named_moves(self.moves))
        for phase in self.phases:
            found.update(dict.fromkeys(phase.done(puzzle)))
        return tuple(found)

    def phase_number(self, wanted: str) -> int:
        """Return the number of the phase with this name or number.

        Raises UsageError, which lists the phases, if there is no such phase.
        """
        for number, phase in enumerate(self.phases):
            if wanted in (phase.name, str(number)):
                return number
        raise UsageError(f"{self.name} has no phase {wanted!r}; it has {self._numbered}")

    @property
    def _numbered(self) -> str:
        return ", ".join(f"{number} {phase.name}" for number, phase in enumerate(self.phases))

    def heuristics(self, given: str | Heuristic | None = None) -> tuple[Heuristic, ...]:
        """Return the heuristic of each phase. The default is the one that the phase declares.

        A string such as "sum" or "blended:a=3" applies to all phases. A string such as
        "0=sum/finish=blended:a=3" applies to the phases that it names, by number or name. All other
        phases have their defaults. Raises UsageError if the string cannot be read.

        >>> import puzzlekit
        >>> puzzlekit.load("cube3").method("two-phase").heuristics("finish=sum")
        (Max(), Sum())
        """
        if given is None:
            return tuple(phase.heuristic for phase in self.phases)
        if not isinstance(given, str):
            return (given,) * len(self.phases)
        if "/" not in given and not _names_phase(given):
            return (find_heuristic(given),) * len(self.phases)
        chosen: dict[int, Heuristic] = {}
        for part in given.split("/"):
            if not _names_phase(part):
                raise UsageError(
                    f"{part!r} names no phase; write 0=max, for example; {self.name} has the "
                    f"phases {self._numbered}"
                )
            name, _, text = part.partition("=")
            number = self.phase_number(name.strip())
            if number in chosen:
                phase = self.phases[number].name
                raise UsageError(f"phase {number} {phase} has more than one heuristic")
            chosen[number] = find_heuristic(text)
        return tuple(
            chosen.get(number, phase.heuristic) for number, phase in enumerate(self.phases)
        )


def _names_phase(text: str) -> bool:
    return "=" in text.partition(":")[0]
