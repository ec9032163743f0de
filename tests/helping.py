"""Helpers that search subtrees in this process, each with a search of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from puzzlekit.search.limits import Limits, SubtreeReport
from puzzlekit.search.options import SearchOptions
from puzzlekit.search.solution import Solution
from puzzlekit.search.solver import Solver
from puzzlekit.search.strategies.optimal import Optimal


class Here:
    """Helpers of one state. They report in the reverse order."""

    count = 2

    def __init__(self, chain: Optimal, state: bytes) -> None:
        self.chain = chain
        self.state = chain.normal(state)
        self.reports = 0

    def search(
        self, bound: int, moves: int, numbers: Sequence[int], is_over: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        search = self.chain.subtrees(self.state)
        for number in reversed(numbers):
            if is_over():
                return
            self.reports += 1
            yield number, search.search_subtree(bound, moves, number, Limits())


def helped(solver: Solver, state: bytes, options: SearchOptions, limits: Limits) -> Solution:
    """The answer of a search with helpers, which have searched something."""
    choice = solver.choose(options)
    chain = solver.make_ready(choice)
    assert isinstance(chain, Optimal)
    helpers = Here(chain, state)
    found = solver.search(state, choice, limits._replace(helpers=helpers))
    assert helpers.reports
    return found
