"""Shortest answers by the search of a state and of its inverse in one tree."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from bundled import COMPILED
from engines import interpreted  # noqa: F401 (a fixture)
from four_corners import CASES, FOUR, TWO, distances
from helping import helped
from hypothesis import given
from hypothesis import strategies as st
from test_cosets import CUBE, CUBE3, STORE, TURNS, case_needs, cube3_needs, cube3_phase

from puzzlekit import (
    DeclarationError,
    Method,
    NoSolutionError,
    Optimal,
    PuzzleEntry,
    SearchOptions,
    Sequential,
    Solution,
    Solver,
    UsageError,
    hookimpl,
)
from puzzlekit.plugins.manager import PluginManager
from puzzlekit.puzzle.symmetry import symmetries
from puzzlekit.search.budget import Budget
from puzzlekit.search.limits import BoundReport, Limits
from puzzlekit.search.method import Profile
from puzzlekit.search.strategies import bounds, tree_search
from puzzlekit.search.strategies.bounds import BoundSearch, BoundTask, BoundWork
from puzzlekit.search.strategies.tree_search import TreeSearch
from puzzlekit_authoring.run import run_checks
from puzzlekit_cubes import ProveBothSides, coset_words, two_sided_search
from puzzlekit_cubes.engine import two_sided
from puzzlekit_cubes.two_sided_search import in_order
from puzzlekit_lab.case import Case as ComparedCase
from puzzlekit_robots import Machine

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"

needs_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")


def sample(name: str, count: int) -> list[bytes]:
    """Some states: one of the farthest ones and any."""
    known = distances(name)
    far = max(known, key=lambda state: known[state])
    return [far, *random.Random(1).sample(sorted(known), count if COMPILED else 5)]


@cache
def solver_of(name: str, base: int = 2, kept: int = 2) -> Solver:
    return CASES[name].solver(STORE, base={"TURNS": base}, kept=kept)


@cache
def cube3() -> Solver:
    """The 3x3x3 with a small table: the cosets without flips."""
    phase, optimal = cube3_phase(0, 4), CUBE3.method("optimal")
    alone = Method("alone", "below nothing", (phase,), ProveBothSides(), fixed=optimal.fixed)
    below = Method(
        "below", "below two-phase", (phase,), ProveBothSides("two-phase"), fixed=optimal.fixed
    )
    methods = [attrs.evolve(each, metrics=("HTM",)) for each in (alone, below)]
    return Solver(CUBE, [*methods, CUBE3.method("two-phase")], STORE)


def make_search(solver: Solver, method: str, state: bytes) -> BoundSearch:
    chain = solver.prepared(method)
    if isinstance(chain, ProveBothSides):
        return chain.tree_search([state])
    assert isinstance(chain, Optimal)
    return TreeSearch(solver.puzzle, chain.phases[0], [state])


def every(search: BoundSearch, bound: int, threads: int = 1) -> tuple[list[Any], int, int]:
    """All answers that cost a bound, and nodes."""
    work = BoundWork()
    likely = 10**9 if threads > 1 else 0
    task = BoundTask(bound, likely, Budget(Limits(threads=threads)), everything=True)
    found = [tuple(path) for path in search.search(task, work)]
    assert work.finished
    return found, work.generated, work.expanded


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds are shared out to threads from the first node on."""
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    monkeypatch.setattr(two_sided_search, "_SPLIT", ((3, 1000), (2, 0)))


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [1, 2, 3])
@pytest.mark.parametrize("name", CASES)
def test_answers_are_shortest(name: str, base: int) -> None:
    known, solver = distances(name), solver_of(name, base)
    for state in sample(name, 6):
        found = solver.solve(state, method="both")
        assert (found.cost, found.at_least, found.optimal) == (known[state], known[state], True)
        assert found.verified and len(found.moves) == found.cost


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_answers_of_many_states_are_shortest(name: str) -> None:
    for state in sample(name, 400):
        assert solver_of(name).solve(state, method="both").cost == distances(name)[state]


