"""Views: one puzzle seen as another puzzle, such as a reduced 4x4x4 cube as a 3x3x3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from puzzlekit import DeclarationError, Puzzle
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.stickers import appearance

__all__ = ["View"]


class View:
    """A puzzle that some stickers of another puzzle show, such as a 3x3x3 in a reduced 4x4x4.

    `puzzle` is the puzzle that is shown (the 3x3x3). Its facelet i is facelet `picked[i]` of the
    puzzle that shows it (the 4x4x4). Moves with the same name in both puzzles must have the same
    effect on the picked facelets.

    Views may be chained: a reduced 6x6x6 shows a 5x5x5, and this shows a 3x3x3 once it is reduced
    (see `through`). `nearer` is then the view from the 5x5x5 to the 3x3x3; otherwise it is None.
    """

    def __init__(self, puzzle: Puzzle, picked: Sequence[int], nearer: View | None = None) -> None:
        self.puzzle = puzzle
        self.nearer = nearer
        self.picked = tuple(picked)
        if len(self.picked) != len(appearance(puzzle).solved):
            raise DeclarationError(
                f"a view of {puzzle.name} needs {len(appearance(puzzle).solved)} stickers, not "
                f"{len(self.picked)}"
            )

    def through(self, outer: View) -> View:
        """Return the same view from the puzzle that sees the puzzle of this view by `outer`."""
        return View(self.puzzle, [outer.picked[i] for i in self.picked], nearer=self)

    def reader(self, puzzle: Puzzle) -> Callable[[bytes], bytes]:
        """Return a function from states of `puzzle` to states of `self.puzzle`: a faster `see`."""
        sources, tables = self._sources(puzzle), self._tables(puzzle)

        def read(state: bytes) -> bytes:
            try:
                pieces = [
                    table[state[label], state[turn] if turn >= 0 else 0]
                    for table, (label, turn) in zip(tables, sources, strict=True)
                ]
            except KeyError:
                self.see(puzzle, state)  # raises an error with the reason
                raise
            return self._state(pieces)

        return read

    def gathered(self, puzzle: Puzzle) -> list[int] | None:
        """Return for each byte of a state of `self.puzzle` the byte of `puzzle` that it equals.

        The result is None if the pieces have other labels or orientations there.
        """
        if any(piece != seen for table in self._tables(puzzle) for piece, seen in table.items()):
            return None
        found: list[int] = []
        first = 0
        sources = self._sources(puzzle)
        for orbit in self.puzzle.orbits:
            own = sources[first : first + orbit.size]
            found += [label for label, _ in own]
            if orbit.orientations > 1:
                found += [turn for _, turn in own]
            first += orbit.size
        return found

    def _tables(self, puzzle: Puzzle) -> list[dict[tuple[int, int], tuple[int, int]]]:
        """Return for each place the piece that is seen there, for each piece of `puzzle`.

        A piece is a pair: its label and its orientation.
        """
        sources = self._sources(puzzle)
        tables: list[dict[tuple[int, int], tuple[int, int]]] = [{} for _ in sources]
        for state in _every_piece(puzzle):
            letters = facelets(puzzle, state)
            shown = "".join([letters[i] for i in self.picked])
            number = 0
            for look in appearance(self.puzzle).orbits:
                for at in look.at:
                    label, turn = sources[number]
                    piece = state[label], state[turn] if turn >= 0 else 0
                    if at(shown) in look.reading:
                        tables[number][piece] = look.reading[at(shown)]
                    number += 1
        return tables

    def _state(self, pieces: Sequence[tuple[int, int]]) -> bytes:
        """Return the state with these labels and orientations at the places of all orbits."""
        seen = bytearray()
        first = 0
        for orbit in self.puzzle.orbits:
            own = pieces[first : first + orbit.size]
            seen += bytes([label for label, _ in own])
            if orbit.orientations > 1:
                seen += bytes([turn for _, turn in own])
            first += orbit.size
        return bytes(seen)

    def _sources(self, puzzle: Puzzle) -> list[tuple[int, int]]:
        """Return the bytes of the underlying state that determine the piece at each place.

        They are the byte of the label and the byte of the orientation; -1 if there is none.
        """
        assert puzzle.layout is not None and self.puzzle.layout is not None
        byte_at: dict[int, tuple[int, int]] = {}
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            for i, place in enumerate(puzzle.layout.places[orbit.name]):
                turn = start + orbit.size + i if orbit.orientations > 1 else -1
                byte_at.update((sticker, (start + i, turn)) for sticker in place)
        return [
            byte_at[self.picked[place[0]]]
            for orbit in self.puzzle.orbits
            for place in self.puzzle.layout.places[orbit.name]
        ]

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the state of `self.puzzle` that `state`, a state of `puzzle`, shows.

        Raises a DeclarationError if the state shows pieces that `self.puzzle` does not have. This
        happens if an earlier phase is not solved.
        """
        letters = facelets(puzzle, state)
        shown = "".join([letters[i] for i in self.picked])
        pieces: list[tuple[int, int]] = []
        for look in appearance(self.puzzle).orbits:
            try:
                pieces += [look.reading[at(shown)] for at in look.at]
            except KeyError:
                raise DeclarationError(
                    f"{puzzle.name} cannot be seen as {self.puzzle.name}: it shows "
                    f"{look.orbit.piece}s that do not exist in {self.puzzle.name}"
                ) from None
        return self._state(pieces)


def _every_piece(puzzle: Puzzle) -> Iterator[bytes]:
    """Yield states that together show every piece at every place in every orientation."""
    longest = max(orbit.size for orbit in puzzle.orbits)
    for turn in range(max(orbit.orientations for orbit in puzzle.orbits)):
        for shift in range(longest):
            state = bytearray()
            for orbit in puzzle.orbits:
                solved = bytes(orbit.solved)
                state += solved[shift % orbit.size :] + solved[: shift % orbit.size]
                state += bytes([turn % orbit.orientations]) * (orbit.width - orbit.size)
            yield bytes(state)
