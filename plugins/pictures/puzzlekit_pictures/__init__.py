"""Pictures of positions: SVG and PNG, grey stickers, and HTML for notebooks.

>>> import puzzlekit
>>> from puzzlekit_pictures import draw_svg, pictures
>>> cube = puzzlekit.load("cube3").puzzle
>>> list(pictures(cube))
['net', 'solid', 'top']
>>> draw_svg(cube, cube.solved, "top", only="face:U").startswith("<svg xmlns=")
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import ServiceEntry

if TYPE_CHECKING:
    from puzzlekit_pictures.notebook import beside as beside
    from puzzlekit_pictures.notebook import heading as heading
    from puzzlekit_pictures.notebook import table as table
    from puzzlekit_pictures.shapes import NetPicture as NetPicture
    from puzzlekit_pictures.shapes import SolidPicture as SolidPicture
    from puzzlekit_pictures.shapes import SpacePoint as SpacePoint
    from puzzlekit_pictures.shapes import TopPicture as TopPicture
    from puzzlekit_pictures.shapes import inset as inset
    from puzzlekit_pictures.svg import Stickers as Stickers
    from puzzlekit_pictures.svg import css_colour as css_colour
    from puzzlekit_pictures.svg import draw_svg as draw_svg
    from puzzlekit_pictures.svg import drawn as drawn
    from puzzlekit_pictures.svg import mask as mask
    from puzzlekit_pictures.svg import pictures as pictures
    from puzzlekit_pictures.svg import png as png

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".notebook": "beside heading table",
        ".shapes": "NetPicture SolidPicture SpacePoint TopPicture inset",
        ".svg": "Stickers css_colour draw_svg drawn mask pictures png",
    },
)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Offer the service "pictures"."""
    yield ServiceEntry("pictures", "puzzlekit_pictures.notebook:SvgRenderer")