def test_a_solved_puzzle_takes_no_move_and_a_turn_takes_one() -> None:
    for solver in (solver_of("eight"), solver_of("alone")):
        found = solver.solve(solver.puzzle.solved, method="both")
        assert (found.moves, found.optimal, found.at_least) == ((), True, 0)
        for move in solver.puzzle.family_moves("ABCDE"):
            found = solver.solve(solver.puzzle.apply(solver.puzzle.solved, [move]), method="both")
            assert found.moves == (solver.puzzle.inverse(move).name,) and found.optimal


@pytest.mark.parametrize("name", CASES)
def test_all_answers_of_a_length_are_found_once(name: str) -> None:
    """As many as a search of moves from the state finds, which knows the same cosets of nothing."""
    solver = solver_of(name)
    phase = solver.prepared("both").phases[0]
    several = 0
    near = [state for state, distance in distances(name).items() if distance < 4]
    for state in [*near[:3], *random.Random(2).sample(near, 12)]:
        for bound in range(6 if COMPILED else 4):
            both, _, _ = every(make_search(solver, "both", state), bound)
            one, _, _ = every(make_search(solver, "one", state), bound)
            named = {in_order(path, phase.moves, solver.puzzle.commute) for path in one}
            assert len(both) == len(set(both)) == len(one) == len(named)
            assert set(both) == named
            several += len(both) > 1
    assert several > 3


def test_estimates_are_admissible_of_state_and_inverse() -> None:
    known, solver = distances("four"), solver_of("four", kept=3)
    larger = 0
    for state in list(known)[::97]:
        inverse = solver.puzzle.invert(state)
        told = [make_search(solver, "both", each).estimate() for each in (state, inverse)]
        assert told[0] == told[1] <= known[state]
        larger += told[0] > 2
    assert larger > 10


@pytest.mark.parametrize("name", CASES)
def test_interpreted_searches_find_the_same(name: str, request: pytest.FixtureRequest) -> None:
    states = sample(name, 2)

    def searched() -> list[Any]:
        solver = CASES[name].solver(STORE)
        found: list[Any] = []
        for state in states:
            answer = solver.solve(state, method="both")
            found.append((str(answer), answer.nodes, answer.phases[0].expanded))
            found += [every(make_search(solver, "both", state), bound) for bound in range(4)]
        return found

    compiled = searched()
    request.getfixturevalue("interpreted")
    assert searched() == compiled


@pytest.mark.slow
def test_nodes_near_the_goal_are_the_same_interpreted_on_the_3x3x3(
    request: pytest.FixtureRequest,
) -> None:
    state = CUBE3.state("R U F2 D'")

    def searched() -> Any:
        return [every(make_search(cube3(), "alone", state), bound) for bound in (3, 4)]

    compiled = searched()
    assert len(compiled[1][0]) == 1
    cube3.cache_clear()
    request.getfixturevalue("interpreted")
    assert searched() == compiled
    cube3.cache_clear()


@needs_compiler
@pytest.mark.slow
def test_short_scrambles_of_the_3x3x3_are_proven() -> None:
    """Half turns are of the subgroup, so that the search changes sides."""
    rng = random.Random(3)
    scrambles = ["", "R", "U2", "R L", "U2 D2", "R2 U2 R2 U2", "R U R' U'", "R2 L2 U2 D2 F2 B2"]
    for length in range(5, 10):
        scrambles += [" ".join(rng.choice(TURNS).name for _ in range(length)) for _ in range(2)]
    for scramble in scrambles:
        known = CUBE3.solve(scramble, method="optimal", profile="small")
        for method in ("alone", "below"):
            found = cube3().solve(scramble, method=method)
            assert (found.cost, found.optimal, found.verified) == (known.cost, True, True)
        inverse = CUBE.invert(CUBE3.state(scramble))
        assert cube3().solve(inverse, method="alone").cost == known.cost


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    ("scramble", "most"), [("R U R' U'", 8), ("R L", 6), ("R2 L2 U2 D2", 6), ("F B2 U", 7), ("", 4)]
)
def test_all_answers_of_the_3x3x3(scramble: str, most: int) -> None:
    state = cube3().prepared("alone").normal(CUBE3.state(scramble))
    small = Solver(
        CUBE, [attrs.evolve(CUBE3.method("optimal"), larger=(), strategy=Optimal())], STORE
    )
    phase = cube3().prepared("alone").phases[0]
    listed = small.prepared("optimal").phases[0].moves
    assert [move.name for move in phase.moves] == [move.name for move in listed]
    for bound in range(most + 1):
        both, _, _ = every(make_search(cube3(), "alone", state), bound)
        one, _, _ = every(make_search(small, "optimal", state), bound)
        named = {in_order(path, phase.moves, CUBE.commute) for path in one}
        assert set(both) == named and len(both) == len(named) == len(one)


