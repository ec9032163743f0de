"""The laboratory: compare and tune heuristics, count states, find sequences, make data sets.

>>> import puzzlekit
>>> from puzzlekit_lab import Case, Comparison, Experiment, summarise
>>> experiment = Experiment([Case(puzzlekit.load("cube2"))], ["max", "sum"], count=5)
>>> comparison = Comparison(experiment)
>>> for run in comparison.run():
...     pass
>>> [(row.heuristic, row.solved) for row in summarise(comparison.records).rows]
[('max', 5), ('sum', 5)]

A `Case` is a method of a puzzle whose heuristics are compared. An `Experiment` lists the runs for
some cases and heuristics. A `Comparison` does the runs and can write them to a `Journal`.
`summarise` computes the rows of a report. `write_csv`, `write_latex`, `write_page` and
`write_plots` write the report to files.
`measure` does a single run. `quality` checks estimates against true distances. `tune` searches for
the best parameters of a heuristic.

The names, by purpose:

Analyse a puzzle:

    Distances: Distribution, distribution
    Sequences: Found, find, InsertedAnswer, Insertion, insert_cycles
    Data sets: dataset
    Kinds of rows of data sets of your own: StateKind, Drawn, Label
    Many states at once: StateArrays

Train networks:

    Networks: Training, Network, load_trained, Learned, LearnedBeam

Compare heuristics:

    Experiments: Case, Experiment, Comparison, Journal, measure
    Records: Record, Run, Quality, Tables, record_of
    Reports: Summary, Row, summarise, write_csv, write_latex, write_page, write_plots
    Statistics of reports: Paired, wilcoxon, holm, provenance
    Estimates: quality, false_claims
    Tuning: Objective, parse_objective, Tuned, tune

A name is imported when it is first used, so that the command line starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit import CommandEntry, Heuristic, hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import PuzzleReader, ServiceEntry, StrategyEntry

TYPE_CHECKING = False  # like in `typing`
if TYPE_CHECKING:
    from puzzlekit_lab.arrays import StateArrays as StateArrays
    from puzzlekit_lab.case import Case as Case
    from puzzlekit_lab.comparison import Comparison as Comparison
    from puzzlekit_lab.comparison import Experiment as Experiment
    from puzzlekit_lab.comparison import Journal as Journal
    from puzzlekit_lab.datasets import dataset as dataset
    from puzzlekit_lab.distances import Distribution as Distribution
    from puzzlekit_lab.distances import distribution as distribution
    from puzzlekit_lab.insertions import InsertedAnswer as InsertedAnswer
    from puzzlekit_lab.insertions import Insertion as Insertion
    from puzzlekit_lab.insertions import insert_cycles as insert_cycles
    from puzzlekit_lab.kinds import Drawn as Drawn
    from puzzlekit_lab.kinds import Label as Label
    from puzzlekit_lab.kinds import StateKind as StateKind
    from puzzlekit_lab.latex import write_latex as write_latex
    from puzzlekit_lab.learned import Learned as Learned
    from puzzlekit_lab.learned import LearnedBeam as LearnedBeam
    from puzzlekit_lab.learned import load_trained as load_trained
    from puzzlekit_lab.learning import Training as Training
    from puzzlekit_lab.measurement import measure as measure
    from puzzlekit_lab.network import Network as Network
    from puzzlekit_lab.objective import Objective as Objective
    from puzzlekit_lab.objective import parse_objective as parse_objective
    from puzzlekit_lab.origins import provenance as provenance
    from puzzlekit_lab.page import write_page as write_page
    from puzzlekit_lab.paired import Paired as Paired
    from puzzlekit_lab.paired import holm as holm
    from puzzlekit_lab.paired import wilcoxon as wilcoxon
    from puzzlekit_lab.plots import write_plots as write_plots
    from puzzlekit_lab.qualities import false_claims as false_claims
    from puzzlekit_lab.qualities import quality as quality
    from puzzlekit_lab.record import Quality as Quality
    from puzzlekit_lab.record import Record as Record
    from puzzlekit_lab.record import Run as Run
    from puzzlekit_lab.record import Tables as Tables
    from puzzlekit_lab.record import record_of as record_of
    from puzzlekit_lab.sequences import Found as Found
    from puzzlekit_lab.sequences import find as find
    from puzzlekit_lab.summary import Row as Row
    from puzzlekit_lab.summary import Summary as Summary
    from puzzlekit_lab.summary import summarise as summarise
    from puzzlekit_lab.summary import write_csv as write_csv
    from puzzlekit_lab.tuning import Tuned as Tuned
    from puzzlekit_lab.tuning import tune as tune

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".arrays": "StateArrays",
        ".case": "Case",
        ".comparison": "Comparison Experiment Journal",
        ".datasets": "dataset",
        ".distances": "Distribution distribution",
        ".insertions": "InsertedAnswer Insertion insert_cycles",
        ".kinds": "Drawn Label StateKind",
        ".latex": "write_latex",
        ".learned": "Learned LearnedBeam load_trained",
        ".learning": "Training",
        ".measurement": "measure",
        ".network": "Network",
        ".objective": "Objective parse_objective",
        ".page": "write_page",
        ".paired": "Paired holm wilcoxon",
        ".plots": "write_plots",
        ".origins": "provenance",
        ".qualities": "false_claims quality",
        ".record": "Quality Record Run Tables record_of",
        ".sequences": "Found find",
        ".summary": "Row Summary summarise write_csv",
        ".tuning": "Tuned tune",
    },
)


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add the commands of the laboratory."""
    expected = {"compare": ("bench", "benchmark"), "distribution": ("count", "god")}
    for name, summary in (
        ("compare", "Compare heuristics on the same instances."),
        ("dataset", "Write states with labels, for training."),
        ("distribution", "Count the states at each distance from the goal."),
        ("find", "Find all sequences of moves with a given effect."),
        ("learn", "Train a network that guides a search."),
        ("tune", "Search for the best parameters of a heuristic."),
    ):
        target = f"puzzlekit_lab.commands.{name}:command"
        yield CommandEntry(name, target, summary, expected.get(name, ()))


