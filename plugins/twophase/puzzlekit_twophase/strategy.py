"""Two phases in one search: try longer first phases while the total can still become shorter.

Premoves give the first phase more starts. Let q be a move sequence, the premoves. "q, then the
moves to a state" leads to another state. A solution of that state, followed by q, solves the
original state. Its total cost includes the cost of q. The solution ends with q, right after the
moves of the last phase. So q should begin with a move that the last phase does not have: all other
moves are found by the last phase itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import attrs

from puzzlekit import Heuristic, Limits, Move, Phase, Puzzle, Sequential
from puzzlekit.engine.ranks import Carry
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import DeclarationError, PuzzlekitError
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.budget import Budget
from puzzlekit.search.compiled_phase import CompiledPhase, carry_bytes, labels
from puzzlekit.search.directions import Direction, are_undone, sides
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves, summed
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit
from puzzlekit_twophase.engine.improve import ImproveSearch, Link, Premoves

# All answers up to this cost are searched first, so that a short scramble never gets a long answer.
# From a state with a larger estimate, this search generates no node.
_SHORT = 5


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Anytime(Strategy):
    """Finds ever shorter answers of two phases.

    The search tries answers of the first phase in the order of their cost. From the end of each, it
    looks for an answer of the second phase that makes the total cheaper. The search ends when the
    total cannot become cheaper. If the heuristic is inadmissible or reads the state, `Sequential`
    searches the phases instead.

    >>> Anytime(premoves=2).seconds
    0.2
    """

    takes_step_metrics = True

    #: Largest number of premoves, 0 to 3. Premoves are applied before the scramble and appended to
    #: the answer. They give the first phase more starts.
    premoves: int = 0
    #: Seconds to continue after the first answer if no limit is given. 0 or more.
    seconds: float = 0.2
    #: Numbers of generated nodes after which starts with 1, 2, 3 ... premoves are added. The last
    #: number also holds for all longer sequences of premoves. Starts that are added too early delay
    #: the first answers. The default suits phases of 15 to 20 moves with a branching factor of
    #: about 10.
    premoves_after: tuple[int, ...] = (3_000, 30_000, 500_000)
    #: Number of nodes after which a search of the second phase is given up. Other ends of the first
    #: phase may need fewer nodes. 0: never. With a limit, an answer may exist that is not found.
    finish_nodes: int = 0
    #: Largest cost of the second phase at first; 0 for any cost. It rises by 1 after four million
    #: nodes, and whenever their number has doubled, until there is an answer. Set it if a long
    #: second phase takes much longer to search than other ends of the first phase. With a limit, an
    #: answer may exist that is not found.
    finish_most: int = 0
    #: Only for a metric whose costs depend on the step before. Number of generated nodes for a
    #: first search, which looks for answers of few steps. The costs of these answers bound the main
    #: search.
    steps_nodes: int = 1_000_000

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there are two phases."""
        if len(phases) != 2:
            raise DeclarationError(f"method {name}: Anytime searches exactly two phases")
        limits = self.finish_nodes, self.finish_most
        if min(self.premoves, self.seconds, *limits) < 0 or not self.premoves_after:
            raise DeclarationError(
                f"method {name}: premoves, finish_most, seconds and finish_nodes must be 0 or "
                "more, and premoves_after needs at least one number"
            )

    def finishes(self) -> int:
        """Return 2: the strategy searches the last two phases of a beam."""
        return 2

    def interpreted(self) -> Anytime:
        """Return the strategy for an engine that is not compiled: at least 0.6 seconds."""
        return attrs.evolve(self, seconds=max(0.6, self.seconds))

    def one_by_one(self) -> Sequential:
        """Return the strategy that takes the first answer of each phase."""
        return Sequential()

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield both phases. In a metric with memory, also yield both in steps."""
        yield from super().searched(plan)
        metric = plan.metric
        if isinstance(metric, StepMetric) and plan.resolved(plan.phases[0]).remembers:
            yield from super().searched(attrs.evolve(plan, metric=metric.even(plan.puzzle)))

    def prepared(self, plan: Plan) -> Strategy:
        """Return the search of a plan; that of `Sequential` if only `Sequential` takes it."""
        if not plan.admissible or plan.reads_state:
            return self.one_by_one().prepared(plan)
        if plan.metric.counts:
            return super().prepared(plan)
        return Strategy.prepared(FewSteps(**attrs.asdict(self, recurse=False)), plan)

    def prepare(self, plan: Plan) -> None:
        """Prepare both phases, the link between them, and the premoves."""
        puzzle = plan.puzzle
        outer, inner = plan.phases
        if any(table.bits == 2 for table in inner.pruning_tables):
            raise DeclarationError(
                f"phase {inner.name}: the tables of a second phase need 4 or 8 bits per entry"
            )
        if outer.view or inner.view:
            raise DeclarationError(f"method {plan.name}: the phases of Anytime cannot have a view")
        for phase in (outer, inner):
            for runner in plan.resolved(phase).runners:
                if runner.is_ranked:
                    raise DeclarationError(
                        f"method {plan.name}: the phases of Anytime need move tables, but "
                        f"coordinate {runner.coordinate.name} of phase {phase.name} has none. "
                        "A coordinate has a move table if the coordinate is closed under the "
                        "moves, is not too large, and is read by a pruning table"
                    )
        early, late = plan.heuristics
        first = CompiledPhase(plan, outer, early, after=inner)
        second = CompiledPhase(plan, inner, late, before=first)
        self.directions = directions(plan)
        # The search carries only the bytes of a state that the second phase ranks.
        ranked = {j for each in inner.coordinates for j in each.reads}
        reads = bytes_behind(first.moves, ranked)
        byte_at = {j: i for i, j in enumerate(reads)}
        self._link = Link(
            carry_bytes(puzzle, first.moves, reads),
            second.engine_ranks(byte_at),
            second.order.entries,
            self.finish_nodes,
            self.finish_most,
        )
        counted = puzzle.invertible and not first.order.sources
        length = self.premoves if counted else 0
        self._sequences = premove_sequences(first, second, length)
        sides = [each for each in self.directions if not each.inverted]
        turns = [side.rotation for side in sides]
        self._starts = engine_premoves(
            puzzle, first, self._sequences, self.premoves_after, turns, reads
        )
        self._turns = list(range(len(first.moves), len(first.moves) + len(turns)))
        self._back = Carry([side.unrotation for side in sides], puzzle.modulus)
        self._idle: list[ImproveSearch] = []  # to be used again
        self.phases = [first, second]
        self._translated = {
            (each.rotation, each.inverted): (
                [done_in(puzzle, each, move) for move in first.moves],
                [done_in(puzzle, each, move) for move in second.moves],
                [
                    HowFound(each.rotation != puzzle.whole_rotations[0], each.inverted, count)
                    for count in range(length + 1)
                ],
            )
            for each in self.directions
        }

    def _searches(
        self, state: bytes, threads: int
    ) -> tuple[list[ImproveSearch], list[list[Direction]]]:
        """Return the engine's searches, and the directions of each.

        A direction is an image of the state (see `puzzlekit.search.directions`). If several
        directions give the same image, only one of them is searched. Each search gets some of the
        directions. There is one search per thread, but not more searches than directions.
        """
        images: dict[bytes, Direction] = {}
        for naming in self.namings(state):
            for image, direction in zip(self._seen(naming), self.directions, strict=True):
                images.setdefault(image, direction)
        seen, ways = list(images), list(images.values())
        try:
            if threads == 1:
                return [self._search_of(seen)], [ways]
            hands = range(min(threads, len(images)))
            searches = [self._search_of(seen[i::threads]) for i in hands]
        except ValueError:
            self.phases[0].ranks(state)  # raises an error that names the undefined coordinate
            raise
        return searches, [ways[i::threads] for i in hands]

    def _search_of(self, images: list[bytes]) -> ImproveSearch:
        """Return a search of some states, if possible one that another search of a state used."""
        first, second = self.phases
        try:
            search = self._idle.pop()
        except IndexError:
            return ImproveSearch(first.space, second.space, self._link, self._starts, images, 0)
        search.begin(images, 0)
        return search

    def _seen(self, state: bytes) -> list[bytes]:
        """Return the state in each direction."""
        if len(self.directions) == 1:
            return [state]
        both = [state, self.puzzle.invert(state)]
        return self._starts.seen(both, self._turns, self._back)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        return self.shorter(state, limits, ANY_LENGTH)

    def shorter(self, state: bytes, limits: Limits, cost: int) -> Iterator[Candidate]:
        """Yield ever shorter answers that cost less than `cost`, then a record with the totals.

        No record follows an answer that ends the search because it is short enough.
        """
        budget = Budget(limits)
        longest = min(length_limit(limits), cost - 1)
        known = cost < ANY_LENGTH
        searches, looking = self._searches(state, limits.threads)
        found = proven = False
        cpu = 0.0
        try:
            # Short answers are searched first, in one thread: each search finds all of them.
            short, status = searches[0], EXHAUSTED
            least = short.restart(min(_SHORT, longest))
            while least <= _SHORT and (status := budget.run(short)) == FOUND:
                found = True
                answer = self._answer(short.answer, looking[0], searches)
                short.tighten(self._cost(answer) - 1)
                yield answer
            if status == EXHAUSTED:
                proven = (found or known) and not short.is_capped
                if not found and longest > _SHORT:
                    for search in searches:
                        search.restart(longest)
                    if limits.max_length is not None and len(searches) == 1:
                        if (status := budget.run(short)) == FOUND:  # it ends the search
                            yield self._answer(short.answer, looking[0], searches)
                            return
                        proven = known and status == EXHAUSTED and not short.is_capped
                    else:
                        proven, cpu = yield from self.shortening(
                            searches,
                            lambda number, raw: self._answer(raw, looking[number], searches),
                            budget,
                            self.seconds,
                            known,
                        )
            yield Candidate(None, proven, self._counts(searches), helpers_cpu=cpu)
        finally:
            self._idle.extend(searches)

    def pool(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> AnytimePool:
        """Return a search that finds the answer with the least total cost over several states.

        `costs` has the cost of reaching each state, which is part of the total. All states share
        one bound on the total.
        """
        first, second = self.phases
        origin = []
        images = []
        spent = []
        for number, (state, cost) in enumerate(zip(states, costs, strict=True)):
            seen = dict(zip(self._seen(state), self.directions, strict=True))
            for image, direction in seen.items():
                images.append(image)
                spent.append(cost)
                origin.append((number, direction))
        search = ImproveSearch(
            first.space,
            second.space,
            self._link,
            self._starts,
            images,
            length_limit(limits),
            spent,
        )
        return AnytimePool(self, search, origin)

    def _cost(self, answer: Candidate) -> int:
        """Return the cost of an answer; after merging, it may be less than the engine's cost."""
        return self.metric.total(answer.moves or ())

    def _counts(self, searches: list[ImproveSearch]) -> Counts:
        return searches[0].nodes if len(searches) == 1 else summed(each.nodes for each in searches)

    def _answer(
        self,
        answer: tuple[int, list[int], list[int], int, int],
        looking: list[Direction],
        searches: list[ImproveSearch],
    ) -> Candidate:
        phases = self.phases_of(answer, looking[answer[0]])
        return self.candidate(phases, False, self._counts(searches))

    def phases_of(
        self, answer: tuple[int, list[int], list[int], int, int], direction: Direction
    ) -> list[PhaseMoves]:
        """Return the moves of an answer of the engine, phase by phase.

        The engine may have searched the state in another `direction`. The moves that are returned
        solve the original state.
        """
        _, outer, inner, sequence, _ = answer
        premoves = self._sequences[sequence]
        of_first, of_second, ways = self._translated[direction.rotation, direction.inverted]
        early = tuple(map(of_first.__getitem__, outer))
        late = tuple(map(of_second.__getitem__, inner))
        if premoves:
            late += tuple(map(of_first.__getitem__, premoves))
        found = ways[len(premoves)]
        if direction.inverted:
            return [PhaseMoves(1, late[::-1], found), PhaseMoves(0, early[::-1], found)]
        return [PhaseMoves(0, early, found), PhaseMoves(1, late, found)]


