"""The strategy that takes the first answer of each phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.prepare.resolved import is_machine
from puzzlekit.strategy.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


@attrs.frozen
class First(Strategy):
    """Searches one phase after the other, and takes the first answer of each.

    With an admissible heuristic that is a shortest answer of the phase. The answer of a method of
    one phase is then a shortest answer of the puzzle.

    >>> First(choices=50)
    First(choices=50, recolour=False)
    """

    takes_machines = True
    takes_guards = True
    improves = False

    #: How many answers of a phase, all of one cost, are looked for. The search goes on from the one
    #: that looks nearest to the goal of the next phase. 1 or more; more make the whole shorter and
    #: the search slower. For methods of several phases.
    choices: int = 1
    #: Whether the pieces are renamed as in that way of holding the puzzle in which the first phase
    #: looks nearest to its goal. For puzzles with rotations of the whole.
    recolour: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError for a wrong number of choices."""
        if self.choices < 1:
            raise DeclarationError(f"method {name}: choices are 1 or more, not {self.choices}")

    def check_metric(self, plan: Plan) -> None:
        """Raise a UsageError where answers of the phases cannot follow one another.

        Some machines may not begin an answer with the arms that ended another one.
        """
        machine = plan.metric
        if len(plan.phases) > 1 and is_machine(machine) and not machine.again:
            raise UsageError(
                f"{plan.name} solves its phases one by one here, and the machine {machine.name} "
                "may not begin one with the arms that ended another"
            )

    def interpreted(self) -> First:
        """The same with the first answer of each phase."""
        return attrs.evolve(self, choices=1)

    def one_by_one(self) -> First:
        """The strategy itself."""
        return self

    def chain(self, plan: Plan) -> Chain:
        """The search of a plan."""
        from puzzlekit.strategy.first_chain import FirstChain

        self.check_metric(plan)
        return FirstChain(plan, self.choices, self.recolour)
