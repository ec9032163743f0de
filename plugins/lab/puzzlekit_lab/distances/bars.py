"""Draw distributions as bars, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO


def write_bars(
    file: str | BytesIO, kind: str, states: Sequence[int], metric: str, title: str, log: bool
) -> None:
    """Write a bar chart of the states at each distance.

    Parameters
    ----------
    file
        Path or buffer to write to.
    kind
        Format of matplotlib, such as "svg".
    states
        Number of states at distance 0, 1, 2, ...
    metric
        Name of the metric, for the axis.
    title
        Title of the chart.
    log
        Whether the axis of the states is logarithmic.
    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    # Text stays text in the SVG, and the file is reproducible.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "puzzlekit"}):
        width = max(7, 0.6 * len(states))  # inches, with room for the numbers
        figure = Figure(figsize=(width, 4), layout="constrained")
        axes = figure.add_subplot()
        depths = range(len(states))
        bars = axes.bar(depths, states, log=log, color="#3b75af")
        axes.bar_label(bars, [f"{count:,}" for count in states], fontsize=7, padding=2)
        axes.margins(y=0.15)
        axes.set_xticks(depths)
        axes.set_xlabel(f"distance ({metric})")
        axes.set_ylabel("states")
        if log:
            axes.set_ylim(bottom=0.5)  # with 1, the bar of a single state would have no height
        else:
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(title, fontsize=10)
        undated = {"Date": None} if kind == "svg" else None
        figure.savefig(file, format=kind, dpi=150, metadata=undated)


def bars_svg(states: Sequence[int], metric: str) -> str:
    """Return the bar chart as an SVG element, or "" if matplotlib is not installed."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        return ""
    file = BytesIO()
    write_bars(file, "svg", states, metric, "", log=False)
    text = file.getvalue().decode()
    return text[text.index("<svg") :]
