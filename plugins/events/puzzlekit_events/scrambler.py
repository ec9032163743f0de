"""Scrambles of an event: a random allowed state, and moves that lead to it."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

import attrs

from puzzlekit import (
    Move,
    NoSolutionError,
    PuzzlekitError,
    SearchOptions,
    Solver,
    UsageError,
    load,
)
from puzzlekit.plugins.manager import manager
from puzzlekit.search.options import Choice, did_you_mean
from puzzlekit.search.scrambling import patient_solution
from puzzlekit_events.event import AtMost, Event, Exactly, Pattern, RandomMoves

_RANGE = 2**64


def _text_of(pattern: Pattern) -> str:
    """All moves that a pattern may use, as text."""
    return " ".join(text for part in pattern.parts for text in part)


class Draws(Random):
    """Random numbers derived from a text.

    Number k, counted from 0, is the first eight bytes of the SHA-256 of the string "TEXT k".
    `below(n)` returns the next number modulo n. It skips numbers that are not below the largest
    multiple of n up to 2^64, so all results are equally likely.

    >>> draws = Draws("222 7 1")
    >>> [draws.below(6) for _ in range(8)]
    [0, 0, 0, 2, 4, 2, 1, 1]
    """

    def __init__(self, text: str) -> None:
        super().__init__(0)
        self._text = text
        self._count = 0

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1."""
        while True:
            digest = sha256(f"{self._text} {self._count}".encode()).digest()
            self._count += 1
            number = int.from_bytes(digest[:8])
            if number < _RANGE - _RANGE % n:
                return number % n

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return a random number of a range."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[self.below(len(numbers))]

    def choice(self, seq: Any) -> Any:
        """Return a random element of a sequence."""
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a sequence in place (Fisher and Yates, from the last element)."""
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]


Moves = tuple[Move, ...]


def load_event(name: str) -> EventScrambler:
    """Return the scrambler of the event with this name.

    Raises UsageError, which lists all events, if there is no such event. Raises PluginError if the
    plugin of the puzzle is broken.
    """
    events = {each.name: each for each in manager().events()}
    if name not in events:
        hint = did_you_mean(name, [*events])
        with suppress(PuzzlekitError, StopIteration):
            own = load(name).puzzle.name
            hint = next(f" (did you mean {n}?)" for n, each in events.items() if each.puzzle == own)
        known = ", ".join(events) or "none"
        raise UsageError(f"there is no event {name!r}{hint}; there are {known}{manager().absent}")
    return EventScrambler(events[name], load(events[name].puzzle))


class EventScrambler:
    """Makes the scrambles of an event. `load_event` returns the scrambler of an event.

    The same seed and label, such as "1" or "E2", give the same scramble in every version of
    puzzlekit, if the declaration of the event does not change. There is one exception: with the
    kind `AtMost` and another strategy than `Sequential`, the moves to the same state may differ
    between versions. `Draws("EVENT SEED LABEL")` draws a state, and draws again until the event
    allows the state. Then it draws the end of the scramble. With the kind `Exactly`, it also draws
    one of the sequences that lead to the state. With the kind `RandomMoves`, it draws the end of
    the scramble, then each move. With the kind `Pattern`, it draws the end of the scramble, then
    a text for each part, in order.
    """

    def __init__(self, event: Event, solver: Solver) -> None:
        self.event = event
        self.puzzle = solver.puzzle
        moves = event.moves
        if isinstance(moves, AtMost) and moves.strategy is not None:
            method = attrs.evolve(
                solver.method(moves.method), strategy=moves.strategy, profile="", larger=()
            )
            solver = Solver(solver.puzzle, (method,), solver.store)
        self.solver = solver
        self._before = self.puzzle.moves(event.before)
        if isinstance(moves, RandomMoves | Pattern):
            used = _text_of(moves) if isinstance(moves, Pattern) else moves.families
            families = dict.fromkeys(turn.family for turn in self.puzzle.moves(used))
            for rotation in self.puzzle.rotations if isinstance(moves, Pattern) else ():
                families.pop(rotation, None)
            self._turns = self.puzzle.family_moves(families)
        else:
            self._turns = solver.method(moves.method).phases[0].allowed(self.puzzle)

    @property
    def choice(self) -> Choice | None:
        """The choice of the method that the scrambles use. Callers use it to build its tables.

        It is None for random moves.
        """
        moves = self.event.moves
        if isinstance(moves, RandomMoves | Pattern):
            return None
        return self.solver.choose(SearchOptions(moves.method))

    def scramble(self, seed: int, label: str) -> Moves:
        """Return the moves of the scramble of a seed and a label.

        All allowed states are equally likely, except with random moves and patterns.
        """
        return self._made(seed, label)[0]

    def lines(self, seed: int, label: str) -> tuple[str, ...]:
        """Return the text of the scramble of a seed and a label.

        It is one line, except with a pattern of several rounds.
        """
        return self._made(seed, label)[1]

    def _made(self, seed: int, label: str) -> tuple[Moves, tuple[str, ...]]:
        """The moves and the lines of a scramble."""
        draws = Draws(f"{self.event.name} {seed} {label}")
        wanted = self.event.moves
        by_moves = isinstance(wanted, RandomMoves | Pattern)
        while True:
            state = b"" if by_moves else self.solver.random_state(draws)
            end = draws.choice(self.event.after)
            after = self.puzzle.moves(end)
            rounds = None
            if isinstance(wanted, RandomMoves):
                moves = self._drawn(wanted, after, draws)
            elif isinstance(wanted, Pattern):
                rounds = [
                    " ".join(filter(None, map(draws.choice, wanted.parts)))
                    for _ in range(wanted.rounds)
                ]
                moves = self.puzzle.moves(" ".join(rounds))
            elif isinstance(wanted, Exactly):
                moves = self._listed(state, wanted, draws)
            else:
                moves = self._found(state, wanted, after)
            whole = (*self._before, *moves, *after)
            if not self.is_allowed(self.puzzle.apply(self.puzzle.solved, whole)):
                continue
            if rounds is None:
                return whole, (self.puzzle.text(whole),)
            return whole, tuple(filter(None, (self.event.before, *rounds, end)))

    def is_allowed(self, state: bytes) -> bool:
        """Whether the event allows a state: its distance and its filter."""
        event = self.event
        if event.allowed is not None and not event.allowed(self.puzzle, state):
            return False
        if isinstance(event.moves, Exactly):  # its method finds shortest answers
            found = self.solver.solve(state, method=event.moves.method)
            return found.cost >= event.least
        if event.judge:
            try:
                self.solver.solve(state, method=event.judge, max_length=event.least - 1)
            except NoSolutionError:
                return True
            return False
        return not self._is_near(state, self.event.least - 1)

    def _is_near(self, state: bytes, moves: int) -> bool:
        """Whether a state can be solved in at most `moves` moves."""
        if self.puzzle.is_solved(state):
            return True
        return moves > 0 and any(
            self._is_near(self.puzzle.apply(state, (turn,)), moves - 1) for turn in self._turns
        )

    def _drawn(self, wanted: RandomMoves, after: Moves, draws: Draws) -> Moves:
        """Random moves that neither repeat each other nor commute with the moves beside them."""
        moves: list[Move] = []
        run = set[str]()  # families of the last moves, which commute with each other
        for left in reversed(range(wanted.length)):
            last = moves[-1:] or self._before[-1:]
            beside = [*(last if not moves else ()), *(after[:1] if not left else ())]
            possible = [
                turn
                for turn in self._turns
                if turn.family not in run
                and not any(self.puzzle.commute(turn, other) for other in beside)
            ]
            move = draws.choice(possible)
            if moves and not self.puzzle.commute(move, moves[-1]):
                run.clear()
            run.add(move.family)
            moves.append(move)
        return tuple(moves)

    def _listed(self, state: bytes, wanted: Exactly, draws: Draws) -> Moves:
        """A random sequence of the wanted length, or of the next length that has sequences."""
        apart = wanted.apart.split()
        shortest = self.solver.solve(state, method=wanted.method).sequence
        more = sum(move.family in apart for move in shortest)
        for length in count(wanted.length):
            listed: dict[str, Moves] = {}
            for solution in self.solver.solutions(
                state, method=wanted.method, max_length=length + more
            ):
                undone = self.puzzle.undo(solution.sequence)
                moves = [move for move in undone if move.family not in apart]
                last = [move for move in undone if move.family in apart]
                last.sort(key=lambda move: apart.index(move.family))
                if len(moves) == length:
                    listed[" ".join(move.name for move in moves)] = (*moves, *last)
            if listed:
                return listed[draws.choice(sorted(listed))]
        raise AssertionError("some length has a sequence")

    def _found(self, state: bytes, wanted: AtMost, after: Moves) -> Moves:
        """The first sequence whose first and last moves do not commute with the moves beside."""
        for solution in self._solutions(state, wanted):
            if len(solution) < wanted.shortest:
                continue
            moves = self.puzzle.undo(solution)
            pairs = [*zip(self._before[-1:], moves[:1], strict=False)]
            pairs += zip(moves[-1:], after[:1], strict=False)
            if not any(self.puzzle.commute(one, other) for one, other in pairs):
                return moves
        raise AssertionError("some sequence has other ends")

    def _solutions(self, state: bytes, wanted: AtMost) -> Iterator[Sequence[Move]]:
        """The answer to a state; then, for each possible first move, an answer with this move.

        If a least length is wanted, answers that begin with two moves follow, then with three, and
        so on.
        """
        for more in count():
            longest = wanted.length and wanted.length + more
            if (found := self._solution(state, wanted.method, longest)) is not None:
                yield found
            for begin in self._beginnings(1 + more if wanted.shortest else 1):
                found = self._solution(self.puzzle.apply(state, begin), wanted.method, longest)
                if found and not self.puzzle.commute(begin[-1], found[0]):
                    yield (*begin, *found)

    def _beginnings(self, length: int) -> Iterator[Moves]:
        """All sequences of a length in which neighbours do not commute."""
        if not length:
            yield ()
            return
        for begin in self._beginnings(length - 1):
            for turn in self._turns:
                if not begin or not self.puzzle.commute(begin[-1], turn):
                    yield (*begin, turn)

    def _solution(
        self, state: bytes, method: str | None, longest: int | None
    ) -> Sequence[Move] | None:
        if longest is None:
            return patient_solution(self.solver, state, method).sequence
        try:
            return self.solver.solve(state, method=method, max_length=longest).sequence
        except NoSolutionError:
            return None
