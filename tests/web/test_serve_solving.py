"""`puzzlekit serve`: searches, told as events."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest
from served import CUBE2, SCRAMBLED, Client, Waiting, read_events, serving

import puzzlekit
from puzzlekit import Limits, NoSolutionError, Solution, Solver
from puzzlekit.engine.beats import beat
from puzzlekit.search.options import Choice, missing_tables
from puzzlekit.search.strategies.candidate import HowFound, merge
from puzzlekit.tables.store import TableStore, Watcher
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import Builds
from puzzlekit_web import app, solving
from puzzlekit_web.records import parts_records

HARD = CUBE2.positions.to_facelets(CUBE2.random_state(4))  # no early answer is proven shortest


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Waiting]:
    solver = Waiting()
    monkeypatch.setattr(app, "load", lambda _: solver)
    monkeypatch.setattr(solving, "_PATIENCE", 0.1)
    yield solver
    solver.released.set()
    solver.prepared.set()


def until(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.005)


def begin(client: Client, **asked: Any) -> Iterator[tuple[str, Any]]:
    """Begin a search; its events as they come."""
    body = {"stickers": SCRAMBLED, **asked}
    return read_events(client.open("POST", "/api/puzzles/cube2/solve", body))


@pytest.mark.parametrize("name", ["cube2", "pyraminx", "skewb"])
def test_a_solution_comes_with_how_the_puzzle_looks_on_the_way(name: str) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    with serving() as client:
        start = client.post(f"{name}/random", {"seed": 3}).json["facelets"]
        events = client.post(f"{name}/solve", {"stickers": start}).events
    assert [event for event, _ in events][-2:] == ["answer", "done"]
    found = events[-1][1]
    moves = puzzle.moves(found["solution"])
    state = solver.positions.from_facelets(start)
    assert found["state"] == found["frames"][0] == start
    for number, move in enumerate(moves, start=1):
        state = puzzle.apply(state, [move])
        assert found["frames"][number] == solver.positions.to_facelets(state)
    assert puzzle.is_solved(state)
    undone = puzzle.apply(state, puzzle.moves(found["inverse"]))
    assert solver.positions.to_facelets(undone) == start
    assert solver.positions.to_facelets(solver.state(found["setup"])) == start


@pytest.mark.parametrize(
    ("phases", "moves", "parts"),
    [
        (["R U", "F"], "R U F", [(0, 2), (2, 3)]),
        (["R U R", "R F"], "R U R2 F", [(0, 2), (2, 4)]),  # what was merged is the later phase's
        (["U D", "U F"], "U2 D F", [(0, 0), (0, 3)]),  # and whatever comes after it
        (["R U", "U' F"], "R F", [(0, 1), (1, 2)]),
        (["U D", "U' F"], "D F", [(0, 0), (0, 2)]),
        (["R U", "U' R'"], "", [(0, 0), (0, 0)]),
        (["R", "", "F"], "R F", [(0, 1), (1, 1), (1, 2)]),
        (["", "R F"], "R F", [(0, 0), (0, 2)]),
    ],
)
def test_parts_cover_the_moves(phases: list[str], moves: str, parts: list[tuple[int, int]]) -> None:
    puzzle = puzzlekit.load("cube3").puzzle
    found = CUBE2.solve("R")
    (report,) = found.phases
    merged = merge(puzzle, [puzzle.moves(each) for each in phases])
    made = found.evolve(phases=tuple(attrs.evolve(report, merged=each) for each in merged))
    assert str(made) == moves
    told = parts_records(made)
    assert [(each["first"], each["last"]) for each in told] == parts


def test_a_part_is_direct_where_its_goal_can_be_seen() -> None:
    found = CUBE2.solve("R")
    (report,) = found.phases
    inverted = attrs.evolve(report, direct=False, found=HowFound(inverted=True))
    told = parts_records(found.evolve(phases=(report, inverted)))
    goal = CUBE2.method().phases[0].goal
    seen = f"{goal} (in the inverse state)"
    assert [(each["goal"], each["direct"]) for each in told] == [(goal, True), (seen, False)]


def test_tables_that_are_built_are_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Solver(CUBE2.puzzle, CUBE2.methods, TableStore(str(tmp_path)))
    monkeypatch.setattr(app, "load", lambda _: fresh)
    monkeypatch.setattr(solving, "_OFTEN", 0.0)
    with serving() as client:
        events = client.post("cube2/solve", {"stickers": SCRAMBLED}).events
        again = client.post("cube2/solve", {"stickers": SCRAMBLED}).events
    told = [data for event, data in events if event == "preparing"]
    assert {each["what"] for each in told} >= {"orientation moves", "permutation moves"}
    shares = [each["share"] for each in told]
    assert shares == sorted(shares) and shares[0] == 0
    assert told[0]["left"] > 0
    numbers = [(each["table"], each["tables"]) for each in told]
    assert numbers == sorted(numbers) and numbers[0][0] == 1
    missing = len({each["what"] for each in told})
    assert {tables for _, tables in numbers} == {missing} and numbers[-1][0] == missing
    assert "preparing" not in [event for event, _ in again]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optimal", "small-tables"])
def test_an_answer_without_tables_comes_before_long_builds(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    fresh = Solver(CUBE2.puzzle, [CUBE2.method(method)], TableStore(str(tmp_path)))
    monkeypatch.setattr(app, "load", lambda _: fresh)
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    with serving() as client:
        events = client.post("cube2/solve", {"stickers": HARD}).events
    names = [event for event, _ in events]
    assert names[:2] == ["answer", "preparing"] and names[-1] == "done"
    early, last = events[0][1], events[-1][1]
    assert early["method"] == "universal" and early["verified"]
    lengths = [data["length"] for event, data in events if event == "answer"]
    assert lengths == sorted({*lengths}, reverse=True)
    assert last["length"] <= early["length"] and (last["optimal"] or method == "small-tables")


def test_an_early_answer_that_is_proven_ends_the_search(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Solver(CUBE2.puzzle, [CUBE2.method("optimal")], TableStore(str(tmp_path)))
    monkeypatch.setattr(app, "load", lambda _: fresh)
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    with serving() as client:
        ((event, answer),) = client.post("cube2/solve", {"stickers": SCRAMBLED}).events
    assert (event, answer["method"], answer["length"]) == ("done", "universal", 4)
    assert answer["optimal"] and missing_tables(fresh.choose())  # none are built


class Hopeless(Solver):
    """A solver whose method `optimal` finds no answer; `first` is the limits of the other one."""

    first = Limits()

    def search(
        self,
        state: bytes,
        choice: Choice,
        limits: Limits,
        on_answer: Callable[[Solution], None] | None = None,
    ) -> Solution:
        if choice.method.name == "optimal":
            raise NoSolutionError("no solution within 30 s was found")
        self.first = limits
        return super().search(state, choice, limits, on_answer)


@pytest.mark.slow
def test_an_early_answer_keeps_the_limits_and_stays_without_a_better_one(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Hopeless(CUBE2.puzzle, [CUBE2.method("optimal")], TableStore(str(tmp_path)))
    monkeypatch.setattr(app, "load", lambda _: fresh)
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    asked: dict[str, Any] = {"stickers": HARD, "timeout": 30}
    with serving() as client:
        events = client.post("cube2/solve", asked).events
        none = client.post("cube2/solve", asked | {"max_length": 1}).events
    assert fresh.first.timeout == 30
    assert [event for event, _ in events if event != "preparing"] == ["answer", "done"]
    assert events[-1][1] == events[0][1] and events[0][1]["method"] == "universal"
    assert [event for event, _ in none if event != "preparing"] == ["error"]


def test_two_preparations_follow_their_own_tables(tmp_path: Any) -> None:
    store = TableStore(str(tmp_path))
    own, other = (
        TableSpec("cube2", name, name, "u1", (4,), "For a test.") for name in ("own", "other")
    )
    told: list[str] = []

    class Noted(Builds):
        def news(self, key: TableSpec) -> None:
            told.append(key.name)

    builds = Noted(store, lambda: [own])

    def build() -> None:
        for key in (own, other):
            store.get(key, lambda: bytes(4))

    with store.watched(builds):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
    assert told == ["own", "own"] and (builds.count, builds.nbytes, builds.total) == (1, 4, 4)


def test_what_is_not_solved_is_told() -> None:
    with serving() as client:
        asked = {"stickers": SCRAMBLED, "method": "small-tables", "max_length": 1}
        event, data = client.post("cube2/solve", asked).events[-1]
    assert (event, data["kind"]) == ("error", "unsolved")
    assert data["error"] == "no solution of at most 1 HTM was found"


def test_answers_and_bounds_come_as_they_are_found(waiting: Waiting) -> None:
    with serving() as client:
        events = begin(client)
        assert next(events)[0] == "bound" and next(events)[0] == "answer"
        waiting.released.set()
        assert next(events)[0] == "done"
        assert client.post("cube2/solve", {"stickers": SCRAMBLED}).events[0][1]["at_least"] == 4


def test_only_so_many_searches_run_at_once(waiting: Waiting) -> None:
    with serving(most=2) as client:
        running = client.server.searches.running
        for _ in range(2):
            begin(client)
            assert waiting.begun.acquire(timeout=10)
        assert len(running) == 2
        reply = client.ask("GET", "/api/puzzles/cube2")  # is answered meanwhile
        assert reply.status == 200
        until(lambda: not running)  # `ask` closes all connections
        for _ in range(2):
            begin(client)
            assert waiting.begun.acquire(timeout=10)
        busy = client.post("cube2/solve", {"stickers": SCRAMBLED})
        assert busy.status == 503 and busy.json["kind"] == "busy"
        assert "2 searches" in busy.json["error"]


def test_one_search_too_many_waits_for_its_turn(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "_PATIENCE", 10)
    with serving(most=1) as client:
        begin(client)
        assert waiting.begun.acquire(timeout=10)
        threading.Timer(0.2, waiting.released.set).start()
        assert client.post("cube2/solve", {"stickers": SCRAMBLED}).events[-1][0] == "done"


def test_a_search_ends_when_its_client_leaves(waiting: Waiting) -> None:
    with serving(most=1) as client:
        for _ in range(3):
            begin(client)
            assert waiting.begun.acquire(timeout=10)
            client.leave()
            until(lambda: not client.server.searches.running)


def test_nothing_is_searched_for_a_client_that_left_while_tables_were_built(
    waiting: Waiting,
) -> None:
    waiting.prepared.clear()
    with serving(most=1) as client:
        threading.Thread(
            target=lambda: client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED})
        ).start()
        assert waiting.preparing.wait(10)
        until(lambda: len(client.server.searches.running) == 1)
        client.leave()
        (search,) = client.server.searches.running
        assert search.cancel.wait(10)
        waiting.prepared.set()
        until(lambda: not client.server.searches.running)
    assert waiting.searched == 0


def searching() -> list[threading.Thread]:
    """The threads of searches that have not ended."""
    return [each for each in threading.enumerate() if each.name == "puzzlekit search"]


def work_until(condition: Callable[[], bool]) -> float:
    """Wait until something holds; return the CPU seconds of this process until then."""
    begun = time.process_time()
    until(condition)
    return time.process_time() - begun


def rebuilt(solver: Solver, path: Any) -> Solver:
    """Return a solver of the same puzzle that has no tables yet."""
    return Solver(
        solver.puzzle,
        solver.methods,
        TableStore(str(path)),
        tuple(solver.catalogue.goals.values()),
        tuple(solver.catalogue.step_methods.values()),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked", "has_tables", "seconds"),
    [
        ("cube3", {"steps": "fewest-moves", "timeout": 3600}, True, 1.0),
        ("cube3", {"steps": "fewest-moves", "timeout": 3600}, False, 0.5),
        ("cube4", {"steps": "yau"}, False, 0.5),
        ("cube3", {"method": "optimal"}, False, 2.0),
        ("cube4", {}, False, 2.0),
        ("cube7", {}, False, 2.0),
        ("cube7", {"method": "universal"}, False, 2.0),
    ],
)
def test_searches_and_builds_end_when_their_clients_leave(
    name: str,
    asked: dict[str, Any],
    has_tables: bool,
    seconds: float,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once two such requests blocked all others for an hour."""
    usual = puzzlekit.load(name)
    solver = usual if has_tables else rebuilt(usual, tmp_path)
    monkeypatch.setattr(app, "load", {name: solver, "cube2": CUBE2}.get)
    body = {"stickers": solver.positions.to_facelets(solver.random_state(3)), **asked}
    with serving(most=2) as client:
        running = client.server.searches.running
        for _ in range(2):
            client.open("POST", f"/api/puzzles/{name}/solve", body)
        until(lambda: len(running) == 2)
        time.sleep(seconds)
        assert len(running) == 2
        client.leave()
        assert work_until(lambda: not running) < 1.5  # usually 0.1
        assert work_until(lambda: not searching()) < 1.5
        assert client.post("cube2/solve", {"stickers": SCRAMBLED}).events[-1][0] == "done"


