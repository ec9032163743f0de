"""Pieces by the names of their home places."""

from __future__ import annotations

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["find_place", "named_pieces"]


def find_place(puzzle: Puzzle, name: str) -> tuple[Orbit, int]:
    """Return the orbit and number of a named place; raise UsageError if there is none.

    The letters may be in any order. `orbit/name` selects the orbit.

    >>> import puzzlekit
    >>> orbit, place = find_place(puzzlekit.load("cube3").puzzle, "FUR")
    >>> orbit.name, orbit.places[place]
    ('corners', 'URF')
    """
    within, slash, short = name.rpartition("/")
    found = []
    for orbit in puzzle.orbits:
        if slash and orbit.name != within:
            continue
        try:
            found.append((orbit, orbit.place(short)))
        except DeclarationError:
            continue
    exact = [each for each in found if each[0].places[each[1]] == short]
    if len(found) > 1 and len(exact) == 1:
        found = exact
    if len(found) == 1:
        return found[0]
    if found:
        known = " and ".join(orbit.name for orbit, _ in found)
        raise UsageError(f"{short} is a place of {known}: write {found[0][0].name}/{short}")
    known = "; ".join(
        f"{orbit.name}: {' '.join(orbit.places[:3])} ..."
        if orbit.size > 3
        else f"{orbit.name}: {' '.join(orbit.places)}"
        for orbit in puzzle.orbits
    )
    raise UsageError(f"{puzzle.name} has no piece {name!r} (its pieces are {known})")


def named_pieces(puzzle: Puzzle, text: str) -> list[tuple[Orbit, int]]:
    """Return the pieces in a text. The name of an orbit means all its pieces.

    Spaces or commas separate the names.
    """
    found: list[tuple[Orbit, int]] = []
    orbits = {orbit.name: orbit for orbit in puzzle.orbits}
    for name in text.replace(",", " ").split():
        if name in orbits:
            found += [(orbits[name], place) for place in range(orbits[name].size)]
        else:
            found.append(find_place(puzzle, name))
    return list(dict.fromkeys(found))
