"""`puzzlekit workers`."""

from __future__ import annotations

from typing import Any

import click

from puzzlekit.cli import Command


@click.command("workers", cls=Command, short_help="Show the workers of a cluster.")
@click.argument("address")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(address: str, json_lines: bool) -> int:
    """Show the versions, engine, cache and speed of each worker at the ADDRESS of a scheduler.

    The exit code is 4 if there is no worker, if a worker does not work, or if it has another
    version than this process.

    \b
    Example
      puzzlekit workers tcp://127.0.0.1:8786
    """
    from puzzlekit.cli.output import echo_json

    here, workers = _workers(address)
    works = bool(workers) and not any(map(_problem, workers.values()))
    if json_lines:
        echo_json("workers", works=works, workers=workers)
    else:
        _show_workers(here, workers)
    return 0 if works else 4


def _workers(address: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the facts of this process and of each worker of a cluster, with their problems."""
    from puzzlekit_batch.clients import cluster_client
    from puzzlekit_batch.health import describe, health

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
