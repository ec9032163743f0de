"""Short answers first: search from both ends, before and beside another strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import inf
from time import perf_counter

import attrs

from puzzlekit import DeclarationError, Limits, Move, Phase
from puzzlekit.search.budget import Budget
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, Wrapper, length_limit
from puzzlekit_universal.goal_beams import GoalBeams, has_many_alike, without_sums
from puzzlekit_universal.near_search import NearStates, fits_codes
from puzzlekit_universal.strategy import Universal

_BEFORE = 2_000_000  # nodes before the other strategy begins: a tenth of a second
_SLOW = 4_000_000  # nodes per second before any are measured
_SHORT = 10  # moves of the longest answers that a search without a limit looks for with all nodes
_UNLIMITED = 40_000_000  # nodes of such a search for a longer one: two seconds
_KEPT = 1 << 30  # bytes of a table for the next state
_MOST_CHANGES = 30_000_000  # numbers of all pairs of moves; those of larger puzzles take seconds


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class NearFirst(Wrapper):
    """Searches for short answers from both ends, and for others with another strategy.

    A strategy that goes from phase to phase, or inserts words, gives a long answer to a short
    scramble. The search from both ends finds a shortest answer of n moves if all sequences of n/2
    moves can be tried. It begins before the other strategy. It goes on, with most of its nodes,
    when the other strategy has its first answer, and looks only for shorter ones.

    Before `Universal`, beams of states search a puzzle most of whose pieces are alike.

    >>> NearFirst(Universal(seconds=5.0)).nodes
    300000000
    """

    #: The other strategy.
    strategy: Strategy = attrs.field(factory=Universal)
    #: Number of nodes of the search from both ends for an answer of one cost, at most. With a time
    #: limit, it takes at most half of the time that is left after the first answer. Without any
    #: limit, answers of more than ten moves get 40 million nodes. All costs together get twice as
    #: many.
    nodes: int = 300_000_000
    #: Whether the search goes on only when the other strategy yields a record without moves, and
    #: not behind its first answer: it may begin with a rough answer and have a good one soon.
    waits: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the phases do not fit the other strategy."""
        if self.nodes < 0:
            raise DeclarationError(f"method {name}: nodes must be 0 or more")
        super().check(name, phases)

    def interpreted(self) -> NearFirst:
        """Return the strategy with 30,000 nodes in place of 300 million."""
        return attrs.evolve(self, strategy=self.strategy.interpreted(), nodes=self.nodes // 10_000)

    @cached_property
    def _near(self) -> NearStates | None:
        """The states near the solved one.

        None if moves cannot always be done backwards or cost nothing, and for very large puzzles.
        """
        puzzle, phase = self.puzzle, self.plan.phases[0]
        if not self.metric.counts or puzzle.restricted or not fits_codes(puzzle):
            return None
        moves = phase.allowed(puzzle)
        large = len(moves) ** 2 * len(puzzle.modulus) > _MOST_CHANGES
        if large or phase.view is not None or min(map(self.metric.cost, moves), default=0) < 1:
            return None
        first = self.plan.resolved(phase)
        return NearStates(self.puzzle, first.moves, first.costs, kept=_KEPT)

    @cached_property
    def _beams(self) -> NearStates | None:
        """The states near the solved one for beams; None if few pieces are alike."""
        if self._near is None or not has_many_alike(self.puzzle):
            return None
        return without_sums(self._near)

    @cached_property
    def _proves(self) -> bool:
        """Whether the search has every move of the puzzle, or the effect of every move."""
        assert self._near is not None
        return ShortAnswers(self.puzzle, self._near.moves, self.metric).proven_cost > 0

    def _ways(self, state: bytes) -> list[bytes]:
        """Return the state as seen in all holdings."""
        held = self.puzzle.whole_rotations
        return list(dict.fromkeys(self.puzzle.relabel(state, each) for each in held))

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        self.ready.other = self.other
        budget, longest = Budget(limits), length_limit(limits)
        walk = None
        if self._near is not None:
            walk = NearWalk(self._near, self._ways(state), limits)
        if walk is not None:
            # If every answer that is short enough can be searched, this comes first.
            few = self.nodes if walk.nodes(longest) <= self.nodes else min(_BEFORE, self.nodes)
            path = walk.go_on(few, longest, budget.left)
            if path is not None:
                yield self._found(walk, path)
                return
            if walk.bound > longest and self._proves:
                yield self._after(walk, Candidate(None, False, self.no_counts))
                return
        nodes = limits.max_nodes
        if nodes is not None and walk is not None:
            nodes = max(nodes - walk.generated, 0)
        found = Candidate(None, False, self.no_counts)
        best = ANY_LENGTH
        within = limits._replace(timeout=budget.timeout, max_nodes=nodes)
        unlimited = limits.timeout is None and limits.max_nodes is None
        others = self.ready.search(state, within)
        if walk is not None:
            others = self.beyond(state, within, walk.bound)
        seconds = inf
        for found in others:
            if found.moves is not None:
                best = self.metric.total(found.moves)
                seconds = min(seconds, budget.left / 2)
            yield self._after(walk, found, best)
            if walk is None or seconds == inf or found.proven:
                continue
            waits = self.waits and found.moves is not None
            if not waits and not unlimited and not walk.ended and limits.max_length is None:
                left = min(seconds, budget.left)
                path = walk.go_on(self.nodes, best - 1, left, found.counts[-1][0])
                walk.ended = True
                if path is not None:
                    yield self._found(walk, path, found.counts)
                    return
                if walk.bound >= best and self._proves:
                    yield self._after(walk, found._replace(phases=None), best)
                    return
        # Without a limit, the other strategy counts its seconds from its start. So it comes first.
        if walk is None or walk.ended or found.proven or limits.max_length is not None:
            return
        path = walk.go_on(self.nodes, best - 1, budget.left)
        if path is not None:
            yield self._found(walk, path, found.counts)
        else:
            yield self._after(walk, found._replace(phases=None), best)

    def beyond(self, state: bytes, limits: Limits, bound: int) -> Iterator[Candidate]:
        """Yield the answers of the other strategy alone; before Universal, those of beams."""
        self.ready.other = self.other
        if isinstance(self.ready, Universal) and self._beams is not None:
            beams = GoalBeams(self._beams, self._ways(state))
            nodes = limits.max_nodes
            budget = Budget(limits._replace(max_nodes=None if nodes is None else nodes // 2))
            if limits.timeout is None and nodes is None:
                budget.allow(self.ready.seconds)
            solved = False
            for path in beams.answers(budget, length_limit(limits)):
                solved = True
                yield self.candidate(
                    [PhaseMoves(0, tuple(path))], False, ((beams.work, beams.work),)
                )
                if limits.max_length is not None:
                    return
            if solved:
                yield Candidate(None, False, ((beams.work, beams.work),))
                return
            left = None if nodes is None else nodes - beams.work
            if limits.timeout is not None:
                limits = limits._replace(timeout=budget.timeout)
            limits = limits._replace(max_nodes=left)
        yield from self.ready.beyond(state, limits, bound)

    def _found(self, walk: NearWalk, path: Sequence[Move], counts: Counts = ()) -> Candidate:
        last = len(counts or self.no_counts) - 1
        moves = PhaseMoves(last, tuple(path), HowFound(directly=True))
        proven = self._proves
        found = self.candidate([moves], proven, counts or self.no_counts, (last,) if proven else ())
        return self._after(walk, found)

    def _after(self, walk: NearWalk | None, answer: Candidate, cost: int = ANY_LENGTH) -> Candidate:
        """Return an answer with the nodes of the search from both ends, and what it proves.

        If it has no moves, the best answer so far has the given cost.
        """
        if walk is None:
            return answer
        (generated, expanded) = answer.counts[-1]
        more = (generated + walk.generated, expanded + walk.expanded)
        found = answer._replace(counts=(*answer.counts[:-1], more))
        if walk.bound > 1 and self._proves:
            known = max(answer.at_least, walk.bound)
            cost = cost if answer.moves is None else self.metric.total(answer.moves)
            found = found._replace(at_least=min(known, cost), proven=found.proven or cost <= known)
        return found


class NearWalk:
    """The search of one state, or of several, from both ends, bound by bound.

    - `bound`: the next bound. All smaller bounds are searched, and have no answer.
    - `generated`, `expanded`: numbers of nodes.
    - `ended`: whether nothing more is to be searched.
    """

    def __init__(self, near: NearStates, states: Sequence[bytes], limits: Limits) -> None:
        self._search = near.bounds(states)
        self._near = near
        self._limits = limits
        self._unlimited = {limits.timeout, limits.max_nodes, limits.max_length} == {None}
        self._seconds = 0.0
        self.bound = 0
        self.generated = self.expanded = 0
        self.ended = False

    def nodes(self, bound: int) -> int:
        """Return the number of nodes of the search of a bound."""
        return self._search.nodes(bound)

    def _allowed(self, bound: int, nodes: int) -> int:
        """Return the number of nodes for a bound, from the one for short answers."""
        far = self._unlimited and bound > _SHORT * min(self._near.costs)
        most = min(nodes, _UNLIMITED) if far else nodes
        # Where bounds grow slowly, as in turns of a ring by one bead, there are many of them.
        return min(most, 2 * most - self.generated)

    @property
    def _rate(self) -> float:
        """Nodes per second."""
        return self.generated / self._seconds if self._seconds > 0.01 else _SLOW

    def go_on(self, nodes: int, longest: int, seconds: float, taken: int = 0) -> list[Move] | None:
        """Return the moves of a shortest answer; None if the limits allow no further bound.

        - `nodes`: the number of nodes of a bound; fewer for long answers if there is no limit.
        - `longest`: the largest bound.
        - `seconds`: the time that is left.
        - `taken`: the number of nodes that another search of the state has generated.
        """
        most = self._limits.max_nodes
        if most is not None:
            nodes = min(nodes, most - taken - self.generated)
        end = perf_counter() + seconds
        last = self.bound
        while last < longest:
            allowed = self._allowed(last + 1, nodes)
            if self._search.nodes(last + 1) > min(allowed, self._rate * seconds):
                break
            last += 1
        self._search.aim(last)
        while self.bound <= longest and not self.ended:
            wanted = self._search.nodes(self.bound)
            left = end - perf_counter()
            if wanted > min(self._allowed(self.bound, nodes), self._rate * left):
                return None
            began, work = perf_counter(), BoundWork()
            budget = Budget(self._limits._replace(timeout=None if left > 1e9 else left))
            path = next(self._search.search(BoundTask(self.bound, wanted, budget), work), None)
            self._seconds += perf_counter() - began
            self.generated += work.generated
            self.expanded += work.expanded
            if path is not None:
                return [self._near.moves[number] for number in path]
            if not work.finished:
                self.ended = True
                return None
            self.bound += 1
        return None
