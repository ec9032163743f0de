"""Conversion of SVG to PNG by resvg, an optional dependency."""

from __future__ import annotations

from puzzlekit.errors import UsageError


def png(svg: str, width: int | None = None) -> bytes:
    """Return an SVG picture as a PNG file with a transparent background.

    `width` is in pixels; the default is the width of the SVG. Raises a UsageError if resvg is not
    installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(
            "PNG pictures need resvg, which is not installed: "
            "pip install 'puzzlekit[picture]'; SVG pictures need nothing"
        ) from None
    return bytes(svg_to_bytes(svg_string=svg, width=width))