class Slow(Watcher):
    """Holds up the builds of a store until they are `released`. `built` lists their tables."""

    def __init__(self) -> None:
        self.begins = threading.Semaphore(0)
        self.released = threading.Event()
        self.built_names: list[str] = []

    def begun(self, key: TableSpec) -> None:
        self.begins.release()
        assert self.released.wait(10)

    def built(self, key: TableSpec) -> None:
        self.built_names.append(key.name)


def test_a_build_goes_on_for_others_that_wait_for_it(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, slow = rebuilt(CUBE2, tmp_path), Slow()
    monkeypatch.setattr(app, "load", lambda _: fresh)
    with serving(most=2) as client, fresh.store.watched(slow):
        running = client.server.searches.running
        response = client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED})
        assert slow.begins.acquire(timeout=10)
        (first,) = running
        other = Client(client.server)
        events = begin(other)
        until(lambda: len(running) == 2)
        time.sleep(0.2)  # the other search waits for the first table
        response.close()
        client.leave()
        assert first.cancel.wait(10)
        slow.released.set()
        assert [event for event, _ in events][-1] == "done"
        until(lambda: not running)
        other.leave()
    assert len(slow.built_names) == len(set(slow.built_names)) > 1


def test_a_build_that_goes_on_for_others_takes_no_place(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = rebuilt(CUBE2, tmp_path)
    key = TableSpec("cube2", "slow", "slow", "u1", (4,), "For a test.")
    begun, ended = threading.Event(), threading.Event()

    def build() -> bytes:
        begun.set()
        while not ended.wait(0.01):
            beat()
        return bytes(4)

    def prepare(_: Any) -> Any:
        fresh.store.get(key, build)

    monkeypatch.setattr(fresh, "make_ready", prepare)
    monkeypatch.setattr(app, "load", lambda _: fresh)
    with serving(most=1) as client:
        running = client.server.searches.running
        client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED})
        assert begun.wait(10)
        waiting = threading.Thread(target=fresh.store.get, args=(key, bytes))
        waiting.start()
        time.sleep(0.2)
        client.leave()
        until(lambda: not running)
        assert len(searching()) == 1 and waiting.is_alive()
        ended.set()
        waiting.join(10)
        until(lambda: not searching())


