"""Legal states: the pieces that explain measured stickers at the least cost."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlekit import Orbit, Puzzle
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.orbit import Blocks
from puzzlekit.puzzle.stickers import appearance
from puzzlekit_colours.assignment import assign
from puzzlekit_colours.model import Floats

__all__ = ["Legal", "Pieces"]

_NEVER = 1e9  # the cost of a piece where it cannot be
_CHANGES = 3  # of pieces that are combined to obey the laws
_TRIALS = 4_000
_MOST_BLOCKS = 4


class _Look:
    """The looks that the pieces of one orbit can have at its places."""

    def __init__(self, puzzle: Puzzle, number: int) -> None:
        every = appearance(puzzle)
        look = every.orbits[number]
        faces = every.layout.faces
        self.orbit: Orbit = look.orbit
        self.facelets = np.array(look.places)
        shown = [
            (label, turn, [faces.index(letter) for letter in letters])
            for letters, (label, turn) in look.reading.items()
        ]
        self.labels = np.array([label for label, _, _ in shown])
        self.turns = np.array([turn for _, turn, _ in shown])
        self.faces = np.array([each for _, _, each in shown])
        kinds = list(dict.fromkeys(self.orbit.solved))
        self.columns = np.array([kinds.index(label) for label in self.orbit.solved])
        self._of_kind = [np.flatnonzero(self.labels == kind) for kind in kinds]
        size = self.orbit.size
        self.banned = np.zeros((size, len(kinds)), dtype=bool)
        if self.orbit.name in puzzle.frames:
            self.banned[:] = self.columns[:, None] != np.arange(len(kinds))[None, :]
        self.bans = [self.banned, *self._blocked(puzzle)]

    def _blocked(self, puzzle: Puzzle) -> Iterator[npt.NDArray[np.bool_]]:
        """Yield what may not be where, for each way in which blocks of pieces can lie."""
        for law in puzzle.constraints:
            if isinstance(law, Blocks) and law.orbit == self.orbit.name:
                blocks = law.places(self.orbit)
                if len(blocks) > _MOST_BLOCKS:
                    continue
                for order in permutations(range(len(blocks))):
                    banned = np.ones_like(self.banned)
                    for one, other in zip(blocks, order, strict=True):
                        banned[np.ix_(np.array(one), self.columns[blocks[other]])] = False
                    yield banned

    def looks(self, costs: Floats) -> Floats:
        """Return the cost of each look at each place."""
        return np.asarray(costs[self.facelets[:, None, :], self.faces[None, :, :]].sum(axis=2))

    def kinds(self, looks: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return the least cost of each kind of piece at each place, and its look."""
        best = np.stack([each[looks[:, each].argmin(axis=1)] for each in self._of_kind], axis=1)
        return np.take_along_axis(looks, best, axis=1), best

    def bound(self, costs: Floats) -> float:
        """Return a lower bound of the cost of all pieces."""
        least, _ = self.kinds(self.looks(costs))
        least = np.where(self.banned, _NEVER, least)
        return float(max(least.min(axis=1).sum(), least[:, self.columns].min(axis=0).sum()))

    def assigned(self, looks: Floats) -> npt.NDArray[np.intp]:
        """Return the look at each place: every piece once, at the least cost."""
        least, best = self.kinds(looks)
        found: tuple[float, npt.NDArray[np.intp]] | None = None
        for banned in self.bans[1:] or self.bans:
            matrix = np.where(banned, _NEVER, least)[:, self.columns]
            columns = assign(matrix)
            cost = float(matrix[np.arange(len(columns)), columns].sum())
            if found is None or cost < found[0]:
                found = cost, columns
        assert found is not None
        kinds = self.columns[found[1]]
        return np.asarray(best[np.arange(len(kinds)), kinds])


class _Change(NamedTuple):
    """New looks at one or two places of an orbit, and what they cost more."""

    cost: float
    orbit: int
    looks: tuple[tuple[int, int], ...]  # (place, look)


class Legal(NamedTuple):
    """A legal state, and what it costs more than the cheapest pieces without the laws."""

    cost: float
    state: bytes


