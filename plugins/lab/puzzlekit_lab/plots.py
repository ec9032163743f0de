"""The plots of a comparison, as reproducible SVG, PDF and PNG."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from html import escape
from math import log2
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit_lab.algorithms.names import parted
from puzzlekit_lab.distances import check_matplotlib
from puzzlekit_lab.paired import Paired
from puzzlekit_lab.record import WHOLE, CaseName, Run
from puzzlekit_lab.statistics import LEAST_SECONDS, LEVEL, listed, ratio
from puzzlekit_lab.summary import Row, Summary, common_starts, quality_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, which are safe for the colour-blind; the baseline is grey.
_COLOURS = ("#444444", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS = "os^DvPX"
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))

GREY = "#999999"

_LONG = re.compile(r"(\.\d\d)\d+")  # coordinates keep hundredths of 1/72 inch

# Text stays text in SVG, and TrueType fonts are in PDF: journals refuse the Type 3 of matplotlib.
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "legend.frameon": False,
}

_MANY = 2000  # more points than this are drawn as pixels


class Pen(NamedTuple):
    """The colour, marker and line style of a heuristic in all plots."""

    colour: str
    marker: str
    line: Any


def pens(heuristics: Sequence[str]) -> Mapping[str, Pen]:
    """Return a pen for each heuristic. Colours repeat after seven, with other markers."""
    return {
        heuristic: Pen(
            _COLOURS[number % 7], _MARKERS[(number + number // 7) % 7], _LINES[number % 7]
        )
        for number, heuristic in enumerate(heuristics)
    }


def title_of(phase: str) -> str:
    """Return the name of a phase in a plot."""
    return "all phases" if phase == WHOLE else phase


def panels(phases: Sequence[str], height: float = 3.1) -> tuple[Figure, Mapping[str, Axes]]:
    """Return a figure with a panel per phase, up to three in a row. `height` is in inches."""
    from matplotlib.figure import Figure

    columns = min(len(phases), 3)
    rows = -(-len(phases) // columns)
    figure = Figure(figsize=(max(3.4 * columns, 5.2), height * rows + 0.5), layout="constrained")
    return figure, {
        phase: figure.add_subplot(rows, columns, number, title=title_of(phase))
        for number, phase in enumerate(phases, 1)
    }


def legend(figure: Figure) -> None:
    """Add one legend above all panels. From the third line on, it makes the figure higher."""
    found: dict[str, Any] = {}
    for each in figure.axes:
        handles, labels = each.get_legend_handles_labels()
        found.update(zip(labels, handles, strict=True))
    longest = max(map(len, found), default=0)
    columns = max(1, int(figure.get_figwidth() / (0.7 + 0.085 * longest)))
    lines = -(-len(found) // columns)
    figure.set_figheight(figure.get_figheight() + 0.2 * max(lines - 2, 0))
    figure.legend(found.values(), found.keys(), loc="outside upper left", ncols=columns)


def folded(text: str) -> str:
    """Return the text of a heuristic, broken into lines for a small panel.

    >>> folded("blended:a=3,b=0.125,c=1.5").split()
    ['blended:a=3,b=0.125,', 'c=1.5']
    """
    return re.sub(r"(.{14,}?[,/])", r"\1\n", text)


def as_svg(figure: Figure, label: str) -> str:
    """Return the SVG element of a figure, with a label for screen readers."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", dpi=110, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(?<= )(?:d|x|y)="[^"]*"', lambda found: _LONG.sub(r"\1", found[0]), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg[svg.index("<svg") :])
    used = set(re.findall(r"#(\w+)", svg))  # unused ids would clash with the next figure
    svg = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
    least = f"min-width: {0.65 * figure.get_figwidth():.1f}in"  # unreadable when smaller
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(label)}" style="{least}"', 1)


