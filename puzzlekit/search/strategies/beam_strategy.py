"""The strategy that keeps many candidates of each phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.beam_options import Alternative, Rounds
from puzzlekit.search.strategies.improve_strategy import Anytime
from puzzlekit.search.strategies.strategy import Strategy

if TYPE_CHECKING:
    from puzzlekit.search.strategies.chain import Chain


@attrs.frozen
class Beam(Strategy):
    """Keeps many candidates of each phase, and continues those with the least expected total first.

    A candidate is an answer of a phase and of the phases before it. Its expected total is its cost
    plus the estimate of the next phase. The strategy `Anytime` may search the last two phases (see
    `finish`). It then starts from all candidates together, under one bound on the total cost.

    >>> Beam(shares=(0.4, 0.6)).finish is None
    True
    """

    needs_bounds = True

    #: For each phase before the finish, its share of the time of a round, more than 0. The sum of
    #: the shares is at most 1. With a finish the sum is less than 1, because the finish gets the
    #: rest.
    shares: tuple[float, ...]
    #: Rotations of the whole puzzle, such as "y z". The search also starts from the state turned by
    #: each of these rotations, with its pieces renamed by each of them, in all combinations.
    starts: str = ""
    #: Other phases that the beam also searches in place of some phases.
    alternatives: tuple[Alternative, ...] = ()
    #: Least numbers of candidates, by the names of phases. A phase with fewer candidates takes more
    #: time than its share to find more. Use it before a phase that takes long from few candidates.
    fewest: Mapping[str, int] = attrs.field(factory=dict)
    #: How to search the last phases for all candidates together: two phases by `Anytime`, or more
    #: by another `Beam`. These phases may view the puzzle as another puzzle. None if they are
    #: searched like the other phases.
    finish: Anytime | Beam | None = None
    #: Seconds to continue after the first answer if no limit is given. 0 or more.
    seconds: float = 0.2
    #: The lengths of the rounds, and the number of candidates from which the finish starts.
    rounds: Rounds = attrs.field(factory=Rounds)

    @property
    def finishing(self) -> int:
        """Number of phases that the finish searches."""
        if isinstance(self.finish, Beam):
            return len(self.finish.shares) + self.finish.finishing
        return 0 if self.finish is None else 2

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if shares or alternatives do not fit the phases."""
        early = len(phases) - self.finishing
        if early < 1 or len(self.shares) != early:
            raise DeclarationError(
                f"method {name}: 'shares' needs one number for each phase before 'finish', and at "
                "least one number"
            )
        if self.finish is not None:
            self.finish.check(name, phases[early:])
        known = [phase.name for phase in phases[1:early]]
        if unknown := [other.of for other in self.alternatives if other.of not in known]:
            raise DeclarationError(
                f"method {name}: an alternative of {unknown[0]!r} is impossible: name a phase "
                "of the beam, but not the first one"
            )
        if unknown := [phase for phase in self.fewest if phase not in (phases[0].name, *known)]:
            raise DeclarationError(
                f"method {name}: 'fewest' names {unknown[0]!r}: name a phase of the beam"
            )
        if any(not other.turns or not other.names for other in self.alternatives):
            raise DeclarationError(f"method {name}: an alternative needs turns and names")
        most = 1 + 1e-9 if self.finish is None else 1 - 1e-9
        if any(share <= 0 for share in self.shares) or sum(self.shares) > most:
            raise DeclarationError(
                f"method {name}: shares must be above 0, and their sum must be at most 1, or less "
                "than 1 with a finish"
            )

    def prepared(self, plan: Plan) -> Chain:
        """Return the search of a plan.

        Raises UsageError for an inadmissible heuristic, unless the phase itself declares it.
        """
        from puzzlekit.search.strategies.beam_chain import BeamChain

        pairs = zip(plan.phases, plan.heuristics, strict=True)
        if any(not (own.admissible or own == phase.heuristic) for phase, own in pairs):
            raise UsageError(f"{plan.name} needs admissible heuristics, such as max")
        return BeamChain(
            plan,
            self.shares,
            self.starts,
            self.alternatives,
            self.fewest,
            self.finish,
            self.seconds,
            self.rounds,
        )

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield all phases, each followed by its alternatives."""
        from puzzlekit.search.strategies.beam_finish import finish_plan

        early = len(plan.phases) - self.finishing
        for number, (own, phase, heuristic) in enumerate(super().searched(plan)):
            if number == early and isinstance(self.finish, Beam):
                yield from self.finish.searched(finish_plan(plan, early))
                return
            yield own, phase, heuristic
            for other in self.alternatives:
                if other.of == phase.name:
                    yield own, other.phase, heuristic
