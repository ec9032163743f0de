"""`puzzlekit doctor`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command

_NEEDED = ("attrs", "cattrs", "click", "cython", "filelock", "numpy", "pluggy", "rich")


@click.command("doctor", cls=Command, short_help="Show versions, cache and plugins.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(json_lines: bool) -> int:
    """Show versions, the cache and the plugins, and whether the engine is compiled.

    The exit code is 4 if the engine, the cache or a plugin does not work.
    """
    from puzzlekit.cli.output import columns, echo_json
    from puzzlekit.cli.plugins import plugin_lines, plugin_records
    from puzzlekit.plugins.manager import manager

    cache_rows, cache_works = _cache()
    engine_row, engine_works = _engine()
    lines = plugin_lines()
    rows = [*_versions(), engine_row, *cache_rows, *map(list, manager().facts())]
    broken = any(plugin.problem for plugin in manager().plugins)
    works = engine_works and cache_works and not broken
    if json_lines:
        echo_json(
            "doctor",
            works=works,
            engine_works=engine_works,
            cache_works=cache_works,
            facts=dict(rows),
            plugins=plugin_records(),
        )
    else:
        click.echo(columns(rows))
        click.echo()
        click.echo("\n".join(lines) or "no plugins are installed")
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


def _engine() -> tuple[list[str], bool]:
    """Say whether the engine is compiled, or why not, and return whether the engine works."""
    from importlib import import_module

    import cython

    from puzzlekit.cli.messages import ENGINE_HINT
    from puzzlekit.engine.compiled import MODULES, compiled_elsewhere, missing

    try:
        for name in MODULES:
            import_module(f"puzzlekit.engine.{name}")
    except Exception as error:  # a damaged file, or one of another version
        return ["engine", f"does not work: {error}; {ENGINE_HINT}"], False
    gone = missing()
    if not gone:
        return ["engine", "compiled"], True
    why = "there was no C compiler, or it failed, when puzzlekit was installed"
    if other := compiled_elsewhere():
        why = f"this source tree is imported, not the compiled installation in {other}"
    if len(gone) < len(MODULES):
        why = f"not compiled: {', '.join(gone)}; so the other modules run interpreted too"
    return ["engine", f"interpreted, much slower: {why} (Cython {cython.__version__})"], True


def _cache() -> tuple[list[list[str]], bool]:
    """Describe the cache, and return whether it can keep tables."""
    import os
    import tempfile

    from puzzlekit.cli.output import several, size
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
    rows = [
        ["cache", f"{store.root} ({writable})"],
        ["tables", f"{several(len(found), 'table')}, {total}{note}"],
    ]
    return rows, writable == "writable"
