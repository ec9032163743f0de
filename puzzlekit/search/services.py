"""What the search asks of plugins: the services that a plugin offers with `puzzlekit_services`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, cast

from puzzlekit.errors import UsageError

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric, Move
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.goals.goal import Goal
    from puzzlekit.search.limits import Limits
    from puzzlekit.search.method import Method
    from puzzlekit.search.strategies.candidate import Candidate
    from puzzlekit.search.strategies.strategy import Strategy

__all__ = ["GoalSearch", "Renderer", "Route"]

# The function that finds what a plugin offers, or returns None. It belongs to a room above.
_FIND = "puzzlekit.plugins.manager:find_service"


class Route(Protocol):
    """A way to a state that takes the place of the solved one. A search finds a part of it."""

    @property
    def searched(self) -> bytes:
        """The state that the search solves."""

    def limits(self, limits: Limits, metric: Metric) -> Limits:
        """Return the limits of the search, from those of the whole route."""

    def answers(self, strategy: Strategy, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers for the whole route."""

    def whole(self, answer: Candidate, strategy: Strategy) -> Candidate:
        """Return the answer for the whole route, from an answer for the searched part."""


class GoalSearch(Protocol):
    """How goals are read and reached: the service "goals"."""

    def read(self, puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> Goal:
        """Return the goal that a text describes, with the help of the puzzle's named goals.

        Raises UsageError if the text cannot be read.
        """

    def read_stickers(
        self,
        puzzle: Puzzle,
        text: str,
        scheme: str | None = None,
        order: str | None = None,
        symbols: Mapping[str, str] | None = None,
    ) -> Goal:
        """Return the goal that stickers describe. A dot stands for any sticker.

        `scheme` and `order` explain the stickers, as in `Positions.from_facelets`. `symbols` has
        the face of each symbol in the position from which the goal is to be reached. Raises
        UsageError or StateError if the stickers cannot be read.
        """

    def method(
        self,
        puzzle: Puzzle,
        goal: Goal,
        moves: Sequence[Move],
        fixed: Mapping[str, str],
        memory: int | None,
    ) -> Method:
        """Return a method that reaches a goal with some moves.

        `fixed` are places, by orbit, that show how the puzzle is held (see `Method.fixed`).
        `memory` is the most bytes for tables; None for the usual amount. Raises UsageError if the
        goal cannot be searched for.
        """

    def route(
        self,
        puzzle: Puzzle,
        state: bytes,
        target: bytes,
        metric: Metric,
        moves: Sequence[Move] | None,
        solutions: Callable[[bytes, float], Iterable[Sequence[Move]]] | None,
    ) -> Route:
        """Return a route from a state to a target.

        `moves` are the allowed moves; None if the search itself has to go from the state to the
        target. `solutions` yields moves that solve a state, found in a share of the time; None if
        all of the route has to be searched. Raises UsageError if there is no route.
        """


class Renderer(Protocol):
    """How positions are drawn: the service "pictures"."""

    def draw(
        self,
        puzzle: Puzzle,
        state: bytes,
        picture: str = "net",
        *,
        only: str | Iterable[int] = "",
        grey: str | Iterable[int] = "",
        symbols: Mapping[str, str] | None = None,
    ) -> str:
        """Return a state as SVG.

        The parameters are those of `Positions.svg`. `symbols` has the face of each symbol in which
        the position was given. Raises UsageError if the puzzle has no such picture or stickers.
        """

    def png(self, svg: str) -> bytes:
        """Return an SVG picture as a PNG file. Raises UsageError if a library is missing."""

    def html(self, shown: Any) -> str:
        """Return a `Solver` or a `Solution` as HTML, for a notebook."""


def missing(what: str, plugin: str) -> UsageError:
    """Return the error that something comes from a plugin that is not there."""
    return UsageError(
        f"{what} from the plugin {plugin}, which is not installed, or which PUZZLEKIT_WITHOUT "
        "leaves out"
    )


def goal_search() -> GoalSearch:
    """Return how goals are read and reached. Raises UsageError if no plugin offers it."""
    found = resolve_name(_FIND)("goals")
    if found is None:
        raise missing("a search for a goal, or with other moves, comes", "steps")
    return cast(GoalSearch, found)


def renderer() -> Renderer:
    """Return how positions are drawn. Raises UsageError if no plugin offers it."""
    found = resolve_name(_FIND)("pictures")
    if found is None:
        raise missing("pictures come", "pictures")
    return cast(Renderer, found)


def html(shown: Any) -> str | None:
    """Return a solver or a solution as HTML, or None if no plugin draws it."""
    found = resolve_name(_FIND)("pictures")
    return None if found is None else cast(Renderer, found).html(shown)
