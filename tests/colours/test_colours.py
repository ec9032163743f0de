"""`puzzlekit read-colours`: the most probable legal state of measured colours."""

from __future__ import annotations

import json
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from documents import ROOT
from json_records import printed, schema_of

import puzzlekit
from puzzlekit import StateError, UsageError
from puzzlekit.cli import main
from puzzlekit_colours import decoder, read_colours
from puzzlekit_colours.assignment import assign
from puzzlekit_colours.files import parse, read_file

sys.path.insert(0, str(ROOT / "benchmarks"))
import colours as scans  # the benchmark makes the scans

CLEAR = scans.Camera(noise=2, cast=0.3, light=0.1, glare=0)


def scan(name: str, seed: int, camera: Any = CLEAR) -> tuple[puzzlekit.Puzzle, str, Any]:
    """A puzzle, the stickers of a random state, and what a camera measures of them."""
    solver = puzzlekit.load(name)
    stickers = solver.positions.to_facelets(solver.random_state(seed))
    rng = np.random.default_rng(seed)
    return solver.puzzle, stickers, scans.measure(solver.puzzle, stickers, rng, camera)


def as_file(cube: puzzlekit.Puzzle, measured: Any, **fields: Any) -> str:
    assert cube.layout is not None
    seen = [*zip(measured.tolist(), cube.layout.face_of, strict=True)]
    faces = {
        letter: [colour for colour, at in seen if at == face]
        for face, letter in enumerate(cube.layout.faces)
    }
    return json.dumps({"faces": faces, **fields})


@pytest.mark.parametrize("name", ["cube2", "cube3", "pyraminx"])
def test_reads_a_scan(name: str) -> None:
    puzzle, stickers, measured = scan(name, 7)
    found = read_colours(puzzle, measured.tolist())
    assert found.stickers == stickers
    assert found.names == dict(zip(puzzle.layout.faces, puzzle.layout.colours, strict=True))
    assert found.doubts == ()


@pytest.mark.slow
def test_faces_that_were_measured_another_way_up_are_turned_back() -> None:
    puzzle, stickers, measured = scan("cube2", 7)
    faces = measured.reshape(6, 2, 2, 3).copy()
    faces[0], faces[2] = np.rot90(faces[0]), np.rot90(faces[2], 2)  # U and F
    found = read_colours(puzzle, faces.reshape(24, 3).tolist())
    assert found.stickers == stickers and found.turned == {"U": 1, "F": 2}


def test_the_first_reading_stays_if_turned_faces_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded, calls = decoder._Decoder.decoded, []

    def once(self: Any) -> decoder.Colours:
        calls.append(self)
        if len(calls) > 1:
            raise StateError(["no legal state is near the measured colours"])
        return decoded(self)

    monkeypatch.setattr(decoder, "_FEW_MENDED", -1)
    monkeypatch.setattr(decoder, "_MENDED", -1.0)
    monkeypatch.setattr(decoder._Decoder, "decoded", once)
    monkeypatch.setattr(decoder._Decoder, "turns", lambda self: (np.arange(24), {"U": 1}))
    puzzle, stickers, measured = scan("cube2", 7)
    found = read_colours(puzzle, measured.tolist())
    assert found.stickers == stickers and not found.turned and len(calls) == 2


@pytest.mark.slow
def test_nothing_more_is_tried_after_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    settled, calls = decoder._Decoder._settled, []

    def counted(self: Any, model: Any) -> Any:
        calls.append(model)
        return settled(self, model)

    monkeypatch.setattr(decoder._Decoder, "_settled", counted)
    puzzle, stickers, measured = scan("cube3", 7)
    assert read_colours(puzzle, measured.tolist(), timeout=0.0).stickers == stickers
    assert len(calls) == 1
    noise = np.random.default_rng(1).uniform(0, 255, measured.shape).tolist()
    found = read_colours(puzzle, noise, timeout=0.0)  # the colours of no cube
    assert len(calls) == 2
    assert puzzlekit.load("cube3").solve(found.state).verified


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube4", "cube5", "skewb", "megaminx", "fto", "supercube3"])
def test_reads_a_scan_of_other_puzzles(name: str) -> None:
    puzzle, stickers, measured = scan(name, 3)
    assert scans.is_right(puzzle, measured, stickers)


