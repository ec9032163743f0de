"""Puzzles as the claims harness knows them: every state listed, every distance by relaxation.

Nothing here comes from puzzlekit; `test_claims.py` holds that. A state is a row of codes, one for
each place: the label of the piece there times the number of its orientations, plus its orientation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
import numpy.typing as npt

FAR = 1 << 20  # the distance where no moves lead to the goal
Mask = npt.NDArray[np.bool_]
Distances = npt.NDArray[np.int64]


class TooLarge(Exception):
    """A puzzle has more states than the harness lists."""


@dataclass(frozen=True)
class Orbit:
    """Places that may trade pieces. Pieces with the same label are alike."""

    name: str
    labels: tuple[int, ...]
    orientations: int = 1

    @property
    def size(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Turn:
    """A move: the piece at place `source[i]` goes to place i and is turned by `add[i]`."""

    source: tuple[int, ...]
    add: tuple[int, ...]


def after(one: Turn, other: Turn, moduli: Sequence[int]) -> Turn:
    """The turn that does `one` and then `other`."""
    return Turn(
        tuple(one.source[j] for j in other.source),
        tuple(
            (one.add[j] + plus) % moduli[j] for j, plus in zip(other.source, other.add, strict=True)
        ),
    )


@dataclass(frozen=True)
class Move:
    """A power of a base turn, by its name."""

    family: str
    amount: int
    order: int
    turn: Turn

    @property
    def name(self) -> str:
        """A name that stands for this power alone, never for its family."""
        if self.amount == self.order - 1 and self.order > 2:
            return f"{self.family}'"
        return f"{self.family}{self.amount}"


@dataclass(frozen=True)
class Metric:
    """The cost of the base turn of each family; of each repetition if `per_turn`."""

    name: str
    weights: Mapping[str, int]
    per_turn: bool = False

    def cost(self, move: Move) -> int:
        turns = min(move.amount, move.order - move.amount) if self.per_turn else 1
        return self.weights[move.family] * turns


@dataclass(frozen=True)
class Toy:
    """A small puzzle."""

    orbits: tuple[Orbit, ...]
    turns: Mapping[str, Turn]
    metrics: tuple[Metric, ...]
    rotations: tuple[str, ...] = ()
    #: The orbits whose pieces only show how the puzzle is held; their orientations are free.
    frames: tuple[str, ...] = ()
    #: Pairs of a place and a label that must not be there.
    forbidden: tuple[tuple[int, int], ...] = ()
    most: int = 3_000

    # --- places ---------------------------------------------------------------------------------

    @cached_property
    def moduli(self) -> tuple[int, ...]:
        return tuple(orbit.orientations for orbit in self.orbits for _ in orbit.labels)

    @cached_property
    def starts(self) -> dict[str, int]:
        """The number of the first place of each orbit."""
        found, start = {}, 0
        for orbit in self.orbits:
            found[orbit.name] = start
            start += orbit.size
        return found

    @cached_property
    def home_labels(self) -> tuple[int, ...]:
        return tuple(label for orbit in self.orbits for label in orbit.labels)

    def orbit_at(self, place: int) -> Orbit:
        """The orbit of a place."""
        return next(
            orbit
            for orbit in self.orbits
            if self.starts[orbit.name] <= place < self.starts[orbit.name] + orbit.size
        )

    # --- moves ----------------------------------------------------------------------------------

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every power of every base turn."""
        found = []
        for family, base in self.turns.items():
            powers = [base]
            still = Turn(tuple(range(len(self.moduli))), (0,) * len(self.moduli))
            while powers[-1] != still:
                powers.append(after(powers[-1], base, self.moduli))
            order = len(powers)
            found += [Move(family, k, order, turn) for k, turn in enumerate(powers[:-1], 1)]
        return tuple(found)

    @cached_property
    def searched(self) -> tuple[Move, ...]:
        """The moves that are not rotations of the whole puzzle."""
        return tuple(move for move in self.moves if move.family not in self.rotations)

    def named(self, text: str) -> list[Move]:
        """The moves in a text that an answer prints."""
        found = []
        for name in text.split():
            family, digits, prime = re.fullmatch(r"([A-Za-z]+)(\d*)('?)", name).groups()
            order = next(move.order for move in self.moves if move.family == family)
            amount = int(digits or 1) * (-1 if prime else 1) % order
            found += [m for m in self.moves if (m.family, m.amount) == (family, amount)]
        assert len(found) == len(text.split()), text
        return found

    # --- states ---------------------------------------------------------------------------------

    @cached_property
    def solved(self) -> npt.NDArray[np.uint8]:
        return np.array(self.home_labels, np.uint8) * np.array(self.moduli, np.uint8)

    def applied(self, states: npt.NDArray[np.uint8], move: Turn) -> npt.NDArray[np.uint8]:
        """The states after a turn, whether possible or not."""
        moduli = np.array(self.moduli, np.uint8)
        moved = states[..., list(move.source)]
        turned = (moved % moduli + np.array(move.add, np.uint8)) % moduli
        return (moved - moved % moduli + turned).astype(np.uint8)

    def is_possible(self, states: npt.NDArray[np.uint8]) -> Mask:
        """Whether each state has no piece at a forbidden place."""
        possible = np.ones(states.shape[:-1], bool)
        for place, label in self.forbidden:
            possible &= states[..., place] // self.moduli[place] != label
        return possible

    @cached_property
    def _graph(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], dict[bytes, int]]:
        states = [self.solved.tobytes()]
        number = {states[0]: 0}
        rows: list[npt.NDArray[np.int64]] = []
        fresh = self.solved[None]
        while len(fresh):
            row = np.full((len(fresh), len(self.moves)), -1)
            ends: list[bytes] = []
            for column, move in enumerate(self.moves):
                near = self.applied(fresh, move.turn)
                possible = self.is_possible(near)
                for i, state in enumerate(map(bytes, near)):
                    if not possible[i]:
                        continue
                    if state not in number:
                        number[state] = len(number)
                        ends.append(state)
                    row[i, column] = number[state]
            rows.append(row)
            states += ends
            if len(states) > self.most:
                raise TooLarge
            fresh = np.array([np.frombuffer(each, np.uint8) for each in ends], np.uint8)
        every = np.array([np.frombuffer(each, np.uint8) for each in states], np.uint8)
        return every, np.concatenate(rows), number

    @property
    def states(self) -> npt.NDArray[np.uint8]:
        """All states that the moves reach, the solved one first: a row for each."""
        return self._graph[0]

    @property
    def following(self) -> npt.NDArray[np.int64]:
        """The number of the state after each move from each state; -1 if it is not possible."""
        return self._graph[1]

    def number(self, state: Sequence[int]) -> int | None:
        """The number of a state; None if the moves do not reach it."""
        return self._graph[2].get(bytes(state))

    def end(self, start: int, moves: Iterable[Move]) -> int:
        """The state after moves; -1 if one of them is not possible."""
        for move in moves:
            start = int(self.following[start, self.moves.index(move)]) if start >= 0 else -1
        return start

    @cached_property
    def labels(self) -> npt.NDArray[np.uint8]:
        return self.states // np.array(self.moduli, np.uint8)

    @cached_property
    def orientations(self) -> npt.NDArray[np.uint8]:
        return self.states % np.array(self.moduli, np.uint8)

    # --- holdings -------------------------------------------------------------------------------

    @cached_property
    def holdings(self) -> tuple[Turn, ...]:
        """Every rotation of the whole puzzle, the identity first."""
        found = [Turn(tuple(range(len(self.moduli))), (0,) * len(self.moduli))]
        for held in found:  # grows during the loop
            for name in self.rotations:
                turned = after(held, self.turns[name], self.moduli)
                if turned not in found:
                    found.append(turned)
        return tuple(found)

    @cached_property
    def is_solved(self) -> Mask:
        """Whether each state is solved, however it is held."""
        ends = {bytes(self.applied(self.solved, held)) for held in self.holdings}
        return np.array([bytes(state) in ends for state in self.states])

    @cached_property
    def seen(self) -> npt.NDArray[np.int64]:
        """For each state, the state that names its pieces by the frame: the frame is at home.

        Needs a frame, and pieces that all differ.
        """
        places = [place for name in self.frames for place in self.orbit_places(self.starts[name])]
        found = np.full(len(self.states), -1)
        for held in self.holdings:
            shown = self.applied(self.solved, held)
            fits = np.all(self.labels[:, places] == self._labels(shown)[places], axis=1)
            for i in np.flatnonzero(fits & (found < 0)):
                number = self.number(self._renamed(self.states[i], shown))
                assert number is not None
                found[i] = number
        assert (found >= 0).all()
        return found

    def _labels(self, state: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        return state // np.array(self.moduli, np.uint8)

    def _renamed(
        self, state: npt.NDArray[np.uint8], shown: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.uint8]:
        """A state whose pieces are renamed so that `shown` becomes the solved state."""
        names = {}
        for home, (code, turns) in enumerate(zip(shown.tolist(), self.moduli, strict=True)):
            names[self.orbit_at(home).name, code // turns] = self.home_labels[home], code % turns
        renamed = state.copy()
        for place, (code, turns) in enumerate(zip(state.tolist(), self.moduli, strict=True)):
            label, turned = names[self.orbit_at(place).name, code // turns]
            renamed[place] = label * turns + (code - turned) % turns
        return renamed

    # --- distances ------------------------------------------------------------------------------

    def distances(self, goal: Mask, moves: Sequence[Move], metric: Metric) -> Distances:
        """The least cost from each state to the goal; FAR if these moves do not reach it."""
        columns = [(self.moves.index(move), metric.cost(move)) for move in moves]
        found = np.where(goal, 0, FAR)
        while True:
            before = found
            for column, cost in columns:
                end = self.following[:, column]
                near = np.where(end < 0, FAR, np.minimum(found[end] + cost, FAR))
                found = np.minimum(found, near)
            if (found == before).all():
                return found

    def shortest(
        self, start: int, distances: Distances, moves: Sequence[Move], metric: Metric
    ) -> Iterator[tuple[Move, ...]]:
        """Yield every sequence of moves of least cost."""
        if distances[start] == 0:
            yield ()
            return
        for move in moves:
            end = int(self.following[start, self.moves.index(move)])
            if end >= 0 and distances[end] + metric.cost(move) == distances[start]:
                for rest in self.shortest(end, distances, moves, metric):
                    yield (move, *rest)

    def within(
        self, start: int, distances: Distances, moves: Sequence[Move], metric: Metric, most: int
    ) -> Iterator[tuple[Move, ...]]:
        """Yield every sequence of moves that ends at the goal and costs at most `most`."""
        if distances[start] > most:
            return
        if distances[start] == 0:
            yield ()
        for move in moves:
            end = int(self.following[start, self.moves.index(move)])
            if end >= 0:
                left = most - metric.cost(move)
                for rest in self.within(end, distances, moves, metric, left):
                    yield (move, *rest)

    def equivalent(
        self, sequence: tuple[Move, ...], moves: Sequence[Move], metric: Metric
    ) -> set[tuple[Move, ...]]:
        """All sequences that come from this one when two moves are replaced, again and again.

        One move or two may stand for two if they do the same and cost no more.
        """
        costs = {move: metric.cost(move) for move in moves}
        ways: dict[Turn, list[tuple[Move, ...]]] = {}
        for one in moves:
            ways.setdefault(one.turn, []).append((one,))
            for other in moves:
                ways.setdefault(after(one.turn, other.turn, self.moduli), []).append((one, other))
        found = {sequence}
        fresh = [sequence]
        for each in fresh:  # grows during the loop
            for i in range(len(each) - 1):
                one, other = each[i], each[i + 1]
                for way in ways[after(one.turn, other.turn, self.moduli)]:
                    new = (*each[:i], *way, *each[i + 2 :])
                    if sum(map(costs.get, way)) <= costs[one] + costs[other] and new not in found:
                        found.add(new)
                        fresh.append(new)
        return found

    # --- conditions -----------------------------------------------------------------------------

    def holds(self, kind: str, places: Sequence[int], other: object = None) -> Mask:
        """Whether each state meets a condition, with the pieces named as the puzzle is held."""
        return getattr(self, f"_{kind}")(places, other)

    def _home(self, place: int) -> Mask:
        return self.labels[:, place] == self.home_labels[place]

    def _solved(self, places: Sequence[int], _: object) -> Mask:
        return np.all([self._home(p) & (self.orientations[:, p] == 0) for p in places], axis=0)

    def _placed(self, places: Sequence[int], _: object) -> Mask:
        return np.all([self._home(p) for p in places], axis=0)

    def orbit_places(self, place: int) -> list[int]:
        """The places of the orbit of a place."""
        orbit = self.orbit_at(place)
        start = self.starts[orbit.name]
        return list(range(start, start + orbit.size))

    def _oriented(self, places: Sequence[int], _: object) -> Mask:
        met = np.ones(len(self.states), bool)
        for piece in places:
            for place in self.orbit_places(piece):
                here = self.labels[:, place] == self.home_labels[piece]
                met &= ~here | (self.orientations[:, place] == 0)
        return met

    def _within(self, places: Sequence[int], other: object) -> Mask:
        assert isinstance(other, Sequence)
        met = np.ones(len(self.states), bool)
        for piece in places:
            for place in self.orbit_places(piece):
                if place not in other:
                    met &= self.labels[:, place] != self.home_labels[piece]
        return met

    def _joined(self, places: Sequence[int], _: object) -> Mask:
        met = np.zeros(len(self.states), bool)
        for held in self.holdings:
            shown = self.applied(self.solved, held)
            at = [
                place
                for piece in places
                for place in self.orbit_places(piece)
                if shown[place] // self.moduli[place] == self.home_labels[piece]
            ]
            met |= np.all(self.states[:, at] == shown[at], axis=1)
        return met

    def moved_by(self, moves: Sequence[Move]) -> Mask:
        """Whether moves lead from each state to the solved one, as it is held."""
        goal = np.zeros(len(self.states), bool)
        goal[0] = True
        free = Metric("", dict.fromkeys(self.turns, 1))
        return self.distances(goal, moves, free) < FAR

    def each_home(self, moves: Sequence[Move]) -> Mask:
        """Whether moves can bring each piece home, one at a time, and each to a home of its own."""
        homes: dict[tuple[int, int], frozenset[int]] = {}
        for start in range(len(self.moduli)):
            for turn in range(self.moduli[start]):
                reached = {(start, turn)}
                for place, now in iter_grown(reached):
                    for move in moves:
                        for end, source in enumerate(move.turn.source):
                            if source == place:
                                turned = (now + move.turn.add[end]) % self.moduli[start]
                                reached.add((end, turned))
                homes[start, turn] = frozenset(place for place, now in reached if now == 0)
        labels, turns = self.labels.tolist(), self.orientations.tolist()
        return np.array([self._matched(*each, homes) for each in zip(labels, turns, strict=True)])

    def _matched(
        self,
        labels: Sequence[int],
        turns: Sequence[int],
        homes: Mapping[tuple[int, int], frozenset[int]],
    ) -> bool:
        """Whether each piece can have a home that looks like its own and is no other piece's."""
        taken: dict[int, int] = {}  # home -> place

        def found(place: int, tried: set[int]) -> bool:
            for home in homes[place, turns[place]]:
                if self.home_labels[home] == labels[place] and home not in tried:
                    tried.add(home)
                    if home not in taken or found(taken[home], tried):
                        taken[home] = place
                        return True
            return False

        return all(found(place, set()) for place in range(len(labels)))

    def up_to(self, goal: Mask, moves: Sequence[Move]) -> Mask:
        """The states from which moves that may be missing lead to the goal."""
        free = Metric("", dict.fromkeys(self.turns, 1))
        return self.distances(goal, moves, free) < FAR


def iter_grown(found: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Iterate over a set while it grows."""
    done: set[tuple[int, int]] = set()
    for _ in count():
        fresh = found - done
        if not fresh:
            return
        for each in fresh:
            done.add(each)
            yield each
