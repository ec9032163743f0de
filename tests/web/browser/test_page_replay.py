"""The puzzle in 3D: a solution replayed, stickers painted, layers turned by hand."""

from __future__ import annotations

from typing import Any

import pytest
from page import Page, expect

import puzzlekit
from puzzlekit.puzzle.net import facelets

# What the page's own geometry makes of the stickers, move by move.
TURNED = """async ([name, names, stickers]) => {
    const { Solid } = await import("/solid.js");
    const record = await (await fetch(`/api/puzzles/${name}`)).json();
    const solid = new Solid(record.solid);
    return names.map((move) => solid.turned(solid.turns.get(move), stickers));
}"""


@pytest.mark.parametrize("name", ["cube2", "cube4", "ivy", "pyraminx", "skewb", "supercube3"])
def test_the_page_turns_layers_as_the_moves_do(page: Page, name: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    moves = puzzle.family_moves(puzzle.turns)
    state = puzzle.apply(puzzle.solved, moves[::4])
    names = [move.name for move in moves]
    shown = page.outcome(TURNED, [name, names, facelets(puzzle, state)])
    assert shown == [facelets(puzzle, puzzle.apply(state, [move])) for move in moves]


def view(page: Page) -> Any:
    return page.tab.get_by_role("img", name="The puzzle in 3D")


def still_picture(page: Page) -> bytes:
    """The picture, once nothing turns any more."""
    before = b""
    for _ in range(50):
        now = bytes(view(page).screenshot())
        if now == before:
            return now
        before = now
        page.tab.wait_for_timeout(100)
    raise AssertionError("the puzzle does not come to rest")


@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "pyraminx", "skewb"])
def test_a_replay_ends_with_the_solved_puzzle(page: Page, name: str) -> None:
    page.choose(puzzlekit.load(name).puzzle.title)
    page.button("Solved").click()
    solved = still_picture(page)
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve")
    page.solve(seconds=1)
    begun = still_picture(page)
    page.button("Next").click()
    assert still_picture(page) != begun
    page.button("Last").click()
    page.see_it_solved()
    if name != "skewb":  # its answers may leave it held in another way
        # The solution stands beside a net, so the picture is smaller: it is solved to see it large.
        page.button("Solved").click()
        assert still_picture(page) == solved


def test_a_move_is_told_in_words(page: Page) -> None:
    page.choose("3x3x3 cube")
    page.read("U")
    page.solve()
    expect(page.tab.locator("#caption")).to_have_text(
        "start · next U' (top face, counter-clockwise)"
    )


@pytest.mark.parametrize(
    ("name", "move", "told"),
    [
        ("megaminx", "R2'", "next R2' (R face, twice counter-clockwise)"),
        ("megaminx", "BL", "next BL (BL face, clockwise)"),
        ("redi", "F'", "next F' (top-right-front corner, counter-clockwise)"),
        ("cube3", "M'", "next M' (layer 2 from the left face, counter-clockwise)"),
    ],
)
def test_turns_are_named_as_moves_name_them(page: Page, name: str, move: str, told: str) -> None:
    page.tab.goto(f"{page.address}#puzzle={name}")
    expect(page.tab.locator("#puzzle")).to_have_value(name)
    page.button("Solved").click()
    page.verify(move)
    expect(page.tab.locator("#caption")).to_contain_text(told)


@pytest.mark.parametrize(
    ("title", "language", "text", "told"),
    [
        ("15-puzzle", "", "U L", "start · next R (tile 11 to the left)"),
        ("Square-1", "", "(1,0)/", "start · next / (right half, half a turn)"),
        ("Square-1", "", "(3,0)", "start · next (-3,0) (top layer, 90° counter-clockwise)"),
        ("Clock", "", "UR3+", "start · next UR3- (upper right pin up, 3 h counter-clockwise)"),
        ("15-puzzle", "de", "U L", "Start · dann R (Stein 11 nach links)"),
    ],
)
def test_a_move_of_a_puzzle_without_stickers_is_told_in_words(
    page: Page, title: str, language: str, text: str, told: str
) -> None:
    name = {"15-puzzle": "fifteen", "Square-1": "square1", "Clock": "clock"}[title]
    own = f"&language={language}" if language else ""
    page.tab.goto(f"{page.address}#puzzle={name}{own}")
    if language:
        page.tab.reload()
    expect(page.tab.locator("#puzzle")).to_have_value(name)
    page.tab.locator("#read-text").fill(text)
    page.tab.locator("#solve-button").click()
    expect(page.tab.locator("#caption")).to_have_text(told)


