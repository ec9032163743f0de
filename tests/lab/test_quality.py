"""How good heuristics are in a phase: against every state, one by one."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolving import resolve, table_of

import puzzlekit
import puzzlekit_lab
from puzzlekit import (
    Heuristic,
    Limits,
    Max,
    Method,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Plain,
    Puzzle,
    Solver,
    UsageError,
)
from puzzlekit.errors import TableError
from puzzlekit.puzzle.move import Move
from puzzlekit.search import estimates as registry
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_beam.view import View
from puzzlekit_cubes import finish
from puzzlekit_fifteen.additive import Additive
from puzzlekit_lab import judged_phase as quality_phase
from puzzlekit_lab.case import Case, admissible
from puzzlekit_lab.exhaustive import exhaustive
from puzzlekit_lab.graph import TooManyStates
from puzzlekit_lab.judged_phase import JudgedPhase
from puzzlekit_lab.measurement import measure, measure_phase
from puzzlekit_lab.qualities import false_claims, quality, sampled
from puzzlekit_lab.record import Run, record_of

NAMES = ("max", "sum", "max-sd", "euclid", "blended")
CUBE2 = puzzlekit.load("cube2")
(SMALL,) = CUBE2.method("small-tables").phases
Ranks = tuple[int, ...]


# --- phases that are small enough to look at every state -----------------------------------------


def one_phase(solver: Solver, phase: Phase, metric: str | None = None) -> Case:
    alone = Solver(solver.puzzle, [Method("alone", "", (phase,))], solver.store)
    return Case(alone, metric=metric)


def of_cube2(**changes: Any) -> Case:
    metric = changes.pop("metric", None)
    return one_phase(CUBE2, attrs.evolve(SMALL, **changes), metric)


def tiles() -> Case:
    """Two sums of the distances of single tiles and pairs of them, and two distances."""
    solver = puzzlekit.load("tiles-2x3-blank-first")
    parts = [Permutation("all", solver.puzzle, "tiles", "0 1 2 3 4 5")]
    parts += [
        Permutation(names.replace(" ", "-"), solver.puzzle, "tiles", names)
        for names in ("1", "2", "3 4", "5")
    ]
    tables = [
        *(Additive(name, "sum", 8) for name in ("1", "2", "3-4")),
        *("3-4", Plain("1", 8)),
        Additive("5", "alone"),
    ]
    return one_phase(solver, Phase("solve", "", "U L R D", tuple(parts), tuple(tables)))


def rings() -> Case:
    """Two rings of beads, turned at different costs, or two beads of each swapped at once.

    Of the product of both permutations half cannot be reached.
    """
    gathers = {"A": "123405678", "B": "102346578", "C": "012345786"}
    turns = {name: (bytes(map(int, gather)), bytes(9)) for name, gather in gathers.items()}
    orbits = Orbit("left", "bead", "1 2 3 4 5"), Orbit("right", "bead", "1 2 3 4")
    metric = Metric("effort", "effort", {"A": 1, "B": 2, "C": 3})
    puzzle = Puzzle("rings", "Two rings", orbits, turns, (metric,))
    parts = Permutation("left", puzzle, "left"), Permutation("right", puzzle, "right")
    phase = Phase("solve", "both rings", "A B C", parts, ("left", "right"))
    return one_phase(Solver(puzzle, [Method("any", "", (phase,))]), phase)


def pyramid() -> Case:
    """Tables of three coordinates."""
    solver = puzzlekit.load("pyraminx")
    return one_phase(solver, attrs.evolve(solver.method().phases[0], moves="U L l"))


def viewed() -> Case:
    """The corners and edges of a 3x3x3 that a 4x4x4 shows."""
    big, small = puzzlekit.load("cube4"), puzzlekit.load("cube3").puzzle
    parts = Orientation("twist", small, "corners"), Orientation("flip", small, "edges")
    view = View(small, finish.seen(big.puzzle, small))
    return one_phase(big, Phase("orient", "", "F R2", parts, ("twist", "flip"), view=view))


CASES: dict[str, Callable[[], Case]] = {
    "two faces": lambda: of_cube2(moves="U R2"),
    "rings": rings,
    "pyramid": pyramid,
    "several goals": lambda: of_cube2(moves="U R2", goal_moves="U2 R2"),
    "tiles": tiles,
    "viewed": viewed,
}


class Near(NamedTuple):
    move: Move
    cost: int
    after: Ranks


class Every(NamedTuple):
    """All states of a phase, by the ranks of its coordinates: one of each, its moves, distances."""

    states: dict[Ranks, bytes]
    near: dict[Ranks, list[Near]]
    distance: dict[Ranks, int]


@cache
def case(name: str) -> Case:
    return CASES[name]()


@cache
def every(name: str) -> Every:
    return brute_force(case(name))


def closure(start: bytes, moves: Sequence[Move], key: Callable[[bytes], Any], one: Case) -> Any:
    """All states that moves make of one: what the key tells apart, and where each move leads."""
    puzzle = one.puzzle
    states, near = {key(start): start}, defaultdict(list)
    waiting = [start]
    costs = {move: one.metric.cost(move) for move in moves}
    for state in waiting:  # grows while it is gone through
        place, own = puzzle.place_of_guard(state), near[key(state)]
        for move, cost in costs.items():
            if move.guard_before not in (-1, place):
                continue
            after = puzzle.apply(state, [move])
            reached = key(after)
            if reached not in states:
                states[reached] = after
                waiting.append(after)
            own.append(Near(move, cost, reached))
    return states, near


def brute_force(one: Case) -> Every:
    """Dijkstra's algorithm from the goals, over whole states that differ in some coordinate."""
    (phase,) = one.method.phases
    needs = one.plan.resolved(phase)

    def ranks(state: bytes) -> Ranks:
        seen = state if phase.view is None else phase.view.see(one.puzzle, state)
        return tuple(int(each.rank(seen)) for each in phase.coordinates)

    moves = needs.as_done(one.puzzle)
    allowed = set(moves)
    at_goal, _ = closure(one.puzzle.solved, needs.goal_moves, lambda state: state, one)
    goals = [set(values) for values in zip(*map(ranks, at_goal), strict=True)]
    known = list(dict.fromkeys([*moves, *needs.goal_moves]))
    states, near = closure(one.puzzle.solved, known, ranks, one)
    near = {key: [each for each in near[key] if each.move in allowed] for key in states}
    before = defaultdict(list)
    for key, own in near.items():
        for _, cost, after in own:
            before[after].append((cost, key))
    waiting = [(0, key) for key in states if all(v in g for v, g in zip(key, goals, strict=True))]
    distance: dict[Ranks, int] = {}
    while waiting:
        far, key = heapq.heappop(waiting)
        if distance.setdefault(key, far) == far:
            for cost, other in before[key]:
                if other not in distance:
                    heapq.heappush(waiting, (far + cost, other))
    assert distance.keys() == states.keys()
    return Every(states, near, distance)


