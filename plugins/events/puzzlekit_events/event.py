"""Events of competitions: the puzzle, and how it is scrambled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlekit import Puzzle
from puzzlekit.search.strategies.strategy import Strategy

__all__ = ["AtMost", "Event", "Exactly", "Pattern", "RandomMoves"]


class Exactly(NamedTuple):
    """Scrambles of one length, drawn from all sequences of this length that reach the state.

    >>> Exactly(11, "optimal", apart="u l r b").length
    11
    """

    #: Number of moves of a scramble.
    length: int
    #: Name of the method that lists the sequences. The method has one phase.
    method: str
    #: Names of families whose moves do not count for the length, such as the tips of a Pyraminx.
    #: The scramble ends with their moves, in the order of this string. The moves must commute with
    #: all other moves.
    apart: str = ""


class AtMost(NamedTuple):
    """Scrambles that are the inverse of the first answer of a method.

    With the strategy `Sequential`, a seed gives the same scramble in every version. The reason is
    that each phase tries its sequences by length, and sequences of one length in the order of the
    phase's moves.

    >>> AtMost(21, "two-phase").strategy is None
    True
    """

    #: Largest number of moves; None for no limit. The scramble may have one more move, so that no
    #: moves cancel with `before` or `after` of the event.
    length: int | None = None
    #: Name of the method; None for the default method of the puzzle.
    method: str | None = None
    #: Strategy for the phases; None for the strategy of the method.
    strategy: Strategy | None = None
    #: Least number of moves. If the first answer has fewer, answers that begin with one move, two
    #: moves, and so on, are tried in the order of the phase's moves.
    shortest: int = 0


class RandomMoves(NamedTuple):
    """Scrambles of random moves, for puzzles whose random states would take long to solve.

    A move has the family of an earlier move only if a move between them does not commute with it.
    The states are not equally likely.

    >>> RandomMoves(60, "U Uw R Rw F Fw").length
    60
    """

    #: Number of moves of a scramble.
    length: int
    #: Names of the families from which the moves are drawn.
    families: str


class Pattern(NamedTuple):
    """Scrambles of a fixed form, in rounds of parts. One of several texts is drawn for each part.

    The states are equally likely only if the form gives each state equally often.

    >>> Pattern((("R++", "R--"), ("D++ U", "D-- U'")), rounds=7).rounds
    7
    """

    #: For each part of a round, the texts of which one is drawn. All are equally likely. A text has
    #: moves in any spelling that the puzzle reads, and is printed as it is. It may be empty, or a
    #: move that does nothing.
    parts: tuple[tuple[str, ...], ...]
    #: Number of rounds. Each round is a line on a printed sheet.
    rounds: int = 1


class Event(NamedTuple):
    """An event: its puzzle, the states that it draws, and the form of its scrambles.

    All states that need at least `least` moves and pass the filter `allowed` are equally likely,
    except with `RandomMoves` and `Pattern`.

    >>> event = Event("222", "2x2x2 Cube", "cube2", least=4, moves=Exactly(11, "optimal"))
    >>> event.attempts
    5
    """

    #: Name of the event in commands: letters, digits and hyphens.
    name: str
    #: Name of the event for people.
    title: str
    #: Name of the puzzle, which may belong to another plugin.
    puzzle: str
    #: Least number of moves of a solution. If a drawn state has a shorter solution, another state
    #: is drawn. The solutions use the moves of the method's first phase, or the families of
    #: `RandomMoves` or `Pattern`.
    least: int
    #: How the moves of a scramble are found for a state.
    moves: Exactly | AtMost | RandomMoves | Pattern
    #: Moves that begin every scramble.
    before: str = ""
    #: Strings of moves. One of them, drawn at random, ends the scramble. All are equally likely.
    after: tuple[str, ...] = ("",)
    #: Number of scrambles in a round.
    attempts: int = 5
    #: How the puzzle is held for scrambling, such as "white on top, green in front".
    held: str = ""
    #: Name of a method with shortest answers, which decides whether a state needs `least` moves:
    #: for limits that are too large to try all sequences of moves. By default these are tried.
    judge: str = ""
    #: A filter: whether a state may be scrambled to. A state that it refuses is drawn again.
    allowed: Callable[[Puzzle, bytes], bool] | None = None
