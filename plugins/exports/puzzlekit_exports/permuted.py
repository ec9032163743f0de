"""A puzzle as permutations: how each move of a list changes each orbit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from puzzlekit import Move, Orbit, Puzzle, UsageError

__all__ = ["Change", "Numbers", "Permuted"]

#: For each place, the place from which its new piece comes, and what this piece is turned by.
Change = tuple[tuple[int, ...], tuple[int, ...]]

#: For each place, the number of its piece and the orientation of this piece.
Numbers = tuple[tuple[int, ...], tuple[int, ...]]


@attrs.frozen
class Permuted:
    """A puzzle with the families of moves that an exported file has."""

    puzzle: Puzzle
    families: tuple[str, ...]

    @property
    def sets(self) -> tuple[tuple[str, Orbit], ...]:
        """Each orbit with its name in files: capital letters, without blanks and hyphens."""
        orbits = self.puzzle.orbits
        return tuple((each.name.upper().replace("-", "_"), each) for each in orbits)

    def check_free(self, form: str, glued: bool) -> None:
        """Raise a UsageError if a format cannot say when moves are possible.

        If `glued` is true, the format can say which pieces are glued together.
        """
        puzzle = self.puzzle
        only_glued = puzzle.guard is None and not puzzle.forbidden
        if puzzle.restricted and not (glued and only_glued):
            other = "ksolve" if only_glued else "pddl"
            hint = "" if puzzle.forbidden else f": {other} can say when they are"
            raise UsageError(
                f"the format {form} describes moves that are always possible, and those of "
                f"{puzzle.name} are not{hint}"
            )

    def changes(self) -> Iterator[tuple[str, Mapping[str, Change]]]:
        """Yield each family with what it does to each orbit that it changes."""
        for family in self.families:
            yield family, dict(self.of_move(self.puzzle.move(family)))

    def of_move(self, move: Move) -> Iterator[tuple[str, Change]]:
        """Yield the name in files of each orbit that a move changes, with the change."""
        start = 0
        for name, orbit in self.sets:
            size = orbit.size
            source = tuple(j - start for j in move.gather[start : start + size])
            turns = tuple(move.add[start + size : start + orbit.width]) or (0,) * size
            if any(turns) or source != tuple(range(size)):
                yield name, (source, turns)
            start += orbit.width

    def numbers(self, state: bytes) -> Iterator[tuple[str, Numbers]]:
        """Yield each orbit with its pieces in a state. Alike pieces have one number."""
        puzzle = self.puzzle
        for name, orbit in self.sets:
            pieces = tuple(orbit.solved.index(label) for label in puzzle.labels(state, orbit))
            turns = puzzle.orientations(state, orbit) if orbit.orientations > 1 else ()
            yield name, (pieces, tuple(turns) or (0,) * orbit.size)


def rows(numbers: Iterable[int], more: int = 0) -> str:
    """Return numbers with blanks between them; `more` is added to each."""
    return " ".join(str(number + more) for number in numbers)


def arriving_to_leaving(source: Sequence[int], turns: Sequence[int]) -> list[int]:
    """Return the turn of each piece by the place that it leaves, not by that where it arrives."""
    found = [0] * len(source)
    for place, turn in zip(source, turns, strict=True):
        found[place] = turn
    return found
