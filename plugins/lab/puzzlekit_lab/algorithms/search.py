"""Base of searches that expand one node at a time, within a budget and a number of states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from puzzlekit import PuzzlekitError
from puzzlekit.engine.statuses import PAUSED
from puzzlekit_lab.algorithms.graph import Graph

__all__ = ["GaveUp", "StateSearch"]


class GaveUp(PuzzlekitError):
    """A search ended by a limit of its own: the states that it may store, or a beam's width."""


class Node(NamedTuple):
    """What a search stores of a state: the cheapest way to it so far.

    - `g`: the cost of the way.
    - `h`: the estimate of the rest.
    - `before`, `move`: the state before it on the way, and the number of the move; b"" and -1 at a
      start.
    """

    g: int
    h: int
    before: bytes
    move: int


class StateSearch(ABC):
    """A search in a graph. Its members are those that a `Budget` and a strategy use.

    - `generated_nodes`: all neighbours that expanded nodes had, those that were known among them.
    - `expanded_nodes`: nodes whose neighbours were generated, each time it happened. The state in
      which the search ends is not expanded.
    - `path`, `spent_here`: after FOUND, the numbers of the moves of the answer, and their cost.
    """

    def __init__(self, graph: Graph, most: int) -> None:
        self.graph = graph
        self.most = most
        self.generated_nodes = 0
        self.expanded_nodes = 0
        self.path: list[int] = []
        self.spent_here = 0
        self.steps = 0

    @property
    def work(self) -> int:
        """What counts against a limit of nodes."""
        return self.generated_nodes + self.steps

    def run(self, budget: int) -> int:
        """Expand nodes until about `budget` more are generated. Returns FOUND, EXHAUSTED or PAUSED.

        Raises GaveUp if a limit of the search itself ends it.
        """
        stop = self.work + budget
        while self.work < stop:
            status = self.step()
            if status != PAUSED:
                return status
        return PAUSED

    @abstractmethod
    def step(self) -> int:
        """Expand the next node, or look at one that needs no expansion. Returns a status."""

    def check_room(self, held: int) -> None:
        """Raise GaveUp if more than the allowed number of states is stored."""
        if held > self.most:
            raise GaveUp(
                f"the search stored {held:,} states, more than its limit of {self.most:,}: raise "
                "the option 'states'"
            )


def way(nodes: dict[bytes, Node], state: bytes) -> list[int]:
    """Return the numbers of the moves that lead to a state, last first."""
    found = []
    while (node := nodes[state]).move >= 0:
        found.append(node.move)
        state = node.before
    return found
