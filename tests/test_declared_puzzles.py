"""What a puzzle declares is checked at once, and a message names what is wrong and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from puzzlekit import (
    DeclarationError,
    EvenParity,
    FaceletLayout,
    Method,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    PuzzlekitError,
    Solver,
    UsageError,
)

TILES = Orbit("tiles", "tile", "A B C", orientations=2)
DOTS = Orbit("dots", "dot", "d e")
STILL = bytes([0, 1, 2, 3, 4, 5, 6, 7])
CYCLE = bytes([1, 2, 0, 4, 5, 3, 6, 7])
SWAP = bytes([1, 0, 2, 4, 3, 5, 6, 7])
METRIC = Metric("TURNS", "turns", {"t": 1})
DOTTED = FaceletLayout("de", (0, 1), {"dots": ((0,), (1,))}, ((0, 1),), {}, ("red", "blue"))


def puzzle(**changes: Any) -> Puzzle:
    declared: dict[str, Any] = {
        "name": "small",
        "title": "Three tiles",
        "orbits": (TILES, DOTS),
        "turns": {"t": (CYCLE, bytes(8))},
        "metrics": (METRIC,),
    }
    return Puzzle(**{**declared, **changes})


def test_lists_are_as_good_as_tuples_and_bytes() -> None:
    turns = {"t": [list(CYCLE), [0] * 8]}
    listed = puzzle(orbits=[TILES, DOTS], metrics=[METRIC], turns=turns, constraints=[])
    assert listed.turns == {"t": (CYCLE, bytes(8))}
    assert listed.orbits == (TILES, DOTS) and listed.metrics == (METRIC,)
    assert [move.name for move in listed.family_moves("t")] == ["t", "t'"]
    assert listed.apply(listed.solved, listed.moves("t3")) == listed.solved


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metrics": METRIC}, r"small: metrics have to be a tuple, not Metric\('TURNS'\)"),
        ({"orbits": TILES}, "small: orbits have to be a tuple"),
        ({"rotations": "t"}, "small: rotations have to be a tuple, not 't'"),
        ({"rotations": ("x",)}, "the rotation x is not among the turns"),
        (
            {"rotations": ("t",), "orbits": (attrs.evolve(TILES, solved=(0, 1, 1)), DOTS)},
            "the rotation t brings pieces that are alike to homes of pieces that differ",
        ),
        (
            {
                "rotations": ("t",),
                "orbits": (attrs.evolve(TILES, solved=(0, 0, 0)), DOTS),
                "turns": {"t": (CYCLE, bytes([0, 0, 0, 1, 0, 0, 0, 0]))},
            },
            "the rotation t brings .* or turns them differently",
        ),
        ({"metrics": (Metric("M", "", {}),)}, "small: the metric M has no cost for t"),
        (
            {"metrics": (Metric("M", "", {"t": 1.5}),)},  # type: ignore[dict-item]
            "small: the metric M has no whole number as the cost for t",
        ),
        ({"constraints": EvenParity(("tiles",))}, r"small: \('tiles',\) is not a constraint"),
        ({"layout": DOTTED}, "small: the layout has stickers for 0 places of the tiles, of which"),
        ({"turns": {"t": CYCLE}}, r"the turn t has to be a pair \(gather, add\)"),
        ({"turns": {"t": ([0, 1, 300], [0])}}, "the turn t has to be a pair"),
        ({"turns": {"t": (CYCLE, bytes(7))}}, "t has 8 sources and 7 changes, but a state has 8"),
        (
            {"turns": {"t": (bytes([0, 0, 2, 3, 4, 5, 6, 7]), bytes(8))}},
            "t does not permute the tiles, which are bytes 0 to 2",
        ),
        (
            {"turns": {"t": (bytes([0, 1, 2, 3, 4, 5, 7, 5]), bytes(8))}},
            "t does not permute the dots, which are bytes 6 to 7",
        ),
        (
            {"turns": {"t": (CYCLE, bytes([0, 1, 0, 0, 0, 0, 0, 0]))}},
            "t adds 1 to byte 1, the label at B of tiles: only orientations can be added to",
        ),
        (
            {"turns": {"t": (bytes([1, 2, 0, 3, 4, 5, 6, 7]), bytes(8))}},
            "t carries orientations of tiles apart from their pieces",
        ),
        (
            {"turns": {"t": (CYCLE, bytes([0, 0, 0, 2, 0, 0, 0, 0]))}},
            "t adds more than 1 to an orientation",
        ),
        (
            {
                "turns": {"t": (CYCLE, bytes(8)), "u": (SWAP, bytes(8))},
                "metrics": (Metric("TURNS", "turns", {"t": 1, "u": 1}),),
                "grouped": ("t", "u"),
            },
            "the families t and u do not commute, so they cannot be grouped",
        ),
        ({"reflections": ({"s": ("t", 1)},)}, "reflection 1 needs an image .* no other: t s"),
    ],
)
def test_faults_are_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        puzzle(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": ["t"]}, "moves are named in one string, such as 'U R2', not ['t']"),
        ({"goal_moves": ("t",)}, "moves are named in one string, such as 'U R2', not ('t',)"),
        ({"coordinates": ("order",)}, "'order' cannot be one of the coordinates"),
        ({"tables": (("order",),)}, "('order',) cannot be one of the tables"),
    ],
)
def test_parts_of_a_phase_of_a_wrong_kind_are_named(changes: dict[str, Any], words: str) -> None:
    declared: dict[str, Any] = {
        "name": "solve",
        "goal": "",
        "moves": "t",
        "coordinates": (),
        "tables": (),
    }
    with pytest.raises(DeclarationError, match=re.escape(f"phase solve: {words}")):
        Phase(**{**declared, **changes})


def test_a_single_phase_in_place_of_phases_is_told() -> None:
    phase = Phase("solve", "", "t", (), ())
    with pytest.raises(DeclarationError, match="method m: phases have to be a tuple"):
        Method("m", "", phase)  # type: ignore[arg-type]


@pytest.mark.parametrize("orientations", [0, 129, 255, 1000, "2", 1.5, None])
def test_orientations_that_do_not_fit_are_told(orientations: Any) -> None:
    with pytest.raises(DeclarationError, match="orbit b: orientations must be from 1 to 128"):
        Orbit("b", "bead", "A B", orientations=orientations)


def test_the_most_orientations_add_up_in_a_byte() -> None:
    dials = Orbit("dials", "dial", "X Y", orientations=128)
    turns = {"A": (bytes([1, 0, 3, 2]), bytes([0, 0, 127, 1]))}
    puzzle = Puzzle("dials", "", (dials,), turns, (Metric("M", "", {"A": 1}),))
    state = bytes([0, 1, 127, 127])
    for after in (puzzle.apply, puzzle.replayed):
        assert after(state, puzzle.moves("A")) == bytes([1, 0, 126, 0])


def test_what_is_not_a_method_is_named() -> None:
    small = puzzle()
    order = Permutation("order", small, "tiles")
    turned = Orientation("turned", small, "tiles", summed=False)
    phase = Phase("solve", "solved", "t", (order, turned), ("order",))
    method = Method("by-order", "by order", (phase,))
    assert Solver(small, [method]).solve("t").cost == 1
    for given, words in (
        (method, r"methods have to be a list; write \[method\]"),
        (["by-order"], "'by-order' is not a Method"),
    ):
        with pytest.raises(DeclarationError, match=words):
            Solver(small, given)  # type: ignore[arg-type]
    changes: dict[str, Any]
    for changes, words in (
        ({"metrics": (METRIC,)}, r"Metric\('TURNS'\) is not the name of a metric"),
        ({"fixed": {"tiles": ["A"]}}, "'fixed' has the places of an orbit in one string"),
        ({"fixed": "tiles"}, "'fixed' has the places of an orbit in one string"),
    ):
        with pytest.raises(DeclarationError, match=words):
            attrs.evolve(method, **changes)
    unmeasured = puzzle(metrics=())
    silent = attrs.evolve(phase, coordinates=(Permutation("order", unmeasured, "tiles"),))
    with pytest.raises(UsageError, match="small declares no metric"):
        Solver(unmeasured, [Method("by-order", "by order", (silent,))]).solve("t")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Orbit("b", "b", "A B", orientations=2.0), "must be whole numbers"),  # type: ignore[arg-type]
        (lambda: Orbit("b", "b", "A B", solved=(0.0, 1)), "must be whole numbers"),  # type: ignore[arg-type]
        (lambda: puzzle().move("Q"), "small has no move 'Q'; its families are t"),
        (lambda: puzzle().metric(1), "the name of a metric is a text, not int"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_kind_is_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(PuzzlekitError, match=words):
        call()
