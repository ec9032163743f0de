"""The strategy that lengthens the first of two phases as long as that shortens the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.prepare.resolved import is_machine
from puzzlekit.strategy.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain
    from puzzlekit.strategy.first_strategy import First


@attrs.frozen
class Improve(Strategy):
    """Finds ever shorter answers of two phases.

    Answers of the first phase are tried in the order of their cost, each followed by the cheapest
    answer of the second one, as long as the whole can still become cheaper. With a heuristic that
    is not admissible nothing is known of what can: then the phases are searched as by `First`.

    >>> Improve(premoves=2).seconds
    0.2
    """

    takes_machines = True

    #: Up to how many moves the starts are set off by. An answer to a state that is some moves off,
    #: and then these moves, is an answer too (`puzzlekit.prepare.premoves`). 0 to 3; more give the
    #: first phase more starts.
    premoves: int = 0
    #: Seconds for which it goes on after its first answer, if no limit is given. 0 or more.
    seconds: float = 0.2
    #: Generated nodes after which starts that are 1, 2, 3 ... moves off join; the last number is
    #: for all longer ones. Starts that join too early delay the first answers. Set by whoever tunes
    #: a method; the default suits phases of 15 to 20 moves with a branching factor of about 10.
    premoves_after: tuple[int, ...] = (3_000, 30_000, 500_000)
    #: Generated nodes for answers of few steps, before the search for cheap ones, in the metric of
    #: a machine that remembers what it did. Such answers are found early and bound the search.
    steps_nodes: int = 1_000_000

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError unless there are two phases."""
        if len(phases) != 2:
            raise DeclarationError(f"method {name}: improving takes exactly two phases")
        if self.premoves < 0 or self.seconds < 0 or not self.premoves_after:
            raise DeclarationError(
                f"method {name}: premoves and seconds are 0 or more, and premoves_after has a "
                "number of nodes"
            )

    def interpreted(self) -> Improve:
        """The same with 0.6 seconds at least."""
        return attrs.evolve(self, seconds=max(0.6, self.seconds))

    def one_by_one(self) -> First:
        """The first answer of either phase."""
        from puzzlekit.strategy.first_strategy import First

        return First()

    def chain(self, plan: Plan) -> Chain:
        """The search of a plan; that of `First` with a heuristic that is not admissible."""
        if not plan.admissible:
            return self.one_by_one().chain(plan)
        if plan.metric.counts:
            from puzzlekit.strategy.improve_chain import ImproveChain

            return ImproveChain(plan, self.premoves, self.premoves_after, self.seconds)
        from puzzlekit.strategy.machine_chain import MachineChain

        after = self.premoves_after
        return MachineChain(plan, self.premoves, after, self.seconds, self.steps_nodes)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Both phases, and both in the metric of steps where a machine remembers what it did."""
        yield from super().searched(plan)
        machine = plan.metric
        if is_machine(machine) and plan.resolved(plan.phases[0]).remembers:
            yield from super().searched(attrs.evolve(plan, metric=machine.even(plan.puzzle)))
