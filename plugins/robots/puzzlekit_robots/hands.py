"""Hands: a metric for people, in which the cost of a move depends on how the hands hold the puzzle.

A hand has several grips. A turn of the wrist changes the grip, and a turn with a finger does not.
If no grip fits the next move, the hand must grip again, which has a cost. The same finger twice in
a row costs more, too. So the cost of a move depends on the moves before. The cost of a sequence is
the cost of the cheapest way to do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import attrs

from puzzlekit import DeclarationError, Metric, Move, UsageError
from puzzlekit.puzzle.move import Step

_DEAREST = 1000


@attrs.frozen
class Way:
    """A way in which one hand does a move."""

    #: The moves that can be done in this way, separated by spaces: "U U2".
    moves: str
    #: The name of the hand.
    hand: str
    #: The cost.
    cost: int
    #: The grips of the hand in which it can do the moves, separated by spaces. Empty for any grip.
    grips: str = ""
    #: The grip of the hand after the move. Empty if the grip does not change.
    then: str = ""
    #: The finger that turns. Empty for none: the whole hand turns.
    finger: str = ""


class _Hold(NamedTuple):
    """How a person holds the puzzle: the grip of each hand, and what turned last."""

    #: One grip for each hand. An empty grip is not chosen yet: the first move chooses it.
    grips: tuple[str, ...]
    #: The hand and the finger of the move before; two empty strings for none.
    last: tuple[str, str] = ("", "")


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Hands(Metric):
    """The ways in which hands turn a puzzle, with their costs.

    A sequence may begin with any grips, at no cost.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> up = Way("R", "right", 2, "home", "up")
    >>> down = Way("R'", "right", 2, "up", "home")
    >>> hand = Hands(name="H", title="", grips={"right": ("home", "up")}, ways=(up, down), regrip=3)
    >>> [f"{step} ({step.cost})" for step in hand.steps(cube.moves("R R' R R"))]
    ['R (2)', "R' (2)", 'R (2)', 'R (5)']
    """

    kind: ClassVar[str] = "hand metric"
    counts: ClassVar[bool] = False
    weights: Mapping[str, int] = attrs.field(init=False, factory=dict)
    #: The grips of each hand.
    grips: Mapping[str, tuple[str, ...]]
    #: The ways to do the moves.
    ways: tuple[Way, ...]
    #: The cost of changing the grip of a hand without a move.
    regrip: int = 0
    #: The additional cost if the same finger turns in two moves in a row.
    again: int = 0
    _known: dict[tuple[_Hold, str], dict[_Hold, int]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        where = f"hands {self.name}"
        if not self.grips or not self.ways:
            raise DeclarationError(f"{where}: name at least one hand and one way")
        if any(not 0 <= cost <= _DEAREST for cost in (self.regrip, self.again)):
            raise DeclarationError(f"{where}: costs must be from 0 to {_DEAREST}")
        for way in self.ways:
            if way.hand not in self.grips:
                known = ", ".join(self.grips)
                raise DeclarationError(f"{where}: there is no hand {way.hand!r}; there is {known}")
            if not 1 <= way.cost <= _DEAREST:
                raise DeclarationError(
                    f"{where}: the cost of {way.moves} must be from 1 to {_DEAREST}"
                )
            own = self.grips[way.hand]
            for grip in (*way.grips.split(), *way.then.split()):
                if grip not in own:
                    raise DeclarationError(
                        f"{where}: {way.hand} has no grip {grip!r}; it has {', '.join(own)}"
                    )

    def cost(self, move: Move) -> int:
        """Return the cost of one move alone. Raises UsageError if no way does the move."""
        return self.total((move,))

    def total(self, moves: Iterable[Move]) -> int:
        """Return the least cost of the given moves in this order.

        Raises UsageError if no way does one of the moves.
        """
        costs = {self._start: 0}
        for move in moves:
            costs = self._after(costs, move)
        return min(costs.values())

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """Return each move with its cost, in the cheapest way to do all moves in this order.

        Raises UsageError if no way does one of the moves.
        """
        layers = [{self._start: 0}]
        for move in moves:
            layers.append(self._after(layers[-1], move))
        hold = min(layers[-1], key=layers[-1].__getitem__)
        found = []
        for i in reversed(range(len(moves))):
            spent, before = layers[i + 1][hold], layers[i]
            hold = next(
                each
                for each in before
                if before[each] + self._following(each, moves[i].name).get(hold, spent + 1) == spent
            )
            found.append(Step((moves[i],), spent - before[hold]))
        return tuple(reversed(found))

    @property
    def _start(self) -> _Hold:
        return _Hold(("",) * len(self.grips))

    def _after(self, costs: Mapping[_Hold, int], move: Move) -> dict[_Hold, int]:
        """Return the least cost of each hold after a move, from those before it."""
        found: dict[_Hold, int] = {}
        for hold, spent in costs.items():
            for after, cost in self._following(hold, move.name).items():
                if spent + cost < found.get(after, spent + cost + 1):
                    found[after] = spent + cost
        if not found:
            raise UsageError(f"the hands {self.name} have no way to do {move.name}")
        return found

    def _following(self, hold: _Hold, move: str) -> dict[_Hold, int]:
        """Return the holds that a move leads to, each with its least cost."""
        if (hold, move) not in self._known:
            found: dict[_Hold, int] = {}
            for after, cost in self._ways_from(hold, move):
                found[after] = min(cost, found.get(after, cost))
            self._known[hold, move] = found
        return self._known[hold, move]

    def _ways_from(self, hold: _Hold, move: str) -> Iterator[tuple[_Hold, int]]:
        hands = list(self.grips)
        for way in self.ways:
            if move not in way.moves.split():
                continue
            number = hands.index(way.hand)
            held = hold.grips[number]
            turned = (way.hand, way.finger) if way.finger else ("", "")
            repeated = self.again if way.finger and turned == hold.last else 0
            fitting = way.grips.split()
            for grip in fitting or [held]:
                changed = self.regrip if grip != held and held else 0
                grips = list(hold.grips)
                grips[number] = way.then or grip
                yield _Hold(tuple(grips), turned), way.cost + repeated + changed
