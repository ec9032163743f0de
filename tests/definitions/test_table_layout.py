"""Tables are multiplied while they fit, the smallest products first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from math import prod
from random import Random

import pytest

import puzzlekit
from puzzlekit.puzzle.groups import moved_parts
from puzzlekit_definitions import table_layout
from puzzlekit_definitions.grouping import some_pieces
from puzzlekit_definitions.table_layout import Table, _columns, _multiplied, entries_of


def drafts_of(count: int, rng: Random) -> list[Table]:
    """Tables of one or two groups of pieces of a 3x3x3; some groups are in several tables."""
    puzzle = puzzlekit.load("cube3").puzzle
    parts = [each for each in moved_parts(puzzle, puzzle.family_moves("URFDLB")) if not each.still]
    groups = [
        some_pieces(puzzlekit.Permutation, puzzle, part, homes)
        for part in parts
        for size in (1, 2)
        for homes in combinations(part.homes, size)
    ]
    return [tuple(rng.sample(groups, rng.choice((1, 1, 2)))) for _ in range(count)]


def multiplied(drafts: Sequence[Table], entries: int, most: int) -> list[Table]:
    """The rule: of all pairs that fit, the first one of the fewest entries becomes a table."""
    tables = list(drafts)
    while True:
        pairs = [tuple(dict.fromkeys(one + other)) for one, other in combinations(tables, 2)]
        pairs = [each for each in pairs if entries_of(each) <= entries and _columns(each, most)]
        if not pairs:
            return tables
        least = min(pairs, key=lambda pair: prod(each.size for each in pair))
        tables = [each for each in tables if not set(each) <= set(least)]
        tables.append(least)


def test_the_smallest_products_that_fit_come_first() -> None:
    rng = Random(1)
    shorter = 0
    for entries, most in product((100, 5_000, 300_000, 10**8), (100, 20_000, 10**6)):
        drafts = drafts_of(rng.randint(1, 9), rng)
        found = _multiplied(drafts, entries, most)
        assert found == multiplied(drafts, entries, most)
        shorter += len(found) < len(drafts)
    assert shorter > 3


def test_each_pair_of_tables_is_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 400 drafts of a 20x20x20 took 30 s when all pairs were made again for each product."""
    counted = []

    def count(table: Table) -> int:
        counted.append(table)
        return entries_of(table)

    monkeypatch.setattr(table_layout, "entries_of", count)
    drafts = drafts_of(60, Random(2))
    found = _multiplied(drafts, 300_000, 10**6)
    assert len(found) < len(drafts) - 10
    assert len(counted) < len(drafts) ** 2 * 3
