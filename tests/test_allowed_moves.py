"""Answers have allowed moves only: held against a breadth-first search that shares no code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import attrs
import pytest
from forced import Force, names, random_puzzle

import puzzlekit
from puzzlekit import (
    Method,
    Metric,
    NoSolutionError,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    Sequential,
    Solver,
    UsageError,
)
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit_beam import Beam, WithFallback
from puzzlekit_twophase import Anytime

CUBE2 = puzzlekit.load("cube2")
CUBE3 = puzzlekit.load("cube3")


def some_moves(rng: Random, puzzle: Puzzle, metric: Metric) -> dict[str, int]:
    """Some single powers, with their costs."""
    every = puzzle.family_moves(puzzle.turns)
    chosen = rng.sample(every, rng.randint(1, min(4, len(every))))
    return {move.name: metric.cost(move) for move in chosen}


def made(
    count: int = 40,
) -> Iterator[tuple[Random, Puzzle, Metric, dict[str, int], Force]]:
    """Random puzzles with random single powers as moves."""
    for seed in range(count):
        rng = Random(seed)
        puzzle = random_puzzle(rng, distinct=seed % 3 > 0)
        metric = puzzle.metrics[seed % 2]
        moves = some_moves(rng, puzzle, metric)
        yield rng, puzzle, metric, moves, Force(puzzle, moves)


def spelled(puzzle: Puzzle, moves: Iterable[str]) -> str:
    """The moves as a phase names them: "A1" is one move, and "A" a family."""
    known = names(puzzle, tuple(puzzle.turns))
    return " ".join(f"{known[name][0]}{known[name][1]}" for name in moves)


def whole(puzzle: Puzzle, moves: str, **how: object) -> Phase:
    """A phase that ends at the solved state."""
    coordinates = []
    for orbit in puzzle.orbits:
        coordinates.append(Permutation(f"{orbit.name}-places", puzzle, orbit.name))
        if orbit.orientations > 1:
            coordinates.append(Orientation(f"{orbit.name}-turns", puzzle, orbit.name, summed=False))
    tables = tuple(each.name for each in coordinates)
    phase = Phase("solve", "solved", moves, tuple(coordinates), tables, bits=8)
    return attrs.evolve(phase, **how)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [Sequential(), Sequential(choices=9), Optimal()])
def test_methods_keep_single_powers(strategy: Sequential | Optimal) -> None:
    for rng, puzzle, metric, moves, force in made():
        if any(not orbit.distinct for orbit in puzzle.orbits):
            continue
        method = Method("own", "own", (whole(puzzle, spelled(puzzle, moves)),), strategy=strategy)
        solver = Solver(puzzle, [method])
        for state in rng.sample(sorted(force.distances), min(4, len(force.distances))):
            found = solver.solve(bytes(state), metric=metric.name)
            assert found.optimal
            assert force.check(bytes(state), str(found), found.cost) == force.distances[state]


@pytest.mark.slow
def test_several_phases_keep_single_powers() -> None:
    solved = proven = 0
    for rng, puzzle, metric, moves, force in made(150):
        orbit = puzzle.orbits[-1]
        if not all(each.distinct for each in puzzle.orbits) or orbit.orientations == 1:
            continue
        spelling = spelled(puzzle, moves)
        turns = Orientation("turns", puzzle, orbit.name, summed=False)
        first = Phase("turn", "turned", spelling, (turns,), ("turns",), bits=8)
        kept = [
            each.name
            for each in puzzle.named_moves(spelling)
            if turns.rank(puzzle.apply(puzzle.solved, [each])) == 0
        ]
        if not kept or any(
            turns.rank(turns.after(puzzle.solved, move)) for move in puzzle.moves(" ".join(kept))
        ):
            continue
        later = spelled(puzzle, dict.fromkeys(kept, 1))
        for strategy in (Sequential(), Anytime(premoves=2), Beam(shares=(0.5, 0.5), seconds=0.05)):
            method = Method("own", "own", (first, whole(puzzle, later)), strategy=strategy)
            solver = Solver(puzzle, [method])
            for state in rng.sample(sorted(force.distances), min(4, len(force.distances))):
                try:
                    found = solver.solve(bytes(state), metric=metric.name, max_nodes=20_000)
                except NoSolutionError:
                    continue
                solved += 1
                proven += found.optimal
                cost = force.check(bytes(state), str(found), found.cost)
                assert not found.optimal or cost == force.distances[state]
    assert solved > 100
    assert proven > 30


@pytest.mark.slow
def test_answers_of_an_upper_method_with_other_moves_do_not_count() -> None:
    checked = 0
    for rng, puzzle, metric, moves, force in made():
        if any(not orbit.distinct for orbit in puzzle.orbits):
            continue
        upper = Method("all", "all", (whole(puzzle, " ".join(puzzle.turns)),))
        strategy = Optimal(upper_bound_method="all", upper_bound_nodes=1000)
        phases = (whole(puzzle, spelled(puzzle, moves), tables=()),)
        own = Method("own", "own", phases, strategy=strategy)
        secured = attrs.evolve(
            own, name="secured", strategy=WithFallback(Optimal(), fallback="all")
        )
        few = Method("few", "few", (whole(puzzle, spelled(puzzle, [*moves][:1])),))
        fewer = attrs.evolve(own, name="fewer", strategy=WithFallback(Optimal(), fallback="few"))
        solver = Solver(puzzle, [own, upper, secured, few, fewer])
        for state in rng.sample(sorted(force.distances), min(4, len(force.distances))):
            if force.distances[state] > 6:
                continue
            found = solver.solve(bytes(state), metric=metric.name)
            checked += 1
            assert found.optimal
            assert force.check(bytes(state), str(found), found.cost) == force.distances[state]
            for method in ("secured", "fewer"):
                try:
                    found = solver.solve(
                        bytes(state), method=method, metric=metric.name, max_nodes=20_000
                    )
                except NoSolutionError:
                    continue
                own_moves = {move.name for move in found.sequence} <= set(moves)
                if own_moves:
                    cost = force.check(bytes(state), str(found), found.cost)
                    assert not found.optimal or cost == force.distances[state]
                else:  # the answer of "all", which proves it for these moves, too
                    assert found.cost <= force.distances[state]
    assert checked > 40


def test_a_method_states_the_moves_that_its_search_merges() -> None:
    puzzle = CUBE2.puzzle
    (phase,) = CUBE2.method("optimal").phases
    quarter = attrs.evolve(phase, moves="U1 U' R1 R' F1 F'")
    fixed = CUBE2.method("optimal").fixed
    own = Method("own", "own", (quarter,), fixed=fixed)
    for method, answer in ((own, "U U"), (attrs.evolve(own, moves="U R F"), "U2")):
        found = Solver(puzzle, [method]).solve("U2", metric="QTM")
        assert (str(found), found.cost, found.optimal) == (answer, 2, True)


def test_short_answers_do_only_moves_of_the_phase() -> None:
    puzzle = CUBE2.puzzle
    metric = puzzle.metrics[0]
    moves = puzzle.moves("U R' F2")
    short = ShortAnswers(puzzle, moves, metric)
    rng = Random(1)
    for _ in range(100):
        done = [rng.choice(moves) for _ in range(4)]
        state = puzzle.apply(puzzle.solved, puzzle.undo(done))
        found = short.find(state)
        assert found is not None
        assert set(found) <= set(moves)
        assert puzzle.is_solved(puzzle.apply(state, found))
    assert short.find(CUBE2.state("U R'")) is None or set(moves).issuperset(
        short.find(CUBE2.state("U R'")) or ()
    )
    assert short.proven_cost == 0


@pytest.mark.slow
def test_universal_answers_need_the_inverse_of_each_move() -> None:
    puzzle = CUBE2.puzzle
    method = puzzlekit.universal_method(puzzle)
    (phase,) = method.phases
    for moves in ("U1 U' R1 R' F1 F'", "U R F"):
        own = attrs.evolve(method, phases=(attrs.evolve(phase, moves=moves),))
        found = Solver(puzzle, [own]).solve("U R2 D' L F' D2", max_nodes=100_000)
        assert set(found.sequence) <= set(puzzle.named_moves(moves))
    own = attrs.evolve(method, phases=(attrs.evolve(phase, moves="U R F1"),))
    with pytest.raises(UsageError, match="F without F'"):
        Solver(puzzle, [own]).solve("U R2 D' L F' D2")
