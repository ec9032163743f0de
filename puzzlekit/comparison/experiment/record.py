"""What an experiment leaves behind: one JSON object a line for each finished run.

A line says everything that is needed to judge it alone: what was searched, from where, under which
limits, on which machine and with which versions.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, ClassVar, NamedTuple, Self, get_args, get_origin, get_type_hints

import attrs

from puzzlekit.errors import UsageError

SCHEMA = "puzzlekit.compare/1"
WHOLE = "whole"  # in place of a phase: all phases, each from where the one before it ended

SOLVED = "solved"
TIMEOUT = "timeout"
NODES = "nodes"
NONE = "none"  # no answer exists
_OUTCOMES = (SOLVED, TIMEOUT, NODES, NONE)
_MOST = 1 << 64  # no number of a record is as large


class Iteration(NamedTuple):
    """One iteration of IDA*: the bound on f = g + h, and the nodes of this iteration alone."""

    bound: int
    generated: int
    expanded: int


def _iterations(value: Iterable[Iterable[int]]) -> tuple[Iteration, ...]:
    return tuple(Iteration(*each) for each in value)


def _rows(rows: Iterable[Iterable[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(map(tuple, rows))


def _witness(found: Iterable[Any] | None) -> Witness | None:
    return None if found is None else Witness(*found)


def _edge(found: Iterable[Any] | None) -> BrokenEdge | None:
    return None if found is None else BrokenEdge(*found)


@cache
def _types(kind: str) -> Mapping[str, Any]:
    """The types of the fields of a kind of records."""
    hints = get_type_hints(KINDS[kind])
    return {field.name: hints[field.name] for field in attrs.fields(KINDS[kind])}


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value read from JSON is of a type of these records, where no number is below 0."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return isinstance(value, str | int | float | None)
    if origin is UnionType:
        return any(_fits(value, each) for each in inner)
    if origin is tuple and inner[-1] is ...:
        return isinstance(value, list) and all(_fits(each, inner[0]) for each in value)
    if origin is Mapping:
        return isinstance(value, dict) and all(_fits(each, inner[1]) for each in value.values())
    if hasattr(kind, "_fields"):
        inner = tuple(get_type_hints(kind).values())
    if inner:
        return (
            isinstance(value, list) and len(value) == len(inner) and all(map(_fits, value, inner))
        )
    if kind in (int, float):
        known = (int, float) if kind is float else (int,)
        return type(value) in known and 0 <= value < _MOST  # what is no number is not less, either
    return isinstance(value, kind)


@attrs.frozen
class Record:
    """A line of JSON: the `kind` of the record and its fields."""

    kind: ClassVar[str]

    def line(self) -> str:
        """The record as a line of JSON, without the end of the line."""
        return json.dumps(
            {"schema": SCHEMA, "kind": self.kind, **attrs.asdict(self, recurse=False)}
        )

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Self:
        """The record that an object read from JSON describes; a UsageError if it is none."""
        kinds = _types(cls.kind)
        if missing := [name for name in kinds if name not in found]:
            raise UsageError(f"this is no record of the kind {cls.kind}: {missing[0]} is missing")
        for name, kind in kinds.items():
            if not _fits(found[name], kind):
                shown = reprlib.repr(found[name])
                raise UsageError(f"{name} of a {cls.kind} cannot be {shown}")
        return cls(**{name: found[name] for name in kinds})


@attrs.frozen
class Run(Record):
    """One search: a heuristic in a phase of a method, from one instance, under limits.

    `phase` is the name of the phase, or "whole" for all phases, each from where the one before it
    ended. `state` (hex) is where the search starts: all heuristics start a phase from the same
    state, which is where the phases before it, searched with `max`, lead from instance number
    `instance` of `seed`. `heuristic` is the text by which it can be asked for again, `admissible`
    what it claims, and `fingerprint` differs wherever its formula or the tables do.

    `outcome` is "solved", "timeout", "nodes" (a limit was met) or "none" (there is no answer). `h`
    is the estimate at the start, `length` the number of moves of the answer, `cost` their cost in
    the `metric`, `moves` their names. `iterations` are the bounds in order with their nodes; empty
    for whole solves. `generated` and `expanded` are nodes over all iterations, `seconds` wall time
    and `cpu_seconds` CPU time of the search alone.

    >>> Run.of({"kind": "run", "puzzle": "cube2"})
    Traceback (most recent call last):
    ...
    puzzlekit.errors.UsageError: this is no record of the kind run: method is missing
    """

    kind = "run"

    puzzle: str
    method: str
    profile: str
    metric: str
    phase: str
    heuristic: str
    admissible: bool
    fingerprint: str
    seed: int
    instance: int
    timeout: float | None
    max_nodes: int | None
    state: str
    outcome: str
    h: int
    length: int | None
    cost: int | None
    moves: str
    generated: int
    expanded: int
    seconds: float
    cpu_seconds: float
    iterations: tuple[Iteration, ...] = attrs.field(converter=_iterations)
    machine: Mapping[str, Any]
    versions: Mapping[str, str]

    def __attrs_post_init__(self) -> None:
        """Refuse what no search leaves behind."""
        if self.outcome not in _OUTCOMES:
            raise UsageError(f"the outcome of a run is not {self.outcome!r}")
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
    """How good the estimates of a heuristic are in a phase, against true distances.

    `how` is "exhaustive" (all states of the phase) or "sampled" (so many `states`: `sample` says in
    words which). `pairs` lists (distance, h, states): how many states at a true distance have that
    estimate. `over` states are estimated too far, `worst` is one that is so by most. Of `edges`
    (moves from the states looked at) `broken` ones change the estimate by more than they cost;
    `worst_edge` is one that does so by most. Of `goals` states at the goal `goals_above` have an
    estimate above 0. `zeros` says for each pruning table, by its coordinates, whether it is 0 just
    where these are at their goals; None where its kind of entries does not tell. `differ` states
    have another estimate than with `max`; of the `vectors` of distances that the tables can tell,
    `vectors_differ` have.
    """

    kind = "quality"

    puzzle: str
    method: str
    profile: str
    metric: str
    phase: str
    heuristic: str
    admissible: bool
    fingerprint: str
    how: str
    sample: str
    states: int
    pairs: tuple[tuple[int, int, int], ...] = attrs.field(converter=_rows)
    over: int
    worst: Witness | None = attrs.field(converter=_witness)
    edges: int
    broken: int
    worst_edge: BrokenEdge | None = attrs.field(converter=_edge)
    goals: int
    goals_above: int
    zeros: Mapping[str, bool | None]
    differ: int
    vectors: int
    vectors_differ: int
    seconds: float
    machine: Mapping[str, Any]
    versions: Mapping[str, str]


@attrs.frozen
class Tables(Record):
    """The tables of a phase: what they take, apart from what searches take.

    `compared` is false where the phase has a single distance, so that every heuristic is the same
    in it. `tables` lists the pruning tables by their coordinates with bytes, and seconds that
    building took (None where they are not on disk); `nbytes` and `seconds` are of all tables of the
    phase, those of moves too. `number` is that of the phase in its method, from 0.
    """

    kind = "tables"

    puzzle: str
    method: str
    profile: str
    metric: str
    phase: str
    goal: str
    compared: bool
    tables: tuple[tuple[str, int, float | None], ...] = attrs.field(converter=_rows)
    nbytes: int
    seconds: float
    number: int


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
