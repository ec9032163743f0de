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
    from puzzlekit.analysis.distribution.bars import write_bars

    title = (
        f"{found.puzzle}, {found.method}, phase {found.phase}: {found.total:,} states, "
        f"at most {found.diameter}, mean {found.mean:.2f} {found.metric}"
    )
    write_bars(path, Path(path).suffix[1:].lower(), found.states, found.metric, title, log)
