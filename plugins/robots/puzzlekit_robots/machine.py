"""Machines: metrics for robots, in which several moves can form one step.

A robot turns faces with its arms. Arms on opposite sides can turn at once, and the step costs as
much as the larger turn. Gripping, changing to other arms and turning the whole puzzle have
additional costs. The machine cannot make a turn that no arm can do. The cost of a step may depend
on the step before. So the possible steps form an automaton, with one state for each group of arms
that may have turned last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import attrs

from puzzlekit import DeclarationError, Move, Puzzle, UsageError
from puzzlekit.puzzle.move import Step, compose
from puzzlekit.puzzle.symmetry import turned_families
from puzzlekit.search.step_metric import MethodSteps, StepMetric

if TYPE_CHECKING:
    from puzzlekit.search.strategies.strategy import Strategy

_AMOUNT = re.compile(r"\d*'?$")
FREE = -1  # no arms have turned since the start, or since a turn of the whole puzzle


def _family(name: str) -> str:
    """Return the family of a move by its name: "R" for "R2" and "R'"."""
    return _AMOUNT.sub("", name)


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Machine(StepMetric):
    """The steps of a machine and their costs.

    `arms` lists groups of arms. Each arm turns one family. A step turns one or more arms of one
    group at once. The cost of a step is the cost of its most expensive turn (`turns`), plus `grip`.
    If another group turned in the step before, `change` is added. A step may also turn the whole
    puzzle, at the cost `whole`. The next step may then use any group without the cost `change`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> machine = Machine(name="M", title="", arms=(("R", "L"), ("U", "D")), turns={1: 1, 2: 2})
    >>> [f"{step} ({step.cost})" for step in machine.steps(cube.moves("R L2 U D'"))]
    ['R + L2 (2)', "U + D' (1)"]
    """

    kind: ClassVar[str] = "machine"
    #: Groups of families of moves. Each family has one arm. The arms of a group can turn at once.
    arms: tuple[tuple[str, ...], ...]
    #: How far an arm can turn, in base moves; -1 is the inverse of the base move. Default: any.
    amounts: tuple[int, ...] = ()
    #: The cost of turning an arm, by the number of base moves in the shorter direction.
    turns: Mapping[int, int] = attrs.field(factory=lambda: {1: 1, 2: 1})
    #: The additional cost of every step.
    grip: int = 0
    #: The additional cost of a step whose group differs from the group of the step before.
    change: int = 0
    #: Whether the same group can turn in two steps in a row.
    again: bool = True
    #: Steps that the machine cannot do, such as "R2 + L2".
    without: tuple[str, ...] = ()
    #: The families by which the machine can turn the whole puzzle. Default: none.
    rotations: tuple[str, ...] = ()
    #: The cost of turning the whole puzzle.
    whole: int = 1
    #: Costs of single moves by name, such as {"D": 2, "D2": 3, "x": 4}. If it names a move of a
    #: family, an arm or a rotation, these moves of the family are possible and no others.
    each: Mapping[str, int] = attrs.field(factory=dict)
    #: The families whose moves have costs of their own. A name such as U2 may be that of a family.
    _own: frozenset[str] = attrs.field(
        init=False,
        default=attrs.Factory(
            lambda self: frozenset((*self.each, *map(_family, self.each))), takes_self=True
        ),
    )
    _groups: dict[tuple[Move, ...], int | None] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        families = [family for group in self.arms for family in group] + list(self.rotations)
        if not self.arms or not all(self.arms) or len(set(families)) < len(families):
            raise DeclarationError(f"machine {self.name}: name arms, and each only once")
        prices = [self.grip, self.change, self.whole, *self.turns.values()]
        if any(not 0 <= price <= 100 for price in prices):
            raise DeclarationError(f"machine {self.name}: costs must be from 0 to 100")
        if not self.turns or min(self.turns.values()) + self.grip < 1:
            raise DeclarationError(f"machine {self.name}: a step must cost at least 1")
        for name, price in self.each.items():
            if not 0 <= price <= 100:
                raise DeclarationError(f"machine {self.name}: costs must be from 0 to 100")
            whole = {name, _family(name)} & {*self.rotations}
            if price + (0 if whole else self.grip) < 1:
                raise DeclarationError(f"machine {self.name}: {name} must cost at least 1")
        if self.rotations and not self.whole:
            raise DeclarationError(
                f"machine {self.name}: turning the whole puzzle must cost at least 1"
            )

    @property
    def barrier(self) -> str:
        """Why a phase may not begin with some step, if the same group cannot turn again."""
        if self.again:
            return ""
        return (
            f"the machine {self.name} may not start a phase with the arms that ended the phase "
            "before"
        )

    def even(self, puzzle: Puzzle) -> Machine:
        """Return a machine named "steps" in which every step costs 1.

        The returned machine does not turn the whole puzzle. If this machine can, the returned
        machine has additional groups of arms instead: they turn the faces that this machine's arms
        reach after it has turned the whole puzzle.
        """
        groups = {frozenset(group): group for group in self.arms}
        turned = turned_families(puzzle, [family for group in self.arms for family in group])
        for group in list(groups.values()):  # added groups are turned as well
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

    def cost(self, move: Move) -> int:
        """Return the cost of a first step that does one move or several simultaneous moves.

        No step comes before a first step, so its cost does not include `change`.

        Raises UsageError if the machine cannot do the step.
        """
        group = self._group(move.parts or (move,))
        if group is None:
            raise UsageError(f"the machine {self.name} cannot do {move.name}")
        return self._price(FREE, group, move.parts or (move,))

    def total(self, moves: Iterable[Move]) -> int:
        """Return the least cost of steps that do the given moves in this order.

        Raises UsageError if the machine cannot do the moves.
        """
        return sum(step.cost for step in self.steps(tuple(moves)))

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """Return the cheapest sequence of steps that does the given moves in this order.

        Raises UsageError if the machine cannot do the moves. The message names the first move that
        the machine cannot do.
        """
        moves = tuple(part for move in moves for part in move.parts or (move,))
        width = max(len(group) for group in self.arms)
        # For each number of moves done and each last group: (cost, steps).
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
                f"the machine {self.name} cannot do {moves[done].name} (move {done + 1}) at this "
                "point of the sequence: change the sequence"
            )
        return min(best[-1].values(), key=lambda each: each[0])[1]

    def _group(self, parts: tuple[Move, ...]) -> int | None:
        """Return the number of the group whose arms can do all these moves at once.

        Returns FREE for a rotation of the whole puzzle. Returns None if no group can do the moves,
        for example if one arm would turn twice.
        """
        if parts not in self._groups:
            self._groups[parts] = self._find_group(parts)
        return self._groups[parts]

    def _find_group(self, parts: Sequence[Move]) -> int | None:
        families = [move.family for move in parts]
        if families[0] in self.rotations:
            return FREE if len(parts) == 1 and self._turned(parts[0]) is not None else None
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
        """Return the cost of one move, without other costs; None if the machine cannot do it."""
        if move.family in self._own:
            return self.each.get(move.name)
        if move.family in self.rotations:
            return self.whole
        if self.amounts and not {move.amount, move.amount - move.order} & set(self.amounts):
            return None
        return self.turns.get(min(move.amount, move.order - move.amount))

    def _may(self, last: int, group: int) -> bool:
        return self.again or group == FREE or group != last

    def _price(self, last: int, group: int, parts: Sequence[Move]) -> int:
        if group == FREE:
            return self._turned(parts[0]) or 0
        dearest = max(self._turned(move) or 0 for move in parts)
        changed = self.change if last not in (FREE, group) else 0
        return dearest + self.grip + changed

    def following(self, puzzle: Puzzle, last: int = FREE) -> Iterator[tuple[Step, int]]:
        """Yield every step that may follow a step of the group `last`, each with its group."""
        for number, group in enumerate(self.arms):
            if not self._may(last, number):
                continue
            turns = [[*self.turns_of(puzzle, family), None] for family in group]
            chosen = [tuple(filter(None, each)) for each in product(*turns)]
            for parts in sorted(chosen, key=len):
                if parts and self._group(parts) is not None:
                    yield Step(parts, self._price(last, number, parts)), number
        for family in self.rotations:
            for move in self.turns_of(puzzle, family):
                yield Step((move,), self._price(last, FREE, (move,))), FREE

    def turns_of(self, puzzle: Puzzle, family: str) -> list[Move]:
        """Return the moves of a family that the machine can do, or could if it had such an arm."""
        return [move for move in puzzle.family_moves([family]) if self._turned(move) is not None]

    def of_method(self, puzzle: Puzzle, fixed: tuple[tuple[str, str], ...]) -> MethodSteps:
        """Return the steps, expressed by the moves of a method."""
        from puzzlekit_robots.drive import drive

        return drive(puzzle, self, fixed)

    def in_steps(self, strategy: Strategy) -> Strategy | None:
        """Return a strategy that has the machine do the answers of another one.

        None if that one proves answers, which says nothing of the machine, or uses another method.
        """
        if strategy.proves or strategy.other_method():
            return None
        from puzzlekit_robots.in_steps import InSteps

        return InSteps(strategy, self)

    def check(self, puzzle: Puzzle) -> None:
        """Raise UsageError if the machine cannot turn a puzzle as declared."""
        known = [family for family in puzzle.turns if family not in puzzle.rotations]
        for group in self.arms:
            for family in group:
                if family not in known:
                    raise UsageError(
                        f"machine {self.name}: the arm {family!r} is not a move of {puzzle.name}; "
                        f"write {' '.join(known)}"
                    )
                if not self.turns_of(puzzle, family):
                    raise UsageError(f"machine {self.name}: the arm {family} cannot turn at all")
            effects = [puzzle.turns[family] for family in group]
            for one, other in product(effects, effects):
                if compose(one, other, puzzle.modulus) != compose(other, one, puzzle.modulus):
                    raise UsageError(
                        f"machine {self.name}: {' and '.join(group)} cannot turn at once: they "
                        "move the same pieces"
                    )
        families = [family for group in self.arms for family in group] + list(self.rotations)
        turnable = [family for family in families if family in puzzle.turns]
        names = {move.name for move in puzzle.family_moves(turnable)}
        if strange := [name for name in self.each if name not in names]:
            raise UsageError(
                f"machine {self.name}: {strange[0]!r} has a cost, but is no move of its arms and "
                f"no rotation in 'whole': write {' '.join(sorted(names))}"
            )
        groups = [{move.name for move in puzzle.family_moves(group)} for group in self.arms]
        for step in self.without:
            if not any(set(step.split(" + ")) <= names for names in groups):
                raise UsageError(
                    f"machine {self.name}: {step!r} in 'without' is not a step of the arms; "
                    "write steps as R2 or R2 + L2"
                )
        if unknown := [family for family in self.rotations if family not in puzzle.rotations]:
            raise UsageError(
                f"machine {self.name}: {puzzle.name} has no rotation {unknown[0]!r}; "
                f"it has {' '.join(puzzle.rotations) or 'none'}"
            )


#: A robot with one gripper and a table that turns, such as MindCub3r and CUBOTino. It flips the
#: cube one way (x), spins it on the table (y), or holds it while the table turns the lowest layer.
FLIP_SPIN = Machine(
    name="flip-spin",
    title="a gripper that flips the cube and a turntable: 4 to flip, 1 to spin, 3 to turn D",
    arms=(("D",),),
    rotations=("x", "y"),
    each={"x": 4, "y": 1, "y'": 1, "y2": 2, "D": 3, "D'": 3, "D2": 4},
)
