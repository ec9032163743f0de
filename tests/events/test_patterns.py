"""Events of a fixed form, least lengths, filters, and puzzles with a notation of their own."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

import pytest

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    NotationError,
    Orbit,
    Orientation,
    Phase,
    Puzzle,
    Solver,
)
from puzzlekit.puzzle.notation import Notation
from puzzlekit_events import AtMost, Event, EventScrambler, Exactly, Pattern
from puzzlekit_events.command import print_of_event
from puzzlekit_events.sheet import scramble_sheet

PINS = ("UR", "DR")
HOURS = [f"{n}+" for n in range(7)] + [f"{n}-" for n in range(1, 6)]


def hour(dial: int) -> tuple[bytes, bytes]:
    """One hour on one of two dials, whose hands are the orientations of two pieces."""
    return bytes([0, 1, 2, 3]), bytes([0, 0, dial == 0, dial == 1])


@cache
def dials() -> Puzzle:
    """Return two dials of 12 hours, and a half turn of the whole, which exchanges them."""
    aliases = {
        f"{pin}{hours}": (f"{pin}+", int(hours[:-1]) * (1 if hours[-1] == "+" else -1) % 12)
        for pin in PINS
        for hours in HOURS
    }
    return Puzzle(
        name="dials",
        title="Two dials",
        orbits=(Orbit("dials", "dial", "a b", solved=(0, 0), orientations=12),),
        turns={"UR+": hour(0), "DR+": hour(1), "y2": (bytes([1, 0, 3, 2]), bytes(4))},
        metrics=(Metric("DTM", "dial turns", {"UR+": 1, "DR+": 1, "y2": 0}),),
        rotations=("y2",),
        aliases=aliases,
        preferred=tuple(name for name, (_, amount) in aliases.items() if amount),
    )


def test_preferred_spellings_are_written_and_read_back() -> None:
    puzzle = dials()
    moves = puzzle.moves("UR3+ DR0+ UR+ DR5- UR+7")
    assert [move.name for move in moves] == ["UR3+", "UR1+", "DR5-", "UR5-"]
    assert puzzle.text(moves) == "UR3+ UR1+ DR5- UR5-"
    assert puzzle.moves(puzzle.text(moves)) == moves
    assert puzzle.text(puzzle.undo(moves)) == "UR5+ DR5+ UR1- UR3-"


def test_a_rotation_of_order_two_is_not_the_identity() -> None:
    puzzle = dials()
    state = puzzle.apply(puzzle.solved, puzzle.moves("UR3+ y2 UR1+"))
    assert list(state[2:]) == [1, 3]
    assert puzzle.text(puzzle.moves("y2' y2")) == "y2 y2"
    assert len(puzzle.whole_rotations) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"preferred": ("R--",)}, "preferred spelling 'R--' is not an alias"),
        ({"grouped": ("U",)}, "grouped family 'U' is not a move family with an order"),
    ],
)
def test_a_wrong_declaration_is_named(more: dict[str, tuple[str]], said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        Notation({"R": 4}, **more)


LAYERS = Notation({"U": 12, "D": 12, "/": 2}, grouped=("U", "D"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(1,0)/(3,-3)/", "(1,0)/(3,-3)/"),
        (" ( 1 , 0 ) / ( +3,\u22123 ) ", "(1,0)/(3,-3)"),
        ("U D' / D6 U2 U", "(1,-1)/(2,6)(1,0)"),
        ("((1,2)/)2", "(1,2)/(1,2)/"),
        ("[(1,0)/: (3,0)]", "(1,0)/(3,0)/(-1,0)"),
        ("(0,0) (12,-13)/ /", "(0,-1)/ /"),
        ("", ""),
    ],
)
def test_grouped_families(text: str, written: str) -> None:
    moves = LAYERS.parse(text)
    assert LAYERS.format(moves) == written
    assert LAYERS.format(LAYERS.parse(written)) == written


@pytest.mark.parametrize(
    ("text", "column", "token"), [("/(1,2,3)", 2, "(1,2,3)"), ("(1,0)/(3)", 7, "(3)")]
)
def test_groups_that_cannot_be_read(text: str, column: int, token: str) -> None:
    with pytest.raises(NotationError, match="give the amounts of U, D, as in") as found:
        LAYERS.parse(text)
    assert (found.value.column, found.value.token) == (column, token)


FORM = Pattern(tuple(tuple(f"{pin}{hours}" for hours in HOURS) for pin in PINS), rounds=3)


@cache
def scrambler(least: int = 0, before: str = "", after: tuple[str, ...] = ("",)) -> EventScrambler:
    event = Event("dials", "Dials", "dials", least, FORM, before, after)
    hands = Orientation("hands", dials(), "dials", "a b", summed=False)
    solve = Phase("solve", "the hands are up", "UR+ DR+", (hands,), ("hands",))
    return EventScrambler(event, Solver(dials(), [Method("solve", "", (solve,))]))


def test_a_pattern_draws_each_part_in_rounds() -> None:
    made = scrambler(before="y2", after=("y2", ""))
    used = set()
    for label in map(str, range(60)):
        first, *rounds = made.lines(7, label)
        last = rounds.pop() if len(rounds) > 3 else ""
        assert first == "y2" and last in ("y2", "") and len(rounds) == 3
        for text in rounds:
            upper, lower = text.split()
            assert upper[:2] == "UR" and lower[:2] == "DR"
            used |= {upper[2:], lower[2:]}
        whole = " ".join(filter(None, [first, *rounds, last]))
        assert made.scramble(7, label) == made.puzzle.moves(whole)
    assert used == set(HOURS)
    assert made.choice is None


def test_a_pattern_of_few_moves_is_drawn_again() -> None:
    for label in map(str, range(300)):
        state = scrambler(2).solver.state(" ".join(scrambler(2).lines(1, label)))
        assert 0 not in state[2:]  # both dials must turn


def test_a_sheet_has_a_line_for_each_round() -> None:
    made = scrambler()
    page = scramble_sheet(made.event, made.puzzle, {"1": made.lines(7, "1")}, 7)
    assert page.count("<br>") == 2 and 'class="moves lines"' in page


@cache
def cube2(event: Event) -> EventScrambler:
    return EventScrambler(event, puzzlekit.load("cube2"))


def test_a_least_length_lengthens_near_states(monkeypatch: pytest.MonkeyPatch) -> None:
    made = cube2(Event("short", "", "cube2", 1, AtMost(None, "optimal", shortest=8)))
    near = made.solver.state("R U")
    monkeypatch.setattr(made.solver, "random_state", lambda draws: near)
    moves = made.scramble(1, "1")
    assert len(moves) >= 8
    found = made.puzzle.apply(made.puzzle.solved, moves)
    assert made.solver.solve(made.puzzle.apply(near, ())).cost == made.solver.solve(found).cost == 2
    assert all(one.family != other.family for one, other in pairwise(moves))


def test_a_method_judges_distances() -> None:
    form = Pattern((("R", "R2", "R'"), ("U", "U2", "U'"), ("F", "F2", "F'")), rounds=2)
    made = cube2(Event("judged", "", "cube2", 6, form, judge="optimal"))
    for label in "123456":
        state = made.solver.state(" ".join(made.lines(3, label)))
        assert made.solver.solve(state, method="optimal").cost == 6
    assert not made.is_allowed(made.solver.state("R U F R U"))


def test_a_filter_refuses_states() -> None:
    def twisted(puzzle: Puzzle, state: bytes) -> bool:
        return state[8:] != puzzle.solved[8:]

    made = cube2(Event("filtered", "", "cube2", 1, Exactly(11, "optimal"), allowed=twisted))
    assert not made.is_allowed(made.solver.state("U2 R2 F2 U2"))
    assert made.is_allowed(made.solver.state("R U F"))


def test_lines_are_printed_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    made = scrambler()
    lines = made.lines(7, "1")
    print_of_event(made, lines, json_lines=False)
    assert capsys.readouterr().out == " ".join(lines) + "\n"
    print_of_event(made, lines, json_lines=True)
    record = json.loads(capsys.readouterr().out)
    assert record["scramble"] == " ".join(lines) and record["random_state"] is False
    assert record["moves"] == [move.name for move in made.scramble(7, "1")]
