"""Checks of the search of a phase."""

from __future__ import annotations

from puzzlekit.engine.fill import COMPILED
from puzzlekit.puzzle.move import Metric
from puzzlekit.search.driver import Deadline
from puzzlekit.search.limits import Limits
from puzzlekit.search.move_order import move_order
from puzzlekit.search.strategies.bound_search import BoundTask, BoundWork
from puzzlekit.testing.check import PHASE, check, fail, skip
from puzzlekit.testing.coordinate_checks import CLOSED, MOVED, RANKS, own_phase
from puzzlekit.testing.engines import installed, interpreted, plain
from puzzlekit.testing.move_checks import COUNTED, ORDERS, WHOLE
from puzzlekit.testing.sequences import reached, unpruned
from puzzlekit.testing.table_checks import assembled_phase, make_search, needs_of
from puzzlekit.testing.target import Target

_DEEPEST = 12


@check("the automaton loses no state", PHASE, needs=(WHOLE, ORDERS, COUNTED))
def automaton(target: Target) -> None:
    """Canonical sequences reach every state at the same cost as all sequences."""
    _, puzzle, moves = own_phase(target)
    for metric in target.metrics:
        costs = [metric.cost(move) for move in moves]
        needs = target.plan(metric).resolved(target.phase)
        allowed = move_order(needs).automaton
        for limit in range(1, _DEEPEST + 1):
            few = reached(puzzle, moves, costs, limit, allowed)
            every = reached(puzzle, moves, costs, limit, unpruned(moves, puzzle))
            if few != every:
                state = next(state for state, cost in every.items() if few.get(state) != cost)
                fail(
                    f"one of {len(every):,} states within {limit} {metric.name}, at the cost "
                    f"{every[state]}, is only reached by a pruned sequence (state {state.hex(' ')})"
                )
            if len(every) * len(moves) > target.effort.states:
                break


@check("interpreted and compiled searches agree", PHASE, needs=(COUNTED, RANKS, CLOSED, MOVED))
def alike(target: Target) -> None:
    """The interpreted engine finds the same moves as the compiled engine, with the same nodes."""
    _, puzzle, moves = own_phase(target)
    if not COMPILED:
        skip("the engine is not compiled here")
    metric = target.metrics[0] if target.metrics else skip("it is searched for machines only")
    if not target.method.strategy.needs_coordinates:
        skip("its strategy searches without coordinates")
    needs_of(target, metric)
    if make_search(target, metric):
        return _alike_from_both_sides(target, metric)
    compiled = assembled_phase(target, metric)
    with interpreted():
        slow = assembled_phase(target, metric)
    for length in (0, 1, 2, 3, 4, 6, 9):
        path = [move for move, _ in target.walk(moves, length)]
        state = puzzle.apply(puzzle.solved, path)
        found = []
        for assembled, engine in ((compiled, installed()), (slow, plain())):
            search = engine.Search(assembled.space)
            assembled.start(search, puzzle, state, 4 * length + 4)
            status = search.run(max(200, target.effort.nodes // 200))
            found.append(
                (status, search.path, search.generated_nodes, search.expanded_nodes, search.f_bound)
            )
        if found[0] != found[1]:
            fail(
                f"after {' '.join(move.name for move in path)} the compiled search ends with "
                f"{found[0]}, the interpreted one with {found[1]} (status, moves, generated, "
                "expanded, bound)"
            )


def _alike_from_both_sides(target: Target, metric: Metric) -> None:
    """Compare all answers within a bound, and the numbers of nodes."""
    _, puzzle, moves = own_phase(target)
    paths = [[move for move, _ in target.walk(moves, length)] for length in range(5)]

    def searched() -> list[object]:
        make = make_search(target, metric)
        assert make is not None
        found: list[object] = []
        for path in paths:
            task = BoundTask(len(path), 0, Limits(), Deadline(None), everything=True)
            work = BoundWork()
            answers = list(make(puzzle.apply(puzzle.solved, path)).search(task, work))
            found.append((answers, work.generated, work.expanded))
        return found

    compiled = searched()
    with interpreted():
        slow = searched()
    for path, one, other in zip(paths, compiled, slow, strict=True):
        if one != other:
            fail(
                f"after {' '.join(move.name for move in path)} the compiled search ends with "
                f"{one}, the interpreted one with {other} (answers, generated, expanded)"
            )
