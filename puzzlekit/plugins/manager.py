"""Finding and importing plugins, and calling their hooks. A broken plugin never affects others."""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from pkgutil import resolve_name
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from puzzlekit.errors import PluginError, UsageError
from puzzlekit.plugins import hooks
from puzzlekit.plugins.alarm import patience
from puzzlekit.plugins.core_commands import COMMANDS
from puzzlekit.plugins.hooks import (
    API_VERSION,
    CommandEntry,
    MetricReader,
    PuzzleEntry,
    PuzzleFamily,
    PuzzleReader,
    ServiceEntry,
    StrategyEntry,
)
from puzzlekit.search.estimates import BUILT_IN, heuristic_fault
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.solver import Origin, Solver
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.method import Method

__all__ = ["GROUP", "Plugin", "PluginManager", "manager", "origin_of"]

GROUP = "puzzlekit"
# What plugins offer, by the hooks for it: `puzzlekit_puzzles`, and so on.
_OFFERS = ("puzzles", "heuristics", "commands", "strategies", "services", "readers", "metrics")
#: The environment variable with the names of plugins to leave out, separated by commas.
WITHOUT = "PUZZLEKIT_WITHOUT"


class Plugin:
    """An installed plugin: where it comes from, what it offers, and why it is broken, if it is.

    `problem` is a message that says why the plugin is broken, or None. `entries` lists its puzzles;
    it is None until the plugin is imported. `families` lists its families of puzzles,
    `heuristics` its classes of heuristics, `commands` its commands, `readers` its readers of files
    that define a puzzle, and `metrics` those of files that describe a metric. `events` is empty
    until `PluginManager.events` is called.
    """

    def __init__(self, name: str, module: str, distribution: str) -> None:
        self.name = name
        self.module = module
        self.distribution = distribution
        self.problem: str | None = None
        self.entries: tuple[PuzzleEntry, ...] | None = None
        self.families: tuple[PuzzleFamily, ...] = ()
        self.heuristics: tuple[type[Heuristic], ...] = ()
        self.commands: tuple[CommandEntry, ...] = ()
        self.strategies: tuple[StrategyEntry, ...] = ()
        self.services: tuple[ServiceEntry, ...] = ()
        self.readers: tuple[PuzzleReader, ...] = ()
        self.metrics: tuple[MetricReader, ...] = ()
        self.events: tuple[Any, ...] = ()

    @property
    def offered(self) -> list[str]:
        """The names of the puzzles and families of this plugin."""
        return [each.name for each in self.entries or ()] + [each.name for each in self.families]


class UnknownPuzzleError(UsageError):
    """No puzzle, and no family of puzzles, has this name."""


