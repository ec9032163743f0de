"""Finding, importing and asking plugins; a broken one never takes the others down."""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from puzzlekit.errors import PluginError, UsageError
from puzzlekit.heuristic import registry
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.plugins import hooks
from puzzlekit.plugins.alarm import patience
from puzzlekit.plugins.hooks import API_VERSION, PuzzleEntry, PuzzleFamily
from puzzlekit.solve.solver import Solver
from puzzlekit.store.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.method.event import Event

GROUP = "puzzlekit"


class Plugin:
    """An installed plugin: where it comes from, and what became of it.

    `problem` says in words why it cannot be used; it is None while nothing is wrong. `entries`, its
    puzzles, is None until the plugin has been imported; `families` are its families of puzzles,
    `heuristics` the classes it offers, `events` its events, once `PluginManager.events` has asked.
    """

    def __init__(self, name: str, module: str, distribution: str) -> None:
        self.name = name
        self.module = module
        self.distribution = distribution
        self.problem: str | None = None
        self.entries: tuple[PuzzleEntry, ...] | None = None
        self.families: tuple[PuzzleFamily, ...] = ()
        self.heuristics: tuple[type[Heuristic], ...] = ()
        self.events: tuple[Event, ...] = ()

    @property
    def offered(self) -> list[str]:
        """The names of its puzzles and families."""
        return [each.name for each in self.entries or ()] + [each.name for each in self.families]