@pytest.mark.slow
def test_light_does_not_matter() -> None:
    # A red lamp, and a sensor with 10 bits.
    puzzle, stickers, measured = scan("cube3", 11)
    red = measured * [4.0, 1.5, 1.2]
    assert read_colours(puzzle, red.tolist()).stickers == stickers
    in_lab = scans.lab(measured / 255)
    assert read_colours(puzzle, in_lab.tolist(), "lab").stickers == stickers


def test_the_cube_may_be_held_in_any_way() -> None:
    puzzle, _, _ = scan("cube3", 1)
    solver = puzzlekit.load("cube3")
    stickers = solver.positions.to_facelets(solver.state("R U F2 x y"))
    measured = scans.measure(puzzle, stickers, np.random.default_rng(1), CLEAR)
    found = read_colours(puzzle, measured.tolist())
    assert [*map(len, (found.stickers, {*zip(found.stickers, stickers, strict=True)}))] == [54, 6]
    assert [found.stickers[4 + 9 * i] for i in range(6)] == [*"URFDLB"]
    assert found.names["U"] == "green"  # what is up after x and y


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_red_and_orange_exchanged_are_mended(seed: int) -> None:
    puzzle, stickers, measured = scan("cube3", seed)
    rng = np.random.default_rng(seed)
    red = rng.choice([i for i, face in enumerate(stickers) if face == "R"])
    orange = rng.choice([i for i, face in enumerate(stickers) if face == "L"])
    one, other = measured[red].copy(), measured[orange].copy()
    # Each is nearer to the other colour than to its own.
    measured[red], measured[orange] = 0.45 * one + 0.55 * other, 0.45 * other + 0.55 * one
    found = read_colours(puzzle, measured.tolist())
    assert found.stickers == stickers


def test_names_what_it_doubts() -> None:
    puzzle, stickers, measured = scan("cube4", 5)
    # Centers of a 4x4x4 obey no law: two that look half white, half yellow may be exchanged.
    centers = [16 * f + i for f in range(6) for i in (5, 6, 9, 10)]
    white = next(i for i in centers if stickers[i] == "U")
    yellow = next(i for i in centers if stickers[i] == "D")
    measured[[white, yellow]] = (measured[white] + measured[yellow]) / 2 + [[0, 0, 9], [0, 0, -9]]
    found = read_colours(puzzle, measured.tolist())
    assert found.stickers == stickers
    assert {(each.facelet, each.read, each.runner_up) for each in found.doubts} == {
        (white, "U", "D"),
        (yellow, "D", "U"),
    }
    assert all(1 <= each.odds < 100 for each in found.doubts)


@pytest.mark.slow
def test_reads_what_nearest_colours_do_not() -> None:
    camera = scans.Camera(noise=8, cast=0.5)
    read = [scan("cube3", seed, camera) for seed in range(4, 10)]
    near = [scans.nearest(puzzle, measured) == stickers for puzzle, stickers, measured in read]
    assert sum(near) < 0.7 * len(near)
    for puzzle, stickers, measured in read:
        assert scans.is_right(puzzle, measured, stickers)


def test_assigns_at_the_least_cost() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        costs = rng.normal(size=(5, 5))
        least = min(costs[range(5), order].sum() for order in permutations(range(5)))
        assert costs[range(5), assign(costs)].sum() == pytest.approx(least)


