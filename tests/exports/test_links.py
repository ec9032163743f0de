"""Links to Twizzle and alg.cubing.net, and reading them again."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

import puzzlekit
from puzzlekit import UsageError
from puzzlekit.puzzle.position import read_moves

SCRAMBLES = {"cube2": "R U' F2", "cube4": "Rw U2 3Rw' 2R", "pyraminx": "U l' R", "skewb": "R' B"}
SCRAMBLES["fto"] = "BR U' BLw Fv"


@pytest.mark.parametrize(("name", "scramble"), SCRAMBLES.items())
def test_a_link_is_read_again(name: str, scramble: str) -> None:
    solver = puzzlekit.load(name)
    solution = " ".join(move.name for move in solver.puzzle.undo(solver.puzzle.moves(scramble)))
    found = solver.positions.links(scramble, solution)
    assert "twizzle" in found
    for address in found.values():
        assert solver.state(address) == solver.state(scramble)
        assert [move.name for move in read_moves(solver.puzzle, address)] == solution.split()


def test_what_the_sites_are_given() -> None:
    twizzle, other = puzzlekit.load("cube4").positions.links("Rw2 U'", "U").values()
    parts = urlsplit(twizzle)
    assert (parts.netloc, parts.path) == ("alpha.twizzle.net", "/edit/")
    fields = {"puzzle": ["4x4x4"], "setup-alg": ["Rw2 U'"], "alg": ["U"]}
    assert parse_qs(parts.query) == fields
    assert other == "https://alg.cubing.net/?puzzle=4x4x4&setup=Rw2_U-&alg=U"


def test_sites_that_do_not_know_a_puzzle_are_left_out() -> None:
    assert list(puzzlekit.load("pyraminx").positions.links("R")) == ["twizzle"]
    with pytest.raises(UsageError, match="fifteen is not known to twizzle"):
        puzzlekit.load("fifteen").positions.links("R")
