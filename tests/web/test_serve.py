"""`puzzlekit serve`: the routes, and the document that describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from bundled import BUNDLED
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from served import CUBE2, DOCUMENT, Client, serving

import puzzlekit
from puzzlekit import Solver
from puzzlekit.tables.store import TableStore
from puzzlekit_web import app, reading
from puzzlekit_web.solving import Searches

SOLVED = "UUUURRRRFFFFDDDDLLLLBBBB"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


# --- the document


def test_the_document_has_every_route_and_no_other() -> None:
    routes = {
        (route.path, method)
        for route in app.make_app(Searches(1)).routes
        for method in route.methods - {"HEAD"}  # type: ignore[attr-defined]
        if route.path.startswith("/api/")  # type: ignore[attr-defined]
    }
    described = {
        (path, method.upper())
        for path, operations in DOCUMENT["paths"].items()
        for method in operations
        if method != "parameters"
    }
    assert routes == described


def test_every_schema_of_the_document_is_one_and_is_used() -> None:
    components = DOCUMENT["components"]
    for schema in components["schemas"].values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(DOCUMENT)
    for kind in components:
        for name in components[kind]:
            assert f'"#/components/{kind}/{name}"' in text, name


def test_answers_have_the_fields_of_solve_json() -> None:
    schema = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_bytes())
    of_commands = {"line", "text", "rank", "scramble", "position"}
    printed = set(schema["$defs"]["solution"]["properties"]) - of_commands
    own = set(DOCUMENT["components"]["schemas"]["Answer"]["properties"])
    assert own == printed | {"frames", "inverse", "setup", "parts"}


@pytest.mark.parametrize("path", [path for path in DOCUMENT["paths"] if "{puzzle}/" in path])
def test_bodies_have_the_fields_that_are_described(client: Client, path: str) -> None:
    described = DOCUMENT["paths"][path]
    if "post" not in described:
        return
    ref = described["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    schema = DOCUMENT["components"]["schemas"][ref.rpartition("/")[2]]
    own = path.format(puzzle="cube2")
    reply = client.ask("POST", own, {"strange": 1})
    assert reply.status == 400
    assert reply.json["error"] == (
        f"there is no field 'strange'; the fields are {', '.join(schema['properties'])}"
    )
    kinds = {name: each.get("type") for name, each in schema["properties"].items()}
    right = {name: [] if kinds[name] == "array" else SOLVED for name in schema.get("required", [])}
    for left_out in right:
        given = {name: value for name, value in right.items() if name != left_out}
        reply = client.ask("POST", own, given)
        assert reply.json["error"] == f"the field '{left_out}' is missing"
    for name in schema["properties"]:
        wrong = {**right, name: {}}
        assert f"the field '{name}' must be" in client.ask("POST", own, wrong).json["error"]


# --- what there is


def test_the_document_is_served(client: Client) -> None:
    assert client.ask("GET", "/api/openapi.json").json == DOCUMENT


def test_the_puzzles_are_those_whose_states_are_shown(client: Client) -> None:
    found = client.ask("GET", "/api/puzzles").json["puzzles"]
    names = [each["name"] for each in found]
    assert set(BUNDLED) <= set(names) and {"clock", "fifteen", "square1", "tiles-5x5"} <= set(names)
    assert names[:6] == [f"cube{size}" for size in range(2, 8)]
    titles = {each["name"]: each["title"] for each in found}
    assert titles["tiles-5x5"] == "24-puzzle" and "tiles-3x4" not in titles  # only popular ones
    assert client.ask("GET", "/api/puzzles/tiles-5x5").json["slides"]["columns"] == 5


@pytest.mark.parametrize("name", BUNDLED)
def test_a_puzzle_is_described(client: Client, name: str) -> None:
    solver = puzzlekit.load(name)
    reply = client.ask("GET", f"/api/puzzles/{name}")
    found = reply.json
    layout = solver.puzzle.layout
    assert layout is not None
    assert found["net"] == [list(row) for row in layout.net]
    assert len(found["face_of"]) == len(found["facelet_names"]) == len(found["solved"])
    assert len(found["colours"]) == len(found["faces"])
    assert found["longitude"] == layout.longitude == (50 if name == "pyraminx" else 30)
    assert solver.puzzle.moves(found["example"])
    assert [each["name"] for each in found["methods"] if each["default"]] == [solver.method().name]
    for method in found["methods"]:
        chosen = solver.method(method["name"])
        assert method["metrics"] == [each.name for each in solver.catalogue.metrics(chosen.name)]
        assert method["heuristics"][0] == "max"
    again = client.ask(
        "GET", f"/api/puzzles/{name}", headers={"If-None-Match": reply.headers["etag"]}
    )
    assert again.status == 304


def test_only_heuristics_that_a_method_can_be_searched_with_are_named(client: Client) -> None:
    methods = client.ask("GET", "/api/puzzles/cube3").json["methods"]
    found = {each["name"]: each["heuristics"] for each in methods}
    assert found["optimal"] == ["max"] and "sum" in found["two-phase"]
    with pytest.raises(puzzlekit.UsageError, match="only with the heuristic max"):
        puzzlekit.load("cube3").prepared("optimal", "sum")
    (beam, *_) = client.ask("GET", "/api/puzzles/cube4").json["methods"]
    assert beam["heuristics"] == ["max"]


def test_small_letters_are_told_from_capital_ones(client: Client) -> None:
    for puzzle, text, told in (
        ("cube3", "r u' f2", "r is not R"),
        ("cube3", "x y", ""),
        ("cube3", "R u", ""),
        ("pyraminx", "l r", "l is not L"),
    ):
        warnings = client.post(f"{puzzle}/read", {"text": text}).json["warnings"]
        asked = f"small letters turn other layers than capital ones: {told}"
        assert warnings == ([asked] if told else []), text


def test_faces_have_the_names_of_their_moves(client: Client) -> None:
    found = client.ask("GET", "/api/puzzles/fto").json
    assert found["faces"] == "URFLDBXZ"
    assert found["face_names"] == ["U", "R", "F", "L", "D", "B", "BR", "BL"]
    assert found["facelet_names"][-1] == "BL9"
    painted = "F" + found["solved"][1:]
    told = client.post("fto/diagnose", {"stickers": painted}).json
    assert "corner at U-L-BL-B shows F L Z B: no corner has these colours" in [
        each["words"] for each in told["faults"]
    ]
    cuboid = client.ask("GET", "/api/puzzles/cuboid-1x3x3").json
    assert "".join(cuboid["face_names"]) == cuboid["faces"]


def test_schemes_have_their_colours_in_words(client: Client) -> None:
    schemes = {
        each["name"]: each
        for each in client.ask("GET", "/api/puzzles/cube3/schemes").json["schemes"]
    }
    assert schemes["japanese"]["symbols"] == "WRGBOY"
    assert schemes["japanese"]["colours"]["Y"] == "yellow"


# --- states


def test_a_painting_is_diagnosed(client: Client) -> None:
    found = client.post("cube2/diagnose", {"stickers": SOLVED[:-1] + "R"}).json
    assert found["complete"] and not found["solved"]
    assert {"symbol": "R", "count": 5, "expected": 4} in found["counts"]
    placed = [fault for fault in found["faults"] if fault["stickers"]]
    assert placed and all(23 in fault["stickers"] for fault in placed)
    (repair,) = found["repairs"]
    assert (repair["stickers"], repair["changed"]) == (SOLVED, [23])
    half = client.post("cube2/diagnose", {"stickers": SOLVED[:12] + 12 * "?"}).json
    assert (half["faults"], half["unpainted"], half["complete"]) == ([], 12, False)
    # What the painted stickers determine is offered, and need not be painted.
    (filling,) = client.post("cube2/diagnose", {"stickers": SOLVED[:-1] + "?"}).json["repairs"]
    assert (filling["words"], filling["stickers"]) == ("fill in B4: B", SOLVED)
    asked = {"stickers": SOLVED[:-1] + "?", "moves": "R"}
    assert client.post("cube2/verify", asked).json["solved"] is False
    white = SOLVED.translate(str.maketrans("URFDLB", "WRGBOY"))
    japanese = client.post("cube2/diagnose", {"stickers": white, "scheme": "japanese"}).json
    assert japanese["solved"] and japanese["faults"] == []


def test_random_states_are_the_same_for_a_seed(client: Client) -> None:
    one = client.post("cube3/random", {"seed": 7}).json
    assert one == client.post("cube3/random", {"seed": 7}).json
    assert one["facelets"] == puzzlekit.load("cube3").positions.to_facelets(
        puzzlekit.load("cube3").random_state(7)
    )
    other = client.post("cube3/random", {}).json
    assert client.post("cube3/random", {"seed": other["seed"]}).json == other


def test_a_random_state_needs_no_large_tables(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Solver(CUBE2.puzzle, CUBE2.methods, TableStore(str(tmp_path)))
    monkeypatch.setattr(app, "load", lambda _: fresh)
    monkeypatch.setattr(reading, "MANY_BYTES", 0)
    drawn = client.post("cube2/random", {}).json
    assert set(drawn) == {"facelets", "scramble"} and len(drawn["scramble"].split()) == 100
    assert CUBE2.positions.from_facelets(drawn["facelets"]) == CUBE2.state(drawn["scramble"])
    assert set(client.post("cube2/random", {"seed": 1}).json) == {"facelets", "seed"}


def test_moves_are_told_in_words(client: Client) -> None:
    board = puzzlekit.load("fifteen")
    start = board.positions.to_facelets(board.puzzle.solved)
    asked = {"stickers": start, "moves": ["U", "L"]}
    found = client.post("fifteen/words", asked).json
    assert found == {"words": ["tile 12 down", "tile 11 to the right"]}
    assert client.post("fifteen/words", asked | {"language": "xx"}).json == {"words": ["", ""]}
    assert client.post("cube2/words", {"stickers": SOLVED, "moves": ["R"]}).json == {"words": [""]}
    wrong = client.post("fifteen/words", asked | {"moves": ["U", "Q"]})
    assert wrong.status == 422 and "'Q': not a move" in wrong.json["error"]


@pytest.mark.slow
def test_moves_that_are_written_together_are_one_step(client: Client) -> None:
    square = puzzlekit.load("square1")
    start = square.positions.to_facelets(square.puzzle.solved)
    asked = {"stickers": start, "moves": "(1,0)/(-3,6)/(0,2)(1,0)U"}
    found = client.post("square1/verify", asked).json
    assert found["moves"] == ["(1,0)", "/", "(-3,6)", "/", "(1,2)", "(1,0)"]
    assert len(found["frames"]) == 7 and found["frames"][0] == start
    for number, text in enumerate(found["moves"]):
        before, after = found["frames"][number : number + 2]
        state = square.positions.from_facelets(before)
        moved = square.puzzle.apply(state, square.puzzle.moves(text))
        assert square.positions.to_facelets(moved) == after
    words = client.post("square1/words", {"stickers": start, "moves": found["moves"][:3]}).json
    assert words["words"][2].count(";") == 1 and "180°" in words["words"][2]
    events = client.post("square1/solve", {"stickers": found["frames"][-1]}).events
    answer = events[-1][1]
    assert "".join(answer["moves"]) == answer["solution"].replace(" ", "")
    assert [(each["first"], each["last"]) for each in answer["parts"]] == [
        (0, len(answer["moves"]))
    ]
    assert answer["frames"][-1] == start
    for written in (answer["setup"], answer["inverse"]):
        assert written == square.puzzle.text(square.puzzle.moves(written))


def test_moves_and_stickers_are_read(client: Client) -> None:
    cube = puzzlekit.load("cube2")
    moves = client.post("cube2/read", {"text": "R U F2"}).json
    assert moves["kind"] == "moves" and moves["symbols"] is None
    assert moves["facelets"] == cube.positions.to_facelets(cube.state("R U F2"))
    painted = moves["facelets"].translate(str.maketrans("URFDLB", "WRGYOB"))
    stickers = client.post("cube2/read", {"text": f"state: {painted}"}).json
    assert (stickers["kind"], stickers["scheme"]) == ("stickers", "western")
    assert stickers["facelets"] == moves["facelets"] and stickers["symbols"]["W"] == "U"


def test_a_net_is_read_as_the_page_prints_it(client: Client) -> None:
    net = puzzlekit.load("cube2").net("R U F2")
    found = client.post("cube2/read", {"text": net}).json
    assert found["kind"] == "stickers"
    assert found["facelets"] == client.post("cube2/read", {"text": "R U F2"}).json["facelets"]
    half = client.post("cube2/read", {"text": net.replace("U", "?")}).json
    assert half["facelets"] == found["facelets"].replace("U", "?")
    short = client.post("cube2/read", {"text": net.rstrip()[:-2]})
    assert short.status == 422 and "row 6 of the net has 1 sticker" in str(short.json)


def test_times_signs_are_repetitions(client: Client) -> None:
    assert client.post("cube2/read", {"text": "(R U R' U')x6"}).json["facelets"] == SOLVED
    asked = {"stickers": SOLVED, "moves": "(R U R' U')\u00d76"}
    found = client.post("cube2/verify", asked).json
    assert found["solved"] and len(found["moves"]) == 24


def test_what_is_pasted_is_read(client: Client) -> None:
    plain = client.post("cube2/read", {"text": "R U F2"}).json
    for text in ("1. 12.34   R U F2", "https://alpha.twizzle.net/edit/?puzzle=2x2x2&alg=R+U+F2"):
        assert client.post("cube2/read", {"text": text}).json == plain
    half = client.post("cube2/read", {"text": "Stickers: WWWW/RRRR/GGGG/????/OOOO/BBBB"}).json
    assert half["facelets"] == "UUUURRRRFFFF????LLLLBBBB"
    asked = {"stickers": plain["facelets"], "moves": "Solution: F2 U' R'"}
    assert client.post("cube2/verify", asked).json["solved"]


def test_faulty_and_half_painted_stickers_are_given_back(client: Client) -> None:
    faulty = SOLVED[:-1] + "R"
    assert client.post("cube2/read", {"text": faulty}).json["facelets"] == faulty
    half = "WWWW RRRR GGGG ???? OOOO BBBB"
    found = client.post("cube2/read", {"text": half}).json
    assert found["facelets"] == "UUUURRRRFFFF????LLLLBBBB"
    reply = client.post("cube2/read", {"text": f"state: {SOLVED}U"})
    assert reply.status == 422 and reply.json["faults"][0]["words"] == "25 stickers instead of 24"


def test_an_odd_scheme_is_read_with_a_warning(client: Client) -> None:
    mirrored = SOLVED.translate(str.maketrans("RL", "LR"))
    found = client.post("cube2/read", {"text": mirrored}).json
    assert len(found["warnings"]) == 1 and found["scheme"] is None


def test_moves_are_verified(client: Client) -> None:
    cube = puzzlekit.load("cube2")
    start = cube.positions.to_facelets(cube.state("R U F2"))
    found = client.post("cube2/verify", {"stickers": start, "moves": "F2 U' R'"}).json
    assert found["solved"] and found["moves"] == ["F2", "U'", "R'"]
    assert found["lengths"] == {"HTM": 3, "QTM": 4}
    assert found["frames"] == [
        cube.positions.to_facelets(cube.state(moves)) for moves in ("R U F2", "R U", "R", "")
    ]
    assert found["inverse"] == "R U F2"
    other = client.post("cube2/verify", {"stickers": start, "moves": "F"}).json
    assert not other["solved"] and other["setup"] is None
    asked = {"stickers": start, "moves": "(R U) F2"}
    assert client.post("cube2/verify", asked).json["kind"] == "notation"
    assert client.post("cube2/verify", {**asked, "parentheses": "inverse"}).json["moves"] == [
        *("F2", "U'", "R'")
    ]


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("verify", {"moves": "R Q"}, {"kind": "notation", "column": 3, "token": "Q"}),
        ("verify", {"moves": "(R U)9999"}, {"kind": "notation"}),
        ("verify", {"moves": "(R U)x"}, {"kind": "notation", "column": 6, "token": "x"}),
        ("read", {"text": "R U x6"}, {"kind": "notation", "column": 5, "token": "x6"}),
        ("verify", {"stickers": SOLVED[:-1] + "R", "moves": ""}, {"kind": "state"}),
        ("verify", {"stickers": SOLVED[:4] + "?" * 20, "moves": ""}, {"kind": "state"}),
        ("diagnose", {"stickers": "U"}, {"kind": "state"}),
        ("diagnose", {"scheme": "pink"}, {"kind": "usage"}),
        ("diagnose", {"scheme": ""}, {"kind": "request"}),
        ("diagnose", {"scheme": "p" * 501}, {"kind": "request"}),
        ("solve", {"stickers": SOLVED[:-1] + "R"}, {"kind": "state"}),
        ("solve", {"method": "optimum"}, {"kind": "usage"}),
        ("solve", {"metric": "STM"}, {"kind": "usage"}),
        ("solve", {"heuristic": "most"}, {"kind": "usage"}),
        ("solve", {"timeout": 3601}, {"kind": "request"}),
        ("solve", {"timeout": -1}, {"kind": "request"}),
        ("solve", {"max_length": 1.5}, {"kind": "request"}),
        ("solve", {"max_length": True}, {"kind": "request"}),
        ("random", {"seed": 2**53}, {"kind": "request"}),
    ],
)
def test_what_is_wrong_is_told(
    client: Client, path: str, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    needed = {} if path in ("random", "read") else {"stickers": SOLVED}
    reply = client.post(f"cube2/{path}", {**needed, **body})
    assert reply.status == (422 if expected["kind"] in ("notation", "state") else 400)
    assert reply.json.items() >= expected.items()
    if expected["kind"] == "request":
        assert f"'{next(iter(body))}'" in reply.json["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'{"seed": NaN}', b"[" * 60000, b"\xff"])
def test_what_is_no_json_object_is_refused(client: Client, body: bytes) -> None:
    assert client.post("cube2/random", body).status == 400
    assert client.ask("POST", "/api/puzzles/cube2/random", body).json["kind"] == "request"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=8,
)
facelet_texts = st.sampled_from([SOLVED, "R U F2 D", SOLVED[:20], "?" * 24]) | st.text(
    "URFDLB?W\ud800ß", min_size=22, max_size=25
)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["diagnose", "random", "read", "verify", "solve"])
@given(
    strange=st.dictionaries(
        st.sampled_from(
            ["stickers", "scheme", "moves", "text", "seed", "method", "metric", "timeout"]
        ),
        json_values,
        max_size=3,
    )
    | json_values,
    text=facelet_texts,
    fields=st.sets(st.sampled_from(["stickers", "text", "moves"])),
)
def test_no_body_is_too_strange(
    client: Client, path: str, strange: Any, text: str, fields: set[str]
) -> None:
    body = strange
    if isinstance(strange, dict):
        body = {**dict.fromkeys(sorted(fields), text), **strange}
    assert client.post(f"cube2/{path}", body).status in (200, 400, 422)


# --- the page


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Client, Path]]:
    """A server of a page of four files."""
    directory = tmp_path / "page"
    (directory / "viewer").mkdir(parents=True)
    (directory / "index.html").write_text("<p>page")
    (directory / "app.js").write_text("let a")
    (directory / "viewer" / "viewer.js").write_text("let b")
    (directory / "secret.py").write_text("hidden")
    (tmp_path / "secret.js").write_text("hidden")
    monkeypatch.setattr(app, "PAGE", directory)
    with serving() as client:
        yield client, directory


def test_the_files_of_the_page_are_served(page: tuple[Client, Path]) -> None:
    client, directory = page
    reply = client.ask("GET", "/")
    assert (reply.status, reply.body) == (200, b"<p>page")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["cache-control"] == "no-cache"
    script = client.ask("GET", "/viewer/viewer.js")
    assert script.body == b"let b" and script.headers["content-type"].startswith("text/javascript")
    tag = {"If-None-Match": reply.headers["etag"]}
    assert client.ask("GET", "/", headers=tag).status == 304
    (directory / "index.html").write_text("<p>new")
    assert client.ask("GET", "/", headers=tag).body == b"<p>new"
    assert client.ask("HEAD", "/").body == b""
    (directory / "late.js").write_text("let c")
    assert client.ask("GET", "/late.js").status == 404
    (directory / "app.js").unlink()
    assert client.ask("GET", "/app.js").status == 404


@pytest.mark.parametrize(
    "target",
    [
        "/../secret.js",
        "/viewer/../../secret.js",
        "/%2e%2e/secret.js",
        "/..%2fsecret.js",
        "/%2e%2e%5csecret.js",
        "/..\\secret.js",
        "//secret.js",
        "/./app.js",
        "/viewer",
        "/viewer/",
        "/secret.py",
        "/secret.js",
        "/app.js%00",
        "/app.js/",
        "/APP.JS",
        "{directory}/app.js",
        "/{directory}/app.js",
        "http://127.0.0.1:{port}/../secret.js",
        "file://{directory}/app.js",
    ],
)
def test_no_other_file_is_served(page: tuple[Client, Path], target: str) -> None:
    client, directory = page
    asked = target.format(directory=directory, port=client.port)
    head = f"GET {asked} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nConnection: close\r\n\r\n"
    answer = client.raw(head.encode())
    assert answer.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 400 "))
    assert b"hidden" not in answer and b"let" not in answer
