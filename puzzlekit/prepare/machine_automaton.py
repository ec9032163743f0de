"""What a machine can do to a puzzle that a method sees held in one way only.

A method may take some places to be solved (a corner of the 2x2x2, the centers of the 3x3x3) and
turn only what leaves them alone. Its moves are then those of the puzzle as it was held at first,
and where the puzzle is held by the machine is one more thing to know: the machine's step t, with
the puzzle turned by r since the start, is the method's move m with r t = m r', where r' is a
rotation for which m leaves the places alone. Mostly there is only one; where the places leave
several, the step counts as a move for each of them. So a machine becomes an automaton over the
method's moves, whose states are (rotation, arms that turned last).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzlekit.engine.transitions import NOTHING, Edge, reduced
from puzzlekit.errors import PuzzlekitError, UsageError
from puzzlekit.puzzle.machine import FREE, Machine
from puzzlekit.puzzle.metric import Step
from puzzlekit.puzzle.move import Effect, Move, compose, invert, product
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import family_images, image_of

State = tuple[int, int]  # the number of a rotation, the group of arms that turned last

_Way = tuple[int, tuple[tuple[Step, ...], ...]]
_Sight = tuple[Effect, int, tuple[Effect, ...]]


class MachineStep(NamedTuple):
    """Where a step leads as a method sees it; `parts` are the effects of what turns at once."""

    parts: tuple[Effect, ...]
    to: State
    step: Step


class Steps(NamedTuple):
    """The moves of a phase in a machine's metric, as an automaton: see `engine.transitions`."""

    moves: tuple[Move, ...]
    edges: list[list[Edge]]
    start: int

    @property
    def costs(self) -> list[int]:
        """The least cost of each move."""
        every = [edge for state in self.edges for edge in state]
        return [min(cost for m, _, cost in every if m == move) for move in range(len(self.moves))]

    @property
    def remembers(self) -> bool:
        """Whether what a move costs, or may be, depends on what was done before."""
        return len(self.edges) > 1

    def among(self, allowed: Sequence[Move]) -> Steps:
        """The same states with the moves that are allowed, or done at once by some that are."""
        known = set(allowed)
        return self.only([move for move in self.moves if known.issuperset(move.parts or (move,))])

    def only(self, kept: Sequence[Move]) -> Steps:
        """The same states with the moves that are kept; they may be more."""
        number = {move: i for i, move in enumerate(kept)}
        edges = [
            [(number[self.moves[m]], to, cost) for m, to, cost in state if self.moves[m] in number]
            for state in self.edges
        ]
        return Steps(tuple(kept), edges, self.start)


