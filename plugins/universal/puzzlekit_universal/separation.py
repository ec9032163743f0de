"""Find words that permute three pieces, as commutators of words that share one place.

If two words both move the piece at one place, and change no other place in common, then their
commutator permutes three pieces. The search takes two words that change few places, and conjugates
one of them by move after move. Each move must leave fewer places that both words change. So it
works for large puzzles, in which many moves change only a few of the places that are in the way.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import attrs
import numpy as np

from puzzlekit.engine.beats import beat
from puzzlekit_universal.places import Places

_WORDS = 60  # words that are separated: those that change fewest places
_FIRST = 4  # random moves of a conjugate, at most
_STEP = 10_000  # places that take as much time as a step takes besides looking at places


@attrs.frozen
class _ShortWord:
    moves: bytes
    #: The places that the word changes.
    changed: Any
    #: The places of the wanted orbit whose pieces it moves.
    moved: Any


class Separation:
    """A search for words that permute three pieces of one orbit."""

    def __init__(self, places: Places, orbit: int) -> None:
        self._places = places
        self._targets = np.array(places.targets)
        self._own = np.array(places.orbit) == orbit
        self._rng = Random(1)
        self._words = self._short_words()

    def found(self, work: int, longest: int, most: int) -> list[bytes]:
        """Return the shortest words found: at most `most`, of at most `longest` moves.

        The search looks at about `work` places.
        """
        words = set()
        while work > 0 and self._words:
            beat()
            one, other = self._rng.choice(self._words), self._rng.choice(self._words)
            by, done = self._separated(one, other)
            work -= done
            if by is not None:
                between = self._inverse(by) + other.moves + by
                back = self._inverse(one.moves) + self._inverse(between)
                words.add(self._places.engine.shortened(one.moves + between + back))
        fitting = (word for word in words if len(word) <= longest)
        return sorted(fitting, key=lambda word: (len(word), word))[:most]

    def _separated(self, one: _ShortWord, other: _ShortWord) -> tuple[bytes | None, int]:
        """Return moves whose conjugate of `other` shares one place with `one`, and the work done.

        Each move leaves as few common places as possible. None stands for no such moves.
        """
        targets = self._targets
        changed, moved = np.zeros((2, targets.shape[1]), dtype=bool)
        changed[one.changed] = True
        moved[one.moved] = True
        there, wanted = other.changed, other.moved
        by = self._rng.choices(range(len(targets)), k=self._rng.randint(0, _FIRST))
        for move in by:
            there, wanted = targets[move][there], targets[move][wanted]
        left = len(self._own) + 1
        done = _STEP
        while True:
            if np.count_nonzero(changed[there]) == 1 and moved[wanted].any():
                return bytes(by), done
            shared = np.count_nonzero(changed[targets[:, there]], axis=1)
            shared[~moved[targets[:, wanted]].any(axis=1)] = left
            done += _STEP + len(targets) * len(there)
            least = int(shared.min())
            if least >= left:
                return None, done
            left = least
            move = self._rng.choice(np.flatnonzero(shared == least).tolist())
            by.append(move)
            there, wanted = targets[move][there], targets[move][wanted]

    def _short_words(self) -> list[_ShortWord]:
        """Return moves and commutators of two moves that move pieces of the orbit."""
        still = np.arange(self._targets.shape[1])
        own = np.flatnonzero((self._own & (self._targets != still)).any(axis=1)).tolist()
        back = self._places.inverses
        words = [bytes([move]) for move in own]
        words += [bytes([i, j, back[i], back[j]]) for i, j in product(own, own)]
        found = []
        for word in words:
            if len(self._places.engine.shortened(word)) < len(word):
                continue
            changed, moved = self._places.changed(word)
            moved = moved[self._own[moved]]
            if moved.size:
                found.append(_ShortWord(word, changed, moved))
        found.sort(key=lambda each: (len(each.changed), each.moves))
        return found[:_WORDS]

    def _inverse(self, word: bytes) -> bytes:
        return bytes(self._places.inverses[move] for move in reversed(word))
