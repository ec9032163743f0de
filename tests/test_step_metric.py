"""A metric of a stranger, in which a cost depends on the move before; and metrics in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import Move, Puzzle, UsageError, hookimpl
from puzzlekit.cli import main
from puzzlekit.errors import PluginError
from puzzlekit.plugins import readers
from puzzlekit.plugins.hooks import MetricReader
from puzzlekit.plugins.manager import PluginManager
from puzzlekit.puzzle.move import Step
from puzzlekit.search.step_metric import MethodSteps, StepMetric, Steps


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Switching(StepMetric):
    """Each move costs 1, and `switch` more if it turns another family than the move before."""

    switch: int = 2

    def cost(self, move: Move) -> int:
        return 1

    def total(self, moves: Iterable[Move]) -> int:
        return sum(step.cost for step in self.steps(tuple(moves)))

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        costs = [1, *(1 + self.switch * (a.family != b.family) for a, b in pairwise(moves))]
        return tuple(Step((move,), cost) for move, cost in zip(moves, costs, strict=False))

    def check(self, puzzle: Puzzle) -> None:
        if puzzle.name == "pyraminx":
            raise UsageError("switching: tips have no cost")

    def even(self, puzzle: Puzzle) -> Switching:
        return Switching(name="even", title="", switch=0)

    def of_method(self, puzzle: Puzzle, fixed: object) -> SwitchingSteps:
        return SwitchingSteps(self)


@attrs.frozen
class SwitchingSteps(MethodSteps):
    """State 0 is the start; in state n, the family number n turned last."""

    metric: Switching

    def steps(self, allowed: tuple[Move, ...]) -> Steps:
        families = ["", *dict.fromkeys(move.family for move in allowed)]
        to = [families.index(move.family) for move in allowed]
        edges = [
            [(n, at, 1 + self.metric.switch * (state not in (0, at))) for n, at in enumerate(to)]
            for state in range(len(families))
        ]
        return Steps(allowed, edges, 0)

    def done(self, parts: Sequence[Sequence[Move]]) -> list[tuple[Step, ...]]:
        steps = iter(self.metric.steps([move for part in parts for move in part]))
        return [tuple(next(steps) for _ in part) for part in parts]


METRIC = Switching(name="switching", title="moves, and changes of the hand")


def cheapest(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> int:
    """The least cost of a solution, by Dijkstra's algorithm over states and last families."""
    queue = [(0, state, "")]
    seen = set()
    while queue:
        cost, state, last = heappop(queue)
        if puzzle.is_solved(state):
            return cost
        if (state, last) not in seen:
            seen.add((state, last))
            for move in moves:
                more = 1 + METRIC.switch * (last not in ("", move.family))
                heappush(queue, (cost + more, puzzle.apply(state, (move,)), move.family))
    raise AssertionError("unreachable")


@pytest.mark.slow
@pytest.mark.parametrize("scramble", ["R", "R U R'", "R U2 F'", "U R U R"])
def test_a_metric_with_memory_of_a_stranger_is_searched(scramble: str) -> None:
    solver = puzzlekit.load("cube2")
    state = solver.state(scramble)
    moves = solver.method("optimal").phases[0].allowed(solver.puzzle)
    answer = solver.solve(state, metric=METRIC)
    assert answer.optimal and answer.verified
    assert answer.cost == cheapest(solver.puzzle, state, moves) == METRIC.total(answer.sequence)
    assert [cost for _, cost in answer.steps] == [s.cost for s in METRIC.steps(answer.sequence)]
    assert "switching" in answer.lengths


def test_a_metric_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="tips have no cost"):
        puzzlekit.load("pyraminx").solve("U", metric=METRIC)
    with pytest.raises(
        UsageError, match="eight has no step metrics: its moves are not always possible"
    ):
        puzzlekit.load("eight").solve("L", metric=METRIC)


def plugin(*found: object) -> ModuleType:
    module = ModuleType("strangers")
    module.puzzlekit_api = 2  # type: ignore[attr-defined]
    module.puzzlekit_metrics = hookimpl(  # type: ignore[attr-defined]
        lambda: found, specname="puzzlekit_metrics"
    )
    return module


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("robot", "puzzlekit_metrics yields a str, 'robot', instead of a MetricReader"),
        (MetricReader("a", (".A",), "a:b"), "the suffixes of the reader a have to be"),
        (MetricReader("a", (".a",), "a"), "has to be 'module:function'"),
    ],
)
def test_wrong_readers_break_their_plugin(wrong: object, said: str) -> None:
    with pytest.raises(PluginError, match=said):
        PluginManager().register(plugin(wrong), "strangers")


def test_two_plugins_cannot_read_the_same_files() -> None:
    manager = PluginManager()
    manager.register(plugin(MetricReader("switch", (".switch",), "a:b")), "strangers")
    with pytest.raises(PluginError, match="offers readers of metrics that another plugin has"):
        manager.register(plugin(MetricReader("other", (".switch",), "a:b")), "others")


@pytest.mark.slow
def test_a_file_is_read_by_the_plugin_of_its_suffix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    manager = PluginManager()
    manager.register(plugin(MetricReader("switch", (".switch",), "strangers:read")), "strangers")
    monkeypatch.setattr(readers.manager, "manager", lambda: manager)
    module = ModuleType("strangers")
    monkeypatch.setitem(__import__("sys").modules, "strangers", module)
    with pytest.raises(PluginError, match="the reader switch is broken"):
        readers.load_metric("two.SWITCH")
    module.read = lambda path: METRIC if path == "two.SWITCH" else path  # type: ignore[attr-defined]
    assert readers.load_metric("two.SWITCH") is METRIC
    with pytest.raises(PluginError, match=r"it returns 'three\.switch'"):
        readers.load_metric("three.switch")
    with pytest.raises(UsageError, match=r"that end in \.odd; the name has to end in .*\.switch"):
        readers.load_metric(tmp_path / "a.odd")
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "R U", "--metric", "two.SWITCH"])
    assert found.exit_code == 0 and "2 QTM" in found.stdout and "switching" in found.stdout