class PluginManager:
    """The plugins in the entry-point group `puzzlekit`. They are imported only when needed."""

    def __init__(self) -> None:
        self._pluggy = pluggy.PluginManager("puzzlekit")
        self._pluggy.add_hookspecs(hooks)
        found = (plugin for plugin in _installed() if plugin.name not in left_out())
        self.plugins = sorted(found, key=lambda plugin: plugin.name)
        self._lock = threading.RLock()

    def entry(self, puzzle: str) -> PuzzleEntry:
        """Return the entry of the puzzle with this name.

        The search begins with the plugin of the same name and continues with all other plugins.
        Then it tries families of puzzles, and finally aliases and titles. Raises UsageError, which
        lists the puzzles, if the name is unknown or ambiguous. Raises PluginError with the reason
        if a plugin fails.
        """
        with self._lock:
            ordered = sorted(self.plugins, key=lambda plugin: plugin.name != puzzle)
            for plugin in ordered:
                for entry in self._entries(plugin):
                    if entry.name == puzzle:
                        return entry
                if plugin.name == puzzle and plugin.problem:
                    raise PluginError(f"the plugin {plugin.name} is broken: {plugin.problem}")
            found, problem = self._of_family(puzzle)
            found = found or self._of_other_name(puzzle)
            if found is not None:
                return found
            if problem is not None:
                raise problem
        known = ", ".join(sorted(entry.name for entry in self.entries()))
        known += "".join(f", {each.name} (as {each.example})" for each in self.families())
        known = f"available puzzles: {known or 'none'}{self.absent}"
        hint = " (puzzlekit.plugins.readers.load_file reads files)" if "." in puzzle else ""
        raise UnknownPuzzleError(f"there is no puzzle {puzzle!r}{hint}; {known}")

    @property
    def absent(self) -> str:
        """The plugins that are left out or broken, for the end of a message; empty if none are."""
        without, names = left_out(), [plugin.name for plugin in self.plugins if plugin.problem]
        told = f". PUZZLEKIT_WITHOUT leaves out the plugins {', '.join(without)}" if without else ""
        return f"{told} (broken plugins: {', '.join(names)})" if names else told

    def _of_family(self, puzzle: str) -> tuple[PuzzleEntry | None, PluginError | None]:
        """Return the entry of a family for a name, and the error of a family that failed.

        The name may have capitals and blanks. The error is not raised, because the name may belong
        to another puzzle.
        """
        problem: PluginError | None = None
        for name in dict.fromkeys((puzzle, "-".join(puzzle.lower().split()))):
            for family in self.families():
                try:
                    made = _made(family, name)
                except PluginError as error:  # another family may have the name
                    problem = problem or error
                else:
                    if made is not None:
                        return made, None
        return None, problem

    def _of_other_name(self, puzzle: str) -> PuzzleEntry | None:
        """Return the puzzle with this alias or title; raise UsageError if there are several."""
        from puzzlekit.plugins.names import named

        found = named(self.entries(), puzzle)
        if len(found) > 1:
            meant = " or ".join(sorted(each.name for each in found))
            raise UsageError(f"{puzzle!r} may mean {meant}: use one of these names")
        return found[0] if found else None

    def entries(self) -> list[PuzzleEntry]:
        """Import all plugins and return the puzzles of those that work."""
        with self._lock:
            return [entry for plugin in self.plugins for entry in self._entries(plugin)]

    def families(self) -> list[PuzzleFamily]:
        """Import all plugins and return every family of puzzles."""
        return self._offers("families")

    def _offers(self, what: str) -> list[Any]:
        """Import all plugins and return what those that work offer of one kind."""
        with self._lock:
            self.entries()
            return [each for plugin in self.plugins for each in getattr(plugin, what)]

    def events(self) -> list[Any]:
        """Import all plugins and return their events, sorted by name."""
        found: dict[str, Any] = {}
        with self._lock:
            self.entries()
            for plugin in self.plugins:
                if not plugin.problem:
                    plugin.problem = self._take_events(plugin, found)
        return [found[name] for name in sorted(found)]

    def _take_events(self, plugin: Plugin, found: dict[str, Any]) -> str | None:
        """Add the events of a plugin to `found`; return the problem if it is broken."""
        try:
            with patience():
                events = self._answers(self._pluggy.get_plugin(plugin.name), "puzzlekit_events")
        except BaseException as error:
            return _said(error)
        # The class is in the plugin `events`; a field tells its records from others.
        if strange := [each for each in events if not hasattr(each, "attempts")]:
            kind = type(strange[0]).__name__
            return f"puzzlekit_events yields a {kind}, {strange[0]!r}, instead of an Event"
        if taken := [each.name for each in events if each.name in found]:
            return f"it offers events that another plugin has: {', '.join(taken)}"
        if double := _double_names(_names(events)):
            return double
        found.update((each.name, each) for each in events)
        plugin.events = tuple(events)
        return None

    def commands(self) -> dict[str, CommandEntry]:
        """Import all plugins and return the commands of those that work, by name."""
        return {entry.name: entry for entry in sorted(self._offers("commands"))}

    def strategies(self) -> dict[str, StrategyEntry]:
        """Import all plugins and return the strategies of those that work, by name."""
        return {entry.name: entry for entry in self._offers("strategies")}

    def find(self, what: str, name: str, usual: str) -> Any:
        """Return the entry with this name among "strategies" or "services"; None if there is none.

        The plugin `usual` is asked first. Others are only imported if it does not have the entry.
        """
        found = (each for plugin in self._from(usual) for each in getattr(plugin, what))
        return next((each for each in found if each.name == name), None)

    def _from(self, usual: str) -> Iterator[Plugin]:
        """Yield all plugins, each when it is imported, beginning with one of them."""
        for plugin in sorted(self.plugins, key=lambda plugin: plugin.name != usual):
            with self._lock:
                self._entries(plugin)
            yield plugin

    def readers(self) -> list[PuzzleReader]:
        """Import all plugins and return the readers of puzzles of those that work."""
        return self._offers("readers")

    def metrics(self) -> list[MetricReader]:
        """Import all plugins and return the readers of metrics of those that work."""
        return self._offers("metrics")

    def heuristics(self) -> list[type[Heuristic]]:
        """The classes of heuristics of every plugin that works; all plugins are imported."""
        return self._offers("heuristics")

    def register(self, module: ModuleType, name: str) -> None:
        """Add a plugin that is not installed, such as a module of a notebook or a test."""
        self.entries()  # so that a name clash counts as a fault of the new plugin
        plugin = Plugin(name, module.__name__, "")
        self._ask(plugin, module)
        if plugin.problem:
            raise PluginError(f"the plugin {name} is broken: {plugin.problem}")
        self.plugins.append(plugin)

    def _entries(self, plugin: Plugin) -> tuple[PuzzleEntry, ...]:
        if plugin.entries is None and plugin.problem is None:
            try:
                with patience():
                    module = importlib.import_module(plugin.module)
            except BaseException as error:  # a plugin may raise anything
                plugin.problem = f"importing {plugin.module} failed: {_said(error)}"
            else:
                self._ask(plugin, module)
        return plugin.entries or ()

    def _ask(self, plugin: Plugin, module: ModuleType) -> None:
        """Store the offers of an imported plugin, or the problem if it is broken."""
        version = getattr(module, "puzzlekit_api", None)
        if version != API_VERSION:
            plugin.problem = (
                f"it states puzzlekit_api = {version!r}, but this puzzlekit has {API_VERSION}"
            )
            return
        try:
            self._pluggy.register(module, plugin.name)
            self._pluggy.check_pending()
            with patience():
                found = {what: self._answers(module, f"puzzlekit_{what}") for what in _OFFERS}
                plugin.problem = _wrong(found) or self._clash(plugin, found)
        except BaseException as error:
            plugin.problem = _said(error)
        if plugin.problem is None:
            puzzles = found.pop("puzzles")
            plugin.entries = tuple(each for each in puzzles if isinstance(each, PuzzleEntry))
            plugin.families = tuple(each for each in puzzles if isinstance(each, PuzzleFamily))
            for what, offered in found.items():
                setattr(plugin, what, tuple(offered))
        elif self._pluggy.has_plugin(plugin.name):
            self._pluggy.unregister(name=plugin.name)

    def _answers(self, module: object, hook: str) -> list[Any]:
        """Return all items that a plugin yields for a hook."""
        caller: Any = getattr(self._pluggy.hook, hook)
        return [
            each
            for implementation in caller.get_hookimpls()
            if implementation.plugin is module
            for each in implementation.function()
        ]

    def _clash(self, plugin: Plugin, found: Mapping[str, list[Any]]) -> str | None:
        """Return a message if another plugin, or the core, offers something of the same name.

        A puzzle belongs to the plugin of the same name. If there is none, the puzzle belongs to the
        plugin that was imported first, as heuristics, commands, and suffixes of files do.
        """
        others = [other for other in self.plugins if other is not plugin]
        taken = {name: other.name for other in others for name in other.offered}
        taken |= {other.name: other.name for other in others if plugin.name != other.name}
        if clash := _taken("puzzles", _names(found["puzzles"]), taken):
            return clash
        of_core = {"commands": COMMANDS, "heuristics": _names(BUILT_IN)}
        for what, title, names in (
            ("commands", "commands", _names),
            ("strategies", "strategies", _names),
            ("readers", "readers of files", _suffixes),
            ("metrics", "readers of metrics", _suffixes),
            ("heuristics", "heuristics", _names),
        ):
            taken = {name: other.name for other in others for name in names(getattr(other, what))}
            taken |= dict.fromkeys(of_core.get(what, ()), GROUP)
            if clash := _taken(title, names(found[what]), taken):
                return clash
        return None


