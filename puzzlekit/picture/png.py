"""SVG as PNG, drawn by resvg, which only this needs."""

from __future__ import annotations

from puzzlekit.errors import UsageError


def png(svg: str, width: int | None = None) -> bytes:
    """An SVG picture as a PNG file, `width` pixels wide; as wide as the SVG says without it.

    The background is transparent. A UsageError where resvg is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(
            "PNG pictures are drawn by resvg, which is not installed: "
            "pip install 'puzzlekit[picture]'; SVG pictures need nothing"
        ) from None
    return bytes(svg_to_bytes(svg_string=svg, width=width))
