"""Positions as SVG: the net, in space, from above; grey stickers; kinds of pictures."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations
from math import dist

import attrs
import pytest

import puzzlekit
from puzzlekit import DeclarationError, Puzzle, UsageError
from puzzlekit.puzzle.layout import Drawing, Picture
from puzzlekit.puzzle.stickers import appearance, origins
from puzzlekit_pictures import NetPicture, SolidPicture, draw_svg, mask, pictures

NAMES = [
    "cube2",
    "cube3",
    "cube4",
    "pyraminx",
    "skewb",
    "fto",
    "fifteen",
    "eight-blank-first",
    "tiles-2x3",
]
SPACE = "{http://www.w3.org/2000/svg}"
WHITE, YELLOW, GREY = "#ffffff", "#ffd60a", "#7b8087"


def every_picture() -> list[tuple[str, str]]:
    return [(name, kind) for name in NAMES for kind in pictures(puzzlekit.load(name).puzzle)]


def fills(text: str) -> list[str]:
    """The colours of the stickers, in the order in which they are drawn."""
    return [path.get("fill", "") for path in ET.fromstring(text).findall(f"{SPACE}path")]


@pytest.mark.parametrize(("name", "kind"), every_picture())
def test_a_picture_is_valid_and_says_what_it_is(name: str, kind: str) -> None:
    solver = puzzlekit.load(name)
    root = ET.fromstring(solver.svg(solver.random_state(1), kind))
    assert root.tag == f"{SPACE}svg" and root.get("role") == "img"
    title = root.findtext(f"{SPACE}title") or ""
    assert solver.puzzle.title in title and root.get("aria-label") == title
    assert max(int(root.get("width", 0)), int(root.get("height", 0))) == 320
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for path in root.iter(f"{SPACE}path"):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", path.get("d", ""))]
        assert all(0 < x < width for x in numbers[::2])
        assert all(0 < y < height for y in numbers[1::2])


@pytest.mark.parametrize("name", NAMES)
def test_a_net_shows_each_sticker_once(name: str) -> None:
    solver = puzzlekit.load(name)
    state = solver.random_state(2)
    text = solver.svg(state)
    if solver.puzzle.grid is None:
        shown = Counter(fills(text)).values()
        assert sorted(shown) == sorted(Counter(solver.positions.to_facelets(state)).values())
    else:
        numbers = [each.text for each in ET.fromstring(text).iter(f"{SPACE}text")]
        assert numbers == [
            each for each in solver.positions.to_facelets(state).split() if each != "0"
        ]


@pytest.mark.parametrize(("name", "kind"), every_picture())
def test_a_picture_takes_less_than_20_ms(name: str, kind: str) -> None:
    solver = puzzlekit.load(name)
    solver.svg("", kind)  # what is kept for the next pictures
    best = min(_seconds(solver.puzzle, kind) for _ in range(5))
    assert best < 0.02


def _seconds(puzzle: Puzzle, kind: str) -> float:
    started = time.perf_counter()
    draw_svg(puzzle, puzzle.solved, kind)
    return time.perf_counter() - started


def test_what_is_seen_of_a_cube() -> None:
    cube = puzzlekit.load("cube3")
    white, red, green = WHITE, "#c8102e", "#0a9d4f"
    assert Counter(fills(cube.svg("", "solid"))) == {white: 9, red: 9, green: 9}
    assert Counter(fills(cube.svg("U", "solid"))) == {white: 9, red: 6, green: 6, "#1756c9": 3} | {
        red: 9
    }
    around = Counter(fills(cube.svg("", "top")))
    assert around == {white: 9, red: 3, green: 3, "#ff8c1a": 3, "#1756c9": 3}


@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb", "fto"])
def test_the_stickers_of_a_piece_are_next_to_each_other_in_space(name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    assert puzzle.layout is not None
    solid = next(each for each in puzzle.layout.pictures() if isinstance(each, SolidPicture))
    corners = solid.sticker_corners(puzzle.layout)
    sides = [dist(one, other) for one, other in combinations(corners[0], 2)]
    for places in puzzle.layout.places.values():
        for place in places:
            for one, other in combinations(place, 2):
                apart = min(dist(a, b) for a in corners[one] for b in corners[other])
                assert apart < min(sides) / 10


@pytest.mark.parametrize("name", ["cube2", "cube3", "pyraminx", "skewb", "eight"])
def test_stickers_are_followed_to_where_they_come_from(name: str) -> None:
    solver = puzzlekit.load(name)
    state = solver.random_state(5)
    homes = origins(solver.puzzle, state)
    assert sorted(homes) == list(range(len(homes)))
    if solver.puzzle.grid is None:
        solved = appearance(solver.puzzle).solved
        assert "".join(solved[home] for home in homes) == solver.positions.to_facelets(state)


def test_of_a_mask_only_the_last_layer_keeps_its_colours() -> None:
    cube = puzzlekit.load("cube3")
    shown = fills(cube.svg("R U R' U R U2 R'", "solid", only="layer:U"))
    assert shown.count(GREY) == 12  # two rows of F and of R
    assert fills(cube.svg("", only="face:U")).count(WHITE) == 9
    assert fills(cube.svg("F2", only="face:U")).count(GREY) == 45
    grey = fills(cube.svg("", grey="layer:U"))
    assert grey.count(GREY) == 21 and WHITE not in grey


def test_kinds_of_words_in_a_mask() -> None:
    cube = puzzlekit.load("cube3").puzzle
    assert mask(cube, "moved:R") == mask(cube, "layer:R") - {13}  # the center stays
    assert mask(cube, "moved:R moved:L,piece:R") >= mask(cube, "layer:R")
    assert len(mask(puzzlekit.load("cube4").puzzle, "piece:UFr")) == 2
    assert mask(puzzlekit.load("eight").puzzle, "piece:1 piece:8") == {0, 7}


@pytest.mark.parametrize(
    ("name", "stickers"), [("ivy", 18), ("dino", 24), ("redi", 48), ("rex", 54)]
)
def test_pictures_of_cubes_that_turn_their_corners_show_every_sticker(
    name: str, stickers: int
) -> None:
    solver = puzzlekit.load(name)
    for picture, shown in (("net", stickers), ("solid", stickers // 2)):
        assert solver.svg("", picture).count("<path") == 2 + shown
    assert solver.svg("", "top").startswith("<svg")


def test_the_picture_of_a_clock_has_all_hands() -> None:
    svg = puzzlekit.load("clock").svg("UR3+")
    assert svg.count("<polygon") == 18 and svg.startswith("<svg")


def test_the_picture_of_a_square1_has_all_pieces() -> None:
    """Two stickers of an edge, three of a corner, the cuts, and the middle layer."""
    svg = puzzlekit.load("square1").svg("(1,0)/(3,-3)/")
    assert svg.count("<polygon") == 8 * 2 + 8 * 3
    assert svg.count("<line") == 2 and svg.count("<rect") == 2


def test_alike_pieces_are_grey_unless_all_are_shown() -> None:
    cube = puzzlekit.load("cube4")
    assert fills(cube.svg("", only="piece:Ufl")).count(GREY) == 96
    assert fills(cube.svg("Rw", only="layer:U")).count(WHITE) == 16


@pytest.mark.parametrize(
    ("name", "only", "words"),
    [
        (
            "cube3",
            "U",
            "'U' names no stickers; write KIND:NAME, such as layer:U; the kinds are layer, face, "
            "piece, moved",
        ),
        ("cube3", "face:X", "cube3 has no face 'X'; it has U R F D L B"),
        ("cube3", "layer:UR", "cube3 has no face 'UR'"),
        ("cube2", "piece:UF", "cube2 has no piece 'UF'; its pieces are ULB"),
        ("eight", "layer:U", "eight has no faces: write the number of a piece, such as piece:1"),
        ("eight", "piece:9", "eight has no tile '9'"),
    ],
)
def test_a_wrong_mask_is_named(name: str, only: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        puzzlekit.load(name).svg("", only=only)
    assert words in str(caught.value)


def test_there_are_other_pictures_or_none() -> None:
    with pytest.raises(UsageError, match="cube2 has no picture 'map'; it has net, solid, top"):
        puzzlekit.load("cube2").svg("", "map")
    bare = attrs.evolve(puzzlekit.load("cube2").puzzle, layout=None)
    with pytest.raises(UsageError, match="it has neither a net nor a grid"):
        draw_svg(bare, bare.solved)


def test_colours_follow_the_symbols() -> None:
    cube = puzzlekit.load("cube2").puzzle
    turned = dict(zip("YRBWOG", "URFDLB", strict=True))
    assert fills(draw_svg(cube, cube.solved, symbols=turned))[:4] == [YELLOW] * 4
    dots = dict(zip("abcdef", "URFDLB", strict=True))
    assert fills(draw_svg(cube, cube.solved, symbols=dots))[:4] == [WHITE] * 4


def test_a_face_seen_from_inside_is_named() -> None:
    layout = puzzlekit.load("pyraminx").puzzle.layout
    assert layout is not None
    solid = layout.pictures()[0]
    assert isinstance(solid, SolidPicture)
    one, two, three = solid.faces["L"]
    inside = SolidPicture({**solid.faces, "L": (two, one, three)}, solid.eye)
    with pytest.raises(DeclarationError, match="the face L are in the order seen from inside"):
        inside.draw(layout)
    with pytest.raises(DeclarationError, match="has no corners for the face F"):
        SolidPicture({}, solid.eye).draw(layout)


def test_a_kind_of_picture_of_ones_own() -> None:
    class Dot(Picture):
        name = "dot"

        def draw(self, layout: puzzlekit.FaceletLayout) -> Drawing:
            return Drawing(3, 3, [(0, [(1, 1), (2, 1), (1, 2)])], [])

    cube = puzzlekit.load("cube2").puzzle
    layout = attrs.evolve(cube.layout, pictures=lambda: (Dot(),))
    drawn = attrs.evolve(cube, layout=layout)
    assert list(pictures(drawn)) == ["net", "dot"]
    assert fills(draw_svg(drawn, cube.solved, "dot")) == [WHITE]


def test_outlines_of_ones_own() -> None:
    """In the net and in space, and with corners that are too sharp to be moved inward."""
    layout = puzzlekit.load("skewb").puzzle.layout
    assert layout is not None
    solid = layout.pictures()[0]
    assert isinstance(solid, SolidPicture)
    needle = [(0.0, 0.0), (1.0, 0.01), (1.0, 0.02)]
    for picture in (NetPicture({0: needle}), SolidPicture(solid.faces, solid.eye, {0: needle})):
        drawing = picture.draw(layout)
        (outline,) = [outline for facelet, outline in drawing.stickers if facelet == 0]
        assert len(outline) == 3
        assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in outline)


def test_the_plate_under_outlines_is_their_hull() -> None:
    """Of a face with five corners; a square would stick out behind it."""
    layout = puzzlekit.load("megaminx").puzzle.layout
    assert layout is not None
    for picture in layout.pictures():
        if picture.name != "net":
            assert max(map(len, picture.draw(layout).plates)) == 5
    # Outlines of a square face that leave room at its edge: its plate gets smaller, too.
    skewb = puzzlekit.load("skewb").puzzle.layout
    assert skewb is not None
    (first, *_) = skewb.pictures()
    assert isinstance(first, SolidPicture)
    facelets = [i for i, face in enumerate(skewb.face_of) if face == 0]
    small_square = (0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)
    middle = dict.fromkeys(facelets, small_square)
    small, large = (
        min(
            max(x for x, _ in plate) - min(x for x, _ in plate)
            for plate in NetPicture(outlines).draw(skewb).plates
        )
        for outlines in (middle, None)
    )
    assert small < 0.5 * large