def test_a_search_does_not_wait_for_the_build_of_another_once_it_is_cancelled(
    tmp_path: Any,
) -> None:
    fresh, slow = rebuilt(CUBE2, tmp_path), Slow()
    cancel = threading.Event()
    with fresh.store.watched(slow):
        builder = threading.Thread(target=fresh.solve, args=("R U",))
        builder.start()
        assert slow.begins.acquire(timeout=10)
        threading.Timer(0.2, cancel.set).start()
        with pytest.raises(NoSolutionError, match="cancelled"):
            fresh.solve("R U", cancel=cancel)
        slow.released.set()
        builder.join(10)


def test_no_table_is_begun_for_a_client_that_left(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Solver(CUBE2.puzzle, CUBE2.methods, TableStore(str(tmp_path)))
    under_way, released = threading.Event(), threading.Event()
    built: list[str] = []

    class SlowlyEnded(Watcher):
        def built(self, key: TableSpec) -> None:
            built.append(key.name)
            under_way.set()
            assert released.wait(10)

    monkeypatch.setattr(app, "load", lambda _: fresh)
    with serving(most=1) as client, fresh.store.watched(SlowlyEnded()):
        response = client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED})
        assert under_way.wait(10)
        (search,) = client.server.searches.running
        response.close()
        client.leave()
        assert search.cancel.wait(10)
        released.set()
        until(lambda: not client.server.searches.running)
        assert len(built) == 1  # the one that was under way
        assert client.post("cube2/solve", {"stickers": SCRAMBLED}).events[-1][0] == "done"
        assert len(built) > 1 and len(set(built)) == len(built)


