"""Solvers from definitions, as the core uses them: goals, listings, pickles and both ends."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from definition_texts import RING
from forced import Force
from test_alike_goals import RINGS
from test_shortest import by_force, needs_compiler, normal

import puzzlekit_definitions
from puzzlekit import (
    NoSolutionError,
    Puzzle,
    SearchOptions,
    Solver,
    TableStore,
)
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.search.strategies.bounds import Bounds
from puzzlekit_definitions import parse_definition
from puzzlekit_steps.practice import GoalStates
from puzzlekit_universal.near_search import near_states


def test_a_state_at_the_goal_needs_no_moves(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A exchanges pieces that look different, so the goal after A is another one."""
    text = """
Set S 4 1
Set T 3 1
Solved
S
4 2 3 4
T
1 2 3
End
Move A
S
3 2 4 1
T
2 1 3
End
Move B
T
3 1 2
End
"""
    store = TableStore(str(tmp_path_factory.mktemp("tables")))
    solver = puzzlekit_definitions.parse_definition(text, "tws", store=store)
    every = Force(solver.puzzle, {"A": 1, "A2": 1, "A'": 1, "B": 1, "B'": 1})
    for each in every.distances:
        found = solver.solve(bytes(each), goal="solvable-by:B up-to:A")
        listed = [*solver.shortest(bytes(each), goal="solvable-by:B up-to:A")]
        assert {one.cost for one in listed} == {found.cost}
        assert len(listed) == 1 or found.cost


def test_alike_pieces_may_change_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "rings.tws"
    path.write_text(RINGS)
    rings = puzzlekit_definitions.load_definition(path)
    phase = rings.make_ready(rings.choose(SearchOptions("optimal"))).phases[0]
    assert near_states(rings.puzzle, phase) is not None
    state = rings.state("A B A")
    alone = [str(each) for each in rings.solutions(state, max_length=5)]
    monkeypatch.setattr(Bounds, "is_near", property(lambda self: self._near is not None))
    assert sorted(str(each) for each in rings.solutions(state, max_length=5)) == sorted(alone)


ALIKE = """
Set S 4 1
Set T 3 2
Solved
S
1 1 2 2
T
1 2 3
End
Move A
S
2 3 4 1
T
1 2 3
0 1 1
End
Move B
T
2 3 1
End
"""


PSL = """
Set A 12 1
Solved
A
1 2 3 4 5 6 7 8 9 10 11 12
End
Move X
A
2 3 4 5 6 7 8 9 10 11 1 12
End
Move Y
A
12 11 6 8 9 3 10 4 5 7 2 1
End
"""


ILLEGAL = """
Set S 4 2
Solved
S
1 1 2 3
End
Move A
S
2 3 1 4
1 0 0 0
End
Move B
S
1 2 4 3
0 0 1 0
End
Illegal S 1 3
"""


@pytest.mark.slow
@pytest.mark.parametrize("listed", [None, 5])
@pytest.mark.parametrize(
    ("text", "goal", "unwanted"),
    [
        (ALIKE, "solved:S/1,T/1", None),
        (ALIKE, "placed:S/1 oriented:T/2", "placed:T/1"),
        (ALIKE, "each-solvable-by:A", None),
        (ALIKE, "within:T/1=T/1,T/2 or placed:S", None),
        (ALIKE, "placed:S up-to:A", None),
        (PSL, "solved:1", None),
        (PSL, "within:1,2=3,4", None),
        (PSL, "solvable-by:X or placed:12", None),
        (ILLEGAL, "placed:1", None),
        (ILLEGAL, "oriented:1", "placed:4"),
    ],
)
def test_draws_are_all_reachable_states(
    text: str, goal: str, unwanted: str | None, listed: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The states are those that a search in breadth finds, whether they are listed or not."""
    solver = parse_definition(text, "tws")
    puzzle = solver.puzzle
    if listed is not None and puzzle.forbidden:
        return  # random moves draw states of large puzzles; they are not equally likely
    if listed is not None:
        for module in ("case_states", "practice"):
            monkeypatch.setattr(f"puzzlekit_steps.{module}.MOST_LISTED", listed)
    every = {puzzle.solved}
    fresh = [puzzle.solved]
    while fresh:
        near = [act(state, *each, puzzle.modulus) for state in fresh for each in every_turn(puzzle)]
        fresh = list({each for each in near if not puzzle.misplaced(each)} - every)
        every |= {*fresh}
    wanted, other = solver.goal(goal), unwanted and solver.goal(unwanted)
    right = {state for state in every - {puzzle.solved} if wanted.reached(puzzle, state)}
    if other:
        right = {state for state in right if not other.reached(puzzle, state)}
    states = GoalStates(solver, wanted, other or None)
    assert states.even and states.count in ({len(right)} if listed is None else {len(right), None})
    rng = Random(4)
    found = Counter(states.draw(rng) for _ in range(20 * len(right)))
    assert {*found} == right
    chi = sum((each - 20) ** 2 / 20 for each in found.values())
    assert chi < len(right) + 4 * (2 * len(right)) ** 0.5


def every_turn(puzzle: Puzzle) -> list[Effect]:
    return [move.effect for move in puzzle.family_moves(puzzle.turns)]


def test_random_moves_are_not_called_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = parse_definition(ILLEGAL, "tws")
    for module in ("case_states", "practice"):
        monkeypatch.setattr(f"puzzlekit_steps.{module}.MOST_LISTED", 5)
    states = GoalStates(solver, solver.goal("placed:1"))
    assert not states.even and states.count is None and "not equally likely" in states.words


EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"


@pytest.mark.slow
@needs_compiler
def test_a_definition_has_shortest_answers_too() -> None:
    solver = puzzlekit_definitions.load_definition(str(EXAMPLES / "skewb.def"))
    moves = solver.prepared(solver.catalogue.listing_method).phases[0].moves
    for count in range(4):
        state = solver.puzzle.apply(solver.puzzle.solved, moves[:count])
        found = {" ".join(normal(solver.puzzle, each.sequence)) for each in solver.shortest(state)}
        assert found == by_force(solver, moves, solver.metric(), state)


def test_a_pickled_solver_is_what_it_was_loaded_from(tmp_path: Path) -> None:
    defined = parse_definition(RING, "tws", store=TableStore(str(tmp_path)))
    copy = pickle.loads(pickle.dumps(defined))
    assert copy.origin == defined.origin and copy.store.root == str(tmp_path)
    assert copy.solve("A B").length == 2


@pytest.mark.slow
def test_a_spawned_pool_solves_with_a_pickled_solver(tmp_path: Path) -> None:
    solver = parse_definition(RING, "tws", store=TableStore(str(tmp_path)))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (found,) = pool.starmap(Solver.solve, [(solver, "A B")])
    assert found.cost == 2 and json.loads(found.to_json())["verified"]


TWICE = """
Set S 5 1
Solved
S
1 2 3 4 5
End
Move A
S
2 3 4 1 5
End
Move B
S
3 4 1 2 5
End
Move C
S
1 2 3 5 4
End
"""


def test_a_second_name_of_a_power_allows_its_powers_alone(tmp_path: Path) -> None:
    solver = parse_definition(TWICE, "tws", store=TableStore(str(tmp_path)))
    assert [move.name for move in solver.puzzle.turns_of("B")] == ["A2"]
    assert solver.solve("A B", moves="A,C").cost == 1
    assert [*solver.solve("B C", moves="B,C").moves] == ["C", "A2"]
    for scramble in ("A", "A C"):
        with pytest.raises(NoSolutionError):
            solver.solve(scramble, moves="B,C")
