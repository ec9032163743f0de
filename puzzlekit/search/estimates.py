"""Heuristics by name, and the tables of their estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite, prod
from pkgutil import resolve_name
from typing import Any

from puzzlekit.engine.inputs import TableInput
from puzzlekit.errors import DeclarationError, PuzzlekitError, UsageError, did_you_mean
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic, Max, Sum, defaults, parameters, usage
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableSpec

__all__ = ["find_heuristic", "group_radix", "heuristic_fault", "join_radix", "joined_estimates"]


#: The classes of the heuristics of the core. All others come from plugins.
BUILT_IN = (Max, Sum)
# Functions that return more classes of heuristics. They are called only for names that are not
# built in. The manager of plugins belongs to a room above this one.
heuristic_sources: list[Callable[[], Iterable[type[Heuristic]]]] = [
    lambda: resolve_name("puzzlekit.plugins.manager:manager")().heuristics()
]

_READABLE = {int: "a whole number", float: "a finite number", str: "a string"}


def _kinds() -> Iterator[type[Heuristic]]:
    yield from BUILT_IN
    for source in heuristic_sources:
        yield from source()


def heuristics() -> tuple[Heuristic, ...]:
    """Return all heuristics with default parameters, including heuristics of plugins.

    >>> [str(heuristic) for heuristic in heuristics()][:5]
    ['max', 'sum', 'max-sd', 'euclid', 'blended']
    """
    return tuple(kind() for kind in _kinds())


def find_heuristic(text: str) -> Heuristic:
    """Return the heuristic that a string describes: its name, and values of parameters.

    A colon follows the name, and commas separate the values. Parameters that are not given have
    their defaults. Raises UsageError if a name or a value is wrong. The message lists all
    heuristics, or all parameters of the heuristic.

    >>> find_heuristic("max")
    Max()
    >>> print(find_heuristic("blended:a=3,sd=population"))
    blended:a=3,sd=population
    """
    name, colon, given = text.partition(":")
    kind = next((kind for kind in _kinds() if kind.name == name.strip()), None)
    if kind is None:
        known = ", ".join(map(usage, _kinds()))
        hint = did_you_mean(name.strip(), [kind.name for kind in _kinds()])
        raise UsageError(f"there is no heuristic {name.strip()!r}{hint}; there are {known}")
    usual = {field.alias: field.default for field in parameters(kind)}
    values: dict[str, Any] = {}
    for item in given.split(",") if colon else ():
        parameter, equals, value = (part.strip() for part in item.partition("="))
        what = f"the heuristic {kind.name}"
        if not equals:
            raise UsageError(f"{what}: {item!r} is not of the form NAME=VALUE; {_known(kind)}")
        if parameter not in usual:
            raise UsageError(f"{what} has no parameter {parameter!r}; {_known(kind)}")
        if parameter in values:
            raise UsageError(f"{what}: {parameter} is given twice")
        read = type(usual[parameter])
        try:
            values[parameter] = read(value)
            if read is float and not isfinite(values[parameter]):
                raise ValueError
        except ValueError:
            raise UsageError(f"{what}: {parameter}={value} is not {_READABLE[read]}") from None
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:  # from a class of a plugin
        raise UsageError(f"the heuristic {text}: {error}") from error


def _known(kind: type[Heuristic]) -> str:
    return f"it has {', '.join(defaults(kind)) or 'none'}"


def heuristic_fault(kind: object) -> str | None:
    """Return why an object is not a valid class of heuristics; None if it is valid.

    >>> heuristic_fault(Max)
    >>> heuristic_fault(Max())
    'Max() is not a subclass of Heuristic'
    """
    if not (isinstance(kind, type) and issubclass(kind, Heuristic)):
        return f"{kind!r} is not a subclass of Heuristic"
    name = getattr(kind, "name", None)
    if not (isinstance(name, str) and name.replace("-", "").isalnum()):
        return f"the heuristic class {kind.__name__} needs a name of letters, digits and hyphens"
    for field in parameters(kind):
        if type(field.default) not in _READABLE:
            return f"the heuristic {name}: {field.alias} needs a default, a number or a string"
    if kind.join is Heuristic.join and kind.estimate is Heuristic.estimate and kind is not Max:
        return f"the heuristic {name} needs a method 'join' or 'estimate'"
    try:
        _ = kind().identity  # calls `join`
    except Exception as error:
        return f"the heuristic {name} does not work: {type(error).__name__}: {error}"
    return None


class StateEstimates:
    """The estimates of a heuristic that reads the state.

    `distances` returns the distances of a state, one for each group of pruning tables.
    """

    def __init__(
        self, heuristic: Heuristic, puzzle: Puzzle, distances: Callable[[bytes], list[int]]
    ) -> None:
        self._heuristic = heuristic
        self._puzzle = puzzle
        self._distances = distances

    def of(self, states: Sequence[bytes]) -> list[int]:
        """Return the estimates of some states. Raises DeclarationError if the heuristic fails."""
        import numpy as np

        rows = np.frombuffer(b"".join(states), dtype=np.uint8).reshape(len(states), -1)
        distances = np.array([self._distances(state) for state in states], dtype=np.int64)
        heuristic = self._heuristic
        try:
            found = np.asarray(heuristic.estimate(self._puzzle, rows, distances))
        except PuzzlekitError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise DeclarationError(f"the heuristic {heuristic} fails: {what}") from error
        if found.shape != (len(states),):
            raise DeclarationError(
                f"the heuristic {heuristic} gives an array of shape {found.shape} for "
                f"{len(states)} states, not one estimate for each"
            )
        if not ((found >= 0) & (found < 1 << 16)).all():
            raise DeclarationError(
                f"the heuristic {heuristic} gives an estimate below 0 or above 65,535 for some "
                "state"
            )
        return [int(each) for each in found]


_PART = 1 << 16  # bytes of a table that are unpacked at once
_JOIN_LIMIT = 1 << 22  # most entries of a table of joined estimates


def joined_estimates(
    puzzle: Puzzle, heuristic: Heuristic, radix: list[int], store: TableStore
) -> Table:
    """Return the table of a heuristic's estimates, one for each combination of distances.

    A combination has one distance from each group of pruning tables. `radix` has the number of
    distances that are distinguished in each group. In an index, the distance of the first group is
    the most significant digit. The store does not keep the table in memory: each set of parameters
    of a heuristic has its own table, and there may be many sets.
    """

    def build() -> Any:
        import numpy as np

        vectors = np.indices(radix).reshape(len(radix), -1)
        try:
            estimates = np.asarray(heuristic.join(list(vectors)))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise DeclarationError(f"the heuristic {heuristic} fails: {what}") from error
        if not ((estimates >= 0) & (estimates < 1 << 16)).all():
            raise DeclarationError(
                f"the heuristic {heuristic} gives an estimate below 0 or above 65,535 for some "
                "distances"
            )
        return estimates.astype("u2")

    key = joined_key(puzzle, heuristic, radix)
    table = store.get(key, build)
    store.forget(key)
    return table


def fixed_radix(bits: Sequence[int]) -> list[int] | None:
    """Return for each pruning table how many distances to distinguish in an estimate.

    `bits` has the number of bits per entry of each table. The result is 16 for entries of 4 bits.
    For entries of 2 bits it is the largest number for which the table of estimates is small enough.
    The result is None if a table has entries of 8 bits, or if the table of estimates is too large.
    """
    for most in (256, 128, 64, 32):
        radix = [16 if each == 4 else most for each in bits]
        if 8 not in bits and prod(radix) <= _JOIN_LIMIT:
            return radix
    return None


def join_radix(tables: Sequence[TableInput]) -> list[int]:
    """Return how many distances to distinguish in each pruning table."""
    if (fixed := fixed_radix([table.bits for table in tables])) is not None:
        return fixed
    return [32 if table.bits in (0, 2) else _largest(table) + 1 for table in tables]


def _largest(table: TableInput) -> int:
    """Return the largest entry of 4 or 8 bits. The entries are unpacked part by part."""
    import numpy as np

    data = np.asarray(table.data).reshape(-1)
    largest = 0
    for begin in range(0, len(data), _PART):
        part = data[begin : begin + _PART]
        halves = [part & 15, part >> 4] if table.bits == 4 else [part]
        largest = max(largest, *(int(half.max()) for half in halves))
    return largest


def group_radix(radix: Sequence[int], groups: Sequence[int]) -> list[int]:
    """Return how many sums of distances are possible in each group of pruning tables.

    `radix` has the number of possible distances of each table. `groups` has the number of tables in
    each group.

    >>> group_radix([16, 16, 16], [2, 1])
    [31, 16]
    """
    own = iter(radix)
    return [1 + sum(next(own) - 1 for _ in range(size)) for size in groups]


def joined_key(puzzle: Puzzle, heuristic: Heuristic, radix: Sequence[int]) -> TableSpec:
    """Return the key of the table of a heuristic's estimates, with 16 bits per entry."""
    entries = prod(radix)
    if entries > _JOIN_LIMIT:
        raise UsageError(
            f"{len(radix)} pruning tables are too many for the heuristic {heuristic.name}: its "
            f"table of estimates would have more than {_JOIN_LIMIT:,} entries; choose max"
        )
    return TableSpec(
        puzzle=puzzle.name,
        name=f"{heuristic.name} of {len(radix)} distances",
        identity=f"join 1 {heuristic.identity} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {heuristic!r} for every vector of distances",
    )
