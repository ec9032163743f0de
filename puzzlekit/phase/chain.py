"""Chaining phases: the first answer of each, or ever shorter answers of two together."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit.coordinate.programs import rebase
from puzzlekit.engine.improve import ImproveSearch, Link
from puzzlekit.engine.search import Search
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.base import Heuristic
from puzzlekit.phase.assembly import Assembled, assemble, carry_bytes
from puzzlekit.phase.declaration import Method
from puzzlekit.phase.directions import Direction, directions, look
from puzzlekit.phase.driver import EXHAUSTED, FOUND, Deadline, Driver, Solo
from puzzlekit.phase.joiners import format_joiners
from puzzlekit.phase.merge import merge
from puzzlekit.phase.premoves import engine_premoves, premove_sequences
from puzzlekit.phase.short import LONGEST, ShortAnswers
from puzzlekit.phase.solution import Limits
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.phase.team import Team

_ANY_LENGTH = 1 << 20
# Every answer within this cost is looked for before anything else, so that a short scramble never
# gets a long answer.
_SHORT = 5
# Looking for more answers of a phase takes so many nodes, or as many as the first one took.
_LEAST_NODES = 20_000

Counts = tuple[tuple[int, int], ...]
Parts = Sequence[tuple[int, tuple[Move, ...]]]
Reached = tuple[int, tuple[Move, ...], bytes]  # an answer of a phase: cost, moves, state after them


class Answer(NamedTuple):
    """What a chain has found.

    `parts` gives (number of the phase, its moves) in the order in which they are done, `moves` all
    of them, merged; both are None at the end of the search, when only the counts (generated,
    expanded nodes of each phase) and `proven` are news. `seen` says how the goal of a phase is to
    be understood, where it is not reached in the puzzle as held; `helpers_cpu` is the CPU time of
    other threads; `shortest` has the numbers of the phases whose moves are known to be the cheapest
    that reach the phase's goal.
    """

    parts: Parts | None
    moves: tuple[Move, ...] | None
    proven: bool
    counts: Counts
    seen: str = ""
    helpers_cpu: float = 0.0
    shortest: frozenset[int] = frozenset()


def _longest(limits: Limits) -> int:
    """The length limit as the engine takes it."""
    return min(_ANY_LENGTH, limits.max_length if limits.max_length is not None else _ANY_LENGTH)


class _Chain:
    """A method made ready for one metric, and for one heuristic a phase."""

    def __init__(
        self,
        puzzle: Puzzle,
        method: Method,
        metric: Metric,
        joiners: tuple[Heuristic, ...],
        store: TableStore,
    ) -> None:
        self.puzzle = puzzle
        self.method = method
        self.metric = metric
        self.heuristic = format_joiners(joiners)
        self.phases = self._assemble(joiners, store)
        self.admissible = all(phase.admissible for phase in self.phases)

    def _assemble(self, joiners: tuple[Heuristic, ...], store: TableStore) -> list[Assembled]:
        return [
            assemble(self.puzzle, phase, self.metric, joiner, store)
            for phase, joiner in zip(self.method.phases, joiners, strict=True)
        ]

    @property
    def no_counts(self) -> Counts:
        """The counts before anything was searched."""
        return ((0, 0),) * len(self.phases)

    def answer(
        self,
        parts: Parts,
        proven: bool,
        counts: Counts,
        seen: str = "",
        shortest: Collection[int] = (),
    ) -> Answer:
        """An answer, its moves merged over the seams of the phases."""
        moves = merge(self.puzzle, [move for _, part in parts for move in part])
        return Answer(parts, moves, proven, counts, seen, shortest=frozenset(shortest))

    def normal(self, state: bytes) -> bytes:
        """The state with its pieces renamed as the method wants it.

        Such that the places it fixes are solved, and so near to the first goal as possible if it
        recolours.
        """
        puzzle = self.puzzle
        fixed = [
            byte
            for name, places in self.method.fixed.items()
            for place in places.split()
            for byte in _bytes_of(puzzle, name, place)
        ]
        best: tuple[int, bytes] | None = None
        every = fixed or self.method.recolour
        for held in puzzle.holdings if every else puzzle.holdings[:1]:
            renamed = puzzle.recolour(state, held)
            if any(renamed[byte] != puzzle.solved[byte] for byte in fixed):
                continue
            if not self.method.recolour:
                return renamed
            estimate = self.phases[0].estimate(puzzle, renamed)
            if best is None or estimate < best[0]:
                best = estimate, renamed
        if best is not None:
            return best[1]
        raise DeclarationError(f"no way of holding {puzzle.name} solves what is fixed")


def _bytes_of(puzzle: Puzzle, name: str, place: str) -> list[int]:
    """The numbers of the bytes that say what sits at a place, and how."""
    orbit = puzzle.orbit(name)
    label = puzzle.offsets[name] + orbit.place(place)
    return [label, label + orbit.size] if orbit.orientations > 1 else [label]


class FirstChain(_Chain):
    """Takes the first answer of each phase, shortest first where the estimate is admissible."""

    def _short(self, state: bytes, limits: Limits) -> Answer | None:
        """An answer of a few moves, where the chain's own search might miss it."""
        if self.admissible and len(self.phases) == 1:
            return None
        moves = self._short_answers.find(state)
        if moves is None:
            return None
        cost = sum(map(self.metric.cost, moves))
        if limits.max_length is not None and cost > limits.max_length:
            return None
        last = len(self.phases) - 1
        proven = cost <= LONGEST  # any answer that costs no more has no more moves
        return self.answer(
            ((last, moves),), proven, self.no_counts, shortest=(last,) if proven else ()
        )

    @cached_property
    def _short_answers(self) -> ShortAnswers:
        return ShortAnswers(self.puzzle, self.phases[0], self.metric)

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield the answer, if there is one within the limits."""
        if (answer := self._short(state, limits)) is not None:
            yield answer
            return
        driver = Driver(limits, Deadline(limits.timeout))
        left = _longest(limits)
        counts = [(0, 0)] * len(self.phases)
        shortest: set[int] = set()
        parts = self._from(0, state, left, driver, counts, shortest)
        if parts is not None:
            proven = self.admissible and len(self.phases) == 1
            yield self.answer(parts, proven, tuple(counts), shortest=shortest)

    def _from(
        self,
        number: int,
        state: bytes,
        left: int,
        driver: Driver,
        counts: list[tuple[int, int]],
        shortest: set[int],
    ) -> list[tuple[int, tuple[Move, ...]]] | None:
        """Solve from the phase of that number on; None if it cannot be done at that cost.

        Where later phases fail for want of cost, the next answer of this one is tried. Phases whose
        moves are known to be the cheapest are added to `shortest`.
        """
        if number == len(self.phases):
            return []
        phase = self.phases[number]
        search = Search(phase.space)
        phase.start(search, self.puzzle, state, left)
        parts = None
        for (spent, moves, reached), cheapest in self._choose(number, search, state, driver, left):
            rest = self._from(number + 1, reached, left - spent, driver, counts, shortest)
            if rest is not None:
                parts = [(number, moves), *rest]
                if phase.admissible and cheapest:
                    shortest.add(number)
                break
        generated, expanded = counts[number]
        counts[number] = (
            generated + search.generated_nodes,
            expanded + search.expanded_nodes,
        )
        return parts

    def _choose(
        self, number: int, search: Search, state: bytes, driver: Driver, left: int
    ) -> Iterator[tuple[Reached, bool]]:
        """Yield the answers of a phase, and whether each costs no more than the first one found.

        They come as the search finds them; but of those that it finds at one bound on the cost a
        few together, the most promising one first, as long as looking for more takes no longer than
        finding one did. Those from which the next phase is known to cost more than is left are
        passed over.
        """
        several = self.method.choices if number + 1 < len(self.phases) else 1
        least: int | None = None
        while self._run(number, search, driver) == FOUND:
            nodes = max(_LEAST_NODES, search.work)
            found = [self._reached(number, search, state)]
            least = found[0][0] if least is None else least
            search.stay(True)
            while len(found) < several and nodes > 0:
                before = search.work
                if self._run(number, search, driver, nodes) != FOUND:
                    break
                nodes -= search.work - before
                found.append(self._reached(number, search, state))
            search.stay(False)
            if several > 1:
                later = self.phases[number + 1]
                rated = [(each[0] + later.estimate(self.puzzle, each[2]), each) for each in found]
                rated.sort(key=itemgetter(0))
                found = [each for cost, each in rated if cost <= left or not later.admissible]
            for each in found:
                if driver.over:  # no later phase can be searched
                    return
                yield each, each[0] <= least

    def _run(self, number: int, search: Search, driver: Driver, nodes: int | None = None) -> int:
        try:
            return driver.run(search, nodes=nodes)
        except ValueError as error:
            raise DeclarationError(f"phase {self.phases[number].phase.name}: {error}") from None

    def _reached(self, number: int, search: Search, state: bytes) -> Reached:
        moves = tuple(self.phases[number].moves[move] for move in search.path)
        return search.spent_here, moves, self.puzzle.apply(state, moves)

    def every_answer(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield every answer within the limits, the cheapest first."""
        if len(self.phases) > 1 or not self.admissible:
            raise UsageError(
                "only methods of one phase, with an admissible heuristic, find all solutions; "
                f"{self.method.name} does not"
            )
        (phase,) = self.phases
        driver = Driver(limits, Deadline(limits.timeout))
        search = Search(phase.space, exact=True)
        phase.start(search, self.puzzle, state, _longest(limits))
        least = None
        while self._run(0, search, driver) == FOUND:
            least = search.spent_here if least is None else least
            proven = search.spent_here == least
            moves = tuple(phase.moves[move] for move in search.path)
            counts = ((search.generated_nodes, search.expanded_nodes),)
            yield self.answer([(0, moves)], proven, counts, shortest=(0,) if proven else ())


