"""Painting the net: by clicks, by dragging, by keys, from text, in any colours."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from page import DRAWN, JAPANESE, STICKERS, Page, by_name, expect

import puzzlekit
from puzzlekit.puzzle.net import facelets

CUBE = puzzlekit.load("cube3")
SCRAMBLE = "R U2 F' L2 D B2 R' U F2 D'"
STATE = facelets(CUBE.puzzle, CUBE.state(SCRAMBLE))
SOLVED = facelets(CUBE.puzzle, CUBE.puzzle.solved)
CENTERS = "".join(f"????{face}????" for face in "URFDLB")  # what Clear leaves of a 3x3x3


def coloured(letters: str, symbols: str = "WRGYOB") -> str:
    return letters.translate(str.maketrans("URFDLB", symbols))


def test_a_cube_is_painted_mended_and_solved(page: Page) -> None:
    """A cube in someone's hand, with one sticker that was painted in a wrong colour."""
    page.shows(coloured(CENTERS))
    page.paint({**by_name(STATE), "U1": "green"})
    expect(page.status()).to_have_text("4 faults")
    fault = page.faults.filter(has_text="corner at ULB shows G B O: no corner has these colours")
    expect(fault).to_have_count(1)
    assert page.marked() >= {"U1", "L1", "B3"}

    expect(page.repairs).to_have_count(1)
    page.repairs.click()
    expect(page.status()).to_have_text("ready to solve")
    expect(page.faults).to_have_count(0)
    assert page.marked() == set()
    page.shows(coloured(STATE))

    page.solve(seconds=1)
    assert page.replayed() == coloured(STATE)
    moves = page.moves.all_inner_texts()
    assert page.step_through() == moves
    page.see_it_solved()
    assert CUBE.puzzle.is_solved(CUBE.state(f"{SCRAMBLE} {' '.join(moves)}"))


def test_an_edge_that_is_flipped(page: Page) -> None:
    page.button("Solved").click()
    page.paint({"U8": "green", "F2": "white"})
    expect(page.faults).to_have_text(["edge UF is flipped"])
    assert page.marked() == {"U8", "F2"}
    page.button("Apply: flip the edge at UF").click()
    expect(page.status()).to_have_text("solved")
    page.button("Undo").click()
    expect(page.faults).to_have_text(["edge UF is flipped"])


def test_what_is_half_painted_has_no_faults(page: Page) -> None:
    page.paint(dict(list(by_name(STATE).items())[:27]))
    expect(page.status()).to_have_text("24 stickers not painted yet")
    expect(page.faults).to_have_count(0)


def test_dragging_paints(page: Page) -> None:
    page.button("Solved").click()
    page.pick("green")
    first, last = (page.sticker(name).bounding_box() for name in ("U1", "U3"))
    mouse = page.tab.mouse
    mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    mouse.down()
    mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2, steps=2)
    mouse.up()
    page.shows(coloured("FFF" + SOLVED[3:]))
    page.button("Undo").click()
    page.shows(coloured(SOLVED))
    page.button("Redo").click()
    page.shows(coloured("FFF" + SOLVED[3:]))


def test_too_many_of_a_colour(page: Page) -> None:
    page.button("Solved").click()
    page.paint({"U1": "green"})
    expect(page.faults.filter(has_text="10 stickers of G instead of 9")).to_have_count(1)
    page.button("Solved").click()
    expect(page.faults).to_have_count(0)


def test_pasted_stickers(page: Page) -> None:
    page.read(STATE)
    expect(page.status()).to_have_text("ready to solve")
    page.shows(coloured(STATE))


def test_a_scramble(page: Page) -> None:
    page.read(SCRAMBLE)
    expect(page.status()).to_have_text("ready to solve")
    page.shows(coloured(STATE))


def test_a_scramble_that_cannot_be_read(page: Page) -> None:
    page.button("Solved").click()
    page.read("R U Q2 F")
    expect(page.tab.get_by_text("column 5: 'Q2': not a move")).to_be_visible()
    page.shows(coloured(SOLVED))
    page.read("R U")
    expect(page.tab.get_by_text("column 5")).to_have_count(0)


def test_japanese_colours(page: Page) -> None:
    page.set("Scheme", "Japanese")
    page.shows(coloured(CENTERS, "WRGBOY"))
    page.paint(by_name(STATE, JAPANESE))
    expect(page.status()).to_have_text("ready to solve")
    expect(page.faults).to_have_count(0)
    page.solve(seconds=1)
    page.button("Last").click()
    assert page.replayed() == coloured(SOLVED, "WRGBOY")


def test_colours_of_ones_own(page: Page) -> None:
    page.set("Scheme", "Own")
    page.field("Colour of side U").fill("#000000")
    page.read(SCRAMBLE)
    expect(page.sticker("U5").locator(".fill")).to_have_attribute("fill", "#000000")
    page.shows(STATE)
    page.solve(seconds=1)
    page.button("Last").click()
    assert page.replayed() == SOLVED


@pytest.mark.parametrize("puzzle", STICKERS)
def test_the_net_of_every_puzzle(page: Page, puzzle: str) -> None:
    page.choose(puzzle)
    sides = page.net.locator(".face")
    assert {"F front", "R right"} <= set(sides.all_text_contents())
    boxes = [side.bounding_box() for side in sides.all()]
    for one, other in combinations(boxes, 2):
        across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
        assert not (across and abs(one["y"] - other["y"]) < one["height"])
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")


@pytest.mark.parametrize("puzzle", DRAWN)
def test_the_net_that_a_plugin_draws(page: Page, puzzle: str) -> None:
    """The stickers have their own outlines, and none lies on another one."""
    page.choose(puzzle)
    stickers = page.net.locator(".sticker .fill")
    shapes = {each.get_attribute("d") for each in stickers.all()}
    middles = [
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for box in (each.bounding_box() for each in stickers.all())
    ]
    assert len(shapes) == len(middles) > 17
    assert all(dist(*pair) > 3 for pair in combinations(middles, 2))
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")


@pytest.mark.parametrize("button", ["Clear", "Solved"])
def test_a_scramble_goes_when_the_net_no_longer_shows_it(page: Page, button: str) -> None:
    field = page.tab.locator("#read-text")
    page.read("R U F")
    expect(field).to_have_value("R U F")
    page.button(button).click()
    expect(field).to_have_value("")
    page.read("R U F")
    page.pick("green")
    page.sticker("U1").click()
    expect(field).to_have_value("")