def estimates(one: Case, found: Every, heuristic: str) -> dict[Ranks, int]:
    ready = one.candidate(heuristic).chain.phases[0]
    return {key: ready.estimate(one.puzzle, state) for key, state in found.states.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_all_states_one_by_one(name: str) -> None:
    one, found = case(name), every(name)
    highest = estimates(one, found, "max")
    by_state = {state: key for key, state in found.states.items()}
    judged = exhaustive(JudgedPhase(one, "0", NAMES), memory=10_000_000)
    assert [each.heuristic for each in judged] == list(NAMES)
    for each in judged:
        h = estimates(one, found, each.heuristic)
        pairs = Counter((found.distance[key], h[key]) for key in h)
        falls = {
            (key, edge.move.name): h[key] - h[edge.after] - edge.cost
            for key, own in found.near.items()
            for edge in own
        }
        assert (each.how, each.sample, each.states) == ("exhaustive", "all states", len(h))
        assert {(d, value): count for d, value, count in each.pairs} == pairs
        assert each.over == sum(count for (d, value), count in pairs.items() if value > d)
        assert each.edges == len(falls)
        assert each.broken == sum(fall > 0 for fall in falls.values())
        assert each.goals == sum(d == 0 for d in found.distance.values())
        assert each.goals_above == sum(h[key] > 0 for key, d in found.distance.items() if not d)
        assert each.differ == sum(h[key] != highest[key] for key in h)
        assert each.admissible is (each.heuristic == "max")
        assert set(each.zeros.values()) == {True}
        most = max(h[key] - found.distance[key] for key in h)
        assert (each.worst is None) == (most <= 0)
        if each.worst is not None:
            key = _key(one, by_state, each.worst.state)
            assert each.worst[1:] == (h[key], found.distance[key])
            assert h[key] - found.distance[key] == most
        assert (each.worst_edge is None) == (max(falls.values()) <= 0)
        if each.worst_edge is not None:
            key = _key(one, by_state, each.worst_edge.state)
            edge = next(e for e in found.near[key] if e.move.name == each.worst_edge.move)
            assert each.worst_edge[2:] == (h[key], h[edge.after], edge.cost)
            assert falls[key, each.worst_edge.move] == max(falls.values())
        assert record_of(each.line()) == each


def _key(one: Case, by_state: dict[bytes, Ranks], state: str) -> Ranks:
    """The ranks of a state, which is perhaps not the one that stands for them."""
    (phase,) = one.method.phases
    seen = bytes.fromhex(state)
    if phase.view is not None:
        seen = phase.view.see(one.puzzle, seen)
    found = tuple(int(each.rank(seen)) for each in phase.coordinates)
    assert found in by_state.values()
    return found


@pytest.mark.slow
def test_cases_are_what_they_are_meant_to_be() -> None:
    """Several goals, moves of two costs, sums; and overestimates and broken edges everywhere."""
    assert sum(d == 0 for d in every("several goals").distance.values()) > 1
    assert {edge.cost for own in every("rings").near.values() for edge in own} == {1, 2, 3}
    assert len(every("rings").states) == 120 * 24 / 2
    assert len(every("tiles").states) == 360
    for name in CASES:
        summed = exhaustive(JudgedPhase(case(name), "0", ["sum"]))[0]
        assert summed.over and summed.broken and summed.differ


def test_max_is_admissible_and_consistent() -> None:
    """But for distances that are the least over the places of the blank."""
    for name in CASES:
        (found,) = exhaustive(JudgedPhase(case(name), "0", ["max"]))
        assert (found.over, found.worst, found.goals_above, found.differ) == (0, None, 0, 0)
        assert (found.broken > 0) is (name == "tiles")


@pytest.mark.slow
@given(
    moves=st.sets(st.sampled_from(["U", "U2", "R", "R2", "F2"]), min_size=1, max_size=2),
    metric=st.sampled_from(["HTM", "QTM"]),
    tables=st.sets(st.sampled_from(["orientation", "permutation", "upper", "lower"]), min_size=2),
)
@settings(max_examples=10)
def test_max_of_any_moves_and_tables(moves: set[str], metric: str, tables: set[str]) -> None:
    one = of_cube2(moves=" ".join(sorted(moves)), tables=tuple(sorted(tables)), metric=metric)
    best, summed = exhaustive(JudgedPhase(one, "solve", ["max", "sum"]))
    counted = puzzlekit_lab.distribution(CUBE2, moves=" ".join(moves), metric=metric).states
    assert (best.over, best.broken, best.goals_above) == (0, 0, 0)
    for each in (best, summed):
        by_distance: Counter[int] = Counter()
        for distance, _, count in each.pairs:
            by_distance[distance] += count
        assert by_distance == {d: count for d, count in enumerate(counted) if count}
        assert each.states == sum(counted)
        assert each.over == sum(count for d, h, count in each.pairs if h > d)


@pytest.mark.slow
def test_whole_puzzles(positions_at_depth: dict[str, list[int]]) -> None:
    """All of the 2x2x2, with the distances that are known and estimates of random states."""
    one = Case(CUBE2)
    shares: list[float] = []
    judged = exhaustive(JudgedPhase(one, "solve", NAMES), tell=shares.append)
    for each in judged:
        by_distance: Counter[int] = Counter()
        for distance, _, count in each.pairs:
            by_distance[distance] += count
        assert [by_distance[d] for d in range(12)] == positions_at_depth["cube2_htm_3gen"]
        assert (each.goals, each.goals_above, each.edges) == (1, 0, 9 * 3_674_160)
        assert (each.over > 0) is (each.heuristic != "max") is not each.admissible
        if each.worst is not None:
            state = bytes.fromhex(each.worst.state)
            assert CUBE2.solve(state, method="optimal").cost == each.worst.distance
            ready = one.candidate(each.heuristic).chain.phases[0]
            assert ready.estimate(one.puzzle, state) == each.worst.h > each.worst.distance
    assert shares == sorted(shares) and 0 < shares[0] < 0.1 and shares[-1] == pytest.approx(1)


def test_a_phase_of_one_table() -> None:
    """Every heuristic is its distance there."""
    solver = Solver(CUBE2.puzzle, [*CUBE2.methods, two_phases()], CUBE2.store)
    one = Case(solver, "halves")
    assert [phase.name for phase in one.left_out] == ["turn"]
    for each in exhaustive(JudgedPhase(one, "turn", NAMES)):
        assert each.states == 729 and all(distance == h for distance, h, _ in each.pairs)
        assert (each.admissible, each.differ, each.vectors_differ) == (True, 0, 0)
        assert (each.over, each.broken, each.zeros) == (0, 0, {"orientation": True})


def two_phases() -> Method:
    turn = attrs.evolve(SMALL, name="turn", tables=("orientation",))
    turn = attrs.evolve(turn, coordinates=(SMALL.coordinates[0],))
    return Method("halves", "", (turn, attrs.evolve(SMALL, moves="U R2 F2")))


def test_vectors_that_differ() -> None:
    """Of all vectors of distances that the tables have anywhere."""
    one = case("two faces")
    ready = one.candidate("max").chain.phases[0]
    sizes = []
    for table in ready.tables:
        assert table.bits == 4
        values = {value for byte in bytes(table.data) for value in (byte & 15, byte >> 4)}
        sizes.append(max(values - {15}) + 1)
    vectors = list(np.ndindex(*sizes))
    for each in exhaustive(JudgedPhase(one, "solve", NAMES)):
        heuristic = one.candidate(each.heuristic).heuristics[0]
        assert each.vectors == len(vectors)
        assert each.vectors_differ == sum(heuristic.join(v) != max(v) for v in vectors)


# --- samples -------------------------------------------------------------------------------------

WORDS = ("U R2 U R2 U2 R2 U'", "R2 U R2 U R2 U", "U R2", "U' R2 U2 R2 U R2 U2 R2 U'")
SLIDES = ("R D L U R R D L U", "D R U R D L L U R D")
SCRAMBLES = {"two faces": WORDS, "rings": ("A2 B C A B C2 A B C B", "B"), "tiles": SLIDES}


def run_from(one: Case, heuristic: str, state: bytes, **limits: int) -> Run:
    candidate = one.candidate(heuristic)
    (phase,) = one.method.phases
    return Run(
        puzzle=one.puzzle.name,
        method=one.method.name,
        profile="",
        metric=one.metric.name,
        phase=phase.name,
        heuristic=candidate.text,
        admissible=admissible(candidate.heuristics[0], phase),
        fingerprint=candidate.fingerprint,
        seed=1,
        instance=0,
        timeout=None,
        max_nodes=limits.get("max_nodes"),
        state=state.hex(),
        machine={},
        versions={},
        **measure_phase(one, heuristic, 0, state, Limits(**limits)),
    )


def runs_of(name: str, heuristic: str = "max", **limits: int) -> list[Run]:
    one = case(name)
    states = [one.puzzle.apply(one.puzzle.solved, one.puzzle.moves(w)) for w in SCRAMBLES[name]]
    return [run_from(one, heuristic, state, **limits) for state in states]


@pytest.mark.parametrize("name", SCRAMBLES)
def test_a_sample_is_the_states_on_the_answers(name: str) -> None:
    one, found, runs = case(name), every(name), runs_of(name)
    (phase,) = one.method.phases
    looked_at: dict[bytes, Ranks] = {}
    for run in runs:
        names = run.moves.split()
        for done in range(len(names) + 1):
            moves = one.puzzle.moves(" ".join(names[:done]))
            state = one.puzzle.apply(bytes.fromhex(run.state), moves)
            looked_at[state] = tuple(int(each.rank(state)) for each in phase.coordinates)
    shares: list[float] = []
    for each in sampled(JudgedPhase(one, "solve", NAMES), iter(runs), shares.append):
        h = estimates(one, found, each.heuristic)
        highest = estimates(one, found, "max")
        keys = list(looked_at.values())
        pairs = Counter((found.distance[key], h[key]) for key in keys)
        falls = [h[key] - h[e.after] - e.cost for key in keys for e in found.near[key]]
        worst, edge = each.worst, each.worst_edge
        more = len(keys) - len(runs)
        assert (
            each.sample
            == f"{len(runs)} starts solved with max and {more} more states on the answers"
        )
        assert (each.how, each.states, each.goals, each.goals_above) == ("sampled", len(keys), 1, 0)
        assert {(d, value): count for d, value, count in each.pairs} == pairs
        assert each.over == sum(h[key] > found.distance[key] for key in keys)
        assert (each.edges, each.broken) == (len(falls), sum(fall > 0 for fall in falls))
        assert each.differ == sum(h[key] != highest[key] for key in keys)
        assert (worst.h - worst.distance if worst else 0) == max(
            h[key] - found.distance[key] for key in keys
        )
        assert (edge.h - edge.h_after - edge.cost if edge else 0) == max(0, *falls)
        if worst is not None:
            key = looked_at[bytes.fromhex(worst.state)]
            assert worst[1:] == (h[key], found.distance[key])
        assert record_of(each.line()) == each
    assert shares == sorted(shares) and shares[-1] == 1


def test_what_proves_no_distance() -> None:
    one, runs = case("two faces"), runs_of("two faces")
    unproven = [
        *runs_of("two faces", "sum"),
        *runs_of("two faces", max_nodes=1),
        *(attrs.evolve(run, metric="QTM") for run in runs),
        *(attrs.evolve(run, phase="whole") for run in runs),
    ]
    assert sampled(JudgedPhase(one, "solve", NAMES), unproven) == []
    (found,) = sampled(JudgedPhase(one, "solve", ["max"]), unproven + runs)
    (again,) = sampled(JudgedPhase(one, "solve", ["max"]), runs)
    assert found == attrs.evolve(again, seconds=found.seconds)


def test_runs_of_a_damaged_journal_prove_nothing() -> None:
    one = Case(CUBE2)
    run = run_from(one, "max", CUBE2.state("U R2 F"))
    assert sampled(JudgedPhase(one, "solve", ["max"]), [run])
    for changes in ({"state": "00"}, {"state": "zz"}, {"moves": "R Q"}, {"cost": 2}):
        assert sampled(JudgedPhase(one, "solve", ["max"]), [attrs.evolve(run, **changes)]) == []


@pytest.mark.parametrize("metric", ["AXHT", "robot"])
def test_only_the_starts_count_with_a_machine(metric: str) -> None:
    one = Case(CUBE2, metric=metric)
    state = CUBE2.state("U R2 F")
    (found,) = sampled(JudgedPhase(one, "solve", ["sum"]), [run_from(one, "max", state)])
    assert (found.states, found.over, found.goals) == (1, 1, 0)
    assert found.sample == "1 start solved with max and 0 more states on the answers"
    if metric == "robot":
        with pytest.raises(UsageError, match="the cost of a move depends on the moves before it"):
            exhaustive(JudgedPhase(one, "solve", ["max"]))


# --- all states where they fit, else samples -----------------------------------------------------


def test_a_sample_where_there_are_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    one, runs = case("two faces"), runs_of("two faces")
    with pytest.raises(TooManyStates, match="alone, phase solve: its coordinates have"):
        exhaustive(JudgedPhase(one, "solve", ["sum"]), memory=100)
    (whole,) = quality(one, "0", ["sum"])
    (part,) = quality(one, "0", ["sum"], runs, memory=100)
    assert (whole.how, part.how) == ("exhaustive", "sampled")
    assert whole.states > part.states and whole.zeros == part.zeros
    assert quality(one, "0", ["sum"], memory=100) == []
    monkeypatch.setattr("puzzlekit.tables.memory.available_memory", lambda: 100)
    with pytest.raises(TableError, match="the space of the phase solve takes"):
        exhaustive(JudgedPhase(one, "solve", ["sum"]))
    (part,) = quality(one, "0", ["sum"], runs)
    assert part.how == "sampled"


def test_tables_that_are_not_read_for_all_states_together() -> None:
    tables = (Modulo3("orientation"), "permutation")
    one = of_cube2(moves="U R2", tables=tables)
    with pytest.raises(UsageError, match=r"not all states can be checked, .* entries of 2 bits"):
        exhaustive(JudgedPhase(one, "solve", ["max"]))
    state = one.puzzle.apply(one.puzzle.solved, one.puzzle.moves("U R2 U"))
    (found,) = quality(one, "solve", ["sum"], [run_from(one, "max", state)])
    assert (found.how, found.zeros) == ("sampled", {"orientation": None, "permutation": True})


def test_what_there_is_not() -> None:
    for judge in (JudgedPhase, quality):
        with pytest.raises(UsageError, match="has no phase 'solved'; it has 0 solve"):
            judge(case("two faces"), "solved", NAMES)
        with pytest.raises(UsageError, match="there is no heuristic 'least'"):
            judge(case("two faces"), "solve", ["least"])


@pytest.mark.parametrize("byte", [0, 20, 300])
def test_tables_that_are_zero_elsewhere_or_not_at_a_goal(
    byte: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = case("two faces")
    (phase,) = one.method.phases
    needs = resolve(one.puzzle, phase, one.metric)
    wanted = table_of(needs, Plain("orientation", 4))
    assert quality_phase.zero_at_goals(one.solver.store, wanted) is True
    data = np.array(wanted.get(one.solver.store).data)
    data[byte] = data[byte] & 0xF0 if byte else data[byte] | 1
    table = SimpleNamespace(data=data)
    monkeypatch.setattr(wanted, "get", lambda store: table)
    assert quality_phase.zero_at_goals(one.solver.store, wanted) is False


# --- what heuristics claim -----------------------------------------------------------------------


@attrs.frozen
class Liar(Heuristic):
    """Says two more than is true."""

    name = "liar"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        most = Max().join(distances)
        return most + 2 * (most > 0)


@attrs.frozen
class Half(Heuristic):
    """Says half of what is known."""

    name = "half"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        return Max().join([distance // 2 for distance in distances])


@pytest.fixture
def claimants(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(
        registry, "heuristic_sources", [*registry.heuristic_sources, lambda: [Liar, Half]]
    )
    return ["liar", "half", "max", "sum"]


@pytest.mark.slow
def test_a_false_claim_is_told_with_a_state(claimants: list[str]) -> None:
    one, found = Case(CUBE2), exhaustive(JudgedPhase(Case(CUBE2), "solve", claimants))
    assert [each.admissible for each in found] == [True, True, True, False]
    (told,) = false_claims(found, [])
    worst = found[0].worst
    assert worst is not None
    assert told == (
        "cube2 small-tables, phase solve: the heuristic liar claims to be admissible but is not: "
        f"it estimates {worst.h} where the distance is {worst.distance} HTM, in the state "
        f"{worst.state}"
    )
    state = bytes.fromhex(worst.state)
    assert CUBE2.solve(state, method="optimal").cost == worst.distance == worst.h - 2
    assert one.candidate("liar").chain.phases[0].estimate(one.puzzle, state) == worst.h


def test_a_false_claim_is_seen_in_runs(claimants: list[str]) -> None:
    one = Case(CUBE2)
    near = one.puzzle.apply(one.puzzle.solved, one.puzzle.moves("U R2"))
    runs = [run_from(one, name, near) for name in claimants]
    runs += [
        run
        for name in claimants
        for number in range(8)
        if (run := measure(one, name, "solve", 3, number, Limits())) is not None
    ]
    (told,) = false_claims([], runs)
    assert "the heuristic liar claims" in told
    assert told.endswith("it estimates 4 where the distance is 2 HTM, in the state " + near.hex())
    honest = [run for run in runs if run.heuristic != "liar"]
    assert false_claims([], honest) == []
    assert false_claims([], [run for run in runs if run.heuristic == "liar"]) != []
    whole = [attrs.evolve(run, phase="whole") for run in runs]
    assert false_claims([], whole) == []
    # An answer that is too long tells the same where the estimate at the start does not.
    at = runs.index(next(run for run in honest if run.heuristic == "half"))
    longer = attrs.evolve(runs[at], cost=(runs[at].cost or 0) + 1)
    (told,) = false_claims([], [*honest, longer])
    assert (
        f"half claims to be admissible but is not: its answer costs {longer.cost} where the" in told
    )


@pytest.mark.slow
def test_each_false_claim_is_told_once(claimants: list[str]) -> None:
    one = Case(CUBE2)
    near = one.puzzle.apply(one.puzzle.solved, one.puzzle.moves("U R2"))
    runs = [run_from(one, name, near) for name in claimants]
    found = exhaustive(JudgedPhase(one, "solve", claimants))
    assert len(false_claims([*found, *found], runs)) == 1
    assert len(false_claims([attrs.evolve(each, phase="other") for each in found], runs)) == 2
