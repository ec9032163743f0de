"""The tables of docs/heuristics.md, made of the records that a comparison has left behind.

    puzzlekit compare --puzzle cube2,cube3,cube4 --count 100 --seed 1 --output results
    python benchmarks/heuristics_page.py results

Prints Markdown: first, for each phase, how many distances there are and for which share of their
vectors and of the states `blended` (or another heuristic: --heuristic) tells another estimate than
`max`; then, for each phase, what all heuristics took.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from puzzlekit.comparison.record import WHOLE, Quality, record_of
from puzzlekit.comparison.row import Row
from puzzlekit.comparison.summary import Summary, summarise
from puzzlekit.comparison.words import between, middle, milliseconds, percent, rounded


def table(headings: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(headings)} |"
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def differences(summary: Summary, heuristic: str) -> Iterator[Sequence[str]]:
    """For each phase what is known of where a heuristic differs from `max`."""
    found = {(each.puzzle, each.phase, each.heuristic): each for each in summary.qualities}
    for tables in summary.tables:
        name = f"{tables.puzzle} `{tables.phase}`", str(len(tables.tables))
        quality = found.get((tables.puzzle, tables.phase, heuristic))
        if not tables.compared:
            yield *name, "-", "-", "-", "-", "exact: every heuristic is the same"
        elif quality is not None:
            yield (
                *name,
                f"{quality.vectors:,}",
                percent(quality.vectors_differ / max(quality.vectors, 1)),
                percent(quality.differ / max(quality.states, 1)),
                percent(quality.over / max(quality.states, 1)),
                states_of(quality),
            )


def states_of(quality: Quality) -> str:
    """Which states a quality is about."""
    which = "all" if quality.how == "exhaustive" else "sampled"
    return f"{which} {quality.states:,}"


def cells(row: Row) -> Sequence[str]:
    """The cells of a heuristic in a phase."""
    worst = rounded(row.suboptimality_max)
    return (
        f"`{row.heuristic}`",
        f"{row.solved}/{row.instances}",
        middle(row.generated),
        between(row.node_ratio),
        milliseconds(row.cpu_seconds),
        between(row.time_ratio),
        middle(row.cost),
        between(row.cost_ratio),
        percent(row.optimal),
        "-" if row.phase == WHOLE else worst,
    )


HEADINGS = (
    "heuristic",
    "solved",
    "nodes",
    "/ `max`",
    "ms",
    "/ `max`",
    "cost",
    "/ `max`",
    "optimal",
    "worst",
)


def page(summary: Summary, heuristic: str) -> Iterator[str]:
    """The lines of all tables."""
    headings = ("phase", "tables", "vectors", "differ", "states differ", "over", "states")
    yield from table(headings, differences(summary, heuristic))
    for case in summary.cases:
        for phase in summary.phases(case):
            rows = summary.rows_of(case, phase)
            yield f"\n### {case.puzzle}, {'all phases' if phase == WHOLE else f'`{phase}`'}\n"
            if rows[0].common < rows[0].instances:
                yield f"Means are over {rows[0].common} instances.\n"
            yield from table(HEADINGS, map(cells, rows))
    yield ""
    for name, values in summary.settings.items():
        yield f"- {name}: {'; '.join(values)}"


def main() -> None:
    """Read the records and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=Path, help="where runs.jsonl is")
    parser.add_argument("--heuristic", default="blended", help="whose differences are listed")
    options = parser.parse_args()
    lines = (options.directory / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    summary = summarise(map(record_of, lines))
    print("\n".join(page(summary, options.heuristic)))


if __name__ == "__main__":
    main()