def test_a_quiet_search_shows_that_it_is_alive(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "_ALIVE", 0.02)
    with serving() as client:
        response = client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED})
        until(lambda: response.readline() == b": still at it\n")


def test_the_end_of_the_server_is_told(waiting: Waiting) -> None:
    with serving() as client:
        events = begin(client)
        assert waiting.begun.acquire(timeout=10)
        client.server.should_exit = True
        event, data = list(events)[-1]
    assert (event, data["error"]) == ("error", "puzzlekit serve has ended")
    until(lambda: waiting.searched == 1)


def test_no_search_begins_when_the_server_ends(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "_PATIENCE", 10)
    with serving(most=1) as client:
        begin(client)
        assert waiting.begun.acquire(timeout=10)
        statuses: list[int] = []

        def ask() -> None:
            body = {"stickers": SCRAMBLED}
            statuses.append(client.open("POST", "/api/puzzles/cube2/solve", body).status)

        late = threading.Thread(target=ask)
        late.start()
        until(lambda: len(client.server.server_state.tasks) == 2)
        client.server.should_exit = True
        late.join(10)
    assert statuses == [503] and waiting.searched == 1


def test_a_search_that_fails_is_told(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(waiting, "search", fail)
    with serving() as client:
        event, data = client.post("cube2/solve", {"stickers": SCRAMBLED}).events[-1]
        assert (event, data["kind"]) == ("error", "environment")
        until(lambda: not client.server.searches.running)


@pytest.mark.slow
def test_a_step_method_tells_its_steps() -> None:
    puzzle = puzzlekit.load("cube2").puzzle
    with serving() as client:
        (method,) = client.ask("GET", "/api/puzzles/cube2").json["step_methods"]
        assert (method["name"], method["steps"]) == ("ortega", ["face", "oll", "pbl"])
        body = {"stickers": SCRAMBLED, "steps": "ortega", "metric": method["metric"]}
        ((event, found),) = client.post("cube2/solve", body).events
        refused = client.post("cube2/solve", {"stickers": SCRAMBLED, "steps": "no-such-method"})
    assert (event, found["method"], found["frames"][0]) == ("done", "ortega", SCRAMBLED)
    assert [phase["name"] for phase in found["phases"]] == method["steps"]
    parts = found["parts"]
    assert [part["name"] for part in parts] == method["steps"]
    assert [part["first"] for part in parts] == [0, *(part["last"] for part in parts[:-1])]
    assert parts[-1]["last"] == len(found["moves"])
    state = puzzlekit.load("cube2").positions.from_facelets(SCRAMBLED)
    assert puzzle.is_solved(puzzle.apply(state, puzzle.moves(found["solution"])))
    assert (
        refused.status == 400
        and "no step method 'no-such-method'; it has ortega" in refused.json["error"]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "moves", "state"),
    [
        ("clock", "UR3+ y2 UL2-", "7 10 0 10 10 0 0 0 0 / 0 3 5 0 3 3 0 0 0"),
        ("eight", "U L", "1 2 3 4 0 5 7 8 6"),
    ],
)
def test_a_puzzle_without_stickers(name: str, moves: str, state: str) -> None:
    with serving() as client:
        record = client.ask("GET", f"/api/puzzles/{name}").json
        read = client.post(f"{name}/read", {"text": moves}).json
        assert client.post(f"{name}/read", {"text": read["facelets"]}).json["kind"] == "stickers"
        report = client.post(f"{name}/diagnose", {"stickers": read["facelets"]}).json
        wrong = client.post(f"{name}/diagnose", {"stickers": "1 2 3"}).json
        _, found = client.post(f"{name}/solve", {"stickers": read["facelets"]}).events[-1]
        drawn = client.post(f"{name}/draw", {"frames": found["frames"]}).json["pictures"]
        many = client.post(f"{name}/draw", {"frames": ["0"] * 2002})
    assert record["written"] and record["face_of"] == [] and not record["takes_goals"]
    assert record["turns"] and record["example"]
    assert (read["kind"], read["facelets"]) == ("moves", state)
    assert (report["complete"], report["faults"], report["solved"]) == (True, [], False)
    assert wrong["faults"] and not wrong["solved"]
    assert found["frames"][0] == state and found["frames"][-1] == record["solved"]
    assert len(drawn) == len(found["frames"]) and drawn[0].startswith("<svg ")
    assert many.status == 400 and "2,002 states: at most 2,001" in many.json["error"]


