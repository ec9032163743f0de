"""Each mistake in phases, methods and searches is told by one of the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import attrs
import domino
import numpy as np
import pytest
from conforming import METRIC, TURNS, entry, failures, methods, solving, the_failure

import puzzlekit
from puzzlekit import (
    Method,
    Metric,
    Optimal,
    Permutation,
    Phase,
    Plain,
    Puzzle,
    PuzzleEntry,
    Sequential,
)
from puzzlekit.engine.fill import COMPILED
from puzzlekit.plugins.manager import manager
from puzzlekit.search.directions import Relabellings
from puzzlekit.search.method import Profile
from puzzlekit.search.strategies.bounds import BoundTask
from puzzlekit.search.strategies.tree_search import TreeSearch
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit_authoring import method_checks, table_checks
from puzzlekit_authoring.engines import plain
from puzzlekit_authoring.run import checks_of, run_checks


def test_a_later_phase_that_leaves_the_goal_of_an_earlier_one() -> None:
    def two(rings: Puzzle) -> list[Method]:
        first = Permutation("first", rings, "beads", "A")
        order = Permutation("order", rings, "beads")
        phases = (
            Phase("begin", "A is at home", "L R", (first,), ("first",)),
            Phase("end", "all are", "L R", (order,), ("order",)),
        )
        return [Method("both", "", phases)]

    title, words = the_failure(entry(two))
    assert title == "later phases keep what earlier ones achieved"
    assert "moves of the phase end lead away from the goal of the phase begin" in words


def test_a_move_of_what_is_fixed() -> None:
    def fixing(rings: Puzzle) -> list[Method]:
        return solving(Permutation("order", rings, "beads"), fixed={"beads": "D"})

    title, words = the_failure(entry(fixing))
    assert title == "fixed places stay as they are"
    assert words == "the move L of the phase solve moves fixed places"


def test_recolour_without_rotations() -> None:
    title, words = the_failure(
        entry(
            lambda p: solving(Permutation("order", p, "beads"), strategy=Sequential(relabel=True))
        )
    )
    assert title == "fixed places stay as they are" and "this puzzle has none" in words


def test_a_wrong_pruning_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ResolvedTable.get

    def wrong(*arguments: Any) -> Any:
        data = bytearray(right(*arguments).data)
        data[100] += 1
        return SimpleNamespace(data=memoryview(data))

    monkeypatch.setattr(ResolvedTable, "get", wrong)
    title, words = the_failure(entry())
    assert title == "pruning tables are exact" and "but their neighbours give" in words


def test_an_estimate_that_is_too_high_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = table_checks.CompiledPhase.estimate
    monkeypatch.setattr(table_checks.CompiledPhase, "estimate", lambda *each: 2 * right(*each))
    told = failures(entry())
    assert set(told) == {"pruning tables never overestimate", UNDERCUT}
    assert "costs less than the change" in told["pruning tables never overestimate"]
    assert "is listed, but breadth-first search finds one" in told[UNDERCUT]


@pytest.mark.parametrize(
    ("without", "wrong", "words"),
    [
        ("", lambda n: n + 1, "the estimate of a state at the goal is 1, not 0"),
        ("_steady", lambda n: n + (n > 0), "is 2, but undoing that costs 1"),
        ("_steady _moves", lambda n: n + (n > 0), "but the largest distance of its tables is"),
        ("_steady", lambda n: n - (n > 1), "but the distance over order is"),
    ],
)
def test_an_estimate_that_is_wrong_by_1_is_told(
    without: str, wrong: Callable[[int], int], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By each rule that looks at estimates, without the rules that would tell it before."""
    estimate, begin = table_checks.CompiledPhase.estimate, table_checks._Looking.__init__

    def looking(self: Any, *given: Any) -> None:
        begin(self, *given)
        vars(self).update(dict.fromkeys(without.split(), frozenset()))

    monkeypatch.setattr(table_checks._Looking, "__init__", looking)
    monkeypatch.setattr(
        table_checks.CompiledPhase, "estimate", lambda *given: wrong(estimate(*given))
    )
    told = [each.reason for each in run_checks(entry(), "quick", only="never overestimate")]
    assert len(told) == 1 and words in told[0]