class PluginManager:
    """The plugins in the entry-point group `puzzlekit`, imported only when needed."""

    def __init__(self) -> None:
        self._pluggy = pluggy.PluginManager("puzzlekit")
        self._pluggy.add_hookspecs(hooks)
        self.plugins = sorted(_installed(), key=lambda plugin: plugin.name)
        self._lock = threading.RLock()

    def entry(self, puzzle: str) -> PuzzleEntry:
        """The entry of a puzzle; the plugin of the same name is asked first, then all others.

        Families of puzzles come next, and last the aliases and titles of all puzzles.

        A UsageError lists the puzzles that exist, or those that the name may mean; a PluginError
        says why a plugin failed.
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
        raise UsageError(f"there is no puzzle {puzzle!r}; there are {known or 'none'}{self.broken}")

    @property
    def broken(self) -> str:
        """A note on the plugins that are broken, or nothing."""
        names = [plugin.name for plugin in self.plugins if plugin.problem]
        return f" (broken plugins: {', '.join(names)})" if names else ""

    def _of_family(self, puzzle: str) -> tuple[PuzzleEntry | None, PluginError | None]:
        """The entry that a family has for a name, which may be in capitals and have blanks.

        Or why a family failed to say: it may be another name of a puzzle that works.
        """
        problem: PluginError | None = None
        for name in dict.fromkeys((puzzle, "-".join(puzzle.lower().split()))):
            for family in self.families():
                try:
                    made = _made(family, name)
                except PluginError as error:  # another family may have it
                    problem = problem or error
                else:
                    if made is not None:
                        return made, None
        return None, problem

    def _of_other_name(self, puzzle: str) -> PuzzleEntry | None:
        """The one puzzle that has an alias or title of this kind; a UsageError if several have."""
        from puzzlekit.plugins.names import named

        found = named(self.entries(), puzzle)
        if len(found) > 1:
            meant = " or ".join(sorted(each.name for each in found))
            raise UsageError(f"{puzzle!r} may be {meant}: say which by its name")
        return found[0] if found else None

    def entries(self) -> list[PuzzleEntry]:
        """Every puzzle of every plugin that works; all plugins are imported."""
        with self._lock:
            return [entry for plugin in self.plugins for entry in self._entries(plugin)]

    def families(self) -> list[PuzzleFamily]:
        """Every family of puzzles of every plugin that works; all plugins are imported."""
        with self._lock:
            self.entries()
            return [family for plugin in self.plugins for family in plugin.families]

    def events(self) -> list[Event]:
        """Every event of every plugin that works, by name; all plugins are imported."""
        found: dict[str, Event] = {}
        with self._lock:
            self.entries()
            for plugin in self.plugins:
                if not plugin.problem:
                    plugin.problem = self._take_events(plugin, found)
        return [found[name] for name in sorted(found)]

    def _take_events(self, plugin: Plugin, found: dict[str, Event]) -> str | None:
        """Add the events of a plugin to those found before; or why they cannot be used."""
        from puzzlekit.method.event import Event

        try:
            with patience():
                events = self._answers(self._pluggy.get_plugin(plugin.name), "puzzlekit_events")
        except BaseException as error:
            return _said(error)
        if strange := [each for each in events if not isinstance(each, Event)]:
            kind = type(strange[0]).__name__
            return f"puzzlekit_events yields a {kind}, {strange[0]!r}, in place of an Event"
        if taken := [each.name for each in events if each.name in found]:
            return f"it offers events that another has: {', '.join(taken)}"
        if double := _double(events):
            return double
        found.update((each.name, each) for each in events)
        plugin.events = tuple(events)
        return None

    def heuristics(self) -> list[type[Heuristic]]:
        """The classes of heuristics of every plugin that works; all plugins are imported."""
        with self._lock:
            self.entries()
            return [kind for plugin in self.plugins for kind in plugin.heuristics]

    def register(self, module: ModuleType, name: str) -> None:
        """Add a plugin that is not installed, such as a module of a notebook or a test."""
        self.entries()  # so that a clash is the newcomer's
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
            except BaseException as error:  # a stranger's failure stays the stranger's
                plugin.problem = f"importing {plugin.module} failed: {_said(error)}"
            else:
                self._ask(plugin, module)
        return plugin.entries or ()

    def _ask(self, plugin: Plugin, module: ModuleType) -> None:
        """Take what an imported plugin offers, or note why it cannot be used."""
        version = getattr(module, "puzzlekit_api", None)
        if version != API_VERSION:
            plugin.problem = (
                f"it states puzzlekit_api = {version!r}, this is puzzlekit with {API_VERSION}"
            )
            if version == API_VERSION - 1:
                from puzzlekit.plugins.failures import FROM_VERSION_1

                plugin.problem += f": {FROM_VERSION_1}. Then state puzzlekit_api = {API_VERSION}"
            return
        try:
            self._pluggy.register(module, plugin.name)
            self._pluggy.check_pending()
            with patience():
                entries = self._answers(module, "puzzlekit_puzzles")
                kinds = self._answers(module, "puzzlekit_heuristics")
                plugin.problem = (
                    _wrong_entries(entries)
                    or next(filter(None, map(registry.fault, kinds)), None)
                    or _double(kinds)
                    or self._clash(plugin, entries, kinds)
                )
        except BaseException as error:
            plugin.problem = _said(error)
        if plugin.problem is None:
            plugin.entries = tuple(each for each in entries if isinstance(each, PuzzleEntry))
            plugin.families = tuple(each for each in entries if isinstance(each, PuzzleFamily))
            plugin.heuristics = tuple(kinds)
        elif self._pluggy.has_plugin(plugin.name):
            self._pluggy.unregister(name=plugin.name)

    def _answers(self, module: object, hook: str) -> list[Any]:
        """All that a plugin yields for a hook."""
        caller: Any = getattr(self._pluggy.hook, hook)
        return [
            each
            for implementation in caller.get_hookimpls()
            if implementation.plugin is module
            for each in implementation.function()
        ]

    def _clash(
        self,
        plugin: Plugin,
        entries: list[PuzzleEntry | PuzzleFamily],
        kinds: list[type[Heuristic]],
    ) -> str | None:
        """Which others offer the same puzzles or heuristics, in words.

        A puzzle belongs to the plugin that is named like it, else to the first that was imported,
        as a heuristic does.
        """
        others = [other for other in self.plugins if other is not plugin]
        taken = {name: other.name for other in others for name in other.offered}
        taken |= {other.name: other.name for other in others if plugin.name != other.name}
        if (clash := _taken("puzzles", entries, taken)) or not kinds:
            return clash
        taken = {kind.name: other.name for other in others for kind in other.heuristics}
        taken |= {kind.name: GROUP for kind in registry.built_in()}
        return _taken("heuristics", kinds, taken)


def _made(family: PuzzleFamily, puzzle: str) -> PuzzleEntry | None:
    """The entry that a family has for a name; a PluginError where it fails to say."""
    try:
        entry = family.entry(puzzle)
    except UsageError:
        raise
    except BaseException as error:
        raise PluginError(f"the family {family.name} is broken: {_said(error)}") from error
    if entry is not None and (not isinstance(entry, PuzzleEntry) or entry.name != puzzle):
        raise PluginError(f"the family {family.name} is broken: it gives {entry!r} for {puzzle}")
    return entry


def _taken(what: str, found: Sequence[Any], owners: Mapping[str, str]) -> str | None:
    """Which of the things found have a name that belongs to someone else, in words."""
    clashes = [f"{each.name} (of {owners[each.name]})" for each in found if each.name in owners]
    return f"it offers {what} that another has: {', '.join(clashes)}" if clashes else None


def _wrong_entries(found: list[Any]) -> str | None:
    """What is wrong with the entries of one plugin, in words."""
    strange = [entry for entry in found if not isinstance(entry, (PuzzleEntry, PuzzleFamily))]
    if strange:
        kind = type(strange[0]).__name__
        return f"puzzlekit_puzzles yields a {kind}, {strange[0]!r}, in place of a PuzzleEntry"
    for entry in found:
        if isinstance(entry, PuzzleEntry) and (
            isinstance(entry.aliases, str)
            or not all(isinstance(each, str) for each in entry.aliases)
        ):
            return f"the aliases of {entry.name} are {entry.aliases!r}, and no tuple of texts"
    return _double(found)


def _double(found: list[Any]) -> str | None:
    names = [each.name for each in found]
    double = {name for name in names if names.count(name) > 1}
    return f"it offers {', '.join(sorted(double))} more than once" if double else None


def _said(error: BaseException) -> str:
    """What became of a plugin's code, in words; Ctrl-C is not its fault, and raised again."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    from puzzlekit.plugins.failures import said

    return said(error)


