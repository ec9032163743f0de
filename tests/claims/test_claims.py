"""Every claim about random small puzzles, against a list of all their states.

`pytest -m thorough tests/claims` asks about two hundred puzzles, `pytest -m long tests/claims`
about ten thousand. `python tests/claims/test_claims.py SEED COUNT` goes on after a false claim and
prints each of them.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from drawn import definition_text, draw_toy
from product import Asked

from puzzlekit import TableStore

SEED = int(os.environ.get("PUZZLEKIT_CLAIMS_SEED", "1"))


def ask(number: int, store: TableStore, share: float = 1.0) -> tuple[Counter[str], list[str]]:
    """Ask all questions about a puzzle, or a share of them.

    Return the counts of claims, and the claims that are false.
    """
    toy = draw_toy(Random(f"toy {number}"))
    wrong = []
    asked = Asked(toy, Random(f"questions {number}"), store)
    for question in asked.questions():
        asked.rng = Random(f"{question.__name__} {number}")
        if asked.rng.random() >= share:
            continue
        try:
            question()
        except Exception as error:
            trace = traceback.extract_tb(error.__traceback__)[-1]
            wrong.append(
                f"puzzle {number}: {question.__name__}: {asked.asked}: {type(error).__name__}: "
                f"{error} ({Path(trace.filename).name}:{trace.lineno})"
            )
    wrong[:0] = [f"puzzle {number}: {each}" for each in asked.wrong]
    if wrong:
        shown = definition_text(toy) if not toy.rotations else repr(toy)
        wrong.append(shown)
    return asked.count, wrong


def check(seed: int, count: int, share: float = 1.0) -> None:
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as directory:
        for number in range(seed, seed + count):
            store = TableStore(Path(directory) / str(number % 50))
            found, wrong = ask(number, store, share)
            total += found
            assert not wrong, f"seed {seed}: " + "\n".join(wrong)
    print(f"seed {seed}: {count} puzzles, {sum(total.values()):,} claims: {dict(total)}")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_claims_about_small_puzzles(part: int) -> None:
    check(SEED + 50 * part, 4)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(4))
def test_more_claims_about_small_puzzles(part: int) -> None:
    check(SEED + 50 * part + 4, 46)


@pytest.mark.long
@pytest.mark.parametrize("part", range(40))
def test_many_claims_about_small_puzzles(part: int) -> None:
    check(SEED + 1_000 + 250 * part, 250, share=0.4)


def test_the_reference_shares_no_code() -> None:
    for name in ("reference.py", "drawn.py"):
        text = (Path(__file__).parent / name).read_text()
        assert not re.search(r"^\s*(import|from) puzzlekit", text, re.MULTILINE)


if __name__ == "__main__":
    first, number_of = int(sys.argv[1]), int(sys.argv[2])
    claims: Counter[str] = Counter()
    faulty = 0
    with tempfile.TemporaryDirectory() as kept:
        for each in range(first, first + number_of):
            counted, faults = ask(each, TableStore(Path(kept) / str(each % 50)))
            claims += counted
            faulty += bool(faults)
            for line in faults:
                print(line, flush=True)
    print(f"{number_of} puzzles, {faulty} with faults, {sum(claims.values()):,} claims: {claims}")