@hookimpl
def puzzlekit_heuristics() -> Iterator[type[Heuristic]]:
    """Add the heuristic of trained networks."""
    from puzzlekit_lab.learned import Learned

    yield Learned


@hookimpl
def puzzlekit_readers() -> Iterator[PuzzleReader]:
    """Read networks: puzzles that have a trained method."""
    target = "puzzlekit_lab.learned:load_trained"
    yield PuzzleReader("networks", (".network",), target, reads_text=False)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Show states as coordinates, and read them."""
    yield ServiceEntry("coordinates", f"{__name__}.named_coordinates:NamedCoordinates")


@hookimpl
def puzzlekit_strategies() -> Iterator[StrategyEntry]:
    """Add the algorithms that store states."""
    module = f"{__name__}.algorithms.strategies"
    for name, kind, summary in (
        ("a-star", "AStar", "A*, or weighted A* with w > 1."),
        ("greedy", "Greedy", "Greedy best-first search."),
        ("focal", "FocalSearch", "Focal search: answers within a bound, by the least estimate."),
        ("level-beam", "LevelBeam", "Beam search, level by level."),
        ("ida-star", "DeepeningAStar", "IDA* state by state, weighted with w > 1."),
        ("mm", "MeetInTheMiddle", "MM: from both ends, neither goes beyond the middle."),
        ("nbs", "NearOptimalBothEnds", "NBS: from both ends, by pairs with the least bound."),
        ("dvcbs", "VertexCover", "DVCBS: from both ends, by least covers of such pairs."),
        ("bae", "ErrorFromBothEnds", "BAE*: from both ends, by errors of the estimates."),
    ):
        yield StrategyEntry(name, f"{module}:{kind}", summary)
    target = f"{__name__}.learned:LearnedBeam"
    yield StrategyEntry("learned", target, "Search with beams that a trained network guides.")
