"""The tables of a comparison in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from puzzlekit_lab.record import WHOLE, CaseName
from puzzlekit_lab.statistics import (
    NOTHING,
    Interval,
    middle,
    milliseconds,
    p_value,
    percent,
    ratio,
    ratio_of,
)
from puzzlekit_lab.summary import Row, Summary

_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "\n": " ",
}


def _interval(found: Interval | None) -> str:
    if found is None or found.low is None or found.high is None or found.low == found.high:
        return NOTHING
    return f"{ratio_of(found.low)} to {ratio_of(found.high)}"


def _record(row: Row) -> str:
    test = row.by_nodes
    return NOTHING if test is None else f"{test.wins}/{test.ties}/{test.losses}"


# The heading of each column, and the function that returns its cell for a row.
_COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("solved", lambda row: f"{row.solved}/{row.instances}"),
    ("nodes", lambda row: middle(row.generated)),
    ("mean nodes", lambda row: middle(row.generated_mean)),
    ("ratio", lambda row: ratio(row.node_ratio)),
    ("95% CI", lambda row: _interval(row.node_ratio)),
    ("W/T/L", _record),
    ("p", lambda row: p_value(row.by_nodes and row.by_nodes.p_holm)),
    ("CPU ms", lambda row: milliseconds(row.cpu_seconds)),
    ("ratio", lambda row: ratio(row.time_ratio)),
    ("95% CI", lambda row: _interval(row.time_ratio)),
    ("cost", lambda row: middle(row.cost)),
    ("optimal", lambda row: percent(row.optimal)),
)

_CAPTION = (
    "{case}: {count} instances. Nodes and CPU time are geometric means over the instances that "
    "every heuristic solved, except mean nodes, the arithmetic mean; cost is an arithmetic mean. "
    "Ratios are to {baseline} from the same start, with 95% bootstrap confidence intervals. W/T/L: "
    "instances with fewer, as many, and more nodes than {baseline}; p: Wilcoxon's signed-rank test "
    "of the nodes, with Holm's correction for {tests} comparisons."
)


def escaped(text: str) -> str:
    r"""Return text in which no character has a meaning for LaTeX.

    >>> print(escaped("max_sd: 50% & <0.001"))
    max\_sd: 50\% \& \textless{}0.001
    """
    return re.sub("|".join(map(re.escape, _SPECIAL)), lambda found: _SPECIAL[found[0]], text)


def write_latex(summary: Summary, path: str | Path) -> None:
    r"""Write a table for each case to a LaTeX file, to be included with \input.

    The document needs the package booktabs. A case is a `table*` with a caption and a label.
    """
    parts = ["% The document needs \\usepackage{booktabs}."]
    parts += ["\n".join(_table(summary, case)) for case in summary.cases]
    Path(path).write_text("\n\n".join(parts) + "\n", encoding="utf-8", newline="\n")


def _table(summary: Summary, case: CaseName) -> Iterator[str]:
    rows = summary.rows_of(case)
    caption = _CAPTION.format(
        case=case,
        count=f"{max(row.instances for row in rows):,}",
        baseline=rows[0].baseline,
        tests=sum(row.by_nodes is not None for row in summary.rows),
    )
    yield "\\begin{table*}\n\\centering\\small"
    yield f"\\caption{{{escaped(caption)}}}"
    yield f"\\label{{tab:{'-'.join(filter(None, case))}}}"
    yield f"\\begin{{tabular}}{{l{'r' * len(_COLUMNS)}}}\n\\toprule"
    yield _line("heuristic", *(heading for heading, _ in _COLUMNS))
    for phase in summary.phases(case):
        title = escaped("all phases" if phase == WHOLE else phase)
        yield f"\\midrule\n\\multicolumn{{{len(_COLUMNS) + 1}}}{{l}}{{\\emph{{{title}}}}} \\\\"
        for row in summary.rows_of(case, phase):
            yield _line(row.heuristic, *(cell(row) for _, cell in _COLUMNS))
    yield "\\bottomrule\n\\end{tabular}\n\\end{table*}"


def _line(*cells: str) -> str:
    shown = ("--" if cell == NOTHING else escaped(cell) for cell in cells)
    return f"{' & '.join(shown)} \\\\"
