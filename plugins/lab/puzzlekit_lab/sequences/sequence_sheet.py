"""Printable sheets of sequences, with a picture of the state that each solves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit import Puzzle
from puzzlekit.puzzle.stickers import appearance
from puzzlekit.puzzle.svg import Stickers, draw_svg, drawn, pictures
from puzzlekit_events.sheet import printed_page, row
from puzzlekit_lab.sequences.find import Found


def sheet(puzzle: Puzzle, sequences: Sequence[Found]) -> str:
    """Return the sheet as HTML for A4 paper. A puzzle without stickers has no pictures.

    All pictures are of one kind. It is the last one in the list of `pictures` that shows every
    piece that a sequence changes.
    """
    before = [_before(puzzle, each) for each in sequences]
    changed = [_changed(puzzle, state) for state in before]
    kind = _picture(puzzle, frozenset().union(*changed))
    centers = _centers(puzzle) if kind else frozenset()
    rows = []
    for i, (found, state, shown) in enumerate(zip(sequences, before, changed, strict=True), 1):
        title = f"{puzzle.title}: the state that sequence {i} solves"
        picture = draw_svg(puzzle, state, kind, only=shown | centers, title=title) if kind else ""
        note = f"{found.length} {found.metric}  {found.effect}"
        rows.append(row(str(i), found.moves, picture, note=note))
    note = "Each picture shows the state that the moves solve. Grey pieces stay in place."
    title = f"{puzzle.title}: sequences"
    return printed_page(title, note if kind else "", title, rows)


def _before(puzzle: Puzzle, found: Found) -> bytes:
    """Return the state that a sequence solves."""
    moves = puzzle.moves(" ".join(found.moves))
    return puzzle.apply(puzzle.solved, [puzzle.inverse(move) for move in reversed(moves)])


def _changed(puzzle: Puzzle, state: bytes) -> Stickers:
    """Return the stickers of the pieces that are not as in the solved state.

    A state does not distinguish pieces that are alike. If one of them changed, all of them count.
    """
    found: set[int] = set()
    for orbit in puzzle.orbits if puzzle.layout is not None else ():
        pieces = puzzle.labels(state, orbit)
        turns = puzzle.orientations(state, orbit)
        changed = {
            piece
            for piece, home, turn in zip(pieces, orbit.solved, turns, strict=True)
            if piece != home or turn
        }
        for home, place in zip(orbit.solved, _places(puzzle)[orbit.name], strict=True):
            if home in changed:
                found |= {*place}
    return frozenset(found)


def _centers(puzzle: Puzzle) -> Stickers:
    """Return the stickers of pieces with one sticker. They show which face is which."""
    look = appearance(puzzle)
    alone = {place[0] for each in _places(puzzle).values() for place in each if len(place) == 1}
    return frozenset(alone.union(look.fixed))


def _picture(puzzle: Puzzle, changed: Stickers) -> str:
    """Return the name of the last picture that shows every changed piece, or an empty string."""
    fitting = ""
    for name in pictures(puzzle) if puzzle.layout is not None else ():
        visible = {facelet for facelet, _ in drawn(puzzle, name).stickers}
        shown = (
            visible & {*place}
            for each in _places(puzzle).values()
            for place in each
            if changed & {*place}
        )
        if all(shown):
            fitting = name
    return fitting


def _places(puzzle: Puzzle) -> Mapping[str, Sequence[tuple[int, ...]]]:
    return appearance(puzzle).layout.places
