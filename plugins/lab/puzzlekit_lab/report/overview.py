"""Heat maps: every puzzle and phase by every heuristic."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit_lab.report.drawing import drawn, folded, title_of
from puzzlekit_lab.report.plots import Plot
from puzzlekit_lab.report.row import Row
from puzzlekit_lab.report.summary import Summary
from puzzlekit_lab.report.wording import ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

_CAPTION = (
    "Each field compares one heuristic with {baseline} in one phase of a puzzle. Nodes and CPU "
    "time are ratios to {baseline}: 2 means twice as much. Cost is the change in the cost of the "
    "answers. A blue field is less than {baseline}, and an orange field is more. All numbers are "
    "geometric means over the instances that every heuristic solved."
)


class _Map(NamedTuple):
    title: str
    tell: Callable[[Row], Any]
    text: Callable[[Row], str]
    most: float  # beyond this ratio or its inverse, the colour does not change


def _longer(row: Row) -> str:
    change = 0 if row.cost_ratio is None else round(100 * (row.cost_ratio.value - 1))
    return f"{change:+}%" if change else "0%"


_MAPS = (
    _Map("Nodes", lambda row: row.node_ratio, lambda row: ratio(row.node_ratio), 16),
    _Map("CPU time", lambda row: row.time_ratio, lambda row: ratio(row.time_ratio), 16),
    _Map("Cost", lambda row: row.cost_ratio, _longer, 2),
)


def overview(summary: Summary) -> Plot | None:
    """Return the heat maps, or None if there is only one heuristic."""
    compared = [row for row in summary.rows if row.heuristic != row.baseline]
    if not compared:
        return None
    caption = _CAPTION.format(baseline=" or ".join(sorted({row.baseline for row in compared})))
    title = "All puzzles and phases"
    return Plot(title, caption, drawn(title, partial(_overview, summary, compared)))


def _overview(summary: Summary, rows: list[Row]) -> Figure:
    from matplotlib.figure import Figure

    places = list(dict.fromkeys((row.case, row.phase) for row in rows))
    names = [each for each in summary.heuristics if any(row.heuristic == each for row in rows)]
    size = 2.1 + 3 * max(0.62 * len(names), 1.2), 1.2 + 0.3 * len(places)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(1, len(_MAPS), squeeze=False)[0]
    for axes, what in zip(grid, _MAPS, strict=True):
        axes.set_title(what.title)
        axes.set_xticks(
            range(len(names)),
            list(map(folded, names)),
            rotation=35,
            ha="right",
            rotation_mode="anchor",
        )
        axes.set_yticks(range(len(places)), [])
        axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(places) - 0.5, -0.5))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for row in rows:
            place = names.index(row.heuristic), places.index((row.case, row.phase))
            _field(axes, place, what, row)
    grid[0].set_yticklabels([f"{case.puzzle} {title_of(phase)}" for case, phase in places])
    return figure


@cache
def _colours() -> Colormap:
    """Return the colours from blue (less) to orange (more), as in the other plots."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = ["#003f73", "#0072b2", "#8fc3e8", "#f7f7f7", "#f5b183", "#d55e00", "#7a3200"]
    return LinearSegmentedColormap.from_list("less and more", shades)


def _field(axes: Axes, place: tuple[int, int], what: _Map, row: Row) -> None:
    """Draw a field with its number. The field is white without a number."""
    from matplotlib.patches import Rectangle

    interval = what.tell(row)
    x, y = place
    colour: Any = "white"
    if interval is not None:
        share = log2(max(interval.value, 1e-9)) / log2(what.most)
        colour = _colours()(0.5 + 0.5 * min(max(share, -1), 1))
    axes.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, color=colour, linewidth=0))
    dark = interval is not None and sum(colour[:3]) < 1.4
    text = what.text(row) if interval is not None else "none"
    axes.text(x, y, text, ha="center", va="center", color="white" if dark else "black", fontsize=8)
