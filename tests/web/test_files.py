"""Definition files that are opened on the page: what is kept, drawn, solved and refused."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Client, serving

import puzzlekit_web.files as files
from puzzlekit import Orbit, StateError
from puzzlekit_web.pieces import Pieces

SKEWB = Path(__file__).parents[2] / "examples" / "definitions" / "skewb.def"
RINGS = '{"generators": {"l": [3, 0, 1, 2, 4, 5], "r": [5, 1, 4, 3, 0, 2]}}'

TABLE = """puzzle_type,allowed_moves
swap,"{'a': [1, 0]}"
ring,"{'b': [1, 2, 0]}"
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as found:
        yield found


def opened(client: Client, name: str, text: str) -> str:
    found = client.ask("POST", "/api/files", {"name": name, "text": text})
    assert found.status == 200, found.json
    return str(found.json["name"])


@pytest.mark.slow
def test_a_file_becomes_a_puzzle(client: Client) -> None:
    name = opened(client, "skewb.DEF", SKEWB.read_text("utf-8"))
    assert name == opened(client, "skewb.DEF", SKEWB.read_text("utf-8"))
    listed = client.ask("GET", "/api/puzzles").json
    assert listed["puzzles"][-1] == {"name": name, "title": "Skewb (skewb.DEF)"}
    assert ".def" in listed["files"]
    record = client.ask("GET", f"/api/puzzles/{name}").json
    assert record["written"] and record["opened"] and record["turns"][:2] == ["U", "U'"]
    state = client.post(f"{name}/read", {"text": "U R L'"}).json["facelets"]
    assert client.post(f"{name}/read", {"text": state}).json["kind"] == "stickers"
    (drawn,) = client.post(f"{name}/draw", {"frames": [state]}).json["pictures"]
    assert len(re.findall("<text", drawn)) == 14
    event, answer = client.post(f"{name}/solve", {"stickers": state}).events[-1]
    assert event == "done" and answer["moves"] == ["L", "R'", "U'"]
    assert answer["frames"][-1] == record["solved"]
    random = client.post(f"{name}/random", {"seed": 1}).json
    assert client.post(f"{name}/diagnose", {"stickers": random["facelets"]}).json["complete"]


def test_the_oldest_file_makes_room(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_KEPT", 1)
    first = opened(client, "a.json", RINGS)
    second = opened(client, "b.json", RINGS)
    assert client.ask("GET", f"/api/puzzles/{second}").json["title"] == "b.json"
    second = opened(client, "#2.csv#ring", TABLE)
    assert client.ask("GET", f"/api/puzzles/{first}").status == 404
    assert client.ask("GET", f"/api/puzzles/{second}").json["title"] == "ring"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("photo.png", "", "photo.png is no definition file: its name has to end in .csv, "),
        ("../../etc/cron.d/x.tws", "Move", "x.tws:"),
        ("x.json", "{", "x.json: "),
        ("nul\0.def", "Set A", "nul?.def:"),
        ("half.json", "\ud800", "half.json: "),
        ("cube.network", "", "cube.network is no definition file: "),
    ],
)
def test_a_wrong_file_is_named(client: Client, name: str, text: str, told: str) -> None:
    found = client.ask("POST", "/api/files", {"name": name, "text": text})
    assert found.status == 422 and found.json["error"].startswith(told)
    assert "/tmp" not in found.json["error"]


@pytest.mark.parametrize("error", [KeyError("broken"), SystemExit()])
def test_a_broken_reader_stops_no_other_file(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def broken(file: str, text: str) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(files, "read_file", broken)
        assert client.ask("POST", "/api/files", {"name": "x.json", "text": "1"}).status == 500
    opened(client, "after.json", RINGS)


@pytest.mark.parametrize("text", ["1+1+1 2 3", "+1 2 3", "1 2", "9 2 3", f"{'1' * 5000} 2 3", "R"])
def test_wrong_pieces_are_named(text: str) -> None:
    with pytest.raises(StateError):
        Pieces((Orbit("edges", "edge", "1 2 3", orientations=2),)).read(text)


def test_what_takes_too_long_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.ask("POST", "/api/files", {"name": "x.json", "text": "x" * 2**21}).status == 413
    ended = threading.Event()

    def endless(file: str, text: str) -> None:
        while not ended.is_set():
            try:
                time.sleep(0.001)
            except Exception:  # as a reader may
                continue

    with monkeypatch.context() as patch:
        patch.setattr(files, "_SECONDS", 0.0)
        patch.setattr(files, "read_file", endless)
        found = client.ask("POST", "/api/files", {"name": "late.json", "text": RINGS})
        assert found.status == 422 and "late.json takes longer than" in found.json["error"]
        patch.setattr(files, "_TRIES", 0)  # as if it were in compiled code
        found = client.ask("POST", "/api/files", {"name": "stuck.json", "text": RINGS})
        assert found.status == 422
    opened(client, "after.json", RINGS)
    monkeypatch.setattr(files, "_MOST_LEFT", 1)
    more = {"name": "more.json", "text": RINGS}
    assert client.ask("POST", "/api/files", more).status == 503
    ended.set()
    while (found := client.ask("POST", "/api/files", more)).status == 503:
        time.sleep(0.01)
    assert found.status == 200
