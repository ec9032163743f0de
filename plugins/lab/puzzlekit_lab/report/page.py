"""The report of a comparison: one self-contained HTML page."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from puzzlekit import UsageError
from puzzlekit_lab.distances.picture import check_matplotlib
from puzzlekit_lab.experiment.record import WHOLE, CaseName
from puzzlekit_lab.report.columns import (
    QUALITIES,
    RESULTS,
    TABLES,
    quality_cells,
    table_cells,
)
from puzzlekit_lab.report.findings import findings, wrong_claims
from puzzlekit_lab.report.summary import Summary


def write_page(summary: Summary, path: str | Path) -> None:
    """Write the report to a file, as a self-contained HTML page.

    The same records always give the same page. Raises UsageError if there are no rows, if the
    directory does not exist, or if matplotlib or Jinja is not installed.
    """
    if not summary.rows:
        raise UsageError("nothing to report: no run is finished")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: the directory {Path(path).parent} does not exist")
    check_matplotlib()
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise UsageError(
            "the report needs Jinja, which is not installed: pip install 'puzzlekit[plot]'"
        ) from None
    Path(path).write_text(_page(summary), encoding="utf-8", newline="\n")


def _page(summary: Summary) -> str:
    from importlib.resources import files

    from jinja2 import Environment, StrictUndefined

    from puzzlekit_lab.report.overview import overview

    source = files("puzzlekit_lab.report").joinpath("report.html.template").read_text("utf-8")
    made = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text: str = made.from_string(source).render(
        puzzles=list(dict.fromkeys(case.puzzle for case in summary.cases)),
        heuristics=summary.heuristics,
        instances=max(row.instances for row in summary.rows),
        runs=sum(summary.counts.values()),
        wrong=wrong_claims(summary),
        overview=overview(summary),
        cases=[_case(summary, case) for case in summary.cases],
        columns=RESULTS,
        qualities=QUALITIES,
        tables=TABLES,
        formulas=_formulas(summary.heuristics),
        settings=summary.settings,
        counts=summary.counts,
    )
    return text


def _formulas(heuristics: Sequence[str]) -> dict[str, str]:
    """Return the descriptions and parameters of the heuristics that are installed here."""
    from puzzlekit import find_heuristic
    from puzzlekit.search.heuristic import parameters

    found = {}
    for text in heuristics:
        with contextlib.suppress(UsageError):
            heuristic = find_heuristic(text)
            said = " ".join((type(heuristic).__doc__ or "").partition("\n\n")[0].split())
            fields = parameters(type(heuristic))
            values = [f"{each.alias} = {getattr(heuristic, each.name)}" for each in fields]
            found[text] = f"{said} {', '.join(values)}".replace("`", "").strip()
    return found


def _case(summary: Summary, case: CaseName) -> dict[str, Any]:
    from puzzlekit_lab.report.plots import plots

    qualities = [quality for quality in summary.qualities if quality.case == case]
    return {
        "name": str(case),
        "id": "-".join(filter(None, case)),
        "baseline": summary.rows_of(case)[0].baseline,
        "findings": findings(summary, case),
        "phases": [_phase(summary, case, phase) for phase in summary.phases(case)],
        "plots": plots(summary, case),
        "qualities": list(map(quality_cells, qualities)),
        "samples": sorted(
            {f"{each.phase}: {each.sample}" for each in qualities if each.how != "exhaustive"}
        ),
        "tables": [table_cells(tables) for tables in summary.tables_of(case)],
    }


def _phase(summary: Summary, case: CaseName, phase: str) -> dict[str, Any]:
    goals = [tables.goal for tables in summary.tables_of(case) if tables.phase == phase]
    return {
        "name": "all phases in sequence" if phase == WHOLE else phase,
        "goal": goals[0] if goals else "",
        "rows": [
            {
                "heuristic": row.heuristic,
                "baseline": row.heuristic == row.baseline,
                "claim": "claims admissible" if row.admissible else "",
                "refuted": row.refuted,
                "cells": [column.cell(row) for column in RESULTS],
            }
            for row in summary.rows_of(case, phase)
        ],
    }
