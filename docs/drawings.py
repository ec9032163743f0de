"""Draws the pictures of the documentation: `python docs/drawings.py` writes docs/drawings/*.svg.

The rooms come from CONTRIBUTING.md, the table from a puzzle of six tokens, the answers and the
distances from puzzlekit. `tests/pages/test_drawings.py` compares the files with what is drawn here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import combinations
from pathlib import Path

import puzzlekit
import puzzlekit_colours
import puzzlekit_lab
from puzzlekit.plugins.readers import load_file
from puzzlekit.search.solution import PhaseReport
from puzzlekit_events import load_event
from puzzlekit_pictures import css_colour, draw_svg
from puzzlekit_pictures import pictures as puzzlekit_pictures
from puzzlekit_web.pieces import shown

DOCS = Path(__file__).parent
SCRAMBLE = "R U2 F' L2 D B2 R' U F2 D' L B U2 R2 F L2 D' R B' U2 F2 R D2 L' B"
WIDTH = 720

# Colours by class, on light and on dark pages: fill and stroke of shapes, fill of texts.
LIGHT = {
    "panel": "fill:#ffffff;stroke:#d0d7de",
    "band": "fill:#f3f5f7;stroke:#d0d7de",
    "chip": "fill:#ffffff;stroke:#afb8c1",
    "first": "fill:#2f6fb7;stroke:none",
    "second": "fill:#b8621b;stroke:none",
    "good": "fill:#e3f4e7;stroke:#2c8a43",
    "bad": "fill:#fbe9e8;stroke:#c9463d",
    "token": "fill:#3b82d0;stroke:#1f5f9f",
    "gap": "fill:#ffffff;stroke:#7b8590",
    "line": "fill:none;stroke:#57606a",
    "tip": "fill:#57606a;stroke:none",
    "ink": "fill:#1f2328",
    "dim": "fill:#57606a",
    "on": "fill:#ffffff",
}
DARK = {
    "panel": "fill:#15191f;stroke:#363d47",
    "band": "fill:#20262e;stroke:#363d47",
    "chip": "fill:#2b323c;stroke:#545d69",
    "first": "fill:#2f6fb7;stroke:none",
    "second": "fill:#a8661b;stroke:none",
    "good": "fill:#173822;stroke:#3fa95a",
    "bad": "fill:#44211f;stroke:#e0655c",
    "token": "fill:#5b9fe6;stroke:#9cc7f3",
    "gap": "fill:#15191f;stroke:#7d8794",
    "line": "fill:none;stroke:#a3adb8",
    "tip": "fill:#a3adb8;stroke:none",
    "ink": "fill:#e6edf3",
    "dim": "fill:#a3adb8",
    "on": "fill:#ffffff",
}


def drawn(title: str, height: int, shapes: Iterable[str]) -> str:
    """An SVG on a panel of its own, so that it is readable on any page."""
    rules = [f".{name}{{{rule}}}" for name, rule in LIGHT.items()]
    dark = [f".{name}{{{rule}}}" for name, rule in DARK.items()]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">',
        f"<title>{title}</title>",
        "<style>",
        "text{font-family:system-ui,'Segoe UI','Liberation Sans',Arial,sans-serif;font-size:14px}",
        ".code{font-family:ui-monospace,'Liberation Mono',Consolas,monospace;font-size:13px}",
        ".bold{font-weight:600}.small{font-size:13px}.line{stroke-width:1.5}",
        ".dashed{stroke-dasharray:5 4}",
        *rules,
        f"@media (prefers-color-scheme:dark){{{''.join(dark)}}}",
        "</style>",
        box("panel", 0.5, 0.5, WIDTH - 1, height - 1, 10),
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def box(kind: str, x: float, y: float, width: float, height: float, round_: float = 4) -> str:
    """A rectangle with round corners."""
    return (
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{round_:g}"/>'
    )


def text(kind: str, x: float, y: float, words: object, anchor: str = "start") -> str:
    """A line of text; y is its base line."""
    escaped = escape(str(words), quote=False)
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escaped}</text>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> Iterable[str]:
    """A horizontal or vertical arrow."""
    step_x, step_y = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
    end_x, end_y = to_x - 7 * step_x, to_y - 7 * step_y
    yield f'<path class="line" d="M{x:g} {y:g}L{end_x:g} {end_y:g}"/>'
    left = f"{end_x - 4.5 * step_y:g} {end_y - 4.5 * step_x:g}"
    right = f"{end_x + 4.5 * step_y:g} {end_y + 4.5 * step_x:g}"
    yield f'<path class="tip" d="M{to_x:g} {to_y:g}L{left}L{right}Z"/>'


# --- the levels of the code ----------------------------------------------------------------------

# For each level from the top: a name, and what its rooms do.
BANDS = (
    (6, "Command line", "what a person starts"),
    (5, "Plugins", "find them, call their hooks"),
    (4, "Search", "phases, methods, answers"),
    (3, "Tables", "distances, and their files"),
    (2, "Coordinates", "numbers for a state"),
    (1, "Puzzle", "pieces, moves, positions"),
    (0, "Engine", "the compiled search"),
)


def rooms() -> list[tuple[int, str]]:
    """The level and name of each room that is in no other, as CONTRIBUTING.md lists them."""
    listed = (DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.findall(r"^ {4}( ?\d+)  ([\w/]+) +\S", listed, re.MULTILINE)
    return [(int(level), name) for level, name in found if "/" not in name]


def chips(names: Sequence[str], x: float, y: float, right: float) -> tuple[list[str], float]:
    """Names in small boxes, in as many rows as they need, and the y below the last row."""
    shapes, at = [], x
    for name in names:
        width = 8 * len(name) + 14
        if at > x and at + width > right:
            at, y = x, y + 28
        shapes += [
            box("chip", at, y, width, 22),
            text("code ink", at + width / 2, y + 15.5, name, "middle"),
        ]
        at += width + 6
    return shapes, y + 22


def levels() -> str:
    """The rooms of the code in bands, and the plugins beside them."""
    shapes: list[str] = []
    y = 20.0
    tops = {}
    for level, title, does in BANDS:
        names = [name for number, name in rooms() if number == level]
        inside, below = chips(names, 250, y + 14, 440)
        height = max(below - y + 14, 56)
        if below - y + 14 < height:  # one row, in the middle
            inside, _ = chips(names, 250, y + height / 2 - 11, 440)
        shapes += [
            box("band", 50, y, 396, height, 6),
            text("ink bold", 64, y + height / 2 - 4, title),
            text("dim small", 64, y + height / 2 + 15, does),
            *inside,
        ]
        tops[title] = y
        y += height + 8
    bottom = y - 8
    shapes += arrow(28, 24, 28, bottom - 4)
    middle = (20 + bottom) / 2
    shapes.append(
        f'<text class="dim small" text-anchor="middle" transform="translate(20 {middle:g}) '
        f'rotate(-90)">a room imports only rooms of lower levels</text>'
    )
    top = tops["Command line"]
    plugins = sorted(path.parent.name for path in DOCS.parent.glob("plugins/*/puzzlekit_*/"))
    plugins.append("yours")
    rows = -(-len(plugins) // 2)
    inside = [
        text("code ink", 492 + 98 * (i // rows), top + 50 + 19 * (i % rows), name)
        for i, name in enumerate(plugins)
    ]
    below = top + 50 + 19 * (rows - 1)
    end = below + 46
    shapes += [
        box("band", 478, top, 230, end - top, 6),
        text("ink bold", 492, top + 26, "Plugins"),
        *inside,
        text("dim small", 492, below + 28, "They use public names only."),
        *arrow(478, (top + end) / 2, 449, (top + end) / 2),
    ]
    return drawn("The levels of the code", round(max(bottom, end) + 20), shapes)


# --- a pruning table -----------------------------------------------------------------------------

# Six tokens on six places. L turns the first three round, R the last four. For each place it is
# said where its token goes.
LEFT = (1, 2, 0, 3, 4, 5)
RIGHT = (0, 1, 3, 4, 5, 2)
Places = frozenset[int]


def turns() -> dict[str, tuple[int, ...]]:
    """The five moves of the puzzle."""

    def twice(move: Sequence[int], then: Sequence[int]) -> tuple[int, ...]:
        return tuple(then[place] for place in move)

    half = twice(RIGHT, RIGHT)
    return {
        "L": LEFT,
        "L'": twice(LEFT, LEFT),
        "R": RIGHT,
        "R2": half,
        "R'": twice(half, RIGHT),
    }


def filled() -> dict[Places, int]:
    """The pruning table of where tokens 1, 2 and 3 are, filled from the goal outwards."""
    goal = frozenset(range(3))
    table, level = {goal: 0}, [goal]
    while level:
        found = []
        for places in level:
            for move in turns().values():
                after = frozenset(move[place] for place in places)
                if after not in table:
                    table[after] = table[places] + 1
                    found.append(after)
        level = found
    return table


def tokens(places: Places, x: float, y: float) -> Iterable[str]:
    """Six places in a row from x on, in the middle of y; those of tokens 1, 2 and 3 are filled."""
    for place in range(6):
        kind = "token" if place in places else "gap"
        yield f'<circle class="{kind}" cx="{x + 12 * place:g}" cy="{y:g}" r="4.5"/>'


def pruning_table() -> str:
    """How a pruning table is filled, what it is, and how it is used."""
    table = filled()
    values = [frozenset(places) for places in combinations(range(6), 3)]
    shapes = [
        text("ink bold", 24, 34, "1. Fill it once, from the goal outwards"),
        text(
            "dim small",
            24,
            55,
            "Six tokens on six places: L turns the first three round, R the last four. Of the 720",
        ),
        text(
            "dim small",
            24,
            73,
            "states, look only at which places hold the tokens 1, 2 and 3 (filled): 20 ways.",
        ),
    ]
    for distance in range(6):
        x = 34 + 114 * distance
        words = f"{distance} move{'s' * (distance != 1)}"
        shapes.append(text("ink small", x + 30, 106, words, "middle"))
        column = [places for places in values if table[places] == distance]
        for row, places in enumerate(column):
            shapes += tokens(places, x, 182 - 11 * (len(column) - 1) + 22 * row)
        if distance:
            shapes += arrow(x - 40, 182, x - 16, 182)
    shapes += [
        text("ink bold", 24, 288, "2. Keep one small number for each way: the pruning table"),
        text("dim small", 24, 317, "way"),
        text("dim small", 24, 343, "entry"),
    ]
    for number, places in enumerate(values):
        x = 72 + 31 * number
        shapes += [
            box("band", x, 302, 31, 22, 0),
            text("dim small", x + 15.5, 317.5, number, "middle"),
            box("chip", x, 324, 31, 26, 0),
            text("ink bold", x + 15.5, 342, table[places], "middle"),
        ]
    start = values[13]
    distance = table[start]
    shapes += [
        text("ink bold", 24, 396, "3. Look it up at every node of the search"),
        text(
            "dim small",
            24,
            417,
            "The entry is a lower bound. Where it exceeds the moves left, give up.",
        ),
        box("band", 24, 438, 124, 94, 6),
        *tokens(start, 56, 459),
        text("ink", 86, 488, f"entry {distance}", "middle"),
        text("dim small", 86, 512, f"{distance} moves left", "middle"),
        *arrow(148, 485, 176, 485),
    ]
    for number, (name, move) in enumerate(turns().items()):
        after = frozenset(move[place] for place in start)
        moves_left, entry = distance - 1, table[after]
        at = 182 + 104.5 * number
        shapes += [
            box("good" if entry <= moves_left else "bad", at, 438, 96, 94, 6),
            text("code ink", at + 48, 457, name, "middle"),
            *tokens(after, at + 18, 472),
            text(
                "ink",
                at + 48,
                500,
                f"{entry} {'≤' if entry <= moves_left else '>'} {moves_left}",
                "middle",
            ),
            text(
                "ink small", at + 48, 521, "go on" if entry <= moves_left else "give up", "middle"
            ),
        ]
    return drawn("What a pruning table is", 554, shapes)


# --- two phases that improve ---------------------------------------------------------------------


def searched(report: PhaseReport) -> list[str]:
    """How the state was seen when an answer was found, in one line or two."""
    found = report.found
    view = ["another axis"] * found.rotated + ["inverse"] * found.inverted
    lines = [", ".join(view)] if view else []
    if found.premoves:
        lines.append(f"{found.premoves} premove{'s' * (found.premoves > 1)}")
    return lines or ["as it is held"]


def two_phases() -> str:
    """The answers of one search, each shorter than the one before it."""
    cube = puzzlekit.load("cube3")
    # With a limit on the nodes the answers are the same on every machine.
    answers = list(cube.improve(SCRAMBLE, profile="small", max_nodes=400_000, threads=1))
    shapes = [
        text("ink bold", 24, 34, "One search, ever shorter answers"),
        box("first", 24, 50, 14, 14, 3),
        text("dim small", 44, 62, "phase 1: into the subgroup"),
        box("second", 240, 50, 14, 14, 3),
        text("dim small", 260, 62, "phase 2: home by half turns, U and D"),
        text("dim small", 24, 92, "nodes"),
        text("dim small", 510, 92, "moves", "middle"),
        text("dim small", 548, 92, "searched"),
    ]
    unit, left = 17.5, 100.0
    for number, answer in enumerate(answers):
        y = 104 + 44 * number
        lengths = {phase.name: phase.length for phase in answer.phases}
        first, second = lengths["orient"], lengths["finish"]
        end = left + unit * (first + second)
        shapes += [
            text("ink small", 24, y + 18.5, f"{answer.nodes:,}"),
            box("first", left, y, unit * first - 1, 28, 3),
            text("on bold", left + unit * first / 2, y + 19, first, "middle"),
            box("second", left + unit * first + 1, y, unit * second - 1, 28, 3),
            text("on bold", left + unit * (first + second / 2), y + 19, second, "middle"),
            text("ink bold", 510, y + 19, answer.length, "middle"),
        ]
        lines = searched(answer.phases[0])
        for line, part in enumerate(lines):
            shapes.append(text("dim small", 548, y + 18.5 + 16 * line - 8 * (len(lines) - 1), part))
        if number + 1 < len(answers):  # the bound that this answer sets
            shapes.append(f'<path class="line dashed" d="M{end:g} {y + 30:g}V{y + 72:g}"/>')
    bottom = 104 + 44 * len(answers)
    shapes += [
        text(
            "dim small",
            24,
            bottom + 14,
            "Each answer is a bound for what follows (dashed). A longer phase 1 is tried as long",
        ),
        text(
            "dim small",
            24,
            bottom + 32,
            "as a phase 2 may end left of that line; other views of the cube compete for it.",
        ),
    ]
    return drawn("How two phases improve", bottom + 52, shapes)


# --- the picture of the README -------------------------------------------------------------------


def overview() -> str:
    """The net of a scrambled cube, and how many states of the 2x2x2 are how far away."""
    net = puzzlekit.load("cube3").svg(SCRAMBLE, "net")
    shapes = [
        text("ink bold", 24, 34, "A position, 18 moves from solved"),
        nested(net, 24, 52, 316, 237),
        text("ink bold", 384, 34, "All states of the 2x2x2 by distance"),
    ]
    states = puzzlekit_lab.distribution(puzzlekit.load("cube2")).states
    most, unit = max(states), 190.0
    for distance, count in enumerate(states):
        y = 48 + 20.5 * distance
        width = max(unit * count / most, 1.5)
        shapes += [
            text("dim small", 400, y + 12.5, distance, "end"),
            box("first", 408, y, width, 16, 2),
            text("dim small", 408 + width + 6, y + 12.5, f"{count:,}"),
        ]
    return drawn("A scrambled cube, and the distances of a smaller one", 312, shapes)


# --- stickers, pictures, steps -------------------------------------------------------------------


def nested(svg: object, x: float, y: float, width: float, height: float) -> str:
    """A picture of a position within a drawing."""
    found = str(svg).strip()
    found = re.sub(r'<svg xmlns="[^"]*"', f'<svg x="{x:g}" y="{y:g}"', found, count=1)
    # Rules of the drawing would win against attributes.
    found = re.sub(r'font-size="([\d.]+)"', r'style="font-size:\1px"', found)
    size = f'width="{width:g}" height="{height:g}"'
    return re.sub(r'width="[\d.]+" height="[\d.]+"', size, found, count=1)


def stickers() -> str:
    """The net of a 3x3x3 with the number of each sticker, and the order of the faces."""
    size, left, top = 34.0, 60.0, 24.0
    corners = {"U": (3, 0), "L": (0, 3), "F": (3, 3), "R": (6, 3), "B": (9, 3), "D": (3, 6)}
    shapes = []
    for face, (column, row) in corners.items():
        for number in range(9):
            x = left + size * (column + number % 3) + 8 * (column // 3)
            y = top + size * (row + number // 3) + 8 * (row // 3)
            kind = "first" if number == 4 else "band"
            shapes += [
                box(kind, x + 1, y + 1, size - 2, size - 2),
                text(
                    "on bold" if number == 4 else "ink small",
                    x + size / 2,
                    y + size / 2 + 4.5,
                    f"{face}{number + 1}",
                    "middle",
                ),
            ]
    names = ("U  up", "R  right", "F  front", "D  down", "L  left", "B  back")
    shapes.append(text("ink bold", 520, 290, "The order of the faces"))
    shapes += [
        text("dim small", 520 + 90 * (i // 3), 312 + 19 * (i % 3), f"{i + 1}.  {name}")
        for i, name in enumerate(names)
    ]
    return drawn("The stickers of a cube, unfolded and numbered", 376, shapes)


def pictures() -> str:
    """What `show --svg` draws of a position."""
    cube = puzzlekit.load("cube3")
    shown = (
        ("R U R' U R U2 R'", "top", "layer:U", "--picture top --only layer:U"),
        ("R U R' U R U2 R'", "solid", "", "--picture solid"),
        ("R U R' U'", "solid", "piece:UF piece:URF", '--only "piece:UF piece:URF"'),
    )
    shapes = []
    for number, (moves, picture, only, option) in enumerate(shown):
        x = 24 + 228 * number
        svg = cube.svg(moves, picture, only=only)
        shapes += [
            nested(svg, x + 14, 20, 188, 188),
            text("code ink", x + 108, 232, moves, "middle"),
            text("code dim", x + 108, 252, option, "middle"),
        ]
    return drawn("Pictures of positions", 270, shapes)


def solution() -> str:
    """What `show --svg --solution` draws."""
    cube = puzzlekit.load("cube3")
    moves = cube.puzzle.moves("F2 U' R'")
    return draw_svg(cube.puzzle, cube.state("R U F2"), "solid", moves=moves)


def cfop() -> str:
    """A cube after the steps of CFOP that the page `steps.md` shows; cross and pairs from below."""
    cube = puzzlekit.load("cube3")
    cross = "U R F D L B DF DR DB DL"
    pairs = f"{cross} BL BR FR FL DBL DRB DFR DLF"
    taken = "R U F2 D L B' R2 U2"
    shapes = []
    for number, (title, moves, kept, turn) in enumerate(
        (
            ("scrambled", "", "", ""),
            ("cross", "U2 B L' D' F2 R'", cross, "z2"),
            ("pairs", "U F U F2 U2 L' U2 L F", pairs, "z2"),
            ("OLL", "y B L' B' L U2 B2 R B R' B", "", ""),
            ("PLL", "U2 L' U' L F L' U' L U L F' L2 U L U", "", ""),
        )
    ):
        taken = f"{taken} {moves}"
        only = " ".join(f"piece:{piece}" for piece in kept.split())
        x = 12 + 141 * number
        shapes += [
            nested(cube.svg(f"{taken} {turn}", "solid", only=only), x, 16, 130, 130),
            text("ink bold", x + 65, 168, title, "middle"),
        ]
    return drawn("The steps of CFOP", 186, shapes)


def sheet() -> str:
    """The first scrambles of a round as a sheet of `event-scramble` prints them."""
    scrambler = load_event("333")
    shapes = []
    for number in range(3):
        moves = [move.name for move in scrambler.scramble(7, str(number + 1))]
        y = 16 + 112 * number
        picture = puzzlekit.load("cube3").svg(" ".join(moves))
        shapes += [
            box("band", 20, y, 680, 100, 6),
            text("ink bold", 44, y + 55, number + 1, "middle"),
            text("code ink", 72, y + 46, " ".join(moves[:11])),
            text("code ink", 72, y + 68, " ".join(moves[11:])),
            nested(picture, 540, y + 6, 120, 88),
        ]
    return drawn("Three scrambles of a round, with pictures of the states", 360, shapes)


def opened() -> str:
    """The puzzle of examples/definitions/skewb.def after three moves, as the page draws it."""
    solver = load_file(DOCS.parent / "examples" / "definitions" / "skewb.def")
    picture = draw_svg(shown(solver.puzzle), solver.state("U R L'"))
    return drawn("The pieces of a Skewb from a file", 200, [nested(picture, 180, 10, 360, 180)])


def moves() -> str:
    """A cube after one move, for some moves."""
    cube = puzzlekit.load("cube3")
    shapes = []
    for number, move in enumerate(("U", "R", "F", "R'", "R2", "x")):
        x = 16 + 116 * number
        shapes += [
            nested(cube.svg(move, "solid"), x, 16, 108, 108),
            text("code ink", x + 54, 144, move, "middle"),
        ]
    return drawn("A cube after one move", 160, shapes)


def tiles() -> str:
    """The board on the page `sliding.md`."""
    board = puzzlekit.load("fifteen").svg("5 1 2 4 9 6 3 8 13 10 7 12 0 14 11 15")
    return drawn("A 15-puzzle", 200, [nested(board, 280, 16, 168, 168)])


def scan() -> str:
    """The measured colours on the page `colours.md`, and the stickers that they mean."""
    page = (DOCS / "colours.md").read_text(encoding="utf-8")
    faces = json.loads(page.split("```json\n")[1].split("```")[0])
    cube = puzzlekit.load("cube2")
    layout = cube.puzzle.layout
    assert layout is not None
    seen = [colour for face in layout.faces for colour in faces[face]]
    found = puzzlekit_colours.read_colours(cube.puzzle, seen)
    usual = [css_colour(word, 0, 1) for word in layout.colours]
    read = [usual[layout.faces.index(letter)] for letter in found.stickers]
    measured = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in seen]
    mended = {each.facelet for each in found.mended}
    size = 36
    shapes = []
    for left, title, colours in ((24, "measured", measured), (384, "read", read)):
        shapes.append(text("ink bold", left, 34, title))
        for number, row in enumerate(layout.net):
            for column, facelet in enumerate(row):
                if facelet is None:
                    continue
                x, y = left + size * column, 50 + size * number
                shapes.append(
                    f'<rect x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" rx="4" '
                    f'fill="{colours[facelet]}" stroke="#7b8590"/>'
                )
                if facelet in mended:
                    shapes.append(
                        f'<circle cx="{x + size / 2:g}" cy="{y + size / 2:g}" r="10" fill="none" '
                        'stroke="#000000" stroke-width="2"/>'
                    )
    return drawn("Measured colours, and the stickers that were read", 286, shapes)


# Puzzles after a few moves; the picture is the net where a puzzle has none in space.
GALLERY = {
    **{"cube2": "R U'", "cube3": "R U' F2", "cube4": "Rw U' F2", "cube5": "Rw U' 3Fw2"},
    **{"cube7": "3Rw U' Fw2", "supercube3": "R U' F2", "cuboid-2x2x3": "R2 U F2"},
    **{"pyraminx": "R U' L", "master-pyraminx": "Rw U' L", "skewb": "R U' L", "ivy": "R D'"},
    **{"dino": "R F' l", "redi": "R F' l", "rex": "R F' L", "fto": "R U' F", "kilominx": "R U' F2"},
    **{"megaminx": "R U' F2", "square1": "(3,0)/(-3,0)/", "clock": "UR2+ DR3- U4+"},
    **{"fifteen": "U L D L U R"},
}


def puzzles() -> str:
    """One picture of each kind of puzzle."""
    shapes = []
    across, side = 7, 100.0
    for number, (name, moves) in enumerate(GALLERY.items()):
        solver = puzzlekit.load(name)
        kinds = puzzlekit_pictures(solver.puzzle)
        x, y = 10 + side * (number % across), 12 + (side + 24) * (number // across)
        svg = solver.svg(moves, "solid" if "solid" in kinds else "net")
        shapes += [
            nested(svg, x + 8, y, side - 16, side - 16),
            text("dim small", x + side / 2, y + side + 2, name, "middle"),
        ]
    rows = -(-len(GALLERY) // across)
    return drawn("Puzzles after a few moves", round(20 + (side + 24) * rows), shapes)


def steps() -> str:
    """When which arm of a robot turns."""
    cube = puzzlekit.load("cube3")
    # With a limit on the nodes the answer is the same on every machine.
    answer = cube.solve(SCRAMBLE, metric="AXHT", profile="small", max_nodes=400_000, threads=1)
    left, unit, row = 96.0, 590.0 / len(answer.steps), 30.0
    shapes = [
        text(
            "ink bold",
            24,
            34,
            f"{len(answer.moves)} moves in {len(answer.steps)} steps: "
            "opposite faces turn at the same time",
        )
    ]
    faces = "RLUDFB"
    for number, face in enumerate(faces):
        y = 50 + row * number + 8 * (number // 2)
        shapes += [
            text("dim small", 24, y + 19, f"arm of {face}"),
            box("band", left, y, unit * len(answer.steps), row - 4, 3),
        ]
        for at, (moves, _) in enumerate(answer.steps):
            for move in moves:
                if move[0] == face:
                    kind = "first" if len(moves) > 1 else "second"
                    x = left + unit * at
                    shapes += [
                        box(kind, x + 1, y, unit - 2, row - 4, 3),
                        text("on bold", x + unit / 2, y + 18, move, "middle"),
                    ]
    bottom = 50 + row * len(faces) + 16
    shapes.append(text("dim small", left, bottom + 16, "time, one step after the other"))
    return drawn("The steps of a robot", round(bottom + 34), shapes)


DRAWINGS: dict[str, Callable[[], str]] = {
    "levels": levels,
    "stickers": stickers,
    "pictures": pictures,
    "solution": solution,
    "puzzles": puzzles,
    "steps": steps,
    "scan": scan,
    "moves": moves,
    "cfop": cfop,
    "sheet": sheet,
    "opened": opened,
    "tiles": tiles,
    "pruning-table": pruning_table,
    "two-phases": two_phases,
    "overview": overview,
}


def main() -> None:
    """Write all drawings."""
    for name, draw in DRAWINGS.items():
        (DOCS / "drawings" / f"{name}.svg").write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
