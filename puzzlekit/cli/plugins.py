"""`puzzlekit plugins`."""

from __future__ import annotations

from typing import Any

import click

from puzzlekit.cli import Command


@click.command("plugins", cls=Command, short_help="List plugins and what is wrong with them.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(json_lines: bool) -> int:
    """List the plugins: where they come from, what they offer, what is wrong with them.

    \b
    Example
      puzzlekit plugins
    """
    if json_lines:
        from puzzlekit.cli.output import echo_json

        echo_json("plugins", plugins=plugin_records())
        return 0
    click.echo("\n".join(plugin_lines()) or "no plugins are installed")
    return 0


def plugin_records() -> list[dict[str, Any]]:
    """A record of each plugin."""
    from puzzlekit.plugins.manager import manager

    manager().entries()  # imports them all
    return [
        {
            "plugin": plugin.name,
            "module": plugin.module,
            "distribution": plugin.distribution,
            "puzzles": plugin.offered,
            "heuristics": [kind.name for kind in plugin.heuristics],
            "problem": plugin.problem or None,
        }
        for plugin in manager().plugins
    ]


def plugin_lines() -> list[str]:
    """A line for each plugin, and one below it for its problem if it has one."""
    from puzzlekit.cli.messages import printable
    from puzzlekit.cli.output import columns
    from puzzlekit.plugins.manager import manager

    manager().entries()  # imports them all
    plugins = manager().plugins
    if not plugins:
        return []
    rows = [["plugin", "module", "distribution", "puzzles", "heuristics"]] + [
        [
            plugin.name,
            plugin.module,
            plugin.distribution or "-",
            ", ".join(plugin.offered) or "-",
            ", ".join(kind.name for kind in plugin.heuristics) or "-",
        ]
        for plugin in plugins
    ]
    title, *lines = columns(rows).split("\n")
    found = [title]
    for plugin, line in zip(plugins, lines, strict=True):
        found.append(line)
        if plugin.problem:
            found.append(f"  broken: {printable(plugin.problem)}")
    return found
