"""Grow a word that solves few pieces into an answer, by steps that climb and steps that insert."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from math import inf
from random import Random

from puzzlekit.search.budget import Budget
from puzzlekit_universal.beginnings import Beginnings
from puzzlekit_universal.engine.climb import Climb
from puzzlekit_universal.engine.insertion import WordSearch
from puzzlekit_universal.places import Places

PRICE = 2.2  # moves that an unsolved piece takes, about
_WORTHS = (60, 80, 110)  # hundredths of a move that a solved piece is worth, at first
_WORTH = 110  # the least, later
_SAVING = 95  # hundredths of the moves that words of 3-cycles took for a piece: the worth, later
_HEAT = 20  # hundredths of a move: by so much worse steps are e times less likely, by chance
_WARM = 3  # times that a climb goes through a word by chance, before it goes straight up
_NEVER = 200_000  # the worth of a piece, if no solved piece is given up
_PART = 20  # pieces that words of 3-cycles solve between two climbs, at least
_SHARE = 10  # of the unsolved pieces, if they are more
_EFFORT = 60_000  # insertions that are compared for a word of a 3-cycle, at least
_MORE_EFFORT = 20_000  # the same, more for each second
_SMALL = 200  # places; in larger puzzles, moves come with their inverses after the first climb
_SHARE_OF_TIME = 0.6  # after which words of 3-cycles solve what is left, without climbs
_FIRST_SHARE = 0.85  # the same, if no word is grown yet
_BUDGET = 2_000_000  # pieces that a climb looks at before the time is tested
_REST = 1_000_000  # insertions before the time is tested
_RESTS = 100  # tests of the time, at most
_STRETCH = 3  # a part lacks at most one of this number of parts of a word
_WORSE = (0, 0, 0, 1, 2)  # by which the next word may cost more than the one before
_RETURN = 0.02  # how often the search returns to the best word, after a worse one
_LONGER = 5  # moves for each place by which a word may grow


class Growth:
    """Grows words into answers.

    Inserting a move and its inverse is the cheapest way to solve pieces, as long as many pieces are
    unsolved or the word has stretches that nearly solve some. Words of 3-cycles solve some pieces
    more, and make such stretches. Both take turns.
    """

    def __init__(
        self,
        places: Places,
        beginnings: Beginnings,
        #: Makes a search that begins with a word.
        search: Callable[[bytes], WordSearch],
        labels: Sequence[int],
        turns: Sequence[int],
        budget: Budget,
    ) -> None:
        self._places = places
        self._beginnings = beginnings
        self._search = search
        self._labels = list(labels)
        self._turns = list(turns)
        self._budget = budget
        self._seconds = budget.left if budget.left < inf else 0.0
        self._effort = _EFFORT + round(_MORE_EFFORT * self._seconds)
        # Seconds at the end in which only words of 3-cycles are inserted.
        self._spared = self._seconds * (1 - _FIRST_SHARE)

    def _over(self, left: float = 0.0) -> bool:
        """Whether at most this number of seconds is left, or the search is cancelled."""
        return self._budget.left <= left or self._budget.is_cancelled

    def answer(self, start: bytes) -> bytes | None:
        """Return a word that solves all pieces; None if there is no time, or none is found."""
        word = self._usable(self._climbed(start, _WORTHS, alone=True, spared=self._spared))
        left = self.left(word)
        while left > _PART // 2 and not self._over(self._spared):
            part = self._search(word).part(max(_PART, left // _SHARE), self._effort)
            if self.left(part) >= left:
                break
            kinds = (False, True) if len(self._labels) <= _SMALL else (False,)
            price = (self._cost(part) - self._cost(word)) / (left - self.left(part))
            worth = max(_WORTH, round(_SAVING * price))
            word = min((self._next(part, worth, alone) for alone in kinds), key=self.promise)
            if self.left(word) >= left:
                word = part
            left = self.left(word)
        search = self._search(word)
        for _ in range(_RESTS):
            if not (self._over() or search.has_answer or search.has_failed):
                search.run(_REST)
        if not search.has_answer:
            return None
        return self._climbed(search.answer[0], (_NEVER,), alone=False, spared=0.0)

    def answers(self, starts: Sequence[bytes]) -> Iterator[bytes]:
        """Yield ever better words that solve all pieces: from starts, then from parts of answers.

        If there is no limit of time, only the starts are used.
        """
        rng = Random(1)
        best = kept = b""
        for start in chain(starts, repeat(b"") if self._budget.left < inf else ()):
            if best and self._over(self._spared):
                return
            word = self.answer(start or self._ruined(kept, rng))
            if word is None:
                if self._over() or not (start or best):
                    return
                continue
            self._spared = self._seconds * (1 - _SHARE_OF_TIME)
            cost = self._cost(word)
            if not best or cost < self._cost(best):
                best = word
                yield word
            if not kept or cost <= self._cost(kept) + rng.choice(_WORSE):
                kept = word
            elif rng.random() < _RETURN:
                kept = best

    def _ruined(self, word: bytes, rng: Random) -> bytes:
        """Return a word without a stretch of its moves."""
        length = rng.randint(1, max(1, len(word) // _STRETCH))
        begin = rng.randint(0, max(0, len(word) - length))
        return self._places.engine.shortened(word[:begin] + word[begin + length :])

    def left(self, word: bytes) -> int:
        """Return the number of unsolved pieces after a word."""
        at, by = self._beginnings.after(self._labels, self._turns, word)
        wrong = zip(at, self._places.wanted, by, strict=True)
        return sum(here != wanted or turned > 0 for here, wanted, turned in wrong)

    def promise(self, word: bytes) -> float:
        """Return about how many moves an answer takes that begins with a word."""
        return self._cost(word) + PRICE * self.left(word)

    def _cost(self, word: bytes) -> int:
        return sum(map(self._places.costs.__getitem__, word))

    def _next(self, word: bytes, worth: int, alone: bool) -> bytes:
        return self._usable(self._climbed(word, (worth,), alone, self._spared, _WARM))

    def _usable(self, word: bytes) -> bytes:
        """Return a word that begins with a word, after which the library can solve the rest."""
        found = self._beginnings.word(self._labels, self._turns, word)
        assert found is not None  # the state before the word has such a word
        return found

    def _climbed(
        self, word: bytes, worths: Sequence[int], alone: bool, spared: float, warm: int = 0
    ) -> bytes:
        labels, turns, wanted = self._labels, self._turns, self._places.wanted
        room = len(word) + _LONGER * len(labels)
        climb = Climb(self._places.engine, labels, turns, wanted, word, room, alone)
        for worth in worths:
            while warm and not self._over(spared):
                warm -= climb.run(worth, _BUDGET, _HEAT)
            before = b""
            while climb.answer != before and not self._over(spared):
                before = climb.answer
                while not self._over(spared) and not climb.run(worth, _BUDGET):
                    pass
        return climb.answer