class ImproveChain(_Chain):
    """Two phases whose first is lengthened as long as that can shorten the whole."""

    def _assemble(self, joiners: tuple[Heuristic, ...], store: TableStore) -> list[Assembled]:
        puzzle = self.puzzle
        outer, inner = self.method.phases
        for coordinate in outer.coordinates + inner.coordinates:
            if coordinate.engine_program is None:
                raise DeclarationError(f"the engine cannot rank the coordinate {coordinate.name}")
        if outer.view or inner.view:
            raise DeclarationError(f"method {self.method.name}: improving phases have no view")
        first = assemble(puzzle, outer, self.metric, joiners[0], store, after=inner)
        second = assemble(puzzle, inner, self.metric, joiners[1], store, before=first)
        if first.carried or second.carried:
            raise DeclarationError(f"method {self.method.name}: improving phases need move tables")
        self.directions = directions(puzzle, self.method, self.metric)
        # Only the bytes of a state that the inner phase ranks are carried along.
        reads = sorted({j for each in inner.coordinates for j in each.reads})
        byte_at = {j: i for i, j in enumerate(reads)}
        self._link = Link(
            carry_bytes(puzzle, first.moves, reads),
            [rebase(coordinate.engine_program or (), byte_at) for coordinate in inner.coordinates],
            second.entries,
            inner.caps.get(self.metric.name, _ANY_LENGTH),
        )
        length = self.method.premoves if puzzle.invertible else 0
        self._sequences = premove_sequences(first, second, length)
        self._premoves = engine_premoves(puzzle, first, self._sequences, reads)
        return [first, second]

    def _searches(
        self, state: bytes, threads: int
    ) -> tuple[list[ImproveSearch], list[list[Direction]]]:
        """The engine's searches from all directions in which the state looks different.

        The directions are dealt out to as many searches as there are threads, or directions.
        """
        first, second = self.phases
        images: dict[bytes, Direction] = {}
        for image, direction in look(self.puzzle, self.directions, state):
            images.setdefault(image, direction)
        hands = [list(images)[i::threads] for i in range(min(threads, len(images)))]
        first.ranks(state)  # raises where the first phase is not defined
        searches = [
            ImproveSearch(first.space, second.space, self._link, self._premoves, hand, 0)
            for hand in hands
        ]
        return searches, [[images[image] for image in hand] for hand in hands]

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield ever shorter answers, then the totals."""
        deadline = Deadline(limits.timeout)
        driver = Driver(limits, deadline)
        longest = _longest(limits)
        searches, looking = self._searches(state, limits.threads)
        found = proven = False
        # Short answers first, in one thread: any one search finds them all.
        short = searches[0]
        short.restart(min(_SHORT, longest))
        while (status := driver.run(short)) == FOUND:
            found = True
            answer = self._answer(short.answer, looking[0], searches)
            short.tighten(self._cost(answer) - 1)
            yield answer
        if status == EXHAUSTED:
            proven = found and not short.is_capped
            if not found and longest > _SHORT:
                for search in searches:
                    search.restart(longest)
                runner: Solo | Team = Solo(short, driver)
                if len(searches) > 1:
                    from puzzlekit.phase.team import Team  # one thread has no time to import it

                    runner = Team(searches, limits, deadline)
                proven = yield from self._long(runner, searches, looking, limits, deadline)
        yield Answer(None, None, proven, self._counts(searches))

    def _long(
        self,
        runner: Solo | Team,
        searches: list[ImproveSearch],
        looking: list[list[Direction]],
        limits: Limits,
        deadline: Deadline,
    ) -> Generator[Answer, None, bool]:
        """Yield ever shorter answers, or one that is short enough; return whether it is optimal."""
        found = False
        try:
            while (status := runner.run()) == FOUND and runner.found is not None:
                found = True
                number, raw = runner.found
                answer = self._answer(raw, looking[number], searches)
                runner.tighten(self._cost(answer) - 1)
                yield answer._replace(helpers_cpu=runner.cpu)
                if limits.max_length is not None:
                    return False
                if limits.timeout is None and limits.max_nodes is None:
                    # Without any limit an answer there has to be; improving it has its time.
                    deadline.allow(self.method.seconds)
            return found and status == EXHAUSTED
        finally:
            runner.stop()

    def _cost(self, answer: Answer) -> int:
        """The cost of an answer, which may be less than the engine's: its moves are merged."""
        return sum(map(self.metric.cost, answer.moves or ()))

    def _counts(self, searches: list[ImproveSearch]) -> Counts:
        nodes = [search.nodes for search in searches]
        return tuple(
            (sum(each[i][0] for each in nodes), sum(each[i][1] for each in nodes))
            for i in range(len(self.phases))
        )

    def _answer(
        self,
        answer: tuple[int, list[int], list[int], int, int],
        looking: list[Direction],
        searches: list[ImproveSearch],
    ) -> Answer:
        number, outer, inner, sequence, _ = answer
        first, second = self.phases
        parts = [
            [first.moves[move] for move in outer],
            [second.moves[move] for move in inner]
            + [first.moves[move] for move in self._sequences[sequence]],
        ]
        direction = looking[number]
        carried = direction.carry_back(self.puzzle, parts)
        seen = ["along another axis"] if direction.rotation != self.puzzle.holdings[0] else []
        if direction.inverted:
            seen.append("in the inverse of the state")
        if self._sequences[sequence]:
            seen.append("but for the last moves")
        return self.answer(carried, False, self._counts(searches), ", ".join(seen))
