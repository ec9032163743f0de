"""puzzlekit: solve permutation puzzles.

>>> import puzzlekit
>>> solver = puzzlekit.load("cube2")
>>> str(solver.solve("R U F2"))
"F2 U' R'"

A first plugin needs eight names:

    Puzzle       the puzzle: its orbits, moves, metrics and stickers
    Orbit        pieces of one kind, and their places
    Metric       the cost of each move
    Method       a way to solve: phases, one after the other
    Phase        one stage: the allowed moves, the goal, coordinates, pruning tables
    Permutation  a coordinate: the piece at each place
    PuzzleEntry  a puzzle as a plugin provides it
    hookimpl     marks the function of a plugin that provides its puzzles

All names, by purpose. Names after a module are imported from that module, as in
`from puzzlekit.puzzle.guard import Guard`.

Solve a puzzle:

    Solving: load, available, Solver, Solution; search.positions: Positions; search.solution:
        PhaseReport; search.strategies.candidate: HowFound
    Options and limits: SearchOptions, Limits, Progress; search.options: Choice; search.limits:
        BoundReport
    Heuristics: heuristics, Max; search.estimates: find_heuristic; search.heuristic: Sum
    Tables on disk: TableStore; tables.store: TableWarning
    Errors: PuzzlekitError, UsageError, NotationError, StateError, NoSolutionError,
        DeclarationError; errors: TableError, DefinitionError, PluginError

Describe a puzzle:

    Moves: Move; puzzle.move: Step, Effect, product; puzzle.orbit: state_modulus; puzzle.guard:
        Guard
    Constraints: EvenParity, OrientationSum, Frame; puzzle.orbit: Blocks, GuardParity,
        Forbidden, Law
    Stickers and positions: FaceletLayout, Surface; puzzle.layout: sticker_effect, Grid;
        puzzle.diagnose: Fault
    Pictures: puzzle.layout: Picture, Drawing
    Plugins: PuzzleFamily, CommandEntry; plugins.hooks: ServiceEntry, StrategyEntry,
        PuzzleReader, MetricReader, API_VERSION

Write a method:

    Coordinates: Coordinate, Orientation, Combination, Pieces, Product; coordinates.products:
        Reached, SymCoordinate
    Pruning tables: Plain; tables.product_table: Modulo3, Folded
    Strategies: Sequential, Optimal; search.strategies.named: Named
    Profiles: search.method: Profile
    Methods for any puzzle: universal_method

Extend puzzlekit:

    Heuristics of your own: Heuristic
    Kinds of tables of your own: PruningTable; tables.distance_graph: DistanceGraph;
        tables.pruning_table: TableText
    Strategies of your own: search.strategies.strategy: Strategy, Wrapper;
        search.resolved: Plan; search.strategies.candidate: Candidate, PhaseMoves
    Kinds of coordinates of your own: search.runners: Runner; engine.inputs: CoordinateInput

Public are these names, and all others in `__all__` of a module. Everything else may change. A name
of this package is imported when it is first used, so that the command line starts quickly.
"""

from __future__ import annotations

from puzzlekit.lazy import lazy_names
from puzzlekit.version import __version__ as __version__

