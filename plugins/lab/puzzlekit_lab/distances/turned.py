"""Symmetries that turn the whole puzzle, for methods with fixed places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from puzzlekit import Effect
from puzzlekit.puzzle.move import act, compose, invert
from puzzlekit.search.relabelling import Relabellings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit import Method, Puzzle
    from puzzlekit_lab.distances.state_space import StateSpace

_NO_PIECE = 127  # label that coordinates write to places that they do not cover

States = dict[int, Any]  # an array of values for each byte of a state


Carry = Callable[["npt.NDArray[np.int64]"], "npt.NDArray[np.int64]"]


def turnings(space: StateSpace, method: Method) -> Iterator[Carry]:
    """Yield a function for each rotation of the whole puzzle that is a symmetry of the space.

    The function maps entries that are states to entries. A rotation is a symmetry of the space
    under two conditions. The coordinates must determine the state. The image of each move under the
    rotation must have the effect of a move followed by a rotation of the whole puzzle.

    The method's fixed places may allow several ways to hold the puzzle. Then the pieces can also be
    renamed for another of these ways, which is a symmetry too.
    """
    puzzle = space.puzzle
    fixed = puzzle.bytes_at(method.fixed)
    others: tuple[Effect, ...] = ()
    if len(method.phases) == 1:
        others = Relabellings(puzzle, method.phases, method.fixed, space.moves).rotations[1:]
    if not (fixed or others) or len(space.known) > len(space.moves):
        return
    if any((_entries(space, _states(space, each)) != each).any() for each in space.chunks()):
        return
    for held in others:
        yield partial(_named, space, held)
    for name in puzzle.rotations if fixed else ():
        turn = puzzle.turns[name]
        if _keeps_moves(space, turn):
            yield partial(_turned, space, fixed, turn)


def _turned(
    space: StateSpace, fixed: list[int], turn: Effect, entries: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the images of some entries under a rotation."""
    gather, add = turn
    modulus = space.puzzle.modulus
    states = _states(space, entries)
    turned = {
        j: (states[gather[j]] + add[j]) % modulus[j] if modulus[j] else states[gather[j]]
        for j in states
    }
    return _entries(space, _renamed(space.puzzle, turned, fixed))


def _named(
    space: StateSpace, held: Effect, entries: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the images of some entries if the pieces are renamed by a rotation."""
    states = _states(space, entries)
    named = _names(space.puzzle, held)
    return _entries(space, {j: named(j, states) for j in states})


def _keeps_moves(space: StateSpace, turn: Effect) -> bool:
    """Whether each turned move equals a move of the same cost followed by a rotation."""
    puzzle = space.puzzle
    modulus = puzzle.modulus
    priced = {
        (compose(move.effect, held, modulus), cost)
        for move, cost in zip(space.moves, space.costs, strict=True)
        for held in puzzle.whole_rotations
    }
    back = invert(turn, modulus)
    return all(
        (compose(compose(back, move.effect, modulus), turn, modulus), cost) in priced
        for move, cost in zip(space.moves, space.costs, strict=True)
    )


def _states(space: StateSpace, entries: npt.NDArray[np.int64]) -> States:
    """Return the states of some entries. Pieces that never move are solved."""
    import numpy as np

    puzzle = space.puzzle
    states: States = {
        j: np.full(len(entries), value, dtype=np.int64) for j, value in enumerate(puzzle.solved)
    }
    for coordinate, ranks in zip(space.coordinates, space.ranks(entries), strict=True):
        for j, values in coordinate.unrank(ranks).items():
            told = np.asarray(values)
            states[j] = np.where(told == _NO_PIECE, states[j], told)
    return states


def _entries(space: StateSpace, states: Mapping[int, Any]) -> npt.NDArray[np.int64]:
    return space.entries_of([coordinate.rank(states) for coordinate in space.coordinates])


def _renamed(puzzle: Puzzle, states: States, fixed: list[int]) -> States:
    """Return the states after renaming their pieces so that the fixed bytes are solved."""
    import numpy as np

    done = {j: values.copy() for j, values in states.items()}
    for held in puzzle.whole_rotations[1:]:
        named = _names(puzzle, held)
        renamed = {j: named(j, states) for j in fixed}
        rows = np.logical_and.reduce([renamed[j] == puzzle.solved[j] for j in fixed])
        some = {j: values[rows] for j, values in states.items()}
        for j in states:
            done[j][rows] = named(j, some)
    return done


def _names(puzzle: Puzzle, held: Effect) -> Any:
    """Return a function that computes byte j of renamed states, as `Puzzle.relabel` does."""
    import numpy as np

    target = np.frombuffer(act(puzzle.solved, *held, puzzle.modulus), dtype=np.uint8)
    target = target.astype(np.int64)

    def name(j: int, states: States) -> Any:
        orbit, start = orbit_of[j]
        turns = orbit.size if j >= start + orbit.size else 0
        home = start + np.array([solved_at[orbit.name].get(label, 0) for label in range(128)])
        carried = target[home[states[j - turns]] + turns]
        return (states[j] + carried) % orbit.orientations if turns else carried

    orbit_of = {
        puzzle.offsets[orbit.name] + i: (orbit, puzzle.offsets[orbit.name])
        for orbit in puzzle.orbits
        for i in range(orbit.width)
    }
    solved_at = {
        orbit.name: {label: orbit.solved.index(label) for label in orbit.solved}
        for orbit in puzzle.orbits
    }
    return name
