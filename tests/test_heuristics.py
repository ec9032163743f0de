"""Heuristics: their formulas, the texts they are found by, and what they do in a search."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Heuristic, Max, Method, Sequential, Solver, TableStore, UsageError, heuristics
from puzzlekit.search import estimates as registry
from puzzlekit.search.estimates import find_heuristic, joined_key
from puzzlekit.search.heuristic import Sum, format_heuristics
from puzzlekit.search.options import SearchOptions, all_table_keys, table_keys
from puzzlekit_cubes.formulas import Blended, Euclid, MaxSd, MaxSum

FORMS = ("sum", "population", "sample")
NAMES = ("max", "sum", "max-sd", "euclid", "blended", "max-sum")
CUBE3 = puzzlekit.load("cube3")
TWO_PHASE = CUBE3.method("two-phase")


# --- formulas -----------------------------------------------------------------------------------


def deviation(distances: Sequence[int], form: str) -> float:
    """The standard deviation by its definition."""
    n = len(distances)
    squares = math.fsum((math.fsum(distances) / n - each) ** 2 for each in distances)
    if len(set(distances)) == 1:
        return 0.0
    return math.sqrt(squares / {"sum": 1, "population": n, "sample": n - 1}[form])


def by_formula(heuristic: Heuristic, distances: Sequence[int]) -> int:
    """What a heuristic should join distances to, one number at a time."""
    most, norm = max(distances), math.hypot(*distances)
    if isinstance(heuristic, Euclid):
        return math.floor(norm + 1e-9)
    if isinstance(heuristic, MaxSd):
        return math.floor(most + heuristic.a * deviation(distances, heuristic.sd) + 1e-9)
    if isinstance(heuristic, MaxSum):
        return math.floor(most + heuristic.share * (sum(distances) - most) + 1e-9)
    assert isinstance(heuristic, Blended)
    sd = deviation(distances, heuristic.sd)
    if sd == 0:
        return most
    power = abs(most / (heuristic.b * sd) - heuristic.c) ** heuristic.d
    t = math.exp(-power * math.log(heuristic.a))
    return math.floor((1 - t) * most + t * norm + 1e-9)


FORMULAS: list[Heuristic] = [
    Euclid(),
    *(MaxSum(share) for share in (0, 0.1, 0.35, 1)),
    *(MaxSd(a, sd) for a in (0, 0.3, 1, 2.5) for sd in FORMS),
    *(Blended(sd=sd) for sd in FORMS),
    Blended(a=3, b=0.5, c=1.25, d=1),
    Blended(a=1.5, b=2, c=-0.75, d=3, sd="sample"),
    Blended(a=1000, b=0.001, c=1000, d=20),
]


@pytest.mark.parametrize("heuristic", FORMULAS, ids=str)
@pytest.mark.parametrize(("tables", "distances"), [(1, 256), (2, 26), (3, 13), (4, 7)])
def test_whole_ranges_agree_with_the_formula(
    heuristic: Heuristic, tables: int, distances: int
) -> None:
    vectors = list(product(range(distances), repeat=tables))
    expected = [by_formula(heuristic, vector) for vector in vectors]
    for dtype in ("i8", "u1"):
        columns = list(np.array(vectors, dtype).T)
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            joined = heuristic.join(columns)
        assert joined.dtype.kind == "i"
        assert joined.tolist() == expected
    for vector, estimate in zip(vectors[::7], expected[::7], strict=True):
        alone = heuristic.join(vector)
        assert type(alone) is int and alone == estimate
    assert min(expected) >= 0 and max(expected) < 1 << 16


@given(
    distances=st.lists(st.integers(0, 255), min_size=1, max_size=6),
    a=st.floats(1.001, 1000),
    b=st.floats(0.001, 1000),
    c=st.floats(-1000, 1000),
    d=st.floats(0.001, 20),
    sd=st.sampled_from(FORMS),
)
def test_a_blend_lies_between_its_parts(
    distances: list[int], a: float, b: float, c: float, d: float, sd: str
) -> None:
    heuristic = Blended(a, b, c, d, sd)
    joined = heuristic.join(distances)
    assert max(distances) <= joined <= Euclid().join(distances)
    # Roots and powers may differ in the last bit, which counts only next to an integer.
    assert abs(joined - by_formula(heuristic, distances)) <= 1
    (column,) = {int(heuristic.join([np.array([each]) for each in distances])[0])}
    assert abs(joined - column) <= 1


@given(
    distances=st.lists(st.integers(0, 255), min_size=1, max_size=6),
    a=st.floats(0, 100),
    sd=st.sampled_from(FORMS),
)
def test_a_deviation_only_adds(distances: list[int], a: float, sd: str) -> None:
    joined = MaxSd(a, sd).join(distances)
    assert max(distances) <= joined
    assert abs(joined - by_formula(MaxSd(a, sd), distances)) <= 1
    assert MaxSd(0, sd).join(distances) == max(distances)


@pytest.mark.parametrize(
    ("tables", "distances", "different"), [(1, 26, 0), (2, 26, 0), (3, 13, 627)]
)
def test_where_the_blend_differs_from_the_largest(
    tables: int, distances: int, different: int
) -> None:
    columns = list(np.indices((distances,) * tables).reshape(tables, -1))
    assert (Blended().join(columns) != Max().join(columns)).sum() == different


@given(distances=st.lists(st.integers(0, 255), min_size=1, max_size=6), share=st.floats(0, 1))
def test_a_share_lies_between_the_largest_and_the_sum(distances: list[int], share: float) -> None:
    assert max(distances) <= MaxSum(share).join(distances) <= sum(distances)
    assert MaxSum(0).join(distances) == max(distances)
    assert MaxSum(1).join(distances) == sum(distances)


@pytest.mark.parametrize("distance", range(30))
def test_alike_distances(distance: int) -> None:
    for tables in range(1, 7):
        alike = [distance] * tables
        assert Blended().join(alike) == MaxSd(a=5).join(alike) == distance


def test_only_the_largest_is_admissible() -> None:
    joining = [each for each in heuristics() if not each.reads_state]
    assert [str(each) for each in joining if each.admissible] == ["max"]


@pytest.mark.parametrize(
    ("kind", "parameters", "problem"),
    [
        (MaxSd, {"a": -0.5}, "max-sd: a has to be a number from 0 to 100, not -0.5"),
        (MaxSd, {"a": 101}, "not 101"),
        (MaxSd, {"a": math.nan}, "not nan"),
        (MaxSd, {"a": math.inf}, "not inf"),
        (MaxSd, {"a": "much"}, "not 'much'"),
        (MaxSd, {"a": None}, "not None"),
        (MaxSd, {"a": 10**400}, "not 1000"),
        (
            MaxSd,
            {"sd": "deviation"},
            "sd has to be one of sum, population, sample, not 'dev",
        ),
        (Blended, {"a": 1}, "blended: a has to be a number from 1.001 to 1000, not 1.0"),
        (Blended, {"b": 0}, "b has to be a number from 0.001 to 1000"),
        (Blended, {"c": -math.inf}, "c has to be a number from -1000 to 1000"),
        (Blended, {"d": 0}, "d has to be a number from 0.001 to 20"),
        (Blended, {"sd": None}, "not None"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(
    kind: Any, parameters: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UsageError) as caught:
        kind(**parameters)
    assert problem in str(caught.value)


# --- texts --------------------------------------------------------------------------------------


def test_names_with_their_usual_parameters() -> None:
    assert [str(each) for each in heuristics()][:6] == list(NAMES)
    assert [find_heuristic(name) for name in NAMES] == list(heuristics())[:6]
    written = "blended:a=2,b=0.625,c=1.9,d=2,sd=sum"
    assert find_heuristic(written) == Blended() == Blended(2, 0.625, 1.9, 2, "sum")
    assert str(find_heuristic(written)) == "blended"
    assert find_heuristic("max-sd:a=1") == MaxSd()


KINDS = st.one_of(
    st.sampled_from([Max(), Sum(), Euclid()]),
    st.builds(MaxSd, a=st.floats(0, 100), sd=st.sampled_from(FORMS)),
    st.builds(MaxSum, share=st.floats(0, 1)),
    st.builds(
        Blended,
        a=st.floats(1.001, 1000),
        b=st.floats(0.001, 1000),
        c=st.floats(-1000, 1000) | st.integers(-1000, 1000),
        d=st.floats(0.001, 20),
        sd=st.sampled_from(FORMS),
    ),
)


@given(KINDS)
def test_a_heuristic_is_found_by_its_text(heuristic: Heuristic) -> None:
    found = find_heuristic(str(heuristic))
    assert found == heuristic
    assert (str(found), found.identity) == (str(heuristic), heuristic.identity)


@given(st.lists(KINDS, min_size=2, max_size=2))
def test_a_heuristic_a_phase_is_found_by_its_text(heuristics: list[Heuristic]) -> None:
    text = format_heuristics(heuristics)
    assert TWO_PHASE.heuristics(text) == tuple(heuristics)
    assert ("/" in text) == (heuristics[0] != heuristics[1])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("blended: a = 3.0 , b=0.625", "blended:a=3"),
        ("0=euclid", "0=euclid/1=max"),
        ("finish=max-sd:a=0.50", "0=max/1=max-sd:a=0.5"),
        ("finish=sum/orient=euclid", "0=euclid/1=sum"),
        ("1=blended:a=2/orient=blended", "blended"),
        (" orient = max / 1 = blended:sd=sample", "0=max/1=blended:sd=sample"),
    ],
)
def test_texts_are_told_in_one_way(text: str, canonical: str) -> None:
    assert format_heuristics(TWO_PHASE.heuristics(text)) == canonical


def test_phases_without_a_heuristic_have_max() -> None:
    assert TWO_PHASE.heuristics() == (Max(), Max())
    assert TWO_PHASE.heuristics("1=euclid") == (Max(), Euclid())
    assert TWO_PHASE.heuristics(Blended()) == (Blended(), Blended())


EXIST = (
    "there are max, sum, max-sd:a=1,sd=sum, euclid, blended:a=2,b=0.625,c=1.9,d=2,sd=sum, "
    "max-sum:share=0.1"
)
HAS = "it has a=2, b=0.625, c=1.9, d=2, sd=sum"
WRONG = [
    ("guess", f"there is no heuristic 'guess'; {EXIST}"),
    ("", f"there is no heuristic ''; {EXIST}"),
    ("Max", "no heuristic 'Max'"),
    ("1=guess:a=2", f"there is no heuristic 'guess'; {EXIST}"),
    ("blended:e=1", f"blended has no parameter 'e'; {HAS}"),
    ("euclid:a=1", "euclid has no parameter 'a'; it has none"),
    ("blended:", f"'' is not of the form NAME=VALUE; {HAS}"),
    ("blended:3", f"'3' is not of the form NAME=VALUE; {HAS}"),
    ("blended:a=2,", "'' is not of the form NAME=VALUE"),
    ("blended:a=2,b=1,a=2", "a is given twice"),
    ("blended:a=two", "a=two is not a finite number"),
    ("blended:a=nan", "a=nan is not a finite number"),
    ("blended:a=1e999", "a=1e999 is not a finite number"),
    ("blended:a=", "a= is not a finite number"),
    ("blended:a=1", "a has to be a number from 1.001 to 1000, not 1.0"),
    ("blended:sd=none", "sd has to be one of sum, population, sample, not 'none'"),
    ("2=max", "two-phase has no phase '2'; it has 0 orient, 1 finish"),
    ("pair=max", "two-phase has no phase 'pair'; it has 0 orient, 1 finish"),
    ("=max", "two-phase has no phase ''; it has 0 orient, 1 finish"),
    ("0=max/0=max", "phase 0 orient has more than one heuristic"),
    ("finish=max/0=sum/1=max", "phase 1 finish has more than one heuristic"),
    (
        "max/sum",
        "'max' names no phase; write 0=max, for example; two-phase has the phases 0",
    ),
    ("0=max/blended:a=3", "'blended:a=3' names no phase"),
    ("0=max/", "'' names no phase"),
]


@pytest.mark.parametrize(("text", "problem"), WRONG)
def test_what_is_wrong_with_a_text_is_said(text: str, problem: str) -> None:
    for use in (CUBE3.prepared, CUBE3.solve):
        with pytest.raises(UsageError) as caught:
            use(**{"heuristic": text} | ({"position": "R"} if use == CUBE3.solve else {}))
        assert problem in str(caught.value)


@given(st.text("01orientfinshmaxbled:=,/. -", max_size=25))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        heuristics = TWO_PHASE.heuristics(text)
    except UsageError:
        return
    assert TWO_PHASE.heuristics(format_heuristics(heuristics)) == heuristics


# --- heuristics from elsewhere ------------------------------------------------------------------


@attrs.frozen
class Power(Heuristic):
    """The power mean, as somebody else might write it."""

    name = "power"
    p: int = attrs.field(default=2, validator=attrs.validators.ge(1))
    how: str = "floor"

    def join(self, distances: Sequence[Any]) -> Any:
        return (sum(each**self.p for each in distances) / len(distances)) ** (1 / self.p) // 1


@pytest.fixture
def power() -> Iterator[None]:
    def source() -> list[type[Heuristic]]:
        return [Power]

    registry.heuristic_sources.append(source)
    yield
    registry.heuristic_sources.remove(source)


def test_a_source_adds_heuristics(power: None) -> None:
    assert heuristics()[-1] == Power()
    assert find_heuristic("power:p=3,how=ceil") == Power(3, "ceil")
    assert str(Power(3)) == "power:p=3"
    for text, problem in (
        ("power:p=2.5", "p=2.5 is not a whole number"),
        ("power:p=0", "the heuristic power:p=0: 'p' must be >= 1"),
        ("none", ", power:p=2,how=floor"),
    ):
        with pytest.raises(UsageError) as caught:
            find_heuristic(text)
        assert problem in str(caught.value)
    solution = puzzlekit.load("cube2").solve("R U F2", method="small-tables", heuristic="power:p=3")
    assert (solution.heuristic, solution.verified) == ("power:p=3", True)


@attrs.frozen
class Weighted(Heuristic):
    """The largest distance times a weight: weighted A*, as IDA*."""

    name = "weighted"
    w: float = 1.0

    def join(self, distances: Sequence[Any]) -> Any:
        return Max().join(distances) * self.w // 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "weight", "cost", "fewer"),
    [("optimal", 1.0, 31, False), ("manhattan", 1.0, 31, False), ("manhattan", 1.5, 31, True)],
)
def test_a_heuristic_changes_a_search_with_one_distance(
    method: str, weight: float, cost: int, fewer: bool
) -> None:
    """The state is one of the two that are farthest from the goal: 31 moves."""
    solver, state = puzzlekit.load("eight"), "8 6 7 2 5 4 3 0 1"
    exact = solver.solve(state, method=method, heuristic="max")
    found = solver.solve(state, method=method, heuristic=Weighted(weight))
    assert (exact.cost, exact.optimal, found.cost) == (31, True, cost)
    assert (found.nodes < exact.nodes / 5) is fewer
    assert found.nodes == exact.nodes or fewer
    assert (found.optimal, found.phases[0].optimal) == (not fewer, not fewer)
    assert solver.prepared(method, heuristic=Weighted(weight)).admissible is not fewer


@pytest.mark.slow
def test_the_answer_of_a_heavy_weight_is_longer_and_not_called_optimal() -> None:
    solver = puzzlekit.load("eight")
    for method in ("optimal", "manhattan"):
        found = solver.solve("8 6 7 2 5 4 3 0 1", method=method, heuristic=Weighted(3))
        assert 31 < found.cost <= 3 * 31 and found.verified
        assert not (found.optimal or found.phases[0].optimal)
    keys = [
        table_keys(solver.choose(SearchOptions("optimal", heuristic)))
        for heuristic in (Max(), Sum(), Weighted(1), Weighted(3))
    ]
    assert keys[0] == keys[1] == keys[2]
    (extra,) = set(keys[3]) - set(keys[0])
    assert extra.name == "weighted of 1 distances"


@given(KINDS)
def test_bundled_heuristics_keep_a_single_distance(heuristic: Heuristic) -> None:
    assert not heuristic.changes(1) and not heuristic.changes(0)
    assert heuristic.changes(2) is (heuristic != Max())


def test_sources_are_asked_only_for_names_that_are_not_built_in() -> None:
    def source() -> list[type[Heuristic]]:
        raise AssertionError("asked")

    registry.heuristic_sources.append(source)
    try:
        assert [find_heuristic(name).name for name in NAMES] == list(NAMES)
        with pytest.raises(AssertionError, match="asked"):
            find_heuristic("other")
    finally:
        registry.heuristic_sources.remove(source)


# --- in a search --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, "blended:sd=population", "max-sd:a=0.5,sd=sample"])
def test_cube2_is_solved_with_every_heuristic(name: str) -> None:
    solver = puzzlekit.load("cube2")
    for seed in range(8):
        state = solver.random_state(seed)
        shortest = solver.solve(state).cost
        solution = solver.solve(state, method="small-tables", heuristic=name)
        assert solution.verified and solution.heuristic == name
        assert solution.cost >= shortest
        assert solution.optimal == (name == "max") == solution.phases[0].optimal
        assert not solution.optimal or solution.cost == shortest


def finish_alone(metric: str, reached: bytes) -> int:
    """The length of the shortest answer in the moves of the last phase."""
    alone = Method("finish", "alone", (TWO_PHASE.phases[1],), fixed=TWO_PHASE.fixed)
    solution = Solver(CUBE3.puzzle, [alone], CUBE3.store).solve(reached, metric=metric)
    assert solution.optimal
    return solution.cost


WAYS = ["sum", "max-sd", "euclid", "blended", "0=max/1=euclid", "0=blended/1=max", "0=max/1=sum"]


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("text", WAYS)
def test_cube3_is_solved_with_every_heuristic(text: str, metric: str) -> None:
    for seed in range(2):
        state = CUBE3.random_state(seed)
        solution = CUBE3.solve(state, heuristic=text, metric=metric, timeout=60.0)
        assert solution.verified and solution.heuristic == text
        assert not solution.optimal
        orient, finish = solution.phases
        admissible = [each.is_max for each in TWO_PHASE.heuristics(text)]
        assert [orient.optimal, finish.optimal] == admissible
        if finish.optimal:
            reached = CUBE3.puzzle.apply(state, CUBE3.puzzle.moves(" ".join(orient.moves)))
            assert finish.cost == finish_alone(metric, reached)


@pytest.mark.slow
def test_only_the_phase_that_is_named_changes() -> None:
    chain = CUBE3.prepared(heuristic="finish=sum")
    usual = CUBE3.prepared()
    assert [phase.admissible for phase in chain.phases] == [True, False]
    assert chain is CUBE3.prepared(heuristic="1=sum") is CUBE3.prepared(heuristic="0=max/1=sum")
    assert chain is not usual and usual is CUBE3.prepared()
    assert (chain.plan.heuristic, usual.plan.heuristic) == ("0=max/1=sum", "max")
    assert type(CUBE3.prepared(heuristic="0=max/1=max")) is type(usual)


@pytest.mark.slow
def test_a_phase_is_called_optimal_only_with_its_shortest_moves() -> None:
    """A limit on the whole makes the first phase try more than its first answer."""
    plain = attrs.evolve(TWO_PHASE, strategy=Sequential())
    solver = Solver(CUBE3.puzzle, [plain], CUBE3.store)
    longer = 0
    for seed in range(6):
        state = solver.random_state(random.Random(seed))
        first = solver.solve(state)
        assert [phase.optimal for phase in first.phases] == [True, True]
        best = first
        while best.cost > 22:
            best = solver.solve(state, max_length=best.cost - 1, timeout=60.0)
            orient, finish = best.phases
            assert orient.optimal == (orient.cost == first.phases[0].cost)
            assert finish.optimal and not best.optimal
            longer += not orient.optimal
    assert longer


@pytest.mark.slow
@pytest.mark.parametrize("limits", [{"max_length": 21}, {"max_nodes": 50_000}], ids=str)
def test_improved_answers_tell_nothing_of_their_phases(limits: dict[str, Any]) -> None:
    solution = CUBE3.solve(CUBE3.random_state(5), **limits)
    assert len(solution.phases) == 2
    assert not any(phase.optimal for phase in solution.phases)


@pytest.mark.slow
def test_short_answers_are_optimal_where_that_is_proven() -> None:
    for scramble, metric, proven in (("R U F", "HTM", True), ("R2 U2 F2", "QTM", False)):
        CUBE3.prepared(heuristic="sum", metric=metric)  # without tables, another search proves both
        solution = CUBE3.solve(scramble, heuristic="sum", metric=metric)
        assert [phase.optimal for phase in solution.phases] == [proven] == [solution.optimal]


def test_listed_solutions_agree_with_their_phase() -> None:
    found = list(puzzlekit.load("cube2").solutions("R U F", max_length=7))
    assert {solution.optimal for solution in found} == {True, False}
    assert all(solution.phases[0].optimal == solution.optimal for solution in found)


def test_tables_are_known_before_they_are_built(tmp_path: Path) -> None:
    known = puzzlekit.load("cube2")
    solver = Solver(known.puzzle, known.methods, TableStore(str(tmp_path)))
    for text in ("blended:a=3", "0=euclid"):
        keys = table_keys(solver.choose(SearchOptions("small-tables", text)))
        solver.prepared("small-tables", text)
        assert all(map(solver.store.has, keys))
    kept = {stored.name: stored.purpose for stored in solver.store.entries()}
    assert "blended" in kept["blended of 4 distances"].lower()
    assert not [stored for stored in solver.store.entries() if stored.problem]


@pytest.mark.slow
def test_tables_follow_the_heuristic_of_each_phase() -> None:
    names = [
        [
            key.name
            for key in table_keys(CUBE3.choose(SearchOptions(heuristic=text)))
            if "distances" in key.name
        ]
        for text in (None, "max", "0=blended/1=euclid", "1=max-sd:a=3")
    ]
    assert names == [
        [],
        [],
        ["blended of 2 distances", "euclid of 3 distances"],
        ["max-sd of 3 distances"],
    ]
    known = all_table_keys(CUBE3.chooser)
    choice = CUBE3.choose(SearchOptions(heuristic="0=blended/1=euclid", metric="QTM"))
    assert known >= set(table_keys(choice))


def test_a_heuristic_of_too_many_tables_is_refused_as_a_wrong_choice() -> None:
    cube = puzzlekit.load("cube2").puzzle
    assert joined_key(cube, Sum(), [16] * 5).shape == (1 << 20,)
    with pytest.raises(UsageError, match="6 pruning tables are too many for the heuristic sum"):
        joined_key(cube, Sum(), [16] * 6)
