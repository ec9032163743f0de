"""The hooks that a plugin implements.

A plugin is a module named in the entry-point group `puzzlekit`:

    [project.entry-points.puzzlekit]
    cube2 = "puzzlekit_cube2"

The module states `puzzlekit_api = 2`, the version of this interface that it was written for. If the
entry point has the name of a puzzle, this puzzle is loaded without importing other plugins.
docs/hooks.md has an example of each hook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pluggy

# Every module of a plugin imports this one, even if only to add a command.
if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.puzzle.services import Goal
    from puzzlekit.search.heuristic import Heuristic
    from puzzlekit.search.method import Method

__all__ = ["API_VERSION", "MetricReader", "PuzzleReader", "ServiceEntry", "StrategyEntry"]


#: The version of the plugin interface. A plugin states it as `puzzlekit_api`.
API_VERSION = 2

hookspec = pluggy.HookspecMarker("puzzlekit")
#: A decorator for the functions of a plugin that implement a hook.
hookimpl = pluggy.HookimplMarker("puzzlekit")


class PuzzleEntry(NamedTuple):
    """A puzzle that a plugin provides. The puzzle is made when it is first needed."""

    #: Name of the puzzle in `--puzzle`.
    name: str
    #: A title for people.
    title: str
    #: Function without arguments that returns the puzzle.
    puzzle: Callable[[], Puzzle]
    #: Function that takes the puzzle and returns its methods, the default method first. A generator
    #: makes each method when it is first needed.
    methods: Callable[[Puzzle], Iterable[Method]]
    #: Other names of the puzzle, such as "3x3x3". Case, blanks and punctuation do not matter.
    aliases: tuple[str, ...] = ()
    #: Function that takes the puzzle and returns its named goals; None for no goals.
    goals: Callable[[Puzzle], Sequence[Goal]] | None = None
    #: Function that takes the puzzle and returns its step methods, the records `StepMethod` of the
    #: plugin `steps`; None for no step methods.
    steps: Callable[[Puzzle], Sequence[Any]] | None = None
    #: Function that takes the puzzle and returns more metrics by which `--sort` can order answers,
    #: such as `Hands`; None for none.
    rankings: Callable[[Puzzle], Sequence[Metric]] | None = None


class PuzzleFamily(NamedTuple):
    """Puzzles whose names contain their dimensions, such as numbers of rows and columns."""

    #: The form of the names, such as "tiles-MxN".
    name: str
    #: A title for people.
    title: str
    #: The possible numbers, in words.
    sizes: str
    #: One of the names.
    example: str
    #: Function that takes a name and returns its entry, or None if the name is not in this family.
    #: For a number out of range, it raises a UsageError that names the possible numbers.
    entry: Callable[[str], PuzzleEntry | None]
    #: Names of popular puzzles of the family, which the page offers.
    popular: tuple[str, ...] = ()


class CommandEntry(NamedTuple):
    """A command that a plugin adds to the command line."""

    #: Name of the command, as in `puzzlekit NAME`.
    name: str
    #: Where the click command or group is: "package.module:attribute". The module is imported only
    #: when the command runs.
    target: str
    #: What the command does, in a line for `puzzlekit --help`.
    summary: str
    #: Commands that users may expect, and options that they may look for in another command, such
    #: as "solve --jobs". The error then names this command.
    instead_of: tuple[str, ...] = ()


class StrategyEntry(NamedTuple):
    """A strategy that methods of other plugins can name."""

    #: Name of the strategy, as in `Named("NAME", "PLUGIN")`.
    name: str
    #: Where the class of the strategy is: "package.module:Class". The module is imported only when
    #: a search needs the strategy.
    target: str
    #: What the strategy does, in a line.
    summary: str


class ServiceEntry(NamedTuple):
    """Something that the core asks plugins for."""

    #: The service: "bidirectional", "coordinates", "goals", "pictures", "repairs", "symmetric" or
    #: "texts".
    name: str
    #: Where an object with the methods of the service is: "package.module:attribute". The module is
    #: imported only when the service is needed. docs/hooks.md names the methods of each.
    target: str


class PuzzleReader(NamedTuple):
    """A reader of files that define a puzzle, for `--puzzle FILE`."""

    #: Name of the reader, in lists and messages.
    name: str
    #: The suffixes of the files, in small letters, such as `(".tws", ".def")`.
    suffixes: tuple[str, ...]
    #: Where the function is that returns the `Solver` of a file: "package.module:function". The
    #: module is imported only when a file is read. The arguments are the path and `memory=`, the
    #: most bytes for tables, or None if the user sets no limit.
    target: str
    #: Whether a file is text and names no other file, so that the page can open it.
    reads_text: bool = True


class MetricReader(NamedTuple):
    """A reader of files that describe a metric, for `--metric FILE` and `--option sort=FILE`."""

    #: Name of the reader, in lists and messages.
    name: str
    #: The suffixes of the files, in small letters, such as `(".toml",)`.
    suffixes: tuple[str, ...]
    #: Where the function is that takes the path of a file and returns its `Metric`:
    #: "package.module:function". The module is imported only when a file is read.
    target: str


@hookspec
def puzzlekit_puzzles() -> Iterable[PuzzleEntry | PuzzleFamily]:
    """Yield the puzzles and families of puzzles that this plugin offers."""
    return ()


@hookspec
def puzzlekit_heuristics() -> Iterable[type[Heuristic]]:
    """Yield the classes of heuristics that this plugin offers.

    The fields of a class are its parameters. Each parameter has a default: a float, an int or a
    string. The type of the default is the type of the parameter. `join` accepts integers and NumPy
    arrays, and returns an estimate from 0 to 65,535.
    """
    return ()


@hookspec
def puzzlekit_events() -> Iterable[Any]:
    """Yield the events of competitions that this plugin offers, as `puzzlekit_events.Event`.

    The hook is called when an event is needed.
    """
    return ()


@hookspec
def puzzlekit_commands() -> Iterable[CommandEntry]:
    """Yield the commands that this plugin adds to the command line.

    The functions of the commands are called as click calls them. A command prints its results, and
    lets errors of puzzlekit pass: the command line turns them into messages and exit codes.
    """
    return ()


@hookspec
def puzzlekit_strategies() -> Iterable[StrategyEntry]:
    """Yield the strategies that this plugin offers to the methods of other plugins."""
    return ()


@hookspec
def puzzlekit_services() -> Iterable[ServiceEntry]:
    """Yield the services that this plugin offers to the core.

    The bundled plugin with a service comes first, then the first one by name.
    """
    return ()


@hookspec
def puzzlekit_readers() -> Iterable[PuzzleReader]:
    """Yield the readers of files that define a puzzle."""
    return ()


@hookspec
def puzzlekit_metrics() -> Iterable[MetricReader]:
    """Yield the readers of files that describe a metric.

    A metric from a file can sort answers. To be searched in, it has to be a `StepMetric`.
    """
    return ()
