"""A strategy that another strategy does the work for, in every role that a strategy can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from puzzlekit import Limits, Sequential, hookimpl
from puzzlekit.plugins.hooks import StrategyEntry
from puzzlekit.search.strategies.candidate import Candidate
from puzzlekit.search.strategies.strategy import Strategy, Wrapper

puzzlekit_api = 2


@hookimpl
def puzzlekit_strategies() -> Iterator[StrategyEntry]:
    yield StrategyEntry("echo", "puzzlekit_echo:Echo", "Let another strategy search.")


@attrs.define
class Echo(Wrapper):
    """Searches as another strategy does."""

    takes_guards = True
    splits = True

    #: The strategy that searches.
    strategy: Strategy = attrs.field(factory=Sequential)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        return self.ready.search(state, limits)

    def finishes(self) -> int:
        return self.strategy.finishes()

    def pool(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> Any:
        return self.ready.pool(states, costs, limits)

    def one_by_one(self) -> Strategy:
        return Echo(Sequential())

    def first(self, state: bytes, most: int, driver: Any) -> Candidate:
        return self.ready.first(state, most, driver)

    def subtrees(self, state: bytes) -> Any:
        return self.ready.subtrees(state)
