"""The method `reduction` of the 4x4x4: short scrambles, random states, limits, its phases."""

from __future__ import annotations

import json
import random
import threading
import time
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import jsonschema
import pytest
from bundled import COMPILED, counted, stickers
from click.testing import CliRunner

import puzzlekit
from puzzlekit import Move, NoSolutionError, Solution, UsageError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.options import SearchOptions, table_keys

pytestmark = pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")

SOLVER = puzzlekit.load("cube4")
BIG = SOLVER.puzzle
METRIC = BIG.metric("OBTM")
METHOD = "reduction"
MOVES = BIG.family_moves([name for name in BIG.turns if name not in BIG.rotations])
EASY = 6_000_000  # nodes that give a first answer, and mostly a better one
SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 40))]
SCHEMA = Path(puzzlekit.__file__).parent / "schema" / "solve.schema.json"


def random_cube4(seed: int) -> bytes:
    return random_state(BIG, random.Random(seed))


def check(solution: Solution) -> None:
    """Replay an answer on stickers, with nothing of puzzlekit, and look at what it says."""
    cube = stickers("cube4")
    start = facelets(BIG, solution.state)
    assert cube.is_solved(cube.replay(start, str(solution)))
    phase_moves = " ".join(move for part in solution.phases for move in part.moves)
    assert cube.is_solved(cube.replay(start, phase_moves))
    assert solution.verified and solution.method == METHOD
    assert solution.cost == counted(solution.moves, "OBTM") == len(solution.moves)
    assert sum(part.cost for part in solution.phases) >= solution.cost
    goals = {phase.name: phase.goal for phase in SOLVER.method(METHOD).phases}
    names = [part.name for part in solution.phases]
    assert names[:3] == [*goals][:3] and sorted(names) == sorted(goals)
    for part in solution.phases:
        assert part.cost == counted(part.moves, "OBTM")
        assert part.nodes >= part.expanded >= 0
        assert part.goal.startswith(goals[part.name])
    lengths = [length for _, length in solution.improvements]
    assert all(before > after for before, after in pairwise(lengths))
    assert lengths[-1] == solution.cost
    assert [at for at, _ in solution.improvements] == sorted(at for at, _ in solution.improvements)


@cache
def solved(seed: int) -> Solution:
    return SOLVER.solve(random_cube4(seed), method=METHOD, max_nodes=EASY)


def test_it_is_the_default_where_the_engine_is_compiled() -> None:
    assert SOLVER.method().name == METHOD
    names = [metric.name for metric in SOLVER.catalogue.metrics(METHOD)]
    assert names == ["OBTM", "robot", "flip-spin"]


# --- short scrambles ------------------------------------------------------------------------------


def undone(scramble: tuple[Move, ...]) -> None:
    solution = SOLVER.solve(BIG.apply(BIG.solved, scramble), method=METHOD)
    assert solution.cost <= METRIC.total(scramble), scramble
    assert {move[:2] for move in solution.moves}.isdisjoint({"2R", "2U", "2F", "3R"})


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(500, marks=pytest.mark.slow),
        pytest.param(None, marks=pytest.mark.thorough, id="all"),
    ],
)
def test_one_and_two_moves_of_any_layers_are_undone_at_no_higher_cost(count: int | None) -> None:
    """Also inner slices and three layers at once, which no phase has among its moves."""
    assert len(MOVES) == 81
    for move in MOVES:
        undone((move,))
    states: dict[bytes, tuple[Move, Move]] = {}
    for pair in product(MOVES, MOVES):
        state = BIG.apply(BIG.solved, pair)
        if state not in states or METRIC.total(pair) < METRIC.total(states[state]):
            states[state] = pair
    scrambles = list(states.values())
    for scramble in random.Random(2).sample(scrambles, count) if count else scrambles:
        undone(scramble)


@pytest.mark.slow
def test_three_moves_of_any_layers_are_undone_at_no_higher_cost() -> None:
    some = random.Random(3)
    for _ in range(300):
        undone(tuple(some.choices(MOVES, k=3)))


@pytest.mark.slow
def test_a_solved_cube_takes_no_moves_however_it_is_held() -> None:
    assert len(BIG.solved_states) == 24
    for state in BIG.solved_states:
        solution = SOLVER.solve(state, method=METHOD)
        assert (solution.moves, solution.cost, solution.optimal) == ((), 0, True)


