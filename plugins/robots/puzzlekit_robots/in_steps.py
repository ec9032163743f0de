"""A strategy for methods that cannot search in the steps of a machine: its arms do their answers.

A method may reduce a puzzle to another one, or keep many candidates, and then it has to count
single moves. The machine can do its answers all the same. Moves in a row that commute, such as R
and L, form a *run*. Within a run their order does not matter, and several can be one step. For each
run a search by Dijkstra's algorithm extends the cheapest ways to all states of the machine (how it
holds the puzzle, and which arms turned last), so that the steps are the cheapest for all runs
together. An inner layer that no arm turns is turned by arms along its axis, up to a rotation of the
whole puzzle: the cheapest steps for this run alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Any

import attrs

from puzzlekit import Limits, Move, NoSolutionError
from puzzlekit.puzzle.move import Effect, Step, compose, invert, product
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, Wrapper, length_limit
from puzzlekit_robots.drive import Drive, State, drive
from puzzlekit_robots.machine import FREE, Machine

_Way = tuple[int, Any]  # the cost, and the steps as a list from the end: (before, step, part)
_Run = tuple[str, ...]  # families of moves that commute
_Edge = tuple[int, State, Step]
_NEVER = 1 << 30  # more than any cost


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class InSteps(Wrapper):
    """Takes the answers of a strategy, and has a machine do them in its cheapest steps.

    Yields those that cost the machine less than all before, and passes over those that it cannot
    do. None is proven cheapest.
    """

    #: The strategy that searches, in a metric that counts moves.
    strategy: Strategy
    #: The machine.
    machine: Machine

    @property
    def improves(self) -> bool:  # type: ignore[override]
        """Whether the strategy looks for shorter answers."""
        return self.strategy.improves

    def prepare(self, plan: Plan) -> None:
        """Prepare the strategy."""
        super().prepare(plan)
        self.metric = self.machine
        fixed = tuple(plan.fixed.items())
        self._arms = Arms(drive(plan.puzzle, self.machine, fixed), self.machine)

    def normal(self, state: bytes) -> bytes:
        """Return the state with its pieces renamed as the strategy does."""
        return self.ready.normal(state)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever cheaper answers, then a record with the totals.

        Raises a NoSolutionError if the machine cannot do any of the answers.
        """
        best, longest = ANY_LENGTH, length_limit(limits)
        counts = self.no_counts
        refused: NoSolutionError | None = None
        # Limits and bounds on the number of moves are none on the cost of steps.
        within = limits._replace(max_length=None, on_bound=None, on_progress=None)
        for found in self.ready.search(state, within):
            counts = found.counts
            if found.phases is None:
                continue
            try:
                done = self._arms.do([each.merged for each in found.phases])
            except NoSolutionError as error:
                refused = refused or error
                continue
            phases = tuple(
                PhaseMoves(each.number, moves, each.found, moves)
                for each, steps in zip(found.phases, done, strict=True)
                for moves in [tuple(move for step in steps for move in step.moves)]
            )
            answer = Candidate(phases, False, counts, found.helpers_cpu)
            cost = self.machine.total(answer.moves or ())
            if cost < best and cost <= longest:
                best = cost
                yield answer
                if limits.max_length is not None:
                    return
        if refused is not None and best == ANY_LENGTH:
            raise refused
        yield Candidate(None, False, counts)