def _made(family: PuzzleFamily, puzzle: str) -> PuzzleEntry | None:
    """Return the entry of a family for a name; raise PluginError if the family fails."""
    try:
        entry = family.entry(puzzle)
    except UsageError:
        raise
    except BaseException as error:
        raise PluginError(f"the family {family.name} is broken: {_said(error)}") from error
    if entry is not None and (not isinstance(entry, PuzzleEntry) or entry.name != puzzle):
        raise PluginError(f"the family {family.name} is broken: it returns {entry!r} for {puzzle}")
    return entry


def _taken(what: str, names: Iterable[str], owners: Mapping[str, str]) -> str | None:
    """Return a message if names of offers belong to other plugins, else None."""
    clashes = [f"{name} (of {owners[name]})" for name in names if name in owners]
    return f"it offers {what} that another plugin has: {', '.join(clashes)}" if clashes else None


def _names(found: Iterable[Any]) -> list[str]:
    return [each.name for each in found]


def _suffixes(readers: Iterable[Any]) -> list[str]:
    return [suffix for reader in readers for suffix in reader.suffixes]


def _wrong(found: Mapping[str, list[Any]]) -> str | None:
    """Return a message if something that a plugin offers is wrong, else None."""
    return (
        _wrong_entries(found["puzzles"])
        or next(filter(None, map(heuristic_fault, found["heuristics"])), None)
        or _wrong_targets(found["commands"], CommandEntry, "puzzlekit_commands", "command")
        or _wrong_targets(found["strategies"], StrategyEntry, "puzzlekit_strategies", "strategy")
        or _wrong_targets(found["services"], ServiceEntry, "puzzlekit_services", "service")
        or _double_names(_names(found["heuristics"]))
        or _wrong_readers(found["readers"], PuzzleReader, "puzzlekit_readers")
        or _wrong_readers(found["metrics"], MetricReader, "puzzlekit_metrics")
    )


