"""Solve a permutation group by a chain of stabilisers with short words.

The Schreier-Sims algorithm, in the form with short words of T. Minkwitz, "An algorithm for solving
the factorization problem in permutation groups" (1998). The group acts on points. Each level of
the chain has a base point, and for each point that can reach it an element that brings it there.
The elements of a level leave the base points of all earlier levels in place.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from math import lcm
from random import Random
from time import monotonic
from typing import Any, TypeVar

import attrs

from puzzlekit.engine.beats import beat
from puzzlekit.search.budget import thread_time

State = TypeVar("State")
_Element = tuple[Any, bytes]  # the point to which each point goes, and the word that does so

_NEW, _CUT = 1, 2  # results of reducing an element
_TESTS = 60  # random elements that must all reduce to the identity
_LAST_TESTS = 300  # of long random words, at the end
_LONG_RANDOM = 500  # moves of such a word
_PAIRS = 60_000  # pairs of short words whose commutators are tried
_ROOM = 1 << 20  # points of the pairs that are looked at together
_SHORTEST = 1500  # words of which these pairs are made
_FEW = 6  # points that a useful commutator moves, at most
_COMMUTATORS = 300  # commutators that are used
_CONJUGATED = 12  # the best of them, of which conjugates are used
_CONJUGATES = 300  # of each
_SECONDS = 30.0  # of CPU time, after which words are missing, and some states have no answer
_HEAD = "<III"  # base point, point and length of a word, in bytes of `packed`
_RANDOM = 60  # moves of a random word
_SHORT = 30  # moves of a random word whose powers are used
_FIRST_LIMIT, _LAST_LIMIT = 40, 100_000  # the longest words at the beginning and at the end


@attrs.frozen
class _Representative:
    image: Any  # None for a word that `unpack` has taken
    word: bytes
    cost: int


class StabiliserChain:
    """The chain of a group that some moves generate.

    Parameters
    ----------
    images
        For each move the point to which it brings each point.
    costs
        The cost of each move.
    inverses
        The number of the inverse of each move.
    shortened
        Returns a word in which moves that cancel or join have done so.
    order
        The points in the order in which they become base points.
    """

    def __init__(
        self,
        images: Sequence[Sequence[int]],
        costs: Sequence[int],
        inverses: Sequence[int],
        shortened: Callable[[bytes], bytes],
        order: Sequence[int],
    ) -> None:
        self._points = images
        self._costs = costs
        self._cost_of_all = costs[0] if len({*costs}) == 1 else None
        self._inverses = inverses
        self._shortened = shortened
        self.order = order
        self._levels: dict[int, dict[int, _Representative]] = {}
        self._rng = Random(1)

    @property
    def base(self) -> list[int]:
        """The base points, in the order of the levels."""
        return [point for point in self.order if point in self._levels]

    def packed(self) -> bytes:
        """Return the words of all levels as bytes, for `unpack`."""
        found = b""
        for base, level in self._levels.items():
            for point, own in level.items():
                found += struct.pack(_HEAD, base, point, len(own.word)) + own.word
        return found

    def unpack(self, data: bytes) -> None:
        """Take the words of all levels from bytes that `packed` returned."""
        at = 0
        while at < len(data):
            base, point, length = struct.unpack_from(_HEAD, data, at)
            at += struct.calcsize(_HEAD)
            word = data[at : at + length]
            at += length
            own = _Representative(None, word, self._cost(word))
            self._levels.setdefault(base, {})[point] = own

    def entry(self, base: int, point: int) -> bytes | None:
        """Return a word that brings a point to a base point, and leaves earlier base points."""
        if point == base:
            return b""
        found = self._levels[base].get(point)
        return None if found is None else found.word

    def _cost(self, word: bytes) -> int:
        if self._cost_of_all is not None:
            return self._cost_of_all * len(word)
        return sum(map(self._costs.__getitem__, word))

    def _inverse(self, word: bytes) -> bytes:
        return bytes(self._inverses[move] for move in reversed(word))

    @cached_property
    def _images(self) -> list[Any]:
        """For each move the point to which it brings each point."""
        import numpy as np

        return [np.array(image, dtype=np.int32) for image in self._points]

    @cached_property
    def _order(self) -> Any:
        import numpy as np

        return np.array(self.order, dtype=np.int64)

    @cached_property
    def _still(self) -> Any:
        import numpy as np

        return np.arange(len(self._points[0]) if self._points else 0, dtype=np.int32)

    def _image(self, word: bytes) -> Any:
        image = self._still
        for move in word:
            image = self._images[move][image]
        return image

    def fill(self, effort: int, tell: Callable[[float], None]) -> None:
        """Fill the levels with short words, then allow longer and longer ones.

        `effort` elements improve the words. `tell` is called with the share of the most time.
        """
        limit = _FIRST_LIMIT
        short = list(self._short(effort // 4))
        for image, word in short:
            self._sift(image, word, limit)
        for image, word in self._near_identity(short[:_SHORTEST]):
            self._sift(image, word, limit)
        end = thread_time() + _SECONDS
        while limit < _LAST_LIMIT and thread_time() < end:
            tell(1 - (end - thread_time()) / _SECONDS)
            results = []
            for _ in range(_TESTS):
                if thread_time() > end:
                    break
                word = self._random_word(_RANDOM)
                results.append(self._sift(self._image(word), word, limit))
                for image, power in self._powers(self._random_word(_SHORT), limit):
                    results.append(self._sift(image, power, limit))
            if not any(results) and self._is_full(limit):
                break
            self._improve(_TESTS, limit, end)
            if _NEW not in results:
                limit += limit // 4
        self._improve(effort // 4, limit, end)

    def _is_full(self, limit: int) -> bool:
        """Whether long random words all reduce to the identity."""
        words = (self._random_word(_LONG_RANDOM) for _ in range(_LAST_TESTS))
        return not any(self._sift(self._image(word), word, limit) for word in words)

    def _near_identity(self, short: Sequence[_Element]) -> Iterator[_Element]:
        """Yield commutators of short words that move few points, and conjugates of the best."""
        if not short:
            return
        found = []
        bits = len(short).bit_length()
        drawn = iter(partial(self._rng.getrandbits, bits), None)  # as `randrange`, faster
        pairs = list(islice((each for each in drawn if each < len(short)), 2 * _PAIRS))
        for i, j, moved in self._commutators([image for image, _ in short], pairs):
            if 0 < moved <= _FEW:
                found.append((moved, len(short[i][1]) + len(short[j][1]), i, j))
        found.sort()
        for number, (_, _, i, j) in enumerate(found[:_COMMUTATORS]):
            one, other = short[i][1], short[j][1]
            word = self._shortened(one + other + self._inverse(one) + self._inverse(other))
            yield self._image(word), word
            for _ in range(_CONJUGATES if number < _CONJUGATED else 0):
                by = self._rng.choice(short)[1]
                own = self._shortened(self._inverse(by) + word + by)
                yield self._image(own), own

    def _commutators(
        self, images: Sequence[Any], pairs: Sequence[int]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield each pair of `pairs` with the number of points that its commutator moves."""
        import numpy as np

        points = len(self._still)
        forth = np.concatenate(images)
        back = np.concatenate([np.argsort(image) for image in images])
        parts = 1 + len(pairs) * points // _ROOM
        for part in np.array_split(np.array(pairs).reshape(-1, 2), parts):
            one, other = (points * part.T)[:, :, np.newaxis]
            image = forth[other + forth[one + self._still]]
            image = back[other + back[one + image]]
            moved = np.count_nonzero(image != self._still, axis=1)
            yield from zip(*part.T.tolist(), moved.tolist(), strict=True)

    def _short(self, most: int) -> Iterator[_Element]:
        """Yield elements of the group with short words, the shortest first."""
        nothing = self._still
        seen = {nothing.tobytes()}
        listed: list[_Element] = [(nothing, b"")]
        for image, word in listed:  # grows during the loop
            for move, own in enumerate(self._images):
                reached = own[image]
                key = reached.tobytes()
                if key not in seen:
                    seen.add(key)
                    listed.append((reached, word + bytes([move])))
                    yield listed[-1]
            if len(listed) > most:
                return

    def _random_word(self, length: int) -> bytes:
        moves = range(len(self._images))
        return self._shortened(bytes(self._rng.choices(moves, k=self._rng.randint(1, length))))

    @cached_property
    def _orbits(self) -> list[Any]:
        """The points of each orbit that has more than one."""
        import numpy as np

        least = np.arange(len(self._images[0]))
        while True:
            lower = least
            for image in self._images:
                lower = np.minimum(lower, lower[image])
            if np.array_equal(lower, least):
                break
            least = lower
        orbits = [np.flatnonzero(least == each) for each in np.unique(least)]
        return [orbit for orbit in orbits if len(orbit) > 1]

    def _powers(self, word: bytes, most: int) -> Iterator[_Element]:
        """Yield powers of a word that move points of one orbit alone, with words up to a length."""
        image = self._image(word).tolist()
        times = [lcm(*_cycle_lengths(image, orbit.tolist())) for orbit in self._orbits]
        for number in range(len(times)):
            power = lcm(*times[:number], *times[number + 1 :])
            if power % times[number] and power * len(word) <= most:
                yield self._image(word * power), word * power

    def _improve(self, times: int, limit: int, end: float) -> None:
        """Multiply elements of one level with each other; the products may be shorter."""
        for _ in range(times if self._levels else 0):
            if thread_time() > end:
                return
            level = self._levels[self._rng.choice(list(self._levels))]
            one, other = (self._rng.choice(list(level.values())) for _ in range(2))
            word = self._shortened(one.word + self._inverse(other.word))
            self._sift(self._image(word), word, min(limit, 2 * max(one.cost, other.cost)))

    def _sift(self, image: Any, word: bytes, limit: int) -> int:
        """Reduce an element level by level and keep what is shorter.

        Returns 0 if it reduces to the identity, _NEW if a level has a new point, and _CUT if the
        word of a new point is longer than the limit.
        """
        import numpy as np

        beat()
        while True:
            (moved,) = (image[self._order] != self._order).nonzero()
            if not len(moved):
                return 0
            base = self.order[moved[0]]
            cost = self._cost(word)
            point = int(image[base])
            known = self._levels.get(base, {}).get(point)
            if cost <= limit:
                level = self._levels.setdefault(base, {})
                back = np.empty_like(image)
                back[image] = self._still
                if known is None or cost < known.cost:
                    level[point] = _Representative(back, self._inverse(word), cost)
                other = int(back[base])
                same = level.get(other)
                if same is None or cost < same.cost:
                    level[other] = _Representative(image, word, cost)
            if known is None:
                return _NEW if cost <= limit else _CUT
            image = known.image[image]
            word = self._shortened(word + known.word)

    def solve(
        self,
        state: State,
        after: Callable[[State, bytes], State],
        choices: Callable[[State, int], Sequence[int]],
        solved: Callable[[State], bool],
        seconds: float,
    ) -> bytes | None:
        """Return a word that brings every base point home; None if none is found in time.

        - `state`: the state to solve, of any type.
        - `after`: returns the state after a word.
        - `choices`: returns the points at which a piece for a base point is in a state. Alike
          pieces give several choices.
        - `solved`: whether a state is solved. If pieces are alike, it may not be solved although
          every base point is home.
        - `seconds`: the search ends after this time.
        """
        end = monotonic() + seconds
        bases = self.base
        stack: list[tuple[int, State, bytes, bytes]] = [(0, state, b"", b"")]
        while stack:
            level, before, word, last = stack.pop()
            word = self._shortened(word + last)
            here = after(before, last) if last else before
            if level == len(bases):
                if solved(here):
                    return word
                continue
            if level and monotonic() > end:
                return None
            base = bases[level]
            known = [self.entry(base, point) for point in choices(here, base)]
            found = [own for own in known if own is not None]
            found.sort(key=self._cost, reverse=True)
            stack += [(level + 1, here, word, own) for own in found]
        return None


def _cycle_lengths(image: Sequence[int], points: Iterable[int]) -> Iterator[int]:
    """Yield the lengths of the cycles of a permutation on some of its points."""
    seen: set[int] = set()
    for point in points:
        length = 0
        while point not in seen:
            seen.add(point)
            point = image[point]
            length += 1
        if length:
            yield length
