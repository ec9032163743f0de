"""Methods: phases in order, and how they are chained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore

FIRST = "first"
IMPROVE = "improve"
PROVE = "prove"
BEAM = "beam"


class Profile(NamedTuple):
    """Other tables for the phases of a method: larger ones, which take longer to build.

    `phases` are those of the method with other coordinates and tables; `metrics` the metrics in
    which there is such a profile, all of the method's if none is named.

    >>> import puzzlekit
    >>> [profile.name for profile in puzzlekit.load("cube3").method("two-phase").larger]
    ['large']
    """

    name: str
    phases: tuple[Phase, ...]
    metrics: tuple[str, ...] = ()


class Alternative(NamedTuple):
    """Another way through the phase of a beam that is named `of`, such as along another axis.

    Its starts are the ends of the phase before, turned by each of the rotations `turns` as a whole
    and with pieces renamed as by each of `names`; it ends as the phase named does.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [other.of for other in cube.method("reduction").alternatives]
    ['split']
    """

    of: str
    phase: Phase
    turns: tuple[str, ...]
    names: tuple[str, ...] = ("",)


@attrs.frozen(eq=False, repr=False)
class Method:
    """A way of solving: phases in order and how they are chained.

    `chaining` is "first" (the first answer of each phase), "improve" (two phases; longer first
    phases are tried as long as they can still shorten the total), "prove" (one phase, searched
    below the answers of the method named `upper` until the shortest one is proven) or "beam" (each
    phase delivers many candidates, and those go on first that promise the shortest whole).

    `fixed` names places, by orbit, that the phases take to be solved: pieces are renamed, as if the
    puzzle were held another way, so that they are. With `recolour` they are renamed as in whichever
    way of holding the puzzle the first phase looks nearest to its goal. Where several ways are
    left, a method of one phase, and one that improves, searches from all of them: it is solved in
    each. With the chaining "first", `choices` is how many of a phase's answers of one cost are
    looked for, to go on from the one that looks nearest to the goal of the next phase. `premoves`
    is up to how many moves an improving method, or the pool of a beam, sets its starts off (see
    `puzzlekit.prepare.premoves`), `seconds` how long it goes on when no limit is given. `metrics`
    names the metrics that the method searches in, the default one first; all of the puzzle's if
    none is named. `larger` are profiles with larger tables than those of `phases`, whose profile
    has the name `profile`. Where the phases' moves cannot do what some metric counts as one move,
    leave that metric out. A `heavy` method takes minutes where the engine is not compiled: there
    another one is the default. `notes` are lines for people on how the method was made, which
    `--explain` prints.

    A beam is tried from the puzzle as held and turned by each of the rotations that `starts` names,
    in each case with its pieces renamed as by each of them; `alternatives` are other ways through
    its phases. `shares` says for each phase which part of the time it gets, and `kept` how many of
    its candidates are kept at most, with the state of each. With `pooled` the last two phases are
    those of an improving method, maybe of another puzzle, which gets the rest of the time to finish
    all candidates together, under one bound.
    """

    name: str
    title: str
    phases: tuple[Phase, ...]
    chaining: str = FIRST
    fixed: Mapping[str, str] = attrs.field(factory=dict)
    recolour: bool = False
    choices: int = 1
    premoves: int = 0
    starts: str = ""
    shares: tuple[float, ...] = ()
    kept: int = 1 << 18
    alternatives: tuple[Alternative, ...] = ()
    pooled: bool = False
    seconds: float = 0.2
    heavy: bool = False
    metrics: tuple[str, ...] = ()
    upper: str = ""
    profile: str = ""
    larger: tuple[Profile, ...] = ()
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
        if self.chaining not in (FIRST, IMPROVE, PROVE, BEAM):
            raise DeclarationError(f"method {self.name}: unknown chaining {self.chaining!r}")
        if self.choices < 1 or (self.chaining != FIRST and self.choices > 1):
            raise DeclarationError(f"method {self.name}: choices, 1 or more, are for 'first'")
        if self.chaining == IMPROVE and len(self.phases) != 2:
            raise DeclarationError(f"method {self.name}: improving takes exactly two phases")
        if self.chaining == PROVE and len(self.phases) != 1:
            raise DeclarationError(f"method {self.name}: proving takes exactly one phase")
        if self.chaining == PROVE and self.phases[0].view is not None:
            raise DeclarationError(f"method {self.name}: a phase that is proven has no view")
        if self.chaining != PROVE and self.upper:
            raise DeclarationError(f"method {self.name}: an upper method is for proving ones")
        if self.chaining not in (IMPROVE, BEAM) and self.premoves:
            raise DeclarationError(f"method {self.name}: premoves are for improving methods")
        early = len(self.phases) - 2 * self.pooled
        beaming = self.starts or self.shares or self.pooled or self.alternatives
        if self.chaining != BEAM and beaming:
            raise DeclarationError(
                f"method {self.name}: starts, shares, alternatives and pooling are for the "
                "chaining 'beam'"
            )
        if self.chaining == BEAM and (early < 1 or len(self.shares) != early):
            raise DeclarationError(
                f"method {self.name}: a beam takes a share of the time for each phase but for the "
                "last two of a pooled one"
            )
        known = names[1:early]
        if unknown := [other.of for other in self.alternatives if other.of not in known]:
            raise DeclarationError(
                f"method {self.name}: there is no phase {unknown[0]!r} of a beam, after its first "
                "one, to which there could be an alternative"
            )
        if any(not other.turns or not other.names for other in self.alternatives):
            raise DeclarationError(f"method {self.name}: an alternative needs turns and names")
        most = 1 + 1e-9 if not self.pooled else 1 - 1e-9
        if any(share <= 0 for share in self.shares) or sum(self.shares) > most:
            raise DeclarationError(
                f"method {self.name}: shares are parts of 1, and leave something to a pool"
            )
        if self.kept < 1:
            raise DeclarationError(f"method {self.name}: a beam keeps a candidate at least")

    def plan(
        self,
        puzzle: Puzzle,
        metric: Metric,
        store: TableStore | None = None,
        heuristics: Sequence[Heuristic] = (),
    ) -> Plan:
        """The method for a search in one metric, with one heuristic for each phase: max if none."""
        return Plan(
            puzzle=puzzle,
            phases=self.phases,
            metric=metric,
            store=store or TableStore(),
            heuristics=tuple(heuristics) or (Max(),) * len(self.phases),
            name=self.name,
            profile=self.profile,
            fixed=self.fixed,
        )

    def phase_number(self, wanted: str) -> int:
        """The number of the phase with that name or number; a UsageError lists what there is."""
        for number, phase in enumerate(self.phases):
            if wanted in (phase.name, str(number)):
                return number
        known = ", ".join(f"{number} {phase.name}" for number, phase in enumerate(self.phases))
        raise UsageError(f"{self.name} has no phase {wanted!r}; it has {known}")