def test_tiles_slide_where_the_moves_of_the_blank_lead() -> None:
    with serving() as client:
        found = [client.ask("GET", f"/api/puzzles/{name}").json for name in ("eight", "square1")]
        states = client.post("eight/verify", {"stickers": found[0]["solved"], "moves": "U"}).json
    slides = found[0]["slides"]
    assert (slides["blank"], slides["columns"]) == ("0", 3)
    assert slides["moves"][8] == {"U": 5, "L": 7}
    assert states["frames"][1].split().index("0") == 5
    assert found[1]["slides"] is None and found[1]["turns"] == [
        "(1,0)",
        "(-1,0)",
        "(0,1)",
        "(0,-1)",
        "/",
    ]


def test_a_goal_by_its_name() -> None:
    cube = puzzlekit.load("cube2")
    stickers = cube.positions.to_facelets(cube.state("R U F2 R U"))
    with serving() as client:
        named = client.ask("GET", "/api/puzzles/cube2").json["goals"]
        body = {"stickers": stickers, "goal": "oriented"}
        event, found = client.post("cube2/solve", body).events[-1]
    assert {"name": "oriented", "title": "the colours of U and D are on U and D"} in named
    assert (event, found["goal"]["name"]) == ("done", "oriented")


def test_a_goal_in_stickers() -> None:
    cube = puzzlekit.load("cube2")
    stickers = cube.positions.to_facelets(cube.state("R U F2 R U"))
    with serving() as client:
        assert client.ask("GET", "/api/puzzles/cube2").json["takes_goals"]
        body = {"stickers": stickers, "goal": "UUUU" + "?" * 20, "scheme": "URFDLB"}
        event, found = client.post("cube2/solve", body).events[-1]
        refused = client.post("cube2/solve", {**body, "goal": "UUUU"})
    assert (event, found["length"], found["goal"]["name"]) == ("done", 4, "stickers")
    assert found["frames"][-1].startswith("UUUU")
    assert refused.status in (400, 422) and "4 stickers" in str(refused.json)


def test_a_goal_on_a_cube_with_yellow_on_top() -> None:
    cube = puzzlekit.load("cube3")
    state = cube.puzzle.apply(cube.puzzle.solved, cube.puzzle.moves("z2 F R"))
    colours = str.maketrans("URFDLB", "WRGYOB")
    stickers = cube.positions.to_facelets(state).translate(colours)
    # The cross: white on the bottom, with the second row of its neighbours.
    shown = cube.positions.to_facelets(cube.state("z2")).translate(colours)
    kept = {28, 30, 31, 32, 34, 13, 16, 22, 25, 40, 43, 49, 52}
    goal = "".join(each if i in kept else "?" for i, each in enumerate(shown))
    with serving() as client:
        event, found = client.post("cube3/solve", {"stickers": stickers, "goal": goal}).events[-1]
        digits = str.maketrans("WRGYOB", "123456")
        body = {"stickers": stickers.translate(digits), "goal": goal.translate(digits)}
        event2, found2 = client.post("cube3/solve", body).events[-1]
    assert (event, found["length"]) == (event2, found2["length"]) == ("done", 2)