TYPE_CHECKING = False  # like in `typing`, whose import is slow
if TYPE_CHECKING:
    from puzzlekit.coordinates.coordinate import Coordinate as Coordinate
    from puzzlekit.coordinates.kinds import Combination as Combination
    from puzzlekit.coordinates.kinds import Orientation as Orientation
    from puzzlekit.coordinates.kinds import Permutation as Permutation
    from puzzlekit.coordinates.kinds import Pieces as Pieces
    from puzzlekit.coordinates.products import Product as Product
    from puzzlekit.errors import DeclarationError as DeclarationError
    from puzzlekit.errors import NoSolutionError as NoSolutionError
    from puzzlekit.errors import NotationError as NotationError
    from puzzlekit.errors import PuzzlekitError as PuzzlekitError
    from puzzlekit.errors import StateError as StateError
    from puzzlekit.errors import UsageError as UsageError
    from puzzlekit.plugins.hooks import CommandEntry as CommandEntry
    from puzzlekit.plugins.hooks import PuzzleEntry as PuzzleEntry
    from puzzlekit.plugins.hooks import PuzzleFamily as PuzzleFamily
    from puzzlekit.plugins.hooks import hookimpl as hookimpl
    from puzzlekit.plugins.manager import available as available
    from puzzlekit.plugins.manager import load as load
    from puzzlekit.puzzle.layout import FaceletLayout as FaceletLayout
    from puzzlekit.puzzle.layout import Surface as Surface
    from puzzlekit.puzzle.move import Metric as Metric
    from puzzlekit.puzzle.move import Move as Move
    from puzzlekit.puzzle.orbit import EvenParity as EvenParity
    from puzzlekit.puzzle.orbit import Frame as Frame
    from puzzlekit.puzzle.orbit import Orbit as Orbit
    from puzzlekit.puzzle.orbit import OrientationSum as OrientationSum
    from puzzlekit.puzzle.puzzle import Puzzle as Puzzle
    from puzzlekit.search.estimates import heuristics as heuristics
    from puzzlekit.search.heuristic import Heuristic as Heuristic
    from puzzlekit.search.heuristic import Max as Max
    from puzzlekit.search.limits import Limits as Limits
    from puzzlekit.search.limits import Progress as Progress
    from puzzlekit.search.method import Method as Method
    from puzzlekit.search.options import SearchOptions as SearchOptions
    from puzzlekit.search.phase import Phase as Phase
    from puzzlekit.search.solution import Solution as Solution
    from puzzlekit.search.solver import Solver as Solver
    from puzzlekit.search.strategies.optimal import Optimal as Optimal
    from puzzlekit.search.strategies.sequential import Sequential as Sequential
    from puzzlekit.search.universal import universal_method as universal_method
    from puzzlekit.tables.product_table import Plain as Plain
    from puzzlekit.tables.pruning_table import PruningTable as PruningTable
    from puzzlekit.tables.store import TableStore as TableStore

# The public names, by their modules.
_HOMES = {
    "puzzlekit.coordinates.coordinate": "Coordinate",
    "puzzlekit.coordinates.products": "Product",
    "puzzlekit.coordinates.kinds": "Combination Orientation Permutation Pieces",
    "puzzlekit.errors": (
        "DeclarationError NoSolutionError NotationError PuzzlekitError StateError UsageError"
    ),
    "puzzlekit.search.heuristic": "Heuristic Max",
    "puzzlekit.search.estimates": "heuristics",
    "puzzlekit.search.phase": "Phase",
    "puzzlekit.search.method": "Method",
    "puzzlekit.search.strategies.sequential": "Sequential",
    "puzzlekit.search.strategies.optimal": "Optimal",
    "puzzlekit.search.universal": "universal_method",
    "puzzlekit.search.limits": "Limits Progress",
    "puzzlekit.search.options": "SearchOptions",
    "puzzlekit.search.solution": "Solution",
    "puzzlekit.search.solver": "Solver",
    "puzzlekit.plugins.hooks": "CommandEntry PuzzleEntry PuzzleFamily hookimpl",
    "puzzlekit.plugins.manager": "available load",
    "puzzlekit.puzzle.orbit": "EvenParity Frame Orbit OrientationSum",
    "puzzlekit.puzzle.layout": "FaceletLayout Surface",
    "puzzlekit.puzzle.move": "Metric Move",
    "puzzlekit.puzzle.puzzle": "Puzzle",
    "puzzlekit.tables.store": "TableStore",
    "puzzlekit.tables.product_table": "Plain",
    "puzzlekit.tables.pruning_table": "PruningTable",
}
__all__, __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
