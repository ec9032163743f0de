"""Chain two phases: try longer first phases while the total can still become shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlekit.engine.improve import ImproveSearch, Link
from puzzlekit.engine.ranks import Carry
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import DeclarationError
from puzzlekit.search.compiled_phase import Assembled, assemble, bytes_behind, carry_bytes
from puzzlekit.search.directions import Direction, directions
from puzzlekit.search.driver import Deadline, Driver
from puzzlekit.search.limits import Limits
from puzzlekit.search.premoves import engine_premoves, premove_sequences
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.answer import Candidate, Counts, HowFound, PhaseMoves, summed
from puzzlekit.search.strategies.chain import ANY_LENGTH, Chain, length_limit

# All answers up to this cost are searched first, so that a short scramble never gets a long answer.
# From a state with a larger estimate, this search generates no node.
_SHORT = 5


class ImproveChain(Chain):
    """A chain of two phases. It tries longer first phases while the total can become shorter."""

    def __init__(
        self,
        plan: Plan,
        premoves: int,
        premoves_after: tuple[int, ...],
        seconds: float,
        finish_nodes: int,
    ) -> None:
        self._finish_nodes = finish_nodes
        self._length = premoves
        self._after = premoves_after
        self._seconds = seconds
        super().__init__(plan)

    def _assemble(self, plan: Plan) -> list[Assembled]:
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
        first = assemble(plan, outer, early, after=inner)
        second = assemble(plan, inner, late, before=first)
        self.directions = directions(plan)
        # The search carries only the bytes of a state that the second phase ranks.
        ranked = {j for each in inner.coordinates for j in each.reads}
        reads = bytes_behind(first.moves, ranked)
        byte_at = {j: i for i, j in enumerate(reads)}
        self._link = Link(
            carry_bytes(puzzle, first.moves, reads),
            second.inputs.engine_ranks(byte_at),
            second.order.entries,
            self._finish_nodes,
        )
        counted = puzzle.invertible and not first.order.sources
        length = self._length if counted else 0
        self._sequences = premove_sequences(first, second, length)
        sides = [each for each in self.directions if not each.inverted]
        turns = [side.rotation for side in sides]
        self._premoves = engine_premoves(puzzle, first, self._sequences, self._after, turns, reads)
        self._turns = list(range(len(first.moves), len(first.moves) + len(turns)))
        self._back = Carry([side.unrotation for side in sides], puzzle.modulus)
        return [first, second]

    def _searches(
        self, state: bytes, threads: int
    ) -> tuple[list[ImproveSearch], list[list[Direction]]]:
        """Return the engine's searches, and the directions of each.

        A direction is an image of the state (see `puzzlekit.search.directions`). If several
        directions give the same image, only one of them is searched. Each search gets some of the
        directions. There is one search per thread, but not more searches than directions.
        """
        first, second = self.phases
        images: dict[bytes, Direction] = {}
        for naming in self.namings(state):
            for image, direction in zip(self._seen(naming), self.directions, strict=True):
                images.setdefault(image, direction)
        hands = [list(images)[i::threads] for i in range(min(threads, len(images)))]
        try:
            searches = [
                ImproveSearch(first.space, second.space, self._link, self._premoves, hand, 0)
                for hand in hands
            ]
        except ValueError:
            first.inputs.ranks(state)  # raises an error that names the undefined coordinate
            raise
        return searches, [[images[image] for image in hand] for hand in hands]

    def _seen(self, state: bytes) -> list[bytes]:
        """Return the state in each direction."""
        if len(self.directions) == 1:
            return [state]
        both = [state, self.puzzle.invert(state)]
        return self._premoves.seen(both, self._turns, self._back)

    def answers(self, state: bytes, limits: Limits, below: int = ANY_LENGTH) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals.

        All answers cost less than `below`, the cost of an answer that is already known.
        """
        deadline = Deadline(limits.timeout)
        driver = Driver(limits, deadline)
        longest = min(length_limit(limits), below - 1)
        known = below < ANY_LENGTH
        searches, looking = self._searches(state, limits.threads)
        found = proven = False
        cpu = 0.0
        # Short answers are searched first, in one thread, because each search finds all of them.
        short = searches[0]
        short.restart(min(_SHORT, longest))
        while (status := driver.run(short)) == FOUND:
            found = True
            answer = self._answer(short.answer, looking[0], searches)
            short.tighten(self._cost(answer) - 1)
            yield answer
        if status == EXHAUSTED:
            proven = (found or known) and not short.is_capped
            if not found and longest > _SHORT:
                for search in searches:
                    search.restart(longest)
                proven, cpu = yield from self.shortening(
                    searches,
                    lambda number, raw: self._answer(raw, looking[number], searches),
                    limits,
                    driver,
                    deadline,
                    self._seconds,
                    known,
                )
        yield Candidate(None, proven, self._counts(searches), helpers_cpu=cpu)

    def shorter(self, state: bytes, limits: Limits, cost: int) -> Iterator[Candidate]:
        """Yield ever shorter answers that cost less than `cost`, then a record with the totals."""
        return self.answers(state, limits, cost)

    def pool(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> Pool:
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
            self._premoves,
            images,
            length_limit(limits),
            spent,
        )
        return Pool(self, search, origin)

    def _cost(self, answer: Candidate) -> int:
        """Return the cost of an answer; after merging, it may be less than the engine's cost."""
        return self.metric.total(answer.moves or ())

    def _counts(self, searches: list[ImproveSearch]) -> Counts:
        return summed(search.nodes for search in searches)

    def _answer(
        self,
        answer: tuple[int, list[int], list[int], int, int],
        looking: list[Direction],
        searches: list[ImproveSearch],
    ) -> Candidate:
        phases = self.phases_of(answer, looking[answer[0]])
        return self.answer(phases, False, self._counts(searches))

    def phases_of(
        self, answer: tuple[int, list[int], list[int], int, int], direction: Direction
    ) -> list[PhaseMoves]:
        """Return the moves of an answer of the engine, phase by phase.

        The engine may have searched the state in another `direction`. The moves that are returned
        solve the original state.
        """
        _, outer, inner, sequence, _ = answer
        first, second = self.phases
        moves = [
            [first.moves[move] for move in outer],
            [second.moves[move] for move in inner]
            + [first.moves[move] for move in self._sequences[sequence]],
        ]
        found = HowFound(
            rotated=direction.rotation != self.puzzle.whole_rotations[0],
            inverted=direction.inverted,
            premoves=len(self._sequences[sequence]),
        )
        carried = direction.carry_back(self.puzzle, moves)
        return [PhaseMoves(number, own, found) for number, own in carried]


class Pool(NamedTuple):
    """One search of the engine from several states."""

    chain: ImproveChain
    #: The search of the engine.
    search: ImproveSearch
    #: For each start of the search, the number of its state and its direction.
    origin: list[tuple[int, Direction]]

    def found(self) -> tuple[int, list[PhaseMoves]]:
        """After FOUND, return the index of the solved state, and its moves phase by phase."""
        raw = self.search.answer
        number, direction = self.origin[raw[0]]
        return number, self.chain.phases_of(raw, direction)
