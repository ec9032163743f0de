"""The strategy that takes an answer of another method before a beam searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.strategy.beam_strategy import Beam
from puzzlekit.strategy.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


@attrs.frozen
class Secured(Strategy):
    """Takes the first answer of another method. Then a beam searches for shorter answers.

    A beam may find no answer at all, because it keeps only a part of the candidates. With this
    strategy every state is solved that the other method solves.

    >>> Secured(Beam(shares=(0.4, 0.6)), upper="universal").upper
    'universal'
    """

    needs_bounds = True

    #: The beam that searches the phases.
    beam: Beam
    #: Name of a method of the same puzzle that solves every state.
    upper: str

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the beam does not fit, or if no other method is named."""
        if not self.upper:
            raise DeclarationError(f"method {name}: Secured needs the name of another method")
        self.beam.check(name, phases)

    def chain(self, plan: Plan) -> Chain:
        """Return the search of a plan. Raises UsageError for an inadmissible heuristic."""
        from puzzlekit.strategy.secured_chain import SecuredChain

        return SecuredChain(plan, self.beam)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield the phases of the beam."""
        return self.beam.searched(plan)