class Plot(NamedTuple):
    """A plot: its title, a caption that explains it, and how it is drawn."""

    title: str
    caption: str
    label: str
    draw: Callable[[], Figure]

    @property
    def svg(self) -> str:
        """The plot as an SVG element."""
        from matplotlib import rc_context

        with rc_context({**_STYLE, "svg.hashsalt": f"puzzlekit {self.label}"}):
            return as_svg(self.draw(), self.label)

    def save(self, directory: str | Path) -> list[Path]:
        """Write the plot as PDF and as PNG, and return the paths. The label gives the name."""
        from matplotlib import rc_context

        stem = re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")
        written = []
        with rc_context(_STYLE):
            figure = self.draw()
            for ending in ("pdf", "png"):
                path = Path(directory, f"{stem}.{ending}")
                dates = {"CreationDate": None} if ending == "pdf" else None
                figure.savefig(path, dpi=200, metadata=dates)
                written.append(path)
        return written


def write_plots(summary: Summary, directory: str | Path) -> list[Path]:
    """Write the plots of a report to a directory, each as PDF and as PNG; return the paths.

    The directory is created if it does not exist. Raises UsageError if matplotlib is not installed.
    """
    check_matplotlib()
    Path(directory).mkdir(parents=True, exist_ok=True)
    found = [overview(summary), *(each for case in summary.cases for each in plots(summary, case))]
    return [path for plot in found if plot is not None for path in plot.save(directory)]


_NODES = (
    "Each point is one instance. The horizontal axis shows the nodes that {baseline} generated. "
    "The vertical axis shows the nodes that another heuristic generated. Both axes are "
    "logarithmic. On the line both heuristics generated the same number of nodes. Below the line "
    "the other heuristic generated fewer nodes. A point beyond a dotted line is a run that reached "
    "a limit."
)
_CACTUS = (
    "The number of instances that each heuristic solved if each run has the given CPU time "
    "(logarithmic axis). The curve of a faster heuristic lies further to the left. The curve of a "
    "heuristic that solved fewer instances ends lower. Times below a microsecond are shown as a "
    "microsecond."
)
_ESTIMATES = (
    "Each column of bubbles belongs to a true distance from the goal. The area of a bubble is the "
    "share of the states at this distance that have the estimate. Estimates on the line are exact. "
    "Estimates below the line (blue) are too low and cost nodes. Estimates above the line (orange) "
    "are too high and may make answers longer. {source}"
)
_LENGTHS = (
    "The area of a bubble is the share of the answers with this cost. The bar marks the mean cost. "
    "Only instances that all heuristics solved are included."
)


def plots(summary: Summary, case: CaseName) -> list[Plot]:
    """Return the plots of a case: nodes, times, estimates against true distances, costs."""
    baseline = summary.rows_of(case)[0].baseline
    estimated = _ESTIMATES.format(source=_source(summary, case))
    several = len(summary.heuristics_of(case)) > 1
    searched = summary.phases(case) != (WHOLE,)
    drawings = [
        (several, "Nodes against nodes", _NODES.format(baseline=baseline), _nodes),
        (True, "Instances solved over time", _CACTUS, _cactus),
        (searched, "Estimates against true distances", estimated, _estimates),
        (True, "Costs of the answers", _LENGTHS, _lengths),
    ]
    return [
        Plot(title, caption, f"{title}, {case}", partial(draw, summary, case))
        for wanted, title, caption, draw in drawings
        if wanted
    ]


def _source(summary: Summary, case: CaseName) -> str:
    """Return which states the estimates cover, in words."""
    phases: dict[str, list[str]] = {"exhaustive": [], "sampled": [], "": []}
    for phase in summary.phases(case):
        if phase != WHOLE:
            known = [quality.how for quality in quality_of(summary.qualities, case, phase).values()]
            phases[known[0] if known else ""].append(phase)
    words = ("All states of {}.", "Sampled states of {}.", "The starts of the searches of {}.")
    found = zip(words, phases.values(), strict=True)
    return " ".join(text.format(listed(names)) for text, names in found if names)


def _nodes(summary: Summary, case: CaseName) -> Figure:
    figure, axes = panels(summary.phases(case))
    for phase, panel in axes.items():
        _nodes_panel(panel, summary, case, phase)
    legend(figure)
    return figure


