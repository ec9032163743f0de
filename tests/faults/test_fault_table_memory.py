"""Memory is estimated and refused before it is taken; large coordinates are done in parts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bundled import kept
from flat_distances import build_distances

from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    Move,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    Solver,
    TableStore,
)
from puzzlekit.cli.progress import Stepping
from puzzlekit.engine import fill
from puzzlekit.errors import TableError
from puzzlekit.puzzle.move import compose
from puzzlekit.tables import memory, move_table
from puzzlekit.tables.product_distances import can_be_followed


def ring(beads: int) -> Puzzle:
    """Beads in a ring, which is turned as a whole, and but for one of them; two change places."""

    def cycle(*places: int) -> tuple[bytes, bytes]:
        gather = list(range(beads))
        for one, other in zip(places, (*places[1:], places[0]), strict=True):
            gather[other] = one
        return bytes(gather), bytes(beads)

    turns = {"L": cycle(*range(beads)), "S": cycle(0, 1), "M": cycle(*range(1, beads))}
    orbit = Orbit("beads", "bead", " ".join(f"b{n}" for n in range(beads)))
    metric = Metric("T", "turns", dict.fromkeys(turns, 1))
    return Puzzle(f"ring{beads}", "a ring", (orbit,), turns, (metric,))


def solver(beads: int, bits: int, root: Path) -> Solver:
    puzzle = ring(beads)
    order = Permutation("order", puzzle, "beads")
    phase = Phase("solve", "home", "L S M", (order,), (kept("order", bits),))
    return Solver(puzzle, [Method("optimal", "", (phase,))], TableStore(str(root)))


def moves_of(puzzle: Puzzle) -> tuple[Move, ...]:
    return puzzle.searched(puzzle.family_moves("LSM"))


@pytest.mark.parametrize("bits", [2, 4])
def test_what_needs_more_than_is_free_is_refused_at_once(
    bits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 50_000_000)
    with pytest.raises(TableError, match=r"order, 39,916,800 entries, takes 1\d\d MB .* 50 MB are"):
        solver(11, bits, tmp_path).prepared()


def test_the_limit_of_the_process_counts() -> None:
    program = (
        "import resource\n"
        "from puzzlekit.tables.memory import available_memory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "print(available_memory())"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"there is no such limit here: {done.stderr}")
    assert 0 < int(done.stdout) < 1 << 30


@pytest.mark.skipif(not fill.COMPILED, reason="it takes minutes")
def test_a_table_over_a_large_coordinate_takes_little_memory(tmp_path: Path) -> None:
    """9! values took 124 MB (340 bytes each, in NumPy's numbers); the table has 181 KB."""
    program = (
        "import resource, sys\n"
        f"sys.path[:0] = {[str(place) for place in Path(__file__).parents[:2]]!r}\n"
        "from pathlib import Path\n"
        "from test_fault_table_memory import solver\n"
        "small, large = solver(6, 4, Path(sys.argv[1])), solver(9, 4, Path(sys.argv[1]))\n"
        "small.prepared()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "large.prepared()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 40_000  # KB, where the platform counts so


@pytest.mark.parametrize("compiled", [True, False])
def test_distances_without_a_move_table_are_those_with_one(
    compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one coordinate alone, and of two of which one or both have none; costs of 1, 2 and 3."""
    puzzle = ring(6)
    moves = moves_of(puzzle)
    whole = Permutation("whole", puzzle, "beads")
    few = Permutation("few", puzzle, "beads", "b0 b3")
    if not compiled:
        monkeypatch.setattr(fill, "COMPILED", False)
    for parts in ([whole], [whole, few], [few, whole]):
        for costs in ([1] * len(moves), [1 + i % 3 for i in range(len(moves))]):
            known = build_distances(TableStore(str(tmp_path)), parts, moves, costs)
            for limit in (200, 0):
                with monkeypatch.context() as patched:
                    patched.setattr(move_table, "MOST_ENTRIES", limit)
                    found = build_distances(TableStore(str(tmp_path)), parts, moves, costs)
                assert np.array_equal(found, known)


def test_the_value_before_a_move_is_led_back_by_it() -> None:
    puzzle = ring(7)
    moves = moves_of(puzzle)
    whole = Permutation("whole", puzzle, "beads")
    assert can_be_followed(whole, moves)
    after = np.arange(0, whole.size, 17)
    table = move_table.build_move_table(whole, moves)
    for column, found in enumerate(move_table.RankedMoves(whole, moves, back=True).values(after)):
        assert (table[found, column] == after).all()
    # The cases of a move with a guard have one name, but need not commute.
    one, other = puzzle.move("L").effect, puzzle.move("S").effect
    effects = one, other, compose(one, other, puzzle.modulus)
    for places in (range(3), [0] * 3):
        cases = [
            Move("C", "C", 1, 0, *each, guard_before=n)
            for each, n in zip(effects, places, strict=True)
        ]
        table = move_table.build_move_table(whole, cases)
        before = move_table.build_move_table(whole, cases, back=True)
        assert (np.arange(whole.size) == np.take_along_axis(table, before.astype(int), 0).T).all()


def test_a_coordinate_whose_ranks_lead_out_of_it_is_told() -> None:
    class Odd(Permutation):
        def rank(self, vector: Any) -> Any:
            return super().rank(vector) + 1

    puzzle = ring(5)
    odd = move_table.RankedMoves(Odd("odd", puzzle, "beads"), moves_of(puzzle), back=True)
    with pytest.raises(
        DeclarationError, match=r"coordinate odd: the move \w leads to a value outside"
    ):
        list(odd.values(np.arange(100, 120)))


def test_pieces_without_places_are_refused_by_name() -> None:
    with pytest.raises(DeclarationError, match=r"coordinate few has more pieces than places \(2\)"):
        Permutation("few", ring(5), "beads", "", "b0 b1")


@pytest.mark.skipif(not fill.COMPILED, reason="it takes minutes")
def test_checks_say_which_table_they_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from puzzlekit.cli import progress
    from puzzlekit_authoring import announced

    monkeypatch.setattr(progress, "_PATIENCE", 0)
    made = solver(7, 4, tmp_path)
    with announced.Announced([made.store], Stepping(1, "checking")):
        made.prepared()
    assert "building order moves of ring7 (" in capsys.readouterr().err
