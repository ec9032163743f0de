"""`puzzlekit plugins`."""

from __future__ import annotations

from typing import Any

import click

from puzzlekit.cli import Command


@click.command("plugins", cls=Command, short_help="List plugins and their problems.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(json_lines: bool) -> int:
    """List the plugins with their origin, what they offer, and their problems.

    The environment variable PUZZLEKIT_WITHOUT names plugins to leave out, such as "lab,web".

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
            "files": [suffix for reader in plugin.readers for suffix in reader.suffixes],
            "problem": plugin.problem or None,
        }
        for plugin in manager().plugins
    ]


def plugin_lines() -> list[str]:
    """Return a line for each plugin. The problem of a plugin follows on a line of its own."""
    from puzzlekit.cli.messages import printable
    from puzzlekit.cli.output import columns

    plugins = plugin_records()
    if not plugins:
        return []
    titles = [title for title in plugins[0] if title != "problem"]
    texts = [[each[title] or "-" for title in titles] for each in plugins]
    rows = [[cell if isinstance(cell, str) else ", ".join(cell) for cell in row] for row in texts]
    title, *lines = columns([titles, *rows]).split("\n")
    found = [title]
    for plugin, line in zip(plugins, lines, strict=True):
        found.append(line)
        if plugin["problem"]:
            found.append(f"  broken: {printable(plugin['problem'])}")
    return found
