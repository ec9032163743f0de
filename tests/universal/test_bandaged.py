"""Puzzles whose pieces are glued together, declared by a list of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random

import attrs
import pytest
from gluing import FACES, glued

from puzzlekit import (
    DeclarationError,
    Metric,
    NoSolutionError,
    NotationError,
    Orbit,
    Puzzle,
    Solver,
)
from puzzlekit.puzzle.orbit import Bandaged
from puzzlekit.puzzle.random_states import random_state, random_walk
from puzzlekit.search.universal import universal_method
from puzzlekit_definitions import derive
from puzzlekit_universal import ByShapes, Universal
from puzzlekit_universal.shapes import Shapes, ShapeWalk

# An edge and its corner; three pieces on an edge of the cube; two edges on a face.
BLOCKS = (
    ({"corners": "DLB", "edges": "DB"},),
    ({"corners": "UFL DLF", "edges": "FL"}, {"corners": "DRB", "edges": "BR"}),
)


@cache
def bandaged(number: int) -> Puzzle:
    return glued("cube3", Bandaged(BLOCKS[number]))


@cache
def solver(number: int) -> Solver:
    puzzle = bandaged(number)
    return Solver(puzzle, [universal_method(puzzle, ByShapes(Universal(seconds=0.5)))])


def test_a_move_that_parts_a_block_is_not_possible() -> None:
    puzzle = bandaged(0)
    moves = {family: puzzle.obstacle(puzzle.solved, puzzle.move(family)) for family in FACES}
    assert moves["L"] == "it would part DBL and DB"
    assert [family for family, words in moves.items() if words] == ["L"]
    with pytest.raises(NotationError, match=r"move 1, L, is not possible: it would part DBL and"):
        puzzle.apply(puzzle.solved, puzzle.moves("L"))
    # After B, the block is at L, and D is not possible instead.
    state = puzzle.apply(puzzle.solved, puzzle.moves("B"))
    assert not puzzle.obstacle(state, puzzle.move("R"))
    assert [each for each in FACES if puzzle.obstacle(state, puzzle.move(each))] == ["D"]
    assert puzzle.restricted


def test_shapes_are_the_places_of_the_blocks() -> None:
    """A block of a corner and an edge has 24 places: each edge, with the corner at an end."""
    puzzle = bandaged(0)
    shapes = Shapes(puzzle, puzzle.family_moves(FACES), puzzle.metric())
    assert len(shapes) == 24


@pytest.mark.parametrize(
    "number",
    [pytest.param(0, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.thorough)],
)
def test_a_bandaged_cube_is_solved_by_possible_moves(number: int) -> None:
    puzzle = bandaged(number)
    walk = random_walk(puzzle, puzzle.family_moves(FACES), Random(5), 40)
    state = puzzle.apply(puzzle.solved, walk)
    solution = solver(number).solve(state, max_length=199)
    assert puzzle.apply(state, solution.sequence) == puzzle.solved
    assert solution.cost <= 199


@pytest.mark.slow
def test_short_scrambles_get_shortest_answers() -> None:
    solution = solver(0).solve("R U2 B")
    assert (solution.cost, solution.optimal) == (3, True)


def test_random_states_and_scrambles_are_possible() -> None:
    known = solver(0)
    for seed in range(3):
        moves = known.puzzle.undo(
            random_walk(known.puzzle, known.puzzle.family_moves(FACES), Random(seed), 30)
        )
        assert len(moves) == 30
    state = known.random_state(1)
    assert state != known.puzzle.solved and state == known.random_state(1)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"constraints": (Bandaged(({"edges": "a z"},)),)}, "orbit edges has no place 'z'"),
        ({"constraints": (Bandaged(({"edges": "a c"},)),)}, "of a block must differ"),
        (
            {"constraints": (Bandaged(({"edges": "a b"}, {"edges": "b a"})),)},
            "edge b of a block is",
        ),
        (
            {"constraints": (Bandaged({"edges": "a b"}),)},
            r"a tuple of mappings .* write \({...},\)",
        ),
        (
            {"constraints": (Bandaged(({"edges": "a b"},), ("R", None)),)},
            "Bandaged has 1 blocks and 2 centers",
        ),
        (
            {"constraints": (Bandaged(({"edges": "a b"},), ("Q",)),)},
            "Q, which turns the center of a block, is not among the turns",
        ),
        ({"rotations": ("R",)}, "blocks cannot have a guard or rotations"),
    ],
)
def test_a_wrong_block_is_named(more: dict[str, object], said: str) -> None:
    ring = Puzzle(
        "ring",
        "Four",
        (Orbit("edges", "edge", "a b c d", solved=(0, 1, 2, 2)),),
        {"R": (bytes([1, 2, 3, 0]), bytes(4))},
        (Metric("TURNS", "turns", {"R": 1}),),
        constraints=(Bandaged(({"edges": "a b"},)),),
    )
    with pytest.raises(DeclarationError, match=said):
        attrs.evolve(ring, **more)


@cache
def row() -> Puzzle:
    """Return five tiles in a row, of which the first three can be exchanged; two are glued."""

    def swap(i: int) -> tuple[bytes, bytes]:
        return bytes({i: i + 1, i + 1: i}.get(k, k) for k in range(5)), bytes(5)

    return Puzzle(
        "row",
        "Five",
        (Orbit("tiles", "tile", "a b c d e"),),
        {"A": swap(0), "B": swap(1)},
        (Metric("TURNS", "turns", {"A": 1, "B": 1}),),
        constraints=(Bandaged(({"tiles": "d e"},)),),
    )


@pytest.mark.slow
def test_random_states_are_of_both_parities() -> None:
    """A fixed number of moves would reach three of the six states, or fewer."""
    states = {random_state(row(), Random(seed))[:3] for seed in range(40)}
    assert states == {*map(bytes, permutations(range(3)))}


def test_states_that_moves_cannot_reach_have_no_answer() -> None:
    known = Solver(row(), [universal_method(row(), ByShapes(Universal(seconds=0.1)))])
    for state in ("0001020403", "0003020104"):
        with pytest.raises(NoSolutionError):
            known.solve(bytes.fromhex(state))


@pytest.mark.slow
def test_a_limit_below_a_shortest_answer_is_proven_to_have_none() -> None:
    with pytest.raises(NoSolutionError, match="there is no solution of at most 2 HTM"):
        solver(0).solve("R U2 B", max_length=2)


@pytest.mark.parametrize("seed", range(6))
def test_answers_agree_with_breadth_first_search(seed: int) -> None:
    """Blocks of two or three of six tiles, which three cycles of three or four tiles move."""
    rng = Random(seed)
    turns = {}
    for family in "ABC":
        places = rng.sample(range(6), rng.choice((3, 4)))
        gather = [*range(6)]
        for one, other in zip(places, places[1:] + places[:1], strict=True):
            gather[one] = other
        turns[family] = bytes(gather), bytes(6)
    block = " ".join(rng.sample("abcdef", rng.choice((2, 3))))
    puzzle = Puzzle(
        "tiles",
        "Six",
        (Orbit("tiles", "tile", "a b c d e f"),),
        turns,
        (Metric("TURNS", "turns", dict.fromkeys(turns, 1)),),
        constraints=(Bandaged(({"tiles": block},)),),
    )
    level, costs = [puzzle.solved], {puzzle.solved: 0}
    moves = puzzle.family_moves(turns)
    while level:
        after = []
        for state in level:
            for move in moves:
                end = state if puzzle.obstacle(state, move) else puzzle.apply(state, [move])
                if end not in costs:
                    costs[end] = costs[state] + 1
                    after.append(end)
        level = after
    known = Solver(puzzle, [universal_method(puzzle, ByShapes(Universal(seconds=0.1)))])
    for state in rng.sample(sorted(costs), min(20, len(costs))):
        found = known.solve(state)
        assert found.cost >= costs[state]
        assert found.cost == costs[state] or not found.optimal


def test_a_strategy_that_takes_no_blocks_is_refused() -> None:
    method = universal_method(bandaged(0), Universal())
    with pytest.raises(DeclarationError, match="pieces of this puzzle prevent some moves"):
        Solver(bandaged(0), [method])


def test_no_tables_are_derived() -> None:
    with pytest.raises(DeclarationError, match="has blocks, so no tables can be derived"):
        derive(bandaged(0))


def test_an_edge_glued_to_a_center_turns_with_its_face() -> None:
    puzzle = glued("supercube3", Bandaged(({"centers": "U", "edges": "UR"},)))
    assert puzzle.apply(puzzle.solved, puzzle.moves("U D L")) != puzzle.solved
    with pytest.raises(NotationError, match="move 2, R, is not possible: it would part U and UR"):
        puzzle.apply(puzzle.solved, puzzle.moves("D R"))


def test_a_corner_glued_to_a_center_that_is_no_piece() -> None:
    puzzle = glued("cube3", Bandaged(({"corners": "URF"},), ("U",)))
    with pytest.raises(NotationError, match="move 2, R, is not possible: it would part URF and a"):
        puzzle.apply(puzzle.solved, puzzle.moves("D R"))
    assert puzzle.obstacle(puzzle.apply(puzzle.solved, puzzle.moves("U2")), puzzle.move("L"))
    shapes = Shapes(puzzle, puzzle.family_moves(FACES), puzzle.metric())
    assert len(shapes) == 4


def test_short_answers_are_searched_for_half_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states near the solved one are listed before, and time is no proof that none is met."""
    seen: list[bytes] = []
    near = Shapes.near

    def counted(shapes: Shapes, state: bytes) -> Iterator[tuple[bytes, ShapeWalk]]:
        for each in near(shapes, state):
            seen.append(state)
            yield each

    solver(0).prepared()
    monkeypatch.setattr(Shapes, "near", counted)
    state = solver(0).random_state(1)
    with pytest.raises(NoSolutionError) as caught:
        solver(0).solve(state, timeout=0.0)
    assert not caught.value.proven
    assert seen == [state]
