"""The plots of a comparison, drawn by matplotlib."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit_lab.experiment.record import WHOLE, CaseName, Run
from puzzlekit_lab.report.drawing import GREY, drawn, folded, legend, panels, pens
from puzzlekit_lab.report.row import common_starts
from puzzlekit_lab.report.statistics import LEAST_SECONDS
from puzzlekit_lab.report.summary import Summary, quality_of
from puzzlekit_lab.report.wording import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_MANY = 2000  # more points than this are drawn as pixels


class Plot(NamedTuple):
    """A plot as an SVG element, its title, and a caption that explains it."""

    title: str
    caption: str
    svg: str


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
        Plot(title, caption, drawn(f"{title}, {case}", partial(draw, summary, case)))
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
    heuristics = summary.heuristics_of(case)
    size = 2.2 * len(heuristics) + 0.4, 2.2 * len(phases) + 0.3
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(phases), len(heuristics), squeeze=False, sharex="row", sharey="row")
    for row, phase in zip(grid, phases, strict=True):
        for axes, heuristic in zip(row, heuristics, strict=True):
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
