"""Solving: every cube, how to search, ending a search, one's own moves, links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browsing import COUNT_SHIFTS
from page import STICKERS, Page, expect

import puzzlekit

SCRAMBLE = "R U R' U'"
BACK = "U R U' R'"


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_random_state_of_every_cube(page: Page, size: int) -> None:
    page.choose(f"{size}x{size}x{size} cube")
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve", timeout=60_000)  # tables may be built
    start = page.painted()
    page.solve(seconds=4)
    moves = page.moves.all_inner_texts()
    page.button("Last").click()
    page.see_it_solved()
    expect(page.button("Next")).to_be_disabled()
    page.button("First").click()
    assert page.replayed() == start
    solver = puzzlekit.load(f"cube{size}")
    state = solver.positions.from_facelets(start, scheme="western")
    cube = solver.puzzle
    assert cube.is_solved(cube.apply(state, cube.moves(" ".join(moves))))


def test_by_phases_and_move_by_move(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read(SCRAMBLE)
    page.set("Method", "small-tables")
    page.set("Heuristic", "sum")
    page.solve()
    assert page.moves.all_inner_texts() == BACK.split()
    expect(page.region("Solution")).to_contain_text("small-tables")
    page.moves.nth(2).click()
    expect(page.current).to_have_text("U'")
    page.tab.keyboard.press("ArrowRight")
    expect(page.current).to_have_text("R'")
    page.see_it_solved()
    page.tab.keyboard.press("ArrowLeft")
    page.tab.keyboard.press("ArrowLeft")
    expect(page.current).to_have_text("R")
    page.tab.keyboard.press("Home")
    expect(page.current).to_have_count(0)
    page.tab.keyboard.press("End")
    page.see_it_solved()


def test_play(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("R")
    page.solve()
    page.button("Play").click()
    page.see_it_solved()


def test_ones_own_moves(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read(SCRAMBLE)
    for moves, told in ((BACK, "Solved after 4 moves"), ("R U2", "Not solved after 2 moves")):
        page.verify(moves)
        expect(page.status("Verified")).to_contain_text(told)
        assert page.moves.all_inner_texts() == moves.split()
    for text in (page.moves.first, page.field("Your moves")):
        expect(text).to_have_css("font-family", re.compile("mono"))  # which tells l from I
    page.verify("R U Q2")
    expect(page.status("Verified")).to_contain_text("column 5: 'Q2': not a move")


def test_faults_are_told_once_and_not_all_of_them_again(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    page.paint({"U4": "green", "F4": "white", "D4": "red"})
    expect(page.faults).to_have_count(8)
    page.verify("R")
    expect(page.status("Verified")).to_have_text("8 faults")
    page.button("Solve").click()
    expect(page.status("Search")).to_have_text("8 faults")


def test_what_cannot_be_solved_is_told(page: Page) -> None:
    page.button("Solved").click()
    page.paint({"U8": "green", "F2": "white"})
    page.button("Solve").click()
    expect(page.region("Solve")).to_contain_text("edge UF is flipped")
    page.button("Clear").click()
    page.button("Solve").click()
    expect(page.region("Solve")).to_contain_text("not painted yet")


def test_a_solved_puzzle(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    page.button("Solve").click()
    expect(page.region("Solution")).to_contain_text("Solved already")


def test_nothing_jumps(page: Page, address: str) -> None:
    page.tab.add_init_script(COUNT_SHIFTS)
    page.open(address)
    for puzzle in STICKERS:
        page.choose(puzzle)
        expect(page.status()).to_contain_text("not painted yet")
    page.choose("2x2x2 cube")
    page.read(SCRAMBLE)
    page.solve()
    page.button("Play").click()
    page.see_it_solved()
    assert page.tab.evaluate("shift") < 0.03


def test_copy(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read(SCRAMBLE)
    page.solve()
    page.button("Copy").click()
    expect(page.status("Shared")).to_contain_text("copied")
    assert page.outcome("() => navigator.clipboard.readText()") == BACK


def test_a_link_leads_to_the_same_moves(page: Page, new_page: Callable[..., Page]) -> None:
    page.choose("2x2x2 cube")
    page.set("Scheme", "Japanese")
    page.read(SCRAMBLE)
    page.solve()
    page.button("Share").click()
    expect(page.status("Shared")).to_contain_text("copied")
    link = page.outcome("() => navigator.clipboard.readText()")

    other = new_page(link)
    expect(other.moves).to_have_text(BACK.split())
    expect(other.select("Puzzle")).to_have_value("cube2")
    other.unfold("Advanced")
    expect(other.select("Scheme")).to_have_value("japanese")
    assert other.painted() == page.painted()
    other.button("Last").click()
    other.see_it_solved()


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("#puzzle=cube9", "a puzzle unknown here: cube9"),
        ("#puzzle=cube2&scheme=western&state=WW", "2 stickers instead of 24"),
        ("#puzzle=cube2&scheme=mauve", "a colour scheme unknown here: mauve"),
    ],
)
def test_a_link_that_is_wrong(
    new_page: Callable[..., Page], address: str, link: str, told: str
) -> None:
    page = new_page(address + link)
    expect(page.tab.get_by_role("alert")).to_contain_text(told)


def test_in_the_steps_of_a_method(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read(SCRAMBLE)
    page.select("What to solve").select_option("Ortega")
    page.unfold("Advanced")
    expect(page.select("Heuristic")).to_be_disabled()
    page.solve()
    page.unfold("Details")
    steps = page.tab.get_by_role("list", name="Phases").get_by_role("listitem")
    expect(steps).to_have_count(3)
    named = [text.split(" · ") for text in steps.all_inner_texts()]
    assert [name for name, _ in named] == ["One face", "OLL", "PBL"]
    own = " ".join(moves for _, moves in named if moves != "no moves needed")
    assert len(own.split()) >= page.moves.count() > 0  # moves of different steps may cancel
    page.button("Last").click()
    page.see_it_solved()


def test_only_as_far_as_a_goal_with_a_name(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("R U F2 R U")
    page.select("What to solve").select_option("First layer")
    page.solve()
    page.button("Last").click()
    expect(page.region("Solution")).to_contain_text("First layer: done")
    page.choose("3x3x3 cube")
    expect(page.select("What to solve")).to_have_value("")
    page.choose("Skewb")
    expect(page.select("What to solve")).to_have_count(0)


def test_a_puzzle_without_stickers_is_drawn(page: Page, new_page: Callable[..., Page]) -> None:
    page.select("Puzzle").select_option("Clock")
    picture = page.tab.get_by_role("img", name=re.compile("^The puzzle: 0 0 0"))
    expect(picture).to_be_visible()
    expect(page.button("Clear")).to_be_hidden()
    page.read("UR3+ y2 UL2-")
    expect(picture).to_have_count(0)
    page.solve()
    page.button("Last").click()
    done = page.tab.get_by_role("img", name=re.compile("^The puzzle after this move: 0 0 0"))
    expect(done).to_be_visible()
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    page.select("Puzzle").select_option("2x2x2 cube")
    expect(page.sticker("U1")).to_be_visible()
    expect(picture).to_have_count(0)


def test_a_painted_goal_in_which_grey_does_not_matter(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.button("Clear").click()
    page.paint({f"U{i}": "white" for i in (1, 2, 3, 4)})
    page.unfold("Advanced")
    page.button("Use the painting").click()
    expect(page.status("Goal")).to_have_text("4 stickers; grey does not matter")
    expect(page.tab.get_by_role("img", name="Net of the goal")).to_be_visible()
    expect(page.select("Method")).to_be_disabled()
    page.read("R U F2 R U")
    page.solve()
    expect(page.region("Solution")).to_contain_text("4 moves")
    page.button("Last").click()
    assert page.replayed()[:4] == "WWWW"
    page.button("Solve it all").click()
    expect(page.status("Goal")).to_have_text("the solved puzzle")
    expect(page.select("Method")).to_be_enabled()
    page.paint({"U4": "white", "F2": "white"})
    page.button("Use the painting").click()
    page.read("R")
    page.button("Solve").click()
    expect(page.status("Search")).to_contain_text("no piece has these colours")
