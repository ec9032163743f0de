"""Make a data set: rows with a state and its labels, in this process or on workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import attrs

from puzzlekit import NoSolutionError, PuzzlekitError, Solver, UsageError, load
from puzzlekit.amounts import whole
from puzzlekit.search.options import Choice
from puzzlekit.search.solution import written
from puzzlekit_batch import DataColumn
from puzzlekit_batch.clients import check_workers
from puzzlekit_batch.job import Job, Source, new_token
from puzzlekit_batch.results_file import ResultsLayout
from puzzlekit_batch.stream import Alone, Stream, values
from puzzlekit_lab.kinds import LABELS, STATE_KINDS, Label, MethodAnswer, StateKind, read_kind

SCHEMA = "puzzlekit.dataset/1"
COUNTS = whole(1, 10**9)
SEEDS = whole(0, 2**63 - 1)  # a column of 64 bits has room for these

_COMMON = (
    DataColumn("puzzle", "text", "the name of the puzzle"),
    DataColumn("kind", "text", "the kind of the states"),
    DataColumn("labels", "text", "the labels, separated by commas"),
    DataColumn("metric", "text", "the metric of lengths and distances"),
    DataColumn("seed", "integer", "the seed"),
    DataColumn("row", "integer", "the number of the row, from 0"),
    DataColumn("state", "text", "the state: stickers, or bytes in hexadecimal"),
    DataColumn(
        "bytes",
        "bytes",
        "the state as numbers: for each orbit the piece at each place, then the orientation of "
        "each of these pieces, if the pieces can be turned",
    ),
)


class Recipe:
    """The content of the rows of a data set.

    - `solver`: the solver of the puzzle.
    - `kind`, `labels`: the kind of the states and the labels, as records or as texts.
    - `metric`: the name of the metric; None for the default metric of the puzzle.
    - `profile`: the name of the profile of tables for labels; None for the largest one in the
      cache.
    - `seed`: the seed. Row n of a seed is always the same.

    Raises a UsageError if the kind or a label does not exist or does not fit the puzzle.
    """

    def __init__(
        self,
        solver: Solver,
        kind: StateKind | str = "random",
        labels: Sequence[Label | str] = (),
        metric: str | None = None,
        profile: str | None = None,
        seed: int = 1,
    ) -> None:
        SEEDS.check_argument("seed", seed)
        self.solver = solver
        self.metric = solver.metric(None, metric).name
        if isinstance(kind, str):
            kind = read_kind(kind, STATE_KINDS, "kind of states")
        self.kind = kind
        self.labels = tuple(
            (_label(solver, each) if isinstance(each, str) else each).settled(
                solver, self.metric, profile
            )
            for each in labels
        )
        self.seed = seed
        parts = (each.columns_for(solver) for each in self.labels)
        self.columns = [*_COMMON, *kind.columns, *(column for part in parts for column in part)]
        names = [each.name for each in self.columns]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two columns would have the name {name!r}: omit a label")

    @property
    def choices(self) -> list[Choice]:
        """The searches whose tables are needed."""
        found = [self.kind.choice(self.solver, self.metric)]
        found += [each.choice(self.solver, self.metric) for each in self.labels]
        return [each for each in found if each is not None]

    @property
    def job(self) -> DatasetJob:
        """The job that makes rows on workers. The puzzle must come from a plugin or definition."""
        return attrs.evolve(self.own_job, sources=(Source.of(self.solver),))

    @property
    def own_job(self) -> DatasetJob:
        """The job that makes rows in this process."""
        return DatasetJob(new_token(), (), self.kind, self.labels, self.metric, self.seed)

    @property
    def _fields(self) -> dict[str, Any]:
        """The fields that are equal in all rows."""
        return {
            "puzzle": self.solver.puzzle.name,
            "kind": str(self.kind),
            "labels": ",".join(map(str, self.labels)),
            "metric": self.metric,
            "seed": self.seed,
        }

    @property
    def layout(self) -> ResultsLayout:
        """The layout of a file with the rows."""
        wanted = self._fields
        for label in self.labels:
            wanted |= label.constants
        return ResultsLayout("dataset", SCHEMA, wanted, "row", self.columns, check=self._check)

    def _check(self, record: Mapping[str, Any]) -> None:
        state = bytes(record["bytes"])
        if record["state"] != written(self.solver.puzzle, state):
            raise ValueError("its state and its bytes differ")
        for label in self.labels:
            if fault := label.fault(self.solver, state, record):
                raise ValueError(f"its label {label} is wrong: {fault}")

    def record(self, row: int, made: DatasetRow) -> dict[str, Any]:
        """Return the JSON object of a row. Raises a PuzzlekitError if a label of it is wrong."""
        for label, fields in zip(self.labels, made.labels, strict=True):
            if fault := label.fault(self.solver, made.state, fields):
                raise PuzzlekitError(f"a worker returned a wrong label {label}: {fault}")
        found = {"schema": SCHEMA, **self._fields, "row": row}
        found |= {"state": written(self.solver.puzzle, made.state), "bytes": list(made.state)}
        for fields in (made.fields, *made.labels):
            found |= fields
        return found


def _label(solver: Solver, text: str) -> Label:
    methods = [each.name for each in solver.methods]
    if text in methods:
        return MethodAnswer(text)
    return read_kind(text, LABELS, "label", methods)


@attrs.frozen
class DatasetRow:
    """A row as workers return it."""

    state: bytes
    #: The fields of the kind of states.
    fields: Mapping[str, Any]
    #: The fields of each label.
    labels: tuple[Mapping[str, Any], ...]


@attrs.frozen
class DatasetJob(Job):
    """Make rows.

    An item is the number of a row. Its result is a `DatasetRow` or a NoSolutionError.
    """

    kind: StateKind
    labels: tuple[Label, ...]
    metric: str
    seed: int

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[int], DatasetRow | PuzzlekitError]:
        """Load or build the tables, and return the function that makes a row."""
        (solver,) = solvers
        draw = self.kind.drawing(solver, self.metric)
        labels = [each.labelling(solver, self.metric) for each in self.labels]

        def make(number: int) -> DatasetRow | PuzzlekitError:
            drawn = draw(Random(f"{self.seed} {number}"))
            try:
                return DatasetRow(
                    drawn.state, drawn.fields, tuple(each(drawn.state) for each in labels)
                )
            except NoSolutionError as error:
                return error

        return make


def dataset(
    puzzle: str | Solver,
    count: int,
    kind: StateKind | str = "random",
    labels: Sequence[Label | str] = (),
    *,
    seed: int = 1,
    metric: str | None = None,
    profile: str | None = None,
    client: Any = None,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data set, each as a mapping from names of columns to values.

    Row n depends only on the arguments, not on `count` or on the number of workers.

    Parameters
    ----------
    puzzle
        The name of a puzzle, or its solver.
    count
        The number of rows.
    kind
        The kind of the states: "random", "walk:20", "exact-depth:7", or a `StateKind`.
    labels
        The labels: names of methods, "coordinates", or a `Label`.
    seed
        The seed of the states.
    metric
        The metric of lengths and distances. Default: the default metric of the puzzle.
    profile
        The profile of tables for the answers of methods. Default: the largest one in the cache.
    client
        A `distributed.Client` whose workers make the rows. Default: None, which makes them in this
        process without dask.

    Raises
    ------
    UsageError
        If an argument does not fit the puzzle, or if states of the kind are too rare.
    NoSolutionError
        If a state has no label.

    Examples
    --------
    >>> rows = list(dataset("cube2", 3, "exact-depth:2", ["optimal"]))
    >>> [(row["row"], row["distance"], row["length"]) for row in rows]
    [(0, 2, 2), (1, 2, 2), (2, 2, 2)]
    """
    COUNTS.check_argument("count", count)
    solver = load(puzzle) if isinstance(puzzle, str) else puzzle
    recipe = Recipe(solver, kind, labels, metric, profile, seed)
    stream: Alone | Stream
    if client is None:
        stream = Alone(recipe.own_job, [solver])
    else:
        stream = Stream(client, recipe.job)
        check_workers(client, stream.job)
    for number, row in enumerate(values(stream, range(count))):
        yield recipe.record(number, row)
