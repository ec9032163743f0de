"""`find --output`: a sheet of sequences with pictures of the states that they solve."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sheets import SheetPage

import puzzlekit
from puzzlekit.cli import main
from puzzlekit_lab.commands.find import sheet
from puzzlekit_lab.sequences import find
from puzzlekit_pictures import draw_svg


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["find", *arguments])


def test_a_row_for_each_sequence(tmp_path: Path) -> None:
    path = tmp_path / "turns.html"
    found = run("-p", "cube2", "--max-length", "1", "--moves", "U,R", "--output", str(path))
    assert found.exit_code == 0
    page = SheetPage(path.read_text(encoding="utf-8"))
    head, *rows = page.rows
    assert head[0].startswith("2x2x2 cube: sequences") and not page.open
    lines = [line.partition("  // ") for line in found.stdout.splitlines()]
    assert [row[0] for row in rows] == [str(i) for i in range(1, 7)] and page.pictures == 6
    assert [row[1] for row in rows] == [moves + note for moves, _, note in lines]


def test_the_picture_is_the_state_before_and_grey_where_nothing_changes() -> None:
    cube = puzzlekit.load("cube3")
    (turn,) = find(cube, moves="U", to="U", max_length=1)
    text = sheet(cube.puzzle, [turn])
    layer = "layer:U face:U piece:R piece:F piece:D piece:L piece:B"
    title = "3x3x3 cube: the state that sequence 1 solves"
    before = cube.state("U'")
    assert draw_svg(cube.puzzle, before, "top", only=layer, title=title) in text


@pytest.mark.parametrize(
    ("moves", "picture"), [("U", "top"), ("R", "solid"), ("L", "net"), ("U R", "solid")]
)
def test_one_picture_that_shows_all_changed_pieces(moves: str, picture: str) -> None:
    cube = puzzlekit.load("cube3")
    turns = [next(iter(find(cube, moves=name, to=name, max_length=1))) for name in moves.split()]
    text = sheet(cube.puzzle, turns)
    sizes = {
        name: draw_svg(cube.puzzle, cube.puzzle.solved, name).partition("viewBox=")[2][:18]
        for name in ("net", "solid", "top")
    }
    assert [name for name, size in sizes.items() if size in text] == [picture]


def test_pieces_that_are_alike(tmp_path: Path) -> None:
    path = tmp_path / "centers.html"
    found = run("-p", "cube4", "--max-length", "1", "--moves", "Rw2", "--output", str(path))
    assert found.exit_code == 0
    assert SheetPage(path.read_text(encoding="utf-8")).pictures == 1


def test_a_definition_has_no_pictures(tmp_path: Path) -> None:
    path, file = tmp_path / "cycle.html", tmp_path / "cycle.def"
    file.write_text("Name Cycle\nSet P 3 1\nSolved\nP\n1 2 3\nEnd\nMove A\nP\n2 3 1\nEnd\n")
    found = run("--puzzle", str(file), "--max-length", "1", "--output", str(path))
    assert found.exit_code == 0, found.stderr
    page = SheetPage(path.read_text(encoding="utf-8"))
    assert page.pictures == 0 and [row[0] for row in page.rows[1:]] == ["1", "2"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--output", "turns.pdf"], "turns.pdf: the name of a page must end in .html"),
        (["--output", "none/turns.html"], "none/turns.html: the directory none does not exist"),
        (["--count", "--output", "turns.html"], "--count and --output cannot be combined"),
    ],
)
def test_what_cannot_be_written(arguments: list[str], problem: str) -> None:
    found = run("-p", "cube2", "--max-length", "1", *arguments)
    assert found.exit_code == 2 and problem in found.stderr and not found.stdout


def test_nothing_found_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.html"
    found = run(
        "-p", "cube2", "--to", "R", "--moves", "U", "--max-length", "1", "--output", str(path)
    )
    assert found.exit_code == 1 and not path.exists()
