"""Kinds of states and of labels: records that a text names, such as "walk:20", open to anybody."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, cast

import attrs

from puzzlekit import (
    Limits,
    Move,
    NotationError,
    Puzzle,
    SearchOptions,
    Solution,
    Solver,
    UsageError,
)
from puzzlekit.amounts import Amount, whole
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.options import Choice
from puzzlekit.search.parity import reachable
from puzzlekit.search.scrambling import patiently, random_moves
from puzzlekit_batch import DataColumn
from puzzlekit_lab.named_coordinates import coordinate_values

_LENGTHS = whole(1, 10_000)
_DISTANCES = whole(1, 1_000)
_MOST_TRIES = 100_000  # to draw a state at a distance


class Kind:
    """A record that the command line names by a word, followed by its fields after colons.

    A subclass is a frozen attrs class. Each field has a converter that reads its text, and raises a
    ValueError that says what is wrong.
    """

    #: The word.
    word: ClassVar[str] = ""
    #: The kind in a few words, for help and documentation.
    about: ClassVar[str] = ""

    def __str__(self) -> str:
        """Return the text that names the record."""
        values = (getattr(self, name) for name in _names(type(self)))
        return ":".join([self.word, *(str(each) for each in values if each != "")])


K = TypeVar("K", bound=Kind)


def _names(kind: type[Kind]) -> list[str]:
    return [each.name for each in attrs.fields(cast(Any, kind)) if each.init and not each.kw_only]


def usage(kind: type[Kind]) -> str:
    """Return the form of the texts of a kind, such as "walk:LENGTH"."""
    fields = {each.name: each for each in attrs.fields(cast(Any, kind))}
    parts = [
        f":{name.upper()}" if fields[name].default is attrs.NOTHING else f"[:{name.upper()}]"
        for name in _names(kind)
    ]
    return kind.word + "".join(parts)


def read_kind(text: str, kinds: Mapping[str, type[K]], what: str, more: Sequence[str] = ()) -> K:
    """Return the record that a text names.

    - `kinds`: the kinds by their words.
    - `what`: what the kinds are, for messages.
    - `more`: other texts that are possible, for messages.

    Raises a UsageError that lists the kinds.
    """
    word, *values = text.split(":")
    kind = kinds.get(word)
    if kind is None:
        known = ", ".join([*map(usage, kinds.values()), *more])
        raise UsageError(f"there is no {what} {text!r}; there are {known}")
    try:
        return kind(*values)
    except TypeError:
        raise UsageError(f"{what} {text!r} is not of the form {usage(kind)}") from None
    except ValueError as error:
        raise UsageError(f"{what} {text!r}: {error}") from None


def whole_number(value: Any, amount: Amount) -> int:
    """Return a number, or the number that a text states. Raises a ValueError if it does not fit."""
    with suppress(ValueError):  # the check says what is possible
        value = int(value)
    found: int = amount.check(value)
    return found


#: The kinds that `--kind` knows, by their words.
STATE_KINDS: dict[str, type[StateKind]] = {}


class Drawn(NamedTuple):
    """A state of a data set."""

    state: bytes
    #: The values of the kind's columns, by name.
    fields: Mapping[str, Any]


class StateKind(Kind, ABC):
    """How the states of a data set are drawn.

    A subclass is a frozen attrs class with a `word`. See `Kind` for its fields.
    """

    #: The columns that the kind adds to a data set.
    columns: ClassVar[tuple[DataColumn, ...]] = ()

    def __init_subclass__(cls) -> None:
        if cls.word:
            STATE_KINDS[cls.word] = cls

    def choice(self, solver: Solver, metric: str) -> Choice | None:
        """Return the search that drawing needs; None if it needs no tables.

        Raises a UsageError if the puzzle has no such states.
        """
        return None

    @abstractmethod
    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        """Load the tables, and return the function that draws a state.

        The state depends only on the random numbers.
        """


def _length(value: Any) -> int:
    return whole_number(value, _LENGTHS)


def _distance(value: Any) -> int:
    return whole_number(value, _DISTANCES)


@attrs.frozen
class RandomState(StateKind):
    """States of which each is equally likely.

    >>> str(RandomState())
    'random'
    """

    word = "random"
    about = "each state is equally likely"

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        return lambda rng: Drawn(solver.random_state(rng), {})


@attrs.frozen
class Walk(StateKind):
    """States after random moves of the solved puzzle.

    Neighbouring moves belong to different families. If moves have a guard, all moves are possible,
    and no move undoes the move before it, unless it is the only possible move.

    >>> str(Walk(20))
    'walk:20'
    """

    word = "walk"
    about = "the state after LENGTH random moves of the solved puzzle"
    columns = (DataColumn("walk", "texts", "the moves from the solved state to the state"),)

    #: The number of moves.
    length: int = attrs.field(converter=_length)

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        def draw(rng: Random) -> Drawn:
            moves = random_moves(solver, rng, self.length)
            return Drawn(solver.state(moves), {"walk": moves})

        return draw


@attrs.frozen
class ExactDepth(StateKind):
    """States at one distance from the solved state. Each of these states is equally likely.

    The distance is the least cost of a solution. States that differ only in how the puzzle is held
    count as one state. The puzzle needs a method with one phase, which finds all shortest
    solutions.

    >>> str(ExactDepth(7))
    'exact-depth:7'
    """

    word = "exact-depth"
    about = "states whose shortest solution costs DISTANCE, each equally likely"
    columns = (DataColumn("distance", "integer", "the cost of a shortest solution"),)

    #: The distance.
    distance: int = attrs.field(converter=_distance)

    def choice(self, solver: Solver, metric: str) -> Choice:
        found = solver.choose(SearchOptions(metric=metric), listing=True)
        if not found.metric.counts:
            raise UsageError(f"{metric} is a machine: {self} needs another metric")
        return found

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        choice = self.choice(solver, metric)
        chain = solver.make_ready(choice)
        sequences = _Sequences(solver.puzzle, chain.phases[0], self.distance)
        states = reachable(solver.puzzle, chain.phases[0].moves)
        # Near states are rare, but most sequences of their length are shortest. Far states are
        # ends of very many sequences.
        near = sequences.count < states

        def draw(rng: Random) -> Drawn:
            for _ in range(_MOST_TRIES):
                state = sequences.draw(rng) if near else solver.random_state(rng)
                if solver.puzzle.is_solved(state):
                    continue
                found = solver.listed(state, choice, Limits(), shortest=True)
                first = next(found)
                if first.cost != self.distance:
                    continue
                # Each sequence is drawn as often as the others. So a state with n shortest
                # solutions is drawn n times as often as a state with one.
                if not near or not rng.randrange(1 + sum(1 for _ in found)):
                    return Drawn(state, {"distance": self.distance})
            raise UsageError(
                f"no state at distance {self.distance} was found in {_MOST_TRIES:,} tries: such "
                "states are too rare, or there are none"
            )

        return draw


class _Sequences:
    """Draws canonical sequences of one cost, each equally likely, and the states they solve."""

    def __init__(self, puzzle: Puzzle, phase: CompiledPhase, cost: int) -> None:
        self._puzzle = puzzle
        self._phase = phase
        guarded = puzzle.guarded
        self._home = None if guarded is None else guarded.place(puzzle.solved)
        self._starts = range(1 if guarded is None else guarded.size)
        if any(each < 1 for each in phase.costs):
            raise UsageError("a move costs nothing in this metric: choose another metric")
        # For each cost and state of the automaton: the number of sequences with this cost.
        self._ways = [[0] * len(phase.automaton)]
        for spent in range(1, cost + 1):
            self._ways.append([sum(self._each(state, spent)) for state in self._states])
        self._cost = cost
        #: The number of sequences.
        self.count = sum(self._ways[cost][start] for start in self._starts)

    @property
    def _states(self) -> range:
        return range(len(self._phase.automaton))

    def _each(self, state: int, cost: int) -> list[int]:
        """Return the number of sequences of a cost that begin with each move of a state."""
        found = []
        for number, after in self._phase.automaton[state]:
            left = cost - self._phase.costs[number]
            ends = left == 0 and self._ends(self._phase.moves[number])
            found.append(int(ends) if left <= 0 else self._ways[left][after])
        return found

    def _ends(self, move: Move) -> bool:
        """Whether the puzzle may be solved after a move."""
        return self._home is None or move.guard_after == self._home

    def draw(self, rng: Random) -> bytes:
        """Return the state that a random sequence solves; the solved state if there is none."""
        left, moves = self._cost, []
        if not self.count:
            return self._puzzle.solved
        (state,) = rng.choices(self._starts, [self._ways[left][each] for each in self._starts])
        while left:
            weights = self._each(state, left)
            ((number, state),) = rng.choices(self._phase.automaton[state], weights)
            moves.append(self._phase.moves[number])
            left -= self._phase.costs[number]
        return self._puzzle.apply(self._puzzle.solved, self._puzzle.undo(moves))


#: The kinds that `--label` knows, by their words. Every other label is the name of a method.
LABELS: dict[str, type[Label]] = {}


class Label(Kind, ABC):
    """A statement about each state of a data set, such as its shortest solution.

    A subclass is a frozen attrs class with a `word`. See `Kind` for its fields.
    """

    def __init_subclass__(cls) -> None:
        if cls.word:
            LABELS[cls.word] = cls

    def settled(self, solver: Solver, metric: str, profile: str | None) -> Self:
        """Return the label with every option named, so that all processes give the same values.

        Raises a UsageError if the label does not fit the puzzle.
        """
        return self

    @property
    def constants(self) -> Mapping[str, Any]:
        """The columns whose values are equal in all rows, with these values."""
        return {}

    def choice(self, solver: Solver, metric: str) -> Choice | None:
        """Return the search that the label needs; None if it needs no tables."""
        return None

    @abstractmethod
    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        """Return the columns of the label."""

    @abstractmethod
    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        """Load the tables, and return the function that gives the values of the columns.

        The values depend only on the state. The function raises a NoSolutionError if a state has no
        label.
        """

    def fault(self, solver: Solver, state: bytes, fields: Mapping[str, Any]) -> str:
        """Return what is wrong with the values that a worker has returned; empty if nothing is.

        The check is to be much quicker than the label.
        """
        return ""


@attrs.frozen
class MethodAnswer(Label):
    """The answer of a method.

    A method that proves its answers searches until the proof. Every other method searches a fixed
    number of nodes, so that the answer does not depend on the speed of the machine. If this number
    gives no answer, it searches four times as many, and so on.

    >>> str(MethodAnswer("two-phase"))
    'two-phase'
    """

    about = "the answer of the method METHOD"

    #: The name of the method.
    method: str
    #: The profile of tables; None for the largest profile in the cache.
    profile: str | None = attrs.field(default=None, kw_only=True)

    def __str__(self) -> str:
        return self.method

    def settled(self, solver: Solver, metric: str, profile: str | None) -> MethodAnswer:
        chosen = attrs.evolve(self, profile=profile).choice(solver, metric)
        return attrs.evolve(self, profile=chosen.method.profile or None)

    @property
    def constants(self) -> Mapping[str, Any]:
        return {"profile": self.profile or ""}

    def choice(self, solver: Solver, metric: str) -> Choice:
        return solver.choose(SearchOptions(self.method, metric=metric, profile=self.profile))

    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        return (
            DataColumn("moves", "texts", "the moves that solve the state"),
            DataColumn("length", "integer", "the cost of the moves"),
            DataColumn("optimal", "truth", "whether the moves are a proven shortest solution"),
            DataColumn("profile", "text", "the profile of tables; empty if there is only one"),
        )

    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        choice = self.choice(solver, metric)
        solver.make_ready(choice)
        proves = choice.method.strategy.proves

        def label(state: bytes) -> Mapping[str, Any]:
            def search(nodes: int | None) -> Solution:
                return solver.search(state, choice, Limits(max_nodes=nodes))

            found = search(None) if proves else patiently(solver, search)
            return {
                "moves": list(found.moves),
                "length": found.cost,
                "optimal": found.optimal,
                "profile": found.profile,
            }

        return label

    def fault(self, solver: Solver, state: bytes, fields: Mapping[str, Any]) -> str:
        puzzle, moves = solver.puzzle, " ".join(fields["moves"])
        try:
            end = puzzle.apply(state, puzzle.moves(moves))
        except NotationError as error:
            return str(error)
        return "" if puzzle.is_solved(end) else f"{moves or 'no moves'} does not solve the state"


@attrs.frozen
class Coordinates(Label):
    """The values of the coordinates of a method. Each coordinate is a column.

    >>> str(Coordinates("two-phase"))
    'coordinates:two-phase'
    """

    word = "coordinates"
    about = "the values of the coordinates of a method; by default, of the default method"

    #: The name of the method; empty for the default method.
    method: str = ""

    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        method = solver.method(self.method or None)
        return [
            DataColumn(each.name, "integer", f"{each.tells}; a number below {each.size:,}")
            for each in coordinate_values(solver.puzzle, method, solver.puzzle.solved)
        ]

    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        return lambda state: solver.catalogue.to_coordinates(state, self.method or None)
