"""Guards: the place of one piece decides which moves of a puzzle are possible."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlekit.errors import DeclarationError, NotationError, StateError
from puzzlekit.puzzle.layout import Grid
from puzzlekit.puzzle.move import Effect, Move, compose, invert, no_effect
from puzzlekit.puzzle.orbit import Orbit, state_modulus

__all__ = ["Guard"]


class Guard(NamedTuple):
    """The moves of a puzzle in which the place of one piece determines which moves are possible.

    This piece is called the guarding piece. Example: the blank of a sliding puzzle. Each family of
    moves must have an inverse family, whose moves undo its moves wherever the guarding piece is. A
    family may be its own inverse.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> swap = (bytes([1, 0, 2]), bytes(3)), (bytes([0, 2, 1]), bytes(3))
    >>> blank = Guard("row", "0", {"R": (*swap, None), "L": (None, *swap)}, "the blank")
    >>> row = Puzzle("row", "Two tiles", (Orbit("row", "tile", "0 1 2"),), {}, (), guard=blank)
    >>> row.apply(row.solved, row.moves("R2 L R2"))
    Traceback (most recent call last):
    puzzlekit.errors.NotationError: move 5, R, is not possible with the blank at 2 (possible: L)
    >>> list(row.apply(row.solved, row.moves("R L' R'")))
    [1, 0, 2]
    """

    #: The name of the orbit of the guarding piece.
    orbit: str
    #: The name of the guarding piece: its place in the solved state. All other pieces differ from
    #: the guarding piece.
    piece: str
    #: For each family, a list with one item for each place of the guarding piece. The item is the
    #: effect (gather, add) of the move, or None if the move is not possible.
    cases: Mapping[str, Sequence[Effect | None]]
    #: The name of the guarding piece in messages, such as "the blank".
    name: str = ""


class GuardedMoves:
    """The moves that a `Guard` declares, as `Move` objects.

    A *case* of a move is the move at one place of the guarding piece.

    - `name`: the guarding piece in words.
    - `where`: the places of the guarding piece in words.
    - `label`: the label of the guarding piece.
    - `byte`, `size`: in a state, the labels of the orbit start at byte `byte` and take `size`
      bytes.
    - `moves`: maps each family to its move.
    - `inverses`: maps each family to the family that undoes it.
    """

    def __init__(
        self, puzzle: str, orbits: Sequence[Orbit], guard: Guard, grid: Grid | None
    ) -> None:
        number = [each.name for each in orbits].index(guard.orbit)
        orbit = orbits[number]
        self.byte = sum(each.width for each in orbits[:number])
        self.size = orbit.size
        self.label = orbit.solved[orbit.place(guard.piece)]
        self.name = guard.name or f"{orbit.piece} {orbit.label_name(self.label)}"
        if orbit.solved.count(self.label) > 1:
            raise DeclarationError(
                f"{puzzle}: the guarding piece must differ from all other pieces"
            )
        self.where = [
            f"at {place}" if grid is None else grid.where(at)
            for at, place in enumerate(orbit.places)
        ]
        self._modulus = state_modulus(orbits)
        self.moves = {family: self._move(family, each) for family, each in guard.cases.items()}
        self.inverses = {family: self._inverse(move) for family, move in self.moves.items()}

    def place(self, state: bytes) -> int:
        """Return the place of the guarding piece in a state; raise StateError if it is missing."""
        found = state.find(self.label, self.byte, self.byte + self.size)
        if found < 0:
            raise StateError([f"{self.name} is missing"])
        return found - self.byte

    def possible(self, state: bytes, moves: Iterable[Move]) -> Iterator[Move]:
        """Yield the case of each move of a sequence that starts in `state`.

        Raises NotationError if a move is impossible.
        """
        place = self.place(state)
        for number, move in enumerate(moves, 1):
            case = self._at(move, place)
            if case is None:
                others = [each.name for each in self.moves.values() if each.cases[place]]
                raise NotationError(
                    f"move {number}, {move.name}, is not possible with {self.name} "
                    f"{self.where[place]}",
                    hint=f"possible: {' '.join(others)}" if others else "",
                )
            place = case.guard_after
            yield case

    def inverse(self, move: Move) -> Move:
        """Return the move that undoes a move or a case."""
        other = self.moves[self.inverses[move.family]]
        undone = other if move.cases else other.cases[move.guard_after]
        assert undone is not None  # `_inverse` has checked it
        return undone

    def commute(self, one: Move, other: Move) -> bool:
        """Whether two moves commute: both orders are possible from the same places, and agree."""
        return all(
            self._both(one, other, place) == self._both(other, one, place)
            for place in range(self.size)
        )

    def _at(self, move: Move, place: int) -> Move | None:
        """Return the case of a move at a place; None if the move is not possible there."""
        case = move.cases[place] if move.cases else move
        return None if case is None or case.guard_before != place else case

    def _both(self, one: Move, other: Move, place: int) -> Effect | None:
        """Return the effect of two moves from a place of the guarding piece; None if impossible."""
        first = self._at(one, place)
        second = None if first is None else self._at(other, first.guard_after)
        if first is None or second is None:
            return None
        return compose(first.effect, second.effect, self._modulus)

    def _move(self, family: str, effects: Sequence[Effect | None]) -> Move:
        if len(effects) != self.size or not any(effects):
            raise DeclarationError(
                f"move {family}: give an effect or None for each of the {self.size} places of "
                f"{self.name}, with at least one effect"
            )
        cases = tuple(
            None if effect is None else self._case(family, before, effect)
            for before, effect in enumerate(effects)
        )
        return Move(family, family, 1, 0, b"", b"", cases=cases)

    def _case(self, family: str, before: int, effect: Effect) -> Move:
        gather, add = effect
        whole = range(len(self._modulus))
        if sorted(gather) != list(whole) or len(add) != len(whole):
            raise DeclarationError(f"move {family}: its effect is not a permutation of the state")
        after = gather.index(self.byte + before) - self.byte
        if not 0 <= after < self.size or effect == no_effect(self._modulus):
            raise DeclarationError(
                f"move {family}: an effect changes nothing, or moves {self.name} to another orbit"
            )
        return Move(family, family, 1, 0, gather, add, guard_before=before, guard_after=after)

    def _inverse(self, move: Move) -> str:
        for family, other in self.moves.items():
            if self._undoes(other, move) and self._undoes(move, other):
                return family
        raise DeclarationError(f"move {move.name}: no family of moves undoes it")

    def _undoes(self, other: Move, move: Move) -> bool:
        """Whether `other` is possible after every case of `move`, and undoes it."""
        for case in move.cases:
            if case is not None:
                back = other.cases[case.guard_after]
                if back is None or back.effect != invert(case.effect, self._modulus):
                    return False
        return True


def fits(moves: Sequence[Move], place: int) -> bool:
    """Whether a sequence of cases is possible with the guarding piece at a place."""
    for move in moves:
        if move.guard_before != place:
            return False
        place = move.guard_after
    return True