def _installed() -> Iterator[Plugin]:
    """The entry points of the group, read from the files themselves.

    `importlib.metadata` would parse the metadata of everything that is installed, which takes as
    long as the rest of a short command.
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
                first = seen.setdefault(name, plugin)  # earlier on the path wins, as for imports
                if first is not plugin and first.distribution == distribution:
                    continue  # an older copy, which is not imported either
                if first is not plugin:
                    plugin.problem = f"{first.distribution} has a plugin of the same name"
                yield plugin


def _group(text: str) -> Iterator[tuple[str, str]]:
    """The (name, module) pairs of the group in an entry_points.txt."""
    inside = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            inside = line == f"[{GROUP}]"
        elif inside and "=" in line and not line.startswith("#"):
            name, _, module = line.partition("=")
            yield name.strip(), module.strip()


@cache
def manager() -> PluginManager:
    """The manager of this process."""
    return PluginManager()


registry.sources.append(lambda: manager().heuristics())


@cache
def load(puzzle: str) -> Solver:
    """The puzzle of that name with its methods, ready to solve.

    Aliases and titles are understood too; they give the same solver.

    >>> import puzzlekit
    >>> puzzlekit.load("cube2").puzzle.title
    '2x2x2 cube'
    >>> puzzlekit.load("2x2x2") is puzzlekit.load("cube2")
    True
    """
    if not isinstance(puzzle, str):
        raise UsageError(f"the name of a puzzle is a text, not {type(puzzle).__name__}")
    entry = manager().entry(puzzle)
    if entry.name != puzzle:
        return load(entry.name)
    store = TableStore()
    try:
        made = entry.puzzle()
        return Solver(made, entry.methods(made), store)
    except BaseException as error:
        raise PluginError(f"the plugin of {puzzle} is broken: {_said(error)}") from error


def event(name: str) -> Event:
    """The event of that name; a UsageError lists the events that exist."""
    events = {each.name: each for each in manager().events()}
    if name not in events:
        known = ", ".join(events) or "none"
        raise UsageError(f"there is no event {name!r}; there are {known}{manager().broken}")
    return events[name]


def is_puzzle(name: str) -> bool:
    """Whether a puzzle has this name; it need not work."""
    try:
        manager().entry(name)
    except UsageError:
        return False
    except PluginError:
        pass
    return True


def available() -> list[str]:
    """The names of all puzzles that can be loaded.

    >>> "cube3" in available()
    True
    """
    return sorted(entry.name for entry in manager().entries())
