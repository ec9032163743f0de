"""Jobs: descriptions of work that can be sent to other processes."""

from __future__ import annotations

import threading
import uuid
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Choice, Limits, NoSolutionError, SearchOptions, __version__
from puzzlekit.plugins.manager import Plugin, manager, origin_of
from puzzlekit.search.solver import Origin

if TYPE_CHECKING:
    from puzzlekit import Puzzle, Solution, Solver

__all__ = ["Job", "Source", "new_token"]


@attrs.frozen
class Versions:
    """The facts that must be equal in all processes of a batch."""

    #: The version of puzzlekit.
    puzzlekit: str
    #: The distribution that provides the puzzle, with its version; empty for a definition.
    plugin: str
    #: A checksum of the moves of the puzzle.
    moves: int

    @classmethod
    def here(cls, origin: Origin, puzzle: Puzzle) -> Versions:
        """Return the versions in this process."""
        plugin = plugin_version(manager().provider(origin.puzzle)) if origin.declared else ""
        return cls(__version__, plugin, _checksum(puzzle))

    def differences(self, wanted: Versions) -> list[str]:
        """Say in which facts these versions differ from the wanted ones."""
        found = []
        if self.puzzlekit != wanted.puzzlekit:
            found.append(f"has puzzlekit {self.puzzlekit} instead of {wanted.puzzlekit}")
        if self.plugin != wanted.plugin:
            found.append(f"has the plugin {self.plugin} instead of {wanted.plugin}")
        if not found and self.moves != wanted.moves:
            found.append("declares other moves for the puzzle, with the same version numbers")
        return found


def plugin_version(plugin: Plugin) -> str:
    """Return the distribution of a plugin and its version.

    Return the name of the plugin if it is not installed but registered in this process.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{plugin.distribution} {version(plugin.distribution)}"
    except (PackageNotFoundError, ValueError):
        return plugin.name


def _checksum(puzzle: Puzzle) -> int:
    moves = [puzzle.move(family) for family in puzzle.families]
    effects = [
        (move.name, *((each.gather, each.add) if each else None for each in (move, *move.cases)))
        for move in moves
    ]
    return zlib.crc32(repr((puzzle.name, puzzle.solved, effects)).encode())


@attrs.frozen
class Source:
    """A solver as workers get it: how they make the solver, and the versions that they need."""

    origin: Origin
    versions: Versions

    @classmethod
    def of(cls, solver: Solver) -> Source:
        """Return the source of a solver of this process."""
        origin = solver.origin or origin_of(solver.puzzle.name)
        return cls(origin, Versions.here(origin, solver.puzzle))


def new_token() -> str:
    """Return a text that no other job has."""
    return uuid.uuid4().hex


@attrs.frozen
class Job(ABC):
    """The work of a batch, as it is sent to workers. A subclass states what is done for an item."""

    #: A text that no other job has.
    token: str
    #: The solvers that the job needs.
    sources: tuple[Source, ...]

    @abstractmethod
    def prepare(self, solvers: Sequence[Solver], cancel: threading.Event) -> Callable[[Any], Any]:
        """Return the function that does the work for an item, once everything is loaded.

        `solvers` are the solvers of `sources`. The function ends early once `cancel` is set.
        """


@attrs.frozen
class SolveJob(Job):
    """Solve states. The result for a state is a `Solution` or a NoSolutionError."""

    #: The options of the search. The profile is named, so that all workers use the same tables.
    options: SearchOptions
    #: The limits of each search.
    limits: Limits

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[bytes], Solution | NoSolutionError]:
        """Load or build the tables, and return the function that solves a state."""
        (solver,) = solvers
        choice = solver.choose(self.options)
        solver.make_ready(choice)
        return solving(solver, choice, self.limits._replace(cancel=cancel))


def solving(
    solver: Solver, choice: Choice, limits: Limits
) -> Callable[[bytes], Solution | NoSolutionError]:
    """Return the function that solves a state in this process."""

    def solve(state: bytes) -> Solution | NoSolutionError:
        try:
            return solver.search(state, choice, limits)
        except NoSolutionError as error:
            return error

    return solve
