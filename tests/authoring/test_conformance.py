"""The public checks: all bundled puzzles pass, and each kind of mistake is told by one of them."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import attrs
import domino
import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import (
    Coordinate,
    EvenParity,
    FaceletLayout,
    Heuristic,
    Max,
    Method,
    Metric,
    Optimal,
    Orbit,
    OrientationSum,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    Sequential,
    UsageError,
    hookimpl,
)
from puzzlekit.cli import main
from puzzlekit.engine.fill import COMPILED
from puzzlekit.plugins.manager import manager
from puzzlekit.search.directions import Relabellings
from puzzlekit.search.strategies.bounds import BoundTask
from puzzlekit.search.strategies.tree_search import TreeSearch
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit_authoring import method_checks, table_checks
from puzzlekit_authoring.checks import Check, CheckFailed
from puzzlekit_authoring.engines import plain
from puzzlekit_authoring.plugin_checks import private_imports
from puzzlekit_authoring.run import checks_of, run_checks
from puzzlekit_events import AtMost, Event, Exactly, Pattern
from puzzlekit_robots import Hands, Way
from puzzlekit_steps import Goal, Solved

BUNDLED = (
    "cube2",
    "cube3",
    "cube4",
    "pyraminx",
    "skewb",
    "fto",
    "fifteen",
    "clock",
)  # of that plugin: eight too
# test_solver.py solves with the first. The others have the tables of cube3, which are checked.
ELSEWHERE = (
    "cube4-universal",
    "supercube3-two-phase-orient: pruning tables never",
    "supercube3-two-phase-finish: pruning tables never",
)
CHECKS = [each for name in BUNDLED for each in checks_of(name, "quick")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "check", [each for each in CHECKS if not str(each).startswith(ELSEWHERE)], ids=str
)
def test_bundled_puzzles_conform(check: Check) -> None:
    check()


# --- what passes, and what is told of what does not ---------------------------------------------

BEADS = Orbit("beads", "bead", "A B C D E F G")
LAMP = Orbit("lamp", "lamp", "Z", orientations=2)  # never moved
TURNS = {
    "L": (bytes([1, 2, 3, 0, 4, 5, 6, 7, 8]), bytes(9)),
    "R": (bytes([0, 1, 2, 4, 5, 6, 3, 7, 8]), bytes(9)),
}
METRIC = Metric("TURNS", "turns of a ring by any angle", {"L": 1, "R": 1})
LAYOUT = FaceletLayout(
    faces="ABCDEFGZY",
    face_of=tuple(range(9)),
    places={"beads": tuple((i,) for i in range(7)), "lamp": ((7, 8),)},
    net=((1, 0, None), (2, 3, 4), (None, 6, 5), (7, 8, None)),
    schemes={"digits": "123456789"},
    colours=("white", "red", "green", "yellow", "orange", "blue", "purple", "pink", "grey"),
)

MakeMethods = Callable[[Puzzle], Sequence[Method]]


def solving(*coordinates: Coordinate, **changes: Any) -> list[Method]:
    names = tuple(each.name for each in coordinates)
    phase = Phase("solve", "every bead is at home", "L R", coordinates, names)
    return [Method("optimal", "", (phase,), **changes)]


def methods(rings: Puzzle) -> list[Method]:
    return solving(Permutation("order", rings, "beads"))


def entry(make: MakeMethods = methods, **changes: Any) -> PuzzleEntry:
    declared: dict[str, Any] = {
        "name": "conforming",
        "title": "Two rings",
        "orbits": (BEADS, LAMP),
        "turns": TURNS,
        "metrics": (METRIC,),
        "constraints": (OrientationSum("lamp"),),
        "layout": LAYOUT,
    }
    return PuzzleEntry("conforming", "Two rings", lambda: Puzzle(**{**declared, **changes}), make)


def failures(what: Any) -> dict[str, str]:
    results = run_checks(what, "quick")
    return {each.check.title: each.reason for each in results if each.outcome == "failed"}


def the_failure(what: Any) -> tuple[str, str]:
    (found,) = failures(what).items()
    return found


def test_a_puzzle_without_mistakes_passes() -> None:
    assert failures(entry()) == {}


def test_what_ties_a_parity_to_orientations() -> None:
    # A turn of either ring is odd, and turns the lamp.
    rings = {name: (gather, bytes([0] * 8 + [1])) for name, (gather, _) in TURNS.items()}
    told = failures(entry(turns=rings, constraints=()))["random states can be reached"]
    assert told.endswith(
        "link the parity of the beads and the sum of the orientations of the lamp; a Law can"
    )


def turned(**changes: Any) -> dict[str, Any]:
    return {"turns": {**TURNS, **changes}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "title", "words"),
    [
        (
            turned(R=(bytes([0, 1, 2, 4, 5, 6, 6, 7, 8]), bytes(9))),
            "it can be loaded",
            "the turn R does not permute the beads",
        ),
        (
            {"constraints": (EvenParity(("beads",)),)},
            "states that moves reach are sound",
            "the move L breaks a constraint",
        ),
        (
            {"constraints": ()},
            "random states can be reached",
            "the sum of the orientations of the lamp; OrientationSum(orbit='lamp') does",
        ),
        (
            turned(
                L=(bytes([1, 2, 0, 3, 4, 5, 6, 7, 8]), bytes(9)),
                R=(bytes([0, 1, 2, 4, 5, 3, 6, 7, 8]), bytes(9)),
            ),
            "random states can be reached",
            "of the beads, those at A B C never come to the other places",
        ),
        (
            turned(
                L=(bytes([1, 2, 3, 4, 0, 5, 6, 7, 8]), bytes(9)),
                R=(bytes([0, 1, 2, 3, 5, 6, 4, 7, 8]), bytes(9)),
            ),
            "random states can be reached",
            "the parity of the beads; EvenParity(orbits=('beads',)) does",
        ),
        (
            {"metrics": (Metric("TURNS", "", {"L": 1, "R": 0}),)},
            "metrics count every move",
            "only rotations of the whole puzzle may be free",
        ),
        (
            {"reflections": ({"L": ("L", 1), "R": ("L", 1)},)},
            "rotations and reflections fit the moves",
            "a reflection has to permute its moves",
        ),
        (
            {"aliases": {"A": ("L", 4)}},
            "notation reads what it writes",
            "the alias A is read as no moves",
        ),
        (
            {"layout": attrs.evolve(LAYOUT, places={**LAYOUT.places, "lamp": ((7, 0),)})},
            "every sticker is in one place",
            "the facelet A1 (0) is in 2 places",
        ),
        (
            {"layout": attrs.evolve(LAYOUT, net=((1, 0, 1), (2, 3, 4), (5, 6, 7)))},
            "the net shows every sticker once",
            "the net shows the facelet B1 (1) 2 times",
        ),
        (
            {"layout": attrs.evolve(LAYOUT, schemes={"digits": "113456789"})},
            "colour schemes have a letter for each face",
            "the same letter",
        ),
    ],
)
def test_mistakes_in_a_puzzle(changes: dict[str, Any], title: str, words: str) -> None:
    found = failures(entry(**changes))
    assert words in found[title]
    assert title == next(iter(found))


def test_goals_at_which_the_puzzle_is_not_solved() -> None:
    def some(rings: Puzzle) -> list[Method]:
        return solving(Permutation("order", rings, "beads", "A B C"))

    told = failures(entry(some))["scrambles are solved"]
    assert "its goal holds after R from the solved state, but the beads at D E F G" in told


def test_mistakes_in_goals_and_rankings() -> None:
    unknown = Goal("odd", "", (Solved("nowhere"),))
    told = failures(entry()._replace(goals=lambda _: [unknown]))["named goals can be tested"]
    assert "the goal odd cannot be tested" in told
    deaf = Hands(name="deaf", title="", grips={"one": ("home",)}, ways=(Way("L", "one", 1),))
    told = failures(entry()._replace(rankings=lambda _: [deaf]))["rankings count every move"]
    assert "no way to do" in told


# --- coordinates --------------------------------------------------------------------------------


class Halved(Permutation):
    def rank(self, vector: Any) -> Any:
        return super().rank(vector) // 2


class Apart(Permutation):
    """Ranks one state otherwise than many."""

    def unrank(self, index: Any) -> dict[int, Any]:
        return super().unrank(0 if isinstance(index, int) else index)


class Sneaky(Permutation):
    """Looks at the lamp."""

    def rank(self, vector: Any) -> Any:
        value = super().rank(vector)
        return value if isinstance(vector, Mapping) else value * (1 - vector[8])


class Misled(Permutation):
    """Tells the engine to rank otherwise."""

    def rank(self, vector: Any) -> Any:
        return super().rank(vector)

    @property
    def program(self) -> tuple[int, ...] | None:
        return Permutation("other", self.puzzle, "beads", "B A C D E F G").program


class Claiming(Permutation):
    """Is not closed, but says so."""

    def closed_under(self, moves: Any) -> bool:
        return True

    @property
    def reads(self) -> tuple[int, ...]:
        return (0, 1, 2)

    @property
    def size(self) -> int:
        return 2

    @property
    def engine_program(self) -> None:
        return None

    def rank(self, vector: Any) -> Any:
        return ((vector[0] == 0) + (vector[1] == 0) + (vector[2] == 0) > 0) + 0

    def unrank(self, index: Any) -> dict[int, Any]:
        return {0: 1 - index, 1: 2 + index * 0, 2: 3 + index * 0}


class Homeless(Permutation):
    goals = (7,)


@pytest.mark.parametrize(
    ("kind", "title", "words"),
    [
        (Halved, "coordinates rank and unrank", "unrank(1) gives a state of rank 0"),
        (Apart, "coordinates rank and unrank", "alone than in an array"),
        (
            Sneaky,
            "coordinates read only what they declare",
            "depends on the turn at Z (lamp), which its `reads` does not name",
        ),
        (Misled, "the engine ranks as the coordinates do", "differently"),
        (Claiming, "coordinates are closed as declared", "claims to be closed under"),
        (Homeless, "goals hold the solved state", "at none of its goals"),
    ],
)
def test_mistakes_in_a_coordinate(kind: type[Permutation], title: str, words: str) -> None:
    found = failures(entry(lambda rings: solving(kind("order", rings, "beads"))))
    assert words in found[title]
    assert title == next(iter(found))


def test_checks_that_rely_on_one_that_failed_are_not_run() -> None:
    results = list(run_checks(entry(lambda p: solving(Halved("order", p, "beads"))), "quick"))
    skipped = {each.check.title: each.reason for each in results if each.outcome == "skipped"}
    reason = "it relies on another check that failed: coordinates rank and unrank"
    assert skipped["pruning tables are exact"] == skipped["scrambles are solved"] == reason


# --- phases and methods -------------------------------------------------------------------------


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


def test_a_method_that_solves_a_part_is_refused() -> None:
    def some(rings: Puzzle) -> list[Method]:
        return solving(Permutation("order", rings, "beads", "A B C"))

    told = failures(entry(some))
    assert "method optimal of conforming does not solve the puzzle" in told["scrambles are solved"]


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


# --- plugins ------------------------------------------------------------------------------------


def module_of(name: str, **contents: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(puzzlekit_api=2, **contents)
    return module


def offering(hook: str, what: Any) -> ModuleType:
    """A plugin that offers one thing by a hook."""

    def yielding() -> Any:
        yield what

    yielding.__name__ = hook
    return module_of("offering", **{hook: hookimpl(yielding)})


@attrs.frozen
class Greedy(Heuristic):
    name = "greedy"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        return sum(distances)


@attrs.frozen
class Torn(Heuristic):
    name = "torn"

    def join(self, distances: Sequence[Any]) -> Any:
        largest = Max().join(distances)
        return largest if isinstance(largest, int) else largest + 1


@pytest.mark.parametrize(
    ("kind", "words"),
    [(Greedy, "it may overestimate"), (Torn, "as integers, but to")],
)
def test_mistakes_in_a_heuristic(kind: type[Heuristic], words: str) -> None:
    title, told = the_failure(offering("puzzlekit_heuristics", kind))
    assert title == "its heuristics give valid estimates" and words in told


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event("x", "x", "cube2", 4, Pattern(())), "a pattern needs rounds, parts, and texts"),
        (Event("x", "x", "cube2", 4, Pattern((("R", "Q"),))), "'Q': not a move"),
        (Event("x", "x", "cube2", 4, Pattern((("R",),)), judge="no"), "cube2 has no method 'no'"),
        (Event("e", "e", "no such", 1, AtMost()), "there is no puzzle 'no such'"),
        (Event("e", "e", "cube2", 1, Exactly(9, "slow")), "cube2 has no method 'slow'"),
        (Event("e", "e", "cube2", 1, AtMost(), "R Q"), "Q"),
        (Event("e", "e", "cube2", 1, AtMost(), "", ("", "Q")), "Q"),
        (Event("e", "e", "cube3", 1, Exactly(9, "two-phase")), "several phases"),
        (
            Event("e", "e", "cube2", 1, Exactly(9, "optimal", "U")),
            "U, named in apart",
        ),
    ],
)
def test_mistakes_in_an_event(event: Event, words: str) -> None:
    title, told = the_failure(offering("puzzlekit_events", event))
    assert title == "its events have scrambles" and words in told


def test_a_plugin_that_cannot_be_loaded() -> None:
    title, words = the_failure(module_of("nothing"))
    assert title == "it can be loaded" and "it offers nothing" in words
    odd = ModuleType("odd")
    assert "puzzlekit_api = None" in the_failure(odd)[1]
    named = entry()._replace(name="another")
    assert "makes a puzzle named 'conforming'" in failures(named)["it can be loaded"]
    title, words = the_failure(PuzzleEntry("broken", "", lambda: 1 / 0, methods))  # type: ignore[arg-type, return-value]
    assert title == "it can be loaded" and "ZeroDivisionError" in words


SOURCE = """
from puzzlekit import Metric, Orbit, Permutation, Phase, Method, Puzzle, PuzzleEntry
from puzzlekit import hookimpl
{first}
puzzlekit_api = 2

