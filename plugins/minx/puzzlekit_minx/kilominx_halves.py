"""The Kilominx in two phases: divide the corners into two halves, then solve the halves.

Three faces that meet turn ten corners, and the three faces opposite to them turn the other ten. A
state of the first phase says which places hold the corners of the first half, and the sum of their
twists: 20! / (10! * 10!) * 3 = 554,268 states. After it, the faces of each half solve its corners:
10! / 2 * 3**9 states.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb
from typing import Any

import attrs

from puzzlekit import (
    Combination,
    DeclarationError,
    Limits,
    Method,
    Move,
    Orientation,
    Permutation,
    Phase,
    Pieces,
    Puzzle,
)
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.puzzle.move import act
from puzzlekit.search.budget import Budget
from puzzlekit.search.directions import Direction, sides
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit_minx import shape
from puzzlekit_minx.engine.halves import HalvesSearch
from puzzlekit_minx.half_table import HalfTable
from puzzlekit_minx.move_lists import MoveLists

#: The faces that turn the corners of the first half, and those of the second half.
FIRST, SECOND = "URF", "DPB"
_DEEPEST = 38  # moves that the engine has room for


def half(faces: str) -> list[str]:
    """Return the corners on some faces."""
    return [corner for corner in shape.CORNERS if set(corner) & set(faces)]


class Split(Combination):
    """Which places hold the given corners, and the sum of the twists of these corners.

    The size is (n choose k) * 3. The value is c * 3 + t. Here c is the rank of the set of places
    (see `Combination`), and t is the sum of the twists modulo 3.
    """

    about = "which of n places hold one of k corners, and the sum of their twists"

    @cached_property
    def size(self) -> int:
        """The number of values."""
        return 3 * comb(len(self._label_reads), self._occupied)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes, followed by the indices of the orientation bytes."""
        return self._label_reads + tuple(j + self.orbit.size for j in self._label_reads)

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the places and of the sum."""
        ours = tuple(int(label in self._labels) for label in range(128))  # 127: no piece
        rank: Any = 0
        count: Any = 0
        twists: Any = 0
        for j, chosen in zip(self._label_reads, self._choices, strict=True):
            here = look_up(ours, vector[j])
            count = count + here
            rank = rank + here * look_up(chosen, count)
            twists = twists + here * vector[j + self.orbit.size]
        return rank * 3 + twists % 3

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels and orientations that have this rank. The first corner has the twist."""
        vector = super().unrank(index // 3)
        before: Any = 0
        for j in self._label_reads:
            here = (vector[j] == self._labels[0]) + 0
            vector[j + self.orbit.size] = here * (before == 0) * (index % 3)
            before = before + here
        return vector


def method(kilominx: Puzzle) -> Method:
    """Return the method `halves`."""
    return Method(
        name="halves",
        title="two halves of ten corners, then each half by itself",
        phases=phases(kilominx),
        strategy=Halves(),
        heavy=True,
    )


def phases(kilominx: Puzzle, chosen: int = 6) -> tuple[Phase, Phase]:
    """Return the two phases; the table of the second one has `chosen` corners of a half."""
    first, second = half(FIRST), half(SECOND)
    divide = Phase(
        name="divide",
        goal="the corners at U, R and F are there",
        moves=" ".join(shape.FACES.values()),
        coordinates=(Split("split", kilominx, "corners", " ".join(first)),),
        tables=("split",),
    )
    places = " ".join(first)
    table = Pieces("some", kilominx, "corners", " ".join(first[:chosen]), places)
    rest = Pieces("others", kilominx, "corners", " ".join(first[chosen:]), places)
    below = Permutation("below", kilominx, "corners", " ".join(second), " ".join(second))
    twists = Orientation("twists", kilominx, "corners", " ".join(second))
    solve = Phase(
        name="solve",
        goal="the Kilominx is solved",
        moves="U R F D DBL B",
        coordinates=(table, rest, below, twists),
        tables=(HalfTable("some"),),
    )
    return divide, solve


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Halves(Strategy):
    """Finds ever shorter answers of the two phases, from all sides and from the inverse state."""

    #: Seconds to continue after the first answer if no limit is given.
    seconds: float = 0.3

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there are two phases."""
        if len(phases) != 2:
            raise DeclarationError(f"method {name}: Halves searches exactly two phases")

    def prepare(self, plan: Plan) -> None:
        """Load or build the tables, and convert moves and tables to the numbers of the engine."""
        super().prepare(plan)
        self._geometry = Geometry(plan.puzzle, self.phases[0].moves, self.phases[1].phase)
        outer, inner = (plan.resolved(phase).tables[0].get(plan.store) for phase in plan.phases)
        self._split = self._geometry.split_table(outer.data)
        self._table = inner.data
        geometry = self._geometry
        self._lists = MoveLists(
            geometry.moves,
            geometry.refused,
            geometry.masks,
            self._split,
            plan.store,
            plan.puzzle.name,
        )
        self._near: list[bytearray | None] = [None, None, None]

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        geometry = self._geometry
        starts = geometry.starts(state, self._split)
        hands = [starts[i :: limits.threads] for i in range(min(limits.threads, len(starts)))]
        most = min(length_limit(limits), _DEEPEST)
        searches = [
            HalvesSearch(
                [corners for corners, _ in hand],
                geometry.moves,
                geometry.masks,
                self._lists,
                self._split,
                geometry.half_moves,
                geometry.mirrored,
                self._table,
                geometry.chosen,
                self._near,
                most,
            )
            for hand in hands
        ]
        proven, cpu = yield from self.shortening(
            searches,
            lambda number, raw: self.candidate(
                geometry.phases_of(raw, hands[number][raw[0]][1]),
                False,
                _summed(searches),
            ),
            Budget(limits),
            self.seconds,
        )
        counts = _summed(searches)
        yield Candidate(None, proven, counts, helpers_cpu=cpu)


class Geometry:
    """The moves and states of the Kilominx in the numbers of the engine.

    The places of the first half are 0 to 9, in the order of the coordinates. A rotation, `across`,
    carries place i to place i + 10 of the second half.
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move], solve: Phase) -> None:
        self.puzzle = puzzle
        self._moves = list(moves)
        orbit = puzzle.orbits[0]
        own = [orbit.place(name) for name in half(FIRST)]
        chosen = len(solve.coordinates[0].pieces.split())  # type: ignore[attr-defined]
        across = next(
            act(puzzle.solved, *each, puzzle.modulus)
            for each in puzzle.whole_rotations
            if not {each[0][place] for place in own} & {*own}
        )
        arrival = {across[place]: place for place in range(20)}
        #: The place of the puzzle for each place of the engine.
        self.places = own + [arrival[place] for place in own]
        self._number = {place: number for number, place in enumerate(self.places)}
        self.moves = [self._triples(move) for move in moves]
        self.masks = tuple(
            array("i", [each for _, _, triples in self.moves for each in _masks(triples, part)])
            for part in (0, 1)
        )
        families = list(dict.fromkeys(move.family for move in moves))
        first = {move.family: move for move in reversed(moves)}
        self.refused = [
            [
                k
                for k, other in enumerate(families)
                if k == n or (k < n and puzzle.commute(first[family], first[other]))
            ]
            for n, family in enumerate(families)
        ]
        turn = [across[20 + place] for place in self.places]  # of the arriving corner
        self.mirrored = bytearray()
        for i in range(10):
            for label in range(10):
                for o in range(3):
                    self.mirrored.append(3 * label + (o + turn[10 + label] - turn[10 + i]) % 3)
        self._halves(families)
        self.chosen = []
        for each in puzzle.whole_rotations:
            if {each[0][place] for place in own} == {*own}:
                after = act(puzzle.solved, *each, puzzle.modulus)
                to = {own.index(after[place]): own.index(place) for place in own}
                add = {i: after[20 + own[to[i]]] for i in range(10)}
                back = {j: i for i, j in to.items()}
                self.chosen.append(
                    [
                        (
                            back[k],
                            bytes(
                                3 * to[c // 3] + (c + add[c // 3] - add[back[k]]) % 3
                                for c in range(30)
                            ),
                        )
                        for k in range(chosen)
                    ]
                )

    def _triples(self, move: Move) -> tuple[int, int, list[tuple[int, int, int]]]:
        """Return the number of the face, whether the move turns one half, and the cycle."""
        gather, add = move.gather, move.add
        triples = [
            (self._number[to], self._number[gather[to]], add[20 + to])
            for to in range(20)
            if gather[to] != to
        ]
        face = list(shape.FACES.values()).index(move.family)
        return face, int(len({to // 10 for to, *_ in triples}) == 1), triples

    def _halves(self, families: Sequence[str]) -> None:
        """Find the moves of the first half, and the move of the second half that is like each."""

        def held(triples: Sequence[tuple[int, int, int]], part: int) -> bytes:
            """Return the new place of each corner of a half, and how it is turned there."""
            found = bytearray(range(0, 30, 3))
            for to, source, twist in triples:
                i, corner = to - 10 * part, 3 * source + twist
                if part:
                    corner = self.mirrored[30 * i + corner - 30]
                found[corner // 3] = 3 * i + corner % 3
            return bytes(found)

        inside: list[dict[bytes, int]] = [{}, {}]
        for number, (_, one_half, triples) in enumerate(self.moves):
            if one_half:
                part = triples[0][0] // 10
                inside[part][held(triples, part)] = number
        self._inside = [*inside[0].values()], [inside[1][after] for after in inside[0]]
        self.half_moves = []
        for after, number in inside[0].items():
            step = bytes(3 * (after[c // 3] // 3) + (after[c // 3] + c) % 3 for c in range(30))
            self.half_moves.append((self.moves[number][0], step))

    def split_table(self, packed: memoryview) -> bytes:
        """Return the distance for each mask of places and each sum of twists; 255 if impossible."""
        import numpy as np

        entries = np.frombuffer(packed, dtype=np.uint8)
        distances = np.stack([entries & 15, entries >> 4], axis=1).ravel()
        bits = np.array([each.bit_count() for each in range(1 << 10)], dtype=np.uint8)
        (halves,) = np.nonzero(np.add.outer(bits, bits).ravel() == 10)
        # The rank of a mask in the combinatorial number system, over the places of the puzzle.
        rank = np.zeros(len(halves), dtype=np.int64)
        count = np.zeros(len(halves), dtype=np.int64)
        for place in range(20):
            there = halves >> self._number[place] & 1
            count += there
            chosen = np.array([comb(place, c) for c in range(21)])
            rank += there * chosen[count]
        found = np.full((1 << 20, 3), 255, dtype=np.uint8)
        for twist in range(3):
            found[halves, twist] = distances[rank * 3 + twist]
        return found.tobytes()

    @cached_property
    def directions(self) -> list[Direction]:
        """The rotations that carry the two halves to different places, and the same inverted."""
        first = frozenset(self.places[:10])
        found: dict[frozenset[frozenset[int]], Direction] = {}
        for each in sides(self.puzzle, self._moves):
            image = frozenset(each.rotation[0][place] for place in first)
            found.setdefault(frozenset([image, frozenset(range(20)) - image]), each)
        return [*found.values(), *(each._replace(inverted=True) for each in found.values())]

    def starts(self, state: bytes, split: bytes) -> list[tuple[bytes, Direction]]:
        """Return the images of a state from all sides, with the corners renamed in all ways.

        The nearest to the division into halves come first.
        """
        puzzle = self.puzzle
        found: dict[bytes, Direction] = {}
        for direction in self.directions:
            image = direction.see(puzzle, state)
            if direction.inverted:  # renaming the corners of the state turns its inverse
                for rotation in puzzle.whole_rotations:
                    turned = act(image, *rotation, puzzle.modulus)
                    found.setdefault(self._corners(turned), direction)
            else:
                corners = self._corners(image)
                for names in self._names:
                    found.setdefault(corners.translate(names), direction)

        def distance(start: bytes) -> int:
            mask = twists = 0
            for i, corner in enumerate(start):
                if corner < 30:
                    mask, twists = mask + (1 << i), twists + corner
            return split[3 * mask + twists % 3]

        return sorted(found.items(), key=lambda item: distance(item[0]))

    def _corners(self, state: bytes) -> bytes:
        """Return a state in the numbers of the engine."""
        return bytes(3 * self._number[state[place]] + state[20 + place] for place in self.places)

    @cached_property
    def _names(self) -> list[bytes]:
        """The new number of each corner, for each renaming by a rotation of the whole puzzle."""
        puzzle, found = self.puzzle, []
        for rotation in puzzle.whole_rotations:
            named = self._corners(puzzle.relabel(puzzle.solved, rotation))
            home = [(corner - corner % 3, corner % 3) for corner in named]
            table = bytes(home[c // 3][0] + (home[c // 3][1] + c) % 3 for c in range(60))
            found.append(table.ljust(256, b"\0"))
        return found

    def phases_of(
        self, answer: tuple[int, list[int], list[int], list[int], int], direction: Direction
    ) -> list[PhaseMoves]:
        """Return the moves of an answer of the engine, phase by phase, for the original state."""
        _, outer, first, second, _ = answer
        inner = [self._inside[0][move] for move in first] + [
            self._inside[1][move] for move in second
        ]
        moves = [[self._moves[move] for move in own] for own in (outer, inner)]
        found = HowFound(
            rotated=direction.rotation != self.puzzle.whole_rotations[0],
            inverted=direction.inverted,
        )
        carried = direction.carry_back(self.puzzle, moves)
        return [PhaseMoves(number, own, found) for number, own in carried]


def _masks(triples: Sequence[tuple[int, int, int]], part: int) -> list[int]:
    """Return what a move makes of each set of places of one half: see `HalvesSearch`."""
    arriving = {source: (to, twist) for to, source, twist in triples}
    found = [0]
    for i in range(10):
        to, twist = arriving.get(10 * part + i, (10 * part + i, 0))
        found += [each + (1 << to) + (twist << 20) for each in found]
    return found


def _summed(searches: Sequence[HalvesSearch]) -> Counts:
    """Return the nodes (generated, expanded) of both phases in all searches."""
    every = [search.nodes for search in searches]
    return tuple(
        (sum(nodes[phase][0] for nodes in every), sum(nodes[phase][1] for nodes in every))
        for phase in (0, 1)
    )
