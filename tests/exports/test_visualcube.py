"""Pictures by VisualCube's parameters: what is coloured, in what colours, and what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit.cli import main
from puzzlekit_exports.visualcube import STAGES, picture, stage_stickers
from puzzlekit_pictures import draw_svg

CUBE = puzzlekit.load("cube3").puzzle
# How many stickers keep their colour, and for some the stickers of the face U or D, row by row.
COLOURED = {"fl": 21, "f2l": 33, "ll": 21, "cll": 13, "ell": 9, "oll": 9, "ocll": 5, "oell": 5}
COLOURED |= {"coll": 17, "ocell": 13, "wv": 42, "cls": 42, "vh": 38, "cross": 13, "f2b": 26}
COLOURED |= {"line": 7, "2x2x2": 12, "2x2x3": 20}


def fills(svg: str) -> Counter[str]:
    paths = [each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("path")]
    return Counter(each.get("fill", "") for each in paths)


def test_every_stage_is_known_by_its_number_of_stickers() -> None:
    assert COLOURED.keys() == STAGES.keys()


@pytest.mark.parametrize("stage", COLOURED)
def test_stages_keep_as_many_colours_as_those_of_visualcube(stage: str) -> None:
    assert len(stage_stickers(CUBE, stage)) == COLOURED[stage]


@pytest.mark.parametrize(
    ("stage", "face", "shown"),
    [
        ("cll", "U", "101010101"),
        ("ell", "U", "010111010"),
        ("cross", "D", "010111010"),
        ("cross-x2", "U", "010111010"),
        ("line", "D", "010010010"),
        ("2x2x2", "D", "011011000"),
        ("2x2x3", "D", "111111000"),
        ("f2b", "F", "000101101"),
        ("coll", "R", "101000000"),
    ],
)
def test_faces_of_stages(stage: str, face: str, shown: str) -> None:
    assert CUBE.layout is not None
    start = 9 * CUBE.layout.faces.index(face)
    kept = stage_stickers(CUBE, stage)
    assert "".join(str(int(start + i in kept)) for i in range(9)) == shown


def test_a_case_is_what_the_moves_solve() -> None:
    moves = "R U R' U R U2 R'"
    state = CUBE.apply(CUBE.solved, CUBE.undo(CUBE.moves(moves)))
    symbols = dict(zip("YRBWOG", "URFDLB", strict=True))
    ours = draw_svg(CUBE, state, "top", symbols=symbols, size=128, only="face:U")
    assert picture("view=plan&stage=oll&bg=t&case=RUR'URU2R'") == ours
    assert (
        picture("https://x.org/visualcube.php?view=plan&stage=oll&bg=t&case=R+U+R%27URU2R'") == ours
    )


def test_colours() -> None:
    usual, other = fills(picture("pzl=3&bg=t")), fills(picture("pzl=3&bg=t&sch=wrgyob"))
    assert usual != other
    white = fills(picture("pzl=3&bg=t&sch=wrgyob&alg=x2"))
    assert white == fills(picture("pzl=3&bg=t&sch=yrbwog"))
    facelets = "".join(face * 9 for face in "urfdlb")
    assert picture(f"fd={facelets}") == picture("pzl=3")
    assert picture("fc=" + "".join(c * 9 for c in "yrbwog")) == picture("pzl=3")


@pytest.mark.parametrize("size", range(2, 8))
def test_sizes_and_grounds(size: int) -> None:
    svg = picture(f"pzl={size}&size=200&alg=RUF'&bg=cc8")
    root = ElementTree.fromstring(svg)
    assert max(int(root.get("width", "")), int(root.get("height", ""))) == 200
    assert [each.get("fill") for each in root if each.tag.endswith("rect")] == ["#cc8"]
    assert sum(fills(svg).values()) > 3 * size**2


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "expected parameters"),
        ("pzl=9", "pzl=9 has to be a number from 2 to 7"),
        ("size=-1", "size=-1 has to be a number from 1 to 1024"),
        ("view=trans", "view=trans is not known here"),
        ("stage=magic", "stage=magic is not known"),
        ("pzl=2&stage=cross", "stages of cube2: fl, ll, oll"),
        ("pzl=4&stage=oll", "stage=oll is not known; stages of cube4: none"),
        ("stage=cross-R", "only rotations"),
        ("r=y45", "the parameter r of VisualCube has no meaning here"),
        ("colour=red", "there is no parameter 'colour'"),
        ("sch=wwwwww", "six different letters"),
        ("bg=grey", "bg=grey"),
        ("alg=RQ", "Q"),
        ("fd=uuu", "3 stickers instead of 54"),
    ],
)
def test_what_is_wrong_is_named(query: str, message: str) -> None:
    done = CliRunner().invoke(main, ["visualcube", query])
    assert done.exit_code in (2, 3) and message in done.stderr


def test_a_file_of_another_format_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "case.pdf"
    done = CliRunner().invoke(main, ["visualcube", "pzl=2", "--output", str(file)])
    assert done.exit_code == 2 and "case.pdf: let the name end in .svg or .png" in done.stderr
    assert not file.exists()


def test_the_command_writes_files(tmp_path: Path) -> None:
    file = tmp_path / "case.svg"
    done = CliRunner().invoke(main, ["visualcube", "pzl=2&alg=R2F2R2", "--output", str(file)])
    assert done.exit_code == 0 and file.read_text("utf-8") == picture("pzl=2&alg=R2F2R2")
    pytest.importorskip("resvg_py")
    done = CliRunner().invoke(main, ["visualcube", "pzl=2", "--output", str(tmp_path / "a.png")])
    assert done.exit_code == 0 and (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
