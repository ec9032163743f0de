"""Resolved phases: each is made once, and its move texts are read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from bundled import COMPILED

import puzzlekit
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search import resolved
from puzzlekit.search.resolved import Resolver
from puzzlekit.search.runners import Runner, runner_kind

NEEDS_COMPILED = pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often a text was read as moves, and a phase resolved."""
    found: Counter[str] = Counter()

    def count(kind: object, name: str) -> None:
        usual = getattr(kind, name)

        def counting(*arguments: Any) -> Any:
            found[name] += 1
            return usual(*arguments)

        monkeypatch.setattr(kind, name, counting)

    count(Puzzle, "moves")
    count(resolved, "_resolved")
    yield found


@pytest.mark.parametrize(
    ("puzzle", "method", "phases", "names"),
    [
        ("cube3", "two-phase", 2, 4),
        ("cube4", "six-phase", 6, 13),
        # Five, and two that are alternatives. The last two search a 3x3x3.
        pytest.param("cube4", "reduction", 7, 20, marks=[pytest.mark.slow, NEEDS_COMPILED]),
    ],
)
def test_a_solve_resolves_each_phase_once(
    puzzle: str, method: str, phases: int, names: int, counted: Counter[str]
) -> None:
    """`names` are those of single moves that the phases state; families need no notation.

    A text that several phases state is read once.
    """
    solver = puzzlekit.load.__wrapped__(puzzle)  # a new puzzle, which has read no texts yet
    how = {"method": method, "profile": solver.method(method).profile or None, "max_length": 200}
    start = solver.state("R U F")
    known = puzzlekit.load(puzzle)
    known.prepared(method, profile=how["profile"])  # without its tables, few moves are looked for
    known.solve(start, **how)  # reads the texts of views, which solvers share
    counted.clear()
    solver.solve(start, **how)
    assert counted == Counter(_resolved=phases, moves=names)
    counted.clear()
    solver.solve(start, **how)
    assert not counted
    solver.solve("F2 U", **how)
    assert counted == Counter(moves=1), "only the scramble is read"


def test_a_metric_resolves_a_phase_anew(counted: Counter[str]) -> None:
    cube = puzzlekit.load("cube3")
    (phase,) = cube.method("optimal").phases
    resolver = Resolver()
    first = resolver.resolve(cube.puzzle, phase, cube.puzzle.metric("HTM"))
    assert resolver.resolve(cube.puzzle, phase, cube.puzzle.metric("HTM")) is first
    read = counted["moves"]
    other = resolver.resolve(cube.puzzle, phase, cube.puzzle.metric("QTM"))
    assert other.costs != first.costs and other.moves == first.moves
    assert counted == Counter(_resolved=2, moves=read), "its move texts are not read again"


def test_a_kind_of_coordinate_brings_its_runner() -> None:
    class Twist(puzzlekit.Orientation):
        pass

    class Other(Twist):
        pass

    cube = puzzlekit.load("cube2").puzzle
    twist, other = Twist("twist", cube, "corners"), Other("other", cube, "corners")
    assert runner_kind(twist) is Runner

    class TwistRunner(Runner, runs=Twist):
        pass

    assert runner_kind(twist) is runner_kind(other) is TwistRunner
    assert runner_kind(puzzlekit.Orientation("twist", cube, "corners")) is Runner
