"""The stages of a beam: their ends, goals in other holdings, the best ends, views."""

from __future__ import annotations

import random
from typing import Any

import attrs
import pytest
from beads import (
    AFTER,
    AT_HOME,
    BEADS,
    CUBE2,
    EXHAUSTED,
    FOUND,
    HELD,
    HOME,
    LAYER,
    MIXED,
    MOST,
    PLACE,
    SPLITTING,
    STARTS,
    STORE,
    TURNED,
    WHOLE,
    apply,
    around,
    at_goal,
    ends,
    made,
    phase,
    renamed,
    within,
)
from engines import engine, interpreted  # noqa: F401 (a fixture)

import puzzlekit
from puzzlekit import Combination, DeclarationError, Orientation, Phase, Puzzle
from puzzlekit.engine import fill
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit_beam.phases import BeamWay
from puzzlekit_beam.view import View
from puzzlekit_cubes import finish


@pytest.mark.slow
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
@pytest.mark.parametrize("one", [LAYER, HELD, TURNED, AT_HOME, SPLITTING], ids=lambda p: p.name)
def test_a_stage_lists_what_brute_force_finds(
    one: Phase, way: str, request: pytest.FixtureRequest
) -> None:
    """Every state at the goal, at its least cost, once; none else; up to renaming the pieces."""
    if way == "interpreted":
        request.getfixturevalue("interpreted")
    most = 4 if way == "compiled" and fill.COMPILED else 2
    is_goal = at_goal(one)
    known: dict[bytes, int] = {}
    for start in STARTS:
        for state, cost in around(start, one.allowed(BEADS), most).items():
            if is_goal(state):
                name = min(renamed(state)) if one.goal_turns else state
                known[name] = min(cost, known.get(name, cost))
    for bound in range(most + 1):
        least = {name: cost for name, cost in known.items() if cost <= bound}
        listed = ends(one, STARTS, bound)
        named = [(min(renamed(s)) if one.goal_turns else s, cost) for s, cost, *_ in listed]
        assert len({s for s, *_ in listed}) == len(listed), "an end is listed twice"
        assert [cost for _, cost in named] == sorted(cost for _, cost in named)
        found: dict[bytes, int] = {}
        for state, cost in named:
            found[state] = min(cost, found.get(state, cost))
        assert found == least
        for state, cost, origin, path in listed:
            reached_state = apply(STARTS[origin], " ".join(path))
            assert len(path) == cost and is_goal(reached_state)
            assert state in renamed(reached_state) if one.goal_turns else state == reached_state


@pytest.mark.parametrize("one", [HELD, TURNED], ids=lambda p: p.name)
def test_an_end_in_another_holding_is_renamed_so_that_it_is_at_the_plain_goal(one: Phase) -> None:
    """The next phase looks for its goal in the puzzle as held."""
    is_goal = at_goal(attrs.evolve(one, goal_turns=""))
    turned = 0
    for start in STARTS:
        for state, _, _, path in ends(one, [start], 3):
            assert is_goal(state)
            turned += state != apply(start, " ".join(path))
    assert turned


def test_goals_of_several_holdings_are_not_mixed() -> None:
    """Each coordinate at a goal of another holding is no goal, also with goal moves.

    Such a phase is refused, or ends only where the pieces can be renamed to be at the plain goal.
    """
    try:
        listed = ends(MIXED, STARTS, 3)
    except DeclarationError:
        return
    is_goal = at_goal(attrs.evolve(MIXED, goal_turns=""))
    assert all(is_goal(state) for state, *_ in listed)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
@pytest.mark.parametrize("endings", [1, 2, 3])
@pytest.mark.parametrize("one", [LAYER, AT_HOME, SPLITTING, TURNED], ids=lambda p: p.name)
def test_with_endings_listed_beforehand_there_are_the_same_ends(
    one: Phase, endings: int, way: str, request: pytest.FixtureRequest
) -> None:
    if way == "interpreted":
        request.getfixturevalue("interpreted")
        if endings == 3:
            pytest.skip("takes too long interpreted")
    most = 4 if way == "compiled" and fill.COMPILED else 2
    for after in (None, AFTER):
        plainly = ends(one, STARTS, most, after)
        listed = ends(attrs.evolve(one, endings=endings), STARTS, most, after)
        assert {(s, cost) for s, cost, *_ in plainly} == {(s, cost) for s, cost, *_ in listed}
        assert len(plainly) == len(listed) > (3 if most > 2 else 0)
        for state, cost, origin, path in listed:
            reached = apply(STARTS[origin], " ".join(path))
            assert len(path) == cost
            assert state in renamed(reached) if one.goal_turns else state == reached


@pytest.mark.slow
@pytest.mark.parametrize("endings", [0, 2])
@pytest.mark.parametrize(
    "after", [AFTER, phase("two", "U2 D2", (WHOLE,), "whole")], ids=lambda p: p.name
)
def test_no_end_is_another_with_a_move_of_the_next_phase_and_none_is_lost(
    after: Phase, endings: int
) -> None:
    """What the next phase does itself need not end this one, nor move before what commutes."""
    one = attrs.evolve(LAYER, endings=endings)
    most = 3
    listed = ends(one, STARTS, most, after)
    later = after.allowed(BEADS)
    for *_, path in listed:
        moves = [BEADS.move(m.family, m.amount) for name in path for m in BEADS.moves(name)]
        for i, move in enumerate(moves):
            free = all(
                apply(BEADS.solved, f"{move.name} {other.name}")
                == apply(BEADS.solved, f"{other.name} {move.name}")
                for other in moves[i + 1 :]
            )
            assert not (free and move in later), path
    # Whatever is at the goal is an end and then moves of the next phase, at no higher cost.
    reach: dict[bytes, int] = {}
    for state, cost, *_ in listed:
        for near, more in around(state, later, most - cost).items():
            reach[near] = min(cost + more, reach.get(near, MOST))
    is_goal = at_goal(one)
    every = within(STARTS, one.allowed(BEADS), most)
    assert {s: cost for s, cost in every.items() if is_goal(s)} == {
        s: cost for s, cost in reach.items() if s in every
    }
    assert len(listed) < sum(map(is_goal, every))


