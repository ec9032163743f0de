"""Positions as SVG and PNG, with some stickers grey."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import accumulate

from puzzlekit import Move, Puzzle, UsageError
from puzzlekit.puzzle.layout import Drawing, Grid, PaperPoint, Picture
from puzzlekit.puzzle.net import sticker_colours
from puzzlekit.puzzle.position import changed_pieces
from puzzlekit.puzzle.stickers import appearance, origins
from puzzlekit_pictures.shapes import NetPicture, inset, number, path

__all__ = ["Stickers", "css_colour", "draw_svg", "drawn", "mask", "pictures", "png"]


#: Numbers of stickers on the solved puzzle. For a puzzle with a `Grid`: places of pieces.
Stickers = frozenset[int]
_MARGIN = 0.2
_BETWEEN_TILES = 0.04
#: The colours of common puzzles, chosen to be easily distinguished.
KNOWN = {
    "white": "#ffffff",
    "yellow": "#ffd60a",
    "orange": "#ff8c1a",
    "red": "#c8102e",
    "green": "#0a9d4f",
    "blue": "#1756c9",
    "purple": "#7a3fb0",
    "violet": "#7a3fb0",
    "pink": "#ff9ec7",
    "grey": "#9a9da3",
    "gray": "#9a9da3",
    "black": "#303338",
    "brown": "#8a5a33",
    "cyan": "#4cc9e8",
    "light blue": "#7cc4ff",
    "light green": "#93d94e",
    "dark green": "#0b6b3a",
    "dark blue": "#12378a",
    "beige": "#f0e2bd",
    "cream": "#f6edc8",
}
#: The longest side of a picture, in pixels.
SIZE = 320
# The body is dark. Its outline is visible on dark pages too.
_BODY, _LINE = "#22252a", "#8a9099"
_MASKED = "#7b8087"
_TILE, _INK = "#f3ead7", "#22252a"
_ROUND = 0.14
# The fonts of numbers in a PNG picture, the first that is installed.
_FONTS = '"Arial,Helvetica,DejaVu Sans,Liberation Sans,Noto Sans,FreeSans,Ubuntu,Cantarell,Roboto"'
_TEXT = re.compile("<text.*?</text>")
# Of a picture that plays moves: seconds before the first, between two, and after the last, and the
# height of the line that names them, as a share of the longer side.
_FIRST, _EACH, _LAST = 2, 1, 3
_NAMED = 0.09


def _layer(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the pieces that have a sticker on a face."""
    on_face = set(_face(puzzle, name))
    return {facelet for place in _places(puzzle) for facelet in place if on_face & {*place}}


def _face(puzzle: Puzzle, name: str) -> Iterable[int]:
    """The stickers on a face."""
    layout = appearance(puzzle).layout
    if len(name) != 1 or name not in layout.faces:
        raise UsageError(f"{puzzle.name} has no face {name!r}; it has {' '.join(layout.faces)}")
    number = layout.faces.index(name)
    return (facelet for facelet, face in enumerate(layout.face_of) if face == number)