class AnytimePool(NamedTuple):
    """One search of the engine from several states."""

    strategy: Anytime
    #: The search of the engine.
    search: ImproveSearch
    #: For each start of the search, the number of its state and its direction.
    origin: list[tuple[int, Direction]]

    def found(self) -> tuple[int, list[PhaseMoves]]:
        """After FOUND, return the index of the solved state, and its moves phase by phase."""
        raw = self.search.answer
        number, direction = self.origin[raw[0]]
        return number, self.strategy.phases_of(raw, direction)

    def stop_in(self, seconds: float) -> None:
        """Do nothing: the beam ends the search."""


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class FewSteps(Anytime):
    """Searches like `Anytime`, but first looks for answers of few steps.

    If the steps of the metric have different costs, the estimates of the tables are weak, and a
    first answer takes long. So the strategy first searches for answers of few steps and ignores the
    costs. The costs of the answers that it finds are upper bounds for the main search.
    """

    def prepare(self, plan: Plan) -> None:
        """Prepare the phases, and if the costs depend on earlier steps, the search by steps."""
        super().prepare(plan)
        self._few: Strategy | None = None
        if isinstance(plan.metric, StepMetric) and self.phases[0].order.sources:
            even = attrs.evolve(plan, metric=plan.metric.even(plan.puzzle))
            self._few = Strategy.prepared(Anytime(**attrs.asdict(self, recurse=False)), even)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        if self._few is None:
            yield from super().search(state, limits)
            return
        budget = Budget(limits)
        known = ANY_LENGTH
        counts = self.no_counts
        nodes = self.steps_nodes
        if limits.max_nodes is not None:
            nodes = min(nodes, limits.max_nodes // 2)
        quick = limits._replace(max_length=None, max_nodes=nodes)
        for even in self._few.search(state, quick):
            counts = even.counts
            answer = self._priced(state, even, self._few)
            cost = ANY_LENGTH if answer is None else self._cost(answer)
            if answer is not None and cost < known and cost <= length_limit(limits):
                known = cost
                yield answer
                if limits.max_length is not None:
                    return
        left = budget.timeout
        if limits.max_nodes is not None:
            spent = sum(generated for generated, _ in counts)
            limits = limits._replace(max_nodes=max(limits.max_nodes - spent, 0))
        elif left is None and known < ANY_LENGTH:
            left = self.seconds
        for answer in self.shorter(state, limits._replace(timeout=left), known):
            yield answer._replace(counts=summed([counts, answer.counts]))

    def _priced(self, state: bytes, even: Candidate, few: Strategy) -> Candidate | None:
        """Return an answer of few steps with the steps of the metric; None if it cannot do them."""
        if even.phases is None:
            return None
        together = self.puzzle.together
        phases = [
            phase._replace(
                moves=tuple(together(step.moves) for step in few.metric.steps(phase.moves))
            )
            for phase in even.phases
        ]
        try:
            answer = self.candidate(phases, False, even.counts)
        except PuzzlekitError:
            return None
        solved = self.puzzle.is_solved(self.puzzle.apply(state, answer.moves or ()))
        return answer if solved else None


def directions(plan: Plan) -> list[Direction]:
    """Return the directions in which the phases of a plan can be searched.

    A rotation of the whole puzzle maps the moves of the phases to other moves. If several rotations
    give the same moves, only one of them is used. If every move has its inverse among the moves of
    its phase, the same directions with inversion follow. Every direction preserves the cost of
    every move. Only the identity is returned if states are not permutations, or if the cost of a
    move depends on the moves before it.
    """
    puzzle = plan.puzzle
    needs = [plan.resolved(phase) for phase in plan.phases]
    allowed = [each.moves for each in needs]
    moves = allowed[0]
    if not puzzle.invertible or any(each.remembers for each in needs):
        as_held = puzzle.whole_rotations[0]
        return [Direction(as_held, as_held, {move: move for move in moves}, False)]
    price = dict(zip(moves, needs[0].costs, strict=True))
    found: list[Direction] = []
    seen = set()
    for side in sides(puzzle, moves):
        back = side.back
        image = frozenset(
            frozenset(back[move].name for move in later if move in back) for later in allowed
        )
        dearer = any(price[move] != price[back[move]] for move in moves)
        if image not in seen and not dearer:
            seen.add(image)
            found.append(side)
    if all(are_undone(puzzle, each.moves, each.costs) for each in needs):
        found += [each._replace(inverted=True) for each in found]
    return found


def done_in(puzzle: Puzzle, direction: Direction, move: Move) -> Move:
    """Return what a move of a solution of the image is in a solution of the state."""
    turned = direction.back[move]
    return puzzle.inverse(turned) if direction.inverted else turned


def bytes_behind(moves: Sequence[Move], wanted: Iterable[int]) -> list[int]:
    """Return the sorted indices of bytes of a state: `wanted`, and those that moves bring there."""
    found: set[int] = set()
    new = set(wanted)
    while new:
        found |= new
        new = {move.gather[j] for move in moves for j in new} - found
    return sorted(found)


def premove_sequences(
    outer: CompiledPhase, inner: CompiledPhase, length: int
) -> list[tuple[int, ...]]:
    """Return the premove sequences of up to `length` moves, the shorter ones first.

    A sequence consists of moves of the first phase. Its first move is not a move of the last phase.
    Each sequence lists indices of moves. All sequences are canonical: the automaton of the first
    phase allows them.
    """
    later = set(inner.moves)
    fresh: list[tuple[tuple[int, ...], int]] = [
        ((move,), state) for move, state in outer.automaton[0] if outer.moves[move] not in later
    ]
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found += [sequence for sequence, _ in fresh]
        fresh = [
            ((*sequence, move), after)
            for sequence, state in fresh
            for move, after in outer.automaton[state]
        ]
    return found


def engine_premoves(
    puzzle: Puzzle,
    outer: CompiledPhase,
    sequences: Sequence[tuple[int, ...]],
    after: Sequence[int],
    turns: Sequence[Effect],
    picked: Sequence[int],
) -> Premoves:
    """Return the object with which the engine makes starts from premoves.

    - `puzzle`: the puzzle of the phases.
    - `outer`: the first phase, ready to search.
    - `sequences`: the premove sequences. A sequence lists indices into `outer.moves`.
    - `after`: the search begins to use sequences of i + 1 moves when it has generated `after[i]`
      nodes. The last number also holds for all longer sequences.
    - `turns`: further effects, for `Premoves.seen`. Their indices follow the indices of
      `outer.moves`.
    - `picked`: the indices of the bytes of a state that the search stores at each node.
    """
    effects = [*(move.effect for move in outer.moves), *turns]
    return Premoves(
        labels(puzzle, effects if puzzle.invertible else []),
        list(sequences),
        [sum(outer.costs[move] for move in sequence) for sequence in sequences],
        _stages(sequences, after),
        outer.engine_ranks(),
        list(picked),
    )


def _stages(sequences: Sequence[tuple[int, ...]], after: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each stage the number of sequences in use and the nodes after which it begins."""
    nodes = (0, *after)
    lengths = [len(sequence) for sequence in sequences]
    return [
        (sum(each <= length for each in lengths), nodes[min(length, len(after))])
        for length in range(max(lengths) + 1)
    ]
