"""Checks of the methods of a puzzle and of their answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from puzzlekit.errors import NoSolutionError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import relabelled
from puzzlekit.search.method import Method
from puzzlekit.search.resolved import read_moves
from puzzlekit.search.solution import Solution
from puzzlekit.tables.goals import goal_flags
from puzzlekit.testing.check import METHOD, check, fail, skip
from puzzlekit.testing.coordinate_checks import CLOSED, MOVED, RANKS
from puzzlekit.testing.move_checks import COUNTED, WHOLE, after
from puzzlekit.testing.state_checks import SOUND
from puzzlekit.testing.table_checks import method_at_hand
from puzzlekit.testing.target import Target

KEPT = "later phases keep what earlier ones achieved"
FIXED = "fixed places stay as they are"
SOLVED = "scrambles are solved"

_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 25)


@check(KEPT, METHOD, needs=(COUNTED, RANKS, CLOSED, MOVED))
def kept(target: Target) -> None:
    """No move of a later phase leads away from the goal of an earlier one."""
    puzzle, method = target.puzzle, target.method
    if len(method.phases) == 1:
        skip("it has one phase")
    for number, later in enumerate(method.phases):
        if later.view is not None:
            continue
        for earlier in method.phases[:number]:
            named = read_moves(puzzle, earlier)
            goals = named.goal_moves, named.goal_states
            flags = [
                (each, goal_flags(target.solver.store, each, *goals))
                for each in earlier.coordinates
                if earlier.view is None and each.size <= target.effort.values
            ]
            for _ in range(max(2, target.effort.samples // 20)):
                names = []
                for move, state in target.walk(later.allowed(puzzle), 12):
                    names.append(move.name)
                    for coordinate, at_goal in flags:
                        value = coordinate.rank(state)
                        if not 0 <= value < coordinate.size or not at_goal[value]:
                            fail(
                                f"moves of the phase {later.name} lead away from the goal of the "
                                f"phase {earlier.name}: after {' '.join(names)} the coordinate "
                                f"{coordinate.name} is {value}, which is not a goal: check its "
                                "goal_moves, and the moves of the later phase"
                            )


@check(FIXED, METHOD, needs=(WHOLE, SOUND))
def fixed(target: Target) -> None:
    """Renaming pieces can solve the fixed places, and no move changes the fixed places."""
    puzzle, method = target.puzzle, target.method
    if not method.fixed and not method.strategy.relabel:
        skip("it has no fixed places and does not rename pieces")
    if method.strategy.relabel and len(puzzle.whole_rotations) < 2:
        fail("relabel=True is for puzzles with rotations: this puzzle has none")
    places = puzzle.bytes_at(method.fixed)
    for phase in method.phases:
        for move in phase.allowed(puzzle) if phase.view is None else ():
            if any(move.gather[byte] != byte or move.add[byte] for byte in places):
                fail(f"the move {move.name} of the phase {phase.name} moves fixed places")
    for state in target.states(target.all_moves, target.effort.samples):
        for seen in relabelled(puzzle, method.fixed, state, method.strategy.relabel):
            if any(seen[byte] != puzzle.solved[byte] for byte in places):
                fail("after renaming a state, the fixed places are not solved")


@check(SOLVED, METHOD, needs=(COUNTED, RANKS, CLOSED, MOVED, SOUND, KEPT, FIXED))
def solves(target: Target) -> None:
    """Each answer solves its scramble, move by move, and has the stated cost."""
    method_at_hand(target)
    for path in _scrambles(target):
        answer = _solve(target, path)
        if answer is None:
            break
        _replay(target.puzzle, target.method, path, answer)


@check("states near the goal have short answers", METHOD, needs=(SOLVED,))
def nearly(target: Target) -> None:
    """The solved puzzle needs no move, and a state after one move needs at most one move."""
    method_at_hand(target)
    puzzle, method = target.puzzle, target.method
    answer = target.solver.solve(puzzle.solved, **target.search_options()._asdict())
    if answer.moves:
        fail(f"the answer for the solved puzzle is {answer}: it has to have no moves")
    metric = target.solver.metric(method.name)
    first = method.phases[0]
    moves = first.allowed(puzzle) if first.view is None and metric.counts else ()
    possible = target.possible(moves, puzzle.solved)
    for move in target.random.sample(possible, min(6, len(possible))):
        found = _solve(target, [move])
        undone = metric.cost(puzzle.inverse(move))
        if found is not None and len(method.phases) == 1 and found.length > undone:
            fail(f"after {move.name} the answer {found} costs {found.length}, not {undone}")


@check("two threads agree with one", METHOD, needs=(SOLVED,))
def threads(target: Target) -> None:
    """Answers of two threads are right. Proven answers are as short as with one thread."""
    method_at_hand(target)
    for path in list(_scrambles(target))[1:8:3]:
        one = _solve(target, path)
        with _all_shared():
            two = _solve(target, path, threads=2)
        if one is None or two is None:
            break
        _replay(target.puzzle, target.method, path, two)
        if one.optimal and two.optimal and one.length != two.length:
            fail(
                f"after {_text(path)} one thread proves the length {one.length}, two threads "
                f"{two.length}"
            )


@contextlib.contextmanager
def _all_shared() -> Iterator[None]:
    """Split every search of a proving method over threads, not only long searches."""
    from puzzlekit.search.strategies import bound_search

    before, bound_search._SHARED_FROM = bound_search._SHARED_FROM, 0
    try:
        yield
    finally:
        bound_search._SHARED_FROM = before


def _scrambles(target: Target) -> Iterator[list[Move]]:
    """Yield scrambles of growing length over all moves of the puzzle."""
    moves = target.all_moves
    for length in _LENGTHS:
        yield [move for move, _ in target.walk(moves, length)]


def _solve(target: Target, path: list[Move], threads: int = 1) -> Solution | None:
    """Return an answer, or None if the search reached the limit of nodes first."""
    state, max_nodes = target.puzzle.apply(target.puzzle.solved, path), target.effort.nodes
    options = target.search_options()._asdict()
    try:
        return target.solver.solve(state, **options, max_nodes=max_nodes, threads=threads)
    except NoSolutionError as error:
        if len(path) > 2:
            return None
        fail(f"{_text(path)} is not solved within {max_nodes:,} nodes: {error}")


def _replay(puzzle: Puzzle, method: Method, path: list[Move], answer: Solution) -> None:
    """Fail if an answer does not solve a scramble, move by move."""
    state = tuple(puzzle.solved)
    for move in path:
        state = after(puzzle, state, move)
    for name in answer.moves:
        (move,) = puzzle.moves(name)
        state = after(puzzle, state, move)
    if bytes(state) not in puzzle.solved_states:
        fail(f"the answer to {_text(path)} does not solve it: {answer}")
    if not answer.verified:
        fail(f"the answer to {_text(path)} was not replayed")
    metric = puzzle.metric(answer.metric)
    if metric.counts and answer.length != metric.total(puzzle.moves(str(answer))):
        fail(f"the answer {answer} does not have the stated cost {answer.length} {metric.name}")
    if method.strategy.proves and answer.optimal and answer.at_least != answer.length:
        fail(f"the answer {answer} is stated as shortest, but the bound is {answer.at_least}")


def _text(path: list[Move]) -> str:
    return " ".join(move.name for move in path) or "no move"
