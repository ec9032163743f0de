"""Make the tables of docs/heuristics.md from the records of a comparison.

    puzzlekit compare --puzzle cube2,cube3,cube4 --count 100 --seed 1 --output results
    python benchmarks/heuristics_page.py results --write docs/heuristics.md

The script prints Markdown. With --write it replaces everything after a marker line of a page.
--heuristic selects the heuristic that is compared with `max` (default: `blended`). The tables are:

- the share of the combinations of distances, and of the states, where the heuristic differs from
  `max`
- the nodes of the heuristic at the same bound, and how often it needs a larger bound
- the overestimates of the heuristic by true distance
- the results of every heuristic in each phase
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from puzzlekit_lab.record import WHOLE, CaseName, Quality, record_of
from puzzlekit_lab.statistics import (
    Interval,
    between,
    geometric_ratio,
    middle,
    milliseconds,
    percent,
    rounded,
)
from puzzlekit_lab.summary import Row, Summary, summarise

MARK = "<!-- what follows is made by benchmarks/heuristics_page.py -->\n"
FARTHEST = 12  # distances that are listed


def table(headings: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield f"| {' | '.join(headings)} |"
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def differences(summary: Summary, heuristic: str) -> Iterator[Sequence[str]]:
    """Yield for each phase how often a heuristic differs from `max`."""
    found = {(each.puzzle, each.phase, each.heuristic): each for each in summary.qualities}
    for tables in summary.tables:
        name = f"{tables.puzzle} `{tables.phase}`", str(len(tables.tables))
        quality = found.get((tables.puzzle, tables.phase, heuristic))
        if not tables.compared:
            yield *name, "-", "-", "-", "-", "one distance, so all heuristics are equal"
        elif quality is not None:
            yield (
                *name,
                f"{quality.vectors:,}",
                percent(quality.vectors_differ / max(quality.vectors, 1)),
                percent(quality.differ / max(quality.states, 1)),
                percent(quality.over / max(quality.states, 1)),
                states_of(quality),
            )


def same_bound(summary: Summary, case: CaseName, phase: str, heuristic: str) -> Interval | None:
    """Return the ratio of nodes to `max` over complete iterations of the same bound."""
    group = summary.runs[case, phase]
    pairs = []
    for start, run in group[heuristic].items():
        other = {each.bound: each.generated for each in group["max"][start].iterations[:-1]}
        for each in run.iterations[:-1]:
            if each.bound in other:
                pairs.append((each.generated, other[each.bound]))
    return geometric_ratio(*zip(*pairs, strict=True)) if pairs else None


def bounds(summary: Summary, heuristic: str) -> Iterator[Sequence[str]]:
    """Yield for each phase the nodes at the same bound, the bounds needed and the speed."""
    for case in summary.cases:
        for phase in summary.phases(case):
            group = summary.runs[case, phase]
            if phase == WHOLE or heuristic not in group or "max" not in group:
                continue
            last = [
                (run.iterations[-1].bound, group["max"][start].iterations[-1].bound)
                for start, run in group[heuristic].items()
                if run.solved and run.iterations and group["max"][start].iterations
            ]
            later = sum(one > other for one, other in last) / max(len(last), 1)
            rows = {row.heuristic: row for row in summary.rows_of(case, phase)}
            speeds = [rows[name].nodes_per_second or 0.0 for name in ("max", heuristic)]
            yield (
                f"{case.puzzle} `{phase}`",
                between(same_bound(summary, case, phase, heuristic)),
                percent(later),
                between(rows[heuristic].node_ratio),
                *(f"{speed / 1e6:.0f} M" for speed in speeds),
            )


def by_distance(summary: Summary, heuristic: str) -> Iterator[Sequence[str]]:
    """Yield for each phase the share of overestimated states by true distance."""
    for quality in summary.qualities:
        if quality.heuristic == heuristic and quality.vectors_differ:
            shares = []
            for distance in range(1, FARTHEST + 1):
                pairs = [(h, states) for at, h, states in quality.pairs if at == distance]
                every = sum(states for _, states in pairs)
                over = sum(states for h, states in pairs if h > distance)
                shares.append(percent(over / every) if every else "-")
            yield f"{quality.puzzle} `{quality.phase}`", *shares


def states_of(quality: Quality) -> str:
    """Return which states a quality covers."""
    which = "all" if quality.how == "exhaustive" else "sampled"
    return f"{which} {quality.states:,}"


def all_runs(summary: Summary) -> Iterator[Sequence[str]]:
    """Yield the rows of every heuristic in every phase; the first one of a phase names it."""
    for case in summary.cases:
        for phase in summary.phases(case):
            rows = summary.rows_of(case, phase)
            name = f"{case.puzzle}, {'all phases' if phase == WHOLE else f'`{phase}`'}"
            if rows[0].common < rows[0].instances:
                name += f"; means over {rows[0].common}"
            yield from ((name if row is rows[0] else "", *cells(row)) for row in rows)


def cells(row: Row) -> Sequence[str]:
    """Return the cells of a heuristic in a phase."""
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
    "phase",
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
    """Yield the lines of all tables."""
    yield f"### Where `{heuristic}` differs from `max`\n"
    headings = ("phase", "tables", "combinations", "differ", "states differ", "over", "states")
    yield from table(headings, differences(summary, heuristic))
    yield f"\n### Nodes of `{heuristic}` at the same bound\n"
    columns = "phase", "same bound", "larger bound", "all nodes", "`max` nodes/s", f"`{heuristic}`"
    yield from table(columns, bounds(summary, heuristic))
    yield f"\n### Overestimated by `{heuristic}`, by true distance\n"
    distances = [str(distance) for distance in range(1, FARTHEST + 1)]
    yield from table(("phase", *distances), by_distance(summary, heuristic))
    yield "\n### All runs\n"
    yield from table(HEADINGS, all_runs(summary))
    yield ""
    for name, values in summary.settings.items():
        yield f"- {name}: {'; '.join(values)}"


def main() -> None:
    """Read the records and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=Path, help="directory of runs.jsonl")
    parser.add_argument("--heuristic", default="blended", help="heuristic to set against max")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the tables into a page")
    options = parser.parse_args()
    lines = (options.directory / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    summary = summarise(map(record_of, lines))
    tables = "\n".join(page(summary, options.heuristic)) + "\n"
    if options.write is None:
        print(tables, end="")
    else:
        text, mark, _ = options.write.read_text(encoding="utf-8").partition(MARK)
        if not mark:
            parser.error(f"{options.write} has no line {MARK.strip()}")
        options.write.write_text(text + mark + "\n" + tables, encoding="utf-8")


if __name__ == "__main__":
    main()
