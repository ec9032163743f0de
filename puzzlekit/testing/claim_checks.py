"""Checks of claimed lengths, against breadth-first search and against other methods."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

import attrs

from puzzlekit.errors import NoSolutionError, PuzzlekitError, UsageError
from puzzlekit.puzzle.move import Metric
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.method import Method
from puzzlekit.search.solution import Solution
from puzzlekit.testing.check import METHOD, CheckSkipped, check, fail, skip
from puzzlekit.testing.method_checks import SOLVED
from puzzlekit.testing.sequences import reached, unpruned
from puzzlekit.testing.table_checks import method_at_hand
from puzzlekit.testing.target import Target

_DEEPEST = 12
_SMALL = 2 << 20  # largest tables, in bytes, that are built for metrics besides the default


@check("breadth-first search finds no shorter answer", METHOD, needs=(SOLVED,))
def undercut(target: Target) -> None:
    """Near the goal, breadth-first search finds no answer shorter than a claimed least length."""
    puzzle, method = target.puzzle, target.method
    for metric in _ready_metrics(target):
        near, limit = _near(target, metric)
        for state, words in _states(target, max(8, target.effort.samples // 5), limit):
            least = _least(puzzle, near, state)
            if not least:
                continue
            found = _answer(target, method, state, metric)
            if found is not None:
                _compare(found, least, words, f"breadth-first search finds one of {least}")
            if len(method.phases) == 1 and found is not None and found.optimal:
                _listed(target, state, metric, least, words)


@check("methods do not contradict each other", METHOD, needs=(SOLVED,))
def contradicted(target: Target) -> None:
    """No other method finds an answer shorter than a claimed least length."""
    puzzle, method = target.puzzle, target.method
    others = [each for each in target.solver.methods if each is not method]
    if not others:
        skip("it is the only method")
    for metric in _ready_metrics(target):
        known = [each for each in others if metric in target.solver.metrics(each.name)]
        for state, words in _states(target, max(6, target.effort.samples // 20), 10):
            if puzzle.is_solved(state):
                continue
            found = _answer(target, method, state, metric)
            if found is None or not found.at_least:
                continue
            for other in known:
                with contextlib.suppress(CheckSkipped):
                    method_at_hand(target, other, metric)
                    answer = _answer(target, other, state, metric)
                    if answer is not None:
                        _compare(found, answer.length, words, f"{other.name} finds {answer}")


def _ready_metrics(target: Target) -> Iterator[Metric]:
    """Yield the default metric, and metrics whose tables are on disk or small."""
    if not target.metrics:
        skip("it is searched for machines only")
    first, *others = target.metrics
    method_at_hand(target, metric=first)
    yield first
    few = target.effort._replace(build=min(_SMALL, target.effort.build))
    for metric in others:
        with contextlib.suppress(CheckSkipped):
            method_at_hand(attrs.evolve(target, effort=few), metric=metric)
            yield metric


def _near(target: Target, metric: Metric) -> tuple[Mapping[bytes, int], int]:
    """Return the least cost of each state near the goal, and the limit of these costs.

    Only the solved state counts as the goal, not its rotations.
    """
    puzzle = target.puzzle
    moves = [move for move in puzzle.searched(target.turns) if metric.cost(move) > 0]
    # The walk goes backwards, so a step costs as much as the move that it undoes.
    back = [puzzle.inverse(move) for move in moves]
    costs = [metric.cost(move) for move in moves]
    found: Mapping[bytes, int] = {puzzle.solved: 0}
    for limit in range(1, _DEEPEST + 1):
        found = reached(puzzle, back, costs, limit, unpruned(back, puzzle))
        if len(found) * len(moves) > target.effort.states:
            break
    return found, limit


def _least(puzzle: Puzzle, near: Mapping[bytes, int], state: bytes) -> int | None:
    """Return the least cost of solving a state in any way of holding it; None if unknown."""
    seen = (puzzle.relabel(state, held) for held in puzzle.whole_rotations)
    return min((near[each] for each in seen if each in near), default=None)


def _states(target: Target, count: int, longest: int) -> Iterator[tuple[bytes, str]]:
    """Yield states after a few random moves and rotations, each with these moves as text."""
    puzzle = target.puzzle
    rotations = puzzle.family_moves(puzzle.rotations)
    for number in range(count):
        path = list(target.walk(target.turns, 1 + number % longest))
        names, state = [move.name for move, _ in path], path[-1][1] if path else puzzle.solved
        if rotations and number % 4:  # up to two rotations of the whole puzzle
            for move, turned in target.walk(rotations, 1 + number % 2, state):
                names.append(move.name)
                state = turned
        yield state, " ".join(names)


def _answer(target: Target, method: Method, state: bytes, metric: Metric) -> Solution | None:
    """Return the answer of a method, or None if the method finds no answer."""
    options = target.search_options(method, metric)._asdict()
    try:
        return target.solver.solve(state, **options, max_nodes=target.effort.nodes)
    except NoSolutionError:
        return None
    except PuzzlekitError:
        if method is target.method:
            raise
        return None  # faults of another method are found by its own checks


def _compare(found: Solution, least: int, words: str, how: str) -> None:
    """Fail if an answer claims a higher least cost than `least`."""
    where = f"after {words} the answer {found} costs {found.length} {found.metric}"
    if found.optimal and found.length > least:
        fail(f"{where} and is claimed to be the shortest, but {how}")
    if found.at_least > least:
        fail(f"{where}, with the claimed lower bound {found.at_least}, but {how}")
    if len(found.phases) == 1 and found.phases[0].optimal and found.length > least:
        fail(f"{where}, and its phase is claimed to be the shortest, but {how}")


def _listed(target: Target, state: bytes, metric: Metric, least: int, words: str) -> None:
    """Fail if a method that lists all solutions misses the shortest ones."""
    method = target.method
    listed = target.solver.solutions(
        state,
        method=method.name,
        metric=metric,
        profile=method.profile or None,
        max_length=least,
        max_nodes=target.effort.nodes,
    )
    try:
        found = next(listed, None)
    except (NoSolutionError, UsageError):
        return
    if found is None:
        fail(
            f"after {words} no solution of at most {least} {metric.name} is listed, but "
            "breadth-first search finds one"
        )
