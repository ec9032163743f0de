"""Machines: metrics in which moves are done at once, and cost what the step before them says.

A robot turns what its arms hold. Arms that hold opposite sides turn at once, at the cost of the
larger turn; gripping, changing to other arms and turning the whole puzzle have their price, and
what no arm can do is no move. As an automaton: its state is which arms turned last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.metric import Metric, Step
from puzzlekit.puzzle.move import Move, compose
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import turned_families

FREE = -1  # no arms have turned yet, or the whole puzzle was turned since: any may


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Machine(Metric):
    """What a machine does in one step, and what that costs.

    `arms` lists the families of moves that it has arms for, those that can turn at once in one
    group; `amounts` how far an arm can turn, as multiples of the base move, -1 being its inverse
    (empty: any). A step
    turns one or more arms of a group and costs as much as its dearest turn, by how many base moves
    that is (`turns`, such as {1: 1, 2: 2}; the other way round, if that is shorter), and `grip`
    more, and `change` more if other arms turned in the step before. Without `again` the arms of a
    group cannot turn in two steps in a row, and `without` names steps that it does not do ("R2 +
    L2"). `rotations` are the families by which it can turn the whole puzzle, each time at the cost
    `whole`; any arms may turn after that.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> machine = Machine(name="M", title="", arms=(("R", "L"), ("U", "D")), turns={1: 1, 2: 2})
    >>> [f"{step} ({step.cost})" for step in machine.steps(cube.moves("R L2 U D'"))]
    ['R + L2 (2)', "U + D' (1)"]
    """

    weights: Mapping[str, int] = attrs.field(init=False, factory=dict)
    arms: tuple[tuple[str, ...], ...]
    amounts: tuple[int, ...] = ()
    turns: Mapping[int, int] = attrs.field(factory=lambda: {1: 1, 2: 1})
    grip: int = 0
    change: int = 0
    again: bool = True
    without: tuple[str, ...] = ()
    rotations: tuple[str, ...] = ()
    whole: int = 1
    _groups: dict[tuple[Move, ...], int | None] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        families = [family for group in self.arms for family in group] + list(self.rotations)
        if not self.arms or not all(self.arms) or len(set(families)) < len(families):
            raise DeclarationError(f"machine {self.name}: it needs arms, each in one group only")
        prices = [self.grip, self.change, self.whole, *self.turns.values()]
        if any(not 0 <= price <= 100 for price in prices):
            raise DeclarationError(f"machine {self.name}: costs are whole numbers from 0 to 100")
        if not self.turns or min(self.turns.values()) + self.grip < 1:
            raise DeclarationError(f"machine {self.name}: a step has to cost at least 1")
        if self.rotations and not self.whole:
            raise DeclarationError(
                f"machine {self.name}: turning the whole puzzle has to cost at least 1"
            )

    @property
    def counts(self) -> bool:
        """Whether each move has its cost by itself: moves done at once have it together."""
        return False

    def even(self, puzzle: Puzzle) -> Machine:
        """A machine each of whose steps costs 1, named "steps".

        It has arms wherever turning the whole puzzle would bring arms of this one, and need not.
        """
        groups = {frozenset(group): group for group in self.arms}
        turned = turned_families(puzzle, [family for group in self.arms for family in group])
        for group in list(groups.values()):  # those that are added are turned as well
            todo = [group]
            for each in todo:
                for name in self.rotations:
                    image = tuple(turned[name][family][0] for family in each if name in turned)
                    if image and frozenset(image) not in groups:
                        groups[frozenset(image)] = image
                        todo.append(image)
        turns = dict.fromkeys(self.turns, 1)
        return Machine(
            name="steps",
            title=self.title,
            arms=tuple(groups.values()),
            amounts=self.amounts,
            turns=turns,
        )

    @property
    def dearest(self) -> int:
        """The highest cost of a step that does not turn the whole puzzle."""
        return max(self.turns.values()) + self.grip + self.change

    def cost(self, move: Move) -> int:
        """The cost of a step from rest, of one move or of several at once; or a UsageError."""
        group = self._group(move.parts or (move,))
        if group is None:
            raise UsageError(f"the machine {self.name} cannot do {move.name}")
        return self._price(FREE, group, move.parts or (move,))

    def total(self, moves: Iterable[Move]) -> int:
        """The least cost of several moves in this order; a UsageError if it cannot do them."""
        return sum(step.cost for step in self.steps(tuple(moves)))

    def can(self, moves: Sequence[Move]) -> bool:
        """Whether it can do moves in this order."""
        try:
            self.steps(moves)
        except UsageError:
            return False
        return True

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """The cheapest way to do moves in this order; a UsageError says which it cannot do."""
        moves = tuple(part for move in moves for part in move.parts or (move,))
        width = max(len(group) for group in self.arms)
        # For each number of moves done and each group that turned last: cost, steps so far.
        best: list[dict[int, tuple[int, tuple[Step, ...]]]] = [{} for _ in range(len(moves) + 1)]
        best[0][FREE] = 0, ()
        for at in range(len(moves)):
            for last, (spent, steps) in best[at].items():
                for count in range(1, min(width, len(moves) - at) + 1):
                    parts = tuple(moves[at : at + count])
                    group = self._group(parts)
                    if group is None or not self._may(last, group):
                        continue
                    step = Step(parts, self._price(last, group, parts))
                    known = best[at + count].get(group)
                    if known is None or spent + step.cost < known[0]:
                        best[at + count][group] = spent + step.cost, (*steps, step)
        if not best[-1]:
            done = max(at for at, found in enumerate(best) if found)
            raise UsageError(
                f"the machine {self.name} cannot do {moves[done].name} (move {done + 1}) there"
            )
        return min(best[-1].values(), key=lambda each: each[0])[1]

    def _group(self, parts: tuple[Move, ...]) -> int | None:
        """The number of the group whose arms do some moves at once; FREE for a rotation, or None.

        None too for one arm twice, and for how far no arm turns.
        """
        if parts not in self._groups:
            self._groups[parts] = self._find_group(parts)
        return self._groups[parts]

    def _find_group(self, parts: Sequence[Move]) -> int | None:
        families = [move.family for move in parts]
        if families[0] in self.rotations:
            return FREE if len(parts) == 1 else None
        if len(set(families)) < len(families) or any(self._turned(move) is None for move in parts):
            return None
        names = {move.name for move in parts}
        if any(set(step.split(" + ")) == names for step in self.without):
            return None
        for number, group in enumerate(self.arms):
            if set(families) <= set(group):
                return number
        return None

    def _turned(self, move: Move) -> int | None:
        """What a turn of one arm costs by itself; None if it cannot be done."""
        if self.amounts and not {move.amount, move.amount - move.order} & set(self.amounts):
            return None
        return self.turns.get(min(move.amount, move.order - move.amount))

    def _may(self, last: int, group: int) -> bool:
        return self.again or group == FREE or group != last

    def _price(self, last: int, group: int, parts: Sequence[Move]) -> int:
        if group == FREE:
            return self.whole
        dearest = max(self._turned(move) or 0 for move in parts)
        changed = self.change if last not in (FREE, group) else 0
        return dearest + self.grip + changed

    def following(self, puzzle: Puzzle, last: int = FREE) -> Iterator[tuple[Step, int]]:
        """Every step that may follow when the arms of a group turned last; with its own group."""
        for number, group in enumerate(self.arms):
            if not self._may(last, number):
                continue
            turns = [[*self._turns_of(puzzle, family), None] for family in group]
            chosen = [tuple(filter(None, each)) for each in product(*turns)]
            for parts in sorted(chosen, key=len):
                if parts and self._group(parts) is not None:
                    yield Step(parts, self._price(last, number, parts)), number
        for move in puzzle.family_moves(self.rotations):
            yield Step((move,), self.whole), FREE

    def _turns_of(self, puzzle: Puzzle, family: str) -> list[Move]:
        return [move for move in puzzle.family_moves([family]) if self._turned(move) is not None]

    def check(self, puzzle: Puzzle) -> None:
        """A UsageError if this is no machine for a puzzle: it names what does not fit."""
        known = [family for family in puzzle.turns if family not in puzzle.rotations]
        for group in self.arms:
            for family in group:
                if family not in known:
                    raise UsageError(
                        f"machine {self.name}: {puzzle.name} has no moves {family!r} for an arm; "
                        f"it has {' '.join(known)}"
                    )
                if not self._turns_of(puzzle, family):
                    raise UsageError(f"machine {self.name}: the arm {family} cannot turn at all")
            effects = [puzzle.turns[family] for family in group]
            for one, other in product(effects, effects):
                if compose(one, other, puzzle.modulus) != compose(other, one, puzzle.modulus):
                    raise UsageError(
                        f"machine {self.name}: {' and '.join(group)} cannot turn at once: they "
                        "move the same pieces"
                    )
        groups = [{move.name for move in puzzle.family_moves(group)} for group in self.arms]
        for step in self.without:
            if not any(set(step.split(" + ")) <= names for names in groups):
                raise UsageError(
                    f"machine {self.name}: {step!r}, which it is to do without, is no step of its "
                    "arms; steps are written as R2 or R2 + L2"
                )
        if unknown := [family for family in self.rotations if family not in puzzle.rotations]:
            raise UsageError(
                f"machine {self.name}: {puzzle.name} has no rotation {unknown[0]!r}; "
                f"it has {' '.join(puzzle.rotations) or 'none'}"
            )
