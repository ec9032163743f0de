"""Make solvers from definitions."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from math import inf, prod
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from puzzlekit import (
    DeclarationError,
    Method,
    Move,
    NotationError,
    Optimal,
    Puzzle,
    Solver,
    TableStore,
    universal_method,
)
from puzzlekit.engine.fill import COMPILED
from puzzlekit.errors import DefinitionError
from puzzlekit.plugins.readers import read_text
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.groups import StabiliserLevels
from puzzlekit.puzzle.move import move_names
from puzzlekit.puzzle.orbit import Law
from puzzlekit.puzzle.position import Position
from puzzlekit.search.options import MANY_BYTES, missing_bytes
from puzzlekit.search.positions import Positions
from puzzlekit.search.solver import Origin
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.table import TableSpec
from puzzlekit_beam import Beam, WithFallback
from puzzlekit_definitions.behind import Behind, Later
from puzzlekit_definitions.build import Built, build
from puzzlekit_definitions.definition import (
    MAX_NAME,
    Definition,
    Numbers,
    Pattern,
    write_text_state,
)
from puzzlekit_definitions.derive_method import MEMORY, derive
from puzzlekit_definitions.generators import (
    read_gap,
    read_json,
    read_json_state,
    read_puzzle_info,
    write_json_state,
)
from puzzlekit_definitions.joined import joined
from puzzlekit_definitions.moves import with_derived
from puzzlekit_definitions.permutations import (
    PermutationDefinition,
    read_colours,
    write_colours,
)
from puzzlekit_definitions.phases import CHAIN, WORK_A_SECOND, NotYet, tried_phases, work_of
from puzzlekit_definitions.reach import Reach
from puzzlekit_definitions.text import read_ksolve, read_tws, read_tws_state
from puzzlekit_definitions.unrotated import Unrotated, rotations_of

if TYPE_CHECKING:
    from random import Random

# If a puzzle has more states than this number times the entries of its largest table, the default
# method does not try to prove its answers.
_MOST_STATES = 10**10
_MORE_NODES = 300_000_000  # for the phases, if they find no answer in the usual time
_AT_ONCE = 5.0  # CPU seconds for a method of several phases before the first answer
_FEW_NODES = 20_000_000  # of the search from both ends that also does rotations
_AT_MOST_AN_AXIS = 3  # moves of a derived move, such as a wide one
_SOON = "answers at once, then shortest ones, when their tables are built"
_LATER = "short answers, at first from the moves alone; in phases once they are derived"
_MOST_PLACES = 200  # of a puzzle for which a method of several phases is looked for


class DefinitionWarning(UserWarning):
    """A warning: a command of a definition is ignored, because it does not change the puzzle."""


class _Format(NamedTuple):
    """The functions that read and write a format."""

    read: Callable[[str, str, str], Definition]
    read_state: Callable[[str, str, Definition], Mapping[str, Pattern]]
    write_state: Callable[[Definition, Numbers], str]


_FORMATS = {
    "tws": _Format(read_tws, read_tws_state, write_text_state),
    "def": _Format(read_ksolve, partial(read_tws_state, strict=False), write_text_state),
    "json": _Format(read_json, read_json_state, write_json_state),
    "gap": _Format(read_gap, read_colours, write_colours),
    "csv": _Format(read_puzzle_info, read_colours, write_colours),
}

_COMMENT = re.compile(r"\s(#|//).*\Z")  # at the end of the last line, as after stickers


class DefinedPositions(Positions):
    """The positions of a puzzle from a definition: read and written in the format of its file."""

    def __init__(self, puzzle: Puzzle, built: Built, form: str, reach: Reach) -> None:
        super().__init__(puzzle)
        self.state_format = form
        self._built = built
        self._form = _FORMATS[form]
        self._reach = reach

    def read_position(
        self, text: str, scheme: str | None = None, order: str | None = None
    ) -> Position:
        """Return the position that a text describes; a state after moves is marked as reachable.

        A text that is not a scramble, or comes after `state:`, is a state in the format of the
        definition.
        """
        word, colon, rest = text.partition(":")
        if colon and word.strip().lower() == "state":
            return self._read_written(rest)
        try:
            position = super().read_position(text, scheme, order)
        except NotationError as error:
            numbers = text.partition(",")[0].strip().isdecimal()
            return self._read_written(text, None if numbers else error)
        self._reach.reached.add(position.state)
        return position

    def _read_written(self, text: str, error: NotationError | None = None) -> Position:
        """Return a state in the format of the definition. Raise `error` if it cannot be read."""
        try:
            return Position(self.from_written(text))
        except DefinitionError as fault:
            if (bare := _COMMENT.sub("", text)) != text:
                return self._read_written(bare, error)
            raise error or NotationError(str(fault)) from None

    def scrambled(self, scramble: str | Iterable[str | Move]) -> bytes:
        """Return the state after a scramble, and mark the state as reachable."""
        state = super().scrambled(scramble)
        self._reach.reached.add(state)
        return state

    def random_state(self, seed: int | Random | None = None) -> bytes:
        """Return a random reachable state.

        If the group of the moves is known, all reachable states are equally likely. Otherwise 500
        random moves make the state.
        """
        from random import Random

        return self._reach.random_state(seed if isinstance(seed, Random) else Random(seed))

    @property
    def draws_evenly(self) -> bool:
        """Whether `random_state` draws all reachable states equally likely."""
        return self._reach.order > 0

    @property
    def decides_reach(self) -> bool:
        """Whether it is proven that all states with possible sums and parities are reachable.

        If some orbits consist of stickers, the constraints do not say which stickers are together.
        """
        stickers = any(part.stickers for part in self._built.moving)
        return self._reach.is_complete and not stickers

    def stabiliser_levels(self) -> StabiliserLevels | None:
        """Return a chain of stabilisers of the group of the moves; None if it is not known."""
        return self._reach.levels()

    def from_written(self, text: str, source: str = "state") -> bytes:
        """Return the state that a string describes in the format of the definition.

        Parameters
        ----------
        text
            The state in the format of the definition.
        source
            The name that error messages use for the text.

        Raises
        ------
        DefinitionError
            If the text cannot be read.
        StateError
            If the state is impossible. The error names every fault.
        """
        definition = self._built.definition
        patterns = self._form.read_state(text, source, definition.written)
        state = self._built.pack(definition.taken(patterns))
        check(self.puzzle, state)
        return state

    def written(self, state: bytes) -> str:
        """Return a string that describes a state in the format of the definition."""
        definition = self._built.definition
        numbers = definition.given(self._built.patterns(state))
        return self._form.write_state(definition.written, numbers)


class DefinedSolver(Solver):
    """A solver whose puzzle and method come from a definition.

    `load_definition` and `parse_definition` return such a solver.
    """

    gives_up = True

    def __init__(self, built: Built, form: str, memory: int, store: TableStore | None) -> None:
        store = store or TableStore()
        self.reach = Reach(built, store)
        laws = (*built.puzzle.constraints, Law((), self._faults))
        puzzle = attrs.evolve(built.puzzle, constraints=laws)
        positions = DefinedPositions(puzzle, built, form, self.reach)
        super().__init__(puzzle, self._derived, store, positions=positions)
        self.built = built
        self._memory = memory

    def _derived(self) -> tuple[Method, ...]:
        """Return the methods, the default first.

        A method with an exact table is preferred: for all metrics, else for the default metric.
        If no method can be derived that proves its answers, or if its proofs would take too long, a
        method of several phases is the default, or the universal method if there is none. The
        answers of this method are upper bounds for the proving method.
        """
        universal = self._universal
        try:
            (derived,) = derive(self.puzzle, memory=self._memory).methods
            if not isinstance(derived.strategy, Optimal):
                return (derived,)
            default = self.puzzle.metrics[0]
            (own,) = derive(self.puzzle, memory=self._memory, metric=default).methods
        except DeclarationError:
            return (*self._phased(), universal)
        if not isinstance(own.strategy, Optimal):
            return (own, universal)
        (phase,) = derived.phases
        sizes = [
            prod(each.size for each in phase.coordinates_of(table))
            for table in phase.pruning_tables
        ]
        states = self.built.invariants.appearances or self.built.invariants.states
        hopeless = states > _MOST_STATES * max(sizes, default=1)
        others = (*self._phased(), universal)
        ready = (universal,) if isinstance(others[0].strategy, Behind) else others
        bounding = ready[0]
        proving = attrs.evolve(derived, strategy=Optimal(upper_bound_method=bounding.name))
        if hopeless:
            return (*others, proving)
        if not self._takes_long(proving):
            return (proving, *others)
        later = Later(lambda cancel: proving, ready, self.store)
        strategy = Behind(later, bounding.strategy)
        soon = attrs.evolve(bounding, name="soon", title=_SOON, strategy=strategy)
        return (soon, *others, proving)

    def _takes_long(self, method: Method) -> bool:
        """Whether tables of a method are missing that take long to build."""
        if work_of(method.phases) < _AT_ONCE * WORK_A_SECOND:
            return False
        alone = attrs.evolve(method, strategy=Optimal())
        return missing_bytes(Solver(self.puzzle, (alone,), self.store).choose()) > 0

    def _phased(self) -> tuple[Method, ...]:
        """Return a method of several phases, if one is found that works."""
        if self.puzzle.restricted:
            return ()  # there is no group
        large = sum(orbit.size for orbit in self.puzzle.orbits) > _MOST_PLACES
        if (known := self._known()) is not None:
            return (known,) if large else (known, self._phased_later())
        if large:
            return ()  # the search would take minutes and find none
        if (unrotated := self._unrotated()) is not None:
            return (unrotated,)
        try:
            found = self._tried(_AT_ONCE)
        except NotYet:
            return (self._phased_later(),)
        return () if found is None else (found,)

    def _phased_later(self) -> Method:
        """Return a method of several phases that is derived behind its first answer."""
        later = Later(partial(self._tried, inf), (self._universal,), self.store)
        strategy = Behind(later, self._universal.strategy)
        return attrs.evolve(self._universal, name="phases", title=_LATER, strategy=strategy)

    def _known(self) -> Method | None:
        """Return the method of the same puzzle of a plugin, if there is one."""
        if not COMPILED:
            return None  # building tables would take too long
        from puzzlekit_definitions.known import AsKnown, known_puzzle  # imports NumPy

        left_out = self._sequences()
        families = [family for family in self.puzzle.turns if family not in left_out]
        same = known_puzzle(self.puzzle, families, self.store)
        if same is None:
            return None
        from puzzlekit_universal import NearFirst

        title = f"answers of {same.other.name}, which is the same puzzle"
        known = attrs.evolve(
            self._universal,
            name="known",
            title=title,
            strategy=NearFirst(AsKnown(same), waits=True),
        )
        if missing_bytes(same.solver.choose()) <= MANY_BYTES:
            return known
        later = Later(lambda cancel: known, (self._universal,), self.store)
        return attrs.evolve(known, strategy=Behind(later, self._universal.strategy))

    def _unrotated(self) -> Method | None:
        """Return a method without rotations of the whole puzzle, if some moves are rotations."""
        families = [] if self.puzzle.forbidden else rotations_of(self.puzzle)
        if not families:
            return None
        from puzzlekit_universal import NearFirst

        definition = self.built.definition
        notation = self.puzzle.notation
        kept = []
        for move in with_derived(definition):
            with suppress(NotationError):  # it has no effect
                ((family, _),) = notation.parse(move.name)
                kept += [] if family in families else [move]
        without = build(attrs.evolve(definition, moves=tuple(kept), derived=()))
        solver = DefinedSolver(without, self.positions.state_format, self._memory, self.store)
        moduli = {
            name: dict(zip(solved.pieces, solved.moduli, strict=True))
            for name, solved in definition.solved.items()
        }

        def held(state: bytes) -> bytes:
            patterns = {
                name: Pattern(
                    tuple(pieces), tuple(turns), tuple(moduli[name][piece] for piece in pieces)
                )
                for name, (pieces, turns) in self.built.patterns(state).items()
            }
            own = without.pack(patterns)
            check(solver.puzzle, own)
            return own

        # The search without rotations goes further than the one with them.
        strategy = NearFirst(Unrotated(solver, held, tuple(families)), nodes=_FEW_NODES)
        title = f"{', '.join(families)} hold the puzzle right, the other moves solve it"
        return attrs.evolve(self._universal, name="unrotated", title=title, strategy=strategy)

    @cached_property
    def _universal(self) -> Method:
        return universal_method(self.puzzle)

    def _tried(self, seconds: float, cancel: Event | None = None) -> Method | None:
        """Return a method of several phases, if one is found that works."""
        found = tried_phases(
            self.puzzle,
            self.store,
            self._memory,
            self.reach.random_state,
            seconds,
            self._sequences(),
            cancel,
        )
        if found is None:
            return None
        from puzzlekit_universal import NearFirst

        method, first_seconds = found
        assert isinstance(method.strategy, Beam)
        secured = WithFallback(
            method.strategy,
            fallback="universal",
            more_nodes=_MORE_NODES,
            first_seconds=first_seconds,
        )
        return attrs.evolve(method, strategy=NearFirst(secured))

    def _sequences(self) -> list[str]:
        """Return the families that the file defines as longer sequences of other families."""
        found = []
        for move in self.built.definition.derived:
            with suppress(NotationError):  # it has a rotation
                steps = self.puzzle.notation.parse(move.text)
                if move.name in self.puzzle.turns and len(steps) > _AT_MOST_AN_AXIS:
                    found.append(move.name)
        return found

    def prepared(self, *arguments: Any, **options: Any) -> Strategy:
        """Return a chain, with its tables loaded or built, and the method of phases derived."""
        made = super().prepared(*arguments, **options)
        if isinstance(made, Behind):
            made.derive()
        other = getattr(made, "strategy", None)
        if isinstance(other, Unrotated):
            other.solver.prepared(metric=made.metric.name)
        return made

    def _faults(self, puzzle: Puzzle, state: bytes) -> list[str]:
        """Return why moves cannot reach a state that has no other fault."""
        fault = self.reach.fault(state)
        return [fault] if fault else []

    def announcement(self, key: TableSpec) -> str:
        """Return a line for the table for which methods of several phases are tried."""
        if key.name != CHAIN:
            return ""
        return f"deriving a method for {key.puzzle}, once: this may take a minute or two"

    @property
    def explanation(self) -> tuple[str, ...]:
        """Lines of text about the puzzle: notes on its moves, and facts about reachable states."""
        definition = self.built.definition
        return (*definition.warnings, *definition.notes, *self.built.notes, *self.reach.explained())

    def path(self, moves: str | Iterable[str | Move]) -> list[str]:
        """Return moves by the names of the definition file.

        If the file has permutations, a power that the file does not name is made of as few of its
        moves as possible, and an inverse that it does not name gets a minus sign, as in `-f0`.
        """
        text = moves if isinstance(moves, str) else move_names(moves) or ""
        found = self.puzzle.moves(text)
        definition = self.built.definition
        if isinstance(definition, PermutationDefinition):
            return definition.path(self.puzzle, found)
        return [move.name for move in found]


def load_definition(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    memory: int | None = None,
    store: TableStore | None = None,
) -> DefinedSolver:
    """Read a definition file and return a solver for its puzzle.

    `derive` derives the method of the solver. Nothing in the file is executed.

    Parameters
    ----------
    path
        The definition file. If a .csv file has several puzzles, the name of one of them follows
        after "#".
    format
        The format of the file: "tws" (twsearch), "def" (ksolve), "json" (KPuzzle of cubing.js, or
        permutations), "gap" (permutations) or "csv" (the puzzles of Santa 2023). Default: the
        ending of the file name.
    memory
        The most bytes for the tables of the derived method and for building the largest table.
        Default: 500 MB.
    store
        The store that keeps the tables. Default: the cache directory.

    Raises
    ------
    DefinitionError
        If the definition is wrong. The error names the position and what was expected.

    Warns
    -----
    DefinitionWarning
        If the file has a command that restricts searches, not the puzzle.
    """
    path, chosen = Path(path), ""
    if not path.exists():
        before, _, chosen = str(path).partition("#")
        path = Path(before)
    form = path.suffix[1:].lower() if format is None else format
    _check_format(form, str(path))
    return parse_definition(
        read_text(path),
        form,
        source=str(path),
        name=chosen or path.stem,
        memory=memory,
        store=store,
    )


def parse_definition(
    text: str,
    format: str,
    *,
    source: str = "definition",
    name: str = "puzzle",
    memory: int | None = None,
    store: TableStore | None = None,
) -> DefinedSolver:
    """Return a solver for the puzzle that a string defines.

    Errors and warnings are the same as for `load_definition`.

    Parameters
    ----------
    text
        The content of a definition file.
    format
        The format of the text: "tws" (twsearch), "def" (ksolve), "json" (KPuzzle of cubing.js, or
        permutations), "gap" (permutations) or "csv" (the puzzles of Santa 2023).
    source
        The name that error messages use for the text.
    name
        The name of the puzzle. It is used only if the text does not name the puzzle.
    memory
        The most bytes for the tables of the derived method and for building the largest table.
        Default: 500 MB.
    store
        The store that keeps the tables. Default: the cache directory.

    Examples
    --------
    >>> solver = parse_definition('''
    ... Set RING 5 1
    ... Solved
    ... RING
    ... 1 2 3 4 5
    ... End
    ... Move A
    ... RING
    ... 2 3 1 4 5
    ... End
    ... Move B
    ... RING
    ... 1 2 4 5 3
    ... End
    ... ''', "tws")
    >>> solver.puzzle.constraints
    (EvenParity(orbits=('RING',)), ...)
    >>> str(solver.solve("A B A'"))
    "A B' A'"
    """
    _check_format(format, source)
    memory = MEMORY if memory is None else memory
    shown = "".join(char if char.isprintable() else "?" for char in name)[:MAX_NAME].strip()
    if "\0" in text:
        line = f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}"
        raise DefinitionError("this is not text in UTF-8: it has a character 0", source, line)
    definition = _FORMATS[format].read(text.removeprefix("\ufeff"), source, shown or "puzzle")
    built = build(joined(definition))
    for warning in built.definition.warnings:
        warnings.warn(f"{source}: {warning}", DefinitionWarning, stacklevel=2)
    solver = DefinedSolver(built, format, memory, store)
    own = solver.puzzle.name
    solver.origin = Origin(own, parse_again, (text, format, own, memory))
    return solver


@lru_cache(maxsize=8)
def parse_again(
    text: str, format: str, name: str, memory: int, root: str | None = None
) -> DefinedSolver:
    """Return the solver of a definition that was read before, in this or another process.

    The parameters are those of `parse_definition`; `root` is the directory of the tables. Warnings
    are not repeated.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DefinitionWarning)
        return parse_definition(text, format, name=name, memory=memory, store=TableStore(root))


def _check_format(form: str, source: str) -> None:
    if form not in _FORMATS:
        problem = f"there is no format {form!r}; the formats are {', '.join(_FORMATS)}"
        if not form:
            problem = f"the name of a definition file has to end in .{', .'.join(_FORMATS)}"
        raise DefinitionError(problem, source)
