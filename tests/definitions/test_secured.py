"""Searches that start after answers of another method."""

from __future__ import annotations

import attrs
import pytest

import puzzlekit
import puzzlekit_definitions
from puzzlekit import (
    DeclarationError,
    Method,
    NoSolutionError,
    Solver,
    universal_method,
)
from puzzlekit_beam import Beam, WithFallback
from puzzlekit_universal import NearFirst, Universal
from puzzlekit_universal.near_first import NearWalk

CUBE3 = puzzlekit.load("cube3").puzzle
CHAIN = ("U D R L F B", "U D R2 L2 F2 B2")


@pytest.fixture(scope="module")
def methods() -> list[Method]:
    phases = puzzlekit_definitions.derive_phases(CUBE3, CHAIN, 30_000_000)
    assert isinstance(phases.strategy, Beam)
    fixed = {"centers": "U R F D L B"}
    universal = attrs.evolve(universal_method(CUBE3, Universal()), fixed=fixed)
    secured = attrs.evolve(phases, strategy=WithFallback(phases.strategy, "universal"), fixed=fixed)
    return [secured, universal]


@pytest.mark.slow
def test_the_other_method_answers_where_the_beam_does_not(methods: list[Method]) -> None:
    secured, universal = methods
    assert isinstance(secured.strategy, WithFallback)
    alone = Solver(CUBE3, [attrs.evolve(secured, strategy=secured.strategy.strategy)])
    state = alone.random_state(1)
    first = Solver(CUBE3, [universal]).solve(state, max_length=1000)
    nodes = sum(phase.nodes for phase in first.phases)
    with pytest.raises(NoSolutionError):
        alone.solve(state, max_nodes=1000)
    found = Solver(CUBE3, methods).solve(state, max_nodes=nodes + 1000)
    assert found.verified and found.cost == first.cost


@pytest.mark.slow
def test_the_beam_shortens_the_answer(methods: list[Method]) -> None:
    solver = Solver(CUBE3, methods)
    for seed in (2, 1, 0):
        found = solver.solve(solver.random_state(seed), max_nodes=20_000_000)
        assert found.verified and found.cost <= 24
    improvements = [length for _, length in found.improvements]
    assert len(improvements) > 2
    assert improvements == sorted(set(improvements), reverse=True)
    assert sum(phase.nodes for phase in found.phases) == pytest.approx(20_000_000, rel=0.1)


@pytest.mark.slow
def test_a_first_answer_that_is_short_enough_is_the_last(methods: list[Method]) -> None:
    solver = Solver(CUBE3, methods)
    state = solver.random_state(3)
    first = solver.solve(state, max_length=500)
    assert len(first.improvements) == 1
    assert solver.solve(state, max_length=25, max_nodes=20_000_000).cost <= 25


@pytest.mark.slow
def test_no_answer_is_longer_than_allowed(methods: list[Method]) -> None:
    solver = Solver(CUBE3, methods)
    for position in (solver.random_state(3), "R U2 F D' L"):
        with pytest.raises(NoSolutionError, match="of at most 4 HTM"):
            solver.solve(position, max_length=4, max_nodes=100_000)
    # Without other limits, the beam searches on where it had no answer in its seconds.
    secured = methods[0].strategy
    assert isinstance(secured, WithFallback)
    hasty = attrs.evolve(secured, strategy=attrs.evolve(secured.strategy, seconds=0.0))
    solver = Solver(CUBE3, [attrs.evolve(methods[0], strategy=hasty), methods[1]])
    found = solver.solve(solver.random_state(3), max_length=26)
    assert found.cost <= 26 and len(found.phases) > 1


@pytest.mark.slow
def test_short_scrambles_are_proven_and_a_solved_cube_takes_no_move(methods: list[Method]) -> None:
    solver = Solver(CUBE3, methods)
    assert solver.solve("").cost == 0
    found = solver.solve("R U2")
    assert (found.cost, found.optimal) == (2, True)


