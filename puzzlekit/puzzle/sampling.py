"""Random states: uniform over what the constraints of a puzzle allow."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from puzzlekit.puzzle.constraint import EvenParity, Frame, OrientationSum, Rule
from puzzlekit.puzzle.diagnosis import state_parity

if TYPE_CHECKING:
    from puzzlekit.puzzle.orbit import Orbit
    from puzzlekit.puzzle.puzzle import Puzzle


def random_state(puzzle: Puzzle, rng: Random) -> bytes:
    """A state drawn uniformly from those that satisfy the constraints, held in the standard way.

    Frame orbits stay solved. Only `rng.shuffle` and `rng.randrange` are used, so one seed gives the
    same states as long as Python keeps these two as they are (it has since 3.2, but promises it
    only for `random()`).

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB UL", orientations=2)
    >>> even = (OrientationSum("edges"),)
    >>> ring = Puzzle("ring", "four edges", (edges,), {}, (), constraints=even)
    >>> state = random_state(ring, Random(1))
    >>> sorted(state[:4]), sum(state[4:]) % 2
    ([0, 1, 2, 3], 0)
    """
    frames = {part.orbit for part in puzzle.constraints if isinstance(part, Frame)}
    sums = {part.orbit for part in puzzle.constraints if isinstance(part, OrientationSum)}
    parities = [
        [puzzle.orbit(name) for name in part.orbits]
        for part in puzzle.constraints
        if isinstance(part, EvenParity)
    ]
    rules = [part for part in puzzle.constraints if isinstance(part, Rule)]
    # Drawing again is unbiased however the constraints overlap, and half of all draws or more pass
    # each of the parities.
    while True:
        state = b"".join(
            bytes(orbit.solved) + bytes(orbit.width - orbit.size)
            if orbit.name in frames
            else _random_orbit(orbit, orbit.name in sums, rng)
            for orbit in puzzle.orbits
        )
        odd = any(state_parity(puzzle, orbits, state) for orbits in parities)
        if not odd and not any(rule.fault(state) for rule in rules):
            return state


def _random_orbit(orbit: Orbit, balanced: bool, rng: Random) -> bytes:
    labels = list(orbit.solved)
    rng.shuffle(labels)
    if orbit.orientations == 1:
        return bytes(labels)
    turns = [rng.randrange(orbit.orientations) for _ in labels]
    if balanced:
        # The others are free, the last one follows: each sum of 0 is met once.
        turns[-1] = -sum(turns[:-1]) % orbit.orientations
    return bytes(labels + turns)
