"""Links to sites that show a puzzle and play moves on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import quote_plus

from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


class Site(NamedTuple):
    """A site that shows moves on a puzzle."""

    #: The address, with fields for `puzzle`, `setup` and `alg`.
    address: str
    #: A pattern that matches the puzzles of the site, by the name in `FaceletLayout.viewer`.
    knows: re.Pattern[str]
    #: A function that writes moves in the form that the address needs.
    write: Callable[[str], str]


def _with_signs(moves: str) -> str:
    return quote_plus(moves.replace(" ", "_").replace("'", "-"))


#: The sites, by name.
SITES: Mapping[str, Site] = {
    "twizzle": Site(
        "https://alpha.twizzle.net/edit/?puzzle={puzzle}&setup-alg={setup}&alg={alg}",
        re.compile(".+"),
        quote_plus,
    ),
    "alg.cubing.net": Site(
        "https://alg.cubing.net/?puzzle={puzzle}&setup={setup}&alg={alg}",
        re.compile(r"(\d+)x\1x\1"),
        _with_signs,
    ),
}


def links(puzzle: Puzzle, setup: Iterable[Move], moves: Iterable[Move] = ()) -> dict[str, str]:
    """Return a mapping from sites to web addresses that play moves after a setup.

    The result has only sites that support the puzzle. The field `viewer` of the puzzle's layout is
    the name of the puzzle on these sites. Raises a UsageError if this field is empty.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> links(cube, cube.moves("R U'"), cube.moves("U R'"))["alg.cubing.net"]
    'https://alg.cubing.net/?puzzle=3x3x3&setup=R_U-&alg=U_R-'
    """
    name = puzzle.layout.viewer if puzzle.layout is not None else ""
    if not name:
        raise UsageError(f"{puzzle.name} is not known to {' or '.join(SITES)}")
    before, after = (" ".join(move.name for move in each) for each in (setup, moves))
    return {
        title: site.address.format(
            puzzle=quote_plus(name), setup=site.write(before), alg=site.write(after)
        )
        for title, site in SITES.items()
        if site.knows.fullmatch(name)
    }
