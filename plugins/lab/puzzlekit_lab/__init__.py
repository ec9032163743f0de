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
`summarise` computes the rows of a report. `write_csv` and `write_page` write the report to a file.
`measure` does a single run. `quality` checks estimates against true distances. `tune` searches for
the best parameters of a heuristic.

The names, by purpose:

Analyse a puzzle:

    Distances: Distribution, distribution
    Sequences: Found, find, InsertedAnswer, Insertion, insert_cycles
    Data sets: dataset
    Kinds of rows of data sets of your own: StateKind, Drawn, Label

Compare heuristics:

    Experiments: Case, Experiment, Comparison, Journal, measure
    Records: Record, Run, Quality, Tables, record_of
    Reports: Summary, Row, summarise, write_csv, write_page
    Estimates: quality, false_claims
    Tuning: Objective, parse_objective, Tuned, tune

A name is imported when it is first used, so that the command line starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from puzzlekit import CommandEntry, hookimpl

TYPE_CHECKING = False  # like in `typing`
if TYPE_CHECKING:
    from puzzlekit_lab.comparison import Comparison as Comparison
    from puzzlekit_lab.datasets.dataset import dataset as dataset
    from puzzlekit_lab.datasets.label import Label as Label
    from puzzlekit_lab.datasets.state_kind import Drawn as Drawn
    from puzzlekit_lab.datasets.state_kind import StateKind as StateKind
    from puzzlekit_lab.distances.distribution import Distribution as Distribution
    from puzzlekit_lab.distances.distribution import distribution as distribution
    from puzzlekit_lab.estimates.qualities import false_claims as false_claims
    from puzzlekit_lab.estimates.qualities import quality as quality
    from puzzlekit_lab.experiment.case import Case as Case
    from puzzlekit_lab.experiment.experiment import Experiment as Experiment
    from puzzlekit_lab.experiment.journal import Journal as Journal
    from puzzlekit_lab.experiment.measurement import measure as measure
    from puzzlekit_lab.experiment.record import Quality as Quality
    from puzzlekit_lab.experiment.record import Record as Record
    from puzzlekit_lab.experiment.record import Run as Run
    from puzzlekit_lab.experiment.record import Tables as Tables
    from puzzlekit_lab.experiment.record import record_of as record_of
    from puzzlekit_lab.report.page import write_page as write_page
    from puzzlekit_lab.report.row import Row as Row
    from puzzlekit_lab.report.summary import Summary as Summary
    from puzzlekit_lab.report.summary import summarise as summarise
    from puzzlekit_lab.report.summary import write_csv as write_csv
    from puzzlekit_lab.sequences.find import Found as Found
    from puzzlekit_lab.sequences.find import find as find
    from puzzlekit_lab.sequences.insertion_search import InsertedAnswer as InsertedAnswer
    from puzzlekit_lab.sequences.insertion_search import Insertion as Insertion
    from puzzlekit_lab.sequences.insertion_search import insert_cycles as insert_cycles
    from puzzlekit_lab.tuning.objective import Objective as Objective
    from puzzlekit_lab.tuning.objective import parse_objective as parse_objective
    from puzzlekit_lab.tuning.tuning import Tuned as Tuned
    from puzzlekit_lab.tuning.tuning import tune as tune

puzzlekit_api = 2

# The public names, by their modules.
_HOMES = {
    "comparison": "Comparison",
    "datasets.dataset": "dataset",
    "datasets.label": "Label",
    "datasets.state_kind": "Drawn StateKind",
    "distances.distribution": "Distribution distribution",
    "estimates.qualities": "false_claims quality",
    "experiment.case": "Case",
    "experiment.experiment": "Experiment",
    "experiment.journal": "Journal",
    "experiment.measurement": "measure",
    "experiment.record": "Quality Record Run Tables record_of",
    "report.page": "write_page",
    "report.row": "Row",
    "report.summary": "Summary summarise write_csv",
    "sequences.find": "Found find",
    "sequences.insertion_search": "InsertedAnswer Insertion insert_cycles",
    "tuning.objective": "Objective parse_objective",
    "tuning.tuning": "Tuned tune",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'puzzlekit_lab' has no attribute {name!r}")
    value = getattr(import_module(f"puzzlekit_lab.{home}"), name)
    globals()[name] = value
    return value


# There is no `__dir__`: pluggy would import every name that it returns.


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add the commands of the laboratory."""
    for name, summary in (
        ("compare", "Compare heuristics on the same instances."),
        ("dataset", "Write states with labels, for training."),
        ("distribution", "Count the states at each distance from the goal."),
        ("find", "Find all sequences of moves with a given effect."),
        ("tune", "Search for the best parameters of a heuristic."),
    ):
        yield CommandEntry(name, f"puzzlekit_lab.commands.{name}:command", summary)