def test_the_other_method_must_exist(methods: list[Method]) -> None:
    secured, universal = methods
    assert isinstance(secured.strategy, WithFallback)
    with pytest.raises(DeclarationError, match="no method of this name that proves nothing itself"):
        Solver(CUBE3, [secured])
    unnamed = WithFallback(secured.strategy.strategy, "")
    with pytest.raises(DeclarationError, match="WithFallback needs the name of another method"):
        Solver(CUBE3, [attrs.evolve(secured, strategy=unnamed), universal])
    negative = attrs.evolve(secured.strategy, fallback_nodes=-1)
    with pytest.raises(DeclarationError, match="more_nodes and first_seconds must be 0 or more"):
        Solver(CUBE3, [attrs.evolve(secured, strategy=negative), universal])


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [0, 500_000])
def test_two_phases_search_below_the_answers_of_the_other_method(
    methods: list[Method], nodes: int
) -> None:
    universal, two = methods[1], puzzlekit.load("cube3").method("two-phase")
    secured = attrs.evolve(two, strategy=WithFallback(two.strategy, "universal", nodes))
    solver, alone = Solver(CUBE3, [secured, universal]), Solver(CUBE3, [universal])
    state = solver.random_state(1)
    given = alone.solve(state, **({"max_nodes": nodes} if nodes else {"max_length": 1000}))
    found = solver.solve(state, max_nodes=4_000_000, profile="small")
    lengths = [length for _, length in found.improvements]
    before = [length for _, length in given.improvements]
    assert lengths[: len(before)] == before and lengths[len(before)] < before[-1]
    assert found.verified and found.cost <= 21
    assert sum(phase.nodes for phase in found.phases) == pytest.approx(4_000_000, rel=0.1)


def test_the_other_method_starts_again_if_its_nodes_give_no_answer() -> None:
    # Without larger tables, which another test may have built.
    two = attrs.evolve(puzzlekit.load("cube3").method("two-phase"), larger=())
    secured = WithFallback(two.strategy, "two-phase", fallback_nodes=1)
    solver = Solver(CUBE3, [attrs.evolve(two, name="again", strategy=secured), two])
    state = solver.random_state(1)
    alone = solver.solve(state, method="two-phase", max_nodes=100_000)
    again = solver.solve(state, max_nodes=100_000)
    assert again.improvements[0][1] == alone.improvements[0][1]


@pytest.mark.slow
def test_a_second_try_has_more_nodes(methods: list[Method]) -> None:
    """Without limits, the beam may find nothing in its seconds: here it has almost none."""
    hasty = attrs.evolve(methods[0].strategy.strategy, seconds=0.001)
    costs = []
    for nodes in (3_000_000, 0):
        strategy = attrs.evolve(methods[0].strategy, strategy=hasty, more_nodes=nodes)
        solver = Solver(CUBE3, [attrs.evolve(methods[0], strategy=strategy), methods[1]])
        found = solver.solve(solver.random_state(4))
        assert found.verified
        costs.append(found.cost)
    assert costs[0] < 30 < costs[1]


@pytest.mark.slow
def test_in_little_time_the_other_method_alone_searches_and_no_second_time_from_both_ends(
    methods: list[Method], monkeypatch: pytest.MonkeyPatch
) -> None:
    secured = attrs.evolve(methods[0].strategy, first_seconds=40.0)
    phase = attrs.evolve(methods[1].phases[0], moves="U D R L F B")  # and no wide moves
    both = [
        attrs.evolve(methods[0], strategy=NearFirst(secured)),
        attrs.evolve(methods[1], phases=(phase,), strategy=NearFirst(Universal())),
    ]
    walks, beams = [], []
    began, shorter = NearWalk.__init__, Beam.shorter
    monkeypatch.setattr(
        NearWalk, "__init__", lambda self, *given: walks.append(began(self, *given))
    )
    monkeypatch.setattr(Beam, "shorter", lambda *given: beams.append(1) or shorter(*given))
    solver = Solver(CUBE3, both)
    state = solver.random_state(1)
    little = solver.solve(state, timeout=3.0)
    assert (len(walks), len(beams)) == (1, 0)
    assert little.verified and [phase.name for phase in little.phases] == ["universal"]
    assert solver.solve(state, max_nodes=20_000_000).cost <= 24
    assert (len(walks), len(beams)) == (2, 1)


@pytest.mark.slow
def test_an_answer_of_the_other_method_has_its_name(methods: list[Method]) -> None:
    """It is no answer of the last phase, though its nodes count there."""
    solver = Solver(CUBE3, methods)
    found = solver.solve(solver.random_state(2), max_length=200)
    (phase,) = found.phases
    assert phase.name == phase.found.method == "universal"
    assert phase.goal_words.endswith("(found by the method universal)")
