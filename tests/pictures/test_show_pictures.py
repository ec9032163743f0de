"""`puzzlekit show` with --svg, --png, --link and --solution."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from bisect import bisect_right
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from documents import ROOT
from resvg_py import svg_to_bytes

import puzzlekit
from puzzlekit.cli import main
from puzzlekit_pictures import draw_svg
from puzzlekit_pictures.svg import png


def show(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["show", *arguments])


def test_pictures_are_written(tmp_path: Path) -> None:
    svg, image = tmp_path / "case.svg", tmp_path / "case.png"
    asked = ["--puzzle", "cube3", "R U R'", "--picture", "top", "--only", "layer:U"]
    done = show(*asked, "--svg", str(svg), "--png", str(image))
    assert done.exit_code == 0 and "facelets" in done.output
    assert svg.read_text().startswith("<svg") and "top" in svg.read_text()
    assert image.read_bytes().startswith(b"\x89PNG")
    assert show(*asked, "--svg", str(svg), "--size", "900", "--png", str(image)).exit_code == 0
    assert 'height="900"' in svg.read_text() and b"\0\0\x03\x84" in image.read_bytes()[16:24]


def test_a_picture_has_the_colours_that_were_typed(tmp_path: Path) -> None:
    file = tmp_path / "state.svg"
    stickers = "YYYYRRRRBBBBWWWWOOOOGGGG"
    assert show("--puzzle", "cube2", "--state", stickers, "--svg", str(file)).exit_code == 0
    assert file.read_text().index("#ffd60a") < file.read_text().index("#ffffff")


@pytest.mark.parametrize(
    ("option", "name", "advice"),
    [
        ("--svg", "a.png", "use --png, or let the name end in .svg"),
        ("--svg", "a.PDF", ": let the name end in .svg"),
        ("--png", "a.jpg", ": let the name end in .png"),
        ("--png", "a.svg", "use --svg, or"),
    ],
)
def test_a_name_of_another_format_is_refused(
    tmp_path: Path, option: str, name: str, advice: str
) -> None:
    found = show("--puzzle", "cube2", "R", option, str(tmp_path / name))
    assert found.exit_code == 2 and advice in found.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a", "case.v2", "a.b.SVG"])
def test_other_names_of_pictures_are_kept(tmp_path: Path, name: str) -> None:
    assert show("--puzzle", "cube2", "R", "--svg", str(tmp_path / name)).exit_code == 0
    assert (tmp_path / name).read_text().startswith("<svg")


def test_the_numbers_of_tiles_are_drawn_in_png_or_the_message_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg, file = puzzlekit.load("eight").svg(""), tmp_path / "a.png"
    assert svg.count("<text") == 8 and '"sans-serif"' in svg
    bare = re.sub("<text.*?</text>", "", svg)
    done = show("--puzzle", "eight", "", "--png", str(file))
    if done.exit_code == 0:  # there is a font
        assert file.read_bytes() != png(bare)
        file.unlink()

    def without_fonts(**options: Any) -> bytes:
        return svg_to_bytes(**options, skip_system_fonts=True)

    monkeypatch.setattr("resvg_py.svg_to_bytes", without_fonts)
    done = show("--puzzle", "eight", "", "--png", str(file))
    assert done.exit_code == 2 and "need a font" in done.stderr and not file.exists()
    assert png(bare).startswith(b"\x89PNG")


def test_without_resvg_the_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = show("--puzzle", "cube2", "R", "--png", str(tmp_path / "a.png"))
    assert done.exit_code == 2 and "pip install 'permutation-puzzlekit[picture]'" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["R", "--picture", "solid"], "--picture, --size, --only and --grey need --svg or --png"),
        (["R", "--svg", "x.svg", "--picture", "map"], "no picture 'map'"),
        (["R", "--solution", "R'"], "--solution needs --link or --svg"),
        (["R", "--png", "x.png", "--solution", "R'"], "--solution needs --link or --svg"),
        (["R", "--svg", "x.svg", "--solution", "Q"], "'Q': not a move"),
        (["UUUURRRRFFFFDDDDLLLLBBBB", "--link"], "--link needs a scramble"),
        (["--state", "UUUURRRRFFFFDDDDLLLLBBBB", "--link"], "--link needs a scramble"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], words: str) -> None:
    done = show("--puzzle", "cube2", *arguments)
    assert done.exit_code == 2 and words in done.stderr, done.stderr


def at(svg: str, seconds: float) -> list[str]:
    """The elements of a picture that are shown at a time, without its title, sorted."""
    shown = []
    for each in ET.fromstring(svg):
        animation = each.find("{*}animate")
        if animation is not None:
            assert animation.attrib["calcMode"] == "discrete"
            times = [float(time) for time in animation.attrib["keyTimes"].split(";")]
            share = seconds / float(animation.attrib["dur"].removesuffix("s"))
            if animation.attrib["values"].split(";")[bisect_right(times, share) - 1] == "hidden":
                continue
        shown += [each] if animation is None else [*each][1:]
    for each in shown:
        each.tail = None
    return sorted(ET.tostring(each, encoding="unicode") for each in shown[1:])


@pytest.mark.parametrize(
    ("name", "picture", "scramble", "solution", "named"),
    [
        ("cube2", "solid", "R U2", "U2 R'", ["0/2", "1/2  U2", "2/2  R'"]),
        ("fifteen", "net", "U L", "R D", ["0/2", "1/2  R", "2/2  D"]),
        ("square1", "net", "(3,0)/", "/(-3,0)", ["0/2", "1/2  /", "2/2  (-3,0)"]),
    ],
)
def test_an_svg_plays_the_solution(
    tmp_path: Path, name: str, picture: str, scramble: str, solution: str, named: list[str]
) -> None:
    path = tmp_path / "x.svg"
    chosen = ["--puzzle", name, scramble, "--svg", str(path), "--picture", picture]
    assert show(*chosen, "--solution", solution).exit_code == 0
    moving = path.read_text()
    puzzle = puzzlekit.load(name).puzzle
    state = puzzlekit.load(name).state(scramble)
    moves = puzzle.moves(solution)
    for number, word in enumerate(named):
        after = puzzle.apply(state, moves[:number])
        still = at(draw_svg(puzzle, after, picture), 0)
        seen = at(moving, number + 1.5 if number else 0)
        (told,) = (each for each in seen if f">{word}<" in each)
        seen.remove(told)
        assert seen == still
    assert puzzle.is_solved(after)
    show(*chosen)
    assert "animate" not in path.read_text()


def test_a_file_that_cannot_be_written_is_named() -> None:
    done = show("--puzzle", "cube2", "R", "--svg", "nowhere/x.svg")
    assert done.exit_code == 4 and "nowhere/x.svg: No such file" in done.stderr


def test_links_are_printed() -> None:
    done = show("--puzzle", "cube2", "R U", "--link", "--solution", "U' R'")
    printed = [line.split() for line in done.output.splitlines() if line.startswith("link")]
    assert [address for _, address in printed] == [
        "https://alpha.twizzle.net/edit/?puzzle=2x2x2&setup-alg=R+U&alg=U%27+R%27",
        "https://alg.cubing.net/?puzzle=2x2x2&setup=R_U&alg=U-_R-",
    ]
    record: dict[str, Any] = json.loads(show("--puzzle", "cube2", "R", "--link", "--json").output)
    assert list(record["links"]) == ["twizzle", "alg.cubing.net"]
    schema = ROOT / "puzzlekit" / "schema" / "show.schema.json"
    jsonschema.validate(record, json.loads(schema.read_text()))
