"""Heuristics: functions from a state and the distances of its pruning tables to an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Sum", "format_heuristics", "parameters", "usage"]

_SAMPLES = ((0, 0), (1, 0), (3, 7), (9, 2, 5), (4, 4, 6, 8))


class Heuristic:
    """Combines the distances of a phase's pruning tables into one estimate, or reads the state.

    Subclasses are attrs classes whose fields are the parameters. A subclass has a `name`, and a
    method `join` or `estimate`.

    - `join` computes the estimate from the distances alone. It is called only to fill a table, in
      which the engine looks up estimates. So a slow formula does not slow the search. If the
      estimate never exceeds the largest distance, set `admissible` to True.
    - `estimate` reads the state as well. The search calls it at each node that the tables do not
      prune, and prunes by the larger of the estimate and all distances. If the estimate never
      exceeds the cost to the goal, set `admissible` to True.

    `str` returns the name and the parameters that differ from their defaults. `find_heuristic`
    reads this string.
    """

    name: ClassVar[str]
    admissible: ClassVar[bool] = False
    version: ClassVar[int] = 1
    #: Whether tests of the author ensure that `version` is increased when the formula changes. The
    #: identity then does not name the module, which may move. Subclasses do not inherit it.
    is_tested: ClassVar[bool] = False

    @property
    def is_max(self) -> bool:
        """Whether the estimate is the largest distance, which needs no table of estimates."""
        return type(self).join is Heuristic.join and not self.reads_state

    @property
    def reads_state(self) -> bool:
        """Whether the estimate depends on more than distances: the class defines `estimate`."""
        return type(self).estimate is not Heuristic.estimate

    def changes(self, distances: int) -> bool:
        """Return whether the estimate for this many distances may differ from the largest one.

        Most formulas return a single distance unchanged. The search is then the one with `Max`: it
        needs no table of estimates, and its answers are as short.
        """
        if self.is_max or self.reads_state or distances == 0:
            return self.reads_state
        try:
            return distances > 1 or any(self.join([each]) != each for each in range(256))
        except Exception:  # `joined_estimates` reports it
            return True

    @property
    def identity(self) -> str:
        """A string that identifies the formula, for the keys of tables.

        The string contains the class, its `version`, the parameters, and the estimates for some
        combinations of distances. Increase `version` when the formula changes.
        """
        kind: Any = type(self)
        named = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else vars(self)
        fields = {name: getattr(self, name) for name in named}
        samples = [] if self.reads_state else [self.join(vector) for vector in _SAMPLES]
        # Modules of puzzlekit may be renamed; the tables in users' caches stay valid.
        own = vars(kind).get("is_tested") or kind.__module__.startswith("puzzlekit.")
        module = "" if own else f"{kind.__module__}."
        return f"{module}{kind.__qualname__}.{self.version} {fields} {samples}"

    def __str__(self) -> str:
        """The name with the parameters that differ from their defaults, as in "max-sd:a=2"."""
        given = ",".join(
            f"{field.alias}={_text(getattr(self, field.name))}"
            for field in parameters(type(self))
            if getattr(self, field.name) != field.default
        )
        return f"{self.name}:{given}" if given else self.name

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the estimate for some distances: integers, or NumPy arrays of the same shape.

        `distances` has one item for each pruning table. The tables of a group of additive tables
        have one item together: the sum of their distances. Default: the largest.
        """
        return reduce(lambda one, other: one + (other - one) * (other > one), distances)

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the estimates of n states of a phase: an array of n integers up to 65,535.

        An estimate counts moves like a distance of a table. Raise UsageError for a puzzle that the
        heuristic does not know.

        Parameters
        ----------
        puzzle
            The puzzle of the phase.
        states
            A NumPy array of bytes with n rows, one for each state.
        distances
            An array of integers with n rows: the distances that `join` would get.
        """
        return self.join(list(distances.T))


def parameters(kind: Any) -> tuple[Any, ...]:
    """Return the attrs fields of a class of heuristics that are its parameters."""
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    return tuple(field for field in fields if field.init)


def usage(kind: type[Heuristic]) -> str:
    """Return the name of a class of heuristics with all its parameters and their defaults.

    >>> usage(Max)
    'max'
    """
    given = ",".join(defaults(kind))
    return f"{kind.name}:{given}" if given else kind.name


def defaults(kind: type[Heuristic]) -> list[str]:
    """Return the parameters of a class of heuristics with their defaults, such as "a=2"."""
    return [f"{field.alias}={_text(field.default)}" for field in parameters(kind)]


def _text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


@attrs.frozen
class Max(Heuristic):
    """The largest distance. It is admissible.

    >>> Max().join([3, 7, 5])
    7
    """

    name = "max"
    admissible = True


@attrs.frozen
class Sum(Heuristic):
    """The sum of the distances. It is not admissible if two tables count the same moves.

    >>> Sum().join([3, 7, 5])
    15
    """

    name = "sum"

    def join(self, distances: Sequence[Any]) -> Any:
        """Return the sum of the distances."""
        return sum(distances)


def format_heuristics(chosen: Sequence[Heuristic], declared: Sequence[Heuristic] = ()) -> str:
    """Return the heuristics of all phases as one string.

    If all phases have the same heuristic, it is named once. `declared` has the heuristics that the
    phases declare. If the caller chose no others, only those that are not max are named.

    >>> format_heuristics([Sum(), Sum()]), format_heuristics([Max(), Sum()])
    ('sum', '0=max/1=sum')
    >>> format_heuristics([Max(), Sum()], [Max(), Sum()])
    '1=sum'
    """
    texts = [str(heuristic) for heuristic in chosen]
    if len(set(texts)) == 1:
        return texts[0]
    usual = list(chosen) == list(declared)
    named = [number for number, each in enumerate(chosen) if not (usual and each == Max())]
    return "/".join(f"{number}={texts[number]}" for number in named)
