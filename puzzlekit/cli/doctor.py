"""`puzzlekit doctor`."""

from __future__ import annotations

from typing import Any

import click

from puzzlekit.cli import Command

_NEEDED = ("attrs", "cattrs", "click", "cython", "filelock", "numpy", "pluggy", "rich")


@click.command("doctor", cls=Command, short_help="Show versions, cache and plugins.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Show the workers of the dask scheduler at this address, such as tcp://host:8786.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(cluster: str | None, json_lines: bool) -> int:
    """Show versions, the cache and the plugins, and whether the engine is compiled.

    With --cluster, show the same of each worker, and how fast it searches. The exit code is 4 if
    the engine, the cache or a plugin does not work, or if a worker has another version.

    \b
    Examples
      puzzlekit doctor
      puzzlekit doctor --cluster tcp://127.0.0.1:8786
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
    more = {}
    if cluster is not None:
        here, workers = _workers(cluster)
        works = works and bool(workers) and not any(map(_problem, workers.values()))
        more["workers"] = workers
    if json_lines:
        echo_json(
            "doctor",
            works=works,
            engine_works=engine_works,
            cache_works=cache_works,
            facts=dict(rows),
            plugins=plugin_records(),
            **more,
        )
    elif cluster is not None:
        _show_workers(here, workers)
    else:
        click.echo(columns(rows))
        click.echo()
        click.echo("\n".join(lines) or "no plugins are installed")
    return 0 if works else 4


def _workers(address: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the facts of this process and of each worker of a cluster, with their problems."""
    from puzzlekit.batches.clients import cluster_client
    from puzzlekit.batches.health import describe, health

    with cluster_client(address) as client:
        workers = health(client)
    here = describe()
    for facts in workers.values():
        if "host" in facts:
            faults = [
                f"other {name} than in this process"
                for name in ("puzzlekit", "plugins", "compiled")
                if facts[name] != here[name]
            ]
            faults += [f"the plugin {name} is broken" for name in facts["broken"]]
            faults += [] if facts["writable"] else ["the cache is not writable"]
            facts["problem"] = "; ".join(faults) or None
    return here, workers


def _problem(facts: dict[str, Any]) -> str | None:
    problem: str | None = facts["problem"]
    return problem


def _show_workers(here: dict[str, Any], workers: dict[str, dict[str, Any]]) -> None:
    from puzzlekit.cli.output import columns, several, size

    rows = [["worker", "host", "puzzlekit", "python", "engine", "nodes/s", "tables", "cache"]]
    for name, facts in {"this process": here, **workers}.items():
        if "host" in facts:
            tables = f"{facts['tables']} ({size(facts['bytes'])})"
            engine = "compiled" if facts["compiled"] else "interpreted"
            speed = f"{facts['nodes_per_second'] / 1e6:.1f}M"
            named = [facts["host"], facts["puzzlekit"], facts["python"], engine]
            rows.append([name, *named, speed, tables, facts["cache"]])
    click.echo(columns(rows, right=[5]))
    click.echo(several(len(workers), "worker"))
    for name, facts in workers.items():
        if problem := _problem(facts):
            click.echo(f"{name}: {problem}")


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

    from puzzlekit import engine
    from puzzlekit.cli.messages import ENGINE_HINT
    from puzzlekit.engine.compiled import MODULES, compiled_elsewhere, missing

    try:
        for name in MODULES:
            import_module(f"puzzlekit.engine.{name}")
    except Exception as error:  # a damaged file, or one of another version
        return ["engine", f"does not work: {error}; {ENGINE_HINT}"], False
    gone = missing(engine.__path__[0])
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
    from puzzlekit.store.store import TableStore

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
