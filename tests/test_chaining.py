"""Chaining phases: choices, recolouring, goal moves, limits, and the six phases of the 4x4x4."""

from __future__ import annotations

import itertools
import random
import threading
import time
import tracemalloc
from collections.abc import Iterable
from string import ascii_uppercase
from typing import Any

import attrs
import pytest
from bundled import COMPILED, engine_space, stickers
from engines import engine, interpreted, plain  # noqa: F401 (a fixture)

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Heuristic,
    Method,
    Metric,
    Move,
    NoSolutionError,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    Sequential,
    Solution,
    Solver,
)
from puzzlekit.engine.inputs import CoordinateInput
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.budget import OUT_OF_LIMITS, Budget
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.limits import Limits
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies import short_answers
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.tables.goals import goals
from puzzlekit_twophase import Anytime

CUBE2 = puzzlekit.load("cube2")
CUBE4 = puzzlekit.load("cube4")
BIG = CUBE4.puzzle
SIX = CUBE4.method("six-phase")
EXAMPLE = (
    "R2 B2 F2 D2 R2 B2 D F2 D' F2 D B' F' D' F2 R U F2 L D' Rw2 Fw2 U R' U' D2 Fw2 F2 L Uw2 D' L "
    "U2 Fw' R Uw2 U2 B L Uw' D' Rw Uw2 B Rw R"
)
HEURISTICS = ["max", "sum", "max-sd", "euclid", "blended"]
needs_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")


def replay(solution: Solution, start: str) -> None:
    cube = stickers("cube4")
    assert cube.is_solved(cube.replay(start, str(solution)))


def random_cube4(seed: int) -> bytes:
    return random_state(BIG, random.Random(seed))


# --- a small method of two phases: the 2x2x2, first turned, then permuted ------------------------

TURNED = Orientation("turned", CUBE2.puzzle, "corners")
PLACED = Permutation("placed", CUBE2.puzzle, "corners")
TURN = Phase("turn", "all corners turned", "U R F", (TURNED,), ("turned",), goal_moves="U R2 F2")
PLACE = Phase("place", "solved", "U R2 F2", (PLACED, TURNED), ("placed",))
FIXED = CUBE2.method("optimal").fixed


def two_steps(**changes: Any) -> Solver:
    given: dict[str, Any] = {"fixed": FIXED, "metrics": ("HTM",), **changes}
    phases = given.pop("phases", (TURN, PLACE))
    method = Method("two-steps", "turn, then place", phases, **given)
    return Solver(CUBE2.puzzle, [method], CUBE2.store)


def lengths(solver: Solver, states: Iterable[bytes]) -> list[list[int]]:
    return [[part.cost for part in solver.solve(state).phases] for state in states]


STATES = [CUBE2.random_state(seed) for seed in range(20)]


def test_more_choices_leave_the_first_phase_as_short_and_shorten_the_second() -> None:
    one = lengths(two_steps(), STATES)
    many = lengths(two_steps(strategy=Sequential(choices=50)), STATES)
    assert [first for first, _ in one] == [first for first, _ in many]
    assert all(chosen <= any_ for (_, any_), (_, chosen) in zip(one, many, strict=True))
    assert sum(map(sum, many)) < sum(map(sum, one))


def test_the_best_choice_is_taken() -> None:
    """With a second phase whose table is exact, no answer of the first as short leads to better."""
    solver = two_steps(strategy=Sequential(choices=10_000))
    chain = solver.prepared()
    first, second = chain.phases
    for state in STATES[:8]:
        normal = chain.normal(state)
        turning, placing = (part.cost for part in solver.solve(state).phases)
        search = engine.Search(first.space, exact=True)
        first.start(search, CUBE2.puzzle, normal, turning)
        found = []
        while search.run(1 << 40) == FOUND:
            reached = CUBE2.puzzle.apply(normal, [first.moves[i] for i in search.path])
            found.append(second.estimate(CUBE2.puzzle, reached))
            assert search.spent_here == turning
        assert placing == min(found)


