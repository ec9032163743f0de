"""A puzzle seen as another one: a reduced 4x4x4 as the 3x3x3 that it shows."""

from __future__ import annotations

import random

import attrs
import pytest
from bundled import stickers
from resolving import resolve

import puzzlekit
from puzzlekit import DeclarationError, Phase
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.net import facelets
from puzzlekit_beam.view import View
from puzzlekit_cubes import finish

CUBE4 = puzzlekit.load("cube4")
CUBE3 = puzzlekit.load("cube3")
BIG, SMALL = CUBE4.puzzle, CUBE3.puzzle
VIEW = View(SMALL, finish.seen(BIG, SMALL))
OUTER = [face + amount for face in "URFDLB" for amount in ("", "2", "'")]


def enlarged(text: str) -> str:
    """The stickers of a 4x4x4 that looks like a 3x3x3, its middle rows and columns doubled."""
    rows = (0, 1, 1, 2)
    return "".join(text[9 * face + 3 * r + c] for face in range(6) for r in rows for c in rows)


@pytest.mark.parametrize("seed", range(10))
def test_outer_turns_do_the_same_to_what_is_seen(seed: int) -> None:
    scramble = " ".join(random.Random(seed).choices(OUTER, k=30))
    state = CUBE4.state(scramble)
    assert VIEW.see(BIG, state) == CUBE3.state(scramble)
    small = stickers("cube3")
    assert facelets(BIG, state) == enlarged(small.replay(small.solved, scramble))


@pytest.mark.parametrize("rotation", ["", "x", "y'", "z2", "x y"])
def test_a_solved_cube_is_seen_as_held(rotation: str) -> None:
    assert VIEW.see(BIG, CUBE4.state(rotation)) == CUBE3.state(rotation)


@pytest.mark.parametrize("scramble", ["Rw2 F2 U2 2R2 U2 F2 Rw2", "2R2 U2 2R2 Uw2 2R2 Uw2"])
def test_what_no_3x3x3_can_be_is_seen_all_the_same(scramble: str) -> None:
    """Two dedges exchanged: each piece exists, and phases before see to the parity."""
    state = VIEW.see(BIG, CUBE4.state(scramble))
    (fault,) = diagnose(SMALL, state)
    assert "parity" in fault


def test_pieces_that_do_not_exist_there_are_told() -> None:
    """A view that picks the two stickers of some edge from two pieces."""
    picked = list(VIEW.picked)
    picked[7], picked[19] = 13, 46  # of UF; U and F in two columns
    view = View(SMALL, picked)
    assert view.see(BIG, BIG.solved) == SMALL.solved
    with pytest.raises(DeclarationError, match="cube4 cannot be seen as cube3: it shows edges"):
        view.see(BIG, CUBE4.state("2R"))


@pytest.mark.parametrize("picked", [(), range(53), range(55)])
def test_a_view_picks_every_sticker(picked: range) -> None:
    with pytest.raises(DeclarationError, match=f"needs 54 stickers, not {len(picked)}"):
        View(SMALL, picked)


def seen_as_cube4(moves: str, goal_moves: str = "") -> Phase:
    """A phase of the 4x4x4, for a 3x3x3 to be seen as it."""
    twist = puzzlekit.Orientation("twist", BIG, "corners")
    view = View(BIG, [0] * 96)
    return Phase("odd", "none", moves, (twist,), ("twist",), goal_moves=goal_moves, view=view)


def test_moves_that_only_the_seen_puzzle_has_are_refused() -> None:
    with pytest.raises(DeclarationError, match="phase odd: cube3 has no moves 2R 3Uw"):
        resolve(SMALL, seen_as_cube4("R 3Uw 2R"), SMALL.metric("HTM"))


def test_moves_that_the_seen_puzzle_has_not_are_refused() -> None:
    orient, _ = finish.phases(BIG, large=False)
    for changes in ({"moves": "R Rw 3Rw"}, {"goal_moves": "U 3Rw"}):
        phase = attrs.evolve(orient, **changes)  # type: ignore[arg-type]
        with pytest.raises(DeclarationError, match="phase orient: its moves: column 1: '"):
            resolve(BIG, phase, BIG.metric("OBTM"))


def test_tables_are_those_of_the_seen_puzzle() -> None:
    small = {key.identity: key for key in _keys(SMALL, CUBE3.method().phases, "HTM")}
    big = {key.identity: key for key in _keys(BIG, tuple(finish.phases(BIG, large=False)), "OBTM")}
    assert small == big
    assert {key.puzzle for key in big.values()} == {"cube3"}


def _keys(
    puzzle: puzzlekit.Puzzle, phases: tuple[Phase, ...], metric: str
) -> list[puzzlekit.tables.store.TableSpec]:
    needs = [resolve(puzzle, phase, puzzle.metric(metric)) for phase in phases]
    return [key for each in needs for keys in each.table_keys() for key in keys]
