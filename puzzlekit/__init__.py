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

The other names, by purpose:

Solve a puzzle:

    Solving: load, available, Solver, Positions, Solution, PhaseReport,
        HowFound
    Options and limits: SearchOptions, Choice, Limits, BoundReport, Progress
    Heuristics: heuristics, find_heuristic, Max, Sum, Blended, Euclid, MaxSd, MaxSum
    Tables on disk: TableStore, TableWarning
    Errors: PuzzlekitError, UsageError, NotationError, StateError, NoSolutionError, TableError,
        DeclarationError, DefinitionError, PluginError

Describe a puzzle:

    Moves: Move, Step, Effect, product, state_modulus, Guard
    Constraints: EvenParity, OrientationSum, Frame, Blocks, GuardParity, Forbidden, Law
    Stickers and positions: FaceletLayout, Surface, sticker_effect, Grid, View, Painting, Fault,
        Repair
    Pictures: Picture, NetPicture, SolidPicture, TopPicture, Drawing, SpacePoint
    Plugins: PuzzleFamily, CommandEntry, StrategyEntry, PuzzleReader, MetricReader, API_VERSION
    Events of competitions: Event, Exactly, AtMost, RandomMoves

Write a method:

    Coordinates: Coordinate, Orientation, Combination, OrientedCombination, Halves, Parity,
        RelativeOrientation, Pieces, Product, Reached, SymCoordinate
    Pruning tables: Plain, Modulo3, Folded
    Strategies: Sequential, Anytime, Optimal, Beam, Alternative, Rounds, WithFallback, Named
    Profiles: Profile
    Methods for any puzzle: universal_method

State a goal:

    Goals: Goal, derive_goal
    Steps: GoalStep, StepBeam, StepMethod
    Conditions: Solved, Placed, Oriented, Within, Joined, SolvableBy, EachSolvableBy
    Conditions of your own: Condition, Need

Extend puzzlekit:

    Heuristics of your own: Heuristic
    Kinds of tables of your own: PruningTable, DistanceGraph, TableText
    Strategies of your own: Strategy, Plan, Candidate, PhaseMoves
    Kinds of coordinates of your own: Runner, CoordinateInput