@pytest.mark.parametrize("one", [HELD, TURNED], ids=lambda p: p.name)
def test_goals_in_other_holdings_are_as_far_as_brute_force_finds(one: Phase) -> None:
    is_goal = at_goal(one)
    ready = made(one)
    moves = one.allowed(BEADS)
    for seed in range(12):
        state = BEADS.apply(BEADS.solved, random.Random(seed).choices(moves, k=seed % 5))
        distance = next(
            bound for bound in range(9) if any(map(is_goal, within([state], moves, bound)))
        )
        assert ready.estimate(BEADS, state) <= distance
        search = engine.Search(ready.space)
        ready.start(search, BEADS, state, 20)
        assert search.run(1 << 40) == FOUND
        assert search.spent_here == distance
        assert is_goal(BEADS.apply(state, [ready.moves[m] for m in search.path]))


@pytest.mark.slow
def test_a_table_of_joint_goals_holds_exact_distances() -> None:
    """Zero only where the coordinates are together at the goal of one holding."""
    ready = made(HELD)
    states = HELD.goal_states(BEADS)
    assert len(states) == 4
    ranks = {tuple(c.rank(s) for c in HELD.coordinates) for s in states}
    distance = dict.fromkeys(ranks, 0)
    seen = {tuple(c.rank(s) for c in HELD.coordinates): s for s in states}
    for key in (queue := list(seen)):
        if distance[key] < 3:
            for move in HELD.allowed(BEADS):
                near = BEADS.apply(seen[key], [move])
                new = tuple(c.rank(near) for c in HELD.coordinates)
                if new not in distance:
                    distance[new] = distance[key] + 1
                    seen[new] = near
                    queue.append(new)
    for key, far in distance.items():
        assert ready.estimate(BEADS, seen[key]) == far


# --- stages that keep the best ends, and phases with a view -------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_a_choosy_stage_keeps_all_ends_up_to_some_rating(
    way: str, request: pytest.FixtureRequest
) -> None:
    if way == "interpreted":
        request.getfixturevalue("interpreted")
    bound = 3 if way == "compiled" and fill.COMPILED else 2
    later = BeamWay(BEADS, made(PLACE))
    found = []
    for most, choosy in ((1 << 16, False), (10, True), (30, True)):
        stage = BeamWay(BEADS, made(HOME, PLACE)).stage(later, MOST, most, choosy)
        stage.add_states(STARTS, [0] * len(STARTS))
        while stage.f_bound <= bound and stage.run(50) != EXHAUSTED:
            pass
        assert stage.is_full == choosy
        found.append({stage.end(n)[0]: stage.rating(n) for n in range(stage.count)})
        for number in range(stage.count):
            state, spent, origin, _, path = stage.end(number)
            names = " ".join(made(HOME).moves[m].name for m in path)
            assert apply(STARTS[origin], names) == state and len(path) == spent
    every, *kept = found
    for room, best in zip((10, 30), kept, strict=True):
        assert 0 < len(best) <= room < len(every)
        worst = max(best.values())
        assert best == {state: rating for state, rating in every.items() if rating <= worst}


def test_a_choosy_stage_with_equal_ends_is_full() -> None:
    stage = BeamWay(BEADS, made(HOME)).stage(None, MOST, 4, choosy=True)
    stage.add_states([BEADS.solved], [0])
    while stage.run(50) != EXHAUSTED:
        pass
    assert stage.is_full and 0 < stage.count <= 4


CUBE3 = puzzlekit.load("cube3").puzzle
CORNERS = View(CUBE2.puzzle, finish.seen_by_name(CUBE3, CUBE2.puzzle))


def _of_corners(puzzle: Puzzle, view: View | None, **more: Any) -> CompiledPhase:
    turns = Orientation("turns", puzzle, "corners")
    where = Combination("where", puzzle, "corners", "ULB UBR URF UFL")
    one = phase("corners", "U R F D L B", (turns, where), "turns where", view=view, **more)
    metric = CUBE3.metric("HTM")
    return CompiledPhase(Plan(CUBE3, (one,), metric, STORE), one)


@pytest.mark.parametrize("seed", range(5))
def test_a_stage_of_a_view_lists_the_same_ends(seed: int) -> None:
    """The corners of a 3x3x3 are seen as a 2x2x2. The states are those of the 3x3x3."""
    state = CUBE3.apply(CUBE3.solved, CUBE3.moves("R U F2")[:seed])
    found = []
    for puzzle, view in ((CUBE3, None), (CUBE2.puzzle, CORNERS)):
        stage = BeamWay(CUBE3, _of_corners(puzzle, view)).stage(None, MOST)
        stage.add_states([state], [0])
        while stage.f_bound <= 3:
            stage.run(1000)
        found.append([stage.end(n) for n in range(stage.count) if stage.end(n)[1] <= 3])
    assert sorted(found[0]) == sorted(found[1]) and len(found[0]) > 0


def test_views_that_no_early_phase_of_a_beam_can_have() -> None:
    with pytest.raises(DeclarationError, match="phase corners: its view must show pieces with"):
        BeamWay(CUBE3, _of_corners(CUBE2.puzzle, CORNERS, goal_turns="x2"))
