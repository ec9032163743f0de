"""All shortest answers of a state: held against brute force, from Python and the command line."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import product

import jsonschema
import pytest
from bundled import COMPILED
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Metric, Move, NoSolutionError, Puzzle, Solver, UsageError
from puzzlekit.cli import main
from puzzlekit.search.strategies import bounds, tree_search
from puzzlekit.search.strategies.candidate import merge

CUBE2 = puzzlekit.load("cube2")
CUBE3 = puzzlekit.load("cube3")
SCHEMA = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_text())
needs_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")


def normal(puzzle: Puzzle, moves: Iterable[Move]) -> tuple[str, ...]:
    """One name for all sequences that differ only in the order of commuting moves."""
    left = list(merge(puzzle, [moves])[0])
    found = []
    while left:
        free = [
            i
            for i, move in enumerate(left)
            if all(puzzle.commute(move, before) for before in left[:i])
        ]
        found.append(left.pop(min(free, key=lambda i: left[i].name)).name)
    return tuple(found)


def by_force(solver: Solver, moves: Sequence[Move], metric: Metric, state: bytes) -> set[str]:
    """Every shortest answer, found by doing all sequences of moves."""
    puzzle = solver.puzzle
    best: dict[int, set[str]] = {}
    for length in range(5):
        for path in product(moves, repeat=length):
            if puzzle.is_solved(puzzle.apply(state, path)):
                cost = metric.total(path)
                best.setdefault(cost, set()).add(" ".join(normal(puzzle, path)))
        if best and min(best) <= length:
            break
    return best[min(best)]


@pytest.mark.slow
@needs_compiler
def test_cube2_has_as_many_shortest_answers_as_there_are_shortest_paths() -> None:
    """No two moves of U, R and F commute, so that every path counts."""
    puzzle = CUBE2.puzzle
    moves = puzzle.family_moves("URF")
    counts = {puzzle.solved: 1}
    layer, depth = dict(counts), 0
    while depth < 5:
        depth += 1
        later: dict[bytes, int] = {}
        for state, count in layer.items():
            for move in moves:
                reached = puzzle.apply(state, [move])
                if reached not in counts:
                    later[reached] = later.get(reached, 0) + count
        counts |= later
        layer = later
    assert max(layer.values()) > 1
    several = [state for state, count in layer.items() if count > 1][:40]
    for state in [*several, *list(layer)[::500], puzzle.solved]:
        found = [str(each) for each in CUBE2.shortest(state)]
        assert len(found) == len(set(found)) == counts[state]


def test_a_solved_puzzle_has_one_answer_of_no_moves() -> None:
    for name in ("cube2", "pyraminx", "eight"):
        (found,) = puzzlekit.load(name).shortest("")
        assert found.moves == () and found.optimal and found.verified and found.cost == 0


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("cube2", "HTM"),
        ("cube2", "QTM"),
        ("pyraminx", "TURNS"),
        ("skewb", "TURNS"),
    ],
)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_shortest_answers_are_those_of_brute_force(
    name: str, metric: str, data: st.DataObject
) -> None:
    solver = puzzlekit.load(name)
    chain = solver.prepared(solver.catalogue.listing_method, metric=metric)
    moves = chain.phases[0].moves
    scramble = data.draw(st.lists(st.sampled_from(moves), max_size=3))
    state = solver.puzzle.apply(solver.puzzle.solved, scramble)
    expected = by_force(solver, moves, chain.metric, state)
    found = list(solver.shortest(state, metric=metric))
    assert {" ".join(normal(solver.puzzle, each.sequence)) for each in found} == expected
    assert len(found) == len(expected)
    assert len({each.cost for each in found}) == 1 and all(each.optimal for each in found)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    ("name", "scramble"),
    [
        ("cube2", "R U F R2 U R F' U2"),
        ("cube3", "R U R' U' R U"),
        ("cube3", "R2 L2 U2 D2 F2 B2"),
        ("pyraminx", "R U B' R U' L b"),
        ("skewb", "R U B' R U"),
        ("eight", "L U R D L U U L"),
    ],
)
def test_shortest_answers_are_the_first_of_all(
    name: str, scramble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    solver = puzzlekit.load(name)
    state = solver.state(scramble)
    metrics = solver.catalogue.metrics(solver.catalogue.listing_method)
    for metric in metrics[:1] if name == "cube3" else metrics:  # its tables take long to build
        one = [str(each) for each in solver.shortest(state, metric=metric)]
        least = solver.solve(state, method=solver.catalogue.listing_method, metric=metric).cost
        every = solver.solutions(state, max_length=least, metric=metric)
        assert one and set(one) == {str(each) for each in every} and len(one) == len(set(one))
        several = [str(each) for each in solver.shortest(state, metric=metric, threads=3)]
        assert sorted(several) == sorted(one)
        longer = {
            threads: [
                str(each)
                for each in solver.solutions(
                    state, max_length=least + 1, metric=metric, threads=threads
                )
            ]
            for threads in (1, 3)
        }
        assert sorted(longer[1]) == sorted(longer[3])


@pytest.mark.slow
@needs_compiler
def test_commuting_moves_are_one_answer() -> None:
    """The three pairs of half turns may come in any order; within a pair the order is one."""
    assert len(list(CUBE3.shortest("R2 L2 U2 D2 F2 B2"))) == 6
    assert [str(each) for each in CUBE3.shortest("D U")] == ["U' D'"]


def test_limits_keep_what_was_found_and_say_so() -> None:
    found = CUBE2.shortest("R U R U R", max_nodes=1)
    with pytest.raises(NoSolutionError, match="within 1 node was found"):
        next(found)
    scramble = "R U F R U F R U F"
    *_, last = (each.nodes for each in CUBE2.shortest(scramble))
    told = []
    with pytest.raises(NoSolutionError, match="there may be more solutions"):
        for each in CUBE2.shortest(scramble, max_nodes=last - 1):
            told.append(str(each))
    assert 0 < len(told) < len(list(CUBE2.shortest(scramble)))


@pytest.mark.slow
@needs_compiler
def test_a_search_that_is_cancelled_ends() -> None:
    cancel = threading.Event()
    answers = CUBE3.shortest("R2 L2 U2 D2 F2 B2", cancel=cancel)
    assert next(answers).cost == 6
    cancel.set()
    with pytest.raises(NoSolutionError, match="may be more"):
        list(answers)


@pytest.mark.slow
@needs_compiler
def test_threads_end_where_nobody_takes_their_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    monkeypatch.setattr(tree_search, "_WAITING", 1)
    before = threading.active_count()
    answers = CUBE3.shortest("R2 L2 U2 D2 F2 B2", threads=3)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert threading.active_count() <= before
    assert len(list(CUBE3.shortest("R2 L2 U2 D2 F2 B2", threads=3))) == 6


def test_methods_that_do_not_prove_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot find all solutions; optimal can"):
        next(CUBE3.shortest("R U", method="two-phase"))
    with pytest.raises(UsageError, match="cube4 has no method that finds all solutions"):
        next(puzzlekit.load("cube4").shortest("R U"))


# --- from the command line -----------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def solve(*arguments: str) -> Result:
    return run("solve", "--puzzle", "cube2", "R U R U R", "--all", *arguments)


def test_all_shortest_are_listed() -> None:
    found = solve()
    assert found.exit_code == 0
    assert sorted(found.stdout.splitlines()) == [
        "R' U' R' U' R'  // 5 HTM",
        "U' R' U' R' U'  // 5 HTM",
    ]
    assert solve("-o", "limit=1").stdout in [f"{line}\n" for line in found.stdout.splitlines()]
    assert solve("--threads", "2").stdout == found.stdout


def test_all_shortest_as_json() -> None:
    records = [json.loads(line) for line in solve("--json").stdout.splitlines()]
    assert len(records) == 2
    for record in records:
        jsonschema.validate(record, SCHEMA)
        assert record["optimal"] and record["length"] == record["at_least"] == 5


def test_solutions_are_counted() -> None:
    assert solve("-o", "count").stdout == "2\n"
    assert solve("-o", "count", "--max-length", "5").stdout == "2\n"
    assert solve("-o", "count", "--max-length", "4").stdout == "0\n"
    record = json.loads(solve("-o", "count", "--json").stdout)
    jsonschema.validate(record, SCHEMA)
    assert (record["count"], record["length"], record["complete"]) == (2, 5, True)


def test_a_count_that_a_limit_cut_off_says_so() -> None:
    scramble = "R U F R U F R U F"
    *_, last = (each.nodes for each in CUBE2.shortest(scramble))
    arguments = ("-o", "count", "--json", "-o", f"max-nodes={last - 1}")
    found = run("solve", "--puzzle", "cube2", scramble, "--all", *arguments)
    assert found.exit_code == 1 and "there may be more solutions" in found.stderr
    number, error = map(json.loads, found.stdout.splitlines())
    jsonschema.validate(number, SCHEMA)
    assert number["count"] > 0 and not number["complete"] and error["kind"] == "unsolved"


def test_a_search_without_an_answer_says_which_phase_it_reached() -> None:
    cube3 = puzzlekit.load("cube3")
    state = cube3.random_state(1)
    words = r"within 40 nodes was found: the search has come to phase [12] of 2, (orient|finish)$"
    with pytest.raises(NoSolutionError, match=words):
        cube3.solve(state, method="two-phase", max_nodes=40)
    with pytest.raises(NoSolutionError, match=r"within 1 node was found$"):
        puzzlekit.load("cube2").solve("R U F R U F R", max_nodes=1, method="small-tables")
