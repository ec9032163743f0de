"""Measured colours, as the page sends them to be read."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from served import Client, serving

import puzzlekit
from puzzlekit.plugins.manager import manager
from puzzlekit_web import scans

# What a camera sees of white, red, green, yellow, orange and blue under a warm lamp.
SEEN = dict(
    zip(
        "URFDLB",
        [
            (250, 225, 180),
            (170, 35, 25),
            (70, 130, 45),
            (235, 190, 40),
            (235, 90, 20),
            (40, 65, 95),
        ],
        strict=True,
    )
)
CUBE = puzzlekit.load("cube3")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


def seen(stickers: str) -> list[list[int]]:
    """The colours of stickers, none quite like another."""
    return [
        [value + (7 * i + 3 * k) % 11 - 5 for k, value in enumerate(SEEN[letter])]
        for i, letter in enumerate(stickers)
    ]


@pytest.mark.slow
def test_a_scan_is_read(client: Client) -> None:
    stickers = CUBE.positions.to_facelets(CUBE.state("R U2 F' L2 D B"))
    assert client.ask("GET", "/api/puzzles/cube3").json["scans"]
    found = client.post("cube3/scan", {"colours": seen(stickers)}).json
    assert found == {"stickers": stickers, "doubts": [], "mended": [], "turned": ""}
    painted = stickers.translate(str.maketrans("URFDLB", "WRGYOB"))
    asked: dict[str, Any] = {"colours": seen(stickers), "scheme": "WRGYOB"}
    assert client.post("cube3/scan", asked).json["stickers"] == painted


@pytest.mark.slow
def test_what_is_seen_is_shown_however_the_cube_is_held(client: Client) -> None:
    stickers = CUBE.positions.to_facelets(CUBE.state("R U2 x y"))
    asked: dict[str, Any] = {"colours": seen(stickers), "scheme": "western"}
    found = client.post("cube3/scan", asked).json["stickers"]
    assert found == stickers.translate(str.maketrans("URFDLB", "WRGYOB"))
    # A cube of other colours than the scheme has: what is up is white.
    held = client.post("cube3/scan", {**asked, "scheme": "japanese"}).json["stickers"]
    assert held[4] == "W" and found[4] == "G"


def test_what_is_in_doubt_is_named(client: Client) -> None:
    cube = puzzlekit.load("cube4")
    stickers = cube.positions.to_facelets(cube.state("R U2 Rw F' Uw2"))
    colours = seen(stickers)
    centers = [16 * face + i for face in range(6) for i in (5, 6, 9, 10)]
    red, orange = (next(i for i in centers if stickers[i] == face) for face in "RL")
    colours[red], colours[orange] = [203, 63, 23], [205, 62, 22]
    doubts = client.post("cube4/scan", {"colours": colours, "scheme": "western"}).json["doubts"]
    assert {(each["sticker"], each["read"], each["runner_up"]) for each in doubts} in (
        {(red, "R", "O"), (orange, "O", "R")},
        {(red, "O", "R"), (orange, "R", "O")},
    )
    assert all(1 <= each["odds"] < 100 for each in doubts)


@pytest.mark.parametrize(
    ("puzzle", "body", "status", "words"),
    [
        ("cube3", {"colours": [[1, 2, 3]]}, 400, "cube3 has 54 stickers: give three numbers"),
        ("cube3", {"colours": [[1, 2]]}, 400, "the field 'colours' must be a list of 3"),
        ("cube3", {"colours": [[1, 2, -3]]}, 400, "the field 'colours' must be"),
        ("cube3", {"colours": [["1", 2, 3]]}, 400, "the field 'colours' must be"),
        ("cube3", {"colours": [], "scheme": "odd"}, 400, "6 different symbols"),
        ("cube3", {"colours": 54 * [[9, 9, 9]]}, 422, "1 different colour instead of 6"),
        ("cube3", {"colours": [[0, 1e-300 * i, 1] for i in range(54)]}, 422, "1 different colour"),
        ("clock", {"colours": [[1, 2, 3]]}, 400, "clock has no stickers"),
    ],
)
def test_wrong_scans_are_refused(
    client: Client, puzzle: str, body: dict[str, Any], status: int, words: str
) -> None:
    reply = client.post(f"{puzzle}/scan", body)
    assert (reply.status, words in reply.json["error"]) == (status, True), reply.json


def test_without_its_plugin_no_scan_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scans.reads_scans()
    others = [each for each in manager().plugins if each.name != "colours"]
    without = SimpleNamespace(plugins=others)
    monkeypatch.setattr("puzzlekit_web.scans.manager", lambda: without)
    assert not scans.reads_scans()
    with pytest.raises(puzzlekit.UsageError, match="the plugin colours, which is not installed"):
        scans.read_scan(CUBE.puzzle, [], None)