class Arms:
    """Finds the cheapest steps of a machine that do given moves."""

    def __init__(self, made: Drive, machine: Machine) -> None:
        self._drive = made
        self._machine = machine
        self._puzzle = made.puzzle
        every = made.puzzle.family_moves(made.puzzle.turns)
        self._moves = {move.effect: move for move in reversed(every)}
        arms = machine.even(made.puzzle).arms
        self._turning = {family: made.puzzle.family_moves([family])[0] for family in chain(*arms)}
        self._products: dict[_Run, _Products] = {}
        self._axes: dict[_Run, _Run] = {}

    def do(self, parts: Sequence[Sequence[Move]]) -> list[tuple[Step, ...]]:
        """Return the cheapest steps of all parts, part by part.

        Raises a NoSolutionError that names moves that the machine cannot do.
        """
        best: dict[State, _Way] = {(0, FREE): (0, None)}
        turned = self._puzzle.whole_rotations[0]
        for number, part in enumerate(parts):
            for run in self._runs(part):
                best, turned = self._after(best, run, turned, number)
        steps: list[list[Step]] = [[] for _ in parts]
        link = min(best.values(), key=lambda way: way[0])[1]
        while link is not None:
            link, step, number = link
            steps[number].insert(0, step)
        return [tuple(own) for own in steps]

    @cached_property
    def _rotations(self) -> list[Effect]:
        """The rotations of the whole puzzle that map every move to a move."""
        return [
            rotation
            for rotation in self._puzzle.whole_rotations
            if all(
                _seen(rotation, each, self._puzzle.modulus) in self._moves for each in self._moves
            )
        ]

    def _runs(self, moves: Sequence[Move]) -> Iterator[list[Move]]:
        """Yield the longest runs of moves that commute."""
        run: list[Move] = []
        for move in moves:
            if not all(self._commute(move.effect, each.effect) for each in run):
                yield run
                run = []
            run.append(move)
        if run:
            yield run

    def _commute(self, one: Effect, other: Effect) -> bool:
        modulus = self._puzzle.modulus
        return compose(one, other, modulus) == compose(other, one, modulus)

    def _after(
        self, best: dict[State, _Way], run: Sequence[Move], turned: Effect, part: int
    ) -> tuple[dict[State, _Way], Effect]:
        """Return the cheapest ways to all states after one more run, and the new `turned`.

        The moves before are done up to this rotation of the whole puzzle.
        """
        modulus = self._puzzle.modulus
        moves = [self._moves[_seen(turned, move.effect, modulus)] for move in run]
        wanted = product((move.effect for move in moves), modulus)
        families = tuple(dict.fromkeys(move.family for move in moves))
        if found := self._ways(best, families, {wanted: turned}, part):
            return found
        # An inner layer turns if arms turn others along its axis, in the end perhaps up to a
        # rotation: a turn of the middle layer is two turns of faces, and then the cube turns.
        along = self._along(families)
        rests = {
            compose(wanted, invert(rotation, modulus), modulus): compose(rotation, turned, modulus)
            for rotation in self._rotations
        }
        if found := self._ways(best, along, rests, part, at_once=True):
            return found
        names = " ".join(move.name for move in run)
        raise NoSolutionError(
            f"the machine {self._machine.name} cannot do {names} of the answer: give it more "
            "arms, or rotations in 'whole'"
        )

    def _ways(
        self,
        best: dict[State, _Way],
        run: _Run,
        wanted: Mapping[Effect, Effect],
        part: int,
        *,
        at_once: bool = False,
    ) -> tuple[dict[State, _Way], Effect] | None:
        """Return the cheapest ways to all states in which moves of a run have a wanted effect.

        `wanted` has what is returned with each effect. With `at_once`, the ways are only those that
        cost the least. None if there are none.
        """
        if run not in self._products:
            self._products[run] = _Products(self._drive, run)
        made = self._products[run]
        goals = {made.number[effect]: to for effect, to in wanted.items() if effect in made.number}
        left = made.costs_to(goals)
        if left[0] == _NEVER:
            return None
        queue = [
            (cost + left[0], number, 0, state, link)
            for number, (state, (cost, link)) in enumerate(best.items())
        ]
        heapify(queue)
        number = len(queue)
        seen: set[tuple[int, State]] = set()
        after: dict[State, _Way] = {}
        chosen, least, free = None, 0, 0
        while queue:
            total, _, done, state, link = heappop(queue)
            # No state is better than that in which no arms have turned.
            if (done, state) in seen or (done, (state[0], FREE)) in seen:
                continue
            seen.add((done, state))
            if at_once and chosen is not None and total > least:
                break
            if done == chosen or (chosen is None and done in goals):
                chosen, least = done, total if chosen is None else least
                after[state] = total, link
                free += state[1] == FREE
                if free == len(self._puzzle.whole_rotations):
                    break
            cost = total - left[done]
            for turn, to, step in made.edges(state):
                now = made.after(turn)[done]
                if left[now] < _NEVER and (now, to) not in seen:
                    number += 1
                    entry = cost + step.cost + left[now], number, now, to, (link, step, part)
                    heappush(queue, entry)
        return None if chosen is None else (after, goals[chosen])

    def _along(self, families: _Run) -> _Run:
        """Return the families of arms, in any holding, that commute with moves of a run."""
        if families not in self._axes:
            moves = self._puzzle.family_moves(families)
            self._axes[families] = tuple(
                family
                for family, turn in self._turning.items()
                if all(self._commute(turn.effect, move.effect) for move in moves)
            )
        return self._axes[families]