# --- random states --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_states_are_solved(seed: int) -> None:
    solution = solved(seed)
    check(solution)
    assert solution.nodes <= EASY + 100  # they are searched in groups
    assert solution.cost <= 55
    assert not solution.optimal


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
def test_published_states_are_solved(number: int, random_facelets: dict[str, list[str]]) -> None:
    text = random_facelets["cube4"][number]
    solution = SOLVER.solve(text, method=METHOD, max_nodes=EASY)
    assert facelets(BIG, solution.state) == text
    check(solution)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_after_three_phases_the_cube_is_a_3x3x3(seed: int) -> None:
    """Centers of one colour on each face, wings paired, a parity that a 3x3x3 can show."""
    solution = solved(seed)
    reducing = [part for part in solution.phases if part.name in ("gather", "split", "pair")]
    assert reducing == list(solution.phases[:3])
    text = facelets(BIG, solution.state)
    for part in reducing:
        text = stickers("cube4").replay(text, " ".join(part.moves))
    faces = [text[i : i + 16] for i in range(0, 96, 16)]
    assert all(len({face[i] for i in (5, 6, 9, 10)}) == 1 for face in faces)
    assert len({face[5] for face in faces}) == 6
    for face in faces:  # each edge shows two stickers of one colour on either face
        for one, other in ((1, 2), (4, 8), (7, 11), (13, 14)):
            assert face[one] == face[other]
    state = SOLVER.positions.from_facelets(text)
    seen = SOLVER.method(METHOD).phases[-1].view
    assert seen is not None
    small = seen.see(BIG, state)
    cube3 = puzzlekit.load("cube3")
    shown = cube3.puzzle
    assert diagnose(shown, small) == []
    assert cube3.solve(small, max_length=24).verified


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 5, 8])
def test_a_number_of_nodes_gives_the_same_every_time(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the stretches are in which it is searched, which depends on the machine."""

    def outcome() -> tuple[object, ...]:
        found = SOLVER.solve(random_cube4(seed), method=METHOD, max_nodes=3_000_000)
        return found.moves, [length for _, length in found.improvements], found.nodes

    first = outcome()
    for stretch in (0.0001, 0.02):
        monkeypatch.setattr("puzzlekit.search.budget._STRETCH", stretch)
        assert outcome() == first


@pytest.mark.slow
def test_two_threads_solve() -> None:
    for seed in (1, 2, 3):
        solution = SOLVER.solve(random_cube4(seed), method=METHOD, max_nodes=4_000_000, threads=2)
        check(solution)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.6])
@pytest.mark.parametrize("threads", [1, 2])
def test_time_is_kept(seconds: float, threads: int) -> None:
    SOLVER.solve(random_cube4(0), method=METHOD, max_length=60)
    started = time.process_time()  # what others do meanwhile does not count
    with suppress(NoSolutionError):
        check(SOLVER.solve(random_cube4(4), method=METHOD, timeout=seconds, threads=threads))
    assert time.process_time() - started < threads * (seconds + 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 3, 8, 20])
def test_time_is_kept_where_there_is_no_answer(most: int) -> None:
    told: list[float] = []

    def solve() -> None:
        started = time.thread_time()
        with pytest.raises(NoSolutionError, match=f"of at most {most} OBTM within 0.2 s"):
            SOLVER.solve(random_cube4(1), method=METHOD, max_length=most, timeout=0.2)
        told.append(time.thread_time() - started)

    SOLVER.solve(random_cube4(0), method=METHOD, max_length=60)
    thread = threading.Thread(target=solve, daemon=True)
    thread.start()
    thread.join(30)
    assert told and told[0] < 0.3


@pytest.mark.slow
def test_it_can_be_cancelled() -> None:
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    SOLVER.prepared(METHOD)
    timer.start()
    started = time.process_time()
    with pytest.raises(NoSolutionError, match="cancelled"):
        SOLVER.solve(random_cube4(1), method=METHOD, max_length=35, cancel=cancel)
    assert time.process_time() - started < 1.0
    timer.join()
    answers = list(_until_cancelled())
    assert answers and all(solution.verified for solution in answers)


def _until_cancelled() -> list[Solution]:
    cancel = threading.Event()
    found = []
    for solution in SOLVER.improve(random_cube4(2), method=METHOD, timeout=30.0, cancel=cancel):
        found.append(solution)
        cancel.set()
    return found


@pytest.mark.slow
def test_a_length_ends_the_search() -> None:
    for most in (52, 48):
        solution = SOLVER.solve(random_cube4(6), method=METHOD, max_length=most)
        assert solution.cost <= most
        check(solution)


@pytest.mark.slow
def test_improving_yields_shorter_and_shorter_answers() -> None:
    found = list(SOLVER.improve(random_cube4(7), method=METHOD, max_nodes=6_000_000))
    lengths = [solution.cost for solution in found]
    assert lengths and all(before > after for before, after in pairwise(lengths))
    for solution in found:
        check(solution)


# --- the rest -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_on_the_command_line() -> None:
    from puzzlekit.cli import main

    scramble = "Rw U2 Fw' L 2D B 3Lw2 U R Dw F2 Bw' U' Lw D2 R Fw U"
    arguments = ["solve", "--puzzle", "cube4", scramble, "--json", "-o", "max-nodes=1500000"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    jsonschema.validate(answer, json.loads(SCHEMA.read_text()))
    assert answer["method"] == METHOD and answer["metric"] == "OBTM"
    assert answer["verified"] and not answer["optimal"]
    assert [each["length"] for each in answer["improvements"]][-1] == answer["length"]
    cube = stickers("cube4")
    start = cube.replay(cube.solved, scramble)
    assert answer["state"] == start
    assert cube.is_solved(cube.replay(start, answer["solution"]))


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["sum", "euclid", "blended"])
def test_only_admissible_heuristics_are_taken(heuristic: str) -> None:
    with pytest.raises(UsageError, match="reduction needs admissible heuristics"):
        SOLVER.solve(random_cube4(1), method=METHOD, heuristic=heuristic)


def test_its_tables_take_less_than_100_megabytes() -> None:
    keys = table_keys(SOLVER.choose(SearchOptions(METHOD)))
    assert sum(key.nbytes for key in keys) < 100_000_000
