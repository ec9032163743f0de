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

    Solving: load, load_event, available, Solver, Positions, Solution, PhaseReport,
        HowFound
    Options and limits: SearchOptions, Choice, Limits, BoundReport, Progress
    Heuristics: heuristics, find_heuristic, Max, Sum, Blended, Euclid, MaxSd, MaxSum
    Tables on disk: TableStore, TableWarning
    Errors: PuzzlekitError, UsageError, NotationError, StateError, NoSolutionError, TableError,
        DeclarationError, DefinitionError, PluginError

Describe a puzzle:

    Moves: Move, Effect, product, state_modulus, Guard
    Constraints: EvenParity, OrientationSum, Frame, Blocks, GuardParity, Forbidden, Law
    Stickers and positions: FaceletLayout, Surface, sticker_effect, Grid, View, Painting, Fault,
        Repair
    Pictures: Picture, NetPicture, SolidPicture, TopPicture, Drawing, SpacePoint
    Machines: Machine, Step, parse_machine, read_machine
    Effort of hands: Hands, Way, parse_hands, read_hands
    Plugins: PuzzleFamily, CommandEntry, PuzzleReader, API_VERSION
    Events of competitions: Event, EventScrambler, Exactly, AtMost, RandomMoves

Write a method:

    Coordinates: Coordinate, Orientation, Combination, OrientedCombination, Halves, Parity,
        RelativeOrientation, Pieces, Pairing, PairSplit, Companions, Product, Reached,
        SymCoordinate, SymPairing
    Pruning tables: Plain, Modulo3, Folded, Additive, Thresholds, Hashed, Based, Shared
    Strategies: First, Improve, Prove, ProveBothSides, Beam, Alternative, Rounds, Secured,
        Universal, ByShapes
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
    Strategies of your own: Strategy, Plan, Chain, Answer, PhaseMoves
    Kinds of coordinates of your own: Runner, CoordinateInput

