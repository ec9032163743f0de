"""Cosets: numbered up to symmetry, their tables filled by words, and all entries by distances."""

from __future__ import annotations

import mmap
import random
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from bundled import COMPILED
from engines import engine, plain
from four_corners import CASES, EIGHT, FOUR, TWO, Case, distances
from hypothesis import given
from hypothesis import strategies as st
from resolving import resolve

import puzzlekit
from puzzlekit import (
    Combination,
    DeclarationError,
    Metric,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    TableStore,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine.automaton import pruned_pairs, redundancy_automaton
from puzzlekit.puzzle.move import compose, no_effect
from puzzlekit.puzzle.symmetry import symmetries
from puzzlekit.tables.store import TableWarning
from puzzlekit_cubes import Based, coset_words
from puzzlekit_cubes.coset_marks import CosetNeeds, merged
from puzzlekit_cubes.engine import coset_layout
from puzzlekit_cubes.two_sided_search import resident

CUBE3 = puzzlekit.load("cube3")
CUBE = CUBE3.puzzle
STORE = CUBE3.store
TURNS = CUBE.moves("U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'")
HALF_TURNS = CUBE.moves("U2 R2 F2 D2 L2 B2")
IMAGES = symmetries(CUBE, TURNS)
needs_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")

words = st.lists(st.sampled_from(range(18)), max_size=25)


# --- the numbers of cosets -----------------------------------------------------------------------


def cube3_phase(kept: int, base: int) -> Phase:
    """The phase of `optimal` with a table of another size."""
    (phase,) = CUBE3.method("optimal").larger[0].phases
    (table,) = phase.pruning_tables
    assert isinstance(table, Based)
    return attrs.evolve(phase, tables=(attrs.evolve(table, kept=kept, base={"HTM": base}),))


@cache
def cube3_needs(kept: int = 0) -> CosetNeeds:
    (table,) = resolve(CUBE, cube3_phase(kept, 4), CUBE.metric("HTM")).tables
    assert isinstance(table.kind, Based)
    return table.kind.needs(table.graph)


def case_needs(case: Case, **changes: Any) -> CosetNeeds:
    (table,) = case.needs(**changes).tables
    assert isinstance(table.kind, Based)
    return table.kind.needs(table.graph)


@cache
def cube3_cosets(kept: int = 0) -> Any:
    return engine.Cosets(cube3_needs(kept).engine_input(STORE))


def filling(needs: CosetNeeds, modules: Any, store: TableStore = STORE) -> Any:
    """What fills a table, and tells cosets apart."""
    cosets = modules.Cosets(needs.engine_input(store))
    pairs = pruned_pairs(
        [move.effect for move in needs.moves],
        [1] * len(needs.moves),
        lambda one, other: compose(one, other, needs.puzzle.modulus),
        no_effect(needs.puzzle.modulus),
    )
    return modules.CosetFill(
        cosets,
        redundancy_automaton(pairs),
        merged(needs.puzzle, needs.moves),
        bytearray(b"\xff" * cosets.table_size),
    )


@cache
def cube3_filling() -> Any:
    return filling(cube3_needs(), engine)


def state_after(word: list[int]) -> bytes:
    return CUBE.apply(CUBE.solved, [TURNS[number] for number in word])


@pytest.mark.slow
@given(words)
def test_marks_after_a_move_are_those_of_the_state_after_it(word: list[int]) -> None:
    needs, cosets = cube3_needs(), cube3_cosets()
    assert list(needs.moves) == list(TURNS)
    marks = needs.marks(CUBE.solved)
    for number in word:
        marks = cosets.after(marks, number)
    assert marks == needs.marks(state_after(word))


@given(words, st.sampled_from(IMAGES))
def test_states_that_a_symmetry_carries_to_each_other_share_their_key(
    word: list[int], image: tuple[int, ...]
) -> None:
    assert len(IMAGES) == 48
    one, other = (
        cube3_needs().marks(state_after(each)) for each in (word, [image[n] for n in word])
    )
    assert cube3_filling().key(one) == cube3_filling().key(other)


@pytest.mark.slow
@given(st.lists(st.sampled_from(HALF_TURNS), max_size=12), words)
def test_states_that_the_subgroup_carries_to_each_other_share_their_number(
    first: list[Any], word: list[int]
) -> None:
    """The subgroup comes first: what is done after it tells the coset."""
    start = CUBE.apply(CUBE.solved, first)
    state = CUBE.apply(start, [TURNS[number] for number in word])
    for kept in (0, 2, 11):
        numbers = [
            cube3_cosets(kept).index(cube3_needs(kept).marks(each))
            for each in (state, state_after(word))
        ]
        assert numbers[0] == numbers[1] < cube3_needs(kept).entries
    keys = [cube3_filling().key(cube3_needs().marks(each)) for each in (state, state_after(word))]
    assert keys[0] == keys[1]


@given(words)
def test_lines_of_the_table_do_not_mix_orientations(word: list[int]) -> None:
    """The cosets of a state and of the same state with all edges flipped differ much in distance.

    A line stores the least distance of its entries, so it would say little of either coset.
    """
    turn, mask, one, two, flips = cube3_needs(2).marks(state_after(word))
    every = (1 << 12) - 1
    either = [
        cube3_cosets(2).index((turn, mask, one, two, each)) for each in (flips, flips ^ every)
    ]
    assert either[0] // 254 != either[1] // 254


@pytest.mark.parametrize("name", CASES)
def test_numbers_tell_all_cosets_apart(name: str) -> None:
    """Two states are of one coset, up to symmetry, just where one follows from the other."""
    case = CASES[name]
    needs = case_needs(case, kept=3)
    fill = filling(needs, engine)
    images = symmetries(case.puzzle, needs.moves)
    cosets: dict[tuple[int, ...], list[int]] = {}  # a word to each coset
    fresh = [needs.marks(case.puzzle.solved)]
    cosets[fresh[0]] = []
    for marks in fresh:  # grows while it is gone through
        for number in range(len(needs.moves)):
            after = fill_after(fill, needs, marks, number)
            if after not in cosets:
                cosets[after] = [*cosets[marks], number]
                fresh.append(after)
    orbits: dict[int, set[tuple[int, ...]]] = {}
    for marks in cosets:
        orbits.setdefault(fill.key(marks), set()).add(marks)
    for each in orbits.values():
        word = cosets[next(iter(each))]
        seen = set()
        for image in images:
            there = needs.marks(case.puzzle.solved)
            for number in word:
                there = fill_after(fill, needs, there, image[number])
            seen.add(there)
        assert seen == each


def fill_after(fill: Any, needs: CosetNeeds, marks: Any, number: int) -> tuple[int, ...]:
    return tuple(coset_engine(needs).after(marks, number))


@cache
def coset_engine(needs: CosetNeeds) -> Any:
    return engine.Cosets(needs.engine_input(STORE))


def test_numbers_that_are_no_marks_are_refused() -> None:
    cosets, marks = cube3_cosets(), cube3_needs().marks(CUBE.solved)
    for at, number in ((0, -1), (0, 2187), (2, 1 << 12), (3, -1), (3, marks[2]), (4, 1 << 12)):
        wrong = [*marks]
        wrong[at] = number
        with pytest.raises(ValueError, match="no marks"):
            cosets.index(wrong)
        with pytest.raises(ValueError, match="no marks"):
            cube3_filling().key(wrong)
    for move in (-1, 18):
        with pytest.raises(ValueError, match="no move"):
            cosets.after(marks, move)


# --- how many there are --------------------------------------------------------------------------


@needs_compiler
def test_cosets_of_the_3x3x3_by_their_distance() -> None:
    """Exact numbers of another program, of the same cosets up to the 48 symmetries."""
    needs, fill = cube3_needs(), cube3_filling()
    levels = coset_words._levels(fill, needs, 6)
    assert [len(ends) for _, ends in levels] == [1, 1, 3, 23, 241, 2996, 38199]
    marks, ends = levels[-1]
    assert fill.fill(marks.data, ends.data, 0, len(ends), 1, 7, 0) == 572_985


def test_cosets_near_the_solved_one_are_the_same_interpreted() -> None:
    needs = cube3_needs()
    for modules in (engine, plain()):
        levels = coset_words._levels(filling(needs, modules), needs, 3)
        assert [len(ends) for _, ends in levels] == [1, 1, 3, 23]


# --- tables --------------------------------------------------------------------------------------


def entries_of(needs: CosetNeeds, data: Any) -> list[int]:
    """The code of each entry."""
    place = range(needs.entries)
    slots = [number // 254 * 256 + number % 254 for number in place]
    return [data[slot >> 2] >> (slot & 3) * 2 & 3 for slot in slots]


@pytest.mark.parametrize("base", [1, 2, 3, 4])
@pytest.mark.parametrize("kept", [0, 2, 3])
@pytest.mark.parametrize("name", CASES)
def test_every_entry_is_the_least_distance_of_its_states(name: str, kept: int, base: int) -> None:
    """All states of the puzzle are listed; from the base on it is exact, below it by lines."""
    case = CASES[name]
    (table,) = case.needs(kept=kept, base={"TURNS": base}).tables
    data = table.get(STORE).data
    needs = case_needs(case, kept=kept)
    cosets, least = coset_engine_of(name, kept), least_distances(name, kept)
    expected = [max(0, min(3, least.get(i, 99) - base)) for i in range(needs.entries)]
    assert entries_of(needs, data) == expected
    assert len(data) == cosets.table_size == 64 * -(-needs.entries // 254)
    for line in range(len(data) // 64):
        told = [least.get(i, 15) for i in range(254 * line, 254 * line + 254)]
        assert data[64 * line + 63] >> 4 == (min(told) if min(told) <= base else 15)


@cache
def least_distances(name: str, kept: int) -> dict[int, int]:
    """The least distance of the states of each coset."""
    needs, cosets = case_needs(CASES[name], kept=kept), coset_engine_of(name, kept)
    least: dict[int, int] = {}
    for state, distance in distances(name).items():
        number = cosets.index(needs.marks(state))
        least[number] = min(distance, least.get(number, distance))
    return least


@cache
def coset_engine_of(name: str, kept: int) -> Any:
    return engine.Cosets(case_needs(CASES[name], kept=kept).engine_input(STORE))


@pytest.mark.parametrize("name", CASES)
def test_tables_are_filled_alike_interpreted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = case_needs(CASES[name], kept=3)
    found = []
    for modules in (engine, plain()):
        monkeypatch.setattr(coset_words, "Cosets", modules.Cosets)
        monkeypatch.setattr(coset_words, "CosetFill", modules.CosetFill)
        found.append(bytes(coset_words.fill_by_words(STORE, needs, 3, lambda share: None)))
    assert found[0] == found[1]


@pytest.mark.parametrize("enough", [1, 50, 400])
def test_tables_do_not_depend_on_how_far_cosets_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, enough: int
) -> None:
    needs = case_needs(TWO, kept=2)
    whole = bytes(coset_words.fill_by_words(STORE, needs, 3, lambda share: None))
    monkeypatch.setattr(coset_words, "_ENOUGH", enough)
    shares: list[float] = []
    assert bytes(coset_words.fill_by_words(STORE, needs, 3, shares.append)) == whole
    assert shares and shares == sorted(shares) and 0 < shares[0] <= shares[-1] <= 1


@pytest.mark.slow
@needs_compiler
def test_a_table_of_the_3x3x3_never_says_too_much() -> None:
    (table,) = resolve(CUBE, cube3_phase(0, 4), CUBE.metric("HTM")).tables
    data = np.frombuffer(table.get(STORE).data, "u1")
    needs, cosets = cube3_needs(), cube3_cosets()
    assert (needs.entries, len(data)) == (3393 * 34650, 64 * -(-3393 * 34650 // 254))
    rng = random.Random(5)
    exact = 0
    for _ in range(20_000):
        word = [rng.randrange(18) for _ in range(rng.randrange(9))]
        number = cosets.index(needs.marks(state_after(word)))
        line, at = divmod(number, 254)
        code = data[64 * line + at // 4] >> at % 4 * 2 & 3
        told = 4 + code if code else data[64 * line + 63] >> 4
        assert told <= len(word)
        exact += told == len(word) > 0
    assert exact > 1000
    # The states one move from the solved one are of one coset, up to symmetry, or of that one.
    ones = {cube3_filling().key(needs.marks(state_after([number]))) for number in range(18)}
    assert len(ones) == 2


def test_layouts_have_the_same_numbers_compiled() -> None:
    directory = Path(coset_layout.__file__).parent
    lines = (directory / "coset_layout.pxd").read_text(encoding="utf-8").split("cdef enum:")[1]
    listed = dict(line.split(" = ") for line in map(str.strip, lines.splitlines()) if line)
    named = {name: str(value) for name, value in vars(coset_layout).items() if name.isupper()}
    assert listed == named


# --- what cannot be ------------------------------------------------------------------------------


def test_the_right_numbers_are_told() -> None:
    for changes, told in (
        ({"classes": 83}, "there are 84 classes, not 83"),
        ({"classes": 85}, "there are 84 classes, not 85"),
        ({"symmetries": 8}, "it has 2 symmetries here, not 8"),
    ):
        case = TWO._replace(**changes)
        with pytest.raises(DeclarationError, match=f"coordinate sym: {told}"):
            case.needs().tables[0].get(STORE)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"base": {}}, "needs a base for the metric TURNS"),
        ({"base": {"TURNS": 0}}, "must be from 1 to 12"),
        ({"base": {"TURNS": 13}}, "must be from 1 to 12"),
        ({"kept": 4}, "must be from 0 to 3"),
        ({"kept": -1}, "must be from 0 to 3"),
        ({"kinds": ("p", "q", "r")}, "'kinds' has 3 items, but at most 2"),
        ({"kinds": ("p q", "q")}, "'kinds' must name each piece at most once"),
        ({"kinds": ("p p",)}, "'kinds' must name each piece at most once"),
        ({"beside": "corners"}, "covers exactly two orbits"),
    ],
)
def test_declarations_that_cannot_be(changes: dict[str, Any], problem: str) -> None:
    (table,) = TWO.phase().pruning_tables
    phase = attrs.evolve(TWO.phase(), tables=(attrs.evolve(table, **changes),))
    with pytest.raises(DeclarationError, match=f"pruning table sym: .*{problem}"):
        resolve(TWO.puzzle, phase, TWO.puzzle.metric()).tables[0].key  # noqa: B018


def phase_over(puzzle: Puzzle, orbit: str, beside: str, *parts: Any, **changes: Any) -> Phase:
    """A phase with a table of cosets over two orbits of any puzzle."""
    first = puzzle.orbit(orbit).places[0]
    parts = parts or (Combination("placed", puzzle, orbit, first),)
    sym = SymCoordinate("sym", puzzle, orbit, parts, classes=2, symmetries=1)
    table = Based("sym", beside, (), 0, {"TURNS": 2})
    moves = " ".join(puzzle.turns)
    return Phase("solve", "solved", moves, (sym,), (table,), **changes)


def rings(*sizes: int, alike: bool = False) -> Puzzle:
    """Rings of beads that turn together."""
    names = [f"ring{number}" for number in range(len(sizes))]
    places = [
        " ".join(f"{name}-{at}" for at in range(n)) for name, n in zip(names, sizes, strict=True)
    ]
    solved = bytes([0] * sizes[0]) if alike else None
    orbits = [Orbit(name, "bead", each) for name, each in zip(names, places, strict=True)]
    if solved is not None:
        orbits[0] = attrs.evolve(orbits[0], solved=solved)
    gather: list[int] = []
    for size in sizes:
        gather += [len(gather) + (at + 1) % size for at in range(size)]
    turns = {"T": (bytes(gather), bytes(len(gather)))}
    return Puzzle("rings", "Rings", tuple(orbits), turns, (Metric("TURNS", "turns", {"T": 1}),))


@pytest.mark.parametrize(
    ("puzzle", "problem"),
    [
        (
            rings(4, 4, 4),
            "covers exactly two orbits, but the moves change ring0 and ring1 and ring2",
        ),
        (rings(4, 5), "even numbers of places, .* ring0 has 4 places and ring1 has 5"),
        (rings(3, 4), "even numbers of places, .* ring0 has 3 places and ring1 has 4"),
        (rings(4, 14), "at most 8 and 12, but ring0 has 4 places and ring1 has 14"),
        (rings(10, 4), "at most 8 and 12, but ring0 has 10 places and ring1 has 4"),
        (rings(4, 4, alike=True), "a puzzle whose states have inverses"),
    ],
)
def test_puzzles_that_have_no_such_table(puzzle: Puzzle, problem: str) -> None:
    phase = phase_over(puzzle, "ring0", "ring1")
    with pytest.raises(DeclarationError, match=f"pruning table sym: .*{problem}"):
        resolve(puzzle, phase, puzzle.metric()).tables[0].key  # noqa: B018


def test_the_second_orbit_is_turned_in_up_to_two_ways() -> None:
    puzzle = TWO.puzzle
    phase = phase_over(puzzle, "beads", "corners")
    with pytest.raises(DeclarationError, match="corners have more than two orientations"):
        resolve(puzzle, phase, puzzle.metric()).tables[0].key  # noqa: B018


@pytest.mark.parametrize(
    "part",
    [Permutation("all", TWO.puzzle, "corners"), Permutation("a", TWO.puzzle, "corners", "a")],
)
def test_the_sym_coordinate_tells_kinds_and_turns_only(part: Any) -> None:
    phase = phase_over(TWO.puzzle, "corners", "beads", part)
    with pytest.raises(
        DeclarationError, match="parts of sym must be a Combination and an Orientation"
    ):
        resolve(TWO.puzzle, phase, TWO.puzzle.metric()).tables[0].key  # noqa: B018


def test_only_the_solved_state_is_a_goal() -> None:
    phase = attrs.evolve(TWO.phase(), goal_moves="E")
    with pytest.raises(DeclarationError, match="distances from the solved state only"):
        resolve(TWO.puzzle, phase, TWO.puzzle.metric()).tables[0].key  # noqa: B018


def test_a_table_is_over_a_sym_coordinate() -> None:
    (table,) = TWO.phase().pruning_tables
    phase = attrs.evolve(TWO.phase(), tables=(attrs.evolve(table, coordinates="twist"),))
    with pytest.raises(DeclarationError, match=r"table twist: .* must be over a sym coordinate"):
        resolve(TWO.puzzle, phase, TWO.puzzle.metric()).tables[0].key  # noqa: B018


@pytest.mark.parametrize(("name", "kinds"), [("eight", ("p", "q")), ("four", ("p q r",))])
def test_symmetries_keep_pieces_of_a_kind_together(name: str, kinds: tuple[str, ...]) -> None:
    with pytest.raises(DeclarationError, match="pieces of one kind of beads to pieces of several"):
        case_needs(CASES[name], kinds=kinds).engine_input(STORE)


def test_symmetries_carry_the_second_orbit_too() -> None:
    """Eight of the corners, which only four are of the beads."""
    puzzle = attrs.evolve(FOUR.puzzle, reflections=EIGHT.puzzle.reflections)
    case = EIGHT._replace(puzzle=puzzle)
    with pytest.raises(DeclarationError, match="a symmetry maps beads to something else"):
        case.needs().tables[0].get(STORE)


def test_the_engine_refuses_what_does_not_fit() -> None:
    given, merges = case_needs(TWO).engine_input(STORE), bytes(81)
    cosets = engine.Cosets(given)
    with pytest.raises(ValueError, match="another shape"):
        engine.Cosets(given._replace(counted=given.counted[1:]))
    with pytest.raises(ValueError, match="up to 64 symmetries"):
        engine.Cosets(given._replace(products=given.products[1:]))
    with pytest.raises(ValueError, match="up to 12 places"):
        engine.Cosets(given._replace(places=13))
    for entries in (bytearray(cosets.table_size - 1), bytearray()):
        with pytest.raises(ValueError, match="a table of other cosets"):
            engine.CosetFill(cosets, [[]], merges, entries)
    with pytest.raises(ValueError, match="each pair of moves"):
        engine.CosetFill(cosets, [[]], merges[1:], bytearray(cosets.table_size))


# --- where tables are kept -----------------------------------------------------------------------


def test_a_resident_table_is_a_copy_that_can_be_written() -> None:
    data = bytes(range(256)) * 40
    copy = resident(memoryview(data))
    assert copy == data and not copy.readonly and copy.format == "B"
    copy[5] = 77
    assert copy[5] == 77 and data[5] == 5
    words = np.arange(100, dtype="u2")
    assert resident(memoryview(words)) == words.tobytes()


@pytest.mark.parametrize("missing", [False, True])
def test_a_table_is_resident_without_large_pages(
    monkeypatch: pytest.MonkeyPatch, missing: bool
) -> None:
    if missing:
        monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)
    else:  # a kernel that does not have them
        monkeypatch.setattr(mmap, "MADV_HUGEPAGE", -1, raising=False)
    assert resident(memoryview(b"entries")) == b"entries"


@pytest.mark.usefixtures("own_files")
def test_a_damaged_table_is_built_anew(tmp_path: Path) -> None:
    store = TableStore(str(tmp_path))
    (table,) = TWO.needs().tables
    whole = bytes(table.get(store).data)
    path = Path(store.path(table.key))
    path.write_bytes(path.read_bytes()[:-70])
    with pytest.warns(TableWarning):
        assert bytes(table.get(TableStore(str(tmp_path))).data) == whole
