"""Machines: what they do at once and what it costs, by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from bundled import stickers
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import DeclarationError, Move, UsageError
from puzzlekit.puzzle.move import product
from puzzlekit_robots import Machine

CUBE2 = puzzlekit.load("cube2").puzzle
CUBE3 = puzzlekit.load("cube3").puzzle
AXES = (("U", "D"), ("R", "L"), ("F", "B"))
FAMILIES = ["U", "D", "R", "L", "F", "B", "x", "y"]


# --- what is done at once -----------------------------------------------------------------------


def cuts(word: Sequence[Move], most: int) -> Iterator[list[Sequence[Move]]]:
    """Every way to cut a sequence into pieces of at most so many moves."""
    if not word:
        yield []
    for size in range(1, min(most, len(word)) + 1):
        for rest in cuts(word[size:], most):
            yield [word[:size], *rest]


def priced(machine: Machine, pieces: Sequence[Sequence[Move]]) -> int | None:
    """What pieces cost as steps, straight from what a machine is declared as; or None."""
    total = 0
    last: tuple[str, ...] = ()
    for piece in pieces:
        families = [move.family for move in piece]
        if families[0] in machine.rotations and len(piece) == 1:
            total += machine.whole
            last = ()
            continue
        group = next((each for each in machine.arms if set(families) <= set(each)), None)
        names = {move.name for move in piece}
        if group is None or len(set(families)) < len(families):
            return None
        if any(names == set(step.split(" + ")) for step in machine.without):
            return None
        if group == last and not machine.again:
            return None
        for move in piece:
            signed = {move.amount, move.amount - 4}
            if machine.amounts and not signed & set(machine.amounts):
                return None
        turns = [machine.turns.get(2 if move.amount == 2 else 1) for move in piece]
        if None in turns:
            return None
        total += max(turn for turn in turns if turn is not None) + machine.grip
        total += machine.change if last and group != last else 0
        last = group
    return total


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    groups = draw(
        st.lists(st.sampled_from([*AXES, ("U",), ("R",), ("L", "R")]), min_size=1, max_size=3)
    )
    used: set[str] = set()
    arms = []
    for group in groups:
        if not used & set(group):
            arms.append(group)
            used |= set(group)
    steps = ["R2 + L2", "L2 + R2", "U' + D", "R", "F2", "B2 + F'"]
    return Machine(
        name="drawn",
        title="",
        arms=tuple(arms),
        amounts=tuple(draw(st.lists(st.sampled_from([-1, 1, 2]), max_size=2, unique=True))),
        turns=draw(st.sampled_from([{1: 1, 2: 1}, {1: 1, 2: 2}, {1: 2, 2: 3}, {2: 1}, {1: 4}])),
        grip=draw(st.integers(0, 2)),
        change=draw(st.integers(0, 2)),
        again=draw(st.booleans()),
        without=tuple(draw(st.lists(st.sampled_from(steps), max_size=2))),
        rotations=tuple(draw(st.sampled_from([(), ("x",), ("y", "x")]))),
        whole=draw(st.integers(1, 3)),
    )


words = st.lists(st.sampled_from(CUBE3.family_moves(FAMILIES)), max_size=7) | st.lists(
    st.sampled_from(CUBE3.family_moves(["R", "L", "U", "x"])), max_size=8
)


@pytest.mark.slow
@given(machine=machines(), word=words)
@settings(max_examples=400)
def test_steps_are_the_cheapest_way_to_cut_a_sequence(machine: Machine, word: list[Move]) -> None:
    costs = [priced(machine, pieces) for pieces in cuts(word, 2)]
    possible = [cost for cost in costs if cost is not None]
    assert machine.can(word) == bool(possible)
    if not possible:
        with pytest.raises(UsageError, match=r"the machine drawn cannot do .+ \(move \d\) at this"):
            machine.steps(word)
        return
    steps = machine.steps(word)
    assert [move for step in steps for move in step.moves] == word
    assert sum(step.cost for step in steps) == machine.total(word) == min(possible)
    assert priced(machine, [step.moves for step in steps]) == min(possible)
    # A move that is several at once is as good as these.
    together = [CUBE3.together(step.moves) for step in steps]
    assert machine.total(together) <= min(possible)


@pytest.mark.slow
@given(machine=machines())
def test_following_steps_are_all_that_may_follow(machine: Machine) -> None:
    singles = CUBE3.family_moves(FAMILIES)
    every = [[move] for move in singles] + [list(pair) for pair in combinations(singles, 2)]
    for last, group in [(-1, ()), *enumerate(machine.arms)]:
        # Doing the step after one of that group costs what is said, or cannot be done.
        expected = {}
        for piece in every:
            alone = priced(machine, [piece])
            families = {move.family for move in piece}
            if alone is None or (group and families <= set(group) and not machine.again):
                continue
            changed = bool(group) and not families <= {*group, *machine.rotations}
            expected[frozenset(piece)] = alone + changed * machine.change
        following = list(machine.following(CUBE3, last))
        assert {frozenset(step.moves): step.cost for step, _ in following} == expected
        assert len(following) == len(expected)
        for step, turned in following:
            assert machine.steps(step.moves)[0].cost == machine.cost(CUBE3.together(step.moves))
            own = machine.arms[turned] if turned >= 0 else machine.rotations
            assert {move.family for move in step.moves} <= set(own)


def test_what_cannot_be_done_is_named() -> None:
    robot = CUBE2.metric("robot")
    with pytest.raises(UsageError, match=r"^the machine robot cannot do R \(move 3\) at this"):
        robot.steps(CUBE2.moves("R' F' R"))
    with pytest.raises(UsageError, match=r"cannot do R2 \(move 2\)"):
        robot.steps(CUBE2.moves("R' R2"))
    with pytest.raises(UsageError, match="cannot do U"):
        robot.cost(CUBE2.moves("U")[0])
    with pytest.raises(UsageError, match=r"cannot do R2 \+ L2"):
        robot.cost(CUBE2.together(CUBE2.moves("R2 L2")))
    assert robot.cost(CUBE2.together(CUBE2.moves("L2 R'"))) == 3
    assert robot.total(()) == 0
    assert robot.steps(()) == ()
    assert not robot.counts


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"arms": (("R", "X"),)},
            "the arm 'X' is not a move of cube3; write U R F",
        ),
        ({"arms": (("R", "x"),)}, "the arm 'x' is not a move of cube3"),
        ({"arms": (("R", "U"),)}, "R and U cannot turn at once: they move the same pieces"),
        ({"arms": (("R", "L"), ("F", "D"))}, "F and D cannot turn at once"),
        ({"amounts": (3, 5)}, None),
        ({"amounts": (4,)}, "the arm R cannot turn at all"),
        ({"amounts": (2,), "turns": {1: 1}}, "the arm R cannot turn at all"),
        ({"without": ("R2+L2",)}, "'R2\\+L2' in 'without' is not a step of the arms"),
        ({"without": ("R2", "R2 + F2")}, "'R2 \\+ F2' in 'without'"),
        ({"without": ("R2 + L2", "L' + R", "R2")}, None),
        ({"rotations": ("w",)}, "cube3 has no rotation 'w'; it has x y z"),
        ({"rotations": ("U",)}, "cube3 has no rotation 'U'"),
    ],
)
def test_a_machine_that_does_not_fit_the_puzzle(
    changes: dict[str, Any], problem: str | None
) -> None:
    parts: dict[str, Any] = {"name": "own", "title": "", "arms": (("R", "L"),), **changes}
    machine = Machine(**parts)
    if problem is None:
        machine.check(CUBE3)
        return
    with pytest.raises(UsageError, match=problem) as told:
        machine.check(CUBE3)
    assert str(told.value).startswith("machine own: ")
    with pytest.raises(UsageError, match=problem):
        puzzlekit.load("cube3").solve("R", metric=machine)


@pytest.mark.parametrize(
    "changes",
    [
        {"arms": ()},
        {"arms": ((),)},
        {"arms": (("R",), ())},
        {"arms": (("R", "R"),)},
        {"arms": (("R",), ("L", "R"))},
        {"rotations": ("R",)},
        {"rotations": ("x", "x")},
        {"grip": -1},
        {"grip": 101},
        {"change": -1},
        {"turns": {}},
        {"turns": {1: 0, 2: 1}},
        {"turns": {1: -1, 2: 1}, "grip": 3},
        {"rotations": ("x",), "whole": 0},
    ],
)
def test_a_machine_that_is_none(changes: dict[str, Any]) -> None:
    parts: dict[str, Any] = {"name": "own", "title": "", "arms": (("R", "L"),), **changes}
    with pytest.raises(DeclarationError, match=r"^machine own: "):
        Machine(**parts)


# --- moves done at once -------------------------------------------------------------------------

opposite = st.sampled_from(AXES).flatmap(
    lambda pair: st.permutations(
        [st.sampled_from(CUBE3.family_moves([family])) for family in pair]
    ).flatmap(lambda each: st.tuples(*each))
)


@given(moves=opposite)
def test_moves_done_at_once_are_one_move(moves: tuple[Move, ...]) -> None:
    both = CUBE3.together(moves)
    assert both is CUBE3.together(moves[::-1])
    assert set(both.parts) == set(moves)
    assert both.effect == product([move.effect for move in moves], CUBE3.modulus)
    assert both.name == " + ".join(move.name for move in both.parts)
    assert CUBE3.together(moves[:1]) is moves[0]
    back = CUBE3.inverse(both)
    assert back is CUBE3.together([CUBE3.inverse(move) for move in moves])
    assert CUBE3.apply(CUBE3.solved, [both, back]) == CUBE3.solved
    cube = stickers("cube3")
    shown = puzzlekit.load("cube3").positions.to_facelets(CUBE3.apply(CUBE3.solved, [both]))
    assert shown == cube.replay(cube.solved, " ".join(move.name for move in moves))


@given(moves=opposite)
@settings(max_examples=15)
def test_images_of_moves_done_at_once(moves: tuple[Move, ...]) -> None:
    """Under each symmetry that is a rotation the image does what the turned move does."""
    from puzzlekit.puzzle.symmetry import family_images, image_of

    both = CUBE3.together(moves)
    for image in family_images(CUBE3, CUBE3.family_moves("URFDLB")):
        found = image_of(CUBE3, image, both)
        assert found is CUBE3.together([image_of(CUBE3, image, move) for move in moves])
        assert len(found.parts) == 2
