"""What an experiment leaves behind: one JSON object a line for each finished run.

A line says everything that is needed to judge it alone: what was searched, from where, under which
limits, on which machine and with which versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import attrs

from puzzlekit.errors import UsageError
from puzzlekit.schema.structure import Characters, FieldError, Keys, structured

SCHEMA = "puzzlekit.compare/1"
WHOLE = "whole"  # in place of a phase: all phases, each from where the one before it ended

SOLVED = "solved"
TIMEOUT = "timeout"
NODES = "nodes"
NONE = "none"  # no answer exists

Fingerprint = Annotated[
    str, Characters(pattern="^[0-9a-f]{8}$"), "differs wherever the formula or a table does"
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
    """Whose runs are compared with each other: phases of a method, with the same tables."""

    puzzle: str
    method: str
    profile: str
    metric: str

    def __str__(self) -> str:
        """The case in words.

        >>> str(CaseName("cube3", "two-phase", "large", "HTM"))
        'cube3 two-phase, large tables, HTM'
        """
        profile = f", {self.profile} tables" if self.profile else ""
        return f"{self.puzzle} {self.method}{profile}, {self.metric}"


@attrs.frozen
class OfPhase:
    """What belongs to a phase of a case."""

    puzzle: str
    method: str
    profile: str
    metric: str
    phase: str

    @property
    def case(self) -> CaseName:
        """The case."""
        return CaseName(self.puzzle, self.method, self.profile, self.metric)


@attrs.frozen
class Record(OfPhase):
    """A line of JSON: the `kind` of the record and its fields."""

    kind: ClassVar[str]

    def line(self) -> str:
        """The record as a line of JSON, without the end of the line."""
        fields = attrs.asdict(self, recurse=False)
        return json.dumps({"schema": SCHEMA, "kind": self.kind, **fields})

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Self:
        """The record that an object read from JSON describes; a UsageError if it is none."""
        try:
            record: Self = structured(cls, found)
        except FieldError as error:
            raise UsageError(f"{error.name} of a {cls.kind} {error}") from None
        return record


@attrs.frozen
class Run(Record):
    """One search: a heuristic in a phase, or in all phases of a whole solve, from one instance.

    All heuristics start a phase from the same state, which is where the phases before it, searched
    with `max`, lead from the instance.

    >>> Run.of({"kind": "run", "puzzle": "cube2"})
    Traceback (most recent call last):
    ...
    puzzlekit.errors.UsageError: method of a run is missing
    """

    kind = "run"

    phase: Annotated[str, 'its name, or "whole"']
    heuristic: Annotated[str, "the text by which it can be asked for again"]
    admissible: Annotated[bool, "what the heuristic claims"]
    fingerprint: Fingerprint
    seed: int
    instance: Annotated[int, "the number of the instance of the seed"]
    timeout: Annotated[float | None, "seconds"]
    max_nodes: int | None
    state: Annotated[State, "where the search starts, in hex"]
    outcome: Annotated[
        Literal["solved", "timeout", "nodes", "none"],
        "timeout and nodes: that limit was met; none: there is no answer",
    ]
    h: Annotated[int, "the estimate at the start"]
    length: Annotated[int | None, "how many moves the answer has"]
    cost: Annotated[int | None, "their cost in the metric"]
    moves: Annotated[str, "their names"]
    generated: Annotated[int, "nodes over all iterations"]
    expanded: Annotated[int, "nodes over all iterations"]
    seconds: Annotated[float, "wall time of the search alone"]
    cpu_seconds: Annotated[float, "CPU time of the search alone"]
    iterations: Annotated[
        tuple[Iteration, ...],
        "bound, generated and expanded nodes of each iteration; empty for whole solves",
    ]
    machine: Machine
    versions: Versions

    def __attrs_post_init__(self) -> None:
        """Refuse what no search leaves behind."""
        if self.solved and None in (self.length, self.cost):
            raise UsageError("a run that is solved has a length and a cost")

    @property
    def solved(self) -> bool:
        """Whether an answer was found."""
        return self.outcome == SOLVED

    @property
    def before_last(self) -> int:
        """The generated nodes of all iterations but the last one."""
        return sum(each.generated for each in self.iterations[:-1])

    @property
    def nodes_per_second(self) -> float:
        """Generated nodes for each second of CPU time; 0 where it took no time to speak of."""
        return self.generated / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    @property
    def key(self) -> tuple[Any, ...]:
        """What is the same for two runs only if one of them can stand for the other."""
        return key_of({name: getattr(self, name) for name in _SETTINGS})


_SETTINGS = (
    *("puzzle", "method", "profile", "metric", "phase", "heuristic", "fingerprint"),
    *("seed", "instance", "timeout", "max_nodes", "machine", "versions"),
)


def key_of(settings: Mapping[str, Any]) -> tuple[Any, ...]:
    """The `Run.key` of a run with these fields."""
    found = (settings[name] for name in _SETTINGS)
    return tuple(
        tuple(sorted(each.items())) if isinstance(each, Mapping) else each for each in found
    )


class Witness(NamedTuple):
    """A state (hex) that shows something: its estimate, and its true distance from the goal."""

    state: str
    h: int
    distance: int


class BrokenEdge(NamedTuple):
    """A move that costs less than the estimate falls by: the state (hex) before it, its name."""

    state: str
    move: str
    h: int
    h_after: int
    cost: int


@attrs.frozen
class Quality(Record):
    """Estimates of a heuristic in a phase against true distances."""

    kind = "quality"

    heuristic: str
    admissible: Annotated[bool, "what the heuristic claims"]
    fingerprint: Fingerprint
    how: Annotated[Literal["exhaustive", "sampled"], "exhaustive: all states of the phase"]
    sample: Annotated[str, "which states were looked at, in words"]
    states: Annotated[int, "how many were looked at"]
    pairs: Annotated[tuple[tuple[int, int, int], ...], "distance, h, how many states"]
    over: Annotated[int, "states that are estimated too far"]
    worst: Annotated[Witness | None, "one that is so by most: state, h, distance"]
    edges: Annotated[int, "moves from the states that were looked at"]
    broken: Annotated[int, "those that change the estimate by more than they cost"]
    worst_edge: Annotated[
        BrokenEdge | None, "one that does so by most: state, move, h before it, h after it, cost"
    ]
    goals: Annotated[int, "states at the goal"]
    goals_above: Annotated[int, "those with an estimate above 0"]
    zeros: Annotated[
        Mapping[str, bool | None],
        "for each pruning table, by its coordinates: whether it is 0 just where these are at their "
        "goals; null where its kind of entries does not say",
    ]
    differ: Annotated[int, "states with another estimate than with max"]
    vectors: Annotated[int, "vectors of distances that the tables can return"]
    vectors_differ: Annotated[int, "those with another estimate than with max"]
    seconds: float
    machine: Machine
    versions: Versions


@attrs.frozen
class Tables(Record):
    """The tables of a phase, apart from what searches take."""

    kind = "tables"

    goal: str
    compared: Annotated[bool, "false where the phase has one distance: all heuristics are the same"]
    tables: Annotated[
        tuple[tuple[str, int, float | None], ...],
        "the pruning tables: coordinates, bytes, seconds that building took, if it is on disk",
    ]
    nbytes: Annotated[int, "of all tables of the phase, those of moves too"]
    seconds: Annotated[float, "of all tables of the phase, those of moves too"]
    number: Annotated[int, "of the phase in its method, from 0"]


KINDS: Mapping[str, type[Record]] = {each.kind: each for each in (Run, Quality, Tables)}


def record_of(line: str) -> Record:
    """The record of a line of JSON; a UsageError if it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError("this is no JSON that a record is written in") from None
    kind = KINDS.get(str(found.get("kind"))) if isinstance(found, dict) else None
    if kind is None:
        raise UsageError(f"this is no record of the kinds {', '.join(KINDS)}")
    return kind.of(found)