def _wrong_entries(found: list[Any]) -> str | None:
    """Return a message if entries of a plugin are wrong, else None."""
    strange = [entry for entry in found if not isinstance(entry, (PuzzleEntry, PuzzleFamily))]
    if strange:
        kind = type(strange[0]).__name__
        return f"puzzlekit_puzzles yields a {kind}, {strange[0]!r}, instead of a PuzzleEntry"
    for entry in found:
        if isinstance(entry, PuzzleEntry) and (
            isinstance(entry.aliases, str)
            or not all(isinstance(each, str) for each in entry.aliases)
        ):
            return f"the aliases of {entry.name} have to be a tuple of strings: {entry.aliases!r}"
    return _double_names(_names(found))


def _wrong_targets(found: list[Any], wanted: type[Any], hook: str, what: str) -> str | None:
    """Return a message if entries of commands or strategies are wrong, else None."""
    for entry in found:
        if not isinstance(entry, wanted):
            kind = type(entry).__name__
            return f"{hook} yields a {kind}, {entry!r}, instead of a {wanted.__name__}"
        if not _is_target(entry.target):
            return f"the target of the {what} {entry.name} has to be 'module:attribute'"
    return _double_names(_names(found))


def _wrong_readers(found: list[Any], wanted: type[Any], hook: str) -> str | None:
    """Return a message if readers of files are wrong, else None."""
    for entry in found:
        if not isinstance(entry, wanted):
            kind = type(entry).__name__
            return f"{hook} yields a {kind}, {entry!r}, instead of a {wanted.__name__}"
        own = entry.suffixes
        if isinstance(own, str) or not own or not all(map(_is_suffix, own)):
            return (
                f"the suffixes of the reader {entry.name} have to be a tuple of strings in small "
                f"letters that begin with a dot: {own!r}"
            )
        if not _is_target(entry.target):
            return f"the target of the reader {entry.name} has to be 'module:function'"
    return _double_names(_names(found)) or _double_names(_suffixes(found))


