"""For the tests: what the bundled plugins declare, and a cube that knows only stickers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from resolving import resolve, table_of

import puzzlekit
from puzzlekit import Coordinate, Metric, Move, Phase, Plain, PruningTable, Solver
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine import fill
from puzzlekit.engine.automaton import Automaton, redundancy_automaton
from puzzlekit.engine.inputs import CoordinateInput, TableInput
from puzzlekit.search.move_order import pairs_of
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_cubes import SymPairing

# Without a compiler the same tests run, on fewer states.
COMPILED: bool = fill.COMPILED
CUBES = ("cube2", "cube3", "cube4")
BUNDLED = (*CUBES, "pyraminx", "skewb")
# Without a compiler the tables of a heavy method take minutes to build.
METHODS = [
    (puzzle, method.name)
    for puzzle in BUNDLED
    for method in puzzlekit.load(puzzle).methods
    if COMPILED or not method.heavy
]
WAYS = [
    (puzzle, method, metric.name)
    for puzzle, method in METHODS
    for metric in puzzlekit.load(puzzle).catalogue.metrics(method)
    if metric.counts  # machines have tests of their own
    # Its tables take 4 s. The other method has answers in STM, and this one in HTM and QTM.
    and (puzzle, method, metric.name) != ("cube3", "optimal", "STM")
]
# Those seen through a view are the phases of another puzzle.
PHASES = [
    (puzzle, method, number)
    for puzzle, method in METHODS
    for number, phase in enumerate(puzzlekit.load(puzzle).method(method).phases)
    if phase.view is None
]


def automaton_of(
    puzzle: puzzlekit.Puzzle, moves: Sequence[Move], costs: Sequence[int]
) -> Automaton:
    """The automaton of moves with these costs."""
    return redundancy_automaton(pairs_of(puzzle, moves, costs))


def find(puzzle: str, method: str, phase: int) -> tuple[Solver, Phase, tuple[Move, ...]]:
    """A phase with its solver and its allowed moves."""
    solver = puzzlekit.load(puzzle)
    found = solver.method(method).phases[phase]
    return solver, found, found.allowed(solver.puzzle)


def every_coordinate() -> dict[str, tuple[Coordinate, tuple[Move, ...]]]:
    """The coordinates of all bundled methods with the moves of their phases, by a readable name.

    And those that sym coordinates and products are made of. A `SymPairing` is not among them: it
    has too many values to list, and tests of its own.
    """
    found = {}
    for puzzle, method, number in PHASES:
        _, phase, moves = find(puzzle, method, number)
        parts = [part for each in phase.coordinates for part in getattr(each, "parts", ())]
        listed = (each for each in phase.coordinates if not isinstance(each, SymPairing))
        for coordinate in (*parts, *listed):
            found[f"{puzzle}-{phase.name}-{coordinate.name}"] = (coordinate, moves)
    return found


def costs_in(metric: Metric, moves: Sequence[Move]) -> list[int]:
    """The cost of each move."""
    return [metric.cost(move) for move in moves]


def quarter(n: int) -> list[int]:
    """Which sticker comes to each of n rows of n when their face turns clockwise."""
    return [(n - 1 - c) * n + r for r in range(n) for c in range(n)]


class StickerCube:
    """A cube as a string of stickers in the order URFDLB, turned by carrying stickers about.

    It shares nothing with puzzlekit: two rotations are written down here, a layer turns as they
    do, and all else follows from that.
    """

    def __init__(self, size: int) -> None:
        n = self.size = size
        area = n * n
        face = {name: i * area for i, name in enumerate("URFDLB")}
        clockwise = quarter(n)
        here = list(range(area))
        # For each sticker after the move, where it comes from.
        turn_x, turn_y = list(range(6 * area)), list(range(6 * area))
        for i in range(area):
            turn_y[i] = clockwise[i]
            turn_y[face["D"] + clockwise[i]] = face["D"] + i
            turn_x[face["R"] + i] = face["R"] + clockwise[i]
            turn_x[face["L"] + clockwise[i]] = face["L"] + i
            for to, source in ("FR", "LF", "BL", "RB"):
                turn_y[face[to] + i] = face[source] + i
            for to, source, order in (
                ("U", "F", here),
                ("F", "D", here),
                ("D", "B", here[::-1]),
                ("B", "U", here[::-1]),
            ):
                turn_x[face[to] + i] = face[source] + order[i]
        self.turns = {"x": turn_x, "y": turn_y}
        self.turns["z"] = self.sequence("x y x x x")

        def layer(row: int) -> list[int]:
            # A row of each side; an outermost layer takes the stickers of its face along.
            ends = {"U": 0, "D": n - 1}
            return [
                source if ends.get("URFDLB"[i // area], i % area // n) == row else i
                for i, source in enumerate(turn_y)
            ]

        layers = {"U": range(1)}
        layers |= {f"{'' if depth == 2 else depth}Uw": range(depth) for depth in range(2, n)}
        around = []  # blocks around the middle, which are named from L, D and F only
        for first in range(2, n):
            for last in range(first, n + 2 - first):
                name = f"{first}-{last}Uw" if last > first else f"{first}U"
                around += [name] if first + last == n + 1 else []
                layers[name] = range(first - 1, last)
        for name, rows in layers.items():
            turned = list(range(6 * area))
            for row in rows:
                turned = [turned[i] for i in layer(row)]
            self.turns[name] = turned
            for other, there, back in (
                ("F", "x", "x x x"),
                ("B", "x x x", "x"),
                ("D", "x x", "x x"),
                ("R", "z z z", "z"),
                ("L", "z", "z z z"),
            ):
                as_moves = f"{there} {name} {back}"
                self.turns[name.replace("U", other)] = self.sequence(as_moves)
        for name in around:
            for face in "URB":
                self.turns.pop(name.replace("U", face), None)
            for name_of_slice, face in ("ML", "ED", "SF"):
                if "-" not in name:
                    self.turns[name_of_slice] = self.turns.pop(name.replace("U", face))
        self.solved = "".join(name * area for name in "URFDLB")

    def sequence(self, names: str) -> list[int]:
        """Several turns as one."""
        source = list(range(6 * self.size**2))
        for name in names.split():
            source = [source[i] for i in self.turns[name]]
        return source

    def replay(self, stickers: str, moves: str) -> str:
        """What a cube looks like after moves."""
        for move in moves.split():
            name = move.rstrip("2'")
            suffix = move.removeprefix(name)
            amount = (2 if "2" in suffix else 1) * (-1 if "'" in suffix else 1) % 4
            for _ in range(amount):
                stickers = "".join(stickers[i] for i in self.turns[name])
        return stickers

    def is_solved(self, stickers: str) -> bool:
        """Whether each face shows one colour."""
        area = self.size**2
        faces = [stickers[i : i + area] for i in range(0, 6 * area, area)]
        return all(len(set(face)) == 1 for face in faces) and len(set(stickers)) == 6


@cache
def stickers(puzzle: str) -> StickerCube:
    """The sticker cube of a bundled puzzle."""
    return StickerCube(int(puzzle.removeprefix("cube")))


def counted(moves: Sequence[str], metric: str) -> int:
    """The length of moves, by the definition of the metric; wide turns are those of a 4x4x4."""
    return sum(_cost(move, metric) for move in moves)


def _cost(move: str, metric: str) -> int:
    if move[0] in "xyz":
        return 0
    inner = move[0] in "MES2"  # 2R and 2-3Rw, but not 3Rw
    if metric == "QTM":
        return (2 if inner else 1) * (2 if move.endswith("2") else 1)
    if metric == "STM":
        return 2 if "w" in move and not move.startswith("3") else 1
    return 1 if metric == "BTM" or not inner else 2


def engine_space(engine: Any, solver: Solver, phase: Phase, metric: str, **changes: Any) -> Any:
    """The space of a phase, made by `engine` (the compiled module or another copy of it)."""
    needs = resolve(solver.puzzle, phase, solver.puzzle.metric(metric))
    parts: dict[str, Any] = {
        "costs": needs.costs,
        "automaton": automaton_of(needs.puzzle, needs.moves, needs.costs),
        "coordinates": [
            engine_coordinate(engine, solver, needs, each) for each in phase.coordinates
        ],
        "tables": [engine_table(solver, needs, each) for each in phase.pruning_tables],
    }
    return engine.Space(**{**parts, **changes})


def engine_coordinate(
    engine: Any, solver: Solver, needs: Any, coordinate: Coordinate
) -> CoordinateInput:
    """A coordinate as a space of `engine` takes it, tabulated."""
    from puzzlekit.tables.classes import Classes
    from puzzlekit.tables.goals import goals
    from puzzlekit.tables.move_table import move_table

    if isinstance(coordinate, SymCoordinate):
        classes = Classes(
            solver.store, needs.runners[needs.phase.coordinates.index(coordinate)].sym
        )
        sym = (coordinate.shift, coordinate.symmetries, classes.move_images, classes.products)
        return CoordinateInput(
            coordinate.classes, classes.class_moves, classes.goals, engine.Sym(*sym)
        )
    at_goal = goals(solver.store, coordinate, needs.goal_moves)
    table = move_table(solver.store, coordinate, needs.moves).data
    return CoordinateInput(coordinate.size, table, at_goal)


def engine_table(solver: Solver, needs: Any, table: PruningTable) -> TableInput:
    """A pruning table as a space takes it."""
    numbers = needs.phase.coordinate_numbers(table)
    given: TableInput = table_of(needs, table).engine_input(solver.store, numbers)
    return given


def kept(names: str, bits: int) -> PruningTable:
    """A pruning table of the kind that has entries of 2, 4 or 8 bits."""
    return Modulo3(names) if bits == 2 else Plain(names, bits)
