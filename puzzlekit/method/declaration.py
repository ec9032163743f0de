"""What an author declares: phases, and methods that chain them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.base import Heuristic, Max
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from puzzlekit.position.view import View

FIRST = "first"
IMPROVE = "improve"
PROVE = "prove"
BEAM = "beam"


@attrs.frozen
class PruningTable:
    """A pruning table of a phase: distances for each value of one to three coordinates together.

    `coordinates` names them, the first most significant; a sym coordinate can only be the first.
    `bits` an entry: 8, 4 (distances over 15 are stored as 15), or 2: the distance modulo 3, which
    the search follows from move to move; in a metric in which some move costs more than 1 it takes
    4 instead. Over a sym coordinate and partners, `fold` neighbouring values of the last one may
    share an entry, their least distance, which keeps far more than a table as small over less; and
    distances beyond `farthest`, by metric, are then not worked out but taken to be one more than
    that, which saves most of the time of building. A DeclarationError for what cannot be.

    With three `thresholds` a table over a `SymPairing`, of 2 bits an entry, tells which of them the
    distance reaches. With `hashed` there are so many entries for any number of coordinates, among
    them a `SymPairing`: an entry is the least distance of all that hashes to it, up to `farthest`,
    which has to be given. Such a table, one in a phase at most, is looked up last, where no more
    than that is left to go; it does not count for the estimate at the start, nor for a heuristic.

    An `additive` table counts only the moves that change its entry, and the text names the group
    whose distances are added: they count as one distance, which is admissible as no move may change
    the entries of two of them. Its entries have 4 or 8 bits.

    >>> PruningTable("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    coordinates: str
    bits: int = 4
    fold: int = 1
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    thresholds: tuple[int, ...] = ()
    hashed: int = 0
    additive: str = ""

    def __attrs_post_init__(self) -> None:
        self._check_special()
        if self.bits not in (2, 4, 8):
            raise DeclarationError(
                f"pruning table {self.coordinates}: entries have 2, 4 or 8 bits, not {self.bits}"
            )
        if self.fold < 1 or (self.bits == 2 and (self.fold > 1 or self.farthest)):
            raise DeclarationError(
                f"pruning table {self.coordinates}: entries of 2 bits cannot be folded or cut off"
            )
        special = self.bits == 2 or self.fold > 1 or self.farthest or self.hashed
        if self.additive and special:
            raise DeclarationError(
                f"pruning table {self.coordinates}: an additive one has entries of 4 or 8 bits, "
                "and is neither folded, cut off nor hashed"
            )
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise DeclarationError(
                f"pruning table {self.coordinates}: distances are worked out up to 1 at least"
            )

    def _check_special(self) -> None:
        """Raise a DeclarationError where thresholds or hashing do not fit the rest."""
        rising = sorted({0, *self.thresholds, 256}) == [0, *self.thresholds, 256]
        if self.thresholds and (self.bits != 2 or len(self.thresholds) != 3 or not rising):
            raise DeclarationError(
                f"pruning table {self.coordinates}: three thresholds, each larger than the one "
                "before it, are for entries of 2 bits"
            )
        if self.hashed and (
            self.thresholds or self.bits != 4 or self.fold > 1 or not 256 <= self.hashed <= 1 << 30
        ):
            raise DeclarationError(
                f"pruning table {self.coordinates}: a hashed one has 256 to 2^30 entries of 4 bits"
            )
        if self.hashed and any(farthest > 14 for farthest in self.farthest.values()):
            raise DeclarationError(
                f"pruning table {self.coordinates}: a hashed one tells distances up to 14"
            )


@attrs.frozen(eq=False, repr=False)
class Phase:
    """One step of a method: a goal that allowed moves reach, and how far it is.

    `goal` says in words what the phase achieves. `moves` lists the allowed moves: a family alone
    stands for all its powers, a name with an amount for itself ("U D R2 L2"). The goal is reached
    when every one of the `coordinates` is at one of its goals: that of the solved state, or with
    `goal_moves` all that these moves make of the solved state (such as the moves of the phases that
    follow). With `goal_turns`, rotations of the whole puzzle, it is also reached where these, or
    what they generate, turn the solved state first: the puzzle may then be held otherwise.

    Each of the `tables` is a `PruningTable`, or names the one to three coordinates over whose
    product one is built ("twist slice"), `bits` an entry. A coordinate that no table names is only
    looked at where all others are at a goal. With `turned` the tables, which are all over one sym
    coordinate, are looked up along every axis along which the puzzle looks different to it.
    `endings` is for beams: for so many last moves all ways to the goals of the tables are listed
    beforehand, which is worth its while where few of them are at what no table tells. `caps` limits
    by metric how costly this phase may get as the second one of the chaining "improve", and by
    "steps", for machines of one's own, how many steps it may take. With a `view` the phase is one
    of another puzzle, as which this one is then seen: its moves and coordinates are that puzzle's,
    and moves of the same names are done. Tables that are `additive` in one group stand together.
    """

    name: str
    goal: str
    moves: str
    coordinates: tuple[Coordinate, ...]
    tables: tuple[str | PruningTable, ...]
    heuristic: Heuristic = Max()
    bits: int = 4
    goal_moves: str = ""
    goal_turns: str = ""
    turned: bool = False
    endings: int = 0
    view: View | None = None
    caps: Mapping[str, int] = attrs.field(factory=dict)

    def __repr__(self) -> str:
        return f"Phase({self.name!r})"

    def __attrs_post_init__(self) -> None:
        for what, given in (("coordinates", self.coordinates), ("tables", self.tables)):
            if not isinstance(given, (tuple, list)):
                raise DeclarationError(
                    f"phase {self.name}: {what} are a tuple; one alone is written (one,)"
                )
        names = [coordinate.name for coordinate in self.coordinates]
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"phase {self.name}: coordinates need different names")
        if not 0 <= self.endings <= 6:
            raise DeclarationError(f"phase {self.name}: up to 6 last moves are listed")
        if not self.moves.split() or len(set(self.moves.split())) < len(self.moves.split()):
            raise DeclarationError(f"phase {self.name}: it needs moves, each named once")
        for table in self.pruning_tables:
            if not 1 <= len(self.coordinate_numbers(table)) <= (16 if table.hashed else 3):
                raise DeclarationError(f"phase {self.name}: a table reads 1 to 3 coordinates")
        added = [group[0].additive for group in self.groups if group[0].additive]
        if len(set(added)) < len(added):
            raise DeclarationError(
                f"phase {self.name}: the additive tables of a group have to stand together"
            )
        if self.turned and added:
            raise DeclarationError(f"phase {self.name}: a turned phase has no additive tables")
        hashed = sum(table.hashed > 0 for table in self.pruning_tables)
        if hashed > 1 or (hashed and self.turned):
            raise DeclarationError(
                f"phase {self.name}: one hashed pruning table at most, and none where it is turned"
            )

    @property
    def groups(self) -> tuple[tuple[PruningTable, ...], ...]:
        """The pruning tables by groups whose distances are added; most are one by itself.

        A hashed table is in none of them.
        """
        tables = [table for table in self.pruning_tables if not table.hashed]
        keyed = groupby(enumerate(tables), lambda each: each[1].additive or each[0])
        return tuple(tuple(table for _, table in own) for _, own in keyed)

    @property
    def pruning_tables(self) -> tuple[PruningTable, ...]:
        """The pruning tables, also those that are only named."""
        return tuple(
            PruningTable(table, self.bits) if isinstance(table, str) else table
            for table in self.tables
        )

    def coordinate_numbers(self, table: PruningTable) -> tuple[int, ...]:
        """The numbers of the coordinates that a table names."""
        names = [coordinate.name for coordinate in self.coordinates]
        for name in table.coordinates.split():
            if name not in names:
                raise DeclarationError(f"phase {self.name}: there is no coordinate {name!r}")
        return tuple(names.index(name) for name in table.coordinates.split())

    @property
    def read(self) -> set[int]:
        """The numbers of the coordinates that some table reads."""
        return {n for table in self.pruning_tables for n in self.coordinate_numbers(table)}

    def partners(self, coordinate: Coordinate) -> tuple[Coordinate, ...]:
        """The coordinates that share a pruning table with one."""
        found: dict[Coordinate, None] = {}
        for table in self.pruning_tables:
            parts = [self.coordinates[number] for number in self.coordinate_numbers(table)]
            if coordinate in parts:
                found.update((each, None) for each in parts if each is not coordinate)
        return tuple(found)

    def allowed(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The allowed moves, in the order in which they are searched (see `Puzzle.searched`)."""
        return self._named(self.moves, puzzle)

    def kept(self, puzzle: Puzzle) -> tuple[Move, ...]:
        """The goal moves, which lead from every goal of the phase to another one."""
        return self._named(self.goal_moves, puzzle)

    def turnings(self, puzzle: Puzzle) -> tuple[Effect, ...]:
        """All that the goal turns generate, no turn at all first."""
        steps = [move.effect for move in self._named(self.goal_turns, puzzle)]
        found = [puzzle.holdings[0]]
        for turned in found:  # grows while it is gone through
            for step in steps:
                effect = compose(turned, step, puzzle.modulus)
                if effect not in found:
                    found.append(effect)
        return tuple(found)

    def goal_states(self, puzzle: Puzzle) -> tuple[bytes, ...]:
        """The solved state turned by the goal turns; empty where there are none."""
        if not self.goal_turns:
            return ()
        return tuple(
            act(puzzle.solved, *turned, puzzle.modulus) for turned in self.turnings(puzzle)
        )

    def _named(self, names: str, puzzle: Puzzle) -> tuple[Move, ...]:
        moves: list[Move] = []
        for name in names.split():
            moves += puzzle.family_moves([name]) if name in puzzle.families else puzzle.moves(name)
        return puzzle.searched(dict.fromkeys(moves))  # "U U2" names U2 twice


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

    def phase_number(self, wanted: str) -> int:
        """The number of the phase with that name or number; a UsageError lists what there is."""
        for number, phase in enumerate(self.phases):
            if wanted in (phase.name, str(number)):
                return number
        known = ", ".join(f"{number} {phase.name}" for number, phase in enumerate(self.phases))
        raise UsageError(f"{self.name} has no phase {wanted!r}; it has {known}")