def test_an_automaton_that_loses_states_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = method_checks.move_order

    def wrong(needs: Any) -> Any:
        order = right(needs)
        first, *others = order.automaton
        return order._replace(automaton=[first, *[row[1:] for row in others]])

    monkeypatch.setattr(method_checks, "move_order", wrong)
    title, words = the_failure(entry())
    assert title == "the automaton loses no state" and "a pruned sequence" in words


@pytest.mark.skipif(not COMPILED, reason="there is one engine only")
def test_engines_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hasty(plain().Search):  # type: ignore[misc, name-defined]
        def run(self, budget: int) -> Any:
            return super().run(1)

    monkeypatch.setattr(method_checks, "plain", lambda: SimpleNamespace(Search=Hasty))
    title, words = the_failure(entry())
    assert (
        title == "interpreted and compiled searches agree" and "the compiled search ends" in words
    )


def test_a_wrong_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = puzzlekit.Solver.solve

    def wrong(solver: puzzlekit.Solver, *asked: Any, **how: Any) -> puzzlekit.Solution:
        found = right(solver, *asked, **how)
        report = attrs.evolve(found.phases[0], merged=solver.puzzle.moves("L R"))
        return found.evolve(phases=(report,), optimal=True)

    monkeypatch.setattr(puzzlekit.Solver, "solve", wrong)
    title, words = the_failure(entry())
    assert title == "scrambles are solved" and "does not solve it: L R" in words


UNDERCUT = "breadth-first search finds no shorter answer"
CONTRADICTED = "methods do not contradict each other"


