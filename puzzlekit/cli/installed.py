"""The commands about what is installed: puzzles, plugins and doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.output import (
    ENGINE_HINT,
    columns,
    echo_json,
    exit_code,
    print_error,
    printable,
    several,
    size,
)

if TYPE_CHECKING:
    from puzzlekit.search.solver import Solver

_NEEDED = ("attrs", "cattrs", "click", "cython", "filelock", "numpy", "pluggy", "rich")


@click.command("puzzles", cls=Command, short_help="List puzzles, methods, metrics, vectors.")
@click.argument("puzzle", required=False, shell_complete=options.complete_puzzles)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def puzzles(puzzle: str | None, json_lines: bool) -> int:
    """List the puzzles, or show the methods, goals, metrics and vectors of one.

    PUZZLE may also be a definition file. Its first method and first metric are the defaults.

    Families of puzzles come last. Every size of a family is a puzzle with a name of its own.

    \b
    Examples
      puzzlekit puzzles
      puzzlekit puzzles cube3
    """
    from puzzlekit.errors import PuzzlekitError
    from puzzlekit.plugins.alarm import patience
    from puzzlekit.plugins.manager import available, manager

    worst = 0
    records = []
    for name in available() if puzzle is None else [puzzle]:
        try:
            with patience():
                solver = options.load_puzzle(name)
                own = () if options.is_file(name) else manager().entry(name).aliases
                record = _puzzle_record(solver, own)
        except PuzzlekitError as error:
            if puzzle is not None:
                raise
            print_error(error, f"{name}: ")
            worst = max(worst, exit_code(error))
            continue
        records.append(record)
        if not json_lines:
            click.echo(f"{record['name']}: {record['title']}")
            if puzzle is not None:
                click.echo(columns(_puzzle_rows(record)))
    fields = ("name", "title", "sizes", "example")
    every = manager().families() if puzzle is None else ()
    families = [{name: getattr(each, name) for name in fields} for each in every]
    if json_lines:
        echo_json("puzzles", puzzles=records, families=families)
        return worst
    for family in families:
        click.echo(f"{family['name']}: {family['title']} (such as {family['example']})")
    if puzzle is None:
        click.echo("'puzzlekit puzzles cube3' shows the methods, goals and metrics of one")
    return worst


def _puzzle_record(solver: Solver, aliases: tuple[str, ...]) -> dict[str, Any]:
    puzzle = solver.puzzle
    default = solver.method()
    methods = [default, *(method for method in solver.methods if method is not default)]
    searched = {
        metric.name for method in methods for metric in solver.catalogue.metrics(method.name)
    }
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "aliases": list(aliases),
        "methods": [
            {
                "name": method.name,
                "title": method.title,
                "metrics": [metric.name for metric in solver.catalogue.metrics(method.name)],
            }
            for method in methods
        ],
        "goals": [
            {"name": each.name, "title": each.words} for each in solver.catalogue.goals.values()
        ],
        "metrics": [
            {"name": metric.name, "title": metric.title, "searched": metric.name in searched}
            for metric in puzzle.metrics
        ],
        "vectors": [
            {"names": list(orbit.vectors), "places": list(orbit.places)}
            for orbit in puzzle.orbits
            if orbit.vectors
        ],
        "faces": puzzle.layout.faces if puzzle.layout else "",
        "schemes": list(puzzle.layout.schemes) if puzzle.layout else [],
        "solved": solver.positions.to_facelets(puzzle.solved) if puzzle.has_facelets else "",
        "numbered": puzzle.grid is not None,
    }


def _puzzle_rows(record: dict[str, Any]) -> list[list[str]]:
    rows = [["  also", "", ", ".join(record["aliases"])]] if record["aliases"] else []
    rows += [["  method", each["name"], each["title"]] for each in record["methods"]]
    if record["goals"]:
        rows.append(["  goals", "", ", ".join(each["name"] for each in record["goals"])])
    for each in record["metrics"]:
        also = "" if each["searched"] else " (reported only)"
        rows.append(["  metric", each["name"], each["title"] + also])
    for each in record["vectors"]:
        rows.append(["  vectors", " ".join(each["names"]), "for " + " ".join(each["places"])])
    if record["faces"]:
        schemes = ", ".join(record["schemes"])
        rows.append(["  faces", record["faces"], f"colour schemes {schemes}"])
    if record["numbered"]:
        rows.append(["  state", record["solved"], "this one is solved"])
    return rows


@click.command("plugins", cls=Command, short_help="List plugins and their problems.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def plugins(json_lines: bool) -> int:
    """List the plugins with their origin, what they offer, and their problems.

    The environment variable PUZZLEKIT_WITHOUT names plugins to leave out, such as "lab,web".

    \b
    Example
      puzzlekit plugins
    """
    if json_lines:
        echo_json("plugins", plugins=plugin_records())
        return 0
    click.echo("\n".join(plugin_lines()) or "no plugins are installed")
    return 0


def plugin_records() -> list[dict[str, Any]]:
    """Return a record of each plugin."""
    from puzzlekit.plugins.manager import manager

    manager().entries()  # imports all plugins
    manager().events()
    return [
        {
            "plugin": plugin.name,
            "module": plugin.module,
            "distribution": plugin.distribution,
            "puzzles": plugin.offered,
            "heuristics": [kind.name for kind in plugin.heuristics],
            "events": [each.name for each in plugin.events],
            "commands": [each.name for each in plugin.commands],
            "files": [
                *(suffix for reader in plugin.readers for suffix in reader.suffixes),
                *(suffix for reader in plugin.metrics for suffix in reader.suffixes),
            ],
            "problem": plugin.problem or None,
        }
        for plugin in manager().plugins
    ]


def plugin_lines() -> list[str]:
    """Return a line for each plugin. The problem of a plugin follows on a line of its own."""
    plugins = plugin_records()
    if not plugins:
        return []
    kinds = ("puzzles", "heuristics", "events", "commands", "files")
    rows = [["plugin", "module", "distribution", "offers"]]
    for each in plugins:
        offers = "; ".join(f"{kind} {', '.join(each[kind])}" for kind in kinds if each[kind])
        rows.append([each["plugin"], each["module"], each["distribution"], offers or "-"])
    title, *lines = columns(rows).split("\n")
    found = [title]
    for plugin, line in zip(plugins, lines, strict=True):
        found.append(line)
        if plugin["problem"]:
            found.append(f"  broken: {printable(plugin['problem'])}")
    return found


@click.command("doctor", cls=Command, short_help="Show versions, cache and plugins.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def doctor(json_lines: bool) -> int:
    """Show versions, the cache and the plugins, and whether the engine is compiled.

    The exit code is 4 if the engine, the cache or a plugin does not work.
    """
    cache_rows, cache_works = _cache()
    engine_row, engine_works = _engine()
    rows = [*_versions(), engine_row, *cache_rows, *_conflict()]
    broken = any(each["problem"] for each in plugin_records())
    works = engine_works and cache_works and not broken
    if json_lines:
        parts = {"works": works, "engine_works": engine_works, "cache_works": cache_works}
        echo_json("doctor", **parts, facts=dict(rows), plugins=plugin_records())
    else:
        click.echo(f"{columns(rows)}\n")
        click.echo("\n".join(plugin_lines()) or "no plugins are installed")
    return 0 if works else 4


def _versions() -> list[list[str]]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from puzzlekit.version import __version__

    rows = [
        ["puzzlekit", __version__],
        ["python", f"{platform.python_version()} on {platform.platform(terse=True)}"],
    ]
    for name in _NEEDED:
        try:
            rows.append([name, version(name)])
        except PackageNotFoundError:
            rows.append([name, "not installed"])
    return rows


def _conflict() -> list[list[str]]:
    """Warn of the other program that calls its package puzzlekit, if both are installed here.

    Its distribution is called puzzlekit. It has no plugins of ours, as development installations
    under the former name of our distribution do.
    """
    from importlib.metadata import distributions

    from puzzlekit.plugins.manager import GROUP
    from puzzlekit.version import DISTRIBUTION

    for found in distributions(name="puzzlekit"):
        if not found.entry_points.select(group=GROUP):
            words = (
                f"the distribution puzzlekit {found.version}, installed here too, is another "
                "program with a package of the same name: remove it (pip uninstall puzzlekit) "
                f"and install this one again (pip install --force-reinstall {DISTRIBUTION})"
            )
            return [["warning", words]]
    return []


def _engine() -> tuple[list[str], bool]:
    """Say whether the engine is compiled, or why not, and return whether the engine works."""
    from importlib import import_module

    from puzzlekit.engine import compiled

    try:
        for name in compiled.MODULES:
            import_module(f"puzzlekit.engine.{name}")
    except Exception as error:  # a damaged file, or one of another version
        return ["engine", f"does not work: {error}; {ENGINE_HINT}"], False
    gone = compiled.missing()
    if compiled.is_compiled():
        return ["engine", "compiled"], True
    if not gone:
        return ["engine", f"interpreted, much slower: {compiled.INTERPRETED} is 1"], True
    why = "there was no C compiler, or it failed, when puzzlekit was installed"
    if other := compiled.compiled_elsewhere():
        why = f"this source tree is imported, not the compiled installation in {other}"
    if len(gone) < len(compiled.MODULES):
        why = f"not compiled: {', '.join(gone)}; so the other modules run interpreted too"
    return ["engine", f"interpreted, much slower: {why}"], True


def _cache() -> tuple[list[list[str]], bool]:
    """Describe the cache, and return whether it can keep tables."""
    import os
    import tempfile

    from puzzlekit.tables.store import TableStore

    store = TableStore()
    try:
        os.makedirs(store.root, exist_ok=True)
        with tempfile.TemporaryFile(dir=store.root):
            pass
        writable = "writable"
    except OSError as error:
        writable = f"not writable: {error.strerror or error}"
    found = store.entries()
    unusable = sum(stored.problem is not None for stored in found)
    note = f", {unusable} unusable" if unusable else ""
    total = size(sum(stored.nbytes for stored in found))
    tables = f"{several(len(found), 'table')}, {total}{note}"
    rows = [["cache", f"{store.root} ({writable})"], ["tables", tables]]
    return rows, writable == "writable"