@pytest.mark.slow
def test_where_later_phases_fail_the_next_answer_is_tried() -> None:
    """With a limit that the cheapest first phase does not allow, a longer one is found."""
    free, optimal = two_steps(strategy=Sequential(choices=5)), CUBE2
    longer = 0
    for state in STATES:
        least = optimal.solve(state, method="optimal").cost
        solution = free.solve(state, max_length=least)
        assert solution.cost <= least
        shortest = free.solve(state)
        longer += solution.phases[0].cost > shortest.phases[0].cost
        for part in shortest.phases:
            assert part.optimal
        first = solution.phases[0]
        assert first.optimal == (first.cost == shortest.phases[0].cost)
        with pytest.raises(NoSolutionError):
            free.solve(state, max_length=least - 1)
    assert longer


def test_goal_moves_make_goals() -> None:
    """The orbit of the solved state under the goal moves, in the full state."""
    moves = CUBE2.puzzle.moves("U R2 F2")
    every = spread([CUBE2.puzzle.solved], CUBE2.puzzle, moves, 4)
    flags = goals(CUBE2.store, TURNED, moves)
    assert len(flags) == TURNED.size
    assert {i for i in range(TURNED.size) if flags[i]} == {TURNED.rank(state) for state in every}


def spread(
    start: Iterable[bytes], puzzle: puzzlekit.Puzzle, moves: Iterable[Move], depth: int
) -> set[bytes]:
    seen = set(start)
    layer = set(seen)
    for _ in range(depth):
        layer = {puzzle.apply(state, [move]) for state in layer for move in moves} - seen
        seen |= layer
    return seen


def test_recolouring_starts_nearest_to_the_first_goal() -> None:
    turn = attrs.evolve(TURN, moves="U R F D L B")
    plan = Plan(CUBE2.puzzle, (turn,), CUBE2.puzzle.metric(), CUBE2.store)
    chain = Sequential(relabel=True).prepared(plan)
    (phase,) = chain.phases
    moved = 0
    for state in STATES:
        images = [CUBE2.puzzle.relabel(state, held) for held in CUBE2.puzzle.whole_rotations]
        estimates = [phase.estimate(CUBE2.puzzle, image) for image in images]
        normal = chain.normal(state)
        assert normal in images
        assert phase.estimate(CUBE2.puzzle, normal) == min(estimates)
        moved += estimates[0] > min(estimates)
    assert moved


def test_recolouring_keeps_what_is_fixed() -> None:
    chain = two_steps(strategy=Sequential(relabel=True)).prepared()
    plain_chain = two_steps().prepared()
    for state in STATES:
        assert chain.normal(state) == plain_chain.normal(state)


# --- what is refused ----------------------------------------------------------------------------


class Stranger(Permutation):
    """Ranks otherwise, so that the program of its kind does not fit any more."""

    def rank(self, vector: Any) -> Any:
        return super().rank(vector)


class Constant(Heuristic):
    name = "constant"

    def join(self, distances: Any) -> Any:
        return distances[0] * 0 + 70_000


class Failing(Heuristic):
    name = "failing"

    def join(self, distances: Any) -> Any:
        return sum(distances) if sum(map(isinstance, distances, [int] * 9)) else int("many")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"strategy": Sequential(choices=0)}, "method two-steps: choices must be 1 or more, not 0"),
        (
            {"strategy": "improve"},
            r"strategy has to be a record such as Sequential\(\), not",
        ),
        ({"strategy": Anytime(premoves=-1)}, "seconds and finish_nodes must be 0 or more"),
        ({"strategy": Anytime(finish_nodes=-1)}, "seconds and finish_nodes must be 0 or more"),
        ({"strategy": Anytime(premoves_after=())}, "premoves_after needs at least one"),
        ({"phases": (TURN, TURN)}, "phases need different names"),
        ({"phases": ()}, "phases need different names"),
    ],
)
def test_mistakes_in_a_method_are_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        two_steps(**changes)


