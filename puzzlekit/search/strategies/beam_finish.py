"""The finish of a beam: the last phases, on the puzzle of their view."""

from __future__ import annotations

from functools import lru_cache

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.orbit import Frame
from puzzlekit.puzzle.view import View
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan


def finish_plan(plan: Plan, early: int) -> Plan:
    """Return the plan of the phases after the first `early` ones.

    Its puzzle is the puzzle of the view of these phases. Raises DeclarationError if this puzzle has
    no metric in which the moves cost the same as in the metric of `plan`.
    """
    outer = plan.phases[early]
    view = outer.view
    puzzle = plan.puzzle if view is None else view.puzzle
    costs = [plan.metric.cost(move) for move in outer.allowed(plan.puzzle)]
    allowed = plan.resolver.moves(plan.puzzle, outer).allowed
    alike = [each for each in puzzle.metrics if costs == [each.cost(move) for move in allowed]]
    if not alike:
        raise DeclarationError(
            f"{puzzle.name} has no metric in which the moves of phase {outer.name} cost the "
            f"same as in {plan.metric.name}"
        )
    frames = [each.orbit for each in puzzle.constraints if isinstance(each, Frame)]
    return attrs.evolve(
        plan,
        puzzle=puzzle,
        phases=tuple(_seen_nearer(phase, view) for phase in plan.phases[early:]),
        metric=alike[0],
        heuristics=plan.heuristics[early:],
        moves="",
        fixed={name: " ".join(puzzle.orbit(name).places) for name in frames},
    )


@lru_cache(maxsize=64)
def _seen_nearer(phase: Phase, view: View | None) -> Phase:
    """Return a phase as the puzzle of `view` has it. It is always the same object.

    So the phase is resolved once.
    """
    if view is None or phase.view is None:
        return phase
    return attrs.evolve(phase, view=None if phase.view.puzzle is view.puzzle else phase.view.nearer)