def _is_suffix(text: object) -> bool:
    return isinstance(text, str) and text.rfind(".") == 0 < len(text) - 1 and text == text.lower()


def _is_target(text: str) -> bool:
    module, colon, attribute = text.partition(":")
    return bool(module and colon and attribute)


def _double_names(names: list[str]) -> str | None:
    double = {name for name in names if names.count(name) > 1}
    return f"it offers {', '.join(sorted(double))} more than once" if double else None


def _said(error: BaseException) -> str:
    """Return a message for an exception of a plugin. A KeyboardInterrupt is raised again."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    return f"{type(error).__name__}: {error}"


def _installed() -> Iterator[Plugin]:
    """Yield the plugins of the entry-point group, read directly from the metadata files.

    `importlib.metadata` would parse the metadata of every installed package, which takes as long
    as the rest of a short command.
    """
    seen: dict[str, Plugin] = {}
    for directory in sys.path:
        try:
            names = os.listdir(directory or ".")
        except OSError:
            continue
        for entry in names:
            if not entry.endswith((".dist-info", ".egg-info")):
                continue
            try:
                with open(os.path.join(directory, entry, "entry_points.txt"), "rb") as file:
                    text = file.read()
            except OSError:
                continue
            if b"[" + GROUP.encode() + b"]" not in text:
                continue
            distribution = entry.partition("-")[0]
            for name, module in _group(text.decode("utf-8", "replace")):
                plugin = Plugin(name, module, distribution)
                first = seen.setdefault(name, plugin)  # as for imports, the first on the path wins
                if first is not plugin and (
                    first.distribution == distribution or first.module == module
                ):
                    continue  # an older copy, or an older name: Python imports only one of them
                if first is not plugin:
                    plugin.problem = f"{first.distribution} has a plugin of the same name"
                yield plugin


def _group(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs (name, module) of the group in an entry_points.txt."""
    inside = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            inside = line == f"[{GROUP}]"
        elif inside and "=" in line and not line.startswith("#"):
            name, _, module = line.partition("=")
            yield name.strip(), module.strip()


def left_out() -> list[str]:
    """Return the names of the plugins that the environment variable PUZZLEKIT_WITHOUT lists."""
    return os.environ.get(WITHOUT, "").replace(",", " ").split()


@cache
def manager() -> PluginManager:
    """Return the plugin manager of this process."""
    return PluginManager()


def find_strategy(name: str, usual: str) -> type[Strategy] | None:
    """Return the class of a strategy that a plugin provides; None if no plugin does.

    `usual` is the plugin to ask first. Raises PluginError if the class cannot be imported.
    """
    entry = manager().find("strategies", name, usual)
    if entry is None:
        return None
    found = _imported(entry.target, f"the strategy {name}")
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise PluginError(f"the strategy {name} is not a subclass of Strategy: {found!r}")
    return found


def find_service(name: str, usual: str) -> Any:
    """Return the service with this name of a plugin; None if no plugin offers it.

    `usual` is the plugin to ask first. Raises PluginError if the service cannot be imported, and
    when a method is used that it does not have.
    """
    entry = manager().find("services", name, usual)
    return None if entry is None else _Service(entry)


