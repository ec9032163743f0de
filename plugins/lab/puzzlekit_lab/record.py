"""The records of an experiment: one line with a JSON object for each finished run.

Each line names the search, its start, its limits, the machine and the versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import attrs

from puzzlekit import UsageError
from puzzlekit_web.structure import Characters, FieldError, Keys, structured

SCHEMA = "puzzlekit.compare/1"
WHOLE = "whole"  # in place of a phase: all phases in sequence

SOLVED = "solved"
TIMEOUT = "timeout"
NODES = "nodes"
NONE = "none"  # no answer exists
STOPPED = "stopped"  # a limit of the algorithm: the states that it stores, the width of a beam

Fingerprint = Annotated[
    str, Characters(pattern="^[0-9a-f]{8}$"), "a hash of the formulas and the tables"
]
State = Annotated[str, Characters(pattern="^([0-9a-f]{2})+$")]  # in hex
Machine = Annotated[Mapping[str, Any], Keys(("system", "processor", "cores"))]
Versions = Annotated[Mapping[str, str], Keys(("puzzlekit", "engine", "python"))]


class Iteration(NamedTuple):
    """One iteration of IDA*: the bound on f = g + h, and the nodes of this iteration alone."""

    bound: int
    generated: int
    expanded: int


class CaseName(NamedTuple):
    """The name of a case. Only runs of the same case are compared with each other."""

    puzzle: str
    method: str
    profile: str
    metric: str

    def __str__(self) -> str:
        """Return the case in words.

        >>> str(CaseName("cube3", "two-phase", "large", "HTM"))
        'cube3 two-phase, large tables, HTM'
        """
        profile = f", {self.profile} tables" if self.profile else ""
        return f"{self.puzzle} {self.method}{profile}, {self.metric}"


@attrs.frozen
class OfPhase:
    """Base class of records and results that belong to a phase of a case."""

    #: The name of the puzzle.
    puzzle: str
    #: The name of the method.
    method: str
    #: The name of the profile of tables; empty if the method has only one.
    profile: str
    #: The name of the metric.
    metric: str
    #: The name of the phase, or "whole" for all phases in sequence.
    phase: str

    @property
    def case(self) -> CaseName:
        """The case."""
        return CaseName(self.puzzle, self.method, self.profile, self.metric)


@attrs.frozen
class Record(OfPhase):
    """Base class of the records of a comparison. Each record is a line of JSON."""

    kind: ClassVar[str]

    def line(self) -> str:
        """Return the record as a line of JSON, without a newline."""
        fields = attrs.asdict(self, recurse=False)
        return json.dumps({"schema": SCHEMA, "kind": self.kind, **fields})

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Self:
        """Return the record of a decoded JSON object. Raises UsageError if it is not valid."""
        try:
            record: Self = structured(cls, found)
        except FieldError as error:
            raise UsageError(f"{error.name} of a {cls.kind} {error}") from None
        return record


@attrs.frozen
class Run(Record):
    """A measured search with one heuristic, of one phase or of all phases in sequence.

    All heuristics start a phase in the same state. To reach this state from the instance, `max`
    solves the previous phases.

    >>> Run.of({"kind": "run", "puzzle": "cube2"})
    Traceback (most recent call last):
    ...
    puzzlekit.errors.UsageError: method of a run is missing
    """

    kind = "run"

    phase: Annotated[str, 'name of the phase, or "whole" for all phases in sequence']
    heuristic: Annotated[str, "the heuristic, as --heuristic takes it"]
    admissible: Annotated[bool, "whether the heuristic claims to be admissible"]
    #: A hash of the formulas and the tables.
    fingerprint: Fingerprint
    #: The seed of the instances.
    seed: int
    instance: Annotated[int, "the number of the instance of the seed"]
    timeout: Annotated[float | None, "limit of the time in seconds; null without a limit"]
    #: The limit of generated nodes; None without one.
    max_nodes: int | None
    state: Annotated[State, "start of the search, in hex"]
    outcome: Annotated[
        Literal["solved", "timeout", "nodes", "none", "stopped"],
        "timeout, nodes: this limit was reached; none: no answer exists; stopped: the algorithm "
        "stores no more states, or its beam has no further state",
    ]
    h: Annotated[int, "the estimate at the start"]
    length: Annotated[int | None, "number of moves of the answer"]
    cost: Annotated[int | None, "cost of the answer in the metric"]
    moves: Annotated[str, "names of the moves of the answer"]
    generated: Annotated[int, "number of nodes generated in all iterations"]
    expanded: Annotated[int, "number of nodes expanded in all iterations"]
    seconds: Annotated[float, "wall time of the search alone"]
    cpu_seconds: Annotated[float, "CPU time of the search alone"]
    iterations: Annotated[
        tuple[Iteration, ...],
        "bound, generated nodes and expanded nodes of each iteration; empty for all phases",
    ]
    #: The computer: its system, its processor and its number of cores.
    machine: Machine
    #: The versions of puzzlekit, of its engine and of Python.
    versions: Versions

    def __attrs_post_init__(self) -> None:
        """Check that a solved run has an answer."""
        if self.solved and None in (self.length, self.cost):
            raise UsageError("a solved run needs a length and a cost")

    @property
    def solved(self) -> bool:
        """Whether an answer was found."""
        return self.outcome == SOLVED

    @property
    def before_last(self) -> int:
        """Number of nodes generated in all iterations except the last."""
        return sum(each.generated for each in self.iterations[:-1])

    @property
    def nodes_per_second(self) -> float:
        """Generated nodes per second of CPU time; 0 if the time was too short to measure."""
        return self.generated / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    @property
    def key(self) -> tuple[Any, ...]:
        """The settings of the run. Two runs with the same key can replace each other."""
        return key_of({name: getattr(self, name) for name in _SETTINGS})


_SETTINGS = (
    *("puzzle", "method", "profile", "metric", "phase", "heuristic", "fingerprint"),
    *("seed", "instance", "timeout", "max_nodes", "machine", "versions"),
)


def key_of(settings: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the `Run.key` of a run with these fields."""
    found = (settings[name] for name in _SETTINGS)
    return tuple(
        tuple(sorted(each.items())) if isinstance(each, Mapping) else each for each in found
    )