All these names are public, and so are the names that a module of puzzlekit lists in `__all__`. All
other names may change. A name is imported when it is first used, so
that the command line starts quickly.
"""

from __future__ import annotations

from puzzlekit.lazy import lazy_names
from puzzlekit.version import __version__ as __version__

TYPE_CHECKING = False  # like in `typing`, whose import is slow
if TYPE_CHECKING:
    from puzzlekit.coordinates.coordinate import Coordinate as Coordinate
    from puzzlekit.coordinates.kinds import Combination as Combination
    from puzzlekit.coordinates.kinds import Halves as Halves
    from puzzlekit.coordinates.kinds import Orientation as Orientation
    from puzzlekit.coordinates.kinds import OrientedCombination as OrientedCombination
    from puzzlekit.coordinates.kinds import Permutation as Permutation
    from puzzlekit.coordinates.kinds import Pieces as Pieces
    from puzzlekit.coordinates.kinds import RelativeOrientation as RelativeOrientation
    from puzzlekit.coordinates.parity import Parity as Parity
    from puzzlekit.coordinates.products import Product as Product
    from puzzlekit.coordinates.products import Reached as Reached
    from puzzlekit.coordinates.products import SymCoordinate as SymCoordinate
    from puzzlekit.engine.inputs import CoordinateInput as CoordinateInput
    from puzzlekit.errors import DeclarationError as DeclarationError
    from puzzlekit.errors import DefinitionError as DefinitionError
    from puzzlekit.errors import NoSolutionError as NoSolutionError
    from puzzlekit.errors import NotationError as NotationError
    from puzzlekit.errors import PluginError as PluginError
    from puzzlekit.errors import PuzzlekitError as PuzzlekitError
    from puzzlekit.errors import StateError as StateError
    from puzzlekit.errors import TableError as TableError
    from puzzlekit.errors import UsageError as UsageError
    from puzzlekit.plugins.hooks import API_VERSION as API_VERSION
    from puzzlekit.plugins.hooks import CommandEntry as CommandEntry
    from puzzlekit.plugins.hooks import MetricReader as MetricReader
    from puzzlekit.plugins.hooks import PuzzleEntry as PuzzleEntry
    from puzzlekit.plugins.hooks import PuzzleFamily as PuzzleFamily
    from puzzlekit.plugins.hooks import PuzzleReader as PuzzleReader
    from puzzlekit.plugins.hooks import StrategyEntry as StrategyEntry
    from puzzlekit.plugins.hooks import hookimpl as hookimpl
    from puzzlekit.plugins.manager import available as available
    from puzzlekit.plugins.manager import load as load
    from puzzlekit.puzzle.diagnose import Fault as Fault
    from puzzlekit.puzzle.groups import Need as Need
    from puzzlekit.puzzle.guard import Guard as Guard
    from puzzlekit.puzzle.layout import Drawing as Drawing
    from puzzlekit.puzzle.layout import FaceletLayout as FaceletLayout
    from puzzlekit.puzzle.layout import Grid as Grid
    from puzzlekit.puzzle.layout import Picture as Picture
    from puzzlekit.puzzle.layout import Surface as Surface
    from puzzlekit.puzzle.layout import sticker_effect as sticker_effect
    from puzzlekit.puzzle.move import Effect as Effect
    from puzzlekit.puzzle.move import Metric as Metric
    from puzzlekit.puzzle.move import Move as Move
    from puzzlekit.puzzle.move import Step as Step
    from puzzlekit.puzzle.move import product as product
    from puzzlekit.puzzle.orbit import Blocks as Blocks
    from puzzlekit.puzzle.orbit import EvenParity as EvenParity
    from puzzlekit.puzzle.orbit import Forbidden as Forbidden
    from puzzlekit.puzzle.orbit import Frame as Frame
    from puzzlekit.puzzle.orbit import GuardParity as GuardParity
    from puzzlekit.puzzle.orbit import Law as Law
    from puzzlekit.puzzle.orbit import Orbit as Orbit
    from puzzlekit.puzzle.orbit import OrientationSum as OrientationSum
    from puzzlekit.puzzle.orbit import state_modulus as state_modulus
    from puzzlekit.puzzle.painting import Painting as Painting
    from puzzlekit.puzzle.painting import Repair as Repair
    from puzzlekit.puzzle.pictures import NetPicture as NetPicture
    from puzzlekit.puzzle.pictures import SolidPicture as SolidPicture
    from puzzlekit.puzzle.pictures import SpacePoint as SpacePoint
    from puzzlekit.puzzle.pictures import TopPicture as TopPicture
    from puzzlekit.puzzle.puzzle import Puzzle as Puzzle
    from puzzlekit.puzzle.view import View as View
    from puzzlekit.search.estimates import find_heuristic as find_heuristic
    from puzzlekit.search.estimates import heuristics as heuristics
    from puzzlekit.search.event import AtMost as AtMost
    from puzzlekit.search.event import Event as Event
    from puzzlekit.search.event import Exactly as Exactly
    from puzzlekit.search.event import RandomMoves as RandomMoves
    from puzzlekit.search.formulas import Blended as Blended
    from puzzlekit.search.formulas import Euclid as Euclid
    from puzzlekit.search.formulas import MaxSd as MaxSd
    from puzzlekit.search.formulas import MaxSum as MaxSum
    from puzzlekit.search.goal_method import derive_goal as derive_goal
    from puzzlekit.search.goals.conditions import Joined as Joined
    from puzzlekit.search.goals.conditions import Oriented as Oriented
    from puzzlekit.search.goals.conditions import Placed as Placed
    from puzzlekit.search.goals.conditions import Solved as Solved
    from puzzlekit.search.goals.conditions import Within as Within
    from puzzlekit.search.goals.goal import Condition as Condition
    from puzzlekit.search.goals.goal import Goal as Goal
    from puzzlekit.search.goals.solvable_by import EachSolvableBy as EachSolvableBy
    from puzzlekit.search.goals.solvable_by import SolvableBy as SolvableBy
    from puzzlekit.search.goals.step_method import GoalStep as GoalStep
    from puzzlekit.search.goals.step_method import StepBeam as StepBeam
    from puzzlekit.search.goals.step_method import StepMethod as StepMethod
    from puzzlekit.search.heuristic import Heuristic as Heuristic
    from puzzlekit.search.heuristic import Max as Max
    from puzzlekit.search.heuristic import Sum as Sum
    from puzzlekit.search.limits import BoundReport as BoundReport
    from puzzlekit.search.limits import Limits as Limits
    from puzzlekit.search.limits import Progress as Progress
    from puzzlekit.search.method import Method as Method
    from puzzlekit.search.method import Profile as Profile
    from puzzlekit.search.options import Choice as Choice
    from puzzlekit.search.options import SearchOptions as SearchOptions
    from puzzlekit.search.phase import Phase as Phase
    from puzzlekit.search.positions import Positions as Positions
    from puzzlekit.search.resolved import Plan as Plan
    from puzzlekit.search.runners import Runner as Runner
    from puzzlekit.search.solution import PhaseReport as PhaseReport
    from puzzlekit.search.solution import Solution as Solution
    from puzzlekit.search.solver import Solver as Solver
    from puzzlekit.search.strategies.anytime import Anytime as Anytime
    from puzzlekit.search.strategies.beam import Alternative as Alternative
    from puzzlekit.search.strategies.beam import Beam as Beam
    from puzzlekit.search.strategies.beam import Rounds as Rounds
    from puzzlekit.search.strategies.candidate import Candidate as Candidate
    from puzzlekit.search.strategies.candidate import HowFound as HowFound
    from puzzlekit.search.strategies.candidate import PhaseMoves as PhaseMoves
    from puzzlekit.search.strategies.fallback import WithFallback as WithFallback
    from puzzlekit.search.strategies.named import Named as Named
    from puzzlekit.search.strategies.optimal import Optimal as Optimal
    from puzzlekit.search.strategies.sequential import Sequential as Sequential
    from puzzlekit.search.strategies.strategy import Strategy as Strategy
    from puzzlekit.search.universal import universal_method as universal_method
    from puzzlekit.tables.distance_graph import DistanceGraph as DistanceGraph
    from puzzlekit.tables.product_table import Folded as Folded
    from puzzlekit.tables.product_table import Modulo3 as Modulo3
    from puzzlekit.tables.product_table import Plain as Plain
    from puzzlekit.tables.pruning_table import PruningTable as PruningTable
    from puzzlekit.tables.pruning_table import TableText as TableText
    from puzzlekit.tables.store import TableStore as TableStore
    from puzzlekit.tables.store import TableWarning as TableWarning

# The public names, by their modules.
_HOMES = {
    "puzzlekit.coordinates.coordinate": "Coordinate",
    "puzzlekit.coordinates.products": "Product Reached SymCoordinate",
    "puzzlekit.coordinates.kinds": (
        "Combination Halves Orientation OrientedCombination Permutation Pieces RelativeOrientation"
    ),
    "puzzlekit.coordinates.parity": "Parity",
    "puzzlekit.engine.inputs": "CoordinateInput",
    "puzzlekit.errors": (
        "DeclarationError DefinitionError NoSolutionError NotationError PluginError "
        "PuzzlekitError StateError TableError UsageError"
    ),
    "puzzlekit.search.goals.goal": "Condition Goal",
    "puzzlekit.puzzle.groups": "Need",
    "puzzlekit.search.goals.conditions": "Joined Oriented Placed Solved Within",
    "puzzlekit.search.goals.solvable_by": "EachSolvableBy SolvableBy",
    "puzzlekit.search.goals.step_method": "GoalStep StepBeam StepMethod",
    "puzzlekit.search.heuristic": "Heuristic Max Sum",
    "puzzlekit.search.formulas": "Blended Euclid MaxSd MaxSum",
    "puzzlekit.search.estimates": "find_heuristic heuristics",
    "puzzlekit.search.phase": "Phase",
    "puzzlekit.search.event": "AtMost Event Exactly RandomMoves",
    "puzzlekit.search.goal_method": "derive_goal",
    "puzzlekit.search.method": "Method Profile",
    "puzzlekit.search.strategies.candidate": "Candidate HowFound PhaseMoves",
    "puzzlekit.search.strategies.beam": "Alternative Beam Rounds",
    "puzzlekit.search.strategies.sequential": "Sequential",
    "puzzlekit.search.strategies.anytime": "Anytime",
    "puzzlekit.search.strategies.optimal": "Optimal",
    "puzzlekit.search.strategies.fallback": "WithFallback",
    "puzzlekit.search.strategies.named": "Named",
    "puzzlekit.search.strategies.strategy": "Strategy",
    "puzzlekit.search.universal": "universal_method",
    "puzzlekit.search.resolved": "Plan",
    "puzzlekit.search.runners": "Runner",
    "puzzlekit.search.limits": "BoundReport Limits Progress",
    "puzzlekit.search.options": "Choice SearchOptions",
    "puzzlekit.search.solution": "PhaseReport Solution",
    "puzzlekit.search.positions": "Positions",
    "puzzlekit.search.solver": "Solver",
    "puzzlekit.puzzle.pictures": "NetPicture SolidPicture SpacePoint TopPicture",
    "puzzlekit.plugins.hooks": (
        "API_VERSION CommandEntry MetricReader PuzzleEntry PuzzleFamily PuzzleReader "
        "StrategyEntry hookimpl"
    ),
    "puzzlekit.plugins.manager": "available load",
    "puzzlekit.puzzle.orbit": (
        "Blocks EvenParity Forbidden Frame GuardParity Law Orbit OrientationSum state_modulus"
    ),
    "puzzlekit.puzzle.diagnose": "Fault",
    "puzzlekit.puzzle.guard": "Guard",
    "puzzlekit.puzzle.layout": "Drawing FaceletLayout Grid Picture Surface sticker_effect",
    "puzzlekit.puzzle.move": "Effect Metric Move Step product",
    "puzzlekit.puzzle.painting": "Painting Repair",
    "puzzlekit.puzzle.puzzle": "Puzzle",
    "puzzlekit.puzzle.view": "View",
    "puzzlekit.tables.store": "TableStore TableWarning",
    "puzzlekit.tables.distance_graph": "DistanceGraph",
    "puzzlekit.tables.product_table": "Folded Modulo3 Plain",
    "puzzlekit.tables.pruning_table": "PruningTable TableText",
}
__all__, __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
