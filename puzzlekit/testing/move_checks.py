"""Checks of a puzzle's moves, their notation and the metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlekit.errors import NotationError, PuzzlekitError
from puzzlekit.puzzle.machine import Machine
from puzzlekit.puzzle.move import Effect, Move, powers, product
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.testing.check import PUZZLE, check, fail, skip
from puzzlekit.testing.target import Target

WHOLE = "moves carry whole pieces"
ORDERS = "moves have the declared orders"
COUNTED = "metrics count every move"


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


@check(WHOLE, PUZZLE)
def whole(target: Target) -> None:
    """Each move carries a piece with its orientation, and stays within an orbit."""
    puzzle = target.puzzle
    size = len(puzzle.solved)
    listed = list(effects(puzzle))
    if not listed:
        fail("it has no moves")
    for family, (gather, add) in listed:
        for part, name in ((gather, "gather"), (add, "add")):
            wanted = tuple if part is gather and size > 256 else bytes
            if not isinstance(part, wanted):
                kind, form = type(part).__name__, wanted.__name__
                fail(f"{name} of the move {family} is a {kind}: it has to be {form}: {form}([...])")
        if len(gather) != size or len(add) != size:
            fail(
                f"the move {family} has gather and add of {len(gather)} and {len(add)} bytes; "
                f"a state has {size}, so both need {size}"
            )
        if sorted(gather) != list(range(size)):
            byte = next(byte for byte in range(size) if gather.count(byte) != 1)
            times = gather.count(byte) or "nowhere"
            fail(
                f"the move {family} is no permutation: {byte_name(puzzle, byte)} goes "
                f"{times if times == 'nowhere' else f'to {times} places'}"
            )
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            for place in range(orbit.size):
                here = start + place
                at = f"the move {family} at {orbit.places[place]} ({orbit.name})"
                if not start <= gather[here] < start + orbit.size:
                    fail(f"{at}: it brings {byte_name(puzzle, gather[here])} there")
                if add[here]:
                    fail(f"{at}: add is {add[here]}, but labels are only moved: it has to be 0")
                if orbit.orientations == 1:
                    continue
                turned = here + orbit.size
                if gather[turned] != gather[here] + orbit.size:
                    fail(
                        f"{at}: it brings {byte_name(puzzle, gather[here])}, but "
                        f"{byte_name(puzzle, gather[turned])}: the orientation has to come "
                        "from the same place as the piece"
                    )
                if add[turned] >= orbit.orientations:
                    fail(
                        f"{at}: add is {add[turned]}, but it has to be less than "
                        f"{orbit.orientations}, the number of orientations"
                    )


@check(ORDERS, PUZZLE, needs=(WHOLE,))
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


@check("moves commute as declared", PUZZLE, needs=(WHOLE,))
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


@check("rotations and reflections fit the moves", PUZZLE, needs=(WHOLE,))
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


@check("notation reads what it writes", PUZZLE, needs=(WHOLE,))
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
    for spelling in puzzle.aliases:
        if not puzzle.moves(spelling):
            fail(f"the alias {spelling} is read as no moves")
    for _ in range(target.effort.samples):
        sequence = tuple(move for move, _ in target.walk(moves, 8))
        text = " ".join(move.name for move in sequence)
        if puzzle.moves(text) != sequence:
            fail(f"{text} is not read back as it is written")
        there, back = puzzle.moves(text), puzzle.moves(f"({text})'")
        if puzzle.apply(puzzle.solved, there + back) != puzzle.solved:
            fail(f"({text})' does not undo {text}")


@check(COUNTED, PUZZLE, needs=(WHOLE,))
def metrics(target: Target) -> None:
    """A rotation of the whole puzzle costs 0, and any other move costs at least 1."""
    puzzle = target.puzzle
    if not puzzle.metrics:
        fail("it has no metric, so no answer has a length")
    for metric in puzzle.metrics:
        if isinstance(metric, Machine):
            metric.check(puzzle)
            continue
        for move in target.all_moves:
            if move.family not in metric.weights:
                fail(f"the metric {metric.name} gives no weight to {move.family}")
            cost = metric.cost(move)
            if move.family in puzzle.rotations and cost:
                fail(f"the rotation {move.name} costs {cost} in {metric.name}; it has to cost 0")
            if move.family not in puzzle.rotations and cost < 1:
                fail(
                    f"the move {move.name} costs {cost} in {metric.name}: only rotations of the "
                    "whole puzzle may be free, because the search would not end"
                )
        sequence = target.random.choices(target.all_moves, k=10)
        if metric.total(sequence) != sum(metric.cost(move) for move in sequence):
            fail(f"the total of {metric.name} is not the sum of its costs")
