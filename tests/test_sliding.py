"""The search of sliding puzzles, against the search of the engine and breadth-first search."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest
from engines import interpreted  # noqa: F401 (a fixture)

import puzzlekit
from puzzlekit import (
    Heuristic,
    Method,
    Metric,
    NoSolutionError,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    Sequential,
    Solver,
)
from puzzlekit.engine.statuses import FOUND, PAUSED
from puzzlekit.puzzle.guard import Guard
from puzzlekit.puzzle.move import Effect
from puzzlekit_fifteen.additive import Additive
from puzzlekit_fifteen.duplicates import automaton
from puzzlekit_fifteen.heuristics import LinearConflict
from puzzlekit_fifteen.sliding import Sliding

SIZE = 7


def ring() -> Solver:
    """Six beads and a gap on a ring of seven places, two of which a bridge joins, too."""

    def slid(place: int, other: int) -> Effect:
        gather = bytearray(range(SIZE))
        gather[place], gather[other] = other, place
        return bytes(gather), bytes(SIZE)

    cases: dict[str, list[Effect | None]] = {
        "r": [slid(place, (place + 1) % SIZE) for place in range(SIZE)],
        "l": [slid(place, (place - 1) % SIZE) for place in range(SIZE)],
        "x": [{0: slid(0, 3), 3: slid(3, 0)}.get(place) for place in range(SIZE)],
    }
    orbit = Orbit("beads", "bead", "0 1 2 3 4 5 6")
    metric = Metric("STEPS", "steps", dict.fromkeys(cases, 1))
    guard = Guard("beads", "0", cases, "the gap")
    puzzle = Puzzle("ring", "a ring", (orbit,), {}, (metric,), guard=guard)
    parts = [
        Permutation(name, puzzle, "beads", name.replace("-", " "))
        for name in ("1-2-3", "4-5", "6", "2-4-6")
    ]
    tables = (
        Additive("1-2-3", "one", bits=8),
        Additive("4-5 6", "one", bits=8),
        Additive("2-4-6", "two", bits=8),  # beads 1, 3 and 5 are in no table of this group
    )
    phase = Phase("solve", "in order", "r l x", tuple(parts), tables)
    return Solver(puzzle, [Method("optimal", "shortest answers", (phase,), Sliding())])


def usual(solver: Solver) -> Solver:
    """The same methods with the strategy `Sequential`, but for those without coordinates."""
    methods = [
        attrs.evolve(each, strategy=Sequential())
        for each in solver.methods
        if each.strategy.needs_coordinates
    ]
    return Solver(solver.puzzle, methods, solver.store)


def started(solver: Solver, state: bytes, heuristic: Heuristic | str | None = None) -> Any:
    """The search that the method starts at a state."""
    ready = solver.prepared(heuristic=heuristic)
    assert isinstance(ready, Sequential)
    return ready.started(0, state, 1 << 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ring", "tiles-2x5", "tiles-4x3-blank-first"])
def test_nodes_and_answers_are_those_of_the_engine(name: str) -> None:
    solver = ring() if name == "ring" else puzzlekit.load(name)
    plain = usual(solver)
    random = Random(3)
    for number in range(15):
        state = solver.random_state(random) if number else solver.puzzle.solved
        own, other = started(solver, state), started(plain, state)
        assert type(own) is not type(other)
        while (status := own.run(random.randint(1, 500))) == PAUSED:
            assert own.work == own.generated_nodes
        assert (status, other.run(1 << 40)) == (FOUND, FOUND)
        for key in ("path", "spent_here", "f_bound", "generated_nodes", "expanded_nodes"):
            assert getattr(own, key) == getattr(other, key)


def test_shortest_answers_on_a_ring() -> None:
    solver = ring()
    true = {solver.puzzle.solved: 0}
    moves = [solver.puzzle.move(name) for name in "rlx"]
    for state in (order := [solver.puzzle.solved]):
        for after in (
            solver.puzzle.apply(state, [case])
            for move in moves
            if (case := move.cases[state.index(0)])
        ):
            if after not in true:
                true[after] = true[state] + 1
                order.append(after)
    for state in Random(4).sample(order, 60):
        found = solver.solve(state)
        assert (found.cost, found.optimal, found.verified) == (true[state], True, True)
        if true[state]:
            with pytest.raises(NoSolutionError):
                solver.solve(state, max_length=true[state] - 1)


@pytest.mark.parametrize(
    ("name", "length"), [("ring", 6), ("tiles-2x2", 14), ("tiles-2x3", 8), ("eight", 7)]
)
def test_no_two_sequences_without_duplicates_have_the_same_effect(name: str, length: int) -> None:
    puzzle = ring().puzzle if name == "ring" else puzzlekit.load(name).puzzle
    moves = [move for family in puzzle.families for move in puzzle.move(family).cases if move]
    size = len(puzzle.solved)
    states = automaton(moves, size, length)
    for place in range(size):
        level = [(bytes(range(size)), place)]  # boards, and the states of the automaton there
        plain = {level[0][0]: place}  # boards, and the places of the guarding piece
        true = set(plain)
        for number in range(1, length + 3):
            plain = {
                board: move.guard_after
                for own, at in plain.items()
                for move in moves
                if move.guard_before == at
                and (board := bytes(own[source] for source in move.gather)) not in true
            }
            true.update(plain)
            level = [
                (bytes(own[source] for source in moves[move].gather), to)
                for own, state in level
                for move, to in states[state]
            ]
            assert {*plain} <= {board for board, _ in level}
            assert number > length or len(plain) == len(level)


def test_fewer_nodes_without_duplicates(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = puzzlekit.load("tiles-4x3-blank-first")
    (method, *_) = solver.methods
    method = attrs.evolve(method, strategy=Sliding(duplicates=8))
    fewer = Solver(solver.puzzle, [method], solver.store)
    fewer.prepared()
    monkeypatch.delattr("puzzlekit_fifteen.sliding.automaton")  # not needed by a search
    nodes = [0, 0]
    for number in range(5):
        state = solver.random_state(Random(number))
        found = [each.solve(state) for each in (solver, fewer)]
        assert found[0].cost == found[1].cost and found[1].optimal
        nodes = [known + each.nodes for known, each in zip(nodes, found, strict=True)]
    assert nodes[1] < nodes[0]


def test_the_same_interpreted(interpreted: None) -> None:  # noqa: F811
    test_nodes_and_answers_are_those_of_the_engine("ring")


def test_other_phases_and_heuristics_are_searched_by_the_engine() -> None:
    solver = puzzlekit.load("tiles-2x5")
    state = solver.random_state(Random(5))
    for heuristic in (LinearConflict(), "euclid"):
        search = started(solver, state, heuristic)
        assert type(search) is type(started(usual(solver), state, heuristic))
    assert solver.solve(state).cost == solver.solve(state, heuristic=LinearConflict()).cost
    exact = puzzlekit.load("eight")
    assert type(started(exact, exact.puzzle.solved)).__name__ == "Search"


def test_a_start_has_every_piece() -> None:
    solver = puzzlekit.load("tiles-2x5")
    search = started(solver, solver.puzzle.solved)
    for wrong in (bytes(10), bytes(range(9)), bytes([*range(9), 10])):
        with pytest.raises(ValueError, match="every piece once"):
            search.start(wrong, 9, 0)
    for state in (-1, 1000):
        with pytest.raises(ValueError, match="a state of the automaton"):
            search.start(solver.puzzle.solved, 9, state)


def test_arrays_that_do_not_fit_together() -> None:
    from puzzlekit_fifteen.engine.sliding_search import SlidingSearch

    ready = ring().prepared()
    assert isinstance(ready, Sliding)
    (inputs,) = ready._inputs
    assert inputs is not None
    for wrong, told in (
        ({"tables": inputs.tables * 6}, "1 to 16 tables"),
        ({"tables": []}, "1 to 16 tables"),
        ({"automaton": (*inputs.automaton[:4], inputs.automaton[4][:-1])}, "in every array"),
        ({"pieces": inputs.pieces[:-1]}, "eight numbers"),
    ):
        with pytest.raises(ValueError, match=told):
            SlidingSearch(*inputs._replace(**wrong))
