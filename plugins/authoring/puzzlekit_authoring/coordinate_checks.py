"""Checks of the coordinates of a phase."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from puzzlekit import Coordinate, Move, Phase, Puzzle
from puzzlekit.engine.ranks import rank as engine_rank
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import is_tabulated, move_table
from puzzlekit_authoring.checks import PHASE, Target, check, fail, skip
from puzzlekit_authoring.move_checks import HAS_MOVES, byte_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

RANKS = "coordinates rank and unrank"
CLOSED = "coordinates are closed as declared"
MOVED = "move tables agree with ranks"

_AT_ONCE = 1 << 17  # values ranked together


def own_phase(target: Target) -> tuple[Phase, Puzzle, tuple[Move, ...]]:
    """Return the phase, its puzzle and its moves. Skip the check if the phase has a view."""
    phase, puzzle = target.phase, target.puzzle
    if phase.view is not None:
        skip(f"it is searched as a phase of {phase.view.puzzle.name}: check that puzzle")
    return phase, puzzle, phase.allowed(puzzle)


def plain_parts(phase: Phase) -> list[Coordinate]:
    """Return the coordinates of a phase; the parts of its products come first."""
    parts = [part for each in phase.coordinates for part in each.digits if part is not each]
    return list(dict.fromkeys([*parts, *phase.coordinates]))


@check(RANKS, PHASE, needs=(HAS_MOVES,))
def ranks(target: Target) -> None:
    """Unranking a value and ranking the result gives the value, alone and in arrays."""
    import numpy as np

    phase, puzzle, _ = own_phase(target)
    for coordinate in plain_parts(phase):
        name = f"coordinate {coordinate.name}"
        size = coordinate.size
        if not set(coordinate.reads) <= set(range(len(puzzle.solved))):
            fail(f"{name}: `reads` names bytes that a state does not have")
        for values in _values(target, size):
            vector = coordinate.unrank(values)
            if set(vector) != set(coordinate.reads):
                fail(f"{name}: unrank gives other bytes than `reads` names")
            back: Any = np.broadcast_to(coordinate.rank(vector), len(values))
            if (wrong := np.flatnonzero(back != values)).size:
                first = wrong[0]
                fail(
                    f"{name}: unrank({values[first]}) gives a state of rank {back[first]}; "
                    f"rank has to undo unrank for every value from 0 to {size - 1}"
                )
            for _ in range(max(1, target.effort.samples // 20)):
                at = target.random.randrange(len(values))
                alone = coordinate.unrank(int(values[at]))
                if {j: int(each) for j, each in alone.items()} != {
                    j: int(np.broadcast_to(each, len(values))[at]) for j, each in vector.items()
                }:
                    fail(
                        f"{name}: unrank gives another state for {values[at]} "
                        "alone than in an array"
                    )
                if coordinate.rank(alone) != values[at]:
                    fail(
                        f"{name}: rank gives another value for the state of value {values[at]} "
                        "alone than in an array"
                    )


def _values(target: Target, size: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield arrays of all values of a coordinate, or of a sample if there are too many."""
    import numpy as np

    if size <= target.effort.values:
        for start in range(0, size, _AT_ONCE):
            yield np.arange(start, min(start + _AT_ONCE, size))
    else:
        some = {0, size - 1, *(target.random.randrange(size) for _ in range(_AT_ONCE // 8))}
        yield np.array(sorted(some))


@check("coordinates read only what they declare", PHASE, needs=(HAS_MOVES,))
def reads(target: Target) -> None:
    """Changing a byte that `reads` does not name does not change the rank."""
    phase, puzzle, moves = own_phase(target)
    for state in target.states(moves, max(3, target.effort.samples // 20)):
        for coordinate in plain_parts(phase):
            known = set(coordinate.reads)
            value = coordinate.rank(state)
            try:
                partly = coordinate.rank({j: state[j] for j in known})
            except (KeyError, IndexError) as error:
                what = error.args[0] if isinstance(error.args[0], int) else None
                name = "another byte" if what is None else byte_name(puzzle, what)
                fail(f"coordinate {coordinate.name} uses {name}, which its `reads` does not name")
            if partly != value:
                fail(f"coordinate {coordinate.name}: the rank depends on more than its bytes")
            for j in set(range(len(state))) - known:
                other = (state[j] + 1) % (puzzle.modulus[j] or len(puzzle.solved))
                changed = state[:j] + bytes([other]) + state[j + 1 :]
                if coordinate.rank(changed) != value:
                    fail(
                        f"coordinate {coordinate.name} depends on {byte_name(puzzle, j)}, which "
                        "its `reads` does not name"
                    )


@check("the engine ranks as the coordinates do", PHASE, needs=(RANKS,))
def programs(target: Target) -> None:
    """The rank program of the engine gives the same values as the coordinate."""
    phase, puzzle, moves = own_phase(target)
    ranked = [each for each in plain_parts(phase) if each.engine_program is not None]
    if not ranked:
        skip("none of its coordinates has a rank program")
    for coordinate in ranked:
        program = array("i", coordinate.engine_program or ())
        for _ in range(target.effort.samples):
            value = target.random.randrange(coordinate.size)
            some = bytearray(puzzle.solved)
            for j, byte in coordinate.unrank(value).items():
                some[j] = byte
            if engine_rank(program, bytes(some)) != value:
                fail(f"{coordinate.name}: the engine ranks a state of value {value} differently")
        for state in target.states(moves, target.effort.samples):
            if engine_rank(program, state) != coordinate.rank(state):
                fail(f"coordinate {coordinate.name}: the engine ranks a state differently")


@check("goals hold the solved state", PHASE, needs=(RANKS,))
def goals(target: Target) -> None:
    """Every coordinate is at a goal in the solved state and after goal moves."""
    phase, puzzle, _ = own_phase(target)
    kept, roots = phase.kept(puzzle), phase.goal_states(puzzle)
    store = target.solver.store
    for coordinate in phase.coordinates:
        own = coordinate.goals
        if len(set(own)) < len(own) or not all(0 <= each < coordinate.size for each in own):
            fail(f"coordinate {coordinate.name}: its goals have to be different values: {own}")
        if coordinate.carried:
            continue
        flags = goal_flags(store, coordinate, kept, roots)
        states = target.states(kept, target.effort.samples) if kept else [puzzle.solved]
        for state in states:
            value = coordinate.rank(state)
            if not 0 <= value < coordinate.size:
                fail(f"coordinate {coordinate.name} is not defined in a state at the goal")
            if not flags[value]:
                fail(f"coordinate {coordinate.name}: the solved state is at none of its goals")


@check(CLOSED, PHASE, needs=(RANKS,))
def closed(target: Target) -> None:
    """The value before a move determines the value after it, or `passages` allows both values."""
    phase, puzzle, moves = own_phase(target)
    for coordinate in phase.coordinates:
        follows = coordinate.closed_under(moves)
        steps: dict[Move, tuple[Any, Any]] = {}
        own = type(coordinate).passages is not Coordinate.passages
        if not follows and own and coordinate.size <= target.effort.values:
            steps = dict(zip(moves, coordinate.passages(moves), strict=True))
        for state in target.states(moves, target.effort.samples):
            value = coordinate.rank(state)
            if not 0 <= value < coordinate.size:
                fail(
                    f"coordinate {coordinate.name} has the value {value} in a state that the "
                    f"phase's moves reach; it has {coordinate.size} values, from 0. Do the moves "
                    "carry its pieces out of the places that it looks at?"
                )
            possible = target.possible(moves, state)
            if not possible:
                continue
            move = target.random.choice(possible)
            after = coordinate.rank(puzzle.apply(state, [move]))
            if follows:
                known = list(puzzle.solved)
                for j, byte in coordinate.unrank(value).items():
                    known[j] = byte
                if coordinate.rank(coordinate.after(known, move)) != after:
                    fail(
                        f"coordinate {coordinate.name} claims to be closed under {move.name}, but "
                        f"the move leads from states of value {value} to different values"
                    )
            elif move in steps:
                before, target_of = steps[move]
                if before[value] != target_of[after]:
                    fail(
                        f"coordinate {coordinate.name}: {move.name} leads from the value {value} "
                        f"to {after}, which passages rules out"
                    )


@check(MOVED, PHASE, needs=(RANKS, CLOSED))
def moved(target: Target) -> None:
    """The move table gives the rank of the state after a move."""
    import numpy as np

    phase, puzzle, moves = own_phase(target)
    listed = [each for each in plain_parts(phase) if is_tabulated(each, moves) and not each.carried]
    if not listed:
        skip("none of its coordinates has a move table")
    for coordinate in listed:
        data = move_table(target.solver.store, coordinate, moves).data
        table = np.asarray(data).reshape(coordinate.size, len(moves))
        for column, move in enumerate(moves):
            if not np.array_equal(np.sort(table[:, column]), np.arange(coordinate.size)):
                fail(f"coordinate {coordinate.name}: {move.name} does not permute its values")
        for _ in range(max(2, target.effort.samples // 10)):
            value = coordinate.rank(puzzle.solved)
            for move, state in target.walk(moves, 12):
                value = int(table[value, moves.index(move)])
                if value != coordinate.rank(state):
                    fail(
                        f"coordinate {coordinate.name}: in its move table {move.name} leads to "
                        f"{value}, but the state after it has the rank {coordinate.rank(state)}"
                    )