def _piece(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the piece with this home place, or of the tile with this number."""
    if puzzle.grid is not None:
        (orbit,) = puzzle.orbits
        if not (name.isdecimal() and int(name) in orbit.solved):
            raise UsageError(f"{puzzle.name} has no {orbit.piece} {name!r}")
        return [orbit.solved.index(int(name))]
    for orbit in puzzle.orbits:
        if name in orbit.places:
            return appearance(puzzle).layout.places[orbit.name][orbit.places.index(name)]
    known = ", ".join(" ".join(orbit.places) for orbit in puzzle.orbits)
    raise UsageError(f"{puzzle.name} has no piece {name!r}; its pieces are {known}")


def _moved(puzzle: Puzzle, name: str) -> Iterable[int]:
    """All stickers of the pieces that a move changes."""
    (move,) = puzzle.moves(name)
    places = appearance(puzzle).layout.places
    changed = changed_pieces(puzzle, [move])
    return {facelet for orbit, home in changed for facelet in places[orbit.name][home]}


#: The kinds of words in a mask, by the part before the colon.
KINDS: Mapping[str, Callable[[Puzzle, str], Iterable[int]]] = {
    "layer": _layer,
    "face": _face,
    "piece": _piece,
    "moved": _moved,
}


def mask(puzzle: Puzzle, text: str) -> Stickers:
    """Return the stickers that are named by words such as "layer:U face:R piece:UF moved:Rw".

    Raises a UsageError for a word that cannot be read.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(mask(cube, "face:U")), len(mask(cube, "layer:U")), len(mask(cube, "piece:UF piece:U"))
    (9, 21, 3)
    """
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        kind, colon, name = word.partition(":")
        if not colon or kind not in KINDS:
            raise UsageError(
                f"{word!r} names no stickers; write KIND:NAME, such as layer:U; the kinds are "
                f"{', '.join(KINDS)}"
            )
        if puzzle.grid is not None and kind != "piece":
            raise UsageError(
                f"{puzzle.name} has no faces: write the number of a piece, such as piece:1"
            )
        found |= {*KINDS[kind](puzzle, name)}
    return frozenset(found)


def shown_origins(puzzle: Puzzle, only: Stickers | None, grey: Stickers) -> Stickers:
    """Return the stickers that keep their colour, by their facelets on the solved puzzle.

    A state does not distinguish pieces that are alike. Such pieces keep their colour only if `only`
    and `grey` give all of them their colour.
    """
    if puzzle.grid is not None:
        everything = frozenset(range(puzzle.orbits[0].size))
        return (everything if only is None else only) - grey
    look = appearance(puzzle)
    shown = (set(range(len(look.solved))) if only is None else {*only}) - grey
    for pieces in look.orbits:
        for place, label in zip(pieces.places, pieces.orbit.solved, strict=True):
            first = pieces.places[pieces.orbit.solved.index(label)]
            for facelet, named in zip(place, first, strict=True):
                if facelet not in shown:
                    shown.discard(named)
    return frozenset(shown)


def _places(puzzle: Puzzle) -> Iterable[tuple[int, ...]]:
    layout = appearance(puzzle).layout
    for places in layout.places.values():
        yield from places
    yield from ((facelet,) for facelet in appearance(puzzle).fixed)


def draw_tiles(grid: Grid, count: int) -> Drawing:
    """Return the drawing of a grid with `count` places, each with a numbered tile."""
    rows = -(-count // grid.columns)
    stickers = [
        (place, inset(_box(place % grid.columns, place // grid.columns, 1, 1), _BETWEEN_TILES))
        for place in range(count)
    ]
    frame = inset(_box(0, 0, grid.columns, rows), -0.06)
    return Drawing(grid.columns + 2 * _MARGIN, rows + 2 * _MARGIN, stickers, [frame])


def _box(left: float, top: float, width: float, height: float) -> list[PaperPoint]:
    left, top = left + _MARGIN, top + _MARGIN
    right, bottom = left + width, top + height
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def css_colour(word: str, index: int, count: int) -> str:
    """Return the colour of a word as "#rrggbb".

    An unknown word gets the colour number `index` of `count` evenly spaced hues.
    """
    known = KNOWN.get(word.lower())
    if known is not None:
        return known
    from colorsys import hls_to_rgb

    parts = hls_to_rgb(index / max(count, 1), 0.55, 0.55)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def pictures(puzzle: Puzzle) -> dict[str, Picture | None]:
    """Return the pictures of a puzzle by name, the net first.

    The value None stands for the picture of a grid or of a `Writing`.

    >>> import puzzlekit
    >>> list(pictures(puzzlekit.load("cube3").puzzle))
    ['net', 'solid', 'top']
    """
    if puzzle.grid is not None or puzzle.writing is not None:
        return {"net": None}
    if puzzle.layout is None:
        return {}
    found: dict[str, Picture | None] = {"net": NetPicture()} if puzzle.layout.net else {}
    return found | {picture.name: picture for picture in puzzle.layout.pictures()}


class Svg(str):
    """A picture as SVG text. Notebooks display the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_svg(
    puzzle: Puzzle,
    state: bytes,
    picture: str = "net",
    *,
    only: str | Iterable[int] = "",
    grey: str | Iterable[int] = "",
    symbols: Mapping[str, str] | None = None,
    title: str = "",
    size: int = SIZE,
    moves: Sequence[Move] = (),
) -> Svg:
    """Return a state as SVG: one `<svg>` element, without an XML declaration.

    Parameters
    ----------
    puzzle, state
        The puzzle and its state.
    picture
        The name of one of the `pictures`.
    only
        The stickers that keep their colour: words for `mask`, or numbers of stickers on the solved
        puzzle. Default: all stickers.
    grey
        The stickers that become grey, in the form of `only`. Default: none.
    symbols
        The face of each symbol, as in `sticker_colours`.
    title
        The title of the picture for screen readers. Default: the title of the puzzle and the name
        of the picture.
    size
        The length of the longest side, in pixels.
    moves
        Moves that the picture plays over and over, each with its name. Programs that show no
        animations show the state alone.

    Raises
    ------
    UsageError
        If the puzzle has no such picture or sticker.
    StateError
        If the state has pieces that do not exist.

    Examples
    --------
    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> draw_svg(cube, cube.solved, "solid").count("<path")
    14
    """
    states = [*accumulate(moves, lambda each, move: puzzle.apply(each, [move]), initial=state)]
    if puzzle.writing is not None:
        _check_written(puzzle, picture, masked=only or grey)
        (width, height, _), *_ = written = [puzzle.writing.draw(each) for each in states]
        ground, shown = [], [[elements] for _, _, elements in written]
    else:
        drawing = drawn(puzzle, picture)
        width, height, ground = drawing.width, drawing.height, _plates(drawing)
        kept = None if only == "" else _stickers(puzzle, only)
        coloured = shown_origins(puzzle, kept, _stickers(puzzle, grey))
        shown = [_drawn(puzzle, drawing, each, coloured, symbols) for each in states]
    line = _NAMED * max(width, height) if moves else 0.0
    parts = _head(width, height + line, title or f"{puzzle.title}: {picture}", size)
    parts += ground
    if moves:
        named = _named(
            [puzzle.text([move]) for move in moves], width / 2, height + 0.6 * line, line
        )
        parts += _played([[*each, name] for each, name in zip(shown, named, strict=True)])
    else:
        parts += shown[0]
    return Svg("\n".join((*parts, "</svg>")) + "\n")


def _plates(drawing: Drawing) -> list[str]:
    """What is under the stickers."""
    plates = "".join(path(plate, _ROUND) for plate in drawing.plates)
    if not plates:
        return []
    return [
        f'<g stroke-linejoin="round"><path d="{plates}" fill="none" stroke="{_LINE}" '
        f'stroke-width="0.16"/><path d="{plates}" fill="{_BODY}" stroke="{_BODY}" '
        'stroke-width="0.06"/></g>'
    ]


def _drawn(
    puzzle: Puzzle,
    drawing: Drawing,
    state: bytes,
    coloured: Stickers,
    symbols: Mapping[str, str] | None,
) -> list[str]:
    """The stickers of a state, or its tiles."""
    homes = origins(puzzle, state)
    if puzzle.grid is None:
        fills = _sticker_fills(puzzle, homes, coloured, symbols)
        marks = [""] * len(fills)
    else:
        fills, marks = _tiles(puzzle, state, homes, coloured)
    parts = []
    for place, outline in drawing.stickers:
        if fills[place]:
            shape = f'<path d="{path(outline, _ROUND)}" fill="{fills[place]}"/>'
            mark = marks[place]
            parts.append(f"<g>{shape}{_written(mark, outline)}</g>" if mark else shape)
    return parts


def _named(moves: Sequence[str], x: float, y: float, size: float) -> list[str]:
    """A line of text before the first move and after each."""
    words = [f"0/{len(moves)}", *(f"{i}/{len(moves)}  {move}" for i, move in enumerate(moves, 1))]
    return [
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(0.6 * size)}" fill="{_LINE}" '
        f'font-family="sans-serif" font-weight="600" text-anchor="middle">{escape(text)}</text>'
        for text in words
    ]


