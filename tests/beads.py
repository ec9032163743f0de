"""For the tests of beams: the corners of a 2x2x2 that cannot be twisted, and phases for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import puzzlekit
from puzzlekit import Combination, Coordinate, Metric, Move, Orbit, Permutation, Phase, Puzzle
from puzzlekit.coordinates.products import Reached
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit_beam.phases import BeamWay
from puzzlekit_cubes import PairSplit, Parity

CUBE2, CUBE4 = puzzlekit.load("cube2"), puzzlekit.load("cube4")
STORE = CUBE2.store
MOST = 1 << 20  # no limit
EXHAUSTED, FOUND = 2, 1


def _beads() -> Puzzle:
    corners = CUBE2.puzzle.orbits[0]
    turns: dict[str, Effect] = {
        family: (bytes(gather[:8]), bytes(8))
        for family, (gather, _) in CUBE2.puzzle.turns.items()
        if family in tuple("URFDLBxyz")
    }
    orbit = Orbit("beads", "bead", " ".join(corners.places))
    metric = Metric("M", "moves", {**dict.fromkeys("URFDLB", 1), **dict.fromkeys("xyz", 0)})
    return Puzzle("beads", "Beads", (orbit,), turns, (metric,), ("x", "y", "z"))


BEADS = _beads()
PLACES = BEADS.orbits[0].places
ALL, HALVES = "U R F D L B", "U2 R2 F2 D2 L2 B2"
TOP = Combination("top", BEADS, "beads", " ".join(p for p in PLACES if "U" in p))
RIGHT = Combination("right", BEADS, "beads", " ".join(p for p in PLACES if "R" in p))
FRONT = Combination("front", BEADS, "beads", " ".join(p for p in PLACES if "F" in p))
WHOLE = Permutation("whole", BEADS, "beads")
REACHED = Reached("reached", BEADS, "beads", (WHOLE,), "U R F", 5040)
CORNER = Permutation("corner", BEADS, "beads", "DBL")
ODD = Parity("odd", BEADS, "beads")
# First places are those above; pairs are opposite.
SPLIT = PairSplit("split", BEADS, "beads", "ULB DRB UBR DFR URF DLF UFL DBL")

METRIC = BEADS.metric()


def phase(
    name: str, moves: str, coordinates: Iterable[Coordinate], *tables: Any, **more: Any
) -> Phase:
    return Phase(name, "the goal", moves, tuple(coordinates), tables, **more)


LAYER = phase("layer", ALL, (TOP,), "top", goal_moves=HALVES)
AFTER = phase("after", HALVES, (WHOLE,), "whole")
SPLITTING = phase("splitting", ALL, (TOP, RIGHT, SPLIT, ODD), "top right", goal_moves="U2 D2")
AT_HOME = phase("at home", ALL, (TOP, SPLIT), "top")
HOME = phase("home", ALL, (CORNER,), "corner", goal_moves="U R F")
PLACE = phase("place", "U R F", (WHOLE,), "whole")
HELD = phase("held", ALL, (TOP, RIGHT, FRONT), "top right front", goal_turns="x2 y2")
TURNED = phase("turned", ALL, (TOP, ODD), "top odd", goal_moves="U2 D2", goal_turns="x2 y2")
MIXED = phase("mixed", ALL, (TOP, RIGHT), "top right", goal_moves="U2", goal_turns="z2")


def made(one: Phase, after: Phase | None = None) -> CompiledPhase:
    return CompiledPhase(Plan(BEADS, (one,), METRIC, STORE), one, after=after)


def apply(state: bytes, names: str) -> bytes:
    return BEADS.apply(state, BEADS.moves(names))


def beads(seed: int) -> bytes:
    state = bytearray(BEADS.solved)
    random.Random(seed).shuffle(state)
    return bytes(state)


@cache
def rank(coordinate: Coordinate, state: bytes) -> int:
    """The rank of a state, worked out once for all phases: there are 40,320 states."""
    return int(coordinate.rank(state))


@cache
def at_goal(one: Phase) -> Callable[[bytes], bool]:
    """Whether a state is at the goal of a phase, by the words of its declaration alone."""
    solved = [BEADS.solved]
    for state in solved:  # in all holdings that are asked for
        solved += [
            s for t in BEADS.moves(one.goal_turns) if (s := apply(state, t.name)) not in solved
        ]
    if one.goal_moves:
        allowed: list[set[int]] = []
        for coordinate in one.coordinates:
            ranks = [rank(coordinate, state) for state in solved]
            states = list(solved)
            for state in states:
                for move in one.kept(BEADS):
                    near = BEADS.apply(state, [move])
                    if rank(coordinate, near) not in ranks:
                        ranks.append(rank(coordinate, near))
                        states.append(near)
            allowed.append(set(ranks))
        return lambda s: all(
            rank(c, s) in ranks for c, ranks in zip(one.coordinates, allowed, strict=True)
        )
    joint = {tuple(rank(c, s) for c in one.coordinates) for s in solved}
    return lambda s: tuple(rank(c, s) for c in one.coordinates) in joint


def within(states: Iterable[bytes], moves: Sequence[Move], most: int) -> dict[bytes, int]:
    """All states that so many moves may lead to, and how many it takes."""
    found = dict.fromkeys(states, 0)
    for state in (queue := list(found)):
        if found[state] < most:
            for move in moves:
                near = BEADS.apply(state, [move])
                if near not in found:
                    found[near] = found[state] + 1
                    queue.append(near)
    return found


@cache
def around(state: bytes, moves: tuple[Move, ...], most: int) -> dict[bytes, int]:
    """The same of one state, worked out once for all phases with the same moves."""
    return within([state], moves, most)


def ends(
    one: Phase,
    states: Sequence[bytes],
    bound: int,
    after: Phase | None = None,
    budget: int = 50,
) -> list[tuple[bytes, int, int, list[str]]]:
    """All ends of a phase within a bound: state, cost, number of the start, path."""
    ready = made(one, after)
    later = None if after is None else BeamWay(BEADS, made(after))
    stage = BeamWay(BEADS, ready).stage(later, MOST)
    stage.add_states(list(states), [0] * len(states))
    while stage.f_bound <= bound:
        stage.run(budget)
    listed = []
    for number in range(stage.count):
        state, spent, origin, _, path = stage.end(number)
        if spent <= bound:
            listed.append((state, spent, origin, [ready.moves[m].name for m in path]))
    return listed


@cache
def renamed(state: bytes) -> set[bytes]:
    """A state with its pieces renamed in all ways."""
    return {BEADS.relabel(state, held) for held in BEADS.whole_rotations}


STARTS = [apply(BEADS.solved, text) for text in ("R U F", "x2 B' U2 R", "", "y F2 D")] + [
    beads(1),
    beads(2),
]
