"""Puzzles of one name with the same moves, whose pieces are alike in other ways."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from puzzlekit import Solver, TableStore, universal_method
from puzzlekit.tables.files import scan
from puzzlekit.tables.small import SmallTables
from puzzlekit_definitions import DefinedSolver, parse_definition

SIZE = 6  # of a ring


def globe(rings: int, looks: Sequence[str]) -> DefinedSolver:
    """Rings that turn, and half turns that exchange half of each ring with one below."""
    moves = {}
    for ring in range(rings):
        row = list(range(rings * SIZE))
        for i in range(SIZE):
            row[ring * SIZE + i] = ring * SIZE + (i + 1) % SIZE
        moves["ABCD"[ring]] = row
    for start in range(SIZE):
        row = list(range(rings * SIZE))
        half = [(start + i) % SIZE for i in range(SIZE // 2)]
        for ring in range(rings):
            for here, there in zip(half, reversed(half), strict=True):
                row[ring * SIZE + here] = (rings - 1 - ring) * SIZE + there
        moves["EFGHIJ"[start]] = row
    given = json.dumps({"generators": moves, "central_state": [*looks]})
    return parse_definition(given, "json", name="globe")


def distinct(count: int) -> list[str]:
    return [f"N{i}" for i in range(count)]


LOOKS = {
    "distinct": distinct(4 * SIZE),
    "pairs": [f"N{i // 2}" for i in range(4 * SIZE)],
    "a pair": ["N1", *distinct(4 * SIZE)[1:]],
    "a pair in the middle": [*distinct(2 * SIZE), "N13", *distinct(4 * SIZE)[2 * SIZE + 1 :]],
    "rings": [f"N{i // SIZE}" for i in range(4 * SIZE)],
}


def solved_in(store: TableStore, looks: Sequence[str]) -> list[int | None]:
    """Return the lengths of the first answers to an even state and an odd one."""
    defined = globe(4, looks)
    solver = Solver(defined.puzzle, [universal_method(defined.puzzle)], store)
    lengths = []
    for moves in ("A F C E B H A G", "A F C E B H A G D I B"):
        found = solver.solve(solver.state(moves), max_length=400, timeout=60)
        lengths.append(found.length)
    return lengths


def test_tables_with_one_fingerprint_have_one_content(tmp_path: Path) -> None:
    contents: dict[str, set[int]] = {}
    for name, looks in LOOKS.items():
        store = TableStore(str(tmp_path / name))
        solved_in(store, looks)
        assert {entry.name for entry in store.entries()} >= {"words", "words-blocks", "chain"}
        small = SmallTables(str(tmp_path / name / "v1" / "globe" / "small.tables"))
        for entry, file in (*scan(store.root), *small.listed()):
            assert file is not None
            contents.setdefault(entry.fingerprint, set()).add(file.metadata["crc32"])
    assert [len(each) for each in contents.values()].count(1) == len(contents)


@pytest.mark.parametrize("names", [("pairs", "distinct"), ("distinct", "a pair")])
def test_another_puzzle_of_the_name_changes_nothing(tmp_path: Path, names: list[str]) -> None:
    """Once the first one told whether odd permutations can be solved by 3-cycles."""
    shared, own = TableStore(str(tmp_path / "shared")), TableStore(str(tmp_path / "own"))
    first, second = (LOOKS[name] for name in names)
    solved_in(shared, first)
    assert solved_in(shared, second) == solved_in(own, second)
