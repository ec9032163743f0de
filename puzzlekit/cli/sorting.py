"""The order of answers for `--sort`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from puzzlekit.cli.messages import say
from puzzlekit.errors import NoSolutionError

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric
    from puzzlekit.search.solver import Solver

__all__ = ["Sorting"]

T = TypeVar("T")

_SPARE = 10_000  # answers beyond the limit that are kept between two sorts


class Sorting:
    """Sorts answers by their cost in a metric; answers of equal cost by their length.

    `by` is a metric or its name. The name "length" stands for the metric of the search.
    """

    def __init__(self, solver: Solver, by: str | Metric, searched: Metric) -> None:
        if by == "length":
            by = searched
        self.metric = solver.ranking(by) if isinstance(by, str) else by
        self._puzzle = solver.puzzle

    def cost(self, moves: Sequence[str]) -> int:
        """Return the cost of moves, given by their names."""
        return self.metric.total(self._puzzle.moves(" ".join(moves)))

    def record(self, moves: Sequence[str]) -> dict[str, Any]:
        """Return the field of a JSON object."""
        return {"rank": {"metric": self.metric.name, "cost": self.cost(moves)}}

    def note(self, moves: Sequence[str], shown: str) -> str:
        """Return the end of a line, such as ", 21 ergonomic"; empty for the metric `shown`."""
        if self.metric.name == shown:
            return ""
        return f", {self.cost(moves)} {self.metric.name}"

    def first(
        self, found: Iterable[T], moves: Callable[[T], Sequence[str]], most: int | None
    ) -> Iterator[T]:
        """Yield the `most` answers of least cost, and say how many were found.

        If a limit or Ctrl-C ends the search, yield the best answers so far, then raise the error.
        """
        count = 0
        kept: list[tuple[int, int, int, T]] = []
        over: BaseException | None = None
        try:
            for each in found:
                own = moves(each)
                kept.append((self.cost(own), len(own), count, each))
                count += 1
                if most is not None and len(kept) > most + _SPARE:
                    kept = sorted(kept)[:most]
        except (KeyboardInterrupt, NoSolutionError) as error:
            over = error
        yield from (each for *_, each in sorted(kept)[:most])
        if most is not None and count > most:
            say(f"these are the best {most:,} of {count:,}")
        if over is not None:
            raise over
