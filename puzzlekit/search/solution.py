"""The results of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, StateError, UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import html, links
from puzzlekit.search.strategies.candidate import HowFound

if TYPE_CHECKING:
    from json import JSONEncoder

    from pandas import DataFrame

    from puzzlekit.puzzle.layout import FaceletLayout

__all__ = ["SCHEMA", "PhaseReport", "as_json", "error_kind", "error_record", "frame", "written"]


SCHEMA = "puzzlekit.solve/1"

_KINDS = {
    NoSolutionError: "unsolved",
    NotationError: "notation",
    StateError: "state",
    UsageError: "usage",
}


def as_json(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON in ASCII."""
    return _encoder().encode(record)


@cache
def _encoder() -> JSONEncoder:
    from json import JSONEncoder

    return JSONEncoder(allow_nan=False)


def written(puzzle: Puzzle, state: bytes) -> str:
    """Return a state as text for JSON objects: facelets, numbers, or bytes in hexadecimal."""
    return facelets(puzzle, state) if puzzle.has_facelets else state.hex()


def error_kind(error: PuzzlekitError) -> str:
    """Return the kind of an error as a word for programs."""
    words = (word for kind, word in _KINDS.items() if isinstance(error, kind))
    return next(words, "environment")


def error_record(puzzle: str, error: PuzzlekitError) -> dict[str, Any]:
    """Return the JSON object of a position that cannot be read or solved."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "puzzle": puzzle,
        "error": str(error),
        "kind": error_kind(error),
    }
    if isinstance(error, StateError):
        record["faults"] = error.faults
    elif isinstance(error, NotationError) and error.column:
        record["column"] = error.column
        record["token"] = error.token
    return record


def frame(columns: Mapping[str, Sequence[Any]]) -> DataFrame:
    """A data frame with these columns; a UsageError where pandas is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise UsageError(
            "data frames are made by pandas, which is not installed: pip install pandas"
        ) from None
    return DataFrame(columns)


