"""Files of ksolve whose pieces are glued together, against a simulation of the file."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from puzzlekit import NoSolutionError, NotationError, StateError
from puzzlekit.errors import DefinitionError
from puzzlekit.search.strategies.candidate import merge
from puzzlekit_definitions import DefinedSolver
from puzzlekit_definitions.load import parse_definition
from puzzlekit_lab import distribution

State = tuple[tuple[int, int], ...]
# Five pieces, two with two orientations, and a center that only X turns. A move lists what comes to
# each place, which of these pieces it flips, and whether it turns the center.
MOVES = {
    "X": ([1, 2, 3, 0, 4, 5, 6], {5}, {7}),
    "Y": ([0, 1, 4, 2, 3, 6, 5], {6}, set[int]()),
    "Z": ([3, 1, 2, 4, 0, 5, 6], set[int](), set[int]()),
}
SETS = {"RING": range(5), "PAIR": range(5, 7), "CENTER": range(7, 8)}
GLUED = {
    "a pair": [{0, 1}],
    "two sets": [{2, 5}],
    "three, in two blocks": [{0, 1}, {1, 2}],
    "a center": [{7, 1}],
    "a center, and others": [{7, 1, 2}, {0, 4}],
}


def text(blocks: list[set[int]]) -> str:
    lines = ["Name Glued", "Set RING 5 1", "Set PAIR 2 2", "Set CENTER 1 1", "Solved", "End"]
    for name, (sources, flipped, turned) in MOVES.items():
        lines += [f"Move {name}"]
        for own, places in SETS.items():
            lines += [own, " ".join(str((*sources, 7)[i] - places[0] + 1) for i in places)]
            lines += [" ".join(str(int(i in flipped | turned)) for i in places)]
        lines += ["End"]
    for block in blocks:
        lines += ["Block"]
        for own, places in SETS.items():
            if number := [str(i - places[0] + 1) for i in places if i in block]:
                lines += [own, " ".join(number)]
        lines += ["End"]
    return "\n".join(lines)


def after(state: State, name: str, amount: int, blocks: list[set[int]]) -> State | None:
    sources, flipped, turned = MOVES[name]
    end = start = tuple((i, 0) for i in range(7))
    for _ in range(amount):
        end = tuple((end[j][0], end[j][1] ^ (j in flipped)) for j in sources)
    moved = {state[i][0] for i in range(7) if end[i] != start[i]} | turned
    if any(0 < len(block & moved) < len(block) for block in blocks):
        return None
    return tuple((state[j][0], state[j][1] ^ flip) for j, flip in end)


@cache
def made(which: str) -> tuple[DefinedSolver, dict[State, int]]:
    """Return a solver, and the distances of all states by breadth-first search."""
    blocks = GLUED[which]
    solver = parse_definition(text(blocks), "def")
    level = [tuple((i, 0) for i in range(7))]
    found = dict.fromkeys(level, 0)
    amounts = [(move.family, move.amount) for move in solver.puzzle.family_moves(MOVES)]
    while level:
        ends = (after(state, *each, blocks) for state in level for each in amounts)
        level = [end for end in dict.fromkeys(ends) if end is not None and end not in found]
        found |= dict.fromkeys(level, max(found.values()) + 1)
    return solver, found


def packed(solver: DefinedSolver, state: State) -> bytes:
    lines = ["Scramble one", "RING", " ".join(str(i + 1) for i, _ in state[:5])]
    lines += ["PAIR", *(" ".join(map(str, row)) for row in zip(*state[5:], strict=True))]
    lines[4] = " ".join(str(i - 4) for i, _ in state[5:])
    return solver.positions.from_written("\n".join([*lines, "End"]))


@pytest.mark.slow
@pytest.mark.parametrize("which", GLUED)
def test_answers_agree_with_breadth_first_search(which: str) -> None:
    solver, found = made(which)
    for state in Random(1).sample(sorted(found), min(5, len(found))):
        solution = solver.solve(packed(solver, state))
        assert len(solution.sequence) >= found[state]
        assert len(solution.sequence) == found[state] or not solution.optimal
        for move in solution.sequence:
            end = after(state, move.family, move.amount, GLUED[which])
            assert end is not None
            state = end
        assert found[state] == 0


@pytest.mark.parametrize("which", GLUED)
def test_the_same_moves_are_possible(which: str) -> None:
    solver, found = made(which)
    puzzle = solver.puzzle
    for state in Random(2).sample(sorted(found), min(20, len(found))):
        for move in puzzle.family_moves(MOVES):
            end = after(state, move.family, move.amount, GLUED[which])
            own = packed(solver, state)
            assert (end is None) == bool(puzzle.obstacle(own, move))
            assert end is None or puzzle.apply(own, [move]) == packed(solver, end)


@pytest.mark.parametrize("which", GLUED)
def test_states_at_each_distance_are_counted(which: str) -> None:
    solver, distances = made(which)
    found = distribution(solver)
    assert found.states == tuple(Counter(distances.values())[i] for i in range(found.diameter + 1))
    assert found.total == len(distances)
    by_turns = distribution(solver, metric="turns")
    assert by_turns.total == len(distances) and by_turns.diameter >= found.diameter


def test_a_state_that_no_moves_reach_is_refused_or_has_no_answer() -> None:
    solver, found = made("three, in two blocks")
    rng = Random(3)
    for _ in range(10):
        order = *rng.sample(range(5), 5), *rng.sample((5, 6), 2)
        state = tuple((i, rng.randrange(2) * (i > 4)) for i in order)
        if state in found:
            continue
        with pytest.raises((NoSolutionError, StateError)) as failure:
            solver.solve(packed(solver, state))
        assert isinstance(failure.value, StateError) or "no moves lead" in str(failure.value)


def test_a_move_that_parts_a_block_is_named() -> None:
    solver, _ = made("two sets")
    with pytest.raises(NotationError, match="move 2, Y, is not possible: it would part 3 and 1"):
        solver.puzzle.apply(solver.puzzle.solved, solver.puzzle.moves("X Y"))


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("WING\n1", "there is no set 'WING'; the sets are RING, PAIR, CENTER"),
        ("1 2", "expected the name of a set in Block, found a number"),
        ("RING\n1 7", "expected the number of a piece from 1 to 5, found 7"),
    ],
)
def test_a_wrong_block_is_named(block: str, words: str) -> None:
    with pytest.raises(DefinitionError, match=words):
        parse_definition(f"{text([])}\nBlock\n{block}\nEnd", "def")


def with_center(moves: dict[str, tuple[str, int]], block: str, turns: str = "0 0 0 0") -> str:
    """Return four pieces in a ring, and a center: a move has the places, and turns the center."""
    lines = ["Name Glued", "Set RING 4 2", "Set CENTER 1 1", "Solved", "RING", "1 2 3 4"]
    lines += [turns, "End"]
    for name, (sources, turned) in moves.items():
        lines += [f"Move {name}", "RING", sources, "CENTER", "1", str(turned), "End"]
    return "\n".join([*lines, "Block", *block.split("/"), "End"])


CENTER, SWAP = "RING/2/CENTER/1", ("1 3 2 4", 0)


@pytest.mark.parametrize(
    "moves",
    [
        {"X'": ("4 1 2 3", 1)},
        {"X": ("2 3 4 1", 1), "X2": ("3 4 1 2", 2), "X'": ("4 1 2 3", 3)},
        {"X": ("2 3 4 1", 1), "ALONE": ("1 2 3 4", 1)},
    ],
)
def test_moves_that_turn_a_center_may_have_any_names(moves: dict[str, tuple[str, int]]) -> None:
    puzzle = parse_definition(with_center({**moves, "Y": SWAP}, CENTER), "def").puzzle
    assert puzzle.block_turns == (frozenset("X"),)
    assert bool(puzzle.obstacle(puzzle.solved, puzzle.move("Y")))
    assert not puzzle.obstacle(puzzle.solved, puzzle.move("X"))


def test_a_block_of_pieces_that_the_same_moves_turn_prevents_none() -> None:
    moves = {"X": ("2 3 1 4", 0), "Y": SWAP}
    puzzle = parse_definition(with_center(moves, "RING/4/CENTER/1"), "def").puzzle
    assert not puzzle.restricted


@pytest.mark.parametrize(
    ("moves", "block", "turns", "words"),
    [
        ({"X": ("2 3 4 1", 1), "W": ("2 3 4 1", 0)}, CENTER, "0 0 0 0", "its power W does not"),
        ({"X": ("2 1 3 4\n1 0 0 0", 0), "Y": ("1 3 4 2", 0)}, "RING/1 3", "? ? ? ?", "told apart"),
        ({"X": ("2 3 4 1", 0)}, "RING/1 2", "0 ? ? ?", "told apart"),
    ],
)
def test_a_block_that_the_state_does_not_show_is_refused(
    moves: dict[str, tuple[str, int]], block: str, turns: str, words: str
) -> None:
    with pytest.raises(DefinitionError, match=words):
        parse_definition(with_center(moves, block, turns), "def")


def test_a_block_may_end_the_file() -> None:
    solver = parse_definition(text([{0, 1}]).removesuffix("End"), "def")
    assert len(solver.puzzle.blocks) == 1


def test_moves_are_merged_unless_the_power_parts_a_block() -> None:
    """A exchanges two pieces and turns three; B turns all five."""
    lines = (
        "Set RING 5 1\nSolved\nEnd\nMove A\nRING\n2 1 4 5 3\nEnd\nMove B\nRING\n2 3 4 5 1\nEnd\n"
    )
    puzzle = parse_definition(f"{lines}Block\nRING\n1 3\nEnd\n", "def").puzzle
    once, twice = puzzle.moves("A A"), puzzle.moves("B B")
    assert merge(puzzle, [once]) == [once]
    assert merge(puzzle, [twice]) == [puzzle.moves("B2")]
    assert merge(puzzle, [puzzle.moves("A A'")]) == [()]
    assert puzzle.apply(puzzle.solved, once)
    with pytest.raises(NotationError, match="it would part 1 and 3"):
        puzzle.apply(puzzle.solved, puzzle.moves("A2"))