@pytest.mark.parametrize(
    ("phase", "problem"),
    [
        ({"goal_moves": "U Q2"}, "phase turn: its moves: column 1: 'Q2'"),
        ({"moves": "U R Fw2"}, "phase turn: its moves: column 1: 'Fw2'"),
        (
            {"coordinates": (Stranger("s", CUBE2.puzzle, "corners", "URF UFL", "URF UFL ULB UBR"),)}
            | {"tables": ()},
            "coordinate s is not closed under the move R2: the move brings in pieces",
        ),
        (
            {"coordinates": (Permutation("p", CUBE2.puzzle, "corners", "URF", "UFL ULB"),)}
            | {"tables": (), "goal_moves": ""},
            "coordinate p is not defined at its own goal",
        ),
        (
            {"coordinates": (Permutation("p", CUBE2.puzzle, "corners", "URF", "UFL ULB"),)}
            | {"tables": (), "moves": "D", "goal_moves": "D"},
            "coordinate p is not defined at its own goal",
        ),
    ],
    ids=[
        "goal move",
        "move",
        "not closed",
        "goal outside",
        "spread outside",
    ],
)
def test_mistakes_in_a_phase_are_named(phase: dict[str, Any], problem: str) -> None:
    solver = two_steps(phases=(attrs.evolve(TURN, **phase), PLACE))
    with pytest.raises(DeclarationError, match=problem):
        solver.solve(STATES[0])


@pytest.mark.parametrize(
    ("heuristic", "problem"),
    [
        (
            Constant(),
            "the heuristic constant gives an estimate below 0 or above 65,535 for some distances",
        ),
        (Failing(), "the heuristic failing fails: ValueError: invalid literal"),
    ],
)
def test_heuristics_that_fail_are_named(heuristic: Heuristic, problem: str) -> None:
    both = attrs.evolve(TURN, coordinates=(TURNED, PLACED), tables=("turned", "placed"))
    with pytest.raises(DeclarationError, match=problem):
        two_steps(phases=(both, PLACE)).solve(STATES[0], heuristic=heuristic)


@pytest.mark.parametrize("alone", [{"coordinates": TURNED}, {"tables": "turned"}])
def test_one_alone_is_a_tuple_too(alone: dict[str, Any]) -> None:
    with pytest.raises(DeclarationError, match=r"have to be a tuple; write \(one,\)"):
        attrs.evolve(TURN, **alone)


def test_the_heuristic_of_a_phase_is_a_record() -> None:
    with pytest.raises(DeclarationError, match=r"has to be a record such as Max\(\), not 'max'"):
        attrs.evolve(TURN, heuristic="max")


def test_an_improving_method_takes_neither_ranked_coordinates_nor_views() -> None:
    cube3 = puzzlekit.load("cube3")
    first, second = cube3.method("two-phase").phases
    parts = Permutation("parts", cube3.puzzle, "edges", "UF UR", "UF UR UB UL")
    for changes, problem in (
        ({"coordinates": (*first.coordinates, parts)}, "the phases of Anytime need move tables"),
        ({"view": SIX.phases[-1].view}, "the phases of Anytime cannot have a view"),
    ):
        changed = attrs.evolve(first, **changes)
        method = Method("m", "t", (changed, second), Anytime(), metrics=("HTM",))
        with pytest.raises(DeclarationError, match=problem):
            Solver(cube3.puzzle, [method], cube3.store).prepared()


def test_a_state_that_leaves_the_domain_is_told_with_its_phase() -> None:
    part = Permutation("part", CUBE2.puzzle, "corners", "URF UFL", "URF UFL ULB UBR")
    phase = attrs.evolve(TURN, coordinates=(TURNED, part), goal_moves="U")
    state = CUBE2.state("R U R' U R U2 R'")  # which leaves the two among the four
    assert part.rank(two_steps().prepared().normal(state)) >= 0
    with pytest.raises(DeclarationError, match="phase turn: a state left the domain"):
        two_steps(phases=(phase, PLACE)).solve(state)


