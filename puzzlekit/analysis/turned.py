"""Symmetries of a space that a method sees in one way of holding only: the puzzle turned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from puzzlekit.phase.holding import fixed_bytes
from puzzlekit.puzzle.move import Effect, act, compose, invert

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit.analysis.space import Space
    from puzzlekit.phase.declaration import Method
    from puzzlekit.puzzle.puzzle import Puzzle

_NO_PIECE = 127  # what coordinates put at places of which they know nothing

States = dict[int, Any]  # for each byte of a state its values, an array


def turned_images(space: Space, method: Method) -> Iterator[npt.NDArray[np.uint32]]:
    """Where each rotation of the whole puzzle carries each entry of a space.

    Only where the method sees one way of holding the puzzle, a turned move is a move and a turn of
    the puzzle, and the coordinates say all of a state.
    """
    import numpy as np

    fixed = fixed_bytes(space.puzzle, method)
    if not fixed or len(space.known) > len(space.moves):
        return
    solved = space.puzzle.solved
    for name in space.puzzle.rotations:
        turn = space.puzzle.turns[name]
        if not _keeps_moves(space, turn):
            continue
        image = np.arange(len(space.distance), dtype=np.uint32)
        for entries in space.chunks():
            states = _states(space, entries)
            if (_entries(space, states) != entries).any():
                return
            gather, add = turn
            modulus = space.puzzle.modulus
            turned = {
                j: (states[gather[j]] + add[j]) % modulus[j] if modulus[j] else states[gather[j]]
                for j in range(len(solved))
            }
            image[entries] = _entries(space, _renamed(space.puzzle, turned, fixed))
            if (space.distance[image[entries]] != space.distance[entries]).any():
                return
        yield image


def _keeps_moves(space: Space, turn: Effect) -> bool:
    """Whether each move, seen turned, is a move of the same cost and a turn of the puzzle."""
    puzzle = space.puzzle
    modulus = puzzle.modulus
    priced = {
        (compose(move.effect, held, modulus), cost)
        for move, cost in zip(space.moves, space.costs, strict=True)
        for held in puzzle.holdings
    }
    back = invert(turn, modulus)
    return all(
        (compose(compose(back, move.effect, modulus), turn, modulus), cost) in priced
        for move, cost in zip(space.moves, space.costs, strict=True)
    )


def _states(space: Space, entries: npt.NDArray[np.int64]) -> States:
    """The states of some entries: what coordinates say of them, and what no move moves."""
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


def _entries(space: Space, states: Mapping[int, Any]) -> npt.NDArray[np.int64]:
    """The entries of some states."""
    return space.entries_of([coordinate.rank(states) for coordinate in space.coordinates])


def _renamed(puzzle: Puzzle, states: States, fixed: list[int]) -> States:
    """The states with their pieces renamed such that the fixed bytes are solved."""
    import numpy as np

    done = {j: values.copy() for j, values in states.items()}
    for held in puzzle.holdings[1:]:
        named = _names(puzzle, held)
        renamed = {j: named(j, states) for j in fixed}
        rows = np.logical_and.reduce([renamed[j] == puzzle.solved[j] for j in fixed])
        some = {j: values[rows] for j, values in states.items()}
        for j in states:
            done[j][rows] = named(j, some)
    return done


def _names(puzzle: Puzzle, held: Effect) -> Any:
    """What byte j of states becomes where pieces are renamed as `Puzzle.recolour` does it."""
    import numpy as np

    target = act(puzzle.solved, *held, puzzle.modulus)
    of: dict[int, Any] = {}
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        home = np.zeros(128, dtype=np.int64)
        for label in orbit.solved:
            home[label] = start + orbit.solved.index(label)
        targets = np.frombuffer(target, dtype=np.uint8).astype(np.int64)
        for i in range(start, start + orbit.size):
            of[i] = lambda states, i=i, home=home: targets[home[states[i]]]
            if orbit.orientations > 1:
                of[i + orbit.size] = lambda states, i=i, home=home, orbit=orbit: (
                    states[i + orbit.size] + targets[home[states[i]] + orbit.size]
                ) % orbit.orientations
    return lambda j, states: of[j](states)
