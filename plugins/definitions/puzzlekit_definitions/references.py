"""Choose reference orientations of places, so that few moves turn pieces.

Methods of several phases see a subgroup of the moves by what its moves keep. A 3x3x3 is an example:
if U, D and the half turns of the other faces turn no piece, then the orientations show whether
these moves can solve a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from puzzlekit_definitions.definition import Change

_ORDERS = 30  # orders of the moves that are tried
_MOST = 20_000_000  # steps of all these orders, about
_SHARE = 0.01  # of an orbit that a move does not turn, against a move that turns no piece at all


class _References:
    """The references of the places of one orbit, as far as moves that turn nothing set them."""

    def __init__(self, count: int, modulus: int) -> None:
        self._modulus = modulus
        self._above = list(range(count))
        self._offset = [0] * count

    def reference(self, place: int) -> tuple[int, int]:
        """Return the first of the places linked with a place, and the reference relative to it."""
        offset = 0
        while self._above[place] != place:
            offset += self._offset[place]
            place = self._above[place]
        return place, offset % self._modulus

    def link(self, change: Change) -> bool:
        """Set references so that a move turns no piece; return False if that is impossible."""
        above, offsets = self._above[:], self._offset[:]
        for place, (source, turn) in enumerate(zip(*change, strict=True)):
            (one, own), (other, its) = self.reference(place), self.reference(source)
            more = (own - turn - its) % self._modulus
            if one != other:
                self._above[other] = one
                self._offset[other] = more
            elif more:
                self._above, self._offset = above, offsets
                return False
        return True


def references(moduli: Sequence[int], moves: Sequence[Sequence[Change]]) -> list[tuple[int, ...]]:
    """Return for each orbit the reference orientation of each place.

    Random orders of the moves are tried. In each order, the references are set so that each move in
    turn, or else one of its powers, turns no piece of an orbit.

    Parameters
    ----------
    moduli
        The number of orientations of each orbit.
    moves
        For each move its change of each orbit.
    """
    counts = [len(change.source) for change in moves[0]] if moves else []
    orders = min(_ORDERS, _MOST // max(1, 5 * sum(counts) * len(moves)))
    powers = [
        [_powers(change, modulus) for change, modulus in zip(move, moduli, strict=True)]
        for move in moves
    ]
    rng = Random(1)
    best = -1.0
    found = [_References(count, modulus) for count, modulus in zip(counts, moduli, strict=True)]
    for _ in range(orders if moduli else 0):
        frames = [
            _References(count, modulus) for count, modulus in zip(counts, moduli, strict=True)
        ]
        score = 0.0
        for move in rng.sample(powers, len(powers)):
            least = 1
            for own, frame in zip(move, frames, strict=True):
                works = (power for power, change in own.items() if frame.link(change))
                power = next(works, 0)
                score += _SHARE / power if power else 0
                least = max(least, power) if power and least else 0
            score += 1 / least if least else 0
        if score > best:
            best, found = score, frames
    return [
        tuple(frame.reference(place)[1] for place in range(count))
        for frame, count in zip(found, counts, strict=True)
    ]


def _powers(change: Change, modulus: int) -> Mapping[int, Change]:
    """Return the powers of a change from which the others do not follow, the change first."""
    found = {1: change}
    nothing = Change(tuple(range(len(change.source))), (0,) * len(change.source))
    power = change
    number = 1
    while power != nothing:
        found[number] = power
        number += 1
        power = Change(
            tuple(power.source[j] for j in change.source),
            tuple((turn + power.turns[j]) % modulus for j, turn in zip(*change, strict=True)),
        )
    return {each: own for each, own in found.items() if number % each == 0 and each < number}
