"""Surfaces: layouts and moves of places that are named by faces."""

from __future__ import annotations

import pytest

from puzzlekit import DeclarationError, Orbit, Puzzle, Surface
from puzzlekit.puzzle.net import draw_net, facelets
from puzzlekit.puzzle.sticker_reading import read_facelets

CORNERS = Orbit("corners", "corner", "ULB UBR URF UFL DBL DRB DFR DLF", orientations=3)
FACES = {
    "U": "ULB UBR UFL URF",
    "R": "URF UBR DFR DRB",
    "F": "UFL URF DLF DFR",
    "D": "DLF DFR DBL DRB",
    "L": "ULB UFL DBL DLF",
    "B": "UBR ULB DRB DBL",
}
NET = "..UU ..UU LLFFRRBB LLFFRRBB ..DD ..DD"


def test_a_cube_made_of_faces_is_the_one_made_of_layers() -> None:
    import puzzlekit

    cube = puzzlekit.load("cube2").puzzle
    surface = Surface(cube.orbits, FACES, NET)
    for family, cycle in {"U": "FLBR", "R": "FUBD", "F": "URDL", "D": "FRBL"}.items():
        near = [place for place in cube.orbits[0].places if family in place]
        assert surface.turn(cycle, near) == cube.turns[family]
    assert surface.turn("FUBD") == cube.turns["x"]
    layout = surface.layout({}, "abcdef")
    assert cube.layout is not None
    assert layout.places == cube.layout.places
    assert (layout.faces, layout.face_of) == (cube.layout.faces, cube.layout.face_of)
    shown = [tuple(i for i in row if i is not None) for row in layout.net]
    assert shown == [tuple(i for i in row if i is not None) for row in cube.layout.net]


def test_several_cycles_at_once() -> None:
    surface = Surface((CORNERS,), FACES, NET)
    gather, add = surface.turn("URF DLB")
    names = CORNERS.places
    assert gather[names.index("URF")] == names.index("URF") and add[8 + names.index("URF")] == 1
    assert gather[names.index("UFL")] == names.index("DFR")


@pytest.mark.parametrize(
    ("faces", "picture", "problem"),
    [
        ({"A": "AB", "B": ""}, "A", "place AB is not on the face B"),
        ({"A": "AB AB", "B": "AB"}, "AAB", "face A: the place AB is named twice"),
        ({"A": "AB", "B": "AB"}, "A.", "the net and the faces have different numbers"),
        ({"A": "AB", "B": "AB"}, "AB B", "the net and the faces have different numbers"),
    ],
)
def test_what_does_not_fit_together_is_named(
    faces: dict[str, str], picture: str, problem: str
) -> None:
    surface = Surface((Orbit("edges", "edge", "AB", orientations=2),), faces, picture)
    with pytest.raises(DeclarationError, match=problem):
        surface.layout({}, ("white", "black"))


@pytest.mark.parametrize(
    ("cycles", "places", "problem"),
    [
        ("URX", None, "'URX': X is not a face; the faces are U R F D L B"),
        ("URU", None, "'URU': the face U is named twice"),
        ("URF", ["URF", "UFX"], "place UFX is on no face"),
        (
            "URF",
            None,
            "'URF' would bring a piece from ULB to RLB, but .* D L B are in no cycle, so they stay",
        ),
        (
            "UDRFLB",
            None,
            "'UDRFLB' would bring a piece from ULB to DBU, .* name every face that moves$",
        ),
    ],
)
def test_turns_of_what_is_not_there_are_named(
    cycles: str, places: list[str] | None, problem: str
) -> None:
    with pytest.raises(DeclarationError, match=problem):
        Surface((CORNERS,), FACES, NET).turn(cycles, places)


def test_faces_are_set_apart_where_they_meet_in_a_column() -> None:
    dots = Orbit("dots", "dot", "A B")
    looks = {"A": "A", "B": "B"}
    for picture, shown in (("AB", "A  B"), ("A.B", "A   B"), ("AB", "A  B")):
        surface = Surface((dots,), looks, picture)
        pair = Puzzle("pair", "two dots", (dots,), {}, (), layout=surface.layout({}, ("", "")))
        assert draw_net(pair, pair.solved) == f"  {shown}"
        assert read_facelets(pair, facelets(pair, pair.solved)) == pair.solved


def test_what_cannot_be_carried() -> None:
    slab = (Orbit("sides", "side", "URD UBD", orientations=3),)
    faces = {"U": "URD UBD", "R": "URD", "B": "UBD", "D": "URD UBD"}
    surface = Surface(slab, faces, "UU RB DD")
    with pytest.raises(DeclarationError, match="of URD come to URD in another cyclic order"):
        surface.turn("UD", ["URD"])
