"""`puzzlekit puzzles`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.search.solver import Solver


@click.command("puzzles", cls=Command, short_help="List puzzles, methods, metrics, vectors.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(json_lines: bool) -> int:
    """List the puzzles with their methods, goals, metrics and vectors.

    The first method and the first metric are the defaults. Families of puzzles come last. Every
    size of a family is a puzzle with a name of its own, such as tiles-3x4.

    \b
    Example
      puzzlekit puzzles
    """
    from puzzlekit.cli.messages import exit_code, print_error
    from puzzlekit.cli.output import columns, echo_json
    from puzzlekit.errors import PuzzlekitError
    from puzzlekit.plugins.alarm import patience
    from puzzlekit.plugins.manager import available, manager

    worst = 0
    records = []
    for name in available():
        try:
            with patience():
                record = _record(options.load_puzzle(name), manager().entry(name).aliases)
        except PuzzlekitError as error:
            print_error(error, f"{name}: ")
            worst = max(worst, exit_code(error))
            continue
        records.append(record)
        if not json_lines:
            click.echo(f"{name}: {record['title']}")
            click.echo(columns(_rows(record)))
    fields = ("name", "title", "sizes", "example")
    families = [{name: getattr(each, name) for name in fields} for each in manager().families()]
    if json_lines:
        echo_json("puzzles", puzzles=records, families=families)
        return worst
    for family in families:
        click.echo(f"{family['name']}: {family['title']}")
        click.echo(columns([["  sizes", family["sizes"]], ["  example", family["example"]]]))
    return worst


def _record(solver: Solver, aliases: tuple[str, ...]) -> dict[str, Any]:
    puzzle = solver.puzzle
    default = solver.method()
    methods = [default, *(method for method in solver.methods if method is not default)]
    searched = {metric.name for method in methods for metric in solver.metrics(method.name)}
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "aliases": list(aliases),
        "methods": [
            {
                "name": method.name,
                "title": method.title,
                "metrics": [metric.name for metric in solver.metrics(method.name)],
            }
            for method in methods
        ],
        "goals": [{"name": each.name, "title": each.words} for each in solver.goals.values()],
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
        "solved": solver.to_facelets(puzzle.solved) if puzzle.has_facelets else "",
        "numbered": puzzle.grid is not None,
    }


def _rows(record: dict[str, Any]) -> list[list[str]]:
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
