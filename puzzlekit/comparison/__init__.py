"""Compare heuristics: experiments, records and reports.

A `Case` is a method of a puzzle whose heuristics are compared. An `Experiment` lists the runs for
some cases and heuristics. A `Comparison` does the runs and can write them to a `Journal`.
`summarise` computes the rows of a report. `write_csv` and `write_page` write the report to a file.
`measure` does a single run. `quality` checks estimates against true distances. `tune` searches for
the best parameters of a heuristic.

>>> import puzzlekit
>>> from puzzlekit.comparison import Case, Comparison, Experiment, summarise
>>> experiment = Experiment([Case(puzzlekit.load("cube2"))], ["max", "sum"], count=5)
>>> comparison = Comparison(experiment)
>>> for run in comparison.run():
...     pass
>>> [(row.heuristic, row.solved) for row in summarise(comparison.records).rows]
[('max', 5), ('sum', 5)]
"""

from puzzlekit.comparison.comparison import Comparison
from puzzlekit.comparison.experiment.case import Case
from puzzlekit.comparison.experiment.experiment import Experiment
from puzzlekit.comparison.experiment.journal import Journal
from puzzlekit.comparison.experiment.measurement import measure
from puzzlekit.comparison.experiment.record import Quality, Record, Run, Tables, record_of
from puzzlekit.comparison.quality.qualities import false_claims, quality
from puzzlekit.comparison.report.page import write_page
from puzzlekit.comparison.report.row import Row
from puzzlekit.comparison.report.summary import Summary, summarise, write_csv
from puzzlekit.comparison.tuning.objective import Objective, parse_objective
from puzzlekit.comparison.tuning.tuning import Tuned, tune

__all__ = [
    "Case",
    "Comparison",
    "Experiment",
    "Journal",
    "Objective",
    "Quality",
    "Record",
    "Row",
    "Run",
    "Summary",
    "Tables",
    "Tuned",
    "false_claims",
    "measure",
    "parse_objective",
    "quality",
    "record_of",
    "summarise",
    "tune",
    "write_csv",
    "write_page",
]