def _names(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(move.name for move in moves)


def _made(make: Callable[[], Any]) -> Any:
    return make()


@attrs.frozen(repr=False)
class PhaseReport:
    """One phase of a solution: its moves, and the effort of finding them."""

    #: The number of the phase in the method, from 0.
    number: int
    #: The name of the phase.
    name: str
    #: The goal of the phase, in words.
    goal: str
    #: How the phase was searched.
    found: HowFound
    #: Whether the goal of the phase can be seen on the puzzle after the phase's moves. It cannot if
    #: the phase was searched for another way of holding the puzzle or for the inverse state.
    direct: bool
    #: The phase's own moves, before merging.
    sequence: tuple[Move, ...] = attrs.field(eq=_names)
    #: The moves of the solution that belong to the phase. A move that was merged from two phases
    #: belongs to the later phase, and so do all moves after it.
    merged: tuple[Move, ...] = attrs.field(eq=_names)
    #: The cost of the phase's own moves.
    cost: int
    #: The number of generated nodes.
    nodes: int
    #: The number of expanded nodes.
    expanded: int
    #: The wall time of the phase, in seconds. The time of a search is divided among its phases in
    #: proportion to their generated nodes.
    seconds: float
    #: Whether the phase's own moves are proven to be the shortest that reach the phase's goal.
    optimal: bool

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the phase's own moves, before merging."""
        return _names(self.sequence)

    @property
    def length(self) -> int:
        """The number of the phase's own moves."""
        return len(self.sequence)

    @property
    def goal_words(self) -> str:
        """The goal, and how the phase was searched if the goal cannot be seen on the puzzle.

        >>> import puzzlekit
        >>> (phase,) = puzzlekit.load("cube2").solve("R U F2").phases
        >>> phase.goal_words
        'the cube is solved'
        """
        if self.direct:
            return self.goal
        found = self.found
        how = [
            *(["found directly"] if found.directly else []),
            *([f"found by the method {found.method}"] if found.method else []),
            *(["along another axis"] if found.rotated else []),
            *(["in the inverse state"] if found.inverted else []),
            *(["except for the last moves"] if found.premoves else []),
            *(["and moves that part or join alike pieces"] if found.joined else []),
        ]
        return f"{self.goal} ({', '.join(how)})"

    def __repr__(self) -> str:
        return f"<PhaseReport {self.name}: {' '.join(self.moves)} ({self.cost})>"


@attrs.frozen(repr=False, slots=False)
class Solution:
    """A solution of a state, replayed on the full state.

    Two of its attributes are made when they are first read, by functions that it is made with:

    - `reports`: returns `phases`.
    - `costs`: returns `lengths`.
    """

    #: The name of the puzzle.
    puzzle: str
    #: The name of the method.
    method: str
    #: The heuristics, as a string that `Solver.solve` accepts.
    heuristic: str
    #: The name of the metric.
    metric: str
    #: The name of the profile of tables; empty if the method has only one profile.
    profile: str
    #: The state that was solved, with the puzzle held as in the input.
    state: bytes
    #: The steps of a `StepMetric`, each as (names of moves, cost). Empty for other metrics.
    steps: tuple[tuple[tuple[str, ...], int], ...]
    #: The moves. Neighbouring moves of two phases are merged into one move if possible.
    sequence: tuple[Move, ...] = attrs.field(eq=_names)
    #: The cost of the moves in `metric`.
    cost: int
    #: The number of generated nodes.
    nodes: int
    #: The number of expanded nodes.
    expanded: int
    #: The wall time of the search in seconds, without loading tables.
    seconds: float
    #: The CPU time of the search in seconds, without loading tables.
    cpu_seconds: float
    #: Whether the answer is proven to be the shortest in `metric`.
    optimal: bool
    #: A lower bound on the cost of every answer; 0 if nothing is known.
    at_least: int
    #: (seconds, cost) of each answer that was cheaper than all earlier answers.
    improvements: tuple[tuple[float, int], ...]
    #: Whether the moves were replayed on the full state.
    verified: bool
    #: Makes `phases` when they are first read.
    _reports: Callable[[], tuple[PhaseReport, ...]] = attrs.field(eq=_made, hash=False)
    #: Makes `lengths` when they are first read.
    _costs: Callable[[], dict[str, int]] = attrs.field(eq=_made, hash=False)
    #: The name of the goal; empty if the whole puzzle is solved.
    goal: str = ""
    #: The goal in words; empty if the whole puzzle is solved.
    goal_words: str = ""
    #: The rotations after which the goal can be seen, such as "x2"; empty if it is reached as held.
    goal_after: str = ""
    #: The puzzle, for pictures and links. None in an unpickled copy, since declarations contain
    #: functions.
    declared: Puzzle | None = attrs.field(default=None, eq=False)
    #: The state as text for `to_json`, in an unpickled copy; otherwise empty.
    state_text: str = attrs.field(default="", eq=False)

    @cached_property
    def phases(self) -> tuple[PhaseReport, ...]:
        """A report on each phase, in the order of the answer."""
        return self._reports()

    @cached_property
    def lengths(self) -> dict[str, int]:
        """The cost of the moves in `metric` and in every metric that counts single moves."""
        return self._costs()

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves."""
        return _names(self.sequence)

    def __str__(self) -> str:
        """The moves as text, in the notation of the puzzle."""
        return " ".join(self.moves) if self.declared is None else self.declared.text(self.sequence)

    def __repr__(self) -> str:
        proven = ", optimal" if self.optimal else ""
        return f"<Solution of {self.puzzle}: {self} ({self.cost} {self.metric}{proven})>"

    @property
    def length(self) -> int:
        """The number of moves. The field `cost` is their cost in `metric`."""
        return len(self.sequence)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the moves."""
        return iter(self.moves)

    def __reduce__(self) -> tuple[Any, ...]:
        made = {
            "_reports": partial(tuple, self.phases),
            "_costs": partial(dict, self.lengths),
            "declared": None,
            "state_text": self._written,
        }
        known = vars(self) | made
        return Solution, tuple(known[field.name] for field in attrs.fields(Solution))

    @property
    def _written(self) -> str:
        if self.declared is None:
            return self.state_text
        return written(self.declared, self.state)

    def to_json(self) -> str:
        """Return the line that `puzzlekit solve --json` prints (see docs/cli.md).

        >>> import json, puzzlekit
        >>> json.loads(puzzlekit.load("cube2").solve("R U F2").to_json())["moves"]
        ['F2', "U'", "R'"]
        """
        return as_json(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return the object that `puzzlekit solve --json` prints, as a dict (see docs/cli.md)."""
        return {
            "schema": SCHEMA,
            "puzzle": self.puzzle,
            "method": self.method,
            "heuristic": self.heuristic,
            "metric": self.metric,
            "profile": self.profile,
            "state": self._written,
            "solution": str(self),
            "moves": list(self.moves),
            "steps": [{"moves": list(moves), "cost": cost} for moves, cost in self.steps],
            "length": self.cost,
            "lengths": self.lengths,
            "phases": [
                {
                    "name": phase.name,
                    "goal": phase.goal_words,
                    "moves": list(phase.moves),
                    "length": phase.cost,
                    "nodes": phase.nodes,
                    "expanded": phase.expanded,
                    "seconds": round(phase.seconds, 6),
                    "optimal": phase.optimal,
                }
                for phase in self.phases
            ],
            "nodes": self.nodes,
            "expanded": self.expanded,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
            "improvements": [
                {"seconds": round(seconds, 6), "length": cost}
                for seconds, cost in self.improvements
            ],
            "optimal": self.optimal,
            "at_least": self.at_least,
            "verified": self.verified,
            "goal": self._goal_record() if self.goal else None,
        }

    def _goal_record(self) -> dict[str, str]:
        return {"name": self.goal, "words": self.goal_words, "after": self.goal_after}

    def links(self) -> dict[str, str]:
        """Return a mapping from sites to web addresses that play the solution.

        The mapping is empty if no site knows the puzzle.

        >>> import puzzlekit
        >>> puzzlekit.load("cube2").solve("R").links()["alg.cubing.net"]
        'https://alg.cubing.net/?puzzle=2x2x2&setup=R&alg=R-'
        """
        from puzzlekit.puzzle.symmetry import setup_moves

        if self.declared is None or self._viewed is None:
            return {}
        setup = setup_moves(self.declared, self.state, self.sequence)
        return {} if setup is None else links(self.declared, setup, self.sequence)

    @property
    def _viewed(self) -> FaceletLayout | None:
        """The layout of the puzzle, if cubing.js knows the puzzle."""
        layout = self.declared.layout if self.declared is not None else None
        return layout if layout is not None and layout.viewer else None

    def to_frame(self) -> DataFrame:
        """Return a data frame with one row for each phase.

        Raises a UsageError if pandas is not installed.
        """
        return frame(
            {
                "phase": [phase.name for phase in self.phases],
                "goal": [phase.goal for phase in self.phases],
                "moves": [" ".join(_names(phase.merged)) for phase in self.phases],
                "cost": [phase.cost for phase in self.phases],
                "nodes": [phase.nodes for phase in self.phases],
                "seconds": [phase.seconds for phase in self.phases],
                "optimal": [phase.optimal for phase in self.phases],
            }
        )

    def _repr_html_(self) -> str | None:
        return html(self)

    def evolve(self, **changes: Any) -> Solution:
        """Return a copy with some fields changed. Other `phases` have other moves."""
        if "phases" in changes:
            phases = tuple(changes.pop("phases"))
            changes["reports"] = partial(tuple, phases)
            changes["sequence"] = tuple(move for phase in phases for move in phase.merged)
        if "lengths" in changes:
            changes["costs"] = partial(dict, changes.pop("lengths"))
        return attrs.evolve(self, **changes)