def _played(pictures: Sequence[Sequence[str]]) -> list[str]:
    """The parts of pictures that are seen one after the other, each part once."""
    starts = [0, *(_FIRST + _EACH * i for i in range(len(pictures) - 1))]
    whole = starts[-1] + _LAST
    seen: dict[str, list[int]] = {}
    for i, parts in enumerate(pictures):
        for part in parts:
            seen.setdefault(part, []).append(i)
    result = []
    for part, when in seen.items():
        if len(when) == len(pictures):
            result.append(part)
            continue
        states = ["visible" if i in when else "hidden" for i in range(len(pictures))]
        changes = [i for i in range(len(states)) if i == 0 or states[i] != states[i - 1]]
        result.append(
            f'<g visibility="{states[0]}"><animate attributeName="visibility" '
            f'calcMode="discrete" dur="{whole}s" repeatCount="indefinite" '
            f'values="{";".join(states[i] for i in changes)}" '
            f'keyTimes="{";".join(f"{starts[i] / whole:.4g}" for i in changes)}"/>{part}</g>'
        )
    return result


def _head(width: float, height: float, title: str, size: int) -> list[str]:
    """The first lines of a picture."""
    scale = size / max(width, height)
    name = escape(title)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" role="img" aria-label="{name}" '
        f'viewBox="0 0 {number(width)} {number(height)}">',
        f"<title>{name}</title>",
    ]


