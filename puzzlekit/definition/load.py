"""Solvers for puzzles from definitions."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit.analysis.derive.derive import MEMORY, derive
from puzzlekit.definition.build import Built, build
from puzzlekit.definition.definition import MAX_NAME, MAX_TEXT, Definition, Pattern
from puzzlekit.definition.kpuzzle import read_kpuzzle, read_kpuzzle_state
from puzzlekit.definition.ksolve import read_ksolve
from puzzlekit.definition.reach import Reach
from puzzlekit.definition.tws import read_tws, read_tws_state
from puzzlekit.definition.write import Numbers, write_kpuzzle_state, write_text_state
from puzzlekit.errors import DeclarationError, DefinitionError
from puzzlekit.position.position import Position
from puzzlekit.puzzle.constraint import Law
from puzzlekit.solve.solver import Solver
from puzzlekit.store.store import TableStore

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.method.method import Method
    from puzzlekit.puzzle.move import Move
    from puzzlekit.puzzle.puzzle import Puzzle


class DefinitionWarning(UserWarning):
    """A command of a definition restricts searches and is ignored."""


class _Format(NamedTuple):
    """The functions that read and write a format."""

    read: Callable[[str, str, str], Definition]
    read_state: Callable[[str, str, Definition], Mapping[str, Pattern]]
    write_state: Callable[[Definition, Numbers], str]


_FORMATS = {
    "tws": _Format(read_tws, read_tws_state, write_text_state),
    "def": _Format(read_ksolve, partial(read_tws_state, strict=False), write_text_state),
    "json": _Format(read_kpuzzle, read_kpuzzle_state, write_kpuzzle_state),
}


class DefinedSolver(Solver):
    """A solver whose puzzle and method come from a definition; `parse_definition` makes it.

    `explanation` describes the derived puzzle and method to people, line by line.
    """

    gives_up = True

    def __init__(self, built: Built, form: str, memory: int, store: TableStore | None) -> None:
        store = store or TableStore()
        self.reach = Reach(built, store)
        laws = (*built.puzzle.constraints, Law((), self._faults))
        puzzle = attrs.evolve(built.puzzle, constraints=laws)
        super().__init__(puzzle, self._derived, store)
        self.built = built
        self._form = _FORMATS[form]
        self._memory = memory

    def _derived(self) -> tuple[Method, ...]:
        """The derived methods; empty if none can be derived, because the puzzle is still useful."""
        try:
            return derive(self.puzzle, memory=self._memory).methods
        except DeclarationError as error:
            problem = f"no method can be derived: {error}"
            raise DefinitionError(problem, self.built.definition.source) from None

    def _faults(self, puzzle: Puzzle, state: bytes) -> list[str]:
        """Why moves cannot reach a state that has no other fault."""
        fault = self.reach.fault(state)
        return [fault] if fault else []

    @property
    def explanation(self) -> tuple[str, ...]:
        """Notes on the moves, and the known facts about reachable states."""
        definition = self.built.definition
        return (*definition.warnings, *definition.notes, *self.built.notes, *self.reach.explained())

    def read_position(self, text: str, scheme: str | None = None) -> Position:
        """The state that a scramble makes; one that can be reached, as its moves show."""
        position = super().read_position(text, scheme)
        self.reach.reached.add(position.state)
        return position

    def scrambled(self, scramble: str | Iterable[str | Move]) -> bytes:
        """The state that a scramble makes; one that can be reached, as its moves show."""
        state = super().scrambled(scramble)
        self.reach.reached.add(state)
        return state

    def random_state(self, seed: int | Random | None = None) -> bytes:
        """A random state; see `Reach.random_state` for its distribution."""
        from random import Random

        return self.reach.random_state(seed if isinstance(seed, Random) else Random(seed))

    def from_written(self, text: str, source: str = "state") -> bytes:
        """The state in a text in the format of the definition.

        Raise a DefinitionError for a text that cannot be read. Raise a StateError that names every
        fault for an impossible state.
        """
        from puzzlekit.diagnosis.diagnose import check

        patterns = self._form.read_state(text, source, self.built.definition)
        state = self.built.pack(patterns)
        check(self.puzzle, state)
        return state

    def written(self, state: bytes) -> str:
        """A state in the format of the definition."""
        return self._form.write_state(self.built.definition, self.built.patterns(state))


def load_definition(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    memory: int = MEMORY,
    store: TableStore | None = None,
) -> DefinedSolver:
    """The solver for a puzzle that a file defines; nothing in the file is executed.

    `format` is "tws" (twsearch), "def" (ksolve) or "json" (KPuzzle of cubing.js); by default, the
    ending of the file name. The method is derived from the puzzle, with tables of at most `memory`
    bytes; see `puzzlekit.derive`.

    Raise a DefinitionError with the position of a fault and what was expected. Commands that
    restrict searches, but not the puzzle, give a DefinitionWarning.
    """
    path = Path(path)
    form = path.suffix[1:].lower() if format is None else format
    _check_format(form, str(path))
    return parse_definition(
        read_text(path), form, source=str(path), name=path.stem, memory=memory, store=store
    )


def parse_definition(
    text: str,
    format: str,
    *,
    source: str = "definition",
    name: str = "puzzle",
    memory: int = MEMORY,
    store: TableStore | None = None,
) -> DefinedSolver:
    """The solver for a puzzle that a text defines; see `load_definition`.

    Parameters
    ----------
    text
        The text of a definition file.
    format
        Its format: "tws", "def" or "json".
    source
        The name of the text in error messages.
    name
        The name of the puzzle, if the text does not contain one.
    memory
        Bytes for all tables of the derived method, and for building the largest of them.
    store
        Where tables are kept. Default: the directory of the cache.

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
    shown = "".join(char if char.isprintable() else "?" for char in name)[:MAX_NAME].strip()
    built = build(_FORMATS[format].read(text.removeprefix("\ufeff"), source, shown or "puzzle"))
    for warning in built.definition.warnings:
        warnings.warn(f"{source}: {warning}", DefinitionWarning, stacklevel=2)
    return DefinedSolver(built, format, memory, store)


def _check_format(form: str, source: str) -> None:
    if form not in _FORMATS:
        problem = f"there is no format {form!r}; the formats are tws, def and json"
        if not form:
            problem = "the name of a definition has to end in .tws, .def or .json"
        raise DefinitionError(problem, source)


def read_text(path: Path) -> str:
    """The text of a file, with invalid UTF-8 replaced; a DefinitionError if it is too large."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_TEXT + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DefinitionError(reason, str(path)) from None
    if len(raw) > MAX_TEXT:
        raise DefinitionError(f"larger than {MAX_TEXT:,} bytes", str(path))
    return raw.decode("utf-8-sig", "replace")