class Drive:
    """A machine at work on a puzzle as a method sees it."""

    def __init__(self, puzzle: Puzzle, machine: Machine, fixed: Mapping[str, str]) -> None:
        machine.check(puzzle)
        self._puzzle = puzzle
        self._machine = machine
        self._fixed = puzzle.bytes_at(fixed)
        self._steps: dict[tuple[Move, ...], Steps] = {}
        self._rotations = puzzle.holdings
        self._number = {rotation: i for i, rotation in enumerate(self._rotations)}
        # The rotations by where they bring what is at the fixed places.
        self._holdings: dict[bytes, list[Effect]] = {}
        for each in self._rotations:
            self._holdings.setdefault(self._brought(each), []).append(each)
        self._sights: dict[tuple[int, tuple[Move, ...]], list[_Sight]] = {}
        self._passages: dict[State, dict[Effect, list[MachineStep]]] = {}

    def _brought(self, effect: Effect) -> bytes:
        gather, add = invert(effect, self._puzzle.modulus)
        return bytes(value for j in self._fixed for value in (gather[j], add[j]))

    def _from(self, state: State) -> dict[Effect, list[MachineStep]]:
        """All steps that can be done from a state, by what they do."""
        if state not in self._passages:
            found: dict[Effect, list[MachineStep]] = {}
            for step, group in self._machine.following(self._puzzle, state[1]):
                key = state[0], step.moves
                if key not in self._sights:
                    self._sights[key] = self._seen(*key)
                for effect, rotation, parts in self._sights[key]:
                    passage = MachineStep(parts, (rotation, group), step)
                    found.setdefault(effect, []).append(passage)
            self._passages[state] = found
        return self._passages[state]

    def _seen(self, number: int, moves: Sequence[Move]) -> list[_Sight]:
        """What a step does for the method, how the puzzle is held then, and what its parts do.

        In each way in which the puzzle may be taken to be held then.
        """
        modulus = self._puzzle.modulus
        held = self._rotations[number]
        done = product([held, *(move.effect for move in moves)], modulus)
        if self._fixed:
            ways = self._holdings.get(self._brought(done), [])
            if not ways:
                names = " + ".join(move.name for move in moves)
                raise UsageError(f"{names} does not keep what the method takes to be solved")
        else:
            ways = [done if moves[0].family in self._puzzle.rotations else held]
        back = invert(held, modulus)
        parts = tuple(product((held, move.effect, back), modulus) for move in moves)
        return [
            (compose(done, invert(after, modulus), modulus), self._number[after], parts)
            for after in ways
        ]

    def steps(self, allowed: tuple[Move, ...]) -> Steps:
        """The automaton of what the machine can do with the moves of a phase, as small as found.

        A move that does at once what several of the phase do is one too.
        """
        if allowed not in self._steps:
            self._steps[allowed] = self._find_steps(allowed)
        return self._steps[allowed]

    def _find_steps(self, allowed: Sequence[Move]) -> Steps:
        single = {move.effect: move for move in allowed}
        moves: dict[Move, int] = {}
        start: State = (0, FREE)
        numbers = {start: 0}
        queue = [start]
        edges: list[list[Edge]] = []
        for state in queue:  # grows while it is gone through
            own: list[Edge] = []
            for effect, passages in self._from(state).items():
                if effect == self._rotations[0]:
                    number = NOTHING
                elif (move := self._move(effect, passages[0], single)) is not None:
                    number = moves.setdefault(move, len(moves))
                else:
                    continue
                for _, to, step in passages:
                    if to not in numbers:
                        numbers[to] = len(numbers)
                        queue.append(to)
                    own.append((number, numbers[to], step.cost))
            edges.append(own)
        small, state_of = reduced(edges)
        # In the order of the phase, so that tables of single moves are shared with other metrics.
        order = {move: i for i, move in enumerate(allowed)}
        ordered = sorted(moves, key=lambda move: order.get(move, len(order)))
        return Steps(tuple(moves), small, state_of[0]).only(ordered)

    def _move(
        self, effect: Effect, passage: MachineStep, single: dict[Effect, Move]
    ) -> Move | None:
        """The move of a phase, or moves done at once, that a step is; None if it is none."""
        if effect in single:
            return single[effect]
        if all(part in single for part in passage.parts):
            return self._puzzle.together([single[part] for part in passage.parts])
        return None

    def done(self, parts: Sequence[Sequence[Move]]) -> list[tuple[Step, ...]]:
        """The cheapest steps that do moves of a method, part by part, to the puzzle as held."""
        # The best way to each state: cost, and the steps so far, those of each part together.
        best: dict[State, _Way] = {(0, FREE): (0, ())}
        for part in parts:
            best = {state: (cost, (*ways, ())) for state, (cost, ways) in best.items()}
            for move in part:
                best = self._after(self._settled(best), move.effect)
        if not best:
            names = " ".join(move.name for part in parts for move in part)
            raise PuzzlekitError(f"internal error: {self._machine.name} cannot do {names}")
        return list(min(best.values(), key=lambda way: way[0])[1])

    def _after(self, best: dict[State, _Way], effect: Effect) -> dict[State, _Way]:
        """The best ways to all states after one more step that does this."""
        after: dict[State, _Way] = {}
        for state, (spent, ways) in best.items():
            for _, to, step in self._from(state).get(effect, ()):
                cost = spent + step.cost
                if to not in after or cost < after[to][0]:
                    after[to] = cost, (*ways[:-1], (*ways[-1], step))
        return after

    def _settled(self, best: dict[State, _Way]) -> dict[State, _Way]:
        """The best ways with steps that only turn the puzzle added."""
        settled = dict(best)
        fresh = best
        while fresh:
            turned = self._after(fresh, self._rotations[0])
            fresh = {
                to: way
                for to, way in turned.items()
                if to not in settled or way[0] < settled[to][0]
            }
            settled.update(fresh)
        return settled


@lru_cache(maxsize=16)
def drive(puzzle: Puzzle, machine: Machine, fixed: tuple[tuple[str, str], ...]) -> Drive:
    """The drive of a machine for methods that take some places, by orbit, to be solved."""
    return Drive(puzzle, machine, dict(fixed))


def closed(puzzle: Puzzle, allowed: Sequence[Move], steps: Steps) -> dict[Move, int]:
    """The moves of some steps, and all that symmetries of the allowed ones and undoing make of it.

    With the least cost of a move that each comes of.
    """
    kept = set(allowed)
    images = [
        each
        for each in family_images(puzzle, allowed)
        if {image_of(puzzle, each, move) for move in allowed} == kept
    ]
    found = dict(zip(steps.moves, steps.costs, strict=True))
    for move, cost in zip(steps.moves, steps.costs, strict=True):
        for each in images:
            image = image_of(puzzle, each, move)
            for same in (image, puzzle.inverse(image)):
                found[same] = min(cost, found.get(same, cost))
    return found
