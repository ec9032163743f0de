"""`puzzlekit check-plugin`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.testing import Result


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
def command(name: str, effort: str | None, only: str, seed: int | None, json_lines: bool) -> int:
    """Run the conformance checks of a puzzle or plugin.

    NAME is the name of a puzzle or of an installed plugin. The checks compare moves, notation,
    stickers, coordinates, tables and answers with the declarations. The exit code is 1 if a check
    fails. The module puzzlekit.testing runs the same checks in the tests of a plugin.

    \b
    Examples
      puzzlekit check-plugin cube2 --quick
      puzzlekit check-plugin rings --thorough --seed 7
      puzzlekit check-plugin rings --only notation --json
    """
    from puzzlekit.cli.announced import Announced
    from puzzlekit.cli.output import echo_json
    from puzzlekit.cli.progress import Stepping
    from puzzlekit.testing import checks_of
    from puzzlekit.testing.run import FAILED, run

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
        click.echo(_table(results))
    return int(any(result.outcome == FAILED for result in results))


def _table(results: list[Result]) -> str:
    """Format a line for each check. The reason of a failure or skip is on the next line."""
    from puzzlekit.cli.messages import printable
    from puzzlekit.cli.output import columns, several
    from puzzlekit.testing.run import FAILED, OK, SKIPPED

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
