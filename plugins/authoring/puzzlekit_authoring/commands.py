"""The commands for authors of plugins: `puzzlekit new` and `puzzlekit check-plugin`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.output import columns, echo_json, printable, several

if TYPE_CHECKING:
    from puzzlekit_authoring.run import Result


@click.command("new", cls=Command, short_help="Write a plugin package to start from.")
@click.argument("name", metavar="NAME")
@click.option(
    "--directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Directory for the package; it must not exist yet. Default: puzzlekit-NAME.",
)
@click.option("--title", metavar="TEXT", help="Title of the puzzle. Default: NAME.")
@click.option(
    "--kind",
    default="twisty",
    metavar="KIND",
    help="Puzzle to start from. 'twisty': a Pyraminx without tips, whose moves follow from the "
    "names of its places. 'beads': two rings of beads, whose moves are lists of numbers. "
    "Default: twisty.",
)
def new(name: str, directory: Path | None, title: str | None, kind: str) -> int:
    """Write a plugin package for a puzzle called NAME.

    The package declares a small puzzle, and its comments say what to change. It also has an entry
    point, tests and a README. It works unchanged: you can install it, solve the puzzle and run the
    tests.

    \b
    Examples
      puzzlekit new tetra --title "My tetrahedron" --directory ~/puzzles/tetra
      puzzlekit new rings --kind beads
    """
    from puzzlekit_authoring.template import write_plugin

    made = write_plugin(name, directory, title, kind)
    for path in made.files:
        click.echo(path)
    click.echo(
        f"\nNext:\n  pip install -e '{made.directory}[test]'\n"
        f"  puzzlekit solve --puzzle {name} {made.scramble!r}\n  pytest {made.directory}"
    )
    return 0


@click.command(
    "check-plugin", cls=Command, short_help="Check that a plugin behaves as it declares."
)
@click.argument("name", metavar="NAME", shell_complete=options.complete_puzzles)
@click.option("--quick", "effort", flag_value="quick", help="Check fewer states, in seconds.")
@click.option(
    "--thorough", "effort", flag_value="thorough", help="Check many more states, and larger tables."
)
@click.option(
    "--only",
    default="",
    metavar="TEXT",
    help="Run only checks whose name or title contains this text.",
)
@options.seed_option
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per check.")
def check_plugin(
    name: str, effort: str | None, only: str, seed: int | None, json_lines: bool
) -> int:
    """Run the conformance checks of a puzzle or plugin.

    NAME is the name of a puzzle or of an installed plugin. The checks compare moves, notation,
    stickers, coordinates, tables and answers with the declarations. The exit code is 1 if a check
    fails. The module puzzlekit_authoring runs the same checks in the tests of a plugin.

    \b
    Examples
      puzzlekit check-plugin cube2 --quick
      puzzlekit check-plugin rings --thorough --seed 7
      puzzlekit check-plugin rings --only notation --json
    """
    from puzzlekit.cli.progress import Stepping
    from puzzlekit_authoring.announced import Announced
    from puzzlekit_authoring.run import FAILED, checks_of, run

    checks = checks_of(name, effort or "normal", seed or 0, only)
    results = []
    # The stores that keep the tables of the checked methods.
    stores = [each.target.solver.store for each in checks if len(each.target.path) > 1]
    with Stepping(len(checks), "checking") as shown, Announced(stores, shown) as news:
        for check in checks:
            shown.tell(str(check))
            result = run(check)
            results.append(result)
            news.quiet()
            if json_lines:
                echo_json(
                    "check-plugin",
                    name=check.name,
                    check=check.title,
                    about=check.about,
                    outcome=result.outcome,
                    reason=result.reason,
                    seconds=round(result.seconds, 6),
                )
    if not json_lines:
        click.echo(_check_table(results))
    return int(any(result.outcome == FAILED for result in results))


def _check_table(results: list[Result]) -> str:
    """Format a line for each check. The reason of a failure or skip is on the next line."""
    from puzzlekit_authoring.run import FAILED, OK, SKIPPED

    rows = [
        [result.check.name, result.check.title, result.outcome, f"{result.seconds:.2f} s"]
        for result in results
    ]
    lines = []
    for result, line in zip(results, columns(rows, right=[3]).split("\n"), strict=True):
        lines.append(line)
        if result.reason:
            lines.append(f"  {printable(result.reason)}")
    counts = {each: sum(r.outcome == each for r in results) for each in (OK, FAILED, SKIPPED)}
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    return "\n".join([*lines, "", f"{several(len(results), 'check')}: {told}"])
