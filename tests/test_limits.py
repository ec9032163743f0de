"""Limits of a search, improving and cancelling: an answer within them, or none."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from typing import Any

import attrs
import pytest
from answers import HARD, METHODS, SUPERFLIP, check
from bundled import COMPILED, CUBES

import puzzlekit
from puzzlekit import NoSolutionError, Solution, Solver, UsageError
from puzzlekit_twophase import Anytime


@pytest.mark.parametrize("metric", ["HTM", pytest.param("QTM", marks=pytest.mark.slow)])
def test_a_number_of_nodes_makes_an_answer_reproducible(metric: str) -> None:
    known = puzzlekit.load("cube3")
    nodes = 400_000 if COMPILED else 200_000
    outcomes = set()
    for _ in range(2):
        solver = Solver(known.puzzle, known.methods, known.store)
        state = known.positions.from_facelets(HARD)
        solution = solver.solve(state, metric=metric, max_nodes=nodes, profile="small")
        assert solution.nodes <= nodes + 100
        assert solution.nodes == sum(phase.nodes for phase in solution.phases)
        assert 0 < solution.expanded < solution.nodes
        outcomes.add((solution.moves, solution.nodes, solution.expanded))
        time.sleep(0.01)
    assert len(outcomes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", CUBES)
@pytest.mark.parametrize(
    ("scramble", "limits"),
    [
        ("R U F", {"max_length": 2}),
        ("R U F", {"max_length": 0}),
        ("R U F2 R' U2 F R", {"max_length": 3}),
        ("R U F2 R' U2 F R U2 F'", {"max_nodes": 1}),
        ("R U F2 R' U2 F R U2 F'", {"max_length": 4, "timeout": 1.5}),
    ],
)
def test_limits_that_no_answer_keeps(puzzle: str, scramble: str, limits: dict[str, Any]) -> None:
    solver = puzzlekit.load(puzzle)
    with pytest.raises(NoSolutionError, match="no solution"):
        solver.solve(scramble, **limits)
    for method in (method for name, method in METHODS if name == puzzle):
        if method == "universal" and limits.keys() == {"max_nodes"}:
            continue  # it has an answer before it searches
        with pytest.raises(NoSolutionError) as caught:
            solver.solve(scramble, method=method, **limits)
        said = str(caught.value)
        known = solver.catalogue.metrics(method)[0].name
        if said == f"there is no solution of at most {limits.get('max_length')} {known}":
            # It knows that. The universal method first searches from both ends, which is a proof.
            assert solver.method(method).strategy.proves or method == "universal"
        else:
            assert all(f"{value:g}" in said for value in limits.values())


@pytest.mark.slow
def test_a_timeout_ends_an_improving_search() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    timeout = 0.5 if COMPILED else 4.0
    started = time.perf_counter()
    solution = solver.solve(solver.positions.from_facelets(SUPERFLIP), timeout=timeout)
    assert timeout - 0.01 < solution.seconds < time.perf_counter() - started
    assert solution.cpu_seconds < timeout + 1
    assert not solution.optimal
    check("cube3", SUPERFLIP, solution)


def test_without_limits_improving_takes_a_fraction_of_a_second() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    started = time.process_time()
    try:
        solver.solve(solver.positions.from_facelets(HARD))
    except NoSolutionError:
        assert not COMPILED
    assert time.process_time() - started < 5


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", CUBES)
def test_a_search_cancelled_before_it_starts_finds_nothing(puzzle: str) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(NoSolutionError):
        puzzlekit.load(puzzle).solve("R U F2 R' U2 F R U2 F'", cancel=cancel)


def test_a_search_can_be_cancelled_from_another_thread() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    cancel = threading.Event()
    best: list[Solution] = []
    timer = threading.Timer(0.2, cancel.set)
    started = time.process_time()
    timer.start()
    try:
        for solution in solver.improve(
            solver.positions.from_facelets(SUPERFLIP), timeout=60.0, cancel=cancel
        ):
            best.append(solution)
    except NoSolutionError:
        assert not COMPILED
    finally:
        timer.cancel()
    assert time.process_time() - started < 10
    assert best or not COMPILED


@pytest.mark.slow
def test_improving_yields_shorter_and_shorter_answers(
    random_facelets: dict[str, list[str]],
) -> None:
    solver = puzzlekit.load("cube3")
    improved = 0
    for text in random_facelets["cube3"][: 30 if COMPILED else 2]:
        state = solver.positions.from_facelets(text)
        answers = list(solver.improve(state, max_nodes=400_000))
        lengths = [solution.cost for solution in answers]
        assert all(longer > shorter for longer, shorter in pairwise(lengths)), (text, lengths)
        for solution in answers:
            check("cube3", text, solution)
        told: list[puzzlekit.Solution] = []
        best = solver.solve(state, max_nodes=400_000, on_answer=told.append)
        assert [solution.moves for solution in told] == [solution.moves for solution in answers]
        assert best.moves == answers[-1].moves
        assert best.nodes >= answers[-1].nodes
        improved += len(answers) > 1
    assert improved


def test_improving_can_be_left_early() -> None:
    solver = puzzlekit.load("cube3")
    state, threads = solver.positions.from_facelets(HARD), 2 if COMPILED else 1
    answers = solver.improve(state, timeout=60.0, threads=threads)
    first = next(answers)
    started = time.process_time()
    answers.close()  # type: ignore[attr-defined]
    assert time.process_time() - started < 10
    check("cube3", HARD, first)


def test_an_answer_comes_however_short_the_time_to_improve_it() -> None:
    known = puzzlekit.load("cube3")
    hurried = [attrs.evolve(known.method(), strategy=Anytime(premoves=2, seconds=0.0))]
    solver = Solver(known.puzzle, hurried, known.store)
    assert solver.solve(solver.positions.from_facelets(HARD)).verified
    assert solver.solve(solver.positions.from_facelets(HARD), threads=2).verified


@pytest.mark.parametrize(
    "limits",
    [
        {"max_length": -1},
        {"max_length": 7.5},
        {"max_nodes": 1.0},
        {"timeout": float("nan")},
        {"timeout": "1"},
        {"timeout": -0.1},
    ],
    ids=str,
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        puzzlekit.load("cube2").solve("R U", **limits)


def test_a_limit_beyond_all_lengths_is_none() -> None:
    assert puzzlekit.load("cube2").solve("R U", max_length=2**31).cost == 2


def test_two_limits_are_named_together() -> None:
    words = "no solution of at most 3 HTM within 3 s and 1 node was found"
    with pytest.raises(NoSolutionError, match=words):
        puzzlekit.load("cube2").solve("R U F2 R' U2 F R", max_length=3, timeout=3, max_nodes=1)
