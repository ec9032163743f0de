"""Draw distributions, with matplotlib."""

from __future__ import annotations

from pathlib import Path

from puzzlekit import UsageError
from puzzlekit_lab.distances.distribution import Distribution

KINDS = (".png", ".svg", ".pdf")


def check_picture(path: str) -> None:
    """Raise UsageError if no picture can be drawn to a file of that name."""
    if Path(path).suffix.lower() not in KINDS:
        known = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
        raise UsageError(f"{path}: the name of a picture must end in {known}")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: the directory {Path(path).parent} does not exist")
    check_matplotlib()


def check_matplotlib() -> None:
    """Raise UsageError if matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError(
            "pictures need matplotlib, which is not installed: pip install 'puzzlekit[plot]'"
        ) from None


def draw(found: Distribution, path: str, log: bool = False) -> None:
    """Draw the states at each distance as bars.

    If `log` is true, the axis of the states is logarithmic. Raises UsageError as `check_picture`
    does.
    """
    check_picture(path)
    from puzzlekit_lab.distances.bars import write_bars

    title = (
        f"{found.puzzle}, {found.method}, phase {found.phase}: {found.total:,} states, "
        f"at most {found.diameter}, mean {found.mean:.2f} {found.metric}"
    )
    write_bars(path, Path(path).suffix[1:].lower(), found.states, found.metric, title, log)
