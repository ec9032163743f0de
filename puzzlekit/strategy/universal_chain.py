"""Answers for any puzzle, made of short words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random

from puzzlekit.engine.automaton import pruned_pairs, redundancy_automaton
from puzzlekit.engine.insertion import WordSearch
from puzzlekit.errors import UsageError
from puzzlekit.prepare.assembled import Assembled
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.move import compose
from puzzlekit.run.driver import Deadline, Driver
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.answer import Answer, Counts, HowFound, PhaseMoves
from puzzlekit.strategy.beginnings import Beginnings
from puzzlekit.strategy.chain import Chain, length_limit
from puzzlekit.strategy.places import Places
from puzzlekit.strategy.short_answers import ShortAnswers
from puzzlekit.strategy.word_library import WordLibrary

_BEGINNINGS = 40  # random beginnings of answers, of which the best are searched
_PIECE = 4  # moves that an unsolved piece takes, for the choice of beginnings


class UniversalChain(Chain):
    """The search of `Universal` for one puzzle and metric.

    `seconds`, `effort` and `starts` are the fields of the strategy.
    """

    def __init__(self, plan: Plan, seconds: float, effort: int, starts: int) -> None:
        super().__init__(plan)
        self._seconds = seconds
        self._most_starts = starts
        self.places = Places.of(self.puzzle, self.metric)
        if not self.places.moves or len(self.places.moves) > 255:
            raise UsageError(
                f"{self.puzzle.name} has {len(self.places.moves)} moves; {plan.name} takes 1 to 255"
            )
        self.library = WordLibrary(self.places, plan.store, effort)
        self.beginnings = Beginnings(self.places, self.library.blocks, effort // 100)

    def _assemble(self, plan: Plan) -> list[Assembled]:
        return []  # nothing of the phase needs to be prepared

    @property
    def no_counts(self) -> Counts:
        """The counts before any search."""
        return ((0, 0),)

    @cached_property
    def _short(self) -> ShortAnswers:
        moves, costs = self.places.moves, self.places.costs
        modulus = self.puzzle.modulus
        effects = [move.effect for move in moves]
        pairs = pruned_pairs(
            effects,
            costs,
            lambda one, other: compose(one, other, modulus),
            self.puzzle.holdings[0],
        )
        return ShortAnswers(self.puzzle, moves, redundancy_automaton(pairs), self.metric)

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield ever shorter answers, then a record with the totals."""
        deadline = Deadline(limits.timeout)
        driver = Driver(limits, deadline)
        short = self._short.find(state)
        if short is not None and self.metric.total(short) <= length_limit(limits):
            proven = self.metric.total(short) <= self._short.proven_cost
            found = PhaseMoves(0, short, HowFound(directly=True))
            yield self.answer([found], proven, self.no_counts, shortest=(0,) if proven else ())
            return
        state, starts = self._starts(state)
        if not starts:
            yield Answer(None, False, self.no_counts)
            return
        labels, turns = self.places.seen(state)
        beginnings = self.beginnings
        searches = [
            WordSearch(
                self.places.engine,
                self.library.library,
                labels,
                turns,
                self.places.wanted,
                beginnings.block,
                [block.even for block in beginnings.blocks],
                [block.step for block in beginnings.blocks],
                starts[number % len(starts) :] + starts[: number % len(starts)],
                number + 1,
            )
            for number in range(limits.threads)
        ]
        for search in searches:
            search.tighten(length_limit(limits))

        def counts() -> Counts:
            return ((sum(search.work for search in searches),) * 2,)

        _, cpu = yield from self.shortening(
            searches,
            lambda _, raw: self.answer([PhaseMoves(0, self.places.named(raw[0]))], False, counts()),
            limits,
            driver,
            deadline,
            self._seconds,
        )
        yield Answer(None, False, counts(), helpers_cpu=cpu)

    def _starts(self, state: bytes) -> tuple[bytes, list[bytes]]:
        """Return the state, with its pieces named as in some holding, and words to start with."""
        for held in self.puzzle.holdings:
            named = self.puzzle.recolour(state, held)
            labels, turns = self.places.seen(named)
            word = self.beginnings.word(labels, turns)
            if word is not None:
                return named, self._best(labels, turns, word)
        return state, []

    def _best(self, labels: list[int], turns: list[int], word: bytes) -> list[bytes]:
        """Return the most promising of the words that begin at random."""
        rng = Random(1)
        found = {word}
        moves = range(len(self.places.moves))
        for _ in range(_BEGINNINGS):
            first = self.places.engine.shortened(bytes(rng.choices(moves, k=rng.randint(1, 4))))
            other = self.beginnings.word(labels, turns, first)
            if other is not None:
                found.add(other)

        def promise(word: bytes) -> tuple[int, bytes]:
            at, by = self.beginnings.after(labels, turns, word)
            wrong = zip(at, self.places.wanted, by, strict=True)
            left = sum(here != wanted or turned > 0 for here, wanted, turned in wrong)
            return sum(self.places.costs[move] for move in word) + _PIECE * left, word

        return sorted(found, key=promise)[: self._most_starts]
