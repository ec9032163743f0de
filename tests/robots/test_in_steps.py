"""Answers of methods that cannot search in the steps of a machine: its arms do them."""

from __future__ import annotations

import heapq
import random

import pytest

import puzzlekit
from puzzlekit import Limits, NoSolutionError
from puzzlekit.puzzle.move import act
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit_robots import Machine
from puzzlekit_robots.drive import drive
from puzzlekit_robots.in_steps import Arms, InSteps

CUBE2 = puzzlekit.load("cube2")
CUBE4 = puzzlekit.load("cube4")
CUBE5 = puzzlekit.load("cube5")
ALL = Machine(name="all", title="", arms=(("U", "D"), ("R", "L"), ("F", "B")))


def arms(solver: puzzlekit.Solver, name: str) -> Arms:
    machine = solver.puzzle.metric(name)
    assert isinstance(machine, Machine)
    fixed = tuple(solver.method().fixed.items())
    return Arms(drive(solver.puzzle, machine, fixed), machine)


@pytest.mark.parametrize("name", ["robot", "flip-spin"])
@pytest.mark.parametrize("solver", [CUBE4, CUBE5])
def test_the_steps_do_the_moves(solver: puzzlekit.Solver, name: str) -> None:
    cube = solver.puzzle
    inner = ["2U"] if cube.name == "cube4" else ["M", "3Uw"]  # which no arm turns
    draw = random.Random(1)
    blocks = cube.family_moves(["U", "R", "F", "Uw", "Lw", "Bw", *inner])
    first, second = (draw.choices(blocks, k=6) for _ in range(2))
    done = arms(solver, name).do([first, (), second])
    assert not done[1]
    moves = [move for steps in done for step in steps for move in step.moves]
    undone = [cube.inverse(move) for move in reversed([*first, *second])]
    assert cube.is_solved(cube.apply(cube.apply(cube.solved, undone), moves))
    assert sum(step.cost for steps in done for step in steps) == cube.metric(name).total(moves)


@pytest.mark.parametrize("text", ["Lw'", "R", "U'", "R2 L'", "2R2", "M2", "U2"])
def test_no_steps_are_cheaper(text: str) -> None:
    """Compare with every sequence of steps of the machine, up to how the cube is held."""
    cube, machine = CUBE4.puzzle, CUBE4.puzzle.metric("robot")
    assert isinstance(machine, Machine)
    moves = cube.moves(text)
    (steps,) = arms(CUBE4, "robot").do([moves])
    moved = cube.apply(cube.solved, moves)
    held = {act(moved, *turn, cube.modulus) for turn in cube.whole_rotations}
    following = {last: list(machine.following(cube, last)) for last in range(-1, 4)}
    queue, seen = [(0, cube.solved, -1)], set()
    while (first := heapq.heappop(queue))[1] not in held:
        cost, state, last = first
        if (state, last) not in seen:
            seen.add((state, last))
            for step, group in following[last]:
                entry = cost + step.cost, cube.apply(state, step.moves), group
                if entry[1:] not in seen and entry[0] <= 7:
                    heapq.heappush(queue, entry)
    assert sum(step.cost for step in steps) == first[0]


def test_moves_at_once_are_one_step_in_any_order() -> None:
    moves = CUBE4.puzzle.moves("R' F2 L' R' B' F' R2 L")
    (steps,) = arms(CUBE4, "robot").do([moves])
    assert sum(step.cost for step in steps) == 2 + 3 + 2 + 2 + 2 + 3
    assert len(steps) == 6 and {"F' + B'", "R' + L'", "R2 + L2"} <= set(map(str, steps))


def test_moves_that_make_each_other_are_done_in_the_cheapest_steps() -> None:
    (steps,) = arms(CUBE4, "robot").do([CUBE4.puzzle.moves("Rw Lw L' 3Rw'")])  # L2 Lw2
    assert sorted(map(str, steps)) == ["L2", "Lw2"]


@pytest.mark.slow
def test_a_method_that_counts_moves_is_done_by_a_machine() -> None:
    # No arm turns the inner layer 2R alone.
    for solver, text, metric in ((CUBE4, "2R U2", "robot"), (CUBE2, "R L' U2", ALL)):
        found = solver.solve(text, method="universal", metric=metric, max_length=50)
        assert found.cost == sum(cost for _, cost in found.steps) and not found.optimal
        moves = solver.puzzle.moves(" ".join(found.moves))
        assert solver.puzzle.is_solved(solver.puzzle.apply(found.state, moves))


@pytest.mark.parametrize("name", ["robot", "flip-spin"])
@pytest.mark.parametrize("solver", [CUBE4, CUBE5])
def test_every_method_of_a_large_cube_is_done_by_a_machine(
    solver: puzzlekit.Solver, name: str
) -> None:
    """Also `six-phase`, whose strategy searches in steps, but not the phases of another cube."""
    metric = solver.puzzle.metric(name)
    for method in solver.methods:
        found = solver.catalogue.method_in(method.name, metric)
        assert isinstance(found.strategy, InSteps) and found.strategy.strategy is method.strategy


@pytest.mark.slow
def test_what_a_machine_cannot_do_is_named() -> None:
    few = Machine(name="few", title="", arms=(("R", "L"),))
    with pytest.raises(NoSolutionError, match="the machine few cannot do U of the answer"):
        CUBE4.solve("U'", method="universal", metric=few)


@pytest.mark.slow
def test_an_answer_that_a_machine_cannot_do_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = CUBE4.prepared("universal", metric=ALL)
    assert isinstance(ready, InSteps)

    def found(*texts: str) -> list[str | None]:
        every = [tuple(CUBE4.puzzle.moves(text)) for text in texts]
        phases = [(PhaseMoves(0, moves, merged=moves),) for moves in every]
        answers = [Candidate(each, False, ready.no_counts) for each in phases]
        monkeypatch.setattr(
            ready.ready,
            "search",
            lambda _, limits: iter(() if limits.on_bound or limits.on_progress else answers),
        )
        # Neither bounds nor answers of the strategy are those of the cost of steps.
        limits = Limits(on_bound=lambda _: None, on_progress=lambda _: None)
        done = [each.moves for each in ready.search(CUBE4.state("R'"), limits)]
        return [moves and " ".join(move.name for move in moves) for moves in done]

    assert found("R U", "Rw", "R") == ["R U", "R", None]
    with pytest.raises(NoSolutionError, match="cannot do Rw of the answer"):
        found("Rw", "Lw")
