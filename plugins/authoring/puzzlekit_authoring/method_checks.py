"""Checks of the search of a phase, of the methods of a puzzle, and of their answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

import attrs

from puzzlekit import Limits, Method, Metric, Move, Puzzle, Solution
from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.engine.automaton import Automaton
from puzzlekit.engine.fill import COMPILED
from puzzlekit.errors import NoSolutionError, NotationError, PuzzlekitError, UsageError
from puzzlekit.puzzle.symmetry import relabelled
from puzzlekit.search.budget import Budget
from puzzlekit.search.move_order import move_order
from puzzlekit.search.options import profile_keys, profiles
from puzzlekit.search.outcome import goal_fault
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork
from puzzlekit.tables.goals import goal_flags
from puzzlekit_authoring.checks import METHOD, PHASE, CheckSkipped, Target, check, fail, skip
from puzzlekit_authoring.coordinate_checks import CLOSED, MOVED, RANKS, own_phase
from puzzlekit_authoring.engines import installed, interpreted, plain
from puzzlekit_authoring.move_checks import COUNTED, HAS_MOVES, ORDERS, SOUND, after
from puzzlekit_authoring.table_checks import assembled_phase, make_search, method_at_hand, needs_of

KEPT = "later phases keep what earlier ones achieved"
FIXED = "fixed places stay as they are"
SOLVED = "scrambles are solved"
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 25)
_DEEPEST = 12  # largest cost to which breadth-first search goes
_TIMES = 3  # how often a commutator is repeated at most
_SMALL = 2 << 20  # largest tables, in bytes, that are built for metrics besides the default


def unpruned(moves: Sequence[Move], puzzle: Puzzle) -> Automaton:
    """Return an automaton that allows every possible move.

    The automaton has one state for each place of the guarding piece.
    """
    if puzzle.guarded is None:
        return [[(number, 0) for number in range(len(moves))]]
    return [
        [(n, move.guard_after) for n, move in enumerate(moves) if move.guard_before == at]
        for at in range(puzzle.guarded.size)
    ]


def reached(
    puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int], limit: int, automaton: Automaton
) -> dict[bytes, int]:
    """Return the least cost of every state that the sequences of an automaton reach within a limit.

    >>> import puzzlekit
    >>> puzzle = puzzlekit.load("cube2").puzzle
    >>> turns = puzzle.family_moves("URF")
    >>> len(reached(puzzle, turns, [1] * 9, 2, unpruned(turns, puzzle)))
    64
    """
    least: dict[bytes, int] = {}
    levels: list[set[tuple[bytes, int]]] = [set() for _ in range(limit + 1)]
    # With a guard, the automaton begins with one state per place of the guarding piece.
    levels[0].add((puzzle.solved, puzzle.place_of_guard(puzzle.solved)))
    done: set[tuple[bytes, int]] = set()
    for spent, level in enumerate(levels):
        for node in level - done:
            done.add(node)
            state, at = node
            least.setdefault(state, spent)
            for number, following in automaton[at]:
                if spent + costs[number] <= limit and not puzzle.obstacle(state, moves[number]):
                    moved = puzzle.apply(state, [moves[number]])
                    levels[spent + costs[number]].add((moved, following))
    return least


@check("the automaton loses no state", PHASE, needs=(HAS_MOVES, ORDERS, COUNTED))
def automaton(target: Target) -> None:
    """Canonical sequences reach every state at the same cost as all sequences."""
    _, puzzle, moves = own_phase(target)
    if not target.method.strategy.needs_coordinates:
        skip("its strategy searches without coordinates")
    for metric in target.metrics:
        costs = [metric.cost(move) for move in moves]
        needs = target.plan(metric).resolved(target.phase)
        allowed = move_order(needs).automaton
        for limit in range(1, _DEEPEST + 1):
            few = reached(puzzle, moves, costs, limit, allowed)
            every = reached(puzzle, moves, costs, limit, unpruned(moves, puzzle))
            if few != every:
                state = next(state for state, cost in every.items() if few.get(state) != cost)
                fail(
                    f"one of {len(every):,} states within {limit} {metric.name}, at the cost "
                    f"{every[state]}, is only reached by a pruned sequence (state {state.hex(' ')})"
                )
            if len(every) * len(moves) > target.effort.states:
                break


@check("interpreted and compiled searches agree", PHASE, needs=(COUNTED, RANKS, CLOSED, MOVED))
def alike(target: Target) -> None:
    """The interpreted engine finds the same moves as the compiled engine, with the same nodes."""
    _, puzzle, moves = own_phase(target)
    if not COMPILED:
        skip("the engine is not compiled here")
    metric = target.metrics[0] if target.metrics else skip("it is searched by steps only")
    if not target.method.strategy.needs_coordinates:
        skip("its strategy searches without coordinates")
    needs_of(target, metric)
    if make_search(target, metric):
        return _alike_from_both_sides(target, metric)
    compiled = assembled_phase(target, metric)
    with interpreted():
        slow = assembled_phase(target, metric)
    for length in (0, 1, 2, 3, 4, 6, 9):
        path = [move for move, _ in target.walk(moves, length)]
        state = puzzle.apply(puzzle.solved, path)
        found = []
        for assembled, engine in ((compiled, installed()), (slow, plain())):
            search = engine.Search(assembled.space)
            assembled.start(search, puzzle, state, 4 * length + 4)
            status = search.run(max(200, target.effort.nodes // 200))
            found.append(
                (status, search.path, search.generated_nodes, search.expanded_nodes, search.f_bound)
            )
        if found[0] != found[1]:
            fail(
                f"after {' '.join(move.name for move in path)} the compiled search ends with "
                f"{found[0]}, the interpreted one with {found[1]} (status, moves, generated, "
                "expanded, bound)"
            )


def _alike_from_both_sides(target: Target, metric: Metric) -> None:
    """Compare all answers within a bound, and the numbers of nodes."""
    _, puzzle, moves = own_phase(target)
    paths = [[move for move, _ in target.walk(moves, length)] for length in range(5)]

    def searched() -> list[object]:
        make = make_search(target, metric)
        assert make is not None
        found: list[object] = []
        for path in paths:
            task = BoundTask(len(path), 0, Budget(Limits()), everything=True)
            work = BoundWork()
            answers = list(make(puzzle.apply(puzzle.solved, path)).search(task, work))
            found.append((answers, work.generated, work.expanded))
        return found

    compiled = searched()
    with interpreted():
        slow = searched()
    for path, one, other in zip(paths, compiled, slow, strict=True):
        if one != other:
            fail(
                f"after {' '.join(move.name for move in path)} the compiled search ends with "
                f"{one}, the interpreted one with {other} (answers, generated, expanded)"
            )


@check(KEPT, METHOD, needs=(COUNTED, RANKS, CLOSED, MOVED))
def kept(target: Target) -> None:
    """No move of a later phase leads away from the goal of an earlier one."""
    puzzle, method = target.puzzle, target.method
    if len(method.phases) == 1:
        skip("it has one phase")
    for number, later in enumerate(method.phases):
        if later.view is not None:
            continue
        for earlier in method.phases[:number]:
            own = earlier.own_puzzle(puzzle)
            goals = earlier.kept(own), earlier.goal_states(own)
            flags = [
                (each, goal_flags(target.solver.store, each, *goals))
                for each in earlier.coordinates
                if earlier.view is None and each.size <= target.effort.values
            ]
            for _ in range(max(2, target.effort.samples // 20)):
                names = []
                for move, state in target.walk(later.allowed(puzzle), 12):
                    names.append(move.name)
                    for coordinate, at_goal in flags:
                        value = coordinate.rank(state)
                        if not 0 <= value < coordinate.size or not at_goal[value]:
                            fail(
                                f"moves of the phase {later.name} lead away from the goal of the "
                                f"phase {earlier.name}: after {' '.join(names)} the coordinate "
                                f"{coordinate.name} is {value}, which is not a goal: check its "
                                "goal_moves, and the moves of the later phase"
                            )


@check(FIXED, METHOD, needs=(HAS_MOVES, SOUND))
def fixed(target: Target) -> None:
    """Renaming pieces can solve the fixed places, and no move changes the fixed places."""
    puzzle, method = target.puzzle, target.method
    if not method.fixed and not method.strategy.relabel:
        skip("it has no fixed places and does not rename pieces")
    if method.strategy.relabel and len(puzzle.whole_rotations) < 2:
        fail("relabel=True is for puzzles with rotations: this puzzle has none")
    places = puzzle.bytes_at(method.fixed)
    for phase in method.phases:
        for move in phase.allowed(puzzle) if phase.view is None else ():
            if any(move.gather[byte] != byte or move.add[byte] for byte in places):
                fail(f"the move {move.name} of the phase {phase.name} moves fixed places")
    for state in target.states(target.all_moves, target.effort.samples):
        for seen in relabelled(puzzle, method.fixed, state, method.strategy.relabel):
            if any(seen[byte] != puzzle.solved[byte] for byte in places):
                fail("after renaming a state, the fixed places are not solved")


def check_whole(plan: Plan) -> None:
    """Raise a DeclarationError if the goals of a method certainly leave pieces unsolved.

    The check looks for moves that change the solved puzzle but not the value of any coordinate. It
    tries single moves. If the coordinates do not read all pieces, it also tries commutators. The
    check can prove that a method is wrong, but not that a method is right.
    """
    puzzle = plan.puzzle
    if plan.goal is not None:  # each answer is tested
        return
    if all(not phase.coordinates for phase in plan.phases):  # the goal is the solved puzzle
        return
    if puzzle.guard is not None or any(phase.view is not None for phase in plan.phases):
        return
    coordinates = plain_coordinates([each for phase in plan.phases for each in phase.coordinates])
    # Most moves change the largest coordinate, so the others are rarely computed.
    largest_first = sorted(coordinates, key=lambda each: -each.size)
    told = [(each, each.rank(puzzle.solved)) for each in largest_first]
    try:
        every = (phase.allowed(puzzle) for phase in plan.phases)
        allowed = dict.fromkeys(move for moves in every for move in moves)
    except NotationError:  # reported when the phases are prepared
        return
    read = {byte for each in coordinates for byte in each.reads}
    moved = {j for move in allowed for j, source in enumerate(move.gather) if source != j}
    for moves in _tried(puzzle, tuple(allowed), commutators=not moved <= read):
        state = puzzle.apply(puzzle.solved, moves)
        if all(each.rank(state) == value for each, value in told) and not puzzle.is_solved(state):
            names = " ".join(move.name for move in moves)
            raise goal_fault(plan, f"after {names} from the solved state", state)


def _tried(puzzle: Puzzle, moves: Sequence[Move], commutators: bool) -> Iterator[tuple[Move, ...]]:
    """Single moves, then repeated commutators of one move per family."""
    yield from ((move,) for move in moves)
    first = {move.family: move for move in reversed(moves)}
    for one, other in permutations(first.values(), 2) if commutators else ():
        if not puzzle.commute(one, other):
            commutator = (one, other, puzzle.inverse(one), puzzle.inverse(other))
            yield from (commutator * times for times in range(1, _TIMES + 1))


@check(SOLVED, METHOD, needs=(COUNTED, RANKS, CLOSED, MOVED, SOUND, KEPT, FIXED))
def solves(target: Target) -> None:
    """Each answer solves its scramble, move by move, and has the stated cost.

    Before the search, the goals of the method are tested for pieces that they leave unsolved.
    """
    metric = target.solver.metric(target.method.name)
    for own in profiles(target.method, metric):
        check_whole(target.solver.chooser.plan(own, metric))
    method_at_hand(target)
    for path in _scrambles(target):
        answer = _solve(target, path)
        if answer is None:
            break
        _replay(target.puzzle, target.method, path, answer)


@check("states near the goal have short answers", METHOD, needs=(SOLVED,))
def nearly(target: Target) -> None:
    """The solved puzzle needs no move, and a state after one move needs at most one move."""
    method_at_hand(target)
    puzzle, method = target.puzzle, target.method
    answer = target.solver.solve(puzzle.solved, **target.search_options()._asdict())
    if answer.moves:
        fail(f"the answer for the solved puzzle is {answer}: it has to have no moves")
    metric = target.solver.metric(method.name)
    first = method.phases[0]
    moves = first.allowed(puzzle) if first.view is None and metric.counts else ()
    possible = target.possible(moves, puzzle.solved)
    for move in target.random.sample(possible, min(6, len(possible))):
        found = _solve(target, [move])
        undone = metric.cost(puzzle.inverse(move))
        if found is not None and len(method.phases) == 1 and found.cost > undone:
            fail(f"after {move.name} the answer {found} costs {found.cost}, not {undone}")


@check("two threads agree with one", METHOD, needs=(SOLVED,))
def threads(target: Target) -> None:
    """Answers of two threads are right. Proven answers are as short as with one thread."""
    method_at_hand(target)
    for path in list(_scrambles(target))[1:8:3]:
        one = _solve(target, path)
        with _all_shared():
            two = _solve(target, path, threads=2)
        if one is None or two is None:
            break
        _replay(target.puzzle, target.method, path, two)
        if one.optimal and two.optimal and one.cost != two.cost:
            fail(
                f"after {_text(path)} one thread proves the length {one.cost}, two threads "
                f"{two.cost}"
            )


@contextlib.contextmanager
def _all_shared() -> Iterator[None]:
    """Split every search of a proving method over threads, not only long searches."""
    from puzzlekit.search.strategies import bounds

    before, bounds.SHARED_FROM = bounds.SHARED_FROM, 0
    try:
        yield
    finally:
        bounds.SHARED_FROM = before


def _scrambles(target: Target) -> Iterator[list[Move]]:
    """Yield scrambles of growing length over all moves of the puzzle."""
    moves = target.all_moves
    for length in _LENGTHS:
        yield [move for move, _ in target.walk(moves, length)]


def _solve(target: Target, path: list[Move], threads: int = 1) -> Solution | None:
    """Return an answer, or None if the search reached the limit of nodes first."""
    state, max_nodes = target.puzzle.apply(target.puzzle.solved, path), target.effort.nodes
    options = target.search_options()._asdict()
    try:
        return target.solver.solve(state, **options, max_nodes=max_nodes, threads=threads)
    except NoSolutionError as error:
        if len(path) > 2:
            return None
        fail(f"{_text(path)} is not solved within {max_nodes:,} nodes: {error}")


def _replay(puzzle: Puzzle, method: Method, path: list[Move], answer: Solution) -> None:
    """Fail if an answer does not solve a scramble, move by move."""
    state = tuple(puzzle.solved)
    for move in path:
        state = after(puzzle, state, move)
    for name in answer.moves:
        (move,) = puzzle.moves(name)
        state = after(puzzle, state, move)
    if bytes(state) not in puzzle.solved_states:
        fail(f"the answer to {_text(path)} does not solve it: {answer}")
    if not answer.verified:
        fail(f"the answer to {_text(path)} was not replayed")
    metric = puzzle.metric(answer.metric)
    if metric.counts and answer.cost != metric.total(puzzle.moves(str(answer))):
        fail(f"the answer {answer} does not have the stated cost {answer.cost} {metric.name}")
    if method.strategy.proves and answer.optimal and answer.at_least != answer.cost:
        fail(f"the answer {answer} is stated as shortest, but the bound is {answer.at_least}")


def _text(path: list[Move]) -> str:
    return " ".join(move.name for move in path) or "no move"


@check("breadth-first search finds no shorter answer", METHOD, needs=(SOLVED,))
def undercut(target: Target) -> None:
    """Near the goal, breadth-first search finds no answer shorter than a claimed least length."""
    puzzle, method = target.puzzle, target.method
    for metric in _ready_metrics(target):
        near, limit = _near(target, metric)
        larger = list(_small_profiles(target, metric))
        for state, words in _states(target, max(8, target.effort.samples // 5), limit, near):
            least = _least(puzzle, near, state)
            if not least:
                continue
            found = _answer(target, method, state, metric)
            others = (_answer(target, own, state, metric) for own in larger)
            for answer in (found, *others):
                if answer is not None:
                    _compare(answer, least, words, f"breadth-first search finds one of {least}")
            if len(method.phases) == 1 and found is not None and found.optimal:
                _listed(target, state, metric, least, words)


@check("methods do not contradict each other", METHOD, needs=(SOLVED,))
def contradicted(target: Target) -> None:
    """No other method finds an answer shorter than a claimed least length."""
    puzzle, method = target.puzzle, target.method
    others = [each for each in target.solver.methods if each is not method]
    if not others:
        skip("it is the only method")
    for metric in _ready_metrics(target):
        known = [each for each in others if metric in target.solver.catalogue.metrics(each.name)]
        for state, words in _states(target, max(6, target.effort.samples // 20), 10):
            if puzzle.is_solved(state):
                continue
            found = _answer(target, method, state, metric)
            if found is None or not found.at_least:
                continue
            for other in known:
                with contextlib.suppress(CheckSkipped):
                    method_at_hand(target, other, metric)
                    answer = _answer(target, other, state, metric)
                    if answer is not None:
                        _compare(found, answer.cost, words, f"{other.name} finds {answer}")


def _ready_metrics(target: Target) -> Iterator[Metric]:
    """Yield the default metric, and metrics whose tables are on disk or small."""
    if not target.metrics:
        skip("it is searched by steps only")
    first, *others = target.metrics
    method_at_hand(target, metric=first)
    yield first
    few = target.effort._replace(build=min(_SMALL, target.effort.build))
    for metric in others:
        with contextlib.suppress(CheckSkipped):
            method_at_hand(attrs.evolve(target, effort=few), metric=metric)
            yield metric


def _small_profiles(target: Target, metric: Metric) -> Iterator[Method]:
    """Yield the method with each larger profile whose tables are small."""
    for own in profiles(target.method, metric)[1:]:
        keys = profile_keys(target.solver.chooser.plan, own, metric)
        if sum(key.nbytes for key in keys) <= min(_SMALL, target.effort.build):
            yield own


def _near(target: Target, metric: Metric) -> tuple[Mapping[bytes, int], int]:
    """Return the least cost of each state near the goal, and the limit of these costs.

    Only the solved state counts as the goal, not its rotations.
    """
    puzzle = target.puzzle
    moves = [move for move in puzzle.searched(target.turns) if metric.cost(move) > 0]
    # The walk goes backwards, so a step costs as much as the move that it undoes.
    back = [puzzle.inverse(move) for move in moves]
    costs = [metric.cost(move) for move in moves]
    found: Mapping[bytes, int] = {puzzle.solved: 0}
    for limit in range(1, _DEEPEST + 1):
        found = reached(puzzle, back, costs, limit, unpruned(back, puzzle))
        if len(found) * len(moves) > target.effort.states:
            break
    return found, limit


def _least(puzzle: Puzzle, near: Mapping[bytes, int], state: bytes) -> int | None:
    """Return the least cost of solving a state in any way of holding it; None if unknown."""
    seen = (puzzle.relabel(state, held) for held in puzzle.whole_rotations)
    return min((near[each] for each in seen if each in near), default=None)


def _states(
    target: Target, count: int, longest: int, near: Mapping[bytes, int] | None = None
) -> Iterator[tuple[bytes, str]]:
    """Yield states after a few random moves and rotations, each with these moves as text.

    If the costs of the states `near` the goal are given, every second state is one of the farthest:
    each of its moves leads away from the goal.
    """
    puzzle = target.puzzle
    rotations = puzzle.family_moves(puzzle.rotations)
    for number in range(count):
        if near and number % 2:
            path = list(_outward(target, near))
        else:
            path = list(target.walk(target.turns, 1 + number % longest))
        names, state = [move.name for move, _ in path], path[-1][1] if path else puzzle.solved
        if rotations and number % 4:  # up to two rotations of the whole puzzle
            for move, turned in target.walk(rotations, 1 + number % 2, state):
                names.append(move.name)
                state = turned
        yield state, " ".join(names)


def _outward(target: Target, near: Mapping[bytes, int]) -> Iterator[tuple[Move, bytes]]:
    """Yield random moves from the solved state, each to a state of a larger least cost."""
    state = target.puzzle.solved
    while True:
        after = [
            (move, target.puzzle.apply(state, [move]))
            for move in target.possible(target.turns, state)
        ]
        farther = [each for each in after if near.get(each[1], -1) > near[state]]
        if not farther:
            return
        move, state = target.random.choice(farther)
        yield move, state


def _answer(target: Target, method: Method, state: bytes, metric: Metric) -> Solution | None:
    """Return the answer of a method, or None if the method finds no answer."""
    options = target.search_options(method, metric)._asdict()
    try:
        return target.solver.solve(state, **options, max_nodes=target.effort.nodes)
    except NoSolutionError:
        return None
    except PuzzlekitError:
        if method.name == target.method.name:
            raise
        return None  # faults of another method are found by its own checks


def _compare(found: Solution, least: int, words: str, how: str) -> None:
    """Fail if an answer claims a higher least cost than `least`."""
    where = f"after {words} the answer {found} costs {found.cost} {found.metric}"
    if found.optimal and found.cost > least:
        fail(f"{where} and is claimed to be the shortest, but {how}")
    if found.at_least > least:
        fail(f"{where}, with the claimed lower bound {found.at_least}, but {how}")
    if len(found.phases) == 1 and found.phases[0].optimal and found.cost > least:
        fail(f"{where}, and its phase is claimed to be the shortest, but {how}")


def _listed(target: Target, state: bytes, metric: Metric, least: int, words: str) -> None:
    """Fail if a method that lists all solutions misses the shortest ones."""
    method = target.method
    listed = target.solver.solutions(
        state,
        method=method.name,
        metric=metric,
        profile=method.profile or None,
        max_length=least,
        max_nodes=target.effort.nodes,
    )
    try:
        found = next(listed, None)
    except (NoSolutionError, UsageError):
        return
    if found is None:
        fail(
            f"after {words} no solution of at most {least} {metric.name} is listed, but "
            "breadth-first search finds one"
        )
