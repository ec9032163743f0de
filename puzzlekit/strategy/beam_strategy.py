"""The strategy that keeps many candidates of each phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.phase.phase import Phase
from puzzlekit.prepare.plan import Plan
from puzzlekit.strategy.beam_options import Alternative, Rounds
from puzzlekit.strategy.improve_strategy import Improve
from puzzlekit.strategy.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.strategy.chain import Chain


@attrs.frozen
class Beam(Strategy):
    """Each phase delivers many candidates; those that promise the shortest whole go on first.

    A candidate promises the moves so far and the estimate of the next phase. The last two phases
    may be finished by `Improve`, for all candidates together under one bound.

    >>> Beam(shares=(0.4, 0.6)).finish is None
    True
    """

    needs_bounds = True

    #: For each phase that the finish does not take: its part of the time of a round, more than 0.
    #: The sum is at most 1, and less than 1 with a finish, which gets the rest.
    shares: tuple[float, ...]
    #: Rotations of the whole puzzle, "y z": the state is also tried turned by each of them, and in
    #: each case with its pieces renamed as by each of them.
    starts: str = ""
    #: Other ways through its phases.
    alternatives: tuple[Alternative, ...] = ()
    #: How the last two phases, which may see the puzzle as another one, are searched: for all
    #: candidates together. None if they are phases like the others.
    finish: Improve | None = None
    #: Seconds for which it goes on after its first answer, if no limit is given. 0 or more.
    seconds: float = 0.2
    #: How long its rounds are, and how many candidates a finish takes.
    rounds: Rounds = attrs.field(factory=Rounds)

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise a DeclarationError for shares or alternatives that do not fit the phases."""
        early = len(phases) - (0 if self.finish is None else 2)
        if early < 1 or len(self.shares) != early:
            raise DeclarationError(
                f"method {name}: a beam takes a share of the time for each phase that its finish "
                "does not take"
            )
        if self.finish is not None:
            self.finish.check(name, phases[early:])
        known = [phase.name for phase in phases[1:early]]
        if unknown := [other.of for other in self.alternatives if other.of not in known]:
            raise DeclarationError(
                f"method {name}: there is no phase {unknown[0]!r} of a beam, after its first "
                "one, to which there could be an alternative"
            )
        if any(not other.turns or not other.names for other in self.alternatives):
            raise DeclarationError(f"method {name}: an alternative needs turns and names")
        most = 1 + 1e-9 if self.finish is None else 1 - 1e-9
        if any(share <= 0 for share in self.shares) or sum(self.shares) > most:
            raise DeclarationError(
                f"method {name}: shares are parts of 1, and leave something to a finish"
            )

    def chain(self, plan: Plan) -> Chain:
        """The search of a plan; a UsageError for a heuristic that is not admissible."""
        from puzzlekit.strategy.beam_chain import BeamChain

        if not plan.admissible:
            raise UsageError(f"{plan.name} is searched with admissible heuristics only")
        return BeamChain(
            plan,
            self.shares,
            self.starts,
            self.alternatives,
            self.finish,
            self.seconds,
            self.rounds,
        )

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """All phases, each followed by its alternatives."""
        for own, phase, heuristic in super().searched(plan):
            yield own, phase, heuristic
            for other in self.alternatives:
                if other.of == phase.name:
                    yield own, other.phase, heuristic
