"""The strategy that solves any puzzle from its moves alone, with short words."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from copy import copy
from functools import cached_property
from math import inf
from random import Random
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, Heuristic, Limits, Phase, UsageError
from puzzlekit.engine.statuses import FOUND
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit
from puzzlekit_universal.beginnings import Beginnings
from puzzlekit_universal.engine.approach import Approach
from puzzlekit_universal.engine.insertion import WordSearch
from puzzlekit_universal.engine.word_pieces import WordPieces
from puzzlekit_universal.growth import Growth
from puzzlekit_universal.places import Places, undoable_moves
from puzzlekit_universal.word_library import WordLibrary

if TYPE_CHECKING:
    from puzzlekit_universal.by_pieces import PieceSearch

_SLOWER = 50  # by this factor, an interpreted engine looks at less
_BEGINNINGS = 40  # random beginnings of answers, of which the best are searched
_PIECE = 3.7  # moves that an unsolved piece takes, for the choice of beginnings
_FIRST_NODES = 20_000_000  # insertions that the search of the first answer compares, at most
_NODES_BY_PLACE = 10_000  # more of them for each place
_WIDTH = 3000  # words of a level of a beam for beginnings, at least if a few seconds are left
_WIDER = 1000  # more of these words for each second
_MOST_LABELS = 2_000_000  # places in all words of a level
_LEVELS = 28  # moves of the longest of these words
_SHORT = 4  # moves of the longest answers that are looked for by comparing pairs of moves
_MOST_COMPARED = 30_000_000  # numbers of all pairs of moves, if they are compared
_TRIED = 500  # places of all words of a level that are tried as beginnings


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Universal(Strategy):
    """Solves a puzzle with short words that permute three pieces or twist two.

    The phase needs no coordinates and no tables: its goal is the solved puzzle. The first moves of
    an answer bring the parities right, and solve the orbits in which no word permutes three pieces
    alone. Words that permute three pieces are then inserted where most moves cancel. At last,
    stretches of the answer are deleted, and what becomes unsolved is solved again with fewer moves.
    The answers are short, but seldom shortest.

    >>> Universal(seconds=5.0).needs_coordinates
    False
    """

    needs_coordinates = False

    #: Seconds for which the search continues after the first answer, if there is no limit of time
    #: or nodes.
    seconds: float = 2.0
    #: Number of commutators that are tried while words are collected, at least 1. More of them give
    #: shorter words, and reach the pieces of larger puzzles. The table takes longer to build.
    effort: int = 1_000_000
    #: Number of beginnings of answers from which the search starts, at least 1.
    starts: int = 8
    #: Whether the engine is interpreted (see `interpreted`).
    slow: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase without a view, and for wrong fields."""
        if len(phases) != 1 or phases[0].view is not None:
            raise DeclarationError(f"method {name}: Universal has one phase, without a view")
        if self.seconds < 0 or self.effort < 1 or self.starts < 1:
            raise DeclarationError(
                f"method {name}: seconds must be 0 or more, effort and starts 1 or more"
            )

    def interpreted(self) -> Universal:
        """Return the strategy with a fiftieth of the search, few starts, and without NumPy.

        It opens the words that a compiled engine has collected.
        """
        return attrs.evolve(self, starts=min(2, self.starts), slow=True)

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield nothing, because the phase has no tables."""
        yield from ()

    def prepare(self, plan: Plan) -> None:
        """Load or collect the words. The phase itself has nothing to prepare."""
        if not plan.metric.counts:
            raise UsageError(
                f"{plan.name} of {plan.puzzle.name} does not support {plan.metric.kind}s"
            )
        self.phases = []
        # Pieces that a level of a beam for beginnings looks at.
        self._approach = 20 * self.effort // (_SLOWER if self.slow else 1)
        self.places = Places.of(self.puzzle, self.metric, undoable_moves(plan))
        if not self.places.moves or len(self.places.moves) > 255:
            raise UsageError(
                f"{self.puzzle.name} has {len(self.places.moves)} moves; {plan.name} takes 1 to 255"
            )
        self._pieces = None if self.slow else self._by_cycles()
        self._is_open = False
        if self._pieces is None:
            self._open()

    def _by_cycles(self) -> PieceSearch | None:
        """Return the search that solves kind by kind; None if words for all kinds do as well."""
        from puzzlekit_universal.by_pieces import PieceSearch
        from puzzlekit_universal.piece_cycles import cycles_of

        kinds = cycles_of(self.places, self.plan.store, self.effort)
        return PieceSearch(self.places, kinds) if kinds else None

    def _open(self) -> None:
        """Load or collect, once, the words of pieces whose orientations are a number."""
        if self._is_open:
            return
        store = self.plan.store
        self.library = WordLibrary(self.places, store, self.effort)
        self.beginnings = Beginnings(self.places, self.library.blocks, store, self.effort // 100)
        self._is_open = True

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    @property
    def _is_small(self) -> bool:
        """Whether all pairs of moves can be compared in a second or so."""
        return len(self.places.moves) ** 2 * len(self.places.modulus) < _MOST_COMPARED

    @cached_property
    def _short(self) -> ShortAnswers:
        return ShortAnswers(self.puzzle, self.places.moves, self.metric)

    def list_short(self) -> None:
        """List the states a few moves from the solved one now, which the first search would do."""
        if self._is_small:
            self._short.find(self.puzzle.solved)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        yield from self.beyond(state, limits, 0)

    def beyond(self, state: bytes, limits: Limits, bound: int) -> Iterator[Candidate]:
        """Do the same for a state that has no answer of a cost below `bound`."""
        budget = Budget(limits)
        looks = bound <= _SHORT and self._is_small
        short = self._short.find(state) if looks else None
        if short is not None and self.metric.total(short) <= length_limit(limits):
            proven = self.metric.total(short) <= self._short.proven_cost
            found = PhaseMoves(0, short, HowFound(directly=True))
            yield self.candidate([found], proven, self.no_counts, shortest=(0,) if proven else ())
            return
        if self._pieces is not None:
            if (yield from self._by_pieces(copy(self._pieces), state, budget)):
                return
            self._open()
        state, word = self._beginning(state, budget)
        if word is None:
            yield Candidate(None, False, self.no_counts)
            return
        labels, turns = self.places.seen(state)
        first = self._word_search(labels, turns, [word], 1)
        first.tighten(length_limit(limits))
        searches = [first]

        def answer(raw: tuple[bytes, int]) -> Candidate:
            done = sum(search.work for search in searches)
            return self.candidate(
                [PhaseMoves(0, self.places.named(raw[0]))], False, ((done, done),)
            )

        longest = length_limit(limits)
        most = _FIRST_NODES + _NODES_BY_PLACE * len(labels)
        if budget.run(first, nodes=most) == FOUND:
            early = answer(first.answer)
            yield early
            if limits.max_length is not None:
                return
            longest = self.metric.total(early.moves or ()) - 1
        if limits.timeout is None and limits.max_nodes is None and longest < ANY_LENGTH:
            budget.allow(self.seconds)
        starts = self._best(labels, turns, word, budget)
        grown: list[bytes] = []
        growth = Growth(
            self.places,
            self.beginnings,
            lambda start: self._word_search(labels, turns, [start], 1),
            labels,
            turns,
            budget,
        )
        for better in growth.answers(starts):
            grown.append(better)
            if self.metric.total(self.places.named(better)) <= longest:
                longest = self.metric.total(self.places.named(better)) - 1
                yield answer((better, 0))
                if limits.max_length is not None:
                    return
        starts = grown[:-4:-1] + starts
        for number in range(limits.threads):
            turned = number % len(starts)
            own = starts[turned:] + starts[:turned]
            searches.append(self._word_search(labels, turns, own, number + 1))
            searches[-1].tighten(longest)
        _, cpu = yield from self.shortening(
            searches[1:],
            lambda _, raw: answer(raw),
            budget,
            self.seconds,
        )
        done = sum(search.work for search in searches)
        yield Candidate(None, False, ((done, done),), helpers_cpu=cpu)

    def _by_pieces(
        self, pieces: PieceSearch, state: bytes, budget: Budget
    ) -> Generator[Candidate, None, bool]:
        """Yield ever shorter answers, then the totals; return whether the search is over."""
        limits = budget.limits

        def over() -> bool:
            out = limits.max_nodes is not None and pieces.work >= limits.max_nodes
            return out or budget.left <= 0 or budget.is_cancelled

        known, longest = False, length_limit(limits)
        for held in self.puzzle.whole_rotations:
            for word in pieces.answers(self.puzzle.relabel(state, held), over):
                known = True
                moves = self.places.named(word)
                counts = ((pieces.work, pieces.work),)
                if self.metric.total(moves) <= longest:
                    yield self.candidate([PhaseMoves(0, moves)], False, counts)
                    if limits.max_length is not None:
                        return True
                if limits.timeout is None and limits.max_nodes is None:
                    budget.allow(self.seconds)
            if known or over():
                yield Candidate(None, False, ((pieces.work, pieces.work),))
                return True
        return False

    def _word_search(
        self, labels: list[int], turns: list[int], starts: list[bytes], seed: int
    ) -> WordSearch:
        blocks = self.beginnings.blocks
        pieces = WordPieces(
            self.places.engine,
            labels,
            turns,
            self.places.wanted,
            self.beginnings.block,
            [block.even for block in blocks],
            [block.step for block in blocks],
        )
        library, divisor = self.library.library, _SLOWER if self.slow else 1
        return WordSearch(self.places.engine, library, pieces, starts, seed, divisor)

    def _beginning(self, state: bytes, budget: Budget) -> tuple[bytes, bytes | None]:
        """Return the state with its pieces named as in some holding, and a word to start with."""
        for held in self.puzzle.whole_rotations:
            named = self.puzzle.relabel(state, held)
            word = self.beginnings.word(*self.places.seen(named), seconds=min(60.0, budget.left))
            if word is not None:
                return named, word
        return state, None

    def _best(
        self, labels: list[int], turns: list[int], word: bytes, budget: Budget
    ) -> list[bytes]:
        """Return the most promising words to start with.

        They begin with moves that solve many pieces, or with random moves.
        """
        engine = self.places.engine
        rng = Random(1)
        moves = range(len(self.places.moves))
        firsts = [bytes(rng.choices(moves, k=rng.randint(1, 4))) for _ in range(_BEGINNINGS)]
        size = len(labels) * len(moves)
        seconds = 0.0 if budget.left == inf else max(0.0, budget.left - 5)
        more = 1 + seconds * _WIDER / _WIDTH
        width = min(int(_WIDTH * more), int(self._approach * more) // size)
        width = max(8, min(width, _MOST_LABELS // len(labels)))
        beam = Approach(engine, labels, turns, self.places.wanted, width, _LEVELS)
        while budget.left > 0 and beam.deepen():
            firsts += beam.best(max(1, _TRIED // len(labels)))
        found = {word}
        for first in dict.fromkeys(map(engine.shortened, firsts)):
            if budget.left <= 0:
                break
            left = min(1.0, budget.left)
            other = self.beginnings.word(labels, turns, first, left)
            if other is not None:
                found.add(other)

        def promise(word: bytes) -> tuple[float, bytes]:
            at, by = self.beginnings.after(labels, turns, word)
            wrong = zip(at, self.places.wanted, by, strict=True)
            left = sum(here != wanted or turned > 0 for here, wanted, turned in wrong)
            return sum(self.places.costs[move] for move in word) + _PIECE * left, word

        return sorted(found, key=promise)[: self.starts]
