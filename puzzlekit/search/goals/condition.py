"""The base class of conditions, of which a goal consists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.puzzle.move import Effect, Move
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

#: Whether a condition holds in a state.
Test = Callable[[bytes], bool]
#: The kinds of conditions that `--goal` knows, by their words.
KINDS: dict[str, Callable[..., Condition]] = {}


class Need(NamedTuple):
    """A piece that must be at its home place, or untwisted, or both."""

    orbit: Orbit
    #: The number of the home place.
    home: int
    placed: bool
    turned: bool


class Kind(NamedTuple):
    """A piece as a condition sees it."""

    orbit: Orbit
    #: The label of the piece.
    label: int
    #: A number that is equal for pieces that the condition does not tell apart.
    number: int
    #: Whether it matters how the piece is turned.
    turned: bool


class Condition(ABC):
    """A condition on some pieces, which holds at a goal.

    A subclass is a frozen attrs class whose fields are strings. It must define `words` and `test`.
    The search is faster if the subclass also defines `needs` or `coordinates`.
    """

    #: The word of the kind in `--goal`; empty for none. If it is "own", the text "own:UF,UR" stands
    #: for `Own("UF UR")`, and "own:UF=UR" for `Own("UF", "UR")`.
    word = ""

    def __init_subclass__(cls) -> None:
        if cls.word:
            KINDS[cls.word] = cls

    @property
    @abstractmethod
    def words(self) -> str:
        """The condition in words, such as "UF UR solved"."""

    @abstractmethod
    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state of the puzzle.

        Raises UsageError if the puzzle has no such pieces.
        """

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces that must be at home or untwisted. By default there are none."""
        return ()

    def kinds(self, puzzle: Puzzle) -> Iterable[Kind]:
        """Return what the condition can tell apart: two states that look alike to it are equal.

        By default the condition tells the pieces of `matters` apart, and how each is turned.
        """
        for orbit, home in self.matters(puzzle):
            yield Kind(orbit, orbit.solved[home], orbit.solved[home], True)

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return the pieces of which the condition says something: orbits and home places.

        By default they are the pieces of `needs`; if there are none, all pieces.
        """
        found = [(need.orbit, need.home) for need in self.needs(puzzle)]
        return found or [(orbit, home) for orbit in puzzle.orbits for home in range(orbit.size)]

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the search with some moves, besides those of `needs`.

        In every state in which the condition holds, each coordinate must have one of its goal
        values. By default there are no coordinates.
        """
        yield from ()

    def barred(self, puzzle: Puzzle, moves: Sequence[Move]) -> Test | None:
        """Return a function that says whether moves from a state surely never reach the condition.

        The function must be fast, and need not find every such state. By default there is none.
        """
        return None

    def solving_moves(self, puzzle: Puzzle) -> Sequence[Move]:
        """Return the moves that the condition allows to solve the puzzle, held in any way.

        `needs` and `coordinates` of such a condition describe one of the ways. By default there are
        no such moves: the condition names the pieces as the puzzle is held.
        """
        return ()

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the condition means the same if the puzzle is changed by an effect beforehand.

        More exactly: the condition holds in a state exactly if it holds after the inverse of the
        effect, the moves of the state, and the effect. By default this is not known, and the result
        is False.
        """
        return False
