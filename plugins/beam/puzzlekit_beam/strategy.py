"""A beam: keep many candidates of each phase, and continue the best ones first.

A candidate of a beam is an answer of a phase and of the phases before it. Its rating is its cost
plus the estimate of the next phase. The strategy `Anytime` may search the last two phases. It then
starts from all candidates together, under one bound on the total cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from time import perf_counter
from typing import Any, NamedTuple, cast

import attrs

from puzzlekit import Heuristic, Limits, Phase, Puzzle
from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.move import Effect, compose, product
from puzzlekit.search.budget import Budget
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.directions import Direction
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves, summed
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.strategy import Pool, Strategy, length_limit
from puzzlekit_beam.engine.stages import Stage
from puzzlekit_beam.phases import MOST_KEPT, BeamWay, Turning, finish_plan, held_otherwise
from puzzlekit_beam.symmetries import directions_of
from puzzlekit_beam.view import View

__all__ = ["Alternative", "Rounds"]


# Number of nodes between decisions on what to search next. These nodes take 1 to 2 ms in any
# puzzle, and a decision takes microseconds. Short rounds use fewer nodes.
_TURN = 20_000
_LEAST_TURN = 500
# A phase with too few candidates waits for more for this part of the patience of a round.
_WAITING = 0.25
# Bytes of all ends of a round, and bytes of an end beside its state.
_MOST_BYTES = 24 << 20
_MORE_BYTES = 72
# How many times as long as planned a round may take whose finish is another beam: some phase is
# late. The only round of a search takes less, because its later phases hurry.
_LATE = 1.5
_USUALLY_LATE = 1.15
# A phase that has no end in time is searched from one start at a time, each for so many nodes or a
# multiple of them.
_PORTION = 50_000
_FEW = 16  # with fewer starts, they go on together
_GOLDEN = (5**0.5 - 1) / 2  # its multiples lie far apart modulo 1


class Alternative(NamedTuple):
    """Another way to search a phase of a beam, such as along another axis.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [other.of for other in cube.method("reduction").strategy.alternatives]
    ['split']
    """

    #: Name of the phase that this phase is an alternative to. It cannot be the first phase.
    of: str
    #: The phase to search instead. It ends where the phase named `of` ends.
    phase: Phase
    #: Rotations of the whole puzzle, as move sequences. The search of this phase starts from each
    #: candidate of the phase before, turned by each of these rotations.
    turns: tuple[str, ...]
    #: Rotations that rename the pieces of each turned candidate. Each of them gives one more start.
    #: The empty rotation renames nothing.
    names: tuple[str, ...] = ("",)


@attrs.frozen
class Rounds:
    """The rounds of a beam. Each round searches all phases and is longer than the round before.

    A method with slower phases needs a longer first round and its own number of nodes per second.
    The defaults of the other numbers were measured with the 4x4x4 cube.
    """

    #: Seconds of the first round, which should give a first answer.
    first: float = 0.06
    #: Ratio of the length of a round to the length of the round before. More than 1.
    longer: float = 5
    #: A round ends, and a longer round starts, if a phase has no result after this many times the
    #: length of the round, and if as much time is left for a new round. Until there is an answer,
    #: this holds for the finish, too.
    patience: float = 4
    #: Number of candidates, per second of a round, from which the finish starts. Copying this many
    #: candidates takes a twentieth of the finish's time.
    pooled_a_second: int = 1000
    #: Least number of candidates from which the finish starts.
    least_pooled: int = 500
    #: Number of renamed states, per second of a round, from which a phase with renamings starts. To
    #: estimate this many states takes about a tenth of the round.
    renamed_a_second: int = 500_000
    #: Number of nodes that count as one second if a search has a limit of nodes. Such a search then
    #: gives the same answers on every machine. The number should be about the nodes per second of
    #: one core.
    nodes_a_second: int = 25_000_000


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Beam(Strategy):
    """Keeps many candidates of each phase, and continues those with the least expected total first.

    A candidate is an answer of a phase and of the phases before it. Its expected total is its cost
    plus the estimate of the next phase. The strategy `Anytime` may search the last two phases (see
    `finish`). It then starts from all candidates together, under one bound on the total cost.

    >>> Beam(shares=(0.4, 0.6)).finish is None
    True
    """

    needs_bounds = True
    takes_state_heuristics = False

    #: For each phase before the finish, its share of the time of a round, more than 0. The sum of
    #: the shares is at most 1. With a finish the sum is less than 1, because the finish gets the
    #: rest.
    shares: tuple[float, ...]
    #: Rotations of the whole puzzle, such as "y z". The search also starts from the state turned by
    #: each of these rotations, with its pieces renamed by each of them, in all combinations.
    starts: str = ""
    #: Whether the search also starts from the inverse of the state, and from the images of both
    #: under the symmetries of the moves, which are found from the moves: for a puzzle that declares
    #: no rotations, with `starts` empty.
    symmetric: bool = False
    #: Other phases that the beam also searches in place of some phases.
    alternatives: tuple[Alternative, ...] = ()
    #: Least numbers of candidates, by the names of phases. A phase with fewer candidates takes more
    #: time than its share to find more. Use it before a phase that takes long from few candidates.
    fewest: Mapping[str, int] = attrs.field(factory=dict)
    #: How to search the last phases for all candidates together: two phases by `Anytime`, more by
    #: another `Beam`, or by any strategy whose `finishes` is not 0. These phases may view the
    #: puzzle as another puzzle. None if they are searched like the other phases.
    finish: Strategy | None = None
    #: Seconds to continue after the first answer if no limit is given. 0 or more.
    seconds: float = 0.2
    #: The lengths of the rounds, and the number of candidates from which the finish starts.
    rounds: Rounds = attrs.field(factory=Rounds)

    def finishes(self) -> int:
        """Return the number of phases: a beam can be the finish of the beam of another puzzle."""
        return len(self.shares) + self._later

    @property
    def _later(self) -> int:
        """Number of phases that the finish searches."""
        return 0 if self.finish is None else self.finish.finishes()

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if shares or alternatives do not fit the phases."""
        if self.finish is not None and not self._later:
            raise DeclarationError(
                f"method {name}: {type(self.finish).__name__} cannot be the finish of a beam"
            )
        early = len(phases) - self._later
        if early < 1 or len(self.shares) != early:
            raise DeclarationError(
                f"method {name}: 'shares' needs one number for each phase before 'finish', and at "
                "least one number"
            )
        if self.finish is not None:
            self.finish.check(name, phases[early:])
        if self.symmetric and self.starts:
            raise DeclarationError(
                f"method {name}: a beam has either 'starts' or 'symmetric', not both"
            )
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

    @property
    def early(self) -> int:
        """Number of phases before the finish."""
        return len(self.shares)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield all phases, each followed by its alternatives."""
        early = len(self.shares)
        for number, (own, phase, heuristic) in enumerate(super().searched(plan)):
            if number == early and self.finish is not None:
                yield from self.finish.searched(finish_plan(plan, early))
                return
            yield own, phase, heuristic
            for other in self.alternatives:
                if other.of == phase.name:
                    yield own, other.phase, heuristic

    def prepare(self, plan: Plan) -> None:
        """Prepare the phases, their alternatives, and the finish.

        Raises UsageError for an inadmissible heuristic, unless the phase itself declares it.
        """
        pairs = zip(plan.phases, plan.heuristics, strict=True)
        if any(not (own.admissible or own == phase.heuristic) for phase, own in pairs):
            raise UsageError(f"{plan.name} needs admissible heuristics, such as max")
        puzzle, phases, chosen = plan.puzzle, plan.phases, plan.heuristics
        self.kept = min(MOST_KEPT, _MOST_BYTES // (self.early * (len(puzzle.solved) + _MORE_BYTES)))

        def made(phase: Phase, number: int) -> CompiledPhase:
            after = phases[number + 1] if number + 1 < len(phases) else None
            return CompiledPhase(plan, phase, chosen[number], after=after)

        found = [made(phase, number) for number, phase in enumerate(phases[: self.early])]
        self._finisher: Strategy | None = None
        if self.finish is not None:
            view = cast("View | None", phases[self.early].view)
            self._see = None if view is None else view.reader(puzzle)
            self._finisher = self.finish.prepared(finish_plan(plan, self.early))
            if not self._finisher.finishes():
                raise UsageError(f"{plan.name} needs admissible heuristics, such as max")
        self.ways = [[BeamWay(puzzle, each)] for each in found]
        for other in self.alternatives:
            number = [phase.name for phase in phases].index(other.of)
            turnings = []
            for frame in held_otherwise(puzzle, other.turns):
                for name in other.names:
                    renamed = product((m.effect for m in puzzle.moves(name)), puzzle.modulus)
                    before = compose(renamed, frame.rotation, puzzle.modulus)
                    turnings.append(Turning(before, frame))
            self.ways[number].append(BeamWay(puzzle, made(other.phase, number), turnings))
        self.frames = held_otherwise(puzzle, ("", *self.starts.split()))
        self._directions: list[Direction] = []
        if self.symmetric:
            every = [*phases, *(other.phase for other in self.alternatives)]
            moves = dict.fromkeys(move for phase in every for move in phase.allowed(puzzle))
            costs = [self.metric.cost(move) for move in moves]
            self._directions = directions_of(puzzle, list(moves), costs)
        self._ways_to_start = list(self._starts())
        self._short = ShortAnswers(puzzle, found[0].moves, self.metric)
        self._short.find(puzzle.solved)  # prepares its data before time is measured
        self.phases = [*found, *(self._finisher.phases if self._finisher else ())]

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        if (answer := self.short_answer(self._short, state, limits)) is not None:
            yield answer
            return
        starts = self.start_states(state)
        searches = [
            BeamSearch(self, starts, limits, (number, limits.threads))
            for number in range(limits.threads)
        ]
        _, cpu = yield from self.shortening(
            searches,
            lambda _, raw: self.candidate(raw[0], False, summed(each.counts for each in searches)),
            Budget(limits),
            self.seconds,
        )
        yield Candidate(None, False, summed(each.counts for each in searches), helpers_cpu=cpu)

    def start_states(self, state: bytes) -> list[tuple[bytes, Direction]]:
        """Return the states from which the beam starts, each with its direction.

        They are the given state, turned and renamed by the rotations of `starts`, and with
        `symmetric` its images. The places that the method fixes are solved in each of them.
        """
        found: dict[bytes, Direction] = {}
        normal = self.normal(state)
        for name, frame in self._ways_to_start:
            seen = frame.see(self.puzzle, self.puzzle.relabel(normal, name))
            if self._is_held(seen):
                found.setdefault(seen, frame)
        return list(found.items())

    def _starts(self) -> Iterator[tuple[Effect, Direction]]:
        """Yield how the pieces are renamed for each start, and then the direction.

        Whole orbits that the method fixes are the same in each normal state. So what does not solve
        them in one state never does, and is left out.
        """
        puzzle, fixed = self.puzzle, self.plan.fixed
        whole = all(len(own.split()) == puzzle.orbit(name).size for name, own in fixed.items())
        for frame in self._directions or self.frames:
            for other in self.frames:
                name = other.rotation
                if not whole or self._is_held(
                    frame.see(puzzle, puzzle.relabel(puzzle.solved, name))
                ):
                    yield name, frame

    def _is_held(self, state: bytes) -> bool:
        """Whether the places that the method fixes are solved in a state."""
        solved = self.puzzle.solved
        return all(state[j] == solved[j] for j in self.puzzle.bytes_at(self.plan.fixed))

    def finished(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> Pool:
        """Return one search of the phases of the finish from several states.

        `costs` has the cost of the moves to each state. The total cost of an answer, which includes
        this cost, is within `limits`.
        """
        assert self._finisher is not None
        seen = states if self._see is None else [self._see(state) for state in states]
        return self._finisher.pool(seen, costs, limits)

    def pool(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> BeamPool:
        """Return a search of all phases from several states, for the beam of another puzzle.

        `costs` has the cost of reaching each state, which is part of the total. `limits` has the
        largest total.
        """
        starts, spent, origin = [], [], []
        for number, (state, cost) in enumerate(zip(states, costs, strict=True)):
            for start in self.start_states(state):
                starts.append(start)
                spent.append(cost)
                origin.append(number)
        return BeamPool(BeamSearch(self, starts, limits, (0, 1), spent), origin)


class BeamSearch:
    """A beam search in rounds. Each round keeps more candidates than the round before.

    The class has the interface of the engine's searches. Several of these searches may divide the
    work for one state. `share` is then a pair (i, n): search i of n continues from every n-th
    candidate of the first phase.
    """

    is_capped = True  # if no answer is found, it is not proven that none exists

    def __init__(
        self,
        beam: Beam,
        starts: Sequence[tuple[bytes, Direction]],
        limits: Limits,
        share: tuple[int, int],
        spent: Sequence[int] = (),
    ) -> None:
        #: The index of the start of the answer.
        self.start = 0
        self.answer: tuple[list[PhaseMoves], int] | None = None
        self._beam = beam
        self._starts = starts
        self._spent = [*spent] or [0] * len(starts)
        self._pace = beam.rounds
        self._limit = length_limit(limits)
        self._share = share
        self._by_nodes = limits.max_nodes is not None
        self._began = perf_counter()
        self._total = _total_seconds(beam, limits, share[1])
        if spent:  # else the round of a finish would be too short for an answer
            self._total = max(self._total, beam.rounds.first)
        # The end of the search, if it is known. A finish may go on after its given time.
        known = limits.timeout is not None or limits.max_nodes is not None
        self._stops = self._total if known and not spent else inf
        # Of these seconds, the last ones are left to a finish that is a beam: three of its rounds.
        self._reserve = 3 * beam.finish.rounds.first if isinstance(beam.finish, Beam) else 0.0
        self._round_seconds = 0.0
        self._round_began = self._round_ends = self._stage_ends = 0.0
        self._done = 0  # nodes of finished rounds
        self._samples_at = inf  # from this time on, a phase without ends takes one start at a time
        self._sampled = 0  # number of these starts
        self._fewest = 1  # ends of a phase from which the next phase starts
        self._waits_until = inf  # from this time on, it starts from fewer ends
        self._counts = [(0, 0)] * len(beam.phases)
        self._levels: list[list[Stage]] = []  # the stages of each phase of the round
        self._pool: Pool | None = None
        self._pooled: list[tuple[int, int]] = []  # stage and end of each state of the pool
        self._complete = True  # whether all phases of the round were searched up to the limit
        self._searched: Any = None
        self._turn_ends = self._rounds = 0
        self._next_round()
        self._take_turn()

    # --- as a search of the engine -------------------------------------------------------------

    @property
    def work(self) -> int:
        """Number of nodes so far."""
        now = sum(stage.work for level in self._levels for stage in level)
        return self._done + now + (self._pool.search.work if self._pool else 0)

    def run(self, budget: int) -> int:
        """Search about `budget` more nodes and return FOUND, EXHAUSTED or PAUSED."""
        stop, rounds = self.work + budget, self._rounds
        while (left := stop - self.work) > 0 and self._rounds == rounds:
            search = self._searched
            try:
                status: int = search.run(min(left, self._turn_ends - search.work))
            except ValueError as error:
                name = self._beam.plan.phases[len(self._levels) - 1].name
                raise DeclarationError(
                    f"phase {name} of a beam, or the phase after it: {error}"
                ) from None
            if status == FOUND and self._pool is not None:
                self._limit = min(self._limit, search.answer[-1] - 1)
                self.answer = self._finished(self._pool)
                return FOUND
            if status == EXHAUSTED or search.work >= self._turn_ends:
                decided = self._decide(status == EXHAUSTED)
                if decided != PAUSED:
                    return decided
        return PAUSED

    def stop_in(self, seconds: float) -> None:
        """Plan the rounds for a search that stops after this number of seconds."""
        self._stops = self._clock() + seconds

    def _decide(self, exhausted: bool) -> int:
        """Decide what to search next; `exhausted` is True if the current search has ended.

        Returns FOUND after an answer, EXHAUSTED if no answer can be found, and otherwise PAUSED.
        The caller asks for a decision after a number of nodes, not after a time. So a search with a
        limit on nodes is repeatable.
        """
        now, out_of_time = self._clock(), self._round_began + self._patience()
        if self._pool is not None:
            if exhausted and self._complete:
                return EXHAUSTED
            # The finish has more time if there is no answer at all.
            ends = self._round_ends if self.answer else out_of_time
            if exhausted or now >= max(ends, self._round_ends):
                self._next_round()
        else:
            level, over = self._levels[-1], now >= self._stage_ends
            self._complete &= not self._searched.is_full and (exhausted or not over)
            late = now >= max(out_of_time, self._stage_ends)
            no_more = exhausted or late
            count = sum(each.count for each in level)
            # The cheapest end comes first, so the first end of the last phase is enough.
            last = self._beam.finish is None and len(self._levels) == self._beam.early
            if count:
                enough = over and (count >= self._fewest or now >= self._waits_until)
                everything = exhausted and self._complete
                rounds = self._rounds
                if (no_more or enough or last) and self._go_on(no_more):
                    self._take_turn()
                    return FOUND
                if everything and not last and self._rounds > rounds:
                    return EXHAUSTED  # no end is near enough to the goal, and there are no others
            elif exhausted and self._complete:
                return EXHAUSTED
            elif late or (exhausted and (self.answer or now < self._samples_at)):
                self._next_round()
            elif now >= self._samples_at and (
                exhausted or sum(each.work for each in level) >= self._portion
            ):
                self._sample()
        self._take_turn()
        return PAUSED

    def _take_turn(self) -> None:
        """Choose the next search: the stage with the least bound."""
        if self._pool is not None:
            self._searched = self._pool.search
        else:
            self._searched = min(self._levels[-1], key=lambda each: each.f_bound)
        few = int(self._round_seconds * self._pace.nodes_a_second / 200)
        self._turn_ends = self._searched.work + max(_LEAST_TURN, min(few, _TURN))

    def tighten(self, limit: int) -> None:
        """Search only answers of at most this cost from now on."""
        self._limit = min(self._limit, limit)
        if self._pool is not None:
            self._pool.search.tighten(self._limit)
        for level in self._levels:
            for stage in level:
                stage.tighten(self._limit)

    @property
    def counts(self) -> list[tuple[int, int]]:
        """Nodes (generated, expanded) of each phase."""
        counts = list(self._counts)
        now = [(i, stage.nodes) for i, level in enumerate(self._levels) for stage in level]
        if self._pool is not None:
            now += enumerate(self._pool.search.nodes, self._beam.early)
        for number, (generated, expanded) in now:
            counts[number] = counts[number][0] + generated, counts[number][1] + expanded
        return counts

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The same as `counts`, as a search of the engine has it."""
        return self.counts

    # --- rounds --------------------------------------------------------------------------------

    def _clock(self) -> float:
        """Return the seconds since the beginning; with a limit on nodes, computed from nodes."""
        return (
            self.work / self._pace.nodes_a_second
            if self._by_nodes
            else perf_counter() - self._began
        )

    def _next_round(self) -> None:
        """Begin a round, which is several times as long as the round before."""
        self._rounds += 1
        now = self._clock()
        # How many times as long as planned the last round was, if it reached the finish.
        took = (now - self._round_began) / self._round_seconds if self._pool else 1
        late = 1.0
        if self._rounds == 1 and isinstance(self._beam.finish, Beam):
            took, late = _USUALLY_LATE, _LATE
        self._done, self._counts = self.work, self.counts
        self._levels, self._pool, self._complete = [], None, True
        self._round_began = now
        self._round_seconds = max(self._pace.first, self._pace.longer * self._round_seconds)
        left = self._total - now
        if 0 < left < 1.2 * late * self._pace.longer * self._round_seconds:  # the last one
            took = min(max(took, 1), 2)
            self._round_seconds = max((left - self._reserve) / took, left / 2)
        self._round_ends, self._stage_ends = now + self._round_seconds, now
        (first,) = self._beam.ways[0]
        stage = first.stage(self._main(1), self._limit, self._beam.kept, choosy=True)
        stage.add_states([state for state, _ in self._starts], self._spent)
        self._begin([stage])

    def _begin(self, stages: list[Stage]) -> None:
        """Begin the next phase of the round.

        It has its share of the round, even if a phase before took longer than its own. If the
        search stops before all phases can have their shares, each has the same part of its share.
        """
        level, shares = len(self._levels), self._beam.shares
        phase = self._beam.plan.phases[level]
        self._fewest = self._beam.fewest.get(phase.name, 1)
        waiting = _WAITING * self._pace.patience * self._round_seconds
        begins = max(self._stage_ends, self._clock())
        stops = self._stops - self._reserve
        left = max(0.0, stops - begins) / (1 - sum(shares[:level]))
        ends = begins + shares[level] * min(self._round_seconds, left)
        starts = max(each.count for each in self._levels[-1]) if level else 1
        self._levels.append(stages)
        self._stage_ends = ends
        self._samples_at = ends + (self._stops - ends) / 6 if starts >= _FEW else inf
        self._sampled = 0
        self._waits_until = min(self._round_began + waiting, ends + max(0.0, stops - ends) / 8)

    def _patience(self) -> float:
        """Return the seconds after which the round ends if a phase has no result.

        If less time than this would be left for a new round, the round goes on to the end.
        """
        patience = self._pace.patience * self._round_seconds
        return patience if self._round_began + 2 * patience <= self._stops else inf

    def _main(self, number: int) -> BeamWay | None:
        """Return the phase of that number, not an alternative to it; None after the last phase."""
        return self._beam.ways[number][0] if number < self._beam.early else None

    def _go_on(self, no_more: bool) -> bool:
        """Start the next phase from the ends of a phase; return whether there is an answer.

        If the next phase cannot start from any of them, the search collects twice as many ends.
        `no_more` is True if the phase has ended or has no more time.
        """
        beam, number = self._beam, len(self._levels)
        before = self._levels[-1]
        if number < beam.early:
            stages = self._entered(before)
            if min(each.f_bound for each in stages) <= self._limit:
                self._begin(stages)
            elif no_more:
                self._next_round()
            else:
                self._fewest = 2 * sum(each.count for each in before)
                self._waits_until = inf
        elif beam.finish is not None:
            most = int(self._pace.pooled_a_second * self._round_seconds)
            most = max(self._pace.least_pooled, most)
            ends = [
                (stage.end(number), which, number)
                for which, stage in enumerate(before)
                for number in range(min(most, stage.count))  # the cheapest come first
            ]
            ends = sorted(ends, key=lambda end: end[0][1])[:most]
            self._pooled = [(which, number) for _, which, number in ends]
            states, costs = [end[0] for end, *_ in ends], [end[1] for end, *_ in ends]
            # The finish gets its full time even if the phases before took longer than their share.
            own = (1 - sum(beam.shares)) * self._round_seconds
            nodes = int(own * self._pace.nodes_a_second) if self._by_nodes else None
            within = Limits(max_length=self._limit, timeout=own, max_nodes=nodes)
            self._pool = beam.finished(states, costs, within)
            self._pool.stop_in(self._stops - self._clock())
            self._round_ends = max(self._round_ends, self._clock() + own)
        else:
            first = [(stage.end(0)[1], which) for which, stage in enumerate(before) if stage.count]
            answer = self._found((min(first)[1], 0), [])
            self._next_round()
            if answer[-1] <= self._limit:
                self.answer, self._limit = answer, answer[-1] - 1
                return True
        return False

    def _entered(self, before: list[Stage], first: int = 0, every: int = 1) -> list[Stage]:
        """Return the stages of the next phase, which start from every n-th one of the ends before.

        Of the ends of the first phase, this search has its own share.
        """
        beam, number, stages = self._beam, len(self._levels), []
        part, parts = self._share if number == 1 else (0, 1)
        share = part + parts * first, parts * every
        rated = int(self._pace.renamed_a_second * self._round_seconds)
        for way in beam.ways[number]:
            stage = way.stage(self._main(number + 1), self._limit, beam.kept, choosy=True)
            way.enter(stage, before, share, rated)
            stages.append(stage)
        return stages

    @property
    def _portion(self) -> int:
        """Nodes of the last sampled start: 1, 2, 1, 4, 1, 2, 1, 8, ... times the least number."""
        return _PORTION * (self._sampled & -self._sampled)

    def _sample(self) -> None:
        """Search a phase that finds no end in time from one start, and the next time from another.

        From some starts an end is found in milliseconds, and from most it takes far longer. Every
        second start gets the least number of nodes, every fourth one twice as many, and so on: M.
        Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993). These
        starts lie far apart, because neighbours are alike.
        """
        number = len(self._levels) - 1
        starts = max(each.count for each in self._levels[-2])
        self._complete = False
        self._sampled += 1
        for stage in self._levels.pop():
            self._done += stage.work
            (generated, expanded), (more, further) = self._counts[number], stage.nodes
            self._counts[number] = generated + more, expanded + further
        first = int(self._sampled * _GOLDEN * starts) % starts
        self._levels.append(self._entered(self._levels[-1], first, starts))

    def _finished(self, pool: Pool) -> tuple[list[PhaseMoves], int]:
        """Return the answer that the pool has found."""
        beam = self._beam
        assert beam.finish is not None
        end, phases = pool.found()
        own = [
            PhaseMoves(
                beam.early + number,
                tuple(beam.puzzle.move(move.family, move.amount) for move in moves),
                found,
            )
            for number, moves, found, *_ in phases
        ]
        return self._found(self._pooled[end], own)

    def _found(
        self, last: tuple[int, int], later: list[PhaseMoves]
    ) -> tuple[list[PhaseMoves], int]:
        """Return the moves by phases and the cost of an answer, with the cost of its start.

        `last` is a pair: the index of a stage of the last phase of the beam, and the index of an
        end of this stage. `later` has the moves of the phases that the pool searches.
        """
        beam, phases, (which, end) = self._beam, later, last
        for number in reversed(range(len(self._levels))):
            way = beam.ways[number][which]
            _, _, end, tag, path = self._levels[number][which].end(end)
            own = PhaseMoves(number, tuple(way.phase.moves[move] for move in path))
            phases = [own, *phases]
            turning, which = divmod(tag, len(self._levels[number - 1])) if number else (0, 0)
            if way.turnings:
                phases = _carried_back(beam.puzzle, phases, way.turnings[turning].direction)
        self.start, frame = end, self._starts[end][1]
        rotated = frame.rotation != beam.puzzle.whole_rotations[0]
        held = [
            each._replace(
                found=each.found._replace(
                    rotated=rotated or each.found.rotated,
                    inverted=each.found.inverted != frame.inverted,
                )
            )
            for each in _carried_back(beam.puzzle, phases, frame)
        ]
        cost = sum(beam.metric.total(each.moves) for each in held)
        return held, cost + self._spent[self.start]


class BeamPool(NamedTuple):
    """A beam search from several states."""

    search: BeamSearch
    #: For each start of the search, the number of its state.
    origin: list[int]

    def found(self) -> tuple[int, list[PhaseMoves]]:
        """After FOUND, return the index of the solved state, and its moves phase by phase."""
        assert self.search.answer is not None
        return self.origin[self.search.start], self.search.answer[0]

    def stop_in(self, seconds: float) -> None:
        """Plan the rounds for a search that stops after this number of seconds."""
        self.search.stop_in(seconds)


def _carried_back(
    puzzle: Puzzle, phases: Sequence[PhaseMoves], frame: Direction
) -> list[PhaseMoves]:
    carried = frame.carry_back(puzzle, [each.moves for each in phases])
    return [phases[number]._replace(moves=moves) for number, moves in carried]


def _total_seconds(beam: Beam, limits: Limits, threads: int) -> float:
    """Return the seconds that the whole search will take; infinite if unknown."""
    if limits.max_nodes is not None:
        return limits.max_nodes / threads / beam.rounds.nodes_a_second
    if limits.timeout is not None:
        return limits.timeout
    return inf if limits.max_length is not None else beam.seconds