@needs_compiler
@pytest.mark.slow
def test_all_shortest_answers_are_listed() -> None:
    known = [str(each) for each in CUBE3.shortest("R L U D' F2 B", method="optimal")]
    found = [str(each) for each in cube3().shortest("R L U D' F2 B", method="alone")]
    assert len(found) == len(known) == len(set(found))


@cache
def by_quarters() -> Solver:
    """The 3x3x3 in quarter turns, whose half turns are two moves."""
    phase = cube3_phase(0, 4)
    (profile,) = (
        each
        for each in CUBE3.method("optimal").larger
        if each.name == "120mb" and each.metrics == ("QTM",)
    )
    (table,) = phase.pruning_tables
    table = attrs.evolve(table, base={"QTM": 4})
    phase = attrs.evolve(phase, moves=profile.phases[0].moves, tables=(table,))
    optimal = CUBE3.method("optimal")
    alone = Method(
        "alone",
        "below nothing",
        (phase,),
        ProveBothSides(),
        fixed=optimal.fixed,
        metrics=("QTM",),
        moves="U R F D L B",
    )
    return Solver(CUBE, [alone], STORE)


def spelt(answers: Iterable[Solution]) -> list[tuple[str, ...]]:
    """The moves of each answer; commuting moves have one order."""
    moves = CUBE.family_moves(CUBE.families)
    paths = [[moves.index(move) for move in CUBE.moves(str(each))] for each in answers]
    listed = [in_order(path, moves, CUBE.commute) for path in paths]
    return sorted(tuple(moves[number].name for number in each) for each in listed)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    "scramble",
    [
        "",
        "U'",
        "U2",
        "R2 L2",
        "U2 D",
        "U2 R2",
        "R U R' U'",
        "F B2 U D2",
        "R U2 F' L2",
        "U2 R2 U2 R2",
    ],
)
def test_half_turns_are_two_quarter_turns(scramble: str) -> None:
    known = list(CUBE3.shortest(scramble, method="optimal", metric="QTM", profile="small"))
    found = list(by_quarters().shortest(scramble))
    assert [each.cost for each in found] == [each.cost for each in known]
    assert spelt(found) == spelt(known)
    best = by_quarters().solve(scramble)
    assert (best.cost, best.optimal, best.verified) == (known[0].cost, True, True)


@needs_compiler
@pytest.mark.slow
def test_symmetric_states_are_proven_in_quarter_turns(shared: None) -> None:
    """Symmetries map U U to U' U', which is searched as U U."""
    for scramble in ("U2 D2", "R2 L2 U2 D2", "R L' U' D"):
        known = CUBE3.solve(scramble, method="optimal", metric="QTM", profile="small")
        found = by_quarters().solve(scramble)
        assert (found.cost, found.optimal) == (known.cost, True)


# --- states that symmetries carry to themselves ---------------------------------------------------


@cache
def symmetric(name: str) -> dict[bytes, int]:
    """Each state with how many symmetries carry it to itself: what they make of a way there."""
    puzzle = CASES[name].puzzle
    moves = puzzle.family_moves("ABCDE")
    images = symmetries(puzzle, moves)
    ways: dict[bytes, tuple[bytes, ...]] = {puzzle.solved: (puzzle.solved,) * len(images)}
    for state in (listed := [puzzle.solved]):  # grows while it is gone through
        for number, move in enumerate(moves):
            near = puzzle.apply(state, [move])
            if near not in ways:
                ways[near] = tuple(
                    puzzle.apply(each, [moves[image[number]]])
                    for each, image in zip(ways[state], images, strict=True)
                )
                listed.append(near)
    return {state: each.count(state) for state, each in ways.items()}


@pytest.mark.parametrize("name", ["eight", "four", "two"])
def test_symmetries_of_states_are_found(name: str) -> None:
    needs = case_needs(CASES[name])
    counts = symmetric(name)
    assert set(counts.values()) >= {1, CASES[name].symmetries}
    for state in list(counts)[::61]:
        assert len(needs.symmetries_of(state)) == counts[state]


