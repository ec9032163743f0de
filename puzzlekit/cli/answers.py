"""Format answers for people, and sort them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from puzzlekit.cli.output import say, several
from puzzlekit.errors import NoSolutionError, UsageError
from puzzlekit.puzzle.net import draw_net, write_grid
from puzzlekit.search.heuristic import format_heuristics

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Metric
    from puzzlekit.search.limits import BoundReport, Limits, Progress
    from puzzlekit.search.options import Choice
    from puzzlekit.search.solution import Solution
    from puzzlekit.search.solver import Solver

__all__ = ["Sorting", "duration", "explain", "one_line", "summary"]
T = TypeVar("T")
_SPARE = 10_000  # answers beyond the limit that are kept between two sorts


def describe(
    solver: Solver, solution: Solution, coloured: bool, symbols: Mapping[str, str] | None = None
) -> str:
    """Format the net of the state and the solution for people."""
    picture = draw_net(solver.puzzle, solution.state, coloured, symbols)
    return "\n".join([*([picture, ""] if picture else []), summary(solver, solution)])


def summary(solver: Solver, solution: Solution) -> str:
    """Format the moves and length of a solution, and the time and nodes of the search."""
    lengths = [f"{solution.cost} {solution.metric}"] + [
        f"{length} {metric}"
        for metric, length in solution.lengths.items()
        if metric != solution.metric
    ]
    proven = f"{'' if solution.optimal else 'not proven '}optimal in {solution.metric}"
    if not solution.optimal and solution.at_least:
        proven += f"; none has less than {solution.at_least}"
    lines = [
        f"solution  {solution or _none_needed(solution)}",
        *(_steps(solution) if solution.steps else []),
        f"length    {', '.join(lengths)} ({proven})",
    ]
    if solution.phases and not solution.goal:
        parts = ", ".join(f"{phase.name} {phase.cost}" for phase in solution.phases)
        if undone := _undone(solution):
            parts += f" (in the order of the moves: {undone} solved the inverse state)"
        lines.append(f"phases    {parts}")
    if solution.goal:
        lines.append(f"goal      {goal_reached(solution)}")
    elif solver.puzzle.grid is not None:
        lines.append(f"goal      {write_grid(solver.puzzle, solver.puzzle.solved)}")
    if solution.heuristic != _declared(solver, solution):
        lines.append(f"heuristic {solution.heuristic}")
    lines.append(f"time      {solution.seconds:.3f} s, {several(solution.nodes, 'node')}")
    return "\n".join(lines)


def _declared(solver: Solver, solution: Solution) -> str:
    """Return the heuristics that the method of a solution declares."""
    if solution.goal:
        return "max"
    try:
        declared = solver.method(solution.method).heuristics()
    except UsageError:
        return "max"  # a derived method
    return format_heuristics(declared, declared)


def _none_needed(solution: Solution) -> str:
    """Return the words for a solution without moves."""
    reached = "the goal is already reached" if solution.goal else "it is solved"
    return f"(none needed: {reached})"


def goal_reached(solution: Solution) -> str:
    """Format the goal of a solution: its name, the length, and the rotations to see it."""
    after = f" (hold the puzzle after {solution.goal_after})" if solution.goal_after else ""
    words = "" if solution.goal_words == solution.goal else f": {solution.goal_words}"
    if solution.goal == "state":
        return f"the given state, reached in {solution.cost}"
    named = "" if solution.goal == "solved" else f"{solution.goal} "
    return f"{named}solved in {solution.cost}{after}{words}"


def _undone(solution: Solution) -> str:
    """Return the names of the phases that solved the inverse state, in the order of the method."""
    inverted = (phase.name for phase in reversed(solution.phases) if phase.found.inverted)
    return " and ".join(inverted)


def _steps(solution: Solution) -> list[str]:
    """Format the steps of a metric with their costs, in lines of limited length."""
    texts = [f"{' + '.join(moves)} ({cost})" for moves, cost in solution.steps]
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) < 86:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return [
        f"{'steps' if i == 0 else '':10}{line}{',' if i + 1 < len(lines) else ''}"
        for i, line in enumerate(lines)
    ]


def aim(choice: Choice, limits: Limits) -> str:
    """Say what is searched, and whether the search may go on for ever."""
    strategy = choice.method.strategy
    most = limits.max_length
    words = [choice.method.name]
    if most is not None:
        words = [f"{choice.method.name}, at most {most} {choice.metric.name}"]
    if limits.timeout is None and limits.max_nodes is None:
        if strategy.proves and choice.method.goal is None:
            words.append("without --timeout it may take days")
        elif most is not None or strategy.proves or not strategy.improves:
            words.append("without --timeout it may never end")
    return f"({'; '.join(words)})"


def progress(bound: BoundReport) -> str:
    """Format the progress of a proof for people."""
    best = "nothing yet" if bound.best is None else f"best {bound.best}"
    rate = bound.nodes / max(bound.seconds, 1e-9) / 1e6
    later = duration(bound.next_seconds)
    return f"({best}, none below {bound.at_least}; {rate:.1f}M nodes/s; next: {later})"


def bound_progress(news: Progress) -> str:
    """Format the progress of the search of a bound.

    The most important parts come first, because a narrow terminal cuts the line.

    >>> from puzzlekit import Progress
    >>> bound_progress(Progress(17, 18, 17, 98_000_000, 14e6, 0.125, 49.0, None))
    '(best 18; bound 17: 12%; 49 s left; 14.0M nodes/s)'
    >>> bound_progress(Progress(17, None, 17, 98_000_000, 14e6, 0.125, 49.0, None))
    '(none below 17; bound 17: 12%; 49 s left; 14.0M nodes/s)'
    """
    best = f"none below {news.at_least}; " if news.best is None else f"best {news.best}; "
    rate = news.nodes_per_second / 1e6
    left = duration(news.bound_seconds if news.seconds is None else news.seconds)
    return f"({best}bound {news.bound}: {news.share:.0%}; {left} left; {rate:.1f}M nodes/s)"


def duration(seconds: float) -> str:
    """Format a rough duration for people.

    >>> duration(0.3), duration(75), duration(8000)
    ('a second', '75 s', '2.2 h')
    """
    if seconds < 1:
        return "a second"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def listed(solution: Solution, note: str = "") -> str:
    """Format a solution as moves that can be read again, with a comment: length and `note`."""
    after = f", {solution.goal} after {solution.goal_after}" if solution.goal_after else ""
    return f"{solution}  // {solution.cost} {solution.metric}{note}{after}".lstrip()


def one_line(solution: Solution, number: int) -> str:
    """Format the solution of line `number` as moves and a comment with the length."""
    proven = f", none below {solution.at_least}" if solution.at_least else ""
    proven = ", optimal" if solution.optimal else proven
    return f"{solution}  // line {number}: {solution.cost} {solution.metric}{proven}".lstrip()


def explain(
    solver: Solver, solution: Solution, coloured: bool, symbols: Mapping[str, str] | None = None
) -> str:
    """Format a solution phase by phase: the goal, the moves, and the net after the phase."""
    puzzle = solver.puzzle
    if solution.goal:
        lines = [f"{puzzle.title}, goal {solution.goal}: {solution.goal_words}", ""]
    else:
        method = solver.method(solution.method)
        lines = [f"{puzzle.title}, method {method.name}: {method.title}", ""]
        lines += [*method.notes, ""] if method.notes else []
    state = solution.state

    def picture() -> list[str]:
        return [draw_net(puzzle, state, coloured, symbols), ""] if puzzle.has_facelets else []

    lines += picture()
    if undone := _undone(solution):
        lines += [
            f"The phases {undone} solved the inverse state.",
            "Their moves are inverted here, so the last of these phases comes first.",
            "",
        ]
    for phase in solution.phases:
        state = puzzle.apply(state, phase.sequence)
        proven = ", shortest for this phase" if phase.optimal else ""
        lines += [
            f"phase {phase.number}, {phase.name}: {phase.goal_words}",
            f"   {' '.join(phase.moves) or '(no moves)'}",
            f"   {phase.cost} {solution.metric}{proven}, {several(phase.nodes, 'node')}",
            "",
            *picture(),
        ]
    return "\n".join([*lines, summary(solver, solution)])


class Sorting:
    """Sorts answers by their cost in a metric; answers of equal cost by their length.

    `by` is a metric or its name. The name "length" stands for the metric of the search.
    """

    def __init__(self, solver: Solver, by: str | Metric, searched: Metric) -> None:
        if by == "length":
            by = searched
        self.metric = solver.catalogue.ranking(by) if isinstance(by, str) else by
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
