"""Hands: metrics for people, and answers sorted by them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

import puzzlekit
import puzzlekit_lab
from puzzlekit import DeclarationError, UsageError
from puzzlekit.cli import main
from puzzlekit_robots import Hands, Way, parse_hands, read_hands

CUBE = puzzlekit.load("cube2")
ERGONOMIC = CUBE.catalogue.rankings["ergonomic"]
FILE = """
regrip = 4
[hands]
right = ["home", "up"]
[[way]]
moves = "R"
hand = "right"
cost = 2
grips = "home"
then = "up"
[[way]]
moves = "U U'"
hand = "right"
finger = "index"
cost = 3
"""


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == code, result.output
    return result


def run_json(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]


def cheapest(hands: Hands, names: list[str]) -> int:
    """The cost of every choice of first grips and ways, and the least of them."""
    found = []
    own = [[way for way in hands.ways if name in way.moves.split()] for name in names]
    for first in product(*hands.grips.values()):
        for ways in product(*own):
            for entered in product(*[way.grips.split() or [""] for way in ways]):
                grips, last, cost = dict(zip(hands.grips, first, strict=True)), ("", ""), 0
                for way, grip in zip(ways, entered, strict=True):
                    if grip and grips[way.hand] != grip:
                        cost += hands.regrip
                        grips[way.hand] = grip
                    cost += way.cost + hands.again * bool(
                        way.finger and (way.hand, way.finger) == last
                    )
                    grips[way.hand] = way.then or grips[way.hand]
                    last = (way.hand, way.finger) if way.finger else ("", "")
                found.append(cost)
    return min(found)


def test_the_cost_is_that_of_the_cheapest_way() -> None:
    moves = CUBE.puzzle.family_moves("RUFDL")
    rng = Random(5)
    for length in (1, 2, 3, 3, 4, 4):
        chosen = rng.choices(moves, k=length)
        assert isinstance(ERGONOMIC, Hands)
        steps = ERGONOMIC.steps(chosen)
        total = cheapest(ERGONOMIC, [move.name for move in chosen])
        assert ERGONOMIC.total(chosen) == sum(step.cost for step in steps) == total
        assert tuple(step.moves[0] for step in steps) == tuple(chosen)


@pytest.mark.parametrize(
    ("moves", "costs"),
    [
        ("R U R' U'", [2, 2, 2, 2]),
        ("R R", [2, 2]),  # from "down" to "up"
        ("U U", [2, 3]),  # the same finger
        ("R R R", [2, 2, 5]),  # a new grip
        ("", []),
    ],
)
def test_grips_and_fingers_have_costs(moves: str, costs: list[int]) -> None:
    steps = ERGONOMIC.steps(CUBE.puzzle.moves(moves))
    assert sorted(step.cost for step in steps) == sorted(costs)


@pytest.mark.parametrize("name", ["cube2", "cube3"])
def test_the_bundled_hands_do_all_moves(name: str) -> None:
    solver = puzzlekit.load(name)
    hands = solver.catalogue.ranking("ERGONOMIC")
    for move in solver.puzzle.family_moves(solver.puzzle.families):
        assert hands.cost(move) >= 2


def test_a_file_describes_hands(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    hands = read_hands(path)
    moves = CUBE.puzzle.moves
    assert (hands.name, hands.regrip, hands.again) == ("mine", 4, 0)
    assert [hands.total(moves(text)) for text in ("R U", "R R", "R U' R")] == [5, 8, 11]
    with pytest.raises(UsageError, match="no way to do R2"):
        hands.total(moves("R2"))
    lines = run("find", "-p", "cube2", "--moves", "R1,U1", "--max-length", "2", "--sort", str(path))
    shown = [line.split("  ")[:2] for line in lines.output.splitlines()]
    assert shown[:2] == [["R", "// 1 HTM, 2 mine"], ["U", "// 1 HTM, 3 mine"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lists the grips"),
        (FILE.replace("regrip", "grip", 1), "unknown key 'grip'"),
        (FILE.replace('"right"\ncost = 2', '"left"\ncost = 2'), "there is no hand 'left'"),
        (FILE.replace('then = "up"', 'then = "down"'), "right has no grip 'down'"),
        (FILE.replace("cost = 3", "cost = 0"), "cost of U U' must be from 1"),
        (FILE.replace("cost = 3", 'cost = "x"'), 'way 2: "cost" must be a whole number'),
        (FILE.replace('moves = "R"', ""), 'way 1: "moves" has to be a string'),
        (FILE.replace('["home", "up"]', '"home"'), "is a list of grips"),
        ("way = [1]\n[hands]\nright = ['home']", "begin each way"),
    ],
)
def test_mistakes_in_files_are_named(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("[", r"\[")):
        parse_hands(text)


def test_hands_need_ways_and_fair_costs() -> None:
    way = Way("R", "right", 1)
    for wrong in ({"ways": ()}, {"regrip": -1}):
        with pytest.raises(DeclarationError):
            Hands(**{"name": "h", "title": "", "grips": {"right": ("a",)}, "ways": (way,)} | wrong)


def test_solutions_and_sequences_are_sorted() -> None:
    asked = ("solve", "-p", "cube2", "R U R'", "--all", "--max-length", "6")
    usual, ranked = run_json(*asked), run_json(*asked, "-o", "sort=ergonomic")
    assert {each["solution"] for each in usual} == {each["solution"] for each in ranked}
    costs = [each["rank"]["cost"] for each in ranked]
    assert costs == sorted(costs) and ranked[0]["rank"]["metric"] == "ergonomic"
    assert costs == [ERGONOMIC.total(CUBE.puzzle.moves(each["solution"])) for each in ranked]
    best = run_json(*asked, "-o", "sort=QTM", "-o", "limit=2")
    least = sorted(each["lengths"]["QTM"] for each in usual)[:2]
    assert [each["rank"]["cost"] for each in best] == least
    assert "rank" not in usual[0]
    same = run(*asked, "-o", "sort=length").output
    assert sorted(same.splitlines()) == sorted(run(*asked).output.splitlines())


def test_a_limit_sorts_what_was_found() -> None:
    asked = ("find", "-p", "cube2", "--keep", "DBL", "--max-length", "6", "--sort", "ergonomic")
    cut = run(*asked, "--max-nodes", "3000", "--limit", "20", code=1)
    costs = [int(line.split(", ")[1].split()[0]) for line in cut.stdout.splitlines()]
    assert costs == sorted(costs) and len(costs) == 20


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("solve", "-p", "cube2", "R", "-o", "sort=HTM"), "--option sort needs --all"),
        (("solve", "-p", "cube2", "R", "--all", "-o", "sort=x"), "cannot be sorted by 'x'"),
        (
            ("solve", "-p", "cube2", "R", "--all", "-o", "count", "-o", "sort=HTM"),
            "cannot be combined",
        ),
        (("find", "-p", "cube2", "--max-length", "2", "--count", "--sort", "HTM"), "combined"),
        (("find", "-p", "cube2", "--max-length", "2", "--sort", "no.toml"), "No such file"),
    ],
)
def test_wrong_options_are_named(asked: tuple[str, ...], message: str) -> None:
    assert message in run(*asked, code=2).output


def test_no_search_counts_in_hands() -> None:
    with pytest.raises(UsageError, match="can only sort answers"):
        CUBE.solve("R", metric=ERGONOMIC)
    with pytest.raises(UsageError, match="depends on the moves before"):
        puzzlekit_lab.find(CUBE, max_length=2, metric=ERGONOMIC)