def western(solver: puzzlekit.Solver, moves: str) -> str:
    """The colour letters after some moves."""
    letters = str.maketrans("URFDLB", "WRGYOB")
    return solver.positions.to_facelets(solver.state(moves)).translate(letters)


def test_letters_turn_layers_in_space(page: Page) -> None:
    solver = puzzlekit.load("cube2")
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    view(page).focus()
    for key, moves in (("r", "R"), ("Shift+F", "R F'"), ("x", "R F' x"), ("q", "R F' x")):
        page.tab.keyboard.press(key)
        assert page.painted() == western(solver, moves), key
    page.tab.keyboard.press("Control+z")
    assert page.painted() == western(solver, "R F'")


def test_solve_reads_what_was_typed(page: Page) -> None:
    page.choose("3x3x3 cube")
    page.tab.get_by_label("Scramble or stickers").fill("R U2 F'")
    page.solve()
    expect(page.moves).to_have_text(["F", "U2", "R'"])
    page.choose("2x2x2 cube")
    expect(page.tab.get_by_label("Scramble or stickers")).to_have_value("")


def test_a_hint_shows_one_move(page: Page) -> None:
    page.choose("3x3x3 cube")
    page.tab.get_by_label("Scramble or stickers").fill("R U2 F'")
    page.button("Hint").click()
    expect(page.tab.locator("#caption")).to_contain_text("next F (front face, clockwise)")
    expect(page.tab.locator("#moves")).to_be_hidden()
    page.button("Solve").click()
    expect(page.moves).to_have_text(["F", "U2", "R'"])


def test_painting_and_turning_in_3d(page: Page) -> None:
    page.choose("3x3x3 cube")
    box = view(page).bounding_box()
    middle = {"x": box["width"] / 2 - 60, "y": box["height"] / 2 + 30}  # on the front
    before = page.painted()
    view(page).click(position=middle)
    painted = page.painted()
    assert sum(one != other for one, other in zip(before, painted, strict=True)) == 1
    page.button("Solved").click()
    expect(page.status()).to_have_text("solved")  # faults above have moved the puzzle down
    mouse = page.tab.mouse
    x, y = box["x"] + middle["x"], box["y"] + middle["y"] - 60
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 6, steps=4)
    mouse.move(x + 130, y + 30, steps=6)
    mouse.up()
    expect(page.status()).to_have_text("ready to solve")
    page.solve()
    assert page.moves.all_inner_texts() in (["U"], ["U'"], ["U2"])
    page.button("Undo").click()
    expect(page.status()).not_to_have_text("ready to solve")


def test_dragging_beside_the_puzzle_looks_at_it_from_elsewhere(page: Page) -> None:
    page.choose("3x3x3 cube")
    page.button("Solved").click()
    before, painted = still_picture(page), page.painted()
    box = view(page).bounding_box()
    mouse = page.tab.mouse
    x, y = box["x"], box["y"] + box["height"]
    mouse.move(x + 10, y - 40)
    mouse.down()
    mouse.move(x + 120, y - 10, steps=5)
    mouse.up()
    assert still_picture(page) != before
    view(page).dblclick(position={"x": 5, "y": box["height"] - 5})
    assert still_picture(page) == before
    assert page.painted() == painted


def test_a_long_list_of_moves_scrolls_to_the_current_one(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    page.verify("(R U)60")
    expect(page.moves).to_have_count(120)
    assert page.tab.locator("#moves").bounding_box()["height"] < 220
    page.button("Last").click()
    expect(page.current).to_be_in_viewport(ratio=0.9)
    assert page.tab.locator("#moves").evaluate("each => each.scrollTop") > 0
    page.button("First").click()
    expect(page.current).to_have_count(0)
    assert page.tab.locator("#moves").evaluate("each => each.scrollTop") == 0
