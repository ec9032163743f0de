"""Checks of a puzzle's moves and metrics, of its states and their faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import attrs

from puzzlekit import EvenParity, Frame, Move, Orbit, OrientationSum, Puzzle
from puzzlekit.errors import NotationError, PuzzlekitError
from puzzlekit.puzzle.diagnose import diagnose, state_parity
from puzzlekit.puzzle.move import Effect, powers, product
from puzzlekit.puzzle.orbit import Blocks, Constraint, GuardParity
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.step_metric import StepMetric
from puzzlekit_authoring.checks import PUZZLE, Target, check, fail, skip

HAS_MOVES = "it has moves"
ORDERS = "moves have the declared orders"
COUNTED = "metrics count every move"
SOUND = "states that moves reach are sound"
DRAWN = "random states are sound"


def done(puzzle: Puzzle, state: Sequence[int], effect: Effect) -> tuple[int, ...]:
    """Return a state after a move, computed from the definition of a move alone."""
    gather, add = effect
    return tuple(
        (state[source] + more) % (modulus or 256)
        for source, more, modulus in zip(gather, add, puzzle.modulus, strict=True)
    )


def after(puzzle: Puzzle, state: Sequence[int], move: Move) -> tuple[int, ...]:
    """Return a state after a move that may have a guard. Fail if the move is impossible."""
    case = move.cases[puzzle.place_of_guard(bytes(state))] if move.cases else move
    if case is None:
        fail(f"{move.name} is impossible in a state in which it is to be applied")
    return done(puzzle, state, case.effect)


def effects(puzzle: Puzzle) -> Iterator[tuple[str, Effect]]:
    """Yield the name and effect of each base move. A move with a guard has several effects."""
    yield from puzzle.turns.items()
    if puzzle.guard is not None:
        places = puzzle.orbit(puzzle.guard.orbit).places
        for family, cases in puzzle.guard.cases.items():
            for place, effect in zip(places, cases, strict=False):
                if effect is not None:
                    yield f"{family} with the guarding piece at {place}", effect


def marked(target: Target) -> tuple[int, ...]:
    """Return a state with different labels in each orbit and random orientations."""
    modulus = target.puzzle.modulus
    return tuple(target.random.randrange(m) if m else i % 128 for i, m in enumerate(modulus))


def byte_name(puzzle: Puzzle, byte: int) -> str:
    """Describe a byte of a state.

    >>> import puzzlekit
    >>> byte_name(puzzlekit.load("cube2").puzzle, 8)
    'the turn at ULB (corners)'
    """
    for orbit in puzzle.orbits:
        at = byte - puzzle.offsets[orbit.name]
        if 0 <= at < orbit.width:
            what = "the turn" if at >= orbit.size else "the piece"
            return f"{what} at {orbit.places[at % orbit.size]} ({orbit.name})"
    return f"byte {byte}"


@check(HAS_MOVES, PUZZLE)
def has_moves(target: Target) -> None:
    """There are moves. (A puzzle whose moves tear pieces apart cannot be made.)"""
    if not list(effects(target.puzzle)):
        fail("it has no moves")


@check(ORDERS, PUZZLE, needs=(HAS_MOVES,))
def orders(target: Target) -> None:
    """The order of a move is its smallest power without effect."""
    puzzle = target.puzzle
    start = marked(target)
    for family in puzzle.families:
        for case in puzzle.move(family).cases:
            if case is not None:
                back = puzzle.inverse(case)
                if done(puzzle, done(puzzle, start, case.effect), back.effect) != start:
                    fail(f"{back.name} does not undo {case.name}")
    for family in puzzle.turns:
        base = puzzle.move(family)
        state = start
        for amount in range(1, base.order):
            state = done(puzzle, state, base.effect)
            move = puzzle.move(family, amount)
            if done(puzzle, start, move.effect) != state:
                fail(f"{move.name} is not {family} done {amount} times")
            if puzzle.apply(bytes(start), [move]) != bytes(state):
                fail(f"{move.name} changes a state in another way than its gather and add say")
            if state == start:
                fail(f"{family} done {amount} times has no effect, but its order is {base.order}")
            back = puzzle.inverse(move)
            if done(puzzle, state, back.effect) != start:
                fail(f"{back.name} does not undo {move.name}")
        if done(puzzle, state, base.effect) != start:
            fail(f"{family} done {base.order} times has an effect, but its order is {base.order}")


@check("moves commute as declared", PUZZLE, needs=(HAS_MOVES,))
def commuting(target: Target) -> None:
    """Two moves are declared to commute exactly if both orders have the same effect."""
    puzzle = target.puzzle
    moves = target.all_moves
    if puzzle.guarded is not None:
        _commuting_cases(target)
        return
    start = marked(target)
    for _ in range(target.effort.samples):
        one, other = target.random.choices(moves, k=2)
        first = done(puzzle, done(puzzle, start, one.effect), other.effect)
        alike = first == done(puzzle, done(puzzle, start, other.effect), one.effect)
        if puzzle.commute(one, other) and not alike:
            fail(
                f"{one.name} and {other.name} do not commute, but Puzzle.commute says that they do"
            )
        if alike and not puzzle.commute(one, other):
            fail(f"{one.name} and {other.name} commute, but Puzzle.commute says that they do not")


def _commuting_cases(target: Target) -> None:
    """Check moves with a guard, from reachable states."""
    puzzle = target.puzzle
    moves = target.all_moves

    def end(state: bytes, *path: Move) -> bytes | None:
        try:
            return puzzle.apply(state, path)
        except NotationError:  # impossible in this state
            return None

    for state in target.states(moves, target.effort.samples):
        one, other = target.random.choices(moves, k=2)
        if puzzle.commute(one, other) and end(state, one, other) != end(state, other, one):
            fail(
                f"{one.name} and {other.name} do not commute, but Puzzle.commute says that they do"
            )


@check("rotations and reflections fit the moves", PUZZLE, needs=(HAS_MOVES,))
def mirrored(target: Target) -> None:
    """Rotations and reflections name moves, and mirrored products have the same orders."""
    puzzle = target.puzzle
    if not puzzle.rotations and not puzzle.reflections:
        skip("the puzzle has no rotations and no reflections")
    for family in puzzle.rotations:
        if family not in puzzle.turns:
            fail(f"the rotation {family} is not a move of the puzzle")
    for mirror in puzzle.reflections:
        if set(mirror) - set(puzzle.turns) or {image for image, _ in mirror.values()} != set(
            mirror
        ):
            fail(f"a reflection has to permute its moves: {dict(mirror)}")
        families = list(mirror)
        for _ in range(target.effort.samples):
            word = target.random.choices(families, k=target.random.randint(1, 4))
            here = _order(puzzle, [puzzle.move(family) for family in word])
            images = [puzzle.move(mirror[each][0], mirror[each][1]) for each in word]
            there = _order(puzzle, images)
            if here != there:
                fail(
                    f"a reflection maps {' '.join(word)} to "
                    f"{' '.join(move.name for move in images)}, but their orders are {here} and "
                    f"{there}"
                )


def _order(puzzle: Puzzle, moves: Sequence[Move]) -> int:
    effect = product([move.effect for move in moves], puzzle.modulus)
    return len(powers(effect, puzzle.modulus)) + 1


@check("notation reads what it writes", PUZZLE, needs=(HAS_MOVES,))
def notation(target: Target) -> None:
    """Reading the names of moves, inverses and random sequences gives the same moves."""
    puzzle = target.puzzle
    moves = target.all_moves
    for move in moves:
        try:
            read = puzzle.moves(move.name)
        except PuzzlekitError as error:
            fail(f"the name of the move {move.name!r} cannot be read: {error}")
        if read != (move,):
            fail(f"{move.name} is read as {' '.join(each.name for each in read) or 'nothing'}")
        inverse = puzzle.moves(f"({move.name})'")
        if inverse != (puzzle.inverse(move),):
            fail(f"({move.name})' is not read as the inverse of {move.name}")
    for spelling, (_, amount) in puzzle.aliases.items():
        if amount and not puzzle.moves(spelling):
            fail(f"the alias {spelling} is read as no moves")
    for _ in range(target.effort.samples):
        sequence = tuple(move for move, _ in target.walk(moves, 8))
        text = " ".join(move.name for move in sequence)
        if puzzle.moves(text) != sequence:
            fail(f"{text} is not read back as it is written")
        there, back = puzzle.moves(text), puzzle.moves(f"({text})'")
        if puzzle.apply(puzzle.solved, there + back) != puzzle.solved:
            fail(f"({text})' does not undo {text}")


@check(COUNTED, PUZZLE, needs=(HAS_MOVES,))
def metrics(target: Target) -> None:
    """A rotation of the whole puzzle costs 0, and any other move costs at least 1.

    In a metric that only strategies without coordinates search, other moves may be free, too.
    """
    puzzle = target.puzzle
    searched = {
        name
        for method in target.solver.methods
        if method.strategy.needs_coordinates
        for name in method.metrics or [metric.name for metric in puzzle.metrics]
    }
    if not puzzle.metrics:
        fail("it has no metric, so no answer has a length")
    for metric in puzzle.metrics:
        if isinstance(metric, StepMetric):
            metric.check(puzzle)
            continue
        for move in target.all_moves:
            if move.family not in metric.weights:
                fail(f"the metric {metric.name} gives no weight to {move.family}")
            cost = metric.cost(move)
            if move.family in puzzle.rotations and cost:
                fail(f"the rotation {move.name} costs {cost} in {metric.name}; it has to cost 0")
            if move.family not in puzzle.rotations and cost < 1 and metric.name in searched:
                fail(
                    f"the move {move.name} costs {cost} in {metric.name}: only rotations of the "
                    "whole puzzle may be free, because the search would not end"
                )
        sequence = target.random.choices(target.all_moves, k=10)
        if metric.total(sequence) != sum(metric.cost(move) for move in sequence):
            fail(f"the total of {metric.name} is not the sum of its costs")


@check(SOUND, PUZZLE, needs=(HAS_MOVES,))
def sound(target: Target) -> None:
    """Neither the solved state nor any state that moves reach has a fault."""
    puzzle = target.puzzle
    if faults := diagnose(puzzle, puzzle.solved):
        fail(f"the constraints report a fault of the solved state: {faults[0]}")
    if not puzzle.is_solved(puzzle.solved):
        fail("the solved state does not count as solved")
    moves = target.all_moves
    for move in target.possible(moves, puzzle.solved):
        if faults := diagnose(puzzle, puzzle.apply(puzzle.solved, [move])):
            fail(
                f"the move {move.name} breaks a constraint: after it, the solved state has the "
                f"fault: {faults[0]}"
            )
    for _ in range(max(1, target.effort.samples // 10)):
        names = []
        for move, state in target.walk(moves, 20):
            names.append(move.name)
            if faults := diagnose(puzzle, state):
                fail(f"after {' '.join(names)} the constraints report a fault: {faults[0]}")


_MOST_POINTS = 100  # pieces in each orientation, whose group takes a fraction of a second


@check(DRAWN, PUZZLE, needs=(SOUND,))
def drawn(target: Target) -> None:
    """Random states have no faults, and are not all the same."""
    puzzle = target.puzzle
    states = [random_state(puzzle, target.random) for _ in range(target.effort.samples)]
    for state in states:
        if faults := diagnose(puzzle, state):
            fail(f"the constraints report a fault of a random state: {faults[0]}")
    if len(set(states)) == 1:
        fail("all random states are the solved state: the constraints allow no other")


@check("random states can be reached", PUZZLE, needs=(DRAWN,))
def reached(target: Target) -> None:
    """Moves can reach the parities and orientation sums that random states have."""
    puzzle = target.puzzle
    if puzzle.guarded is not None:
        skip("the effect of its moves depends on the place of a piece")
    totals = _totals(puzzle)
    moves = [
        [each.of(puzzle.apply(puzzle.solved, [move])) for each in totals]
        for move in target.all_moves
    ]
    states = [random_state(puzzle, target.random) for _ in range(target.effort.samples)]
    for orbit in puzzle.orbits:
        if advice := _parted(puzzle, orbit, states):
            fail(f"no moves reach some random states: {advice}")
    drawn = [[each.of(state) for each in totals] for state in states]
    for size in (1, 2, 3):
        for some in combinations(range(len(totals)), size):
            chosen = [totals[i] for i in some]
            sums = _sums([[move[i] for i in some] for move in moves], chosen)
            if any(tuple(state[i] for i in some) not in sums for state in drawn):
                what = " and ".join(map(str, chosen))
                fail(
                    "no moves reach some random states: the constraints do not describe how moves "
                    f"link {what}{_advice(chosen, sums)}"
                )
    if order := _smaller_group(puzzle, states):
        fail(
            f"no moves reach some random states: of the states that the constraints allow, moves "
            f"reach {order:,} only; a Law can say which, and its settle can draw them"
        )


def _smaller_group(puzzle: Puzzle, states: Sequence[bytes]) -> int:
    """Return the order of the group of moves if a state is not in it, else 0.

    Return 0, too, for puzzles with alike pieces, or for which finding the group may take long.
    """
    points = sum(orbit.size * orbit.orientations for orbit in puzzle.orbits)
    if points > _MOST_POINTS or not all(orbit.distinct for orbit in puzzle.orbits):
        return 0
    if puzzle.forbidden or puzzle.blocks:
        return 0  # the states form no group
    from sympy.combinatorics import Permutation, PermutationGroup

    def permutation(state: bytes) -> Permutation:
        """Return where each piece in each orientation goes."""
        found: list[int] = []
        for orbit in puzzle.orbits:
            start, many = len(found), orbit.orientations
            found += [0] * (orbit.size * many)
            labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
            for place, (label, turn) in enumerate(zip(labels, turns, strict=True)):
                home = orbit.solved.index(label)
                for side in range(many):
                    to = start + place * many + (side + turn) % many
                    found[start + home * many + side] = to
        return Permutation(found)

    moves = [puzzle.apply(puzzle.solved, [puzzle.move(family)]) for family in puzzle.turns]
    group = PermutationGroup([permutation(state) for state in moves])
    inside = all(group.contains(permutation(state)) for state in states)
    return 0 if inside else int(group.order())


def _parted(puzzle: Puzzle, orbit: Orbit, states: Sequence[bytes]) -> str:
    """Return advice on an orbit if a state has a piece where no moves take it; "" if none has."""
    parts = {place: {place} for place in range(orbit.size)}
    start = puzzle.offsets[orbit.name]
    for gather, _ in puzzle.turns.values():
        for place in range(orbit.size):
            source = parts[gather[start + place] - start]
            if parts[place] is not source:
                source |= parts[place]
                parts.update(dict.fromkeys(parts[place], source))
    for place, part in parts.items():
        home = {orbit.solved[each] for each in part}
        if all(puzzle.labels(state, orbit)[place] in home for state in states):
            continue
        if len(part) == 1 and all(len(each) == 1 for each in parts.values()):
            frame = Frame(orbit.name)
            return f"no move takes a piece of {orbit.name} to another place; {frame} says so"
        names = " ".join(orbit.places[each] for each in sorted(part))
        return (
            f"of the {orbit.name}, those at {names} never come to the other places; make them an "
            "orbit of their own"
        )
    return ""


@attrs.frozen
class _Total:
    """A number of a state that each move changes by a constant: a parity or orientation sum."""

    puzzle: Puzzle
    orbit: Orbit
    parity: bool

    @property
    def modulus(self) -> int:
        return 2 if self.parity else self.orbit.orientations

    def of(self, state: bytes) -> int:
        if not self.parity:
            return sum(self.puzzle.orientations(state, self.orbit)) % self.modulus
        return state_parity(self.puzzle, [self.orbit], state)

    def __str__(self) -> str:
        what = "parity" if self.parity else "sum of the orientations"
        return f"the {what} of the {self.orbit.name}"


def _totals(puzzle: Puzzle) -> list[_Total]:
    """Return the totals of a puzzle. Orbits with alike pieces have no parity."""
    found = []
    for orbit in puzzle.orbits:
        if orbit.orientations > 1 and orbit.name not in puzzle.frames:
            found.append(_Total(puzzle, orbit, parity=False))
        if orbit.distinct:
            found.append(_Total(puzzle, orbit, parity=True))
    return found


def _sums(steps: Iterable[Sequence[int]], totals: Sequence[_Total]) -> set[tuple[int, ...]]:
    """Return all sums of steps, starting from 0."""
    steps = set(map(tuple, steps))
    found = {(0,) * len(totals)}
    left = list(found)
    while left:
        at = left.pop()
        for step in steps:
            to = tuple((a + b) % each.modulus for a, b, each in zip(at, step, totals, strict=True))
            if to not in found:
                found.add(to)
                left.append(to)
    return found


def _advice(totals: Sequence[_Total], sums: set[tuple[int, ...]]) -> str:
    """Return advice on the missing constraint."""
    names = [each.orbit.name for each in totals]
    if all(each.parity for each in totals) and not any(sum(each) % 2 for each in sums):
        return f"; {EvenParity(tuple(names))} does"
    if len(totals) == 1 and sums == {(0,)}:
        return f"; {OrientationSum(names[0])} does"
    return "; a Law can"


@check("faults of a state are reported", PUZZLE, needs=(SOUND,))
def told(target: Target) -> None:
    """Duplicate pieces and broken constraints are reported as faults."""
    puzzle = target.puzzle
    moves = target.all_moves
    for state in target.states(moves, max(4, target.effort.samples // 10)):
        for orbit in puzzle.orbits:
            labels = puzzle.labels(state, orbit)
            other = next((i for i in range(1, orbit.size) if labels[i] != labels[0]), None)
            if other is not None and not diagnose(
                puzzle, _put(puzzle, state, orbit, 0, labels[other])
            ):
                name = orbit.label_name(labels[other])
                fail(f"a state with {orbit.piece} {name} twice has no fault")
        for constraint in puzzle.constraints:
            spoilt = _broken(puzzle, state, constraint)
            if spoilt is not None and not diagnose(puzzle, spoilt):
                fail(f"a state that breaks {constraint} has no fault")


def _broken(puzzle: Puzzle, state: bytes, constraint: Constraint) -> bytes | None:
    """Return the state after a change that breaks a constraint.

    Return None if no single change breaks the constraint.
    """
    if isinstance(constraint, OrientationSum):
        orbit = puzzle.orbit(constraint.orbit)
        at = puzzle.offsets[orbit.name] + orbit.size
        turned = (state[at] + 1) % orbit.orientations
        return state[:at] + bytes([turned]) + state[at + 1 :]
    places: list[int] = []
    if isinstance(constraint, EvenParity):
        # Exchanging two pieces of a frame may give another valid holding.
        name = next((name for name in constraint.orbits if name not in puzzle.frames), None)
        places = [0, 1]
    elif isinstance(constraint, GuardParity):
        name = constraint.orbit
        at = puzzle.place_of_guard(state)
        places = [place for place in range(puzzle.orbit(name).size) if place != at][:2]
    elif isinstance(constraint, Blocks) and len(constraint.blocks[0].split()) > 1:
        name = constraint.orbit
        places = [puzzle.orbit(name).place(block.split()[0]) for block in constraint.blocks[:2]]
    else:
        return None
    if name is None or len(places) < 2 or puzzle.orbit(name).size < 2:
        return None
    orbit = puzzle.orbit(name)
    one, other = (puzzle.labels(state, orbit)[place] for place in places)
    return _put(puzzle, _put(puzzle, state, orbit, places[0], other), orbit, places[1], one)


def _put(puzzle: Puzzle, state: bytes, orbit: Orbit, place: int, label: int) -> bytes:
    at = puzzle.offsets[orbit.name] + place
    return state[:at] + bytes([label]) + state[at + 1 :]


@check("ways of holding it fit the solved state", PUZZLE, needs=(HAS_MOVES,))
def held(target: Target) -> None:
    """A rotation keeps the puzzle solved, and renaming its pieces undoes the rotation."""
    puzzle = target.puzzle
    if not puzzle.rotations:
        skip("it has no rotations")
    moves = target.all_moves
    for move in puzzle.family_moves(puzzle.rotations):
        turned = puzzle.apply(puzzle.solved, [move])
        if not puzzle.is_solved(turned):
            fail(f"after the rotation {move.name} the solved puzzle does not count as solved")
    for state in target.states(moves, max(2, target.effort.samples // 20)):
        for holding in puzzle.whole_rotations:
            seen = puzzle.relabel(state, holding)
            if puzzle.is_solved(seen) != puzzle.is_solved(state):
                fail("renaming the pieces by a rotation makes a solved state unsolved")
            move = target.random.choice(moves)
            if puzzle.relabel(puzzle.apply(state, [move]), holding) != puzzle.apply(seen, [move]):
                fail(
                    f"renaming the pieces by a rotation does not commute with {move.name}: does "
                    "each rotation turn the whole puzzle?"
                )
