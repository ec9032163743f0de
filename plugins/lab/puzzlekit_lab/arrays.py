"""Many states at once, as the rows of a NumPy array."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit import Metric, Move, Solver, UsageError

States = NDArray[np.uint8]  # a row for each state, as `Solver.state` returns it
Floats = NDArray[np.float32]
_KEY = 8  # the first bytes of a state, compared as one number


class StateArrays:
    """The moves of a puzzle on arrays of states: (n, width) arrays of bytes.

    A row is a state as `Solver.state` returns it: the labels and the orientations of each orbit.
    The actions are the moves of all phases of the first method, which reach every state.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    metric
        The metric of `costs`. Default: the first metric of the puzzle.

    Examples
    --------
    >>> import numpy as np
    >>> import puzzlekit
    >>> arrays = StateArrays(puzzlekit.load("cube3"))
    >>> states = arrays.walks([0, 1, 20], np.random.default_rng(1))
    >>> states.shape, arrays.is_solved(states).tolist()
    ((3, 46), [True, False, False])
    >>> arrays.children(states).shape, arrays.names[:4]
    ((3, 18, 46), ('U', 'U2', "U'", 'R'))
    """

    def __init__(self, solver: Solver, metric: str | Metric | None = None) -> None:
        self.solver = solver
        self.puzzle = puzzle = solver.puzzle
        self.metric = metric if isinstance(metric, Metric) else puzzle.metric(metric)
        if not self.metric.counts:
            raise UsageError(f"{self.metric.name} is a machine: choose another metric")
        #: The moves, as a phase names them.
        self.moves = " ".join(
            dict.fromkeys(name for phase in solver.method().phases for name in phase.moves.split())
        )
        cases: dict[str, dict[int, Move]] = {}
        for move in puzzle.named_moves(self.moves):
            cases.setdefault(move.name, {})[move.guard_before] = move
        if not cases:
            raise UsageError(f"{puzzle.name} has no moves")
        every = [move for found in cases.values() for move in found.values()]
        #: The moves, in the order of the actions. Of a guarded move, this is the first case.
        self.first = [next(iter(found.values())) for found in cases.values()]
        #: The names of the moves, in the order of the actions.
        self.names = tuple(cases)
        #: The cost of each move in the metric.
        self.costs = np.array([self.metric.cost(each) for each in self.first])
        #: The number of bytes of a state.
        self.width = len(puzzle.solved)
        identity = np.arange(self.width)
        self._gather = np.array([*(list(move.gather) for move in every), identity], dtype=np.intp)
        added = [*(list(move.add) for move in every), identity * 0]
        self._add = np.array(added, dtype=np.uint8)
        self._turns = bool(self._add.any())
        self._modulus = np.frombuffer(puzzle.modulus, dtype=np.uint8)
        self._impossible = len(every)  # the effect that changes nothing
        self._effects = self._effect_table(cases, every)

    def _effect_table(
        self, cases: dict[str, dict[int, Move]], every: Sequence[Move]
    ) -> NDArray[np.intp]:
        """Return the number of the effect of each move at each place of the guarding piece."""
        guarded = self.puzzle.guarded
        places = range(-1, 0) if guarded is None else range(guarded.size)
        number = {id(move): i for i, move in enumerate(every)}
        rows = [
            [number.get(id(found.get(at)), self._impossible) for at in places]
            for found in cases.values()
        ]
        return np.array(rows, dtype=np.intp)

    def __len__(self) -> int:
        """The number of moves."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<StateArrays of {self.puzzle.name}: {len(self)} moves, {self.width} bytes>"

    def solved(self, count: int) -> States:
        """Return the solved state so many times."""
        return self.of([self.puzzle.solved]).repeat(count, axis=0)

    def of(self, states: Sequence[bytes]) -> States:
        """Return states as an array."""
        return np.frombuffer(b"".join(states), dtype=np.uint8).reshape(-1, self.width)

    @cached_property
    def values(self) -> NDArray[np.int64]:
        """For each byte of a state, the number of its values: those below it."""
        most = np.frombuffer(self.puzzle.modulus, dtype=np.uint8).astype(np.int64)
        for orbit in self.puzzle.orbits:
            start = self.puzzle.offsets[orbit.name]
            most[start : start + orbit.size] = max(orbit.solved) + 1
        return most

    @property
    def effects(self) -> tuple[list[Any], list[Any], list[Any]]:
        """The effects of the moves, and which of them each move has, as lists."""
        return self._gather.tolist(), self._add.tolist(), self._effects.tolist()

    @cached_property
    def changing(self) -> NDArray[np.bool_]:
        """Which bytes of a state the moves change. The others are as in the solved state."""
        moved = (self._gather != np.arange(self.width)) | (self._add > 0)
        changing: NDArray[np.bool_] = np.any(moved, axis=0)
        return changing

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the moves."""
        return tuple(dict.fromkeys(move.family for move in self.first))

    @cached_property
    def inverses(self) -> NDArray[np.intp]:
        """For each move, the number of the move that undoes it."""
        guarded = self.puzzle.guarded
        undone = [
            guarded.inverses[move.family] if guarded else self.puzzle.inverse(move).name
            for move in self.first
        ]
        return np.array([self.names.index(name) for name in undone], dtype=np.intp)

    def _places(self, states: States) -> NDArray[np.intp] | int:
        """Return the place of the guarding piece in each state; 0 without one."""
        guarded = self.puzzle.guarded
        if guarded is None:
            return 0
        orbit = states[:, guarded.byte : guarded.byte + guarded.size]
        places: NDArray[np.intp] = (orbit == guarded.label).argmax(axis=1)
        return places

    @property
    def restricted(self) -> bool:
        """Whether some moves are not always possible (see `possible`)."""
        return self.puzzle.restricted

    def possible(self, states: States) -> NDArray[np.bool_]:
        """Return which moves are possible: an (n, moves) array of truth values."""
        if self.puzzle.guarded is not None:
            effects = self._effects[:, self._places(states)].T
            return np.not_equal(effects, self._impossible)
        found = np.ones((len(states), len(self)), dtype=bool)
        for byte, label, _ in self.puzzle.forbidden:
            found &= states[:, self._gather[:-1, byte]] != label
        for block, turning in zip(self.puzzle.blocks, self.puzzle.block_turns, strict=True):
            places = np.stack(
                [start + (states[:, start:end] == label).argmax(1) for start, end, label in block],
                axis=1,
            )
            moved = self._moved[:, places].sum(axis=2).T
            every = len(block) + (turning is not None)
            moved = moved + [each.family in (turning or ()) for each in self.first]
            found &= (moved == 0) | (moved == every)
        return found

    @cached_property
    def _moved(self) -> NDArray[np.bool_]:
        """Which bytes of labels each move moves or turns."""
        found = np.zeros((len(self), self.width), dtype=bool)
        for row, move in zip(found, self.first, strict=True):
            row[list(self.puzzle.moved(move))] = True
        return found

    def step(self, states: States, actions: Any) -> States:
        """Return the states after one move of each: the move with the number in `actions`.

        A state in which its move is not possible stays as it is. Raises UsageError for a number
        that no move has.
        """
        actions = np.asarray(actions, dtype=np.intp)
        wrong = actions[(actions < 0) | (actions >= len(self))]
        if len(wrong):
            most = len(self) - 1
            raise UsageError(f"there is no move {wrong[0]}: give a number from 0 to {most}")
        effects = self._effects[actions, self._places(states)]
        if self.restricted and self.puzzle.guarded is None:
            allowed = self.possible(states)[np.arange(len(states)), actions]
            effects = np.where(allowed, effects, self._impossible)
        sources = self._gather[effects]
        sources += (np.arange(len(states)) * self.width)[:, None]
        moved: States = np.ascontiguousarray(states).reshape(-1).take(sources)
        return self._reduced(moved, effects) if self._turns else moved

    def _reduced(self, moved: States, effects: Any) -> States:
        """Add the turns of some effects. A sum is less than two moduli, and labels have none."""
        moved += self._add[effects]
        np.minimum(moved, moved - self._modulus, out=moved)
        return moved

    def children(self, states: States) -> States:
        """Return the states after each move: an (n, moves, width) array.

        A state in which a move is not possible stays as it is.
        """
        if self.restricted:
            actions = np.tile(np.arange(len(self)), len(states))
            return self.step(states.repeat(len(self), axis=0), actions).reshape(
                len(states), len(self), self.width
            )
        effects = self._effects[:, 0]
        moved = states.take(self._gather[effects].reshape(-1), axis=1)
        moved = moved.reshape(len(states), len(self), self.width)
        return self._reduced(moved, effects) if self._turns else moved

    @cached_property
    def goals(self) -> States:
        """The solved state, held in each way."""
        return self.of(sorted(self.puzzle.solved_states))

    @cached_property
    def _goal_keys(self) -> NDArray[np.uint64]:
        return np.unique(_keys(self.goals))

    def fitting(self, states: States) -> NDArray[np.bool_]:
        """Return in which states the bytes that no move changes are as in the solved one."""
        still = ~self.changing
        found: NDArray[np.bool_] = (states[:, still] == self.solved(1)[:, still]).all(axis=1)
        return found

    def is_solved(self, states: States) -> NDArray[np.bool_]:
        """Return which states are solved, however the puzzle is held."""
        first = _keys(states)
        found: NDArray[np.bool_] = np.zeros(len(states), dtype=bool)
        for key in self._goal_keys:
            found |= first == key
        (likely,) = found.nonzero()
        if len(likely):
            found[likely] = (states[likely, None] == self.goals).all(axis=2).any(axis=1)
        return found

    def random(self, count: int, rng: np.random.Generator) -> States:
        """Return random states, each reachable state equally likely.

        They are drawn one by one, so that `walks` is faster.
        """
        source = Random(int(rng.integers(1 << 63)))
        return self.of([self.solver.random_state(source) for _ in range(count)])

    def walks(self, lengths: Any, rng: np.random.Generator) -> States:
        """Return the states after random moves of the solved state, so many for each.

        Moves of one family do not follow each other, and if moves have a guard, no move undoes the
        move before, unless there is no other.
        """
        lengths = np.asarray(lengths)
        states = self.solved(len(lengths))
        last = np.full(len(lengths), len(self))
        for done in range(int(lengths.max(initial=0))):
            (walking,) = (lengths > done).nonzero()
            actions = self.draw(states[walking], last[walking], rng)
            states[walking] = self.step(states[walking], actions)
            last[walking] = actions
        return states

    def draw(
        self, states: States, last: NDArray[np.intp], rng: np.random.Generator
    ) -> NDArray[np.intp]:
        """Return a random move for each state, which may follow its last one.

        The number of moves stands for no last move.
        """
        if not self.restricted:
            actions = rng.integers(len(self), size=len(states))
            while len(wrong := np.flatnonzero(~self._follow[last, actions])):
                actions[wrong] = rng.integers(len(self), size=len(wrong))
            return actions
        possible = self.possible(states)
        onward = possible & self._follow[last]
        chosen = np.where(np.any(onward, axis=1, keepdims=True), onward, possible)
        drawn: NDArray[np.intp] = (rng.random(chosen.shape) * chosen).argmax(axis=1)
        return drawn

    @cached_property
    def _follow(self) -> NDArray[np.bool_]:
        """Which moves may follow each move, or none, in a random walk."""
        guarded = self.puzzle.guarded
        found = np.ones((len(self) + 1, len(self)), dtype=bool)
        for i, one in enumerate(self.first):
            after = one.family if guarded is None else guarded.inverses[one.family]
            found[i] = [other.family != after for other in self.first]
            if not found[i].any():
                found[i] = True
        return found


def _keys(states: States) -> NDArray[np.uint64]:
    """Return the first bytes of each state as one number."""
    first = np.zeros((len(states), _KEY), dtype=np.uint8)
    shown = states[:, :_KEY]
    first[:, : shown.shape[1]] = shown
    return first.view(np.uint64).reshape(-1)
