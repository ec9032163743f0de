"""Panels, colours and reproducible SVG for the plots of a comparison."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit_lab.experiment.record import WHOLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of Okabe and Ito, which are safe for the colour-blind; the baseline is grey.
_COLOURS = ("#444444", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS = "os^DvPX"
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))

GREY = "#999999"

_LONG = re.compile(r"(\.\d\d)\d+")  # coordinates keep hundredths of 1/72 inch

# Text stays text in the SVG.
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "legend.frameon": False,
}


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
    """Add one legend above all panels."""
    found: dict[str, Any] = {}
    for each in figure.axes:
        handles, labels = each.get_legend_handles_labels()
        found.update(zip(labels, handles, strict=True))
    longest = max(map(len, found), default=0)
    columns = max(1, int(figure.get_figwidth() / (0.7 + 0.085 * longest)))
    figure.legend(found.values(), found.keys(), loc="outside upper left", ncols=columns)


def folded(text: str) -> str:
    """Return the text of a heuristic, broken into lines for a small panel.

    >>> folded("blended:a=3,b=0.125,c=1.5").split()
    ['blended:a=3,b=0.125,', 'c=1.5']
    """
    return re.sub(r"(.{14,}?[,/])", r"\1\n", text)


def as_svg(figure: Figure, label: str) -> str:
    """Return the SVG element of a figure, with a label for screen readers."""
    from html import escape

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


def drawn(label: str, draw: Callable[[], Figure]) -> str:
    """Draw a figure in the style of all plots and return its SVG element."""
    from matplotlib import rc_context

    with rc_context({**_STYLE, "svg.hashsalt": f"puzzlekit {label}"}):
        return as_svg(draw(), label)
