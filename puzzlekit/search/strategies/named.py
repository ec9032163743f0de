"""Strategies of plugins, found by their names when a search needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.services import missing
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.limits import Limits
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate
from puzzlekit.search.strategies.strategy import Strategy

__all__ = ["Named"]


# The function that returns the class for a name, or None. It belongs to a room above this one.
_FIND = "puzzlekit.plugins.manager:find_strategy"


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Named(Strategy):
    """A strategy that a plugin provides with the hook `puzzlekit_strategies`.

    The plugin is imported when the strategy is prepared. So a puzzle can declare a method for which
    a plugin may be missing: the puzzle loads, and only this method is refused.

    >>> Named("universal", "universal", needs_coordinates=False).name
    'universal'
    """

    #: The name of the strategy.
    name: str
    #: The name of the plugin, which is asked first, and named if the strategy is missing.
    plugin: str
    #: The options of the strategy.
    options: Mapping[str, Any] = attrs.field(factory=dict)
    #: Whether the strategy needs phases with coordinates.
    needs_coordinates: bool = True
    #: Whether the strategy can search a puzzle with `Forbidden` places.
    takes_forbidden: bool = False
    #: Whether the engine is interpreted (see `interpreted`).
    slow: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Do nothing: the strategy checks the phases when it is prepared."""

    def interpreted(self) -> Named:
        """Return the same, for an engine that is not compiled."""
        return attrs.evolve(self, slow=True)

    def found(self) -> Strategy:
        """Return the strategy of the plugin. Raises UsageError if the plugin is missing."""
        kind = resolve_name(_FIND)(self.name, self.plugin)
        if kind is None:
            raise missing(f"the strategy {self.name!r} comes", self.plugin)
        try:
            strategy: Strategy = kind(**self.options)
        except TypeError as error:
            raise DeclarationError(f"the options of the strategy {self.name}: {error}") from None
        return strategy.interpreted() if self.slow else strategy

    def prepared(self, plan: Plan) -> Strategy:
        """Return the strategy of the plugin, ready to search a plan."""
        strategy = self.found()
        strategy.check(plan.name, plan.phases)
        return strategy.prepared(plan)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Raise NotImplementedError: what `prepared` returns searches."""
        raise NotImplementedError(f"prepare the strategy {self.name} first")

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield the phases whose tables the strategy needs: none if it needs no coordinates."""
        if self.needs_coordinates:
            yield from self.found().searched(plan)