def in_one_holding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let methods search from one of the ways of holding a puzzle that what they fix leaves."""
    monkeypatch.setattr(Relabellings, "of", lambda self, state: [state])


def claims_of(what: Any) -> set[str]:
    told = run_checks(what, "quick", only=UNDERCUT), run_checks(what, "quick", only=CONTRADICTED)
    return {str(each.check) for some in told for each in some if each.outcome == "failed"}


@pytest.mark.slow
def test_claims_that_hold_in_one_way_of_holding_only(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = PuzzleEntry("domino", "", domino.domino, domino.methods)
    if COMPILED:
        assert not claims_of(entry)
    in_one_holding(monkeypatch)
    told = claims_of(entry)
    single = {f"domino-{name}: {UNDERCUT}" for name in ("first", "improve", "prove", "alone")}
    assert single <= told and not any("domino-steps" in each for each in told)
    assert any(each.endswith(CONTRADICTED) for each in told)


def test_a_list_of_solutions_that_misses_the_shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    right = puzzlekit.Solver.solutions
    monkeypatch.setattr(
        puzzlekit.Solver,
        "solutions",
        lambda *each, max_length, **how: right(*each, max_length=max_length - 1, **how),
    )
    title, words = the_failure(entry())
    assert title == UNDERCUT and "is listed, but breadth-first search finds one" in words


def test_a_metric_that_counts_what_a_phase_cannot_do_as_one_move() -> None:
    # A third move does at once what L and R do, which the phase does not have.
    both = bytes(TURNS["L"][0][source] for source in TURNS["R"][0])
    turns = {**TURNS, "B": (both, bytes(9))}
    metric = Metric("TURNS", "turns of one ring or both", {"L": 1, "R": 1, "B": 1})
    rings = entry(turns=turns, metrics=(metric,))
    assert (
        "is claimed to be the shortest, but breadth-first search finds one of 1"
        in failures(rings)[UNDERCUT]
    )

    def two(puzzle: Puzzle) -> list[Method]:
        (less,) = methods(puzzle)
        (phase,) = less.phases
        more = attrs.evolve(phase, moves="L R B")
        return [less, attrs.evolve(less, name="all", phases=(more,))]

    told = claims_of(entry(two, turns=turns, metrics=(metric,)))
    assert told == {f"conforming-optimal: {UNDERCUT}"} | {f"conforming-optimal: {CONTRADICTED}"}


def test_a_bound_that_is_too_high(monkeypatch: pytest.MonkeyPatch) -> None:
    right = puzzlekit.Solver.solve

    def solve(*each: Any, **how: Any) -> Any:
        found = right(*each, **how)
        return found.evolve(optimal=False, at_least=found.cost + 1)

    monkeypatch.setattr(puzzlekit.Solver, "solve", solve)
    assert "with the claimed lower bound" in failures(entry())[UNDERCUT]


@pytest.mark.slow
def test_random_states_of_a_twist_that_no_move_makes_are_told() -> None:
    cube = puzzlekit.load("cube2").puzzle
    methods = manager().entry("cube2").methods
    loose = attrs.evolve(cube, name="loose", constraints=())
    title, words = the_failure(PuzzleEntry("loose", "", lambda: loose, methods))
    assert title == "random states can be reached" and "OrientationSum(orbit='corners')" in words


def test_threads_that_search_too_far_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(self: Any, task: BoundTask, *rest: Any) -> Iterator[list[int]]:
        return shared(self, task._replace(bound=task.bound + 3), *rest)

    shared = TreeSearch._shared
    monkeypatch.setattr(TreeSearch, "_shared", search)
    title, words = the_failure(
        entry(lambda rings: solving(Permutation("order", rings, "beads"), strategy=Optimal()))
    )
    assert title == "two threads agree with one" and "one thread proves" in words


def with_profile(moves: str, pieces: str) -> PuzzleEntry:
    """A puzzle whose method has a larger profile, with these moves, for these pieces."""

    def two(rings: Puzzle) -> list[Method]:
        (small,) = solving(Permutation("order", rings, "beads"), profile="small")
        goal = Permutation("goal", rings, "beads", pieces)
        large = attrs.evolve(small.phases[0], moves=moves, coordinates=(goal,), tables=("goal",))
        return [attrs.evolve(small, larger=(Profile("large", (large,)),))]

    return entry(two)


def test_mistakes_in_a_larger_profile_are_told() -> None:
    everything = "A B C D E F G"
    assert failures(with_profile("L R", everything)) == {}
    title, words = the_failure(with_profile("L R", "A B C"))
    assert title == "scrambles are solved" and "does not solve the puzzle" in words
    title, words = the_failure(with_profile("L1 R1", everything))
    assert title == UNDERCUT and "is claimed to be the shortest" in words


@attrs.frozen
class OneTooHigh(Plain):
    """Distances, one of them too high."""

    @property
    def is_exact(self) -> bool:
        return False

    def build(self, graph: Any, store: Any, tell: Any) -> Any:
        data = np.array(super().build(graph, store, tell))
        farthest = int(np.argmax(data))
        data[farthest] += 1
        return data

    def text(self, graph: Any) -> Any:
        text = super().text(graph)
        return text._replace(identity=f"too high {text.identity}")


def test_one_entry_of_a_kind_of_table_that_is_too_high_is_told() -> None:
    def own(rings: Puzzle) -> list[Method]:
        (method,) = solving(Permutation("order", rings, "beads"))
        phase = attrs.evolve(method.phases[0], tables=(OneTooHigh("order", bits=8),))
        return [attrs.evolve(method, phases=(phase,))]

    told = failures(entry(own))["pruning tables never overestimate"]
    assert "have the entry 12, but the distance 11" in told


def test_states_far_from_the_goal_are_compared() -> None:
    """Each second state is as far as the breadth-first search goes, by moves that lead away."""
    target = next(
        each.target
        for each in checks_of(entry(), "normal", only=UNDERCUT)
        if each.title == UNDERCUT
    )
    near, limit = method_checks._near(target, METRIC)
    found = [near[state] for state, _ in method_checks._states(target, 60, limit, near)]
    assert min(found[1::2]) >= limit - 1 and max(found) == limit