def puzzle():
    turns = {{"t": (bytes([1, 0]), bytes(2))}}
    return Puzzle("ring", "", (Orbit("b", "bead", "A B"),), turns, (Metric("S", "", {{"t": 1}}),))

def methods(made):
    order = Permutation("order", made, "b")
    return [Method("optimal", "", (Phase("solve", "", "t", (order,), ("order",)),))]

@hookimpl
def puzzlekit_puzzles():
    yield PuzzleEntry("ring", "", puzzle, methods)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "title", "words"),
    [
        ("", "", ""),
        (
            "open(__file__ + '.made', 'w').close()",
            "importing it does no work",
            "importing ring_plugin does this: open",
        ),
        ("print('hello')", "importing it does no work", "does this: print hello"),
        ("import numpy", "importing it does no work", "imports numpy, which slows down"),
        (
            "from puzzlekit.tables.store import trim",
            "it imports public names only",
            "puzzlekit.tables.store.trim is not public",
        ),
    ],
)
def test_what_importing_a_plugin_does(
    first: str, title: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ring_plugin.py").write_text(SOURCE.format(first=first))
    monkeypatch.delitem(sys.modules, "ring_plugin", raising=False)
    found = failures(importlib.import_module("ring_plugin"))
    assert list(found) == [title] * bool(title)
    assert words in found.get(title, "")


def test_private_imports_are_found(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        "import puzzlekit, puzzlekit.engine\nfrom puzzlekit import Move, hooks\n"
        "from puzzlekit_authoring import Check, engines\nfrom puzzlekit_cubes import geometry\n"
        "from puzzlekit import lazy\nfrom . import other\n"
    )
    assert [(line, name) for line, name in private_imports(path)] == [
        (1, "puzzlekit.engine"),
        (2, "puzzlekit.hooks"),
        (3, "puzzlekit_authoring.engines"),
        (4, "puzzlekit_cubes.geometry"),
    ]


# --- running them -------------------------------------------------------------------------------


def test_checks_are_found_by_puzzle_plugin_entry_and_module() -> None:
    import puzzlekit_cube2

    by_name = [str(check) for check in checks_of("cube2")]
    assert [str(check) for check in checks_of(puzzlekit_cube2)] == by_name
    assert len(set(by_name)) == len(by_name) > 40
    assert all(check.about for check in checks_of("cube2"))
    assert {check.name for check in checks_of("tiles-2x3", only="notation")} == {"tiles-2x3"}
    assert {check.name for check in checks_of("fifteen", only="notation")} == {
        "eight",
        "eight-blank-first",
        "fifteen",
        "fifteen-blank-first",
        "tiles-3x4",
        "tiles-3x4-blank-first",
    }
    with pytest.raises(UsageError, match=r"the plugins are .*\bcube2, cube3\b"):
        checks_of("nothing")
    with pytest.raises(UsageError, match="no check of cube2 is called 'nothing'"):
        checks_of("cube2", only="nothing")
    with pytest.raises(UsageError, match="there is no effort 'some'"):
        checks_of("cube2", "some")


def test_a_failed_check_is_an_assertion() -> None:
    (check,) = checks_of(entry(metrics=()), only="metrics count")
    with pytest.raises(CheckFailed, match="it has no metric") as caught:
        check()
    assert isinstance(caught.value, AssertionError)


def test_the_command() -> None:
    done = CliRunner().invoke(main, ["check-plugin", "cube2", "--quick", "--only", "cube2:"])
    assert done.exit_code == 0
    assert re.search("^cube2 +notation reads what it writes +ok ", done.output, re.MULTILINE)
    assert done.output.endswith("23 checks: 22 ok, 1 skipped\n")
    done = CliRunner().invoke(main, ["check-plugin", "cube2", "--only", "heuristics", "--json"])
    (line,) = map(json.loads, done.output.splitlines())
    assert line["schema"] == "puzzlekit.check-plugin/1" and line["outcome"] == "skipped"
    assert line["name"] == "plugin cube2" and line["reason"] == "it offers no heuristics"
    assert CliRunner().invoke(main, ["check-plugin", "nothing"]).exit_code == 2


def test_the_command_fails_where_a_check_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from puzzlekit.plugins import manager as manager_module

    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ring_private.py").write_text(SOURCE.format(first="import puzzlekit.engine"))
    info = tmp_path / "ring_private-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[puzzlekit]\nring = ring_private\n")
    manager = manager_module.PluginManager()
    monkeypatch.setattr(manager_module, "manager", lambda: manager)
    monkeypatch.setattr("puzzlekit_authoring.checks.manager", lambda: manager)
    monkeypatch.setattr("puzzlekit_authoring.checks.load", manager_module.load.__wrapped__)
    done = CliRunner().invoke(main, ["check-plugin", "ring", "--quick"])
    assert done.exit_code == 1
    assert "puzzlekit.engine is not public" in done.output
    assert "1 failed" in done.output.splitlines()[-1]
