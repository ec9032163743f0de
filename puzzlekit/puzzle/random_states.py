"""Random states, uniform over the states that satisfy the constraints of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from puzzlekit.puzzle.diagnose import guard_parity, state_parity
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.orbit import Blocks, EvenParity, GuardParity, Law, Orbit, OrientationSum
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["random_state", "random_walk", "satisfies_parities"]

_WALK = 500  # moves at least, and fewer than twice as many
_TRIED = 200  # turns of grouped families


def random_state(puzzle: Puzzle, rng: Random) -> bytes:
    """Return a random state of the puzzle, held in the standard way.

    All states that satisfy the constraints are equally likely. Pieces that only show how the puzzle
    is held (orbits with `frame`) stay in place. A state of a puzzle with blocks (see `Bandaged`) is
    that of random moves, unless a law draws its pieces (see `Law.settle`). The function calls only
    `rng.shuffle` and `rng.randrange`. Therefore a seed gives the same states as long as Python does
    not change these two methods. Python has not changed them since version 3.2, but it guarantees
    the same numbers only for `random()`.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB UL", orientations=2)
    >>> even = (OrientationSum("edges"),)
    >>> ring = Puzzle("ring", "four edges", (edges,), {}, (), constraints=even)
    >>> state = random_state(ring, Random(1))
    >>> sorted(state[:4]), sum(state[4:]) % 2
    ([0, 1, 2, 3], 0)
    """
    laws = [part for part in puzzle.constraints if isinstance(part, Law)]
    if puzzle.blocks and not any(law.settle for law in laws):
        moves = puzzle.family_moves(puzzle.turns)
        # A fixed number of moves may reach only some states, such as those of even parity.
        walk = random_walk(puzzle, moves, rng, _WALK + rng.randrange(_WALK))
        return puzzle.apply(puzzle.solved, walk)
    sums = {part.orbit for part in puzzle.constraints if isinstance(part, OrientationSum)}
    # Rejection is unbiased even if the parity constraints overlap. At least half of all draws pass
    # each constraint.
    while True:
        state = b"".join(
            _random_labels(puzzle, orbit, rng, orbit.name in puzzle.frames)
            + _random_turns(orbit, rng, orbit.name in sums)
            for orbit in puzzle.orbits
        )
        for law in laws:
            state = law.settle(puzzle, state, rng) if law.settle else state
        if satisfies_parities(puzzle, state):
            return state


def random_walk(puzzle: Puzzle, moves: Sequence[Move], rng: Random, count: int) -> list[Move]:
    """Return random moves of a puzzle whose pieces prevent some, each possible after those before.

    Two moves of one family are adjacent only if no other move is possible. Grouped families turn
    together, so that another move is possible then. There are fewer moves if none is possible.
    """
    state, grouped = puzzle.solved, puzzle.grouped
    found: list[Move] = []
    while len(found) < count:
        last = found[-1].family if found else None
        alike = grouped if last in grouped else (last,)
        turns = [] if last in grouped else _together(puzzle, state, moves, rng)
        possible = [each for each in moves if not puzzle.obstacle(state, each)]
        if not turns and possible:
            others = [each for each in possible if each.family not in alike] or possible
            turns = [others[rng.randrange(len(others))]]
        if not turns:
            break
        state = puzzle.apply(state, turns)
        found += turns
    return found[:count]


def _together(puzzle: Puzzle, state: bytes, moves: Sequence[Move], rng: Random) -> list[Move]:
    """Return random turns of grouped families after which another move is possible, if any."""
    own = [[None, *(m for m in moves if m.family == family)] for family in puzzle.grouped]
    rest = [move for move in moves if move.family not in puzzle.grouped]
    for _ in range(_TRIED if puzzle.grouped else 0):
        turns = [turn for each in own if (turn := each[rng.randrange(len(each))])]
        after = puzzle.apply(state, turns)
        if turns and any(not puzzle.obstacle(after, move) for move in rest):
            return turns
    return []


def satisfies_parities(puzzle: Puzzle, state: bytes) -> bool:
    """Whether a state satisfies the parity constraints and the laws of the puzzle.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> swapped = bytes([1, 0]) + cube.solved[2:]
    >>> satisfies_parities(cube, cube.solved), satisfies_parities(cube, swapped)
    (True, False)
    """
    for part in puzzle.constraints:
        if isinstance(part, EvenParity):
            if state_parity(puzzle, [puzzle.orbit(name) for name in part.orbits], state):
                return False
        elif isinstance(part, GuardParity):
            if guard_parity(puzzle, part, state):
                return False
        elif isinstance(part, Law) and part.faults(puzzle, state):
            return False
    return not puzzle.misplaced(state)


def _random_labels(puzzle: Puzzle, orbit: Orbit, rng: Random, placed: bool) -> bytes:
    labels = list(orbit.solved)
    if placed:
        return bytes(labels)
    blocks: list[Sequence[int]] = [range(orbit.size)]
    for part in puzzle.constraints:
        if isinstance(part, Blocks) and part.orbit == orbit.name:
            blocks = [*part.places(orbit)]
    order = list(blocks)
    if len(order) > 1:
        rng.shuffle(order)
    for places, homes in zip(blocks, order, strict=True):
        pieces = [orbit.solved[home] for home in homes]
        rng.shuffle(pieces)
        for place, label in zip(places, pieces, strict=True):
            labels[place] = label
    return bytes(labels)


def _random_turns(orbit: Orbit, rng: Random, balanced: bool) -> bytes:
    if orbit.orientations == 1:
        return b""
    turns = [rng.randrange(orbit.orientations) for _ in orbit.places]
    if balanced:
        # The other orientations are free and determine the last one. So all valid choices are
        # equally likely.
        turns[-1] = -sum(turns[:-1]) % orbit.orientations
    return bytes(turns)