class Pieces:
    """The pieces of a puzzle, chosen by the costs of the colours of its stickers."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._look = appearance(puzzle)
        self._orbits = [_Look(puzzle, number) for number in range(len(puzzle.orbits))]
        several = [each for each in self._orbits if each.facelets.shape[1] > 1]
        framed = [each for each in self._orbits if each.banned.any()]
        few = sorted(several, key=lambda each: each.orbit.size)[:1]
        self._telling = [*{id(each): each for each in [*framed, *few]}.values()]

    def bound(self, costs: Floats) -> float:
        """Return a lower bound of the cost of the pieces that tell the colours of the faces."""
        return sum(each.bound(costs) for each in self._telling)

    def places(self) -> Iterator[tuple[list[int], npt.NDArray[np.intp]]]:
        """Yield the stickers of each place with several, and the faces of all looks there."""
        for each in self._orbits:
            if each.facelets.shape[1] > 1:
                for place in each.facelets.tolist():
                    yield place, each.faces

    def best(self, costs: Floats, trials: int = _TRIALS) -> Legal | None:
        """Return the cheapest legal state that is found; None if none is near."""
        looks = [each.looks(costs) for each in self._orbits]
        chosen = [each.assigned(seen) for each, seen in zip(self._orbits, looks, strict=True)]
        return next(self._legal(looks, chosen, _NEVER, trials), None)

    def cost(self, costs: Floats, state: bytes) -> float:
        """Return the cost of the colours of a state."""
        return float(costs[np.arange(len(costs)), self.colours(state)].sum())

    def others(self, costs: Floats, state: bytes, most: float, trials: int) -> Iterator[Legal]:
        """Yield legal states that cost at most so much more than this one, the cheapest first."""
        looks = [each.looks(costs) for each in self._orbits]
        for found in self._legal(looks, self._chosen(state), most, trials):
            if found.state != state:
                yield found

    def colours(self, state: bytes) -> npt.NDArray[np.intp]:
        """Return the number of the colour of each sticker of a state."""
        faces = self._look.layout.faces
        found = np.array([faces.index(letter) for letter in self._look.solved])
        for each, looks in zip(self._orbits, self._chosen(state), strict=True):
            found[each.facelets] = each.faces[looks]
        return found

    def _chosen(self, state: bytes) -> list[npt.NDArray[np.intp]]:
        chosen = []
        for each in self._orbits:
            labels = self.puzzle.labels(state, each.orbit)
            turns = self.puzzle.orientations(state, each.orbit)
            looks = {
                (int(label), int(turn)): number
                for number, (label, turn) in enumerate(zip(each.labels, each.turns, strict=True))
            }
            chosen.append(np.array([looks[pair] for pair in zip(labels, turns, strict=True)]))
        return chosen

    def _state(self, chosen: list[npt.NDArray[np.intp]]) -> bytes:
        state = bytearray()
        for each, looks in zip(self._orbits, chosen, strict=True):
            state += bytes(each.labels[looks].tolist())
            if each.orbit.orientations > 1:
                state += bytes(each.turns[looks].tolist())
        return bytes(state)

    def _legal(
        self, looks: list[Floats], chosen: list[npt.NDArray[np.intp]], most: float, trials: int
    ) -> Iterator[Legal]:
        """Yield legal states near the chosen pieces, the cheapest first."""
        changes = sorted(change for change in self._changes(looks, chosen) if change.cost <= most)
        heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        heapify(heap)
        for _ in range(trials):
            if not heap:
                return
            cost, numbers = heappop(heap)
            if cost > most:
                return
            picked = [changes[number] for number in numbers]
            # The subsets of the changes in order of their sums: extend by the next change, or
            # replace the last change by the next.
            following = numbers[-1] + 1 if numbers else 0
            if following < len(changes):
                after = changes[following].cost
                if len(numbers) < _CHANGES:
                    heappush(heap, (cost + after, (*numbers, following)))
                if numbers:
                    instead = cost - changes[numbers[-1]].cost + after
                    heappush(heap, (instead, (*numbers[:-1], following)))
            touched = [(change.orbit, place) for change in picked for place, _ in change.looks]
            if len(set(touched)) < len(touched):
                continue
            now = [each.copy() for each in chosen] if picked else chosen
            for change in picked:
                for place, look in change.looks:
                    now[change.orbit][place] = look
            state = self._state(now)
            if not diagnose(self.puzzle, state):
                yield Legal(cost, state)

    def _changes(
        self, looks: list[Floats], chosen: list[npt.NDArray[np.intp]]
    ) -> Iterator[_Change]:
        """Yield each other turn of one piece, and each exchange of two pieces."""
        for number, (each, seen, now) in enumerate(zip(self._orbits, looks, chosen, strict=True)):
            have = seen[np.arange(len(now)), now]
            for place, look in enumerate(now):
                for other in np.flatnonzero(each.labels == each.labels[look]):
                    if other != look:
                        more = float(seen[place, other] - have[place])
                        yield _Change(more, number, ((place, int(other)),))
            if each.banned.any():
                continue
            least, best = each.kinds(seen)
            kinds = each.columns[
                [each.orbit.solved.index(int(label)) for label in each.labels[now]]
            ]
            crossed = least[:, kinds] - have[:, None]  # the piece of place q at place p
            more_all = crossed + crossed.T
            for p, q in zip(*np.triu_indices(len(now), 1), strict=True):
                if kinds[p] != kinds[q]:
                    looks_ = (int(p), int(best[p, kinds[q]])), (int(q), int(best[q, kinds[p]]))
                    yield _Change(float(more_all[p, q]), number, looks_)
