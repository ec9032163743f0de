"""What a solver can be asked: options that are refused, told apart, or kept to."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from answers import FACES, HARD, check
from bundled import COMPILED, CUBES, counted

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Method,
    NotationError,
    Orientation,
    Phase,
    Solver,
    StateError,
    UsageError,
)
from puzzlekit.search.heuristic import Sum


@pytest.mark.parametrize("puzzle", CUBES)
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": "magic"}, "no method 'magic'; it has "),
        ({"metric": "XTM"}, "no metric 'XTM'; it has (HTM, QTM|OBTM, STM, BTM)"),
        ({"heuristic": "guess"}, "no heuristic 'guess'; there are max, sum"),
        ({"threads": 0}, "threads"),
    ],
)
def test_what_does_not_exist_is_named(puzzle: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        puzzlekit.load(puzzle).solve("R U", **options)


@pytest.mark.parametrize("puzzle", CUBES)
def test_impossible_states_are_not_searched(puzzle: str) -> None:
    solver = puzzlekit.load(puzzle)
    with pytest.raises(StateError, match="bytes instead of"):
        solver.solve(b"\x00\x01")
    twisted = bytearray(solver.puzzle.solved)
    twisted[solver.puzzle.orbits[0].size] = 1
    with pytest.raises(StateError, match="corner ULB is twisted"):
        solver.solve(bytes(twisted))
    with pytest.raises(NotationError):
        solver.solve("R Q")


def test_a_metric_that_a_method_does_not_search_in_is_still_counted() -> None:
    with pytest.raises(UsageError, match="block does not search in HTM, only in QTM"):
        puzzlekit.load("supercube3").solve("R", metric="HTM", method="block")
    solver = puzzlekit.load("cube3")
    assert solver.solve("R2 U").lengths == {"HTM": 2, "QTM": 3, "STM": 2}


def test_a_metric_may_be_written_in_any_case() -> None:
    assert puzzlekit.load("cube2").solve("R2", metric="qtm").cost == 2


@pytest.mark.parametrize("metric", ["HTM", pytest.param("QTM", marks=pytest.mark.slow)])
def test_a_proof_is_told(metric: str) -> None:
    """Scrambles of six to nine moves are searched to the end, so the answer is known to be best."""
    solver = puzzlekit.load("cube3")
    rng = random.Random(11)
    for length in (6, 7, 8, 9) if COMPILED else (6,):
        scramble = " ".join(rng.choice(FACES) for _ in range(length))
        solution = solver.solve(scramble, metric=metric, timeout=60.0)
        assert solution.optimal
        assert solution.cost <= counted(tuple(scramble.split()), metric)


def test_a_move_that_is_named_twice_is_allowed_once() -> None:
    cube = puzzlekit.load("cube2").puzzle
    twist = Orientation("twist", cube, "corners")
    phase = Phase("twist", "corners are turned right", "U R R2", (twist,), ("twist",))
    assert [move.name for move in phase.allowed(cube)] == ["U", "U2", "U'", "R", "R2", "R'"]


def test_all_solutions_are_those_that_brute_force_finds() -> None:
    solver = puzzlekit.load("cube2")
    puzzle = solver.puzzle
    moves = puzzle.family_moves("URF")
    state = solver.prepared("optimal").normal(solver.state("R U F"))
    listed = {solution.moves for solution in solver.solutions(state, max_length=7)}
    # By brute force: all sequences of up to 5 moves, no two neighbours on one face.
    layer = [(state, ())]
    found: set[tuple[str, ...]] = set()
    for _ in range(5):
        layer = [
            (puzzle.apply(reached, [move]), (*path, move))
            for reached, path in layer
            for move in moves
            if not path or path[-1].family != move.family
        ]
        found |= {
            tuple(move.name for move in path) for reached, path in layer if reached == puzzle.solved
        }
    assert {each for each in listed if len(each) <= 5} == found
    assert {each for each in listed if len(each) > 5}
    with pytest.raises(UsageError, match="two-phase has several phases"):
        next(puzzlekit.load("cube3").solutions("R U F", method="two-phase", max_length=7))


def test_an_improving_method_takes_any_heuristic() -> None:
    """Not admissible: phase by phase, and never called optimal (but for the shortest)."""
    solver = puzzlekit.load("cube3")
    for seed in range(5):
        state = solver.random_state(seed)
        solution = solver.solve(state, heuristic="sum", timeout=60.0)
        check("cube3", solver.positions.to_facelets(state), solution)
        assert not solution.optimal


def test_heuristics_of_one_name_are_told_apart() -> None:
    class Other(Sum):
        def join(self, distances: Any) -> Any:
            return puzzlekit.Max().join(distances)

    assert Sum().identity != Other().identity
    assert Sum().identity == Sum().identity
    solver = puzzlekit.load("cube2")
    state = solver.random_state(1)
    nodes = {
        solver.solve(state, method="small-tables", heuristic=heuristic).nodes
        for heuristic in (Other(), puzzlekit.Max())
    }
    assert len(nodes) == 1


def test_what_has_become_of_an_argument_counts() -> None:
    @attrs.define
    class Scaled(puzzlekit.Heuristic):
        name = "scaled"
        by: int = 1

        def join(self, distances: Any) -> Any:
            return self.by * puzzlekit.Max().join(distances)

    solver, heuristic = puzzlekit.load("cube2"), Scaled()
    for heuristic.by in (2, 3):
        found = solver.solve("R U F2", method="small-tables", heuristic=heuristic)
        assert found.heuristic == f"scaled:by={heuristic.by}"


def test_callbacks_are_not_kept_alive() -> None:
    def told(_: object) -> None:
        pass

    solver, kept = puzzlekit.load("cube2"), weakref.ref(told)
    solver.solve("R U F2", on_bound=told)
    del told
    gc.collect()
    assert kept() is None


def test_moves_are_the_same_objects_however_they_are_asked_for() -> None:
    puzzle = puzzlekit.load("cube3").puzzle
    assert puzzle.move("R", 5) is puzzle.move("R") is puzzle.move("R", -3)
    with pytest.raises(DeclarationError, match="not a move"):
        puzzle.move("R", 4)


@pytest.mark.parametrize("name", ["cube3", "square1", "clock", "topspin-7-3"])
def test_names_of_moves_are_read_as_the_notation_reads_them(name: str) -> None:
    """A puzzle reads names that it has read before without the notation."""
    puzzle = puzzlekit.load(name).puzzle
    rng = random.Random(name)
    every = puzzle.family_moves(puzzle.families)
    for _ in range(30):
        text = puzzle.text(rng.choices(every, k=rng.randrange(1, 40)))
        for shown in (text, text, f" {text}  ", f"{text} // end", f"({text}) {every[0].name}"):
            parsed = puzzle.notation.parse(shown)
            assert puzzle.moves(shown) == tuple(puzzle.move(*each) for each in parsed)


@pytest.mark.parametrize("puzzle", ["cube2", "skewb"])
def test_a_later_search_is_as_one_of_a_new_solver(puzzle: str) -> None:
    """A solver uses a search again, and ranks states in compiled code."""
    solver = puzzlekit.load(puzzle)
    states = [solver.random_state(seed) for seed in range(5)]
    for state in states:
        new = Solver(solver.puzzle, solver.methods, solver.store)
        alone, later = (
            (str(found), found.nodes, found.expanded)
            for found in (new.solve(state), solver.solve(state))
        )
        assert alone == later
    (phase,) = solver.prepared().phases
    for state in states:
        seen = solver.prepared().normal(state)
        ranked = (each.valued(solver.store, phase.reading) for each in phase.resolved.runners)
        assert phase.ranks(seen) == [rank(seen) for rank in ranked]


def test_a_phase_outside_its_domain_is_told() -> None:
    known = puzzlekit.load("cube3")
    finish = known.methods[0].phases[1]
    alone = puzzlekit.Method("finish", "alone", (finish,), fixed={"centers": "U R F D L B"})
    solver = Solver(known.puzzle, [alone], known.store)
    assert solver.solve("U R2").cost == 2
    with pytest.raises(DeclarationError, match="not defined"):
        solver.solve("R U F D B L R U")


def test_stickers_may_be_given_to_solve_as_they_are() -> None:
    solver = puzzlekit.load("cube3")
    solution = solver.solve(HARD, max_length=21)
    assert solution.state == solver.positions.from_facelets(HARD)
    check("cube3", HARD, solution)


def test_methods_that_are_yielded_are_made_when_they_are_needed() -> None:
    cube = puzzlekit.load("cube2")
    first, *_ = cube.methods
    made: list[str] = []

    def methods() -> Iterator[Method]:
        for name in ("one", "two", "three"):
            made.append(name)
            yield attrs.evolve(first, name=name)
            if name == "two" and made.count("two") == 1:
                raise DeclarationError("out of luck")

    solver = Solver(cube.puzzle, methods, cube.store)
    assert made == []
    assert solver.solve("R U").method == "one"
    assert made == ["one"]
    assert solver.method("two").name == "two"
    for _ in range(2):
        assert solver.method("two").name == "two"
    assert made == ["one", "two"]
    with pytest.raises(DeclarationError, match="out of luck"):
        solver.method("three")
    assert [each.name for each in solver.methods] == ["one", "two", "three"]


def test_unknown_options_of_a_search_are_named() -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(TypeError, match="a search has no option 'most'"):
        cube.solve("R U", most=3)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("method", "a name"),
        ("heuristic", "a name or a Heuristic"),
        ("metric", "a name or a Metric"),
        ("profile", "a name"),
        ("memory", "a number of bytes"),
        ("goal", "a name, conditions or a Goal"),
        ("moves", "names of moves"),
        ("colours", "names of rotations"),
        ("cancel", "a threading.Event"),
        ("on_answer", "a function"),
        ("on_bound", "a function"),
        ("on_progress", "a function"),
    ],
)
@pytest.mark.parametrize("value", [b"", [], (3,), object()])
def test_options_of_a_wrong_kind_are_named(name: str, words: str, value: object) -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match=f"^{name} must be {words}, not "):
        cube.solve("R U", timeout=1, **{name: value})  # type: ignore[arg-type]
