"""Puzzles on which pieces must not be at some places, so that moves are not always possible."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import attrs
import pytest

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Forbidden,
    NotationError,
    Solver,
    StateError,
    TableStore,
    Universal,
    UsageError,
    parse_definition,
)
from puzzlekit.definition.load import DefinedSolver
from puzzlekit.method.universal import universal_method
from puzzlekit.puzzle.move import act
from puzzlekit.solve.scrambling import random_moves
from puzzlekit.strategy.universal import shape_chain
from puzzlekit.strategy.universal.shapes import Shapes


def layered(layer: str, cut: int, root: Path) -> DefinedSolver:
    """A puzzle of two layers. A slice exchanges the halves that begin at place `cut`.

    `layer` has a letter for each piece: w for a wide piece, which takes two places, n for a narrow
    one. The second place of each wide piece has the last number.
    """
    last = 2 * len(layer) + 1
    pieces = []
    for number, kind in enumerate(2 * layer, 1):
        pieces += [number, last] if kind == "w" else [number]
    size = len(pieces) // 2
    half = size // 2
    top, bottom = list(range(1, size + 1)), list(range(size + 1, 2 * size + 1))
    one, other = slice(cut, cut + half), slice(size + cut, size + cut + half)
    sliced = top + bottom
    sliced[one], sliced[other] = sliced[other], sliced[one]
    lines = [f"Set P {2 * size} 1", *block("Solved", pieces)]
    lines += block("Move U", [top[-1], *top[:-1], *bottom])
    lines += block("Move D", [*top, bottom[-1], *bottom[:-1]])
    lines += block("Move S", sliced)
    lines += [
        f"Illegal P {1 + start + place % size} {last}"
        for start in (0, size)
        for place in (cut, cut + half)
    ]
    return parse_definition("\n".join(lines), "tws", store=TableStore(str(root)))


def block(name: str, numbers: Sequence[int]) -> list[str]:
    return [name, "P", " ".join(map(str, numbers)), "End"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DefinedSolver:
    """Two layers of a wide and two narrow pieces each."""
    return layered("wnn", 0, tmp_path_factory.mktemp("tables"))


def with_little_effort(known: DefinedSolver) -> Solver:
    method = universal_method(known.puzzle, Universal(seconds=0.05, effort=3000, starts=2))
    return Solver(known.puzzle, [method], known.store)


@pytest.mark.slow
def test_shapes_of_the_square_1(tmp_path: Path) -> None:
    """A Square-1 has 3,678 shapes that can be sliced, as solvers of this puzzle count them."""
    puzzle = layered("wn" * 4, 5, tmp_path).puzzle
    assert len(Shapes(puzzle, puzzle.family_moves(puzzle.turns), puzzle.metric())) == 3678


def test_random_states_are_solved_by_loops(
    small: DefinedSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shape_chain, "_MEETING", 1)  # no short answers
    quick = with_little_effort(small)
    for seed in range(3):
        state = small.random_state(seed)
        solution = quick.solve(state, max_nodes=3000)
        assert not solution.optimal
        moves = quick.puzzle.moves(str(solution))
        assert quick.puzzle.apply(state, moves) == quick.puzzle.solved


def test_short_answers_are_shortest(small: DefinedSolver) -> None:
    """A plain search finds the states at distances 0 to 3."""
    puzzle = small.puzzle
    quick = with_little_effort(small)
    known = {puzzle.solved: 0}
    fresh = [puzzle.solved]
    for distance in (1, 2, 3):
        reached = [
            act(state, *move.effect, puzzle.modulus)
            for state in fresh
            for move in puzzle.family_moves(puzzle.turns)
        ]
        fresh = [
            state
            for state in dict.fromkeys(reached)
            if state not in known and not puzzle.misplaced(state)
        ]
        known.update(dict.fromkeys(fresh, distance))
    for state in Random(3).sample(list(known), 8):
        solution = quick.solve(state)
        assert (solution.length, solution.optimal) == (known[state], True)


def test_random_moves_are_possible(small: DefinedSolver) -> None:
    for seed in range(3):
        moves = random_moves(small, Random(seed), 12)
        assert len(moves) == 12
        small.scrambled(moves)


def test_impossible_moves_and_states_are_refused(small: DefinedSolver) -> None:
    with pytest.raises(NotationError, match="move 3, U', is not possible: p 2 must not be at 1"):
        small.scrambled("U2 U2 U'")
    with pytest.raises(StateError, match="p 2 must not be at 1"):
        small.from_written("P\n7 1 2 3 4 7 5 6")


def test_what_needs_moves_that_are_always_possible(small: DefinedSolver) -> None:
    for wrong in (
        lambda: puzzlekit.distribution(with_little_effort(small)),
        lambda: with_little_effort(small).solve("S", goal="solved:1"),
    ):
        with pytest.raises(UsageError):
            wrong()
    with pytest.raises(DeclarationError, match="forbidden places"):
        puzzlekit.derive(small.puzzle)
    with pytest.raises(DeclarationError, match="must be ByShapes, not Universal"):
        method = attrs.evolve(small.methods[0], strategy=Universal())
        Solver(small.puzzle, [method]).methods  # noqa: B018
    with pytest.raises(DeclarationError, match="no orbit"):
        attrs.evolve(small.puzzle, constraints=(Forbidden("Q", "1", "2"),))