def test_the_engine_refuses_what_it_would_read_beyond() -> None:
    identity, moved = (b"\0\1", b"\0\0"), (b"\1\0", b"\0\0")
    for module in (engine, plain()):
        with pytest.raises(ValueError, match="reads bytes"):
            module.Carry([(b"\0\2", b"\0\0")], b"\0\0")
        with pytest.raises(ValueError, match="every carried byte"):
            module.Carry([(b"\0\1", b"\0")], b"\0\0")
        carry = module.Carry([identity, moved], b"\0\0")
        ranked = CoordinateInput(9, (0, 3, 2, 0, 1), [0])
        with pytest.raises(ValueError, match="how every move acts"):
            module.Space([1], [[(0, 0)]], [ranked], [], carry=carry)
        for goal in (-1, 9):
            astray = ranked._replace(goals=[goal])
            with pytest.raises(ValueError, match="outside the values"):
                module.Space([1, 1], [[(0, 0)]], [astray], [], carry=carry)
        with pytest.raises(ValueError, match="2\\^31 values"):
            huge = ranked._replace(size=1 << 31)
            module.Space([1, 1], [[(0, 0)]], [huge], [], carry=carry)
        space = module.Space([1, 1], [[(0, 0)]], [ranked], [], carry=carry)
        with pytest.raises(ValueError, match="a value of every coordinate"):
            module.Search(space).start([], 3, 0, b"\0\0")


# --- limits -------------------------------------------------------------------------------------


def test_a_budget_that_met_a_limit_searches_no_more() -> None:
    chain = two_steps().prepared()
    phase = chain.phases[0]
    far = next(state for state in STATES if phase.estimate(CUBE2.puzzle, chain.normal(state)) > 2)
    for limits in (Limits(max_nodes=1), Limits(timeout=0.0)):
        budget = Budget(limits)
        # Without tables it would take very long.
        optimal = CUBE2.method("optimal").phases[0]
        endless = engine.Search(engine_space(engine, CUBE2, optimal, "HTM", tables=[]))
        endless.start([each.rank(chain.normal(far)) for each in optimal.coordinates], 11)
        assert budget.run(endless) == OUT_OF_LIMITS
        assert budget.over
        search = engine.Search(phase.space)
        phase.start(search, CUBE2.puzzle, chain.normal(far), 20)
        assert budget.run(search) == OUT_OF_LIMITS
        assert search.work == 0


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("most", [40, 44])
def test_time_is_kept_while_answers_are_tried_over_and_over(most: int) -> None:
    CUBE4.prepared("six-phase")
    started = time.process_time()
    with pytest.raises(NoSolutionError, match=f"at most {most} OBTM within 0.3 s"):
        CUBE4.solve(random_cube4(1), method="six-phase", max_length=most, timeout=0.3)
    assert time.process_time() - started < 1.0


@pytest.mark.slow
@needs_compiler
def test_a_search_can_be_cancelled_amid_its_choices() -> None:
    CUBE4.prepared("six-phase")
    cancel = threading.Event()
    timer = threading.Timer(0.3, cancel.set)
    timer.start()
    started = time.process_time()
    with pytest.raises(NoSolutionError, match="cancelled"):
        CUBE4.solve(random_cube4(1), method="six-phase", max_length=40, cancel=cancel)
    assert time.process_time() - started < 1.0
    timer.join()


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("most", [50_000, 3_000_000, 5_000_000])
def test_a_number_of_nodes_gives_the_same_every_time(most: int) -> None:
    def outcome() -> tuple[object, ...]:
        try:
            found = CUBE4.solve(random_cube4(1), method="six-phase", max_nodes=most)
        except NoSolutionError as error:
            return (str(error),)
        assert found.nodes <= most
        return found.moves, found.nodes, found.expanded

    assert outcome() == outcome()


# --- the six phases -----------------------------------------------------------------------------