All these names are public, and so are the names that a module of puzzlekit lists in `__all__`. All
other names may change. A name is imported when it is first used, so
that the command line starts quickly.
"""

from __future__ import annotations

import importlib

from puzzlekit.version import __version__ as __version__

TYPE_CHECKING = False  # like in `typing`, whose import is slow
if TYPE_CHECKING:
    from puzzlekit.coordinate.companions import Companions as Companions
    from puzzlekit.coordinate.coordinate import Coordinate as Coordinate
    from puzzlekit.coordinate.joint import Product as Product
    from puzzlekit.coordinate.kinds import Combination as Combination
    from puzzlekit.coordinate.kinds import Halves as Halves
    from puzzlekit.coordinate.kinds import Orientation as Orientation
    from puzzlekit.coordinate.kinds import OrientedCombination as OrientedCombination
    from puzzlekit.coordinate.kinds import Permutation as Permutation
    from puzzlekit.coordinate.kinds import RelativeOrientation as RelativeOrientation
    from puzzlekit.coordinate.pairs import Pairing as Pairing
    from puzzlekit.coordinate.pairs import PairSplit as PairSplit
    from puzzlekit.coordinate.pairs import Parity as Parity
    from puzzlekit.coordinate.pieces import Pieces as Pieces
    from puzzlekit.coordinate.reached import Reached as Reached
    from puzzlekit.coordinate.sym_pairing import SymPairing as SymPairing
    from puzzlekit.coordinate.symmetric import SymCoordinate as SymCoordinate
    from puzzlekit.diagnosis.diagnose import Fault as Fault
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
    from puzzlekit.goal.condition import Condition as Condition
    from puzzlekit.goal.condition import Need as Need
    from puzzlekit.goal.condition_kinds import Joined as Joined
    from puzzlekit.goal.condition_kinds import Oriented as Oriented
    from puzzlekit.goal.condition_kinds import Placed as Placed
    from puzzlekit.goal.condition_kinds import Solved as Solved
    from puzzlekit.goal.condition_kinds import Within as Within
    from puzzlekit.goal.each_solvable_by import EachSolvableBy as EachSolvableBy
    from puzzlekit.goal.goal import Goal as Goal
    from puzzlekit.goal.solvable_by import SolvableBy as SolvableBy
    from puzzlekit.goal.step_method import GoalStep as GoalStep
    from puzzlekit.goal.step_method import StepBeam as StepBeam
    from puzzlekit.goal.step_method import StepMethod as StepMethod
    from puzzlekit.heuristic.formulas import Blended as Blended
    from puzzlekit.heuristic.formulas import Euclid as Euclid
    from puzzlekit.heuristic.formulas import MaxSd as MaxSd
    from puzzlekit.heuristic.formulas import MaxSum as MaxSum
    from puzzlekit.heuristic.heuristic import Heuristic as Heuristic
    from puzzlekit.heuristic.heuristic import Max as Max
    from puzzlekit.heuristic.heuristic import Sum as Sum
    from puzzlekit.heuristic.registry import find_heuristic as find_heuristic
    from puzzlekit.heuristic.registry import heuristics as heuristics
    from puzzlekit.method.event import AtMost as AtMost
    from puzzlekit.method.event import Event as Event
    from puzzlekit.method.event import Exactly as Exactly
    from puzzlekit.method.event import RandomMoves as RandomMoves
    from puzzlekit.method.goal_method import derive_goal as derive_goal
    from puzzlekit.method.method import Method as Method
    from puzzlekit.method.method import Profile as Profile
    from puzzlekit.method.universal import universal_method as universal_method
    from puzzlekit.phase.phase import Phase as Phase
    from puzzlekit.picture.net_picture import NetPicture as NetPicture
    from puzzlekit.picture.solid_picture import SolidPicture as SolidPicture
    from puzzlekit.picture.solid_picture import SpacePoint as SpacePoint
    from puzzlekit.picture.solid_picture import TopPicture as TopPicture
    from puzzlekit.plugins.hooks import API_VERSION as API_VERSION
    from puzzlekit.plugins.hooks import CommandEntry as CommandEntry
    from puzzlekit.plugins.hooks import PuzzleEntry as PuzzleEntry
    from puzzlekit.plugins.hooks import PuzzleFamily as PuzzleFamily
    from puzzlekit.plugins.hooks import PuzzleReader as PuzzleReader
    from puzzlekit.plugins.hooks import hookimpl as hookimpl
    from puzzlekit.plugins.manager import available as available
    from puzzlekit.plugins.manager import load as load
    from puzzlekit.plugins.manager import load_event as load_event
    from puzzlekit.position.painting import Painting as Painting
    from puzzlekit.position.repair import Repair as Repair
    from puzzlekit.position.view import View as View
    from puzzlekit.prepare.plan import Plan as Plan
    from puzzlekit.prepare.runners import Runner as Runner
    from puzzlekit.puzzle.constraint import Blocks as Blocks
    from puzzlekit.puzzle.constraint import EvenParity as EvenParity
    from puzzlekit.puzzle.constraint import Forbidden as Forbidden
    from puzzlekit.puzzle.constraint import Frame as Frame
    from puzzlekit.puzzle.constraint import GuardParity as GuardParity
    from puzzlekit.puzzle.constraint import Law as Law
    from puzzlekit.puzzle.constraint import OrientationSum as OrientationSum
    from puzzlekit.puzzle.guard import Guard as Guard
    from puzzlekit.puzzle.hands import Hands as Hands
    from puzzlekit.puzzle.hands import Way as Way
    from puzzlekit.puzzle.hands_file import parse_hands as parse_hands
    from puzzlekit.puzzle.hands_file import read_hands as read_hands
    from puzzlekit.puzzle.layout import Drawing as Drawing
    from puzzlekit.puzzle.layout import FaceletLayout as FaceletLayout
    from puzzlekit.puzzle.layout import Grid as Grid
    from puzzlekit.puzzle.layout import Picture as Picture
    from puzzlekit.puzzle.machine import Machine as Machine
    from puzzlekit.puzzle.machine_file import parse_machine as parse_machine
    from puzzlekit.puzzle.machine_file import read_machine as read_machine
    from puzzlekit.puzzle.metric import Metric as Metric
    from puzzlekit.puzzle.metric import Step as Step
    from puzzlekit.puzzle.move import Effect as Effect
    from puzzlekit.puzzle.move import Move as Move
    from puzzlekit.puzzle.move import product as product
    from puzzlekit.puzzle.orbit import Orbit as Orbit
    from puzzlekit.puzzle.orbit import state_modulus as state_modulus
    from puzzlekit.puzzle.puzzle import Puzzle as Puzzle
    from puzzlekit.puzzle.surface import Surface as Surface
    from puzzlekit.puzzle.surface import sticker_effect as sticker_effect
    from puzzlekit.run.limits import BoundReport as BoundReport
    from puzzlekit.run.limits import Limits as Limits
    from puzzlekit.run.limits import Progress as Progress
    from puzzlekit.solve.choice import Choice as Choice
    from puzzlekit.solve.choice import SearchOptions as SearchOptions
    from puzzlekit.solve.event_scrambles import EventScrambler as EventScrambler
    from puzzlekit.solve.puzzle_positions import Positions as Positions
    from puzzlekit.solve.solution import PhaseReport as PhaseReport
    from puzzlekit.solve.solution import Solution as Solution
    from puzzlekit.solve.solver import Solver as Solver
    from puzzlekit.store.store import TableStore as TableStore
    from puzzlekit.store.store import TableWarning as TableWarning
    from puzzlekit.strategy.answer import Answer as Answer
    from puzzlekit.strategy.answer import HowFound as HowFound
    from puzzlekit.strategy.answer import PhaseMoves as PhaseMoves
    from puzzlekit.strategy.beam_options import Alternative as Alternative
    from puzzlekit.strategy.beam_options import Rounds as Rounds
    from puzzlekit.strategy.beam_strategy import Beam as Beam
    from puzzlekit.strategy.both_sides_strategy import ProveBothSides as ProveBothSides
    from puzzlekit.strategy.chain import Chain as Chain
    from puzzlekit.strategy.first_strategy import First as First
    from puzzlekit.strategy.improve_strategy import Improve as Improve
    from puzzlekit.strategy.prove_strategy import Prove as Prove
    from puzzlekit.strategy.secured_strategy import Secured as Secured
    from puzzlekit.strategy.strategy import Strategy as Strategy
    from puzzlekit.strategy.universal.shape_strategy import ByShapes as ByShapes
    from puzzlekit.strategy.universal.universal_strategy import Universal as Universal
    from puzzlekit.tables.pruning.additive import Additive as Additive
    from puzzlekit.tables.pruning.based import Based as Based
    from puzzlekit.tables.pruning.distance_graph import DistanceGraph as DistanceGraph
    from puzzlekit.tables.pruning.folded import Folded as Folded
    from puzzlekit.tables.pruning.hashed import Hashed as Hashed
    from puzzlekit.tables.pruning.modulo3 import Modulo3 as Modulo3
    from puzzlekit.tables.pruning.plain import Plain as Plain
    from puzzlekit.tables.pruning.pruning_table import PruningTable as PruningTable
    from puzzlekit.tables.pruning.pruning_table import TableText as TableText
    from puzzlekit.tables.pruning.shared import Shared as Shared
    from puzzlekit.tables.pruning.thresholds import Thresholds as Thresholds

# The public names, by their modules.
_HOMES = {
    "puzzlekit.coordinate.coordinate": "Coordinate",
    "puzzlekit.coordinate.companions": "Companions",
    "puzzlekit.coordinate.joint": "Product",
    "puzzlekit.coordinate.kinds": (
        "Combination Halves Orientation OrientedCombination Permutation RelativeOrientation"
    ),
    "puzzlekit.coordinate.pairs": "PairSplit Pairing Parity",
    "puzzlekit.coordinate.pieces": "Pieces",
    "puzzlekit.coordinate.reached": "Reached",
    "puzzlekit.coordinate.sym_pairing": "SymPairing",
    "puzzlekit.coordinate.symmetric": "SymCoordinate",
    "puzzlekit.engine.inputs": "CoordinateInput",
    "puzzlekit.errors": (
        "DeclarationError DefinitionError NoSolutionError NotationError PluginError "
        "PuzzlekitError StateError TableError UsageError"
    ),
    "puzzlekit.goal.condition": "Condition Need",
    "puzzlekit.goal.goal": "Goal",
    "puzzlekit.goal.condition_kinds": "Joined Oriented Placed Solved Within",
    "puzzlekit.goal.each_solvable_by": "EachSolvableBy",
    "puzzlekit.goal.solvable_by": "SolvableBy",
    "puzzlekit.goal.step_method": "GoalStep StepBeam StepMethod",
    "puzzlekit.heuristic.heuristic": "Heuristic Max Sum",
    "puzzlekit.heuristic.formulas": "Blended Euclid MaxSd MaxSum",
    "puzzlekit.heuristic.registry": "find_heuristic heuristics",
    "puzzlekit.phase.phase": "Phase",
    "puzzlekit.method.event": "AtMost Event Exactly RandomMoves",
    "puzzlekit.method.goal_method": "derive_goal",
    "puzzlekit.method.method": "Method Profile",
    "puzzlekit.strategy.beam_options": "Alternative Rounds",
    "puzzlekit.strategy.answer": "Answer HowFound PhaseMoves",
    "puzzlekit.strategy.beam_strategy": "Beam",
    "puzzlekit.strategy.chain": "Chain",
    "puzzlekit.strategy.first_strategy": "First",
    "puzzlekit.strategy.improve_strategy": "Improve",
    "puzzlekit.strategy.prove_strategy": "Prove",
    "puzzlekit.strategy.both_sides_strategy": "ProveBothSides",
    "puzzlekit.strategy.secured_strategy": "Secured",
    "puzzlekit.strategy.strategy": "Strategy",
    "puzzlekit.strategy.universal.shape_strategy": "ByShapes",
    "puzzlekit.strategy.universal.universal_strategy": "Universal",
    "puzzlekit.method.universal": "universal_method",
    "puzzlekit.prepare.plan": "Plan",
    "puzzlekit.prepare.runners": "Runner",
    "puzzlekit.run.limits": "BoundReport Limits Progress",
    "puzzlekit.solve.choice": "Choice SearchOptions",
    "puzzlekit.solve.event_scrambles": "EventScrambler",
    "puzzlekit.solve.solution": "PhaseReport Solution",
    "puzzlekit.solve.puzzle_positions": "Positions",
    "puzzlekit.solve.solver": "Solver",
    "puzzlekit.picture.net_picture": "NetPicture",
    "puzzlekit.picture.solid_picture": "SolidPicture SpacePoint TopPicture",
    "puzzlekit.plugins.hooks": (
        "API_VERSION CommandEntry PuzzleEntry PuzzleFamily PuzzleReader hookimpl"
    ),
    "puzzlekit.plugins.manager": "available load load_event",
    "puzzlekit.puzzle.constraint": (
        "Blocks EvenParity Forbidden Frame GuardParity Law OrientationSum"
    ),
    "puzzlekit.diagnosis.diagnose": "Fault",
    "puzzlekit.puzzle.guard": "Guard",
    "puzzlekit.puzzle.hands": "Hands Way",
    "puzzlekit.puzzle.hands_file": "parse_hands read_hands",
    "puzzlekit.puzzle.layout": "Drawing FaceletLayout Grid Picture",
    "puzzlekit.puzzle.machine": "Machine",
    "puzzlekit.puzzle.machine_file": "parse_machine read_machine",
    "puzzlekit.puzzle.metric": "Metric Step",
    "puzzlekit.puzzle.move": "Effect Move product",
    "puzzlekit.puzzle.orbit": "Orbit state_modulus",
    "puzzlekit.position.painting": "Painting",
    "puzzlekit.puzzle.puzzle": "Puzzle",
    "puzzlekit.position.repair": "Repair",
    "puzzlekit.puzzle.surface": "Surface sticker_effect",
    "puzzlekit.position.view": "View",
    "puzzlekit.store.store": "TableStore TableWarning",
    "puzzlekit.tables.pruning.additive": "Additive",
    "puzzlekit.tables.pruning.distance_graph": "DistanceGraph",
    "puzzlekit.tables.pruning.based": "Based",
    "puzzlekit.tables.pruning.folded": "Folded",
    "puzzlekit.tables.pruning.shared": "Shared",
    "puzzlekit.tables.pruning.hashed": "Hashed",
    "puzzlekit.tables.pruning.modulo3": "Modulo3",
    "puzzlekit.tables.pruning.plain": "Plain",
    "puzzlekit.tables.pruning.pruning_table": "PruningTable TableText",
    "puzzlekit.tables.pruning.thresholds": "Thresholds",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