def test_symmetries_of_states_of_the_3x3x3_are_found() -> None:
    for scramble, count in (("", 48), (SUPERFLIP, 48), ("R2 L2 U2 D2 F2 B2", 48), ("R", 4)):
        assert len(cube3_needs().symmetries_of(CUBE3.state(scramble))) == count


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", ["eight", "four", "two"])
def test_symmetric_states_are_solved_as_shortly(name: str) -> None:
    """Of subtrees that are alike one is searched."""
    states = [state for state, count in symmetric(name).items() if count > 1]
    for state in random.Random(3).sample(states, min(len(states), 4 if COMPILED else 2)):
        for threads in (1, 2):
            found = solver_of(name).solve(state, method="both", threads=threads)
            assert (found.cost, found.optimal) == (distances(name)[state], True)


def all_flipped(name: str) -> bytes:
    """The state with every bead flipped: it commutes with every move and is its own inverse."""
    puzzle = CASES[name].puzzle
    return puzzle.solved[:12] + bytes((each + 1) % 2 for each in puzzle.solved[12:])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_cyclic_shifts_of_answers_lose_no_answer(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also from the first node on, when there are more classes than that have an answer."""
    state, solver = all_flipped(name), solver_of(name)
    for splits in (((4, 0),), ((3, 0),)):
        monkeypatch.setattr(two_sided_search, "_SPLIT", splits)
        for threads in (1, 2):
            found = solver.solve(state, method="both", threads=threads)
            assert (found.cost, found.optimal) == (distances(name)[state], True)
    # The bound of the shortest answers, without `everything`: the class of an answer has one.
    work, search = BoundWork(), make_search(solver, "both", state)
    task = BoundTask(distances(name)[state], 10**9, Budget(Limits()))
    (path, *_) = search.search(task, work)
    moves = [solver.puzzle.family_moves("ABCDE")[n] for n in path]
    assert solver.puzzle.apply(state, moves) == solver.puzzle.solved


@pytest.mark.slow
@needs_compiler
def test_cyclic_shifts_search_fewer_nodes_of_the_superflip() -> None:
    search = make_search(cube3(), "alone", CUBE3.state(SUPERFLIP))
    assert isinstance(search, two_sided_search.TwoSidedSearch)
    taken = []
    for likely in (0, 10**9):
        work = BoundWork()
        assert not list(search.search(BoundTask(9, likely, Budget(Limits())), work))
        assert work.finished
        taken.append(work.generated)
    assert taken[1] * 100 < taken[0], taken


@pytest.mark.slow
def test_words_of_the_superflip_form_48_classes() -> None:
    """Of the 3,240 words, each class has at most 48 images and 48 inverted ones."""
    search = make_search(cube3(), "alone", CUBE3.state(SUPERFLIP))
    assert isinstance(search, two_sided_search.TwoSidedSearch)
    assert search._shifted is not None
    _, roots = search._shifted
    assert len(roots) == 48 and len({root.path for root in roots}) == 48
    assert make_search(cube3(), "alone", CUBE3.state("R L2"))._shifted is None  # type: ignore


# --- one order of moves that commute -------------------------------------------------------------

paths = st.lists(st.sampled_from(range(18)), max_size=12)


@given(paths)
def test_ordered_moves_do_the_same(path: list[int]) -> None:
    ordered = in_order(path, TURNS, CUBE.commute)
    assert sorted(ordered) == sorted(path)
    one, other = (CUBE.apply(CUBE.solved, [TURNS[n] for n in each]) for each in (path, ordered))
    assert one == other and in_order(ordered, TURNS, CUBE.commute) == ordered


@given(paths, st.randoms(use_true_random=False))
def test_moves_that_commute_have_one_order(path: list[int], rng: random.Random) -> None:
    swapped = list(path)
    for _ in range(30):
        at = rng.randrange(max(1, len(path) - 1))
        pair = swapped[at : at + 2]
        if len(pair) == 2 and CUBE.commute(TURNS[pair[0]], TURNS[pair[1]]):
            swapped[at : at + 2] = pair[::-1]
    assert in_order(swapped, TURNS, CUBE.commute) == in_order(path, TURNS, CUBE.commute)


# --- threads and limits --------------------------------------------------------------------------


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", CASES)
def test_threads_find_the_same(name: str) -> None:
    solver = solver_of(name)
    for state in sample(name, 3):
        for threads in (2, 3):
            found = solver.solve(state, method="both", threads=threads)
            assert (found.cost, found.optimal) == (distances(name)[state], True)
    state = sample(name, 1)[-1]
    for bound in range(4 if COMPILED else 3):
        alone, _, _ = every(make_search(solver, "both", state), bound)
        several, _, _ = every(make_search(solver, "both", state), bound, threads=2)
        assert sorted(alone) == sorted(several)


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", CASES)
def test_other_processes_find_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "_HELPED_FROM", 0)
    for state in sample(name, 3):
        found = helped(solver_of(name), state, SearchOptions("both"), Limits())
        assert (found.cost, found.optimal) == (distances(name)[state], True)


@pytest.mark.usefixtures("shared")
def test_limits_end_it() -> None:
    solver, known = solver_of("two"), distances("two")
    state = max(known, key=lambda state: known[state])
    cancel = threading.Event()
    cancel.set()
    for threads in (1, 2):
        with pytest.raises(NoSolutionError, match="cancelled"):
            solver.solve(state, method="both", threads=threads, cancel=cancel)
        with pytest.raises(NoSolutionError, match="nodes"):
            solver.solve(state, method="both", threads=threads, max_nodes=10)
        with pytest.raises(NoSolutionError, match="at most"):
            solver.solve(state, method="both", threads=threads, max_length=known[state] - 1)
        found = solver.solve(state, method="both", threads=threads, max_length=known[state])
        assert found.optimal and found.cost == known[state]


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_limit_leaves_what_is_known(threads: int) -> None:
    state = CUBE3.random_state(5)
    for method in ("below", "alone"):  # has the tables: waiting for who builds them takes time too
        assert cube3().solve("R", method=method).cost == 1
    found = cube3().solve(state, method="below", timeout=0.6, threads=threads)
    assert found.verified and not found.optimal and 0 < found.at_least <= found.cost <= 24
    assert found.seconds < 5
    with pytest.raises(NoSolutionError, match=r"within 0\.2 s"):
        cube3().solve(state, method="alone", timeout=0.2, threads=threads)


@pytest.mark.slow
@needs_compiler
def test_a_search_is_cancelled_while_it_runs() -> None:
    cancel = threading.Event()
    bounds: list[BoundReport] = []

    def on_bound(report: BoundReport) -> None:
        bounds.append(report)
        if report.bound == 10:
            cancel.set()

    with pytest.raises(NoSolutionError, match="cancelled"):
        cube3().solve(CUBE3.random_state(5), method="alone", cancel=cancel, on_bound=on_bound)
    levels = [report.bound for report in bounds]
    assert levels == list(range(levels[0], 11)) and all(report.nodes > 0 for report in bounds)


def test_where_nothing_is_left_to_search_limits_are_needed() -> None:
    """A state that no moves reach: the table does not tell that there is nothing more."""
    puzzle, known = TWO.puzzle, distances("two")
    twisted = bytearray(puzzle.solved)
    twisted[4] = 1
    assert bytes(twisted) not in known
    with pytest.raises(NoSolutionError):
        solver_of("two").solve(bytes(twisted), method="both", max_nodes=20_000)


# --- subtrees ------------------------------------------------------------------------------------


def test_the_engine_applies_the_moves_of_a_root() -> None:
    """The subtree after two moves has the same nodes as the state after these moves."""
    state = sample("two", 1)[-1]
    made: Any = make_search(solver_of("two"), "both", state)
    tables, moves, automaton = made._tables, made._phase.moves, made._phase.automaton
    one, after = automaton[0][0]
    two, last = automaton[after][-1]
    moved = TWO.puzzle.apply(state, [moves[one], moves[two]])
    generated = []
    for start, path in ((state, (one, two)), (moved, ())):
        search = tables.search()
        search.start(tables.held(start), (last, 0), 6, path)
        search.run(10**6)
        generated.append((search.generated_nodes, search.expanded_nodes))
    assert generated[0] == generated[1]
    assert generated[0][0] > 10


def test_the_engine_counts_the_nodes_after_each_first_move() -> None:
    state = sample("two", 1)[-1]
    made: Any = make_search(solver_of("two"), "both", state)
    search = made._tables.search()
    for length in (4, 5):  # counts begin anew at each start
        before = search.generated_nodes
        search.start(made._tables.held(state), (0, 0), length)
        search.run(10**6)
        nodes = search.generated_nodes - before
        root = len(made._phase.automaton[0])
        assert nodes - root <= sum(search.parts) <= nodes


def test_nodes_of_smaller_subtrees_are_added_and_of_larger_ones_divided() -> None:
    def root(*path: int) -> Any:
        return two_sided_search._TwoSidedRoot(path, (0, 0), ([], [], (0, 0, 0, 0, 0)))

    roots = [root(0, 0), root(0, 1), root(1, 0)]
    smaller = {(0, 0, 5): 3, (0, 0, 6): 4, (1, 0, 5): 2}
    assert two_sided_search.nodes_of(roots, smaller) == {(0, 0): 7, (0, 1): 0, (1, 0): 2}
    assert two_sided_search.nodes_of(roots, {(0,): 10, (1,): 4}) == {
        (0, 0): 5,
        (0, 1): 5,
        (1, 0): 4,
    }
    assert two_sided_search.nodes_of(roots[:1], {}) == {(0, 0): 0}
    assert two_sided_search.nodes_of([], {(0,): 1}) == {}


# --- what the engine is given --------------------------------------------------------------------


def test_the_engine_refuses_what_does_not_fit() -> None:
    chain = solver_of("two").prepared("both")
    assert isinstance(chain, ProveBothSides)
    made: Any = make_search(solver_of("two"), "both", TWO.puzzle.solved)
    tables = made._tables
    search, solved = tables.search(), tables.held(TWO.puzzle.solved)
    with pytest.raises(ValueError, match="nothing was started"):
        search.run(10)
    for length in (-1, 41):
        with pytest.raises(ValueError, match="up to 40 moves"):
            search.start(solved, (0, 0), length)
    first, second, marks = solved
    for wrong in ((first[:3], second, marks), (first, second[:5], marks)):
        with pytest.raises(ValueError, match="4 and 6 pairs"):
            search.start(wrong, (0, 0), 1)
    with pytest.raises(ValueError, match="has that code"):
        search.start(([10**4] * 4, second, marks), (0, 0), 1)
    with pytest.raises(ValueError, match="no marks"):
        search.start((first, second, (-1, *marks[1:])), (0, 0), 1)
    for path in ((99,), (-1,)):
        with pytest.raises(ValueError, match="no move of these cosets"):
            search.start(solved, (0, 0), 1, path)
    entries = tables._entries
    with pytest.raises(ValueError, match="a base from 1 to 12"):
        two_sided.TwoSided(tables._pieces, entries, 13, solved)
    with pytest.raises(ValueError, match="a table of other cosets"):
        two_sided.TwoSided(tables._pieces, entries[:-64], 2, solved)


# --- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tables": ()}, "exactly one table, of the kind Based"),
        ({"tables": ("twist",)}, "exactly one table, of the kind Based"),
        ({"tables": TWO.phase().tables * 2}, "exactly one table, of the kind Based"),
        ({"turned": True}, "must not have turned=True or goal moves"),
        ({"goal_moves": "E"}, "must not have turned=True or goal moves"),
    ],
)
def test_phases_that_it_cannot_search(changes: dict[str, Any], problem: str) -> None:
    phase = attrs.evolve(TWO.phase(), **changes)
    with pytest.raises(DeclarationError, match=f"method both: .*{problem}"):
        Method("both", "", (phase,), ProveBothSides())
    plain = attrs.evolve(solver_of("two").method("one"), strategy=Sequential(), profile="small")
    with pytest.raises(DeclarationError, match=problem):
        attrs.evolve(plain, larger=(Profile("large", (phase,), (), ProveBothSides()),))


@pytest.mark.parametrize("strategy", [Sequential(), Optimal()])
def test_other_strategies_do_not_search_with_such_a_table(strategy: Any) -> None:
    solver = Solver(TWO.puzzle, [Method("wrong", "", (TWO.phase(),), strategy)], STORE)
    with pytest.raises(UsageError, match="table sym: only the strategy ProveBothSides can use it"):
        solver.solve("A B")


def test_machines_are_not_searched_from_both_sides() -> None:
    arms = tuple((name,) for name in "ABCDE")
    robot = Machine("robot", "one way round", arms=arms, amounts=(1,))
    puzzle = attrs.evolve(TWO.puzzle, metrics=(*TWO.puzzle.metrics, robot))
    case = TWO._replace(puzzle=puzzle)
    solver = case.solver(STORE, base={"TURNS": 2, "robot": 2, "steps": 2})
    with pytest.raises(UsageError, match="both of four does not support the machine robot"):
        solver.solve("A B", metric="robot", method="both")
    listed = attrs.evolve(solver.method("both"), metrics=("TURNS", "robot"))
    with pytest.raises(UsageError, match="both of four searches from both sides"):
        Solver(puzzle, [listed], STORE).solve("A B", metric="robot")


# --- profiles ------------------------------------------------------------------------------------


@cache
def profiled() -> Solver:
    """A method whose larger profile has a strategy of its own."""
    one = attrs.evolve(solver_of("four").method("one"), profile="small")
    larger = Profile("large", (FOUR.phase(),), (), ProveBothSides(), "takes no time")
    return Solver(FOUR.puzzle, [attrs.evolve(one, larger=(larger,))], STORE)


def test_a_profile_may_have_a_strategy_of_its_own() -> None:
    assert isinstance(profiled().prepared("one", profile="large"), ProveBothSides)
    assert type(profiled().prepared("one", profile="small")).__name__ == "Optimal"
    for state in sample("four", 10):
        for name in ("small", "large"):
            found = profiled().solve(state, profile=name)
            assert (found.cost, found.profile) == (distances("four")[state], name)
    assert profiled().method("one").larger[0].brings == "takes no time"


def test_a_heuristic_that_is_not_admissible_is_refused_or_does_not_matter() -> None:
    """With one table all heuristics are the same."""
    found = profiled().solve("A B C' A", profile="large", heuristic="sum")
    assert found.optimal
    with pytest.raises(UsageError, match="max"):
        cube3().solve("R U", method="alone", heuristic="nothing")


def test_such_a_profile_is_not_compared() -> None:
    for solver, method in ((profiled(), "one"), (CUBE3, "optimal")):
        with pytest.raises(UsageError, match="does not search phase by phase"):
            ComparedCase(solver, method, profile=solver.method(method).larger[-1].name)


# --- plugins from outside ------------------------------------------------------------------------


def plugin() -> ModuleType:
    """The four corners, with two methods, as a module."""
    module = ModuleType("four_corners_plugin")

    @hookimpl
    def puzzlekit_puzzles() -> list[PuzzleEntry]:
        return [PuzzleEntry("four", "Four", lambda: FOUR.puzzle, lambda _: FOUR.solver().methods)]

    vars(module).update(puzzlekit_api=2, puzzlekit_puzzles=puzzlekit_puzzles)
    return module


def test_a_plugin_from_outside_searches_from_both_sides() -> None:
    manager = PluginManager()
    manager.register(plugin(), "four")
    entry = manager.entry("four")
    puzzle = entry.puzzle()
    solver = Solver(puzzle, entry.methods(puzzle), STORE)
    for state in sample("four", 10):
        found = solver.solve(state)
        assert (found.cost, found.optimal) == (distances("four")[state], True)


@pytest.mark.slow
def test_it_conforms() -> None:
    """But random states: which of them moves reach is not said of this puzzle."""
    results = [each for each in run_checks(plugin(), "quick") if each.outcome == "failed"]
    assert [each.check.title for each in results] == ["random states can be reached"]


def test_a_table_that_says_too_much_does_not_conform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*given: Any) -> Any:
        entries = fill(*given)
        entries |= 0xFF
        return entries

    fill = coset_words.fill_by_words
    monkeypatch.setattr(coset_words, "fill_by_words", wrong)
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    told = {
        each.check.name: each.reason
        for each in run_checks(plugin(), "quick", only="never overestimate")
        if each.outcome == "failed"
    }
    assert "the estimate" in told["four-both-solve"]