@pytest.mark.slow
@needs_compiler
def test_the_example_is_solved() -> None:
    cube = stickers("cube4")
    start = cube.replay(cube.solved, EXAMPLE)
    solution = CUBE4.solve(EXAMPLE, method="six-phase")
    assert facelets(BIG, solution.state) == start
    replay(solution, start)
    assert solution.cost <= 60
    assert [part.name for part in solution.phases] == [phase.name for phase in SIX.phases]
    assert all(part.optimal for part in solution.phases)
    assert not solution.optimal


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_random_states_are_solved_with_every_heuristic(heuristic: str) -> None:
    solved = 0
    for seed in (1, 2, 3):
        state = random_cube4(seed)
        try:
            solution = CUBE4.solve(
                state, method="six-phase", heuristic=heuristic, max_nodes=20_000_000
            )
        except NoSolutionError:
            assert heuristic == "sum"  # which may take long to reach a phase's goal
            continue
        replay(solution, facelets(BIG, state))
        # Of one table there is nothing to join; else only the maximum tells what is shortest.
        tables = [len(phase.tables) for phase in SIX.phases]
        for part, count in zip(solution.phases, tables, strict=True):
            assert part.optimal or heuristic != "max"
            assert not part.optimal or heuristic == "max" or count == 1 or not part.moves
        solved += 1
    assert solved >= 2


def reaches(phase: Phase, state: bytes) -> bool:
    """Whether every coordinate is at a goal, by the ranks of states alone."""
    moves = phase.kept(BIG)
    for coordinate in phase.coordinates:
        rank = coordinate.rank(state)
        if not moves:
            if rank not in coordinate.goals:
                return False
        elif not goals(CUBE4.store, coordinate, moves)[rank]:
            return False
    return True


def breadth_first(phase: Phase, state: bytes) -> int:
    """The least number of moves of a phase from a state to its goal."""
    moves = phase.allowed(BIG)
    depth, seen, layer = 0, {state}, [state]
    while not any(reaches(phase, each) for each in layer):
        fresh = dict.fromkeys(BIG.apply(each, [move]) for each in layer for move in moves)
        layer = [each for each in fresh if each not in seen]
        seen.update(layer)
        depth += 1
    return depth


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_phase_takes_its_least_number_of_moves(number: int) -> None:
    phase = SIX.phases[number]
    ready = CompiledPhase(Plan(BIG, (phase,), BIG.metric("OBTM"), CUBE4.store), phase)
    rng = random.Random(number)
    told = {0: 0, 1: 0, 2: 0}
    while min(told.values()) < 2:
        path = rng.choices(phase.allowed(BIG), k=rng.randrange(5))
        after = rng.choices(phase.kept(BIG), k=10) if phase.goal_moves else []
        state = BIG.apply(BIG.apply(BIG.solved, after), path)
        search = engine.Search(ready.space)
        ready.start(search, BIG, state, 20)
        assert search.run(1 << 40) == FOUND
        length = search.spent_here
        if length > 2 or told[length] >= 2:
            continue
        reached = BIG.apply(state, [ready.moves[i] for i in search.path])
        assert reaches(phase, reached)
        assert length == len(search.path) == breadth_first(phase, state)
        told[length] += 1


def outcome(state: bytes) -> list[tuple[object, ...]]:
    chain = Sequential(choices=50).prepared(SIX.plan(BIG, BIG.metric(), CUBE4.store))
    answers: list[tuple[object, ...]] = []
    for answer in chain.search(state, Limits(max_nodes=30_000)):
        moves = tuple(move.name for move in answer.moves or ())
        answers.append((moves, answer.proven, answer.counts, answer.shortest))
    return answers


@pytest.mark.slow
def test_compiled_and_interpreted_answers_are_the_same(request: pytest.FixtureRequest) -> None:
    state = CUBE4.state("U R2 F2 D' L2 Fw2")
    native = outcome(state)
    assert len(native) == 1
    request.getfixturevalue("interpreted")
    assert outcome(state) == native


def test_short_answers_are_proven_only_where_the_first_phase_can_do_all_that_the_puzzle_can() -> (
    None
):
    solver = puzzlekit.load("cube3")
    orient, finish = solver.prepared(heuristic="sum").phases
    metric = solver.puzzle.metric("HTM")
    assert ShortAnswers(solver.puzzle, orient.moves, metric).proven_cost == 4
    half_turns = ShortAnswers(solver.puzzle, finish.moves, metric)
    assert half_turns.proven_cost == 0
    assert half_turns.find(solver.state("R2 U M2")) is not None
    assert half_turns.find(solver.state("R")) is None