class Witness(NamedTuple):
    """A state in hex, with its estimate and its true distance from the goal."""

    state: str
    h: int
    distance: int


class BrokenEdge(NamedTuple):
    """A move that lowers the estimate by more than its cost, from a state in hex."""

    state: str
    move: str
    h: int
    h_after: int
    cost: int


@attrs.frozen
class Quality(Record):
    """The estimates of a heuristic in a phase, compared with true distances."""

    kind = "quality"

    #: The heuristic, as `--heuristic` takes it.
    heuristic: str
    admissible: Annotated[bool, "whether the heuristic claims to be admissible"]
    #: A hash of the formulas and the tables.
    fingerprint: Fingerprint
    how: Annotated[Literal["exhaustive", "sampled"], "exhaustive: all states of the phase"]
    sample: Annotated[str, "the checked states, in words"]
    states: Annotated[int, "number of checked states"]
    pairs: Annotated[tuple[tuple[int, int, int], ...], "distance, h, number of such states"]
    over: Annotated[int, "number of states whose estimate exceeds the true distance"]
    worst: Annotated[Witness | None, "the state with the largest overestimate: state, h, distance"]
    edges: Annotated[int, "number of moves from the checked states"]
    broken: Annotated[int, "number of moves that lower the estimate by more than they cost"]
    worst_edge: Annotated[
        BrokenEdge | None,
        "the broken move that lowers h most: state, move, h before it, h after it, cost",
    ]
    goals: Annotated[int, "number of goal states"]
    goals_above: Annotated[int, "number of goal states with an estimate above 0"]
    zeros: Annotated[
        Mapping[str, bool | None],
        "for each pruning table, by the names of its coordinates: whether the table is 0 exactly "
        "at the goals of the coordinates; null if its entries do not show this",
    ]
    differ: Annotated[int, "number of states whose estimate differs from max"]
    vectors: Annotated[int, "number of combinations of distances that the tables can return"]
    vectors_differ: Annotated[int, "number of combinations whose estimate differs from max"]
    #: Wall time of the check in seconds.
    seconds: float
    #: The computer: its system, its processor and its number of cores.
    machine: Machine
    #: The versions of puzzlekit, of its engine and of Python.
    versions: Versions


@attrs.frozen
class Tables(Record):
    """The tables of a phase."""

    kind = "tables"

    #: The goal of the phase, in words.
    goal: str
    compared: Annotated[bool, "false if the phase has one distance, which no heuristic changes"]
    tables: Annotated[
        tuple[tuple[str, int, float | None], ...],
        "the pruning tables: coordinates, bytes, seconds of the build (null if not on disk)",
    ]
    nbytes: Annotated[int, "bytes of all tables of the phase, with move tables"]
    seconds: Annotated[float, "seconds to build all tables of the phase, with move tables"]
    number: Annotated[int, "number of the phase in its method, from 0"]


KINDS: Mapping[str, type[Record]] = {each.kind: each for each in (Run, Quality, Tables)}


def record_of(line: str) -> Record:
    """Return the record in a line of JSON. Raises UsageError if the line is not a record."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError("not JSON") from None
    kind = KINDS.get(str(found.get("kind"))) if isinstance(found, dict) else None
    if kind is None:
        raise UsageError(f"not a record: its kind must be one of {', '.join(KINDS)}")
    return kind.of(found)
