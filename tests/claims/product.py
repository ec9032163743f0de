"""What puzzlekit claims about a random puzzle, compared with what the list of states says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import Any

import attrs
import numpy as np
from drawn import Goal, definition_text, draw_goal, draw_moves, read_state, state_text
from reference import FAR, Distances, Metric, Move, Toy

import puzzlekit
from puzzlekit import (
    DeclarationError,
    EvenParity,
    Frame,
    Method,
    NoSolutionError,
    Optimal,
    Orbit,
    Orientation,
    OrientationSum,
    Permutation,
    Phase,
    Plain,
    Puzzle,
    Solver,
    StateError,
    TableStore,
    UsageError,
)
from puzzlekit_definitions import derive_methods, parse_definition
from puzzlekit_lab import distribution
from puzzlekit_steps.practice import GoalStates

PATIENCE = 5.0  # seconds of a search; a longer one counts as endless
STATES = 3  # of each question
LISTED = 120  # sequences of a list that is compared
DRAWS = 40  # of random states
UNIVERSAL = 0.1  # of the puzzles; the universal method prepares itself, with little effort
OF_FEW = 0.3  # of the puzzles in which a piece is easily turned in passing


def solver_of(toy: Toy, store: TableStore) -> Solver:
    """The puzzle as puzzlekit gets it: by a definition file, or declared as a plugin does."""
    if not toy.rotations:
        return parse_definition(definition_text(toy), "tws", store=store)
    puzzle = _declared(toy)
    coordinates = tuple(_coordinates(puzzle))
    phase = Phase(
        "solve",
        "the puzzle is solved",
        " ".join(name for name in toy.turns if name not in (*toy.rotations, "W", "M")),
        coordinates,
        tuple(Plain(each.name) for each in coordinates),
    )
    fixed = {name: " ".join(puzzle.orbit(name).places) for name in toy.frames}
    methods = [Method("proving", "by coordinates", (phase,), Optimal(), fixed)]
    for more in (derive_methods, lambda each: (puzzlekit.universal_method(each),)):
        try:
            methods += more(puzzle)
        except DeclarationError:
            continue
    return Solver(puzzle, methods, store)


def _declared(toy: Toy) -> Puzzle:
    orbits = tuple(
        Orbit(
            orbit.name,
            "piece",
            tuple(str(i + 1) for i in range(orbit.size)),
            orbit.orientations,
            orbit.labels,
        )
        for orbit in toy.orbits
    )
    turns = {}
    for family, turn in toy.turns.items():
        gather: list[int] = []
        add: list[int] = []
        for orbit in toy.orbits:
            start, offset = toy.starts[orbit.name], len(gather)
            own = [came - start for came in turn.source[start : start + orbit.size]]
            gather += [offset + came for came in own]
            add += [0] * orbit.size
            if orbit.orientations > 1:
                gather += [offset + orbit.size + came for came in own]
                add += turn.add[start : start + orbit.size]
        turns[family] = bytes(gather), bytes(add)
    metrics = tuple(
        puzzlekit.Metric(each.name, each.name, each.weights, per_turn=each.per_turn)
        for each in toy.metrics
    )
    constraints: list[Any] = [Frame(name) for name in toy.frames]
    for orbit in toy.orbits:
        start = toy.starts[orbit.name]
        sums = [sum(turn.add[start : start + orbit.size]) for turn in toy.turns.values()]
        lawful = all(each % orbit.orientations == 0 for each in sums)
        if orbit.orientations > 1 and lawful and orbit.name not in toy.frames:
            constraints.append(OrientationSum(orbit.name))
    found: list[set[str]] = []
    for number in range(1, len(toy.orbits) + 1):
        for group in combinations(toy.orbits, number):
            names = {orbit.name for orbit in group}
            if any(each <= names for each in found):
                continue
            if all(_is_even(toy, turn.source, names) for turn in toy.turns.values()):
                found.append(names)
                constraints.append(EvenParity(tuple(orbit.name for orbit in group)))
    return Puzzle(
        "made", "Made", orbits, turns, metrics, toy.rotations, constraints=tuple(constraints)
    )


def _is_even(toy: Toy, source: Sequence[int], names: set[str]) -> bool:
    places = [p for p in range(len(source)) if toy.orbit_at(p).name in names]
    crossed = sum(source[a] > source[b] for a, b in combinations(places, 2))
    return crossed % 2 == 0


def _coordinates(puzzle: Puzzle) -> Iterator[Any]:
    sums = {each.orbit for each in puzzle.constraints if isinstance(each, OrientationSum)}
    for orbit in puzzle.orbits:
        if orbit.name in puzzle.frames and orbit.orientations == 1:
            continue
        if orbit.name not in puzzle.frames:
            yield Permutation(f"{orbit.name}-places", puzzle, orbit.name)
        if orbit.orientations > 1:
            summed = orbit.name in sums
            yield Orientation(f"{orbit.name}-turns", puzzle, orbit.name, "", summed)


class Asked:
    """One puzzle under question. Each method asks a kind of question and counts its claims."""

    def __init__(self, toy: Toy, rng: Random, store: TableStore) -> None:
        self.toy = toy
        self.rng = rng
        self.solver = solver_of(toy, store)
        self.count: Counter[str] = Counter()
        self.asked = ""
        self.wrong: list[str] = []

    # --- translations ---------------------------------------------------------------------------

    def state(self, codes: Sequence[int]) -> bytes:
        """A state as puzzlekit writes it."""
        if not self.toy.rotations:
            return self.solver.positions.from_written(state_text(self.toy, codes))  # type: ignore[attr-defined]
        found = b""
        for orbit in self.toy.orbits:
            start = self.toy.starts[orbit.name]
            own = [int(code) for code in codes[start : start + orbit.size]]
            found += bytes(code // orbit.orientations for code in own)
            if orbit.orientations > 1:
                found += bytes(code % orbit.orientations for code in own)
        return found

    def codes(self, state: bytes) -> bytes:
        """The codes of a state of puzzlekit."""
        if not self.toy.rotations:
            return read_state(self.toy, self.solver.positions.written(state))  # type: ignore[attr-defined]
        found: list[int] = []
        offset = 0
        for orbit in self.toy.orbits:
            labels = state[offset : offset + orbit.size]
            offset += orbit.size
            turned = bytes(orbit.size)
            if orbit.orientations > 1:
                turned = state[offset : offset + orbit.size]
                offset += orbit.size
            found += [a * orbit.orientations + b for a, b in zip(labels, turned, strict=True)]
        return bytes(found)

    def metric(self, name: str) -> Metric:
        return next(each for each in self.toy.metrics if each.name == name)

    def starts(self) -> Iterator[int]:
        """The numbers of some states: the solved one, one near it, and random ones."""
        yield 0
        yield int(self.rng.choice([end for end in self.toy.following[0] if end >= 0] or [0]))
        for _ in range(STATES - 2):
            yield self.rng.randrange(len(self.toy.states))

    @property
    def is_group(self) -> bool:
        """Whether the states are the elements of the group of the moves."""
        distinct = all(len(set(orbit.labels)) == orbit.size for orbit in self.toy.orbits)
        return distinct and not self.toy.forbidden

    # --- checks ---------------------------------------------------------------------------------

    def claim(self, kind: str, holds: bool, words: Callable[[], str] | str) -> None:
        """Count a claim, and note it if it does not hold."""
        self.count[kind] += 1
        if not holds:
            said = words if isinstance(words, str) else words()
            self.wrong.append(f"{kind}: {self.asked}: {said}")

    def check_answer(
        self,
        found: Any,
        start: int,
        far: Distances,
        moves: Sequence[Move],
        metric: Metric,
    ) -> None:
        """Compare a solution with the distances: it must be a way, and claim no more than true."""
        toy = self.toy
        text = " ".join(found.moves)
        sequence = toy.named(text)
        cost = sum(map(metric.cost, sequence))
        end = toy.end(start, sequence)
        allowed = {move.turn for move in moves}
        self.claim("allowed", all(m.turn in allowed for m in sequence), f"not allowed: {text}")
        self.claim("solves", end >= 0 and far[end] == 0, f"{text} does not end at the goal")
        self.claim("cost", cost == found.cost, f"{text} costs {cost}, not {found.cost}")
        self.claim("none", far[start] > 0 or cost == 0, f"at the goal, but {text} is the answer")
        if found.optimal:
            self.claim("optimal", cost == far[start], f"{text}: {far[start]} would be enough")
        at_least = found.at_least <= far[start]
        self.claim("at least", at_least, f"at least {found.at_least}, but {far[start]}")

    def check_none(self, error: Exception, start: int, far: Distances) -> None:
        """An error says that no moves reach the goal; no limit was set that it could mean."""
        self.claim(
            "ends", f"within {PATIENCE:g} s" not in str(error), f"{error}; right: {far[start]}"
        )
        self.claim("no such state", far[start] == FAR, f"{error}, but {far[start]} moves do")

    # --- questions ------------------------------------------------------------------------------

    def ask_methods(self) -> None:
        """`solve`, by every method in every metric of it."""
        toy, solver = self.toy, self.solver
        for method in solver.methods:
            limits: dict[str, Any] = {"timeout": PATIENCE}
            own = solver
            if method.name == "universal":
                share = OF_FEW if toy.moduli == (3, 3, 3) else UNIVERSAL
                if not toy.forbidden and self.rng.random() > share:
                    continue
                limits = {"max_nodes": 20_000}
                quick = attrs.evolve(method, strategy=method.strategy.interpreted())
                own = Solver(solver.puzzle, [quick], solver.store, positions=solver.positions)
            for metric in toy.metrics:
                if method.metrics and metric.name not in method.metrics:
                    continue
                far = toy.distances(toy.is_solved, toy.searched, metric)
                for start in (*self.starts(), *self.starts()):
                    self.asked = f"method {method.name}, {metric.name}, state {start}"
                    state = self.state(toy.states[start])
                    try:
                        found = own.solve(state, method=method.name, metric=metric.name, **limits)
                    except Exception as error:
                        self.claim("crash", False, f"{type(error).__name__}: {error}")
                        continue
                    self.check_answer(found, start, far, toy.searched, metric)

    def ask_moves(self) -> None:
        """`solve`, `shortest` and `solutions` with some of the moves."""
        if self.toy.forbidden:
            return
        for _ in range(2):
            text, moves = draw_moves(self.rng, self.toy)
            self.ask_search(text, moves, None, self.toy.is_solved)

    def ask_goals(self) -> None:
        """The same for random goals, with all moves or some of them."""
        if self.toy.forbidden:
            return
        for _ in range(4):
            goal = draw_goal(self.rng, self.toy)
            text, moves = draw_moves(self.rng, self.toy)
            if self.rng.random() < 0.4:
                families = [name for name in self.toy.turns if name not in self.toy.rotations]
                text, moves = ",".join(families), list(self.toy.searched)
            self.ask_search(text, moves, goal, goal.met)

    def ask_search(self, text: str, moves: Sequence[Move], goal: Goal | None, met: Any) -> None:
        toy, solver = self.toy, self.solver
        metric = self.rng.choice(toy.metrics)
        far = toy.distances(met, moves, metric)
        options: dict[str, Any] = {"moves": text, "metric": metric.name, "timeout": PATIENCE}
        if goal is not None:
            options["goal"] = goal.text
        for start in self.starts():
            self.asked = f"goal {goal and goal.text}, moves {text}, {metric.name}, state {start}"
            state = self.state(toy.states[start])
            try:
                found = solver.solve(state, **options)
            except NoSolutionError as error:
                self.check_none(error, start, far)
            except UsageError as error:
                self.refused(error)
                return
            except Exception as error:
                self.claim("crash", False, f"{type(error).__name__}: {error}")
            else:
                self.check_answer(found, start, far, moves, metric)
            if far[start] < FAR and not self.wrong and self.rng.random() < 0.5:
                self.ask_lists(state, start, far, moves, metric, options)

    def refused(self, error: UsageError) -> None:
        """A question may be refused with a reason, which is no claim; a fault inside is none."""
        self.count["refused"] += 1
        self.claim("words", "different names" not in str(error), str(error))

    def ask_lists(
        self,
        state: bytes,
        start: int,
        far: Distances,
        moves: Sequence[Move],
        metric: Metric,
        options: dict[str, Any],
    ) -> None:
        """`shortest` and `solutions`: nothing is missing, nothing is wrong."""
        toy = self.toy
        right = list(islice(toy.shortest(start, far, moves, metric), LISTED + 1))
        if len(right) <= LISTED:
            found = [tuple(toy.named(str(each))) for each in self.solver.shortest(state, **options)]
            self.check_list(found, right, moves, metric)
        most = int(far[start]) + 1
        right = list(islice(toy.within(start, far, moves, metric, most), LISTED + 1))
        if len(right) <= LISTED:
            listed = self.solver.solutions(state, max_length=most, **options)
            found = [tuple(toy.named(str(each))) for each in listed]
            self.check_list(found, right, moves, metric)

    def check_list(
        self,
        found: Sequence[tuple[Move, ...]],
        right: Sequence[tuple[Move, ...]],
        moves: Sequence[Move],
        metric: Metric,
    ) -> None:
        turns = [tuple(move.turn for move in each) for each in right]
        known = set(turns)
        for each in found:
            own = tuple(move.turn for move in each)
            self.claim("listed", own in known, lambda each=each: f"listed: {_text(each)}")
        self.claim("once", len(set(found)) == len(found), "a sequence is listed twice")
        listed = {tuple(move.turn for move in each) for each in found}
        for each in right:
            same = self.toy.equivalent(each, moves, metric)
            alike = any(tuple(m.turn for m in other) in listed for other in same)
            self.claim("all", alike, lambda each=each: f"not listed: {_text(each)}")
            if not alike:
                return

    def ask_states(self) -> None:
        """`check`: states that the moves do not reach are refused, the others are not."""
        toy, rng = self.toy, self.rng
        for _ in range(4):
            codes = [int(code) for code in toy.states[rng.randrange(len(toy.states))]]
            place = rng.randrange(len(codes))
            own = toy.orbit_places(place)
            if rng.random() < 0.5:
                other = rng.choice(own)
                codes[place], codes[other] = codes[other], codes[place]
            else:
                turns = toy.moduli[place]
                codes[place] = codes[place] - codes[place] % turns + rng.randrange(turns)
            self.asked = f"check, state {codes}"
            reached = toy.number(codes) is not None
            try:
                state = self.solver.state(self.state(codes))
            except StateError as error:
                self.claim("no such state", not reached, str(error))
                continue
            if reached:
                self.claim("state", True, "")
            elif not toy.rotations and self.is_group:
                self.claim("state", False, f"{state.hex()} is not refused")

    @property
    def is_declared_whole(self) -> bool:
        """Whether the constraints of a declared puzzle describe exactly the states that it has."""
        toy = self.toy
        if not toy.rotations:
            return True
        constraints = self.solver.puzzle.constraints
        sums = {each.orbit for each in constraints if isinstance(each, OrientationSum)}
        own = [orbit for orbit in toy.orbits if orbit.name not in toy.frames]
        parities = [
            sum(1 << i for i, orbit in enumerate(own) if orbit.name in each.orbits)
            for each in constraints
            if isinstance(each, EvenParity)
        ]
        number = 1
        for orbit in toy.orbits:
            free = orbit.size - (orbit.name in sums)
            number *= orbit.orientations**free
            number *= math.factorial(orbit.size) if orbit in own else 1
        number >>= _rank(parities)
        return number == int((toy.seen == np.arange(len(toy.states))).sum())

    def ask_draws(self) -> None:
        """Random states, and random states at a goal: reachable, all of them, equally likely."""
        toy, rng, solver = self.toy, self.rng, self.solver
        if toy.forbidden or not self.is_declared_whole:
            return
        self.asked = "random states"
        drawn = [self.codes(solver.random_state(rng.randrange(1 << 30))) for _ in range(DRAWS)]
        for codes in drawn:
            self.claim("drawn", toy.number(codes) is not None, f"{codes.hex()} is drawn")
        for _ in range(2):
            self.ask_goal_draws(draw_goal(rng, toy))

    def ask_goal_draws(self, goal: Goal) -> None:
        toy, rng, solver = self.toy, self.rng, self.solver
        unwanted = draw_goal(rng, toy) if rng.random() < 0.4 else None
        self.asked = f"draws at {goal.text} not {unwanted and unwanted.text}"
        met = goal.met & ~toy.is_solved
        if unwanted is not None:
            met &= ~unwanted.met
        if toy.frames:  # drawn as held in the usual way
            met &= toy.seen == np.arange(len(toy.states))
        try:
            states = GoalStates(
                solver,
                solver.goal(goal.text),
                None if unwanted is None else solver.goal(unwanted.text),
            )
            if states.count is not None:
                self.claim("count", states.count == met.sum(), f"{states.count}, not {met.sum()}")
            draws = Random(rng.randrange(1 << 30))
            number = min(20 * int(met.sum()), 240) or 1
            drawn = Counter(toy.number(self.codes(states.draw(draws))) for _ in range(number))
        except UsageError as error:
            if "no state" in str(error) or "rare" in str(error):
                self.claim("no such state", not met.any(), f"{error}, but there are {met.sum()}")
            self.count["refused"] += 1
            return
        for each in drawn:
            good = each is not None and bool(met[each])
            self.claim("drawn", good, f"state {each} is drawn")
        size = int(met.sum())
        if states.even and number >= 20 * size:
            fit = sum((drawn[i] - number / size) ** 2 for i in np.flatnonzero(met)) * size / number
            bound = size - 1 + 6 * math.sqrt(2 * size) + 12  # far beyond chance
            self.claim("even", fit < bound, f"chi-square {fit:.0f} of {size} states: {drawn}")

    def ask_numbers(self) -> None:
        """`distribution`: the number of states at each distance."""
        toy = self.toy
        if toy.forbidden:
            return
        for metric in toy.metrics:
            self.asked = f"distribution, {metric.name}"
            try:
                found = distribution(self.solver, metric=metric.name)
            except UsageError:
                self.count["refused"] += 1
                continue
            method = self.solver.method(found.method)
            if toy.rotations and method.phases[0].goal_turns == "":
                moves = [m for m in toy.searched if m.family not in ("W", "M")]
                goal = np.arange(len(toy.states)) == 0
            else:
                moves, goal = list(toy.searched), toy.is_solved
            from_goal = _outward(toy, goal, moves, metric)
            right = np.bincount(from_goal[from_goal < FAR])
            same = list(found.states) == right.tolist()
            self.claim("numbers", same, f"{list(found.states)}, not {right.tolist()}")

    def ask_words(self) -> None:
        """What a definition says about the number of its states."""
        if self.toy.rotations or self.toy.forbidden:
            return
        order = self.solver.reach.order  # type: ignore[attr-defined]
        if order and self.is_group:
            self.claim("order", order == len(self.toy.states), f"{order} states")

    def questions(self) -> tuple[Callable[[], None], ...]:
        """Every kind of question."""
        return (
            self.ask_methods,
            self.ask_moves,
            self.ask_goals,
            self.ask_states,
            self.ask_draws,
            self.ask_numbers,
            self.ask_words,
        )


def _rank(rows: Sequence[int]) -> int:
    """The number of independent rows, each a set of bits."""
    basis: list[int] = []
    for row in rows:
        for other in basis:
            row = min(row, row ^ other)
        if row:
            basis.append(row)
    return len(basis)


def _text(sequence: Sequence[Move]) -> str:
    return " ".join(move.name for move in sequence)


def _outward(toy: Toy, goal: Any, moves: Sequence[Move], metric: Metric) -> Distances:
    """The least cost from the goal to each state."""
    found = np.where(goal, 0, FAR)
    columns = [(toy.moves.index(move), metric.cost(move)) for move in moves]
    while True:
        before = found.copy()
        for column, cost in columns:
            np.minimum.at(found, toy.following[:, column], np.minimum(before + cost, FAR))
        if (found == before).all():
            return found
