"""Searches with moves that the caller names, and to other states, against brute force."""

from __future__ import annotations

import pytest
from test_allowed_moves import CUBE3, made, spelled

import puzzlekit
from puzzlekit import Method, Metric, Orbit, Phase, Puzzle, Solver, UsageError


@pytest.mark.parametrize(
    ("scramble", "moves", "length"),
    [
        ("U'", "U'", 3),
        ("U", "U'", 1),
        ("R2 U2", "R',U'", 4),
        ("U R", "U',R'", 2),
        ("U2", "U1,U'", 2),
        ("U' D2", "U',D2", 4),
        ("U D", "U2 U' D", 2),
    ],
)
def test_neighbours_are_merged_only_to_allowed_moves(
    scramble: str, moves: str, length: int
) -> None:
    answer = CUBE3.solve(scramble, moves=moves)
    assert answer.cost == length
    assert answer.optimal
    allowed = CUBE3.puzzle.named_moves(moves.replace(",", " "))
    assert set(answer.sequence) <= set(allowed)
    for each in CUBE3.shortest(scramble, moves=moves):
        assert each.cost == length
        assert set(each.sequence) <= set(allowed)


@pytest.mark.slow
def test_single_powers_of_small_puzzles_are_kept_and_proven() -> None:
    checked = 0
    for rng, puzzle, metric, moves, force in made():
        solver = Solver(puzzle, [puzzlekit.universal_method(puzzle)])
        named = ",".join(spelled(puzzle, moves).split())
        for state in rng.sample(sorted(force.distances), min(8, len(force.distances))):
            found = solver.solve(bytes(state), moves=named, metric=metric.name)
            assert found.optimal
            assert force.check(bytes(state), str(found), found.cost) == force.distances[state]
            checked += 1
            if not 0 < found.cost <= 6:
                continue
            every = [*solver.shortest(bytes(state), moves=named, metric=metric.name)]
            assert len({str(each) for each in every}) == len(every) > 0
            for each in every:
                assert force.check(bytes(state), str(each)) == force.distances[state]
    assert checked > 100


def test_targets_are_reached_by_moves_of_the_method() -> None:
    puzzle = Puzzle(
        "alike",
        "alike",
        (Orbit("o", "piece", ("a", "b", "c", "d"), 1, (0, 0, 1, 1)),),
        {"A": (bytes([1, 2, 3, 0]), bytes(4))},
        (Metric("HTM", "moves", {"A": 1}),),
    )
    where = puzzlekit.Combination("where", puzzle, "o", "a", "a b c d")
    phase = Phase("solve", "solved", "A1", (where,), ("where",))
    solver = Solver(puzzle, [Method("own", "own", (phase,))])
    target = solver.state("A")  # the alike pieces are not together there
    assert str(solver.solve("A2", target=target)) == "A A A"
    with pytest.raises(UsageError, match="not together"):
        next(solver.shortest("", target=target))