def test_states_with_the_same_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a hash has 32 bits, many states of a large cube have that of another one."""
    monkeypatch.setattr(short_answers, "hash", lambda each: hash(each) % 256, raising=False)
    phase = CUBE2.prepared().phases[0]
    short = ShortAnswers(CUBE2.puzzle, phase.moves, CUBE2.puzzle.metric("HTM"))
    for seed in range(5):
        assert short.find(CUBE2.random_state(seed)) is None
    assert short.find(CUBE2.state("R")) is not None


def dials() -> Puzzle:
    """Six dials that turn by themselves, and a ring of five beads."""
    turns = {
        family: (bytes(range(17)), bytes(at == 6 + number for at in range(17)))
        for number, family in enumerate("ABCDEF")
    }
    turns["R"] = bytes([*range(12), 13, 14, 15, 16, 12]), bytes(17)
    orbits = Orbit("dials", "dial", "a b c d e f", 12), Orbit("beads", "bead", "1 2 3 4 5")
    metric = Metric("HTM", "turns", dict.fromkeys(turns, 1))
    return Puzzle("dials", "Dials and beads", orbits, turns, (metric,))


@pytest.mark.parametrize("name", ["clock", "kilominx", "dials"])
def test_states_whose_labels_are_the_same_are_told_apart(name: str) -> None:
    """All dials of a Clock are alike. Corners of a Kilominx can be right, but turned."""
    if name == "dials":
        puzzle = dials()
        moves = puzzle.family_moves("ABCDEFR")
    else:
        solver = puzzlekit.load(name)
        puzzle, moves = solver.puzzle, solver.method().phases[0].allowed(solver.puzzle)
    short, rng = ShortAnswers(puzzle, moves, puzzle.metrics[0]), random.Random(1)
    for count in (0, 1, 2, 3, 4, 4, 4):
        state = puzzle.apply(puzzle.solved, rng.sample(moves, count))
        found = short.find(state)
        assert found is not None and len(found) <= count
        assert puzzle.is_solved(puzzle.apply(state, found))
    turned = bytearray(puzzle.solved)
    for at in [at for at, modulus in enumerate(puzzle.modulus) if modulus][:5:2]:
        turned[at] = 1
    if name == "dials":
        assert len(short.find(bytes(turned)) or ()) == 3
    else:
        assert short.find(bytes(turned)) is None


def test_many_moves_between_few_states_take_little_memory() -> None:
    """Each of 24 states is solved by a hundred pairs of moves. Two such sides make 200,000 answers.

    The loops of a puzzle whose pieces prevent moves are such moves.
    """
    turns = {
        name: (bytes(gather), bytes(4))
        for name, gather in zip(ascii_uppercase, itertools.permutations(range(4)), strict=False)
    }
    del turns["A"]  # which turns nothing
    metric = Metric("HTM", "turns", dict.fromkeys(turns, 1))
    puzzle = Puzzle("few", "Four beads", (Orbit("beads", "bead", "1 2 3 4"),), turns, (metric,))
    short = ShortAnswers(puzzle, puzzle.family_moves(turns), metric)
    tracemalloc.start()
    try:
        for state, count in ((puzzle.solved, 0), (bytes([1, 0, 2, 3]), 1)):
            assert len(short.find(state) or ()) == count
        assert tracemalloc.get_traced_memory()[1] < 4e6
    finally:
        tracemalloc.stop()


def test_the_totals_of_an_improving_search_have_the_time_of_all_threads() -> None:
    chain = puzzlekit.load("cube3").prepared("two-phase")
    limits = Limits(timeout=0.3, threads=2)
    *_, totals = chain.search(chain.normal(puzzlekit.load("cube3").random_state(1)), limits)
    assert totals.moves is None and totals.helpers_cpu > 0
