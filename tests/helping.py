"""Helpers that search subtrees in this process, each with a search of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from puzzlekit.search.limits import Limits, SubtreeReport
from puzzlekit.search.options import SearchOptions
from puzzlekit.search.solution import Solution
from puzzlekit.search.solver import Solver
from puzzlekit.search.strategies.optimal import Optimal


class Here:
    """Helpers in this process, which report in the reverse order."""

    count = 2

    def __init__(self, chain: Optimal) -> None:
        self.chain = chain
        self.reports = 0

    def search(
        self, state: bytes, bound: int, moves: int, numbers: Sequence[int], stop: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        search = self.chain.subtrees(state)
        for number in reversed(numbers):
            if stop():
                return
            self.reports += 1
            yield number, search.search_subtree(bound, moves, number, Limits())


def helped(solver: Solver, state: bytes, options: SearchOptions, limits: Limits) -> Solution:
    """The answer of a search with helpers, which have searched something."""
    choice = solver.choose(options)
    chain = solver.make_ready(choice)
    assert isinstance(chain, Optimal)
    helpers = Here(chain)
    found = solver.search(state, choice, limits._replace(helpers=helpers))
    assert helpers.reports
    return found
