"""`puzzlekit show` with --svg, --png and --link."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from documents import ROOT

from puzzlekit.cli import main


def show(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["show", *arguments])


def test_pictures_are_written(tmp_path: Path) -> None:
    svg, png = tmp_path / "case.svg", tmp_path / "case.png"
    asked = ["--puzzle", "cube3", "R U R'", "--picture", "top", "--only", "layer:U"]
    done = show(*asked, "--svg", str(svg), "--png", str(png))
    assert done.exit_code == 0 and "facelets" in done.output
    assert svg.read_text().startswith("<svg") and "top" in svg.read_text()
    assert png.read_bytes().startswith(b"\x89PNG")
    assert show(*asked, "--svg", str(svg), "--size", "900", "--png", str(png)).exit_code == 0
    assert 'height="900"' in svg.read_text() and b"\0\0\x03\x84" in png.read_bytes()[16:24]


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
        (["R", "--solution", "R'"], "--solution needs --link"),
        (["UUUURRRRFFFFDDDDLLLLBBBB", "--link"], "--link needs a scramble"),
        (["--state", "UUUURRRRFFFFDDDDLLLLBBBB", "--link"], "--link needs a scramble"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], words: str) -> None:
    done = show("--puzzle", "cube2", *arguments)
    assert done.exit_code == 2 and words in done.stderr, done.stderr


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