class _Products:
    """The products of moves that commute, by number, and the steps of a machine that do them.

    Number 0 is that nothing has moved.
    """

    def __init__(self, made: Drive, run: _Run) -> None:
        puzzle = made.puzzle
        self._drive = made
        effects = [puzzle.whole_rotations[0]]
        orders = [1]
        for family in run:
            powers = {move.amount: move.effect for move in puzzle.family_moves([family])}
            orders.append(len(powers) + 1)
            effects += [
                compose(effect, powers[amount], puzzle.modulus)
                for amount in sorted(powers)
                for effect in effects[: len(effects)]
            ]
        #: The number of each product.
        self.number: dict[Effect, int] = {}
        same = [self.number.setdefault(effect, i) for i, effect in enumerate(effects)]
        import numpy as np  # with tables it is there already

        self._same = np.array(same)
        self._orders = tuple(orders)
        self._amounts = np.array(np.unravel_index(np.arange(len(effects)), self._orders, "F"))
        self._after: dict[int, list[int]] = {}
        self._edges: dict[State, list[_Edge]] = {}

    def after(self, turn: int) -> list[int]:
        """Return, for each product, the number of its product with another one."""
        if turn not in self._after:
            import numpy as np

            orders = np.array(self._orders, dtype=int)[:, None]
            added = (self._amounts + self._amounts[:, [turn]]) % orders
            together = np.ravel_multi_index(tuple(added), self._orders, order="F")
            self._after[turn] = self._same[together].tolist()
        return self._after[turn]

    def edges(self, state: State) -> list[_Edge]:
        """Return the steps from a state that do such a product, or only turn the puzzle."""
        if state not in self._edges:
            cheapest: dict[tuple[int, State], Step] = {}
            for effect, passages in self._drive.following(state).items():
                for _, to, step in passages if effect in self.number else ():
                    known = cheapest.setdefault((self.number[effect], to), step)
                    if step.cost < known.cost:
                        cheapest[self.number[effect], to] = step
            self._edges[state] = [(*key, step) for key, step in cheapest.items()]
        return self._edges[state]

    @cached_property
    def _costs(self) -> list[int]:
        """The least cost of each product by steps in any holding, without turns of the puzzle."""
        cheapest: dict[int, int] = {}
        for rotation in range(len(self._drive.puzzle.whole_rotations)):
            for turn, _, step in self.edges((rotation, FREE)):  # no arms cost less after others
                cheapest[turn] = min(step.cost, cheapest.get(turn, step.cost))
        costs = [_NEVER] * len(self._same)
        queue = [(0, 0)]
        while queue:
            cost, done = heappop(queue)
            if cost < costs[done]:
                costs[done] = cost
                for turn, more in cheapest.items():
                    if cost + more < costs[now := self.after(turn)[done]]:
                        heappush(queue, (cost + more, now))
        return costs

    def costs_to(self, goals: Iterable[int]) -> list[int]:
        """Return a lower bound on the cost from each product to the nearest goal."""
        import numpy as np

        orders, costs = np.array(self._orders, dtype=int)[:, None], np.array(self._costs)
        least = np.full(len(costs), _NEVER)
        for goal in goals:
            rest = (self._amounts[:, [goal]] - self._amounts) % orders
            numbers = self._same[np.ravel_multi_index(tuple(rest), self._orders, order="F")]
            least = np.minimum(least, costs[numbers])
        return least.tolist()


def _seen(rotation: Effect, effect: Effect, modulus: bytes) -> Effect:
    """Return the effect of a move on a puzzle that is held as before a rotation."""
    return product((rotation, effect, invert(rotation, modulus)), modulus)
