"""Pictures of distributions, drawn by matplotlib, which only they need."""

from __future__ import annotations

from pathlib import Path

from puzzlekit.analysis.distribution.distribution import Distribution
from puzzlekit.errors import UsageError

KINDS = (".png", ".svg", ".pdf")


def check_picture(path: str) -> None:
    """Raise a UsageError where no picture can be drawn to a file of that name."""
    if Path(path).suffix.lower() not in KINDS:
        raise UsageError(f"{path}: a picture is a file {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: there is no directory {Path(path).parent}")
    check_matplotlib()


def check_matplotlib() -> None:
    """Raise a UsageError where there is nothing to draw pictures with."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError(
            "pictures are drawn by matplotlib, which is not installed: "
            "pip install 'puzzlekit[plot]'"
        ) from None


def draw(found: Distribution, path: str, log: bool = False) -> None:
    """Draw the states at each distance as bars; a UsageError as from `check_picture`.

    With `log` the axis of the states is logarithmic.
    """
    check_picture(path)
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    # Letters stay letters in an SVG file, which is the same each time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "puzzlekit"}):
        width = max(7, 0.6 * len(found.states))  # inches: room for the numbers
        figure = Figure(figsize=(width, 4), layout="constrained")
        axes = figure.add_subplot()
        depths = range(len(found.states))
        bars = axes.bar(depths, found.states, log=log, color="#3b75af")
        axes.bar_label(bars, [f"{count:,}" for count in found.states], fontsize=7, padding=2)
        axes.margins(y=0.15)
        axes.set_xticks(depths)
        axes.set_xlabel(f"distance ({found.metric})")
        axes.set_ylabel("states")
        if log:
            axes.set_ylim(bottom=0.5)  # at 1 the bar of a single state would have no height
        else:
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(
            f"{found.puzzle}, {found.method}, phase {found.phase}: {found.total:,} states, "
            f"at most {found.diameter}, mean {found.mean:.2f} {found.metric}",
            fontsize=10,
        )
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