def _check_written(puzzle: Puzzle, picture: str, masked: object) -> None:
    """Raise a UsageError if a puzzle that draws itself cannot draw this."""
    if picture != "net":
        raise UsageError(f"{puzzle.name} has no picture {picture!r}; it has net")
    if masked:
        raise UsageError(f"{puzzle.name} has no stickers that could be grey")


@lru_cache(maxsize=32)
def drawn(puzzle: Puzzle, picture: str) -> Drawing:
    """Return the shapes of a picture. Raise a UsageError if the puzzle has no such picture."""
    known = pictures(puzzle)
    if picture not in known:
        there = f"it has {', '.join(known)}" if known else "it has neither a net nor a grid"
        raise UsageError(f"{puzzle.name} has no picture {picture!r}; {there}")
    if puzzle.grid is not None:
        return draw_tiles(puzzle.grid, puzzle.orbits[0].size)
    kind = known[picture]
    assert kind is not None and puzzle.layout is not None
    return kind.draw(puzzle.layout)


def _stickers(puzzle: Puzzle, named: str | Iterable[int]) -> Stickers:
    return mask(puzzle, named) if isinstance(named, str) else frozenset(named)


def _sticker_fills(
    puzzle: Puzzle, homes: Sequence[int], shown: Stickers, symbols: Mapping[str, str] | None
) -> list[str]:
    """The colour of each sticker."""
    layout = puzzle.layout
    assert layout is not None
    words = sticker_colours(layout, symbols)
    colours = [css_colour(words[face], i, len(layout.faces)) for i, face in enumerate(layout.faces)]
    return [colours[layout.colour_of[home]] if home in shown else _MASKED for home in homes]


def _tiles(
    puzzle: Puzzle, state: bytes, homes: Sequence[int], shown: Stickers
) -> tuple[list[str], list[str]]:
    """The colour and the number of each tile; both are empty for the blank."""
    (orbit,) = puzzle.orbits
    blank = puzzle.guarded.label if puzzle.guarded is not None else -1
    fills, marks = [], []
    for label, home in zip(puzzle.labels(state, orbit), homes, strict=True):
        hole = label == blank
        fills.append("" if hole else _TILE if home in shown else _MASKED)
        marks.append("" if hole or home not in shown else str(label))
    return fills, marks


def _written(mark: str, outline: Sequence[PaperPoint]) -> str:
    """A mark in the middle of a sticker."""
    x = sum(a for a, _ in outline) / len(outline)
    y = sum(b for _, b in outline) / len(outline)
    size = 0.5 if len(mark) < 3 else 0.38
    return (
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{size}" fill="{_INK}" '
        f'font-family="sans-serif" font-weight="600" text-anchor="middle">{escape(mark)}</text>'
    )


def png(svg: str, width: int | None = None) -> bytes:
    """Return an SVG picture as a PNG file with a transparent background.

    `width` is in pixels; the default is the width of the SVG. Raises a UsageError if resvg is not
    installed, or if it finds no font for the numbers of tiles.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(
            "PNG pictures need resvg, which is not installed: "
            "pip install 'permutation-puzzlekit[picture]'; SVG pictures need nothing"
        ) from None
    # resvg takes "sans-serif" for Arial, and leaves out text whose font is not installed.
    image = bytes(svg_to_bytes(svg_string=svg.replace('"sans-serif"', _FONTS), width=width))
    plain = _TEXT.sub("", svg)
    if plain != svg and image == bytes(svg_to_bytes(svg_string=plain, width=width)):
        raise UsageError(
            "the numbers of a PNG picture need a font, and none of these is installed: "
            f"{_FONTS[1:-1].replace(',', ', ')}; SVG pictures need nothing"
        )
    return image
