"""Definitions that are made to take the tables of another puzzle for their own."""

from __future__ import annotations

import zlib
from pathlib import Path

import puzzlekit_definitions
from puzzlekit import Permutation
from puzzlekit.tables.move_table import move_table_key
from puzzlekit.tables.table import TableSpec

SWAPPED = """\
Name beads
Set {} 3 1
Set {} 3 1
Solved
{}
1 2 3
{}
1 2 3
End
Move L
{}
2 3 1
{}
2 1 3
End
Move R
{}
1 3 2
{}
2 3 1
End
"""


def same_checksums() -> tuple[str, str]:
    """Two texts of the same CRC-32 and Adler-32.

    "bcb" and "cac" leave Adler-32 alike; CRC-32 is linear, so that some choice of places where one
    stands for the other does not change it.
    """
    count = 40
    plain = zlib.crc32(b"bcb" * count)
    found: dict[int, tuple[int, int]] = {}  # by the highest bit: a difference, and the places
    for place in range(count):
        difference = plain ^ zlib.crc32(b"bcb" * place + b"cac" + b"bcb" * (count - place - 1))
        places = 1 << place
        while difference and difference.bit_length() in found:
            other, others = found[difference.bit_length()]
            difference, places = difference ^ other, places ^ others
        if not difference:
            break
        found[difference.bit_length()] = difference, places
    return "bcb" * count, "".join("cac" if places >> i & 1 else "bcb" for i in range(count))


def test_texts_with_the_same_checksums_have_other_tables() -> None:
    texts = same_checksums()
    one, other = (text.encode() for text in texts)
    assert one != other
    assert (zlib.crc32(one), zlib.adler32(one)) == (zlib.crc32(other), zlib.adler32(other))
    first, second = (TableSpec("cube3", "twist", text, "u1", (3,), "") for text in texts)
    assert first.filename != second.filename


def test_orbits_that_have_changed_their_names_have_other_tables(tmp_path: Path) -> None:
    keys = []
    for names in ("A", "B"), ("B", "A"):
        path = tmp_path / "beads.def"
        path.write_text(SWAPPED.format(*names * 4))
        puzzle = puzzlekit_definitions.load_definition(path).puzzle
        beads = Permutation("beads", puzzle, "A")
        keys.append(move_table_key(beads, puzzle.moves("L")))
    assert keys[0].filename != keys[1].filename