def _nodes_panel(axes: Axes, summary: Summary, case: CaseName, phase: str) -> None:
    """Draw a point for each instance and heuristic. Unsolved instances lie at the edge."""
    group = summary.runs[case, phase]
    baseline = summary.rows_of(case, phase)[0].baseline
    solved = [run for runs in group.values() for run in runs.values() if run.solved]
    most = max([1, *(run.generated for run in solved)])
    least = min([most, *(max(run.generated, 1) for run in solved)])
    span = max(most / least, 10) ** 0.07
    cut = any(not run.solved for runs in group.values() for run in runs.values())
    edge, end = most * span**1.7, most * span ** (2.4 if cut else 1)
    points = sum(map(len, group.values()))

    def place(run: Run) -> float:
        return max(run.generated, 1) if run.solved else edge

    axes.axline((least, least), (most * 2, most * 2), color=GREY, linewidth=1, zorder=1)
    for heuristic, runs in group.items():
        if heuristic == baseline:
            continue
        pen = pens(summary.heuristics)[heuristic]
        pairs = [
            (place(group[baseline][start]), place(run))
            for start, run in runs.items()
            if start in group[baseline] and (run.solved or group[baseline][start].solved)
        ]
        axes.scatter(
            [x for x, _ in pairs],
            [y for _, y in pairs],
            s=18,
            color=pen.colour,
            marker=pen.marker,
            alpha=0.6,
            linewidths=0,
            label=heuristic,
            rasterized=points > _MANY,
        )
    axes.set(xscale="log", yscale="log", xlim=(least / span, end), ylim=(least / span, end))
    if cut:
        for line in (axes.axhline, axes.axvline):
            line(most * span, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
    axes.set(xlabel=f"nodes, {baseline}", ylabel="nodes, other heuristic")


def _cactus(summary: Summary, case: CaseName) -> Figure:
    figure, axes = panels(summary.phases(case), height=2.6)
    for phase, panel in axes.items():
        for heuristic, runs in summary.runs[case, phase].items():
            pen = pens(summary.heuristics)[heuristic]
            times = sorted(
                max(run.cpu_seconds, LEAST_SECONDS) for run in runs.values() if run.solved
            )
            panel.step(
                times,
                range(1, len(times) + 1),
                where="post",
                color=pen.colour,
                linestyle=pen.line,
                linewidth=1.4,
                marker=pen.marker,
                markersize=5,
                markevery=[-1] if times else [],
                label=heuristic,
            )
        panel.set(xscale="log", ylim=(0, None), xlabel="CPU time (s)", ylabel="instances solved")
    legend(figure)
    return figure


def estimates(
    summary: Summary, case: CaseName, phase: str, heuristic: str
) -> Counter[tuple[int, int]]:
    """Return the number of states for each pair of true distance and estimate.

    The states are the checked states of the `Quality`. If there is no `Quality`, they are the
    starts with a known optimal cost.
    """
    quality = quality_of(summary.qualities, case, phase).get(heuristic)
    if quality is not None and quality.pairs:
        return Counter({(distance, h): states for distance, h, states in quality.pairs})
    found: Counter[tuple[int, int]] = Counter()
    known = summary.optima(case, phase)
    for start, run in summary.runs[case, phase].get(heuristic, {}).items():
        if start in known:
            found[known[start], run.h] += 1
    return found


def _estimates(summary: Summary, case: CaseName) -> Figure:
    from matplotlib.figure import Figure

    phases = [phase for phase in summary.phases(case) if phase != WHOLE]
    heuristics: dict[str, str] = {}  # one candidate each: all algorithms have the same estimates
    for each in summary.heuristics_of(case):
        heuristics.setdefault(str(parted(each)[0]), each)
    size = 2.2 * len(heuristics) + 0.4, 2.2 * len(phases) + 0.3
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(phases), len(heuristics), squeeze=False, sharex="row", sharey="row")
    for row, phase in zip(grid, phases, strict=True):
        for axes, heuristic in zip(row, heuristics.values(), strict=True):
            _estimates_panel(axes, estimates(summary, case, phase, heuristic))
        row[0].set_ylabel(f"{phase}\nestimate")
    for axes, heuristic in zip(grid[0], heuristics, strict=True):
        axes.set_title(folded(heuristic))
    for axes in grid[-1]:
        axes.set_xlabel("true distance")
    return figure


