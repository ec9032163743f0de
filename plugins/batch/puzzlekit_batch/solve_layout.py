"""The columns that `puzzlekit batch --output` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlekit import Choice, PuzzlekitError, Solver
from puzzlekit.search.solution import SCHEMA, written
from puzzlekit_batch.column import DataColumn
from puzzlekit_batch.results_file import ResultsLayout
from puzzlekit_batch.solve_many import Replay

#: The columns of a Parquet file. The other fields of `solve.schema.json` have no simple type.
COLUMNS = (
    DataColumn("line", "integer", "the number of the line of the input, from 1"),
    DataColumn("text", "text", "the text of the line"),
    DataColumn("puzzle", "text", "the name of the puzzle"),
    DataColumn("method", "text", "the method"),
    DataColumn("heuristic", "text", "the heuristics"),
    DataColumn("metric", "text", "the metric of `length`"),
    DataColumn("profile", "text", "the profile of tables"),
    DataColumn("state", "text", "the state: stickers, or bytes in hexadecimal"),
    DataColumn("moves", "texts", "the moves that solve the state"),
    DataColumn("length", "integer", "the cost of the moves"),
    DataColumn("optimal", "truth", "whether the answer is proven shortest"),
    DataColumn("at_least", "integer", "a lower bound on the cost of all answers"),
    DataColumn("nodes", "integer", "the number of generated nodes"),
    DataColumn("expanded", "integer", "the number of expanded nodes"),
    DataColumn("seconds", "number", "the wall time of the search"),
    DataColumn("cpu_seconds", "number", "the CPU time of the search"),
    DataColumn("verified", "truth", "whether the moves were applied and solve the state"),
    DataColumn("error", "text", "why the line could not be read or solved"),
    DataColumn("kind", "text", "the kind of the error"),
)


def solve_layout(
    solver: Solver, choice: Choice, read: Callable[[str], bytes] | None = None
) -> ResultsLayout:
    """Return the layout of a file with the results of a search.

    `read` reads the state in a line of the input. Default: `solver.state`.
    """
    read = read or solver.state
    replay = Replay(solver, choice)

    def check(record: Mapping[str, Any]) -> None:
        if "kind" in record:
            return  # no answer, but an error
        try:
            state = read(record["text"])
        except PuzzlekitError as error:
            raise ValueError(f"its text cannot be read: {error}") from None
        if record["state"] != written(solver.puzzle, state):
            raise ValueError("its state is not the one that its text describes")
        moves = record["moves"]
        if not replay.solves(state, moves):
            raise ValueError("its moves do not solve its state")
        if choice.metric.counts:
            length = choice.metric.total(solver.puzzle.moves(" ".join(moves)) if moves else ())
            if record["length"] != length:
                raise ValueError(f"its moves cost {length}, not {record['length']}")

    wanted = {
        "puzzle": solver.puzzle.name,
        "method": choice.method.name,
        "metric": choice.metric.name,
        "profile": choice.method.profile,
    }
    return ResultsLayout("batch --input", SCHEMA, wanted, "line", COLUMNS, "text", check)
