"""For the tests: phases of every kind, each searched and compared with a plain search.

As a program it tries some of them and prints a line for each, so that a declaration that ends the
interpreter fails a test instead of ending it: see `tests/faults/test_fault_combinations.py`.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations
from math import prod
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    DeclarationError,
    Heuristic,
    Max,
    Method,
    Metric,
    Orbit,
    Permutation,
    Phase,
    Plain,
    PruningTable,
    Puzzle,
    Sequential,
    Solver,
    TableStore,
    UsageError,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine import search
from puzzlekit.engine.statuses import FOUND, PAUSED
from puzzlekit.puzzle.guard import Guard
from puzzlekit.puzzle.move import Effect, Move, invert
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.heuristic import Sum
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables import move_table
from puzzlekit.tables.product_table import Folded, Modulo3
from puzzlekit_authoring import engines
from puzzlekit_beam import Beam
from puzzlekit_cubes import Hashed, Pairing, Parity, SymPairing, Thresholds
from puzzlekit_cubes.formulas import Euclid, MaxSd
from puzzlekit_fifteen.additive import Additive
from puzzlekit_twophase import Anytime

Distances = npt.NDArray[np.int64]

FAR = 1 << 20  # from where no goal is reached
MOST_ENTRIES = 1 << 21  # of a table that is tried
NODES = 200_000
PLAIN_NODES = 2_000  # of a search that is repeated with the engine as plain Python
STATES = 8  # of each phase


class World:
    """A puzzle, the moves of its phases, and coordinates by name, with whole and small ones."""

    def __init__(self, puzzle: Puzzle, moves: str, coordinates: Sequence[Coordinate]) -> None:
        self.puzzle = puzzle
        self.moves = moves
        self.coordinates = {each.name: each for each in coordinates}
        self._known: dict[object, tuple[Distances, npt.NDArray[np.bool_]]] = {}

    @cached_property
    def _number(self) -> dict[bytes, int]:
        return {state: number for number, state in enumerate(self.states)}

    @cached_property
    def _graph(self) -> tuple[list[bytes], tuple[Move, ...], npt.NDArray[np.int64]]:
        """All states, the moves, and the number of the state after each move, or -1."""
        puzzle = self.puzzle
        names = self.moves.split()
        moves = puzzle.searched(puzzle.family_moves(names))
        number = {puzzle.solved: 0}
        states = [puzzle.solved]
        rows = []
        for state in states:  # grows while it is gone through
            place = puzzle.place_of_guard(state)
            row = []
            for move in moves:
                if move.guard_before >= 0 and move.guard_before != place:
                    row.append(-1)
                    continue
                near = puzzle.apply(state, [move])
                if near not in number:
                    number[near] = len(states)
                    states.append(near)
                row.append(number[near])
            rows.append(row)
        return states, moves, np.array(rows)

    @property
    def states(self) -> list[bytes]:
        """All states that the moves reach."""
        return self._graph[0]

    def distances(self, phase: Phase, metric: Metric) -> Distances:
        """The least cost from each state to where all coordinates of a phase are at goals."""
        return self._searched(phase, metric)[0]

    def is_goal(self, phase: Phase, metric: Metric, state: bytes) -> bool:
        """Whether a state is at the goal of a phase."""
        return bool(self._searched(phase, metric)[1][self._number[state]])

    def _searched(self, phase: Phase, metric: Metric) -> tuple[Distances, npt.NDArray[np.bool_]]:
        names = tuple(sorted(each.name for each in phase.coordinates))
        key = names, phase.moves, phase.goal_moves, phase.goal_turns, metric.name
        if key not in self._known:
            goals = self._at_goal(phase)
            self._known[key] = self._distances(phase, metric, goals), goals
        return self._known[key]

    def _distances(self, phase: Phase, metric: Metric, goals: npt.NDArray[np.bool_]) -> Distances:
        _, moves, after = self._graph
        allowed = set(phase.allowed(self.puzzle))
        found = np.where(goals, 0, FAR)
        while True:
            before = found.copy()
            for move, column in zip(moves, after.T, strict=True):
                if move in allowed:
                    near = np.where(column < 0, FAR, before[column] + metric.cost(move))
                    found = np.minimum(found, near)
            if (found == before).all():
                return found

    def _at_goal(self, phase: Phase) -> npt.NDArray[np.bool_]:
        """Whether each state is at the goal of a phase."""
        puzzle = self.puzzle
        ranks = [self.ranks(each) for each in phase.coordinates]
        if not phase.goal_moves and phase.goal_turns:
            turned = np.zeros(len(self.states), dtype=bool)
            for state in phase.goal_states(puzzle):
                goals = [each.rank(state) for each in phase.coordinates]
                turned |= np.all([r == g for r, g in zip(ranks, goals, strict=True)], axis=0)
            return turned
        roots = [puzzle.solved, *phase.goal_states(puzzle)]
        if phase.goal_moves:
            for state in roots:  # grows while it is gone through
                for move in phase.kept(puzzle):
                    near = puzzle.apply(state, [move])
                    if near not in roots:
                        roots.append(near)
        met = np.ones(len(self.states), dtype=bool)
        for each, values in zip(phase.coordinates, ranks, strict=True):
            goals = each.goals if len(roots) == 1 else [each.rank(state) for state in roots]
            met &= np.isin(values, list(goals))
        return met

    def ranks(self, coordinate: Coordinate) -> npt.NDArray[np.int64]:
        """The rank of a coordinate in each state."""
        columns = np.frombuffer(b"".join(self.states), np.uint8).reshape(len(self.states), -1)
        return np.asarray(coordinate.rank(dict(enumerate(columns.T.astype(np.int64)))))


# --- puzzles --------------------------------------------------------------------------------------


def _corners() -> Puzzle:
    """The corners of a 2x2x2 that are not told how they are twisted."""
    cube = puzzlekit.load("cube2").puzzle
    turns: dict[str, Effect] = {
        family: (bytes(gather[:8]), bytes(8))
        for family, (gather, _) in cube.turns.items()
        if family in tuple("URFDLBxyz")
    }
    orbit = Orbit("corners", "corner", " ".join(cube.orbits[0].places))
    still = dict.fromkeys("xyz", 0)
    metrics = (
        Metric("M", "moves", {**dict.fromkeys("URFDLB", 1), **still}),
        Metric("Q", "quarter turns", {**dict.fromkeys("URFDLB", 1), **still}, per_turn=True),
    )
    return Puzzle("untwisted", "Corners", (orbit,), turns, metrics, ("x", "y", "z"))


def _held() -> World:
    """Three faces of it are turned, and DBL stays."""
    puzzle, free = _corners(), "ULB UBR URF UFL DRB DFR DLF"
    return World(
        puzzle,
        "U R F",
        (
            Permutation("whole", puzzle, "corners", free, free),
            Permutation("one", puzzle, "corners", "URF", free),
            Permutation("two", puzzle, "corners", "UBR UFL", free),
            Combination("pair", puzzle, "corners", "DRB DLF", free),
            Parity("odd", puzzle, "corners"),
            SymCoordinate(
                "sym", puzzle, "corners", (Permutation("s", puzzle, "corners", "ULB DFR", free),)
            ),
        ),
    )


def _turned() -> World:
    """All its faces are turned, and goals may be held otherwise."""
    puzzle = _corners()
    places = puzzle.orbits[0].places

    def layer(name: str, face: str) -> Combination:
        return Combination(name, puzzle, "corners", " ".join(p for p in places if face in p))

    top = layer("parts", "U")
    return World(
        puzzle,
        "U R F D L B",
        (
            layer("top", "U"),
            layer("right", "R"),
            layer("front", "F"),
            Permutation("corner", puzzle, "corners", "DBL"),
            Parity("odd", puzzle, "corners"),
            SymCoordinate("sym", puzzle, "corners", (top,)),
        ),
    )


def _pairs() -> World:
    """Five first places in a ring and five second ones: A turns both, the others three of one."""

    def effect(first: Sequence[int], second: Sequence[int]) -> Effect:
        return bytes([*first, *(5 + i for i in second)]), bytes(10)

    still, one, other = [0, 1, 2, 3, 4], [1, 2, 0, 3, 4], [0, 1, 3, 4, 2]
    about = [4, 3, 2, 1, 0]
    turns = {
        "A": effect([4, 0, 1, 2, 3], [4, 0, 1, 2, 3]),
        "B": effect(one, still),
        "C": effect(other, still),
        "D": effect(still, one),
        "E": effect(still, other),
        "x": effect(about, about),
    }
    metrics = (
        Metric("M", "moves", {**dict.fromkeys("ABCDE", 1), "x": 0}),
        Metric("Q", "steps", {**dict.fromkeys("ABCDE", 1), "x": 0}, per_turn=True),
    )
    orbit = Orbit("beads", "bead", " ".join("abcdefghij"))
    puzzle = Puzzle("pairs", "Pairs", (orbit,), turns, metrics, ("x",))
    pairs = "a f b g c h d i e j"
    return World(
        puzzle,
        "A B C D E",
        (
            SymPairing("paired", puzzle, "beads", pairs, "c", classes=3, symmetries=2),
            Pairing("pairing", puzzle, "beads", pairs),
            Pairing("some", puzzle, "beads", pairs, at="a b"),
            Permutation("one", puzzle, "beads", "f", "f g h i j"),
            Combination("two", puzzle, "beads", "a b", "a b c d e"),
        ),
    )


def _guarded() -> World:
    """Five beads: a turn of all of them, and an exchange that takes bead A at its own place."""
    turn = bytes([4, 0, 1, 2, 3]), bytes(5)
    cases: dict[str, list[Effect | None]] = {
        "r": [turn] * 5,
        "l": [invert(turn, bytes(5))] * 5,
        "x": [(bytes([0, 2, 1, 3, 4]), bytes(5)), None, None, None, None],
    }
    metrics = (
        Metric("M", "steps", dict.fromkeys("rlx", 1)),
        Metric("Q", "dear", {"r": 1, "l": 1, "x": 2}),
    )
    orbit = Orbit("beads", "bead", "A B C D E")
    puzzle = Puzzle("guarded", "Row", (orbit,), {}, metrics, guard=Guard("beads", "A", cases))
    return World(
        puzzle,
        "r l x",
        (
            Permutation("whole", puzzle, "beads"),
            Permutation("two", puzzle, "beads", "A C"),
            Combination("pair", puzzle, "beads", "B E"),
            Permutation("one", puzzle, "beads", "D"),
        ),
    )


WORLDS: Mapping[str, Callable[[], World]] = {
    "held": _held,
    "turned": _turned,
    "pairs": _pairs,
    "guarded": _guarded,
}
# Of a move table: all coordinates have one; the large ones are ranked; all are.
LIMITS = (1 << 22, 200, 0)
KINDS: Mapping[str, Callable[[str], PruningTable]] = {
    "8 bits": lambda names: Plain(names, 8),
    "4 bits": Plain,
    "2 bits": Modulo3,
    "folded": lambda names: Folded(names, fold=3),
    "cut off": lambda names: Folded(names, farthest={"M": 2, "Q": 2}),
    "thresholds": lambda names: Thresholds(names, (1, 2, 3)),
    "hashed": lambda names: Hashed(names, 1 << 10, {"M": 2, "Q": 2}),
    "additive": lambda names: Additive(names, "sum"),
}
HEURISTICS: tuple[Heuristic, ...] = (Max(), Sum(), MaxSd(), Euclid())


STRATEGIES: dict[str, Strategy] = {
    "first": Sequential(),
    "improve": Anytime(),
    "beam": Beam(shares=(0.4, 0.4)),
    "pooled": Beam(shares=(0.5,), finish=Anytime()),
}


class Chained(NamedTuple):
    """Two phases in a chain that solve the world "held": the kinds of their tables."""

    strategy: str
    limit: int
    outer: str
    inner: str


class Case(NamedTuple):
    """A phase to be tried: names of coordinates, and of each table names and kind."""

    world: str
    limit: int
    coordinates: tuple[str, ...]
    tables: tuple[tuple[str, str], ...]
    metric: str = "M"
    heuristic: int = 0
    more: tuple[tuple[str, Any], ...] = ()


# --- which ----------------------------------------------------------------------------------------


def grid(world: str) -> Iterator[Case]:
    """Every kind of table over one to three coordinates of every kind, under every runner."""
    names = list(WORLDS[world]().coordinates)
    groups = [*((each,) for each in names), *permutations(names, 2), *combinations(names, 3)]
    for limit in LIMITS:
        for group in groups:
            for kind in KINDS:
                yield Case(world, limit, group, ((" ".join(group), kind),))
    yield Case(world, LIMITS[0], tuple(names), ((" ".join(names), "hashed"),))


def chains() -> Iterator[Chained]:
    """Every kind of table in each phase of each chain."""
    for strategy in STRATEGIES:
        for limit in LIMITS[:2]:
            for kind in KINDS:
                yield Chained(strategy, limit, kind, "4 bits")
                yield Chained(strategy, limit, "4 bits", kind)


def drawn(rng: random.Random) -> Case:
    """A phase of any kind, some of them absurd."""
    world = rng.choice(list(WORLDS))
    known = WORLDS[world]()
    names = rng.sample(list(known.coordinates), rng.randint(1, min(4, len(known.coordinates))))
    tables = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        own = [rng.choice(names) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        tables.append((" ".join(own), rng.choice(list(KINDS))))
    more: dict[str, Any] = {}
    families = known.moves.split()
    if rng.random() < 0.3:
        more["goal_moves"] = " ".join(rng.sample(families, rng.randint(1, 2)))
    if rng.random() < 0.2 and known.puzzle.rotations:
        more["goal_turns"] = rng.choice(("x2", "x", "y2")[: 3 if world != "pairs" else 1])
    if rng.random() < 0.2:
        more["turned"] = True
    if rng.random() < 0.2:
        more["moves"] = " ".join(rng.sample(families, rng.randint(1, len(families))))
    metric, heuristic = rng.choice("MMQ"), rng.choice((0, 0, 1, 2, 3))
    return Case(
        world,
        rng.choice(LIMITS),
        tuple(names),
        tuple(tables),
        metric,
        heuristic,
        tuple(more.items()),
    )


# --- tried ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def move_tables_of(entries: int) -> Iterator[None]:
    """Let larger coordinates have no move table."""
    before, move_table.MOST_ENTRIES = move_table.MOST_ENTRIES, entries
    try:
        yield
    finally:
        move_table.MOST_ENTRIES = before


class Trial:
    """Tries cases with the engine as it is installed and as plain Python."""

    def __init__(self, store: TableStore) -> None:
        self._store = store
        self._worlds = {name: make() for name, make in WORLDS.items()}

    def tried(self, case: Case | Chained) -> str:
        """What came of it: that all searches agreed, why it is refused, or what is wrong."""
        with move_tables_of(case.limit):
            try:
                if isinstance(case, Chained):
                    return self._solves(case, self._worlds["held"])
                return self._agrees(case, self._worlds[case.world])
            except (DeclarationError, UsageError) as error:
                return f"refused: {error}"
            except Exception as error:
                return f"wrong: {type(error).__name__}: {error}"

    def _agrees(self, case: Case, world: World) -> str:
        phase = self._phase(case, world)
        puzzle, metric = world.puzzle, world.puzzle.metric(case.metric)
        sizes = {name: each.size for name, each in world.coordinates.items()}
        for names, kind in case.tables:
            if kind != "hashed" and prod(sizes[name] for name in names.split()) > MOST_ENTRIES:
                return "too large"
        ready = self._assembled(world, phase, metric)
        with engines.interpreted():
            plain = CompiledPhase(Plan(puzzle, (ready.phase,), metric, self._store), ready.phase)
        far = world.distances(ready.phase, metric)
        near = np.flatnonzero(far < FAR).tolist()
        for at in random.Random(str(case)).sample(near, min(len(near), STATES)):
            state, distance = world.states[at], int(far[at])
            estimate = ready.estimate(puzzle, state)
            if ready.admissible and estimate > distance:
                return f"wrong: the estimate of a state {distance} from the goal is {estimate}"
            looking = _searched(ready, search.Search(ready.space), puzzle, state)
            if looking is None:
                continue
            reached = puzzle.apply(state, [ready.moves[m] for m in looking.path])
            spent = looking.spent_here
            if not world.is_goal(ready.phase, metric, reached):
                return "wrong: a path does not lead to the goal"
            if spent < distance or (ready.admissible and spent > distance):
                return f"wrong: a path costs {spent}, not {distance}"
            if looking.generated_nodes < PLAIN_NODES:
                other = _searched(plain, engines.plain().Search(plain.space), puzzle, state)
                if (other.path, other.expanded_nodes) != (looking.path, looking.expanded_nodes):
                    return "wrong: as plain Python the engine searches otherwise"
        return "agrees"

    def _solves(self, case: Chained, world: World) -> str:
        def phase(name: str, kind: str, moves: str, goal_moves: str = "") -> Phase:
            coordinates = tuple(world.coordinates[each] for each in ("whole", "one", "pair"))
            tables = (KINDS[kind]("whole"), Plain("one pair", bits=8))
            return Phase(name, "home", moves, coordinates, tables, goal_moves=goal_moves)

        pooled = case.strategy == "pooled"
        phases = (
            *([phase("before", "4 bits", world.moves, "U R")] if pooled else []),
            phase("tried", case.outer, world.moves if not pooled else "U R", "U"),
            phase("last", case.inner, "U"),
        )
        method = Method("chain", "", phases, STRATEGIES[case.strategy])
        solver = Solver(world.puzzle, [method], self._store)
        home = attrs.evolve(phases[-1], moves=world.moves)
        held = attrs.evolve(home, goal_turns="x y")  # solved too, without the twists of corners
        far, least = (world.distances(each, world.puzzle.metric()) for each in (home, held))
        for at in random.Random(str(case)).sample(range(len(world.states)), STATES):
            found = solver.solve(world.states[at], max_nodes=20_000)
            if found.cost < least[at] or (found.optimal and found.cost > far[at]):
                return f"wrong: an answer costs {found.cost}, not {least[at]} to {far[at]}"
        return "agrees"

    def _phase(self, case: Case, world: World) -> Phase:
        coordinates = tuple(world.coordinates[name] for name in case.coordinates)
        tables = tuple(KINDS[kind](names) for names, kind in case.tables)
        more = {"moves": world.moves, **dict(case.more)}
        return Phase(
            "tried", "at goals", more.pop("moves"), coordinates, tables, HEURISTICS[case.heuristic],
            **more,
        )  # fmt: skip

    def _assembled(self, world: World, phase: Phase, metric: Metric) -> CompiledPhase:
        """The phase made ready, with the classes and symmetries that its sym coordinate has."""
        while True:
            try:
                return CompiledPhase(Plan(world.puzzle, (phase,), metric, self._store), phase)
            except DeclarationError as error:
                found = re.search(r"has (\d+) symmetries here|are (\d+) classes", str(error))
                if found is None:
                    raise
                symmetries, classes = found.groups()
                told = {"symmetries": int(symmetries)} if symmetries else {"classes": int(classes)}
                stated = tuple(
                    attrs.evolve(each, **told)
                    if isinstance(each, SymCoordinate | SymPairing)
                    else each
                    for each in phase.coordinates
                )
                phase = attrs.evolve(phase, coordinates=stated)


def _searched(ready: CompiledPhase, looking: Any, puzzle: Puzzle, state: bytes) -> Any:
    """A search that has found the goal from a state; None where that takes too many nodes."""
    ready.start(looking, puzzle, state, FAR)
    status = looking.run(NODES)
    if status == PAUSED:
        return None
    assert status == FOUND
    return looking


def main(arguments: Sequence[str]) -> None:
    """Try cases: a cache, and which of them.

    `grid` with a world and a share of it, `chains` with a share, `drawn` with numbers, or a `case`.

    Each is printed before it is tried, and then what came of it.
    """
    root, what, *rest = arguments
    trial = Trial(TableStore(root))
    cases: Sequence[Case | Chained]
    if what == "case":
        name, limit, coordinates, tables, *more = json.loads(rest[0])
        cases = [Case(name, limit, tuple(coordinates), tuple(map(tuple, tables)), *more)]
    elif what == "chains":
        cases = list(chains())[slice(int(rest[0]), None, int(rest[1]))]
    elif what == "grid":
        share = slice(int(rest[1]), None, int(rest[2]))
        cases = list(grid(rest[0]))[share]
    else:
        cases = [drawn(random.Random(number)) for number in range(int(rest[0]), int(rest[1]))]
    for case in cases:
        print(json.dumps(case), flush=True)
        print(json.dumps(trial.tried(case)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