class _Service:
    def __init__(self, entry: ServiceEntry) -> None:
        self._name = f"the service {entry.name}"
        self._offered = _imported(entry.target, self._name)

    def __getattr__(self, method: str) -> Any:
        if not hasattr(self._offered, method):
            raise PluginError(f"{self._name} has no method {method}: {self._offered!r}")
        return getattr(self._offered, method)

    def __call__(self, *given: Any) -> Any:
        return self._offered(*given)


def _imported(target: str, what: str) -> Any:
    """Return what is at the target of an entry; raise PluginError if it cannot be imported."""
    try:
        return resolve_name(target)
    except (ImportError, AttributeError) as error:
        raise PluginError(f"{what} cannot be imported: {error}") from error


@cache
def load(puzzle: str) -> Solver:
    """Return the solver for the puzzle with this name.

    The name may also be an alias or the title of the puzzle. Raises UsageError if there is no such
    puzzle. Raises PluginError if the plugin of the puzzle is broken.

    >>> import puzzlekit
    >>> puzzlekit.load("cube2").puzzle.title
    '2x2x2 cube'
    >>> puzzlekit.load("2x2x2") is puzzlekit.load("cube2")
    True
    """
    if not isinstance(puzzle, str):
        raise UsageError(f"the name of a puzzle has to be a string, not {type(puzzle).__name__}")
    entry = manager().entry(puzzle)
    if entry.name != puzzle:
        return load(entry.name)
    return _solver(entry, TableStore())


def _solver(entry: PuzzleEntry, store: TableStore) -> Solver:
    """Return the solver of a puzzle. If its methods are broken, it reads and draws positions."""

    def broken(error: BaseException) -> PluginError:
        return PluginError(f"the plugin of {entry.name} is broken: {_said(error)}")

    try:
        made = entry.puzzle()
        given = entry.goals, entry.steps, entry.rankings
        parts: list[Any] = [partial(each, made) if each else () for each in given]
        try:
            methods: Any = entry.methods(made)
            if isinstance(methods, Iterator):
                methods = partial(_yielded, entry, made)
            solver = Solver(made, methods, store, *parts)
        except Exception as error:
            solver = Solver(made, partial(_refused, broken(error), error), store, *parts)
    except BaseException as error:
        raise broken(error) from error
    solver.origin = origin_of(entry.name)
    return solver


def _refused(told: PluginError, cause: Exception) -> Iterator[Method]:
    """Raise the error of the methods of a plugin, when a method is first needed."""
    raise told from cause


def _yielded(entry: PuzzleEntry, puzzle: Puzzle) -> Iterator[Method]:
    """Yield the methods of a plugin, each when it is first needed."""
    try:
        yield from entry.methods(puzzle)
    except Exception as error:
        raise PluginError(f"the plugin of {entry.name} is broken: {_said(error)}") from error


def origin_of(puzzle: str) -> Origin:
    """Return the origin of the solver of a puzzle that a plugin declares."""
    return Origin(puzzle, _load_with_cache, (puzzle,), declared=True)


def _load_with_cache(puzzle: str, root: str | None) -> Solver:
    """Return the solver of a puzzle that keeps its tables in a directory; None for the usual."""
    usual = load(puzzle)
    return usual if root in (None, usual.store.root) else _elsewhere(puzzle, root)


@cache
def _elsewhere(puzzle: str, root: str | None) -> Solver:
    return _solver(manager().entry(puzzle), TableStore(root))


def is_puzzle(name: str) -> bool:
    """Whether a puzzle, maybe of a broken plugin, or a wrong one of a family has this name."""
    try:
        manager().entry(name)
    except (PluginError, UsageError) as error:
        return not isinstance(error, UnknownPuzzleError)
    return True


def available() -> list[str]:
    """Return the names of all puzzles that can be loaded.

    >>> "cube3" in available()
    True
    """
    return sorted(entry.name for entry in manager().entries())
