"""Puzzles on which pieces must not be at some places, so that moves are not always possible."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import attrs
import pytest

import puzzlekit_definitions
import puzzlekit_lab
from puzzlekit import DeclarationError, NotationError, Solver, StateError, TableStore, UsageError
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.orbit import Forbidden
from puzzlekit.search.scrambling import random_moves
from puzzlekit.search.universal import universal_method
from puzzlekit_definitions import parse_definition
from puzzlekit_definitions.load import DefinedSolver
from puzzlekit_universal import ByShapes, Universal, by_shapes
from puzzlekit_universal.shapes import Shapes


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
    method = universal_method(
        known.puzzle, ByShapes(Universal(seconds=0.05, effort=3000, starts=2))
    )
    return Solver(known.puzzle, [method], known.store)


@pytest.mark.slow
def test_shapes_of_the_square_1(tmp_path: Path) -> None:
    """A Square-1 has 3,678 shapes that can be sliced, as solvers of this puzzle count them."""
    puzzle = layered("wn" * 4, 5, tmp_path).puzzle
    assert len(Shapes(puzzle, puzzle.family_moves(puzzle.turns), puzzle.metric())) == 3678


def test_random_states_are_solved_by_loops(
    small: DefinedSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_shapes, "NEAR", 0)  # no short answers
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
        assert (solution.cost, solution.optimal) == (known[state], True)


def test_random_moves_are_possible(small: DefinedSolver) -> None:
    for seed in range(3):
        moves = random_moves(small, Random(seed), 12)
        assert len(moves) == 12
        small.state(moves)


def test_impossible_moves_and_states_are_refused(small: DefinedSolver) -> None:
    with pytest.raises(NotationError, match="move 3, U', is not possible: p 2 must not be at 1"):
        small.state("U2 U2 U'")
    with pytest.raises(StateError, match="p 2 must not be at 1"):
        small.positions.from_written("P\n7 1 2 3 4 7 5 6")


def test_what_needs_moves_that_are_always_possible(small: DefinedSolver) -> None:
    for wrong in (
        lambda: puzzlekit_lab.distribution(with_little_effort(small)),
        lambda: with_little_effort(small).solve("S", goal="solved:1"),
    ):
        with pytest.raises(UsageError):
            wrong()
    with pytest.raises(DeclarationError, match="forbidden places"):
        puzzlekit_definitions.derive(small.puzzle)
    with pytest.raises(DeclarationError, match="must be ByShapes, not Universal"):
        method = attrs.evolve(small.methods[0], strategy=Universal())
        Solver(small.puzzle, [method]).methods  # noqa: B018
    with pytest.raises(DeclarationError, match="no orbit"):
        attrs.evolve(small.puzzle, constraints=(Forbidden("Q", "1", "2"),))


def drawn(rng: Random) -> str:
    """A definition with one or two orbits, two or three moves, and some forbidden places."""
    sizes = rng.choice([(3,), (4,), (5,), (3, 3), (4, 2)])
    turns = [rng.choice((1, 1, 2, 3)) for _ in sizes]
    alike = rng.randrange(3) == 0
    names = "ST"[: len(sizes)]
    pieces = [[rng.randint(1, 2) if alike and i else i + 1 for i in range(size)] for size in sizes]
    lines = [f"Set {name} {size} {m}" for name, size, m in zip(names, sizes, turns, strict=True)]
    lines += [
        "Solved",
        *(f"{n}\n{' '.join(map(str, p))}" for n, p in zip(names, pieces, strict=True)),
    ]
    lines.append("End")
    for move in "ABC"[: rng.randint(2, 3)]:
        lines.append(f"Move {move}")
        for name, size, m in zip(names, sizes, turns, strict=True):
            order = rng.sample(range(1, size + 1), size)
            lines += [name, " ".join(map(str, order))]
            if m > 1:
                lines.append(" ".join(str(rng.randrange(m)) for _ in range(size)))
        lines.append("End")
    for _ in range(rng.randint(1, 3)):
        number = rng.randrange(len(sizes))
        place = rng.randrange(sizes[number])
        others = sorted({*pieces[number]} - {pieces[number][place]})
        if others:
            lines.append(f"Illegal {names[number]} {place + 1} {rng.choice(others)}")
    return "\n".join(lines)


@pytest.mark.slow
def test_small_puzzles_are_solved_whatever_is_forbidden(tmp_path: Path) -> None:
    """With dead ends, single states, alike pieces, and orientations of any sum."""
    solved = alone = proven = 0
    for seed in range(20):
        rng = Random(seed)
        try:
            known = parse_definition(drawn(rng), "tws", store=TableStore(str(tmp_path)))
        except DeclarationError:  # a move that changes nothing, or nothing is forbidden
            continue
        quick, puzzle = with_little_effort(known), known.puzzle
        if not puzzle.forbidden:
            continue
        moves = puzzle.family_moves(puzzle.turns)
        every = {puzzle.solved: 0}
        for state in (queue := [puzzle.solved]):
            for move in moves:
                after = act(state, *move.effect, puzzle.modulus)
                bad = any(after[byte] == label for byte, label, _ in puzzle.forbidden)
                if not bad and after not in every:
                    every[after] = every[state] + 1
                    queue.append(after)
        assert known.random_state(seed) in every
        if len(every) == 1:
            alone += 1
            with pytest.raises(UsageError, match="cannot be scrambled"):
                known.scramble(seed)
        for state in rng.sample(queue, min(4, len(queue))):
            found = quick.solve(state, max_nodes=3000)
            assert puzzle.apply(state, puzzle.moves(str(found))) == puzzle.solved
            assert len(found.sequence) >= every[state]
            assert not found.optimal or len(found.sequence) == every[state]
            solved += 1
            proven += found.optimal
    assert solved > 30
    assert proven > 15
    assert alone > 0


@pytest.mark.slow
def test_loops_of_many_powers_keep_their_inverses(tmp_path: Path) -> None:
    """The loops have over 255 powers, and some of them have equal effects."""
    text = """
Set S 6 2
Solved
S
1 2 3 4 5 6
End
Move A
S
6 2 3 5 4 1
1 1 0 0 1 0
End
Move B
S
4 5 6 2 1 3
0 0 1 1 0 1
End
Illegal S 3 2
"""
    known = parse_definition(text, "tws", store=TableStore(str(tmp_path)))
    quick = with_little_effort(known)
    for seed in range(4):
        state = known.random_state(seed)
        found = quick.solve(state, max_nodes=3000)
        assert known.puzzle.apply(state, known.puzzle.moves(str(found))) == known.puzzle.solved
