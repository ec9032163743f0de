"""The public checks: all bundled puzzles pass, and mistakes in a puzzle are told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from conforming import LAYOUT, SOURCE, TURNS, entry, failures, solving

from puzzlekit import EvenParity, Method, Metric, Permutation, Puzzle, UsageError
from puzzlekit.cli import main
from puzzlekit_authoring.checks import Check, CheckFailed
from puzzlekit_authoring.run import checks_of, run_checks
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
        (
            {"move_words": lambda move, state, language: "turn" if language == "en" else ""},
            "words for moves differ",
            "L and L2 have the same words: 'turn'",
        ),
        (
            {"move_words": lambda move, state, language: move.name if move.amount == 1 else ""},
            "words for moves differ",
            "L2 has no words in 'en', but other moves have",
        ),
        (
            {"move_words": lambda move, state, language: f"turn {move.name}"},
            "words for moves differ",
            "it has words in an unknown language",
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
    assert "method optimal of conforming does not solve the puzzle" in told
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
    assert done.output.endswith("24 checks: 22 ok, 2 skipped\n")
    done = CliRunner().invoke(main, ["check-plugin", "cube2", "--only", "heuristics", "--json"])
    (line,) = map(json.loads, done.output.splitlines())
    assert line["schema"] == "puzzlekit.check-plugin/1" and line["outcome"] == "skipped"
    assert line["name"] == "plugin cube2" and line["reason"] == "it offers no heuristics"
    assert CliRunner().invoke(main, ["check-plugin", "nothing"]).exit_code == 2


@pytest.mark.slow
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
