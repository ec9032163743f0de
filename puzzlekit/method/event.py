"""Events of competitions: which puzzle they are held with, and how it is scrambled."""

from __future__ import annotations

from typing import NamedTuple

from puzzlekit.strategy.strategy import Strategy


class Exactly(NamedTuple):
    """Scrambles of one length: one is drawn from all sequences of this length to the state.

    >>> Exactly(11, "optimal", apart="u l r b").length
    11
    """

    #: How many moves a scramble has.
    length: int
    #: The method that lists the sequences. It has one phase.
    method: str
    #: Families that are not counted, such as the tips of a Pyraminx. Their moves end the scramble,
    #: in this order; they commute with all others.
    apart: str = ""


class AtMost(NamedTuple):
    """Scrambles that a method finds: the first answer of at most some length, undone.

    With `First` that is the same sequence in every version: the phases list their sequences by
    length, and then in the order of the moves of the phase.

    >>> AtMost(21, "two-phase").strategy is None
    True
    """

    #: The most moves that a scramble has; None for as many as the method needs. It may have one
    #: more where its first or last move would otherwise cancel with the moves beside it.
    length: int | None = None
    #: The name of the method; None for the default method of the puzzle.
    method: str | None = None
    #: How its phases are searched, if not by the strategy of the method.
    strategy: Strategy | None = None


class Event(NamedTuple):
    """An event: its puzzle, the states that it draws, and the text of its scrambles.

    All states that take at least `least` moves are equally likely.

    >>> event = Event("222", "2x2x2 Cube", "cube2", least=4, moves=Exactly(11, "optimal"))
    >>> event.attempts
    5
    """

    #: The name by which it is asked for: letters, digits and hyphens.
    name: str
    #: The name that people read.
    title: str
    #: The name of the puzzle. It may be that of another plugin.
    puzzle: str
    #: States that can be solved in fewer moves are drawn again. Moves are those of the method.
    least: int
    #: How a scramble is found for a state.
    moves: Exactly | AtMost
    #: Moves that begin every scramble.
    before: str = ""
    #: Moves that end a scramble: one of these is drawn, each as likely as any other.
    after: tuple[str, ...] = ("",)
    #: How many scrambles a round has.
    attempts: int = 5
    #: How the puzzle is held when it is scrambled, such as "white on top, green in front".
    held: str = ""