def _estimates_panel(axes: Axes, found: Counter[tuple[int, int]]) -> None:
    """Draw a bubble for each pair. Its area is the share of the states at this distance."""
    from matplotlib.ticker import MaxNLocator

    at: Counter[int] = Counter()
    for (distance, _), states in found.items():
        at[distance] += states
    places = sorted(found)
    axes.axline((0, 0), (1, 1), color=GREY, linewidth=1, zorder=1)
    axes.scatter(
        [distance for distance, _ in places],
        [estimate for _, estimate in places],
        s=[max(70 * found[place] / at[place[0]], 1.5) for place in places],
        color=["#d55e00" if h > distance else "#0072b2" for distance, h in places],
        linewidths=0,
        alpha=0.85,
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))
    axes.margins(0.08)


def _lengths(summary: Summary, case: CaseName) -> Figure:
    from matplotlib.ticker import MaxNLocator

    heuristics = summary.heuristics_of(case)
    figure, axes = panels(summary.phases(case), height=0.9 + 0.28 * len(heuristics))
    names = list(map(folded, heuristics))
    for number, (phase, panel) in enumerate(axes.items()):
        group = summary.runs[case, phase]
        starts = common_starts(group)
        for line, heuristic in enumerate(heuristics):
            if not starts or heuristic not in group:
                continue
            costs = Counter(group[heuristic][start].cost or 0 for start in starts)
            colour = pens(summary.heuristics)[heuristic].colour
            shares = [120 * count / len(starts) for count in costs.values()]
            lines = [line] * len(costs)
            panel.scatter(list(costs), lines, s=shares, color=colour, alpha=0.75, linewidths=0)
            middle = sum(costs.elements()) / len(starts)
            panel.plot([middle] * 2, [line - 0.35, line + 0.35], color="black", linewidth=1.2)
        panel.set_yticks(range(len(heuristics)), names if number % 3 == 0 else [])
        panel.set(ylim=(len(heuristics) - 0.4, -0.6), xlabel=f"cost ({case.metric})")
        panel.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    return figure


_CAPTION = (
    "Each field compares one heuristic with {baseline} in one phase of a puzzle. Nodes and CPU "
    "time are ratios to {baseline}: 2 means twice as much. Cost is the change in the cost of the "
    "answers. A blue field is less than {baseline}, and an orange field is more. A star marks a "
    "significant difference (Wilcoxon's test with Holm's correction, p < 0.05). All numbers are "
    "geometric means over the instances that every heuristic solved."
)


class _Map(NamedTuple):
    title: str
    tell: Callable[[Row], Any]
    text: Callable[[Row], str]
    test: Callable[[Row], Paired | None]
    most: float  # beyond this ratio or its inverse, the colour does not change


def _longer(row: Row) -> str:
    change = 0.0 if row.cost_ratio is None else 100 * (row.cost_ratio.value - 1)
    return f"{change:+.{0 if abs(change) >= 0.95 else 1}f}%" if change else "0%"


_MAPS = (
    _Map(
        "Nodes",
        attrgetter("node_ratio"),
        lambda row: ratio(row.node_ratio),
        attrgetter("by_nodes"),
        16,
    ),
    _Map(
        "CPU time",
        attrgetter("time_ratio"),
        lambda row: ratio(row.time_ratio),
        attrgetter("by_time"),
        16,
    ),
    _Map("Cost", attrgetter("cost_ratio"), _longer, attrgetter("by_cost"), 2),
)


def overview(summary: Summary) -> Plot | None:
    """Return the heat maps, or None if there is only one heuristic."""
    compared = [row for row in summary.rows if row.heuristic != row.baseline]
    if not compared:
        return None
    caption = _CAPTION.format(baseline=" or ".join(sorted({row.baseline for row in compared})))
    title = "All puzzles and phases"
    return Plot(title, caption, title, partial(_overview, summary, compared))


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
    test = what.test(row)
    if test is not None and test.p_holm < LEVEL:
        text += "*"
    axes.text(x, y, text, ha="center", va="center", color="white" if dark else "black", fontsize=8)