@pytest.mark.slow
def test_prints_stickers_that_solve_reads(tmp_path: Path) -> None:
    puzzle, stickers, measured = scan("cube2", 4)
    path = tmp_path / "scan.json"
    path.write_text(as_file(puzzle, measured, puzzle="cube2"))
    found = CliRunner().invoke(main, ["read-colours", str(path)])
    assert (found.exit_code, found.stdout, found.stderr) == (0, f"{stickers}\n", "")
    schema = schema_of("read-colours", "puzzlekit_colours")
    record = printed(schema, "read-colours", str(path))
    assert (record["puzzle"], record["state"]) == ("cube2", stickers)
    assert record["colours"]["U"] == "white"


def test_reads_the_numbers_of_rubiks_color_resolver(tmp_path: Path) -> None:
    puzzle, stickers, measured = scan("cube2", 9)
    layout = puzzle.layout
    assert layout is not None
    faces = ["ULFRBD".index(layout.faces[face]) for face in layout.face_of]
    order = sorted(range(len(faces)), key=faces.__getitem__)
    path = tmp_path / "scan.txt"
    path.write_text(json.dumps({str(n): measured[i].tolist() for n, i in enumerate(order, 1)}))
    found = CliRunner().invoke(main, ["read-colours", str(path)])
    assert (found.exit_code, found.stdout) == (0, f"{stickers}\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "no JSON"),
        ("[]", "expected an object"),
        ('{"U": []}', "face U has to be a list"),
        ('{"U": [[1, 2]]}', "face U, colour 1 has to be three numbers"),
        ('{"U": [[1, 2, "3"]]}', "face U, colour 1"),
        ('{"U": [[1, 2, NaN]]}', "face U, colour 1"),
        ('{"U": [[1, 2, -3]]}', "-3 is no part of a colour in RGB"),
        ('{"space": "hsv", "faces": {}}', "`space`"),
        ('{"faces": 3}', "`faces`"),
        ('{"1": [1, 2, 3], "3": [1, 2, 3]}', "2 numbered stickers"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_files_are_named(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["scan.json"], 2, "scan.json: these are not all stickers of a cube"),
        (["scan.json", "--puzzle", "cube2"], 2, "scan.json: the face R is missing"),
        (["scan.json", "--puzzle", "clock"], 2, "clock has no stickers"),
        (["large.json"], 2, "of a cube of 2 to 7 layers (faces"),
        (["none.json"], 2, "none.json: No such file"),
        (["."], 2, "Is a directory"),
        (["/dev/zero"], 2, "/dev/zero is larger than 50,000,000 bytes"),
    ],
)
def test_exit_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scan.json").write_text('{"U": [[1, 2, 3]]}')
    Path("large.json").write_text(json.dumps({face: [[1, 2, 3]] * 64 for face in "URFDLB"}))
    found = CliRunner().invoke(main, ["read-colours", *arguments])
    assert (found.exit_code, found.stdout) == (code, "")
    assert words in found.stderr


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="standard input is closed"):
        read_file("-")


def test_says_how_many_colours_it_needs() -> None:
    cube = puzzlekit.load("cube2").puzzle
    with pytest.raises(UsageError, match="cube2 has 24 stickers"):
        read_colours(cube, [[1, 2, 3]])
    with pytest.raises(UsageError, match="unknown colour space 'hsv'"):
        read_colours(cube, [[1, 2, 3]] * 24, "hsv")


def test_too_few_colours_are_refused() -> None:
    cube = puzzlekit.load("cube2").puzzle
    with pytest.raises(StateError, match="1 different colour instead of 6"):
        read_colours(cube, [[9, 9, 9]] * 24)
    alike = [[1e-300 * i, 0, 0] for i in range(24)]
    with pytest.raises(StateError, match="1 different colour instead of 6"):
        read_colours(cube, alike, "lab")
    with pytest.raises(StateError, match="2 different colours instead of 6"):
        read_colours(cube, [*alike[1:], [1, 1, 1]])


@pytest.mark.parametrize("most", [1e-300, 1, 1e18])
def test_any_scale_is_read(most: float) -> None:
    puzzle, stickers, measured = scan("cube2", 7)
    assert read_colours(puzzle, (measured * (most / 255)).tolist()).stickers == stickers
