"""Symmetries, classes, and searches with sym coordinates, against what needs no symmetry."""

from __future__ import annotations

import random
from array import array
from functools import cache
from graphlib import TopologicalSorter
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from bundled import COMPILED, CUBES, engine_space, kept, stickers
from engines import engine, plain
from sym_spaces import (
    ALL,
    CASES,
    CORNERS,
    CUBE2,
    CUBE3,
    FLIP,
    KEEPING,
    PLACED,
    SLICE,
    STORE,
    TOP,
    TWIST,
    Case,
    distances,
    representatives,
    split,
)

import puzzlekit
from puzzlekit import DeclarationError, Permutation, Plain, Puzzle, Solver, TableStore
from puzzlekit.engine.inputs import CoordinateInput, ImageInput, TableInput
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.symmetry import symmetries
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.product_table import Folded
from puzzlekit.tables.table import Table, TableSpec

PLENTY = 1 << 40
cases = pytest.mark.parametrize("name", CASES)


# --- symmetries of moves ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puzzle", "moves", "count"),
    [
        (CUBE3.puzzle, "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'", 48),
        (CUBE3.puzzle, "U U2 U' D D2 D' R2 F2 L2 B2", 16),
        (CUBE3.puzzle, "U2 D2 R2 F2 L2 B2", 48),
        (CUBE2.puzzle, "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'", 48),
    ],
)
def test_symmetries_permute_the_moves(puzzle: Puzzle, moves: str, count: int) -> None:
    listed = puzzle.moves(moves)
    found = symmetries(puzzle, listed)
    assert len(found) == len(set(found)) == count
    assert found[0] == tuple(range(len(listed)))
    group = set(found)
    for one in found:
        assert sorted(one) == list(range(len(listed)))
        # Powers stay powers, inverses inverses, and what commutes commutes.
        for i, j in product(range(len(listed)), repeat=2):
            assert puzzle.commute(listed[i], listed[j]) == puzzle.commute(
                listed[one[i]], listed[one[j]]
            )
            inverse = puzzle.inverse(listed[i]) == listed[j]
            assert inverse == (puzzle.inverse(listed[one[i]]) == listed[one[j]])
        for other in found:
            assert tuple(other[k] for k in one) in group


@pytest.mark.parametrize(
    ("puzzle", "families", "count"),
    [(CUBE2, "URF", 6), (CUBE3, "MES", 24), (CUBE3, "UD", 4), (CUBE3, "R", 2)],
)
def test_symmetries_of_which_no_single_step_is_one(
    puzzle: Solver, families: str, count: int
) -> None:
    assert len(symmetries(puzzle.puzzle, puzzle.puzzle.family_moves(families))) == count


def test_symmetries_are_those_of_the_group_that_moves_make() -> None:
    """Each carries sequences that do nothing to sequences that do nothing."""
    puzzle = CUBE3.puzzle
    moves = puzzle.family_moves("URFDLB")
    words = ["R L' F B' U D' R L' F2 B2 U2 D2", "R U R' U' " * 6, "R U2 D' B D' " * 1]
    number = {move: i for i, move in enumerate(moves)}

    def order(word: list[int]) -> int:
        state, count = puzzle.solved, 0
        while True:
            state = puzzle.apply(state, [moves[k] for k in word])
            count += 1
            if state == puzzle.solved:
                return count

    for word in words:
        numbers = [number[move] for move in puzzle.moves(word)]
        expected = order(numbers)
        for image in symmetries(puzzle, moves):
            assert order([image[k] for k in numbers]) == expected


def mirror(size: int) -> list[int]:
    """For each sticker the one that it shows in a mirror between left and right."""
    area = size * size
    other = {"R": "L", "L": "R"}
    return [
        "URFDLB".index(other.get(face, face)) * area + row * size + size - 1 - column
        for face in "URFDLB"
        for row in range(size)
        for column in range(size)
    ]


@pytest.mark.parametrize("puzzle", CUBES)
def test_declared_reflections_are_what_a_mirror_shows(puzzle: str) -> None:
    """Of every family: wide turns, slices and rotations too."""
    known = puzzlekit.load(puzzle).puzzle
    cube = stickers(puzzle)
    image = mirror(cube.size)
    assert [image[image[i]] for i in range(len(image))] == list(range(len(image)))
    (reflection,) = known.reflections
    assert set(reflection) == set(known.turns) == set(cube.turns)
    for family, (other, sign) in reflection.items():
        turn = cube.turns[family]
        mirrored = [image[turn[image[i]]] for i in range(len(turn))]
        back = " ".join([other] * (1 if sign == 1 else 3))
        assert cube.sequence(back) == mirrored, family


# --- classes ------------------------------------------------------------------------------------


def classes_of(case: Case) -> tuple[Any, Any, Any, Any, Any]:
    """Class and symmetry of each value, class moves, images of moves, keepers, all as arrays."""
    found = case.classes_of()
    moves = len(case.allowed)
    class_moves = np.asarray(found.class_moves).astype(np.int64).reshape(case.classes, moves)
    images = np.frombuffer(found.move_images, "u1").reshape(case.symmetries, moves)
    keepers = found.keepers
    return split(case, found.class_of), class_moves, images, keepers, found.products


def raw_moves(case: Case) -> Any:
    """The value of the parts together after each move: shape (size, moves)."""
    after: Any = np.zeros((1, len(case.allowed)), dtype=np.int64)
    for part in case.parts:
        table = np.asarray(move_table(STORE, part, case.allowed).data).astype(np.int64)
        table = table.reshape(part.size, -1)
        after = (after[:, None, :] * part.size + table).reshape(-1, len(case.allowed))
    return after


BIG = {
    "flip-slice": Case(CUBE3.puzzle, (FLIP, SLICE), (TWIST,), ALL, 16, 64430),
    "corners": Case(CUBE3.puzzle, (CORNERS,), (), KEEPING, 16, 2768),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *BIG])
def test_classes_are_the_orbits_of_all_values(name: str) -> None:
    """64,430 and 2,768 are published numbers (H. Kociemba), 984 is that of corner permutations."""
    case = {**CASES, **BIG}[name]
    (number, symmetry), _, _, keepers, products = classes_of(case)
    assert len(number) == case.sym.size
    assert symmetry.max() < case.symmetries
    stabiliser = np.bitwise_count(keepers).astype(np.int64)
    assert (keepers & np.uint64(1)).all()
    assert (case.symmetries % stabiliser == 0).all()
    sizes = case.symmetries // stabiliser
    assert np.array_equal(np.bincount(number, minlength=case.classes), sizes)
    assert sizes.sum() == case.sym.size
    # The products are those of a group, in which each keeper's are keepers too.
    table = np.frombuffer(products, "u1").reshape(case.symmetries, case.symmetries)
    everyone = list(range(case.symmetries))
    assert table[0].tolist() == table[:, 0].tolist() == everyone
    assert all(sorted(row) == everyone for row in table.tolist())
    assert all(sorted(column) == everyone for column in table.T.tolist())
    for keeper in set(keepers.tolist()):
        group = [s for s in everyone if keeper >> s & 1]
        assert {int(table[s, t]) for s in group for t in group} == set(group)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *BIG])
def test_products_are_one_symmetry_after_the_other(name: str) -> None:
    case = {**CASES, **BIG}[name]
    _, _, images, _, products = classes_of(case)
    table = np.frombuffer(products, "u1").reshape(case.symmetries, case.symmetries)
    for s, t in product(range(case.symmetries), repeat=2):
        assert np.array_equal(images[table[s, t]], images[t][images[s]])
    wanted = {tuple(row) for row in symmetries(case.puzzle, case.allowed)}
    assert {tuple(row) for row in images.tolist()} <= wanted
    costs = np.array(case.costs)
    assert all((costs[row] == costs).all() for row in images)


def carried_of(case: Case) -> Any:
    """Where each symmetry carries each value: along a path from the solved value, value by value.

    Shape (symmetries, size).
    """
    _, _, images, _, _ = classes_of(case)
    after = raw_moves(case)
    root = case.sym.rank(case.puzzle.solved)
    carried = np.full((case.symmetries, case.sym.size), -1, dtype=np.int64)
    carried[:, root] = root
    fresh = [root]
    while fresh:
        at = fresh.pop()
        for m, near in enumerate(after[at].tolist()):
            if carried[0, near] < 0:
                carried[:, near] = after[carried[:, at], images[:, m]]
                fresh.append(near)
    assert np.array_equal(carried[0], np.arange(case.sym.size))
    return carried


@pytest.mark.slow
@cases
def test_moves_of_classes_are_those_of_values(name: str) -> None:
    """Every value, every symmetry that leads to its representative, every move.

    The engine's rule gives the class of the value after the move, and a symmetry that carries it to
    the representative of that class.
    """
    case = CASES[name]
    (number, symmetry), class_moves, images, keepers, products = classes_of(case)
    shift = case.sym.shift
    table = np.frombuffer(products, "u1").reshape(case.symmetries, case.symmetries)
    after = raw_moves(case)
    carried = carried_of(case)
    first = representatives(case, case.classes_of().class_of)
    values = np.arange(case.sym.size)
    assert np.array_equal(carried[symmetry, values], first[number])
    for s in range(case.symmetries):
        there = np.flatnonzero(carried[s] == first[number])
        for m in range(len(case.allowed)):
            word = class_moves[number[there], images[s, m]]
            near = after[there, m]
            assert np.array_equal(word >> shift, number[near])
            reached = table[s, word & ((1 << shift) - 1)]
            assert np.array_equal(carried[reached, near], first[number[near]])
    for s in range(case.symmetries):
        kept = (keepers >> np.uint64(s)) & np.uint64(1)
        assert np.array_equal(kept == 1, carried[s][first] == first)


@pytest.mark.slow
@pytest.mark.parametrize("name", BIG)
def test_moves_of_large_classes_are_those_of_states(name: str) -> None:
    """Along a random path: class and symmetry by the engine's rule, and by the state."""
    case = BIG[name]
    found = case.classes_of()
    shift, moves = case.sym.shift, len(case.allowed)
    class_of, class_moves = found.class_of, np.asarray(found.class_moves).reshape(-1)
    images, products = found.move_images, found.products
    keepers = found.keepers
    state = case.puzzle.solved
    value = class_of[case.sym.rank(state)]
    rng = random.Random(11)
    different = 0
    for _ in range(3000):
        m = rng.randrange(moves)
        number, s = value >> shift, value & 15
        word = int(class_moves[number * moves + images[s * moves + m]])
        value = (word & ~15) | products[s * 16 + (word & 15)]
        state = case.puzzle.apply(state, [case.allowed[m]])
        expected = class_of[case.sym.rank(state)]
        assert value >> shift == expected >> shift
        # Two symmetries to the same representative differ by one that keeps it.
        one, other = value & 15, expected & 15
        (apart,) = [k for k in range(16) if products[one * 16 + k] == other]
        assert int(keepers[value >> shift]) >> apart & 1
        different += one != other
    assert different or (keepers == 1).mean() > 0.9


def turned_states(puzzle: Puzzle, state: bytes) -> list[bytes]:
    """A 3x3x3 seen from all sides that keep its axis, and all of these in a mirror, by stickers."""
    cube = stickers("cube3")
    image = mirror(3)
    found = []
    for turn in ("", "y", "y2", "y'", "x2", "x2 y", "x2 y2", "x2 y'"):
        held = cube.replay(facelets(puzzle, state), turn)
        centers = [held[9 * i + 4] for i in range(6)]
        seen = "".join("URFDLB"[centers.index(colour)] for colour in held)
        found.append(seen)
        swapped = seen.translate(str.maketrans("RL", "LR"))
        found.append("".join(swapped[image[i]] for i in range(54)))
    return [CUBE3.positions.from_facelets(text) for text in found]


@pytest.mark.slow
@pytest.mark.parametrize("name", BIG)
def test_what_turned_and_mirrored_stickers_show_is_one_class(name: str) -> None:
    case = BIG[name]
    class_of = case.classes_of().class_of
    rng = random.Random(3)
    for _ in range(60):
        path = [rng.choice(case.allowed) for _ in range(rng.randrange(25))]
        state = case.puzzle.apply(case.puzzle.solved, path)
        ranks = {case.sym.rank(each) for each in turned_states(case.puzzle, state)}
        assert len({class_of[each] >> 4 for each in ranks}) == 1
        (number,) = {class_of[each] >> 4 for each in ranks}
        kept = int(case.classes_of().keepers[number]).bit_count()
        assert len(ranks) == 16 // kept


@pytest.mark.parametrize("name", ["18 moves", "two parts", "6 symmetries"])
def test_wrong_numbers_are_told_with_the_right_ones(name: str) -> None:
    case = CASES[name]
    for wrong in (case.symmetries * 2, case.symmetries // 2, 1):
        needs = case._replace(symmetries=wrong).needs()
        with pytest.raises(
            DeclarationError, match=f"sym: it has {case.symmetries} symmetries here, not {wrong}$"
        ):
            Classes(STORE, needs).class_of  # noqa: B018
    for wrong in (case.classes + 1, case.classes - 1, 1):
        needs = case._replace(classes=wrong).needs()
        with pytest.raises(
            DeclarationError, match=f"sym: there are {case.classes} classes, not {wrong}$"
        ):
            Classes(STORE, needs).keepers  # noqa: B018


@pytest.mark.parametrize("name", ["18 moves", "two parts", "6 symmetries"])
def test_numbers_that_are_not_stated_are_computed(name: str) -> None:
    case = CASES[name]
    needs = case._replace(classes=0, symmetries=0).needs()
    assert (needs.coordinate.classes, needs.coordinate.symmetries) == (
        case.classes,
        case.symmetries,
    )
    assert needs.keys() == case.needs().keys()
    half = case._replace(classes=0).needs()
    assert half.keys() == needs.keys()


def test_partners_goals_and_costs_leave_fewer_symmetries() -> None:
    """What is told is the number with the partner, the goal, the cost that breaks some."""
    puzzle = CUBE3.puzzle
    corner = Permutation("corner", puzzle, "corners", "URF")
    alone = Case(puzzle, (SLICE,), (), ALL, 16, 45)
    assert len(alone.classes_of().move_images) == 16 * 18

    def told(needs: SymNeeds, count: int) -> None:
        with pytest.raises(DeclarationError, match=f"it has {count} symmetries here, not 16"):
            Classes(STORE, needs).class_of  # noqa: B018

    # A slice along an axis and a corner: a mirror that exchanges the other two axes, and no other.
    told(alone._replace(partners=(corner,)).needs(), 2)
    needs = alone.needs()

    def with_costs(costs: list[int]) -> SymNeeds:
        return SymNeeds(alone.sym, (), needs.moves, costs)

    # Turns of U and D are dearer: the axis is kept all the same. Of U alone: 8 are left.
    dear = [2 if move.family in "UD" else 1 for move in needs.moves]
    assert len(Classes(STORE, with_costs(dear)).move_images) == 16 * 18
    told(with_costs([2 if move.family == "U" else 1 for move in needs.moves]), 8)

    @attrs.frozen(slots=False, eq=False)
    class Elsewhere(type(TOP)):  # type: ignore[misc]
        goals = (3,)

    several = Elsewhere("elsewhere", puzzle, "corners", "ULB UBR URF UFL")
    moves = Case(puzzle, (TOP,), (several,), KEEPING, 16, 14)
    with pytest.raises(DeclarationError, match="symmetries here, not 16"):
        Classes(STORE, moves.needs()).class_of  # noqa: B018


def test_values_that_no_moves_reach_have_no_class_of_their_own() -> None:
    case = Case(CUBE3.puzzle, (SLICE,), (), KEEPING, 16, 1)  # the middle edges stay in the middle
    classes = np.asarray(case.classes_of().class_of)
    assert (classes == classes[SLICE.rank(CUBE3.puzzle.solved)]).all()
    partner = Case(CUBE3.puzzle, (TOP,), (SLICE,), KEEPING, 16, 14).classes_of()
    alone = Case(CUBE3.puzzle, (TOP,), (), KEEPING, 16, 14).classes_of()
    assert bytes(partner.class_of) == bytes(alone.class_of)


def test_a_sym_coordinate_ranks_as_the_product_of_its_parts() -> None:
    case = BIG["flip-slice"]
    sym = case.sym
    assert sym.size == FLIP.size * SLICE.size
    assert sym.rank(case.puzzle.solved) in sym.goals == (sym.rank(case.puzzle.solved),)
    rng = random.Random(2)
    program = array("i", sym.engine_program or ())
    for _ in range(200):
        state = random_state(case.puzzle, rng)
        expected = FLIP.rank(state) * SLICE.size + SLICE.rank(state)
        assert sym.rank(state) == expected
        for module in (engine, plain()):
            assert module.rank(program, state) == expected
    assert set(sym.reads) == set(FLIP.reads) | set(SLICE.reads)


# --- the engine ---------------------------------------------------------------------------------

ESTIMATED = [
    (name, bits)
    for name, case in CASES.items()
    for bits in (2, 4, 8)
    if bits > 2 or (case.partners and case.metric == "HTM")
]


def spaces(name: str, bits: int, module: Any = engine) -> tuple[Any, Any]:
    """A space with a sym coordinate and one without symmetry, with tables of the same distances."""
    case = CASES[name]
    partner = f" {case.partners[0].name}" if case.partners else ""
    parts = " ".join(part.name for part in case.parts)
    sym = case.phase(kept(f"sym{partner}", bits))
    usual = case.plain(Plain(f"{parts}{partner}", bits=8))
    solver = CUBE3 if case.puzzle is CUBE3.puzzle else CUBE2
    return (
        engine_space(module, solver, sym, case.metric),
        engine_space(module, solver, usual, case.metric),
    )


@cache
def class_values(name: str) -> list[int]:
    return np.asarray(CASES[name].classes_of().class_of).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "bits"), ESTIMATED)
def test_estimates_are_the_true_distances(name: str, bits: int) -> None:
    """Every value of a small space, some thousands of a larger one."""
    case = CASES[name]
    space, _ = spaces(name, bits)
    exact = distances(name, min(len(case.partners), 1)).reshape(case.sym.size, -1)
    values = class_values(name)
    every = list(np.ndindex(exact.shape))
    rng = random.Random(1)
    most = 20_000 if COMPILED else 300
    others = [0] * (len(case.partners) - 1)
    for value, partner in every if len(every) <= most else rng.sample(every, most):
        distance = int(exact[value, partner])
        if bits == 2 and distance == 255:
            continue  # there is no walking to a goal
        at = [values[value], *([partner] if case.partners else []), *others]
        assert space.estimate(at) == min(distance, (1 << bits) - 1 if bits > 2 else 255)


def exhaust(search: Any) -> list[tuple[int, ...]]:
    """Every path that a search finds, in order."""
    paths = []
    while (status := search.run(PLENTY)) != EXHAUSTED:
        if status == FOUND:
            paths.append(tuple(search.path))
    return paths


SEARCHED = [
    (name, bits, 6 if len(CASES[name].allowed) < 18 else 4)
    for name, bits in ESTIMATED
    if name != "two parts" or bits == 2
]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("name", "bits", "limit"), SEARCHED)
def test_the_same_is_found_as_without_symmetry(
    name: str, bits: int, limit: int, exact: bool
) -> None:
    """The same solutions in the same order, in as many nodes."""
    case = CASES[name]
    phase = case.phase()
    with_symmetry, without = spaces(name, bits)
    values = class_values(name)
    rng = random.Random(4)
    moves = case.allowed
    found = 0
    for length in (0, 1, 2, 3, limit - 1, limit):
        word = [rng.choice(moves) for _ in range(length)]
        state = case.puzzle.apply(case.puzzle.solved, word)
        ranks = [each.rank(state) for each in phase.coordinates]
        outcomes = []
        for space, start in (
            (with_symmetry, [values[ranks[0]], *ranks[1:]]),
            (without, [*(part.rank(state) for part in case.parts), *ranks[1:]]),
        ):
            search = engine.Search(space, plies=3, exact=exact)
            most = min(limit, 4 if not COMPILED else limit)
            search.start(start, most)
            if exact:
                paths = exhaust(search)
            else:
                paths = [tuple(search.path)] if search.run(PLENTY) == FOUND else []
            outcomes.append((paths, search.generated_nodes, search.expanded_nodes))
        assert outcomes[0] == outcomes[1]
        found += len(outcomes[0][0])
    assert found >= (4 if not exact else 8) or not COMPILED or case.metric == "QTM"


@pytest.mark.parametrize(
    ("name", "bits"), [("16 symmetries", 2), ("quarter turns", 4), ("6 symmetries", 2)]
)
def test_both_engines_search_alike(name: str, bits: int) -> None:
    case = CASES[name]
    values = class_values(name)
    coordinates = case.phase().coordinates
    rng = random.Random(9)
    runs = [(module, spaces(name, bits, module)[0]) for module in (engine, plain())]
    for _ in range(6):
        word = [rng.choice(case.allowed) for _ in range(rng.randrange(6))]
        state = case.puzzle.apply(case.puzzle.solved, word)
        first, *others = [each.rank(state) for each in coordinates]
        outcomes = []
        for module, space in runs:
            search = module.Search(space, plies=2, exact=True)
            search.start([values[first], *others], 6)
            trail = [space.estimate([values[first], *others])]
            while search.work < 1500 and (status := search.run(67)) != EXHAUSTED:
                trail += [status, search.f_bound, search.generated_nodes, search.expanded_nodes]
                trail += [search.path] if status == FOUND else []
            outcomes.append(trail)
        assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("fold", [1, 3])
def test_one_symmetry_is_as_none(fold: int) -> None:
    """A sym coordinate whose moves have no symmetry but the one that changes nothing."""
    case = CASES["1 symmetry"]
    assert (case.sym.size, case.sym.shift) == (case.classes, 0)
    table = Folded("sym one", fold=fold)
    space = engine_space(plain(), CUBE2, case.phase(table), "HTM")
    exact = distances("1 symmetry", 1)
    for value, partner in np.ndindex(exact.shape):
        near = exact[value, partner // fold * fold : partner // fold * fold + fold]
        assert space.estimate([value, partner]) == min(near.min(), 15)


def sym_parts() -> dict[str, Any]:
    """The parts of a space of top corners and middle edges, as plain data."""
    case = CASES["16 symmetries"]
    found = case.classes_of()
    class_moves = array("I", found.class_moves.tobytes())
    return {
        "shift": 4,
        "symmetries": 16,
        "images": found.move_images,
        "products": found.products,
        "class_moves": class_moves,
        "goals": found.goals,
        "middle": move_table(STORE, PLACED, case.allowed).data,
        "image": array("H", found.images(PLACED).tobytes()),
        "radix": 24,
        "bits": 2,
        "table": bytes(14 * 24 // 4),
        "costs": [1] * 10,
    }


def with_entry(numbers: Any, at: int, value: int) -> Any:
    changed = array(numbers.typecode, numbers)
    changed[at] = value
    return changed


PARTS = sym_parts()
DAMAGED: list[tuple[dict[str, Any], str, bool]] = [
    ({"symmetries": 0}, "up to 64 symmetries", False),
    ({"symmetries": 17}, "up to 64 symmetries", False),
    ({"shift": 7}, "up to 64 symmetries", False),
    ({"products": PARTS["products"][:-1]}, "products of the symmetries are damaged", False),
    ({"products": PARTS["products"][:-1] + b"\x10"}, "products of the symmetries", False),
    ({"images": PARTS["images"][:-1]}, "images of the moves are damaged", False),
    ({"images": PARTS["images"][:-1] + b"\x0a"}, "images of the moves are damaged", False),
    ({"images": bytes(16 * 9)}, "other moves than those of the phase", False),
    ({"class_moves": PARTS["class_moves"][:-1]}, "another shape", False),
    ({"class_moves": with_entry(PARTS["class_moves"], 7, 14 << 4)}, "leads out of", True),
    ({"goals": (14,)}, "outside the values", False),
    ({"image": PARTS["image"][:-1]}, "no image for some value", False),
    ({"image": with_entry(PARTS["image"], 5, 24)}, "images of a coordinate are damaged", True),
    ({"radix": 23}, "images of a coordinate are damaged", True),
    ({"table": bytes(14 * 24 // 4 - 1)}, "smaller than its coordinates need", False),
    ({"radix": 25}, "smaller than its coordinates need", False),
    ({"bits": 4}, "smaller than its coordinates need", False),
    ({"costs": [1] * 9 + [2]}, "entries of 2 bits are for moves of equal cost", False),
    ({"bits": 3}, "2, 4 or 8 bits", False),
]


def damaged_space(module: Any, changes: dict[str, Any]) -> Any:
    p = {**PARTS, **changes}
    sym = module.Sym(p["shift"], p["symmetries"], p["images"], p["products"])
    return module.Space(
        p["costs"],
        [[(m, 0) for m in range(10)]],
        [
            CoordinateInput(14, p["class_moves"], p["goals"], sym),
            CoordinateInput(24, p["middle"], PLACED.goals),
        ],
        [TableInput((0, 1), p["bits"], p["table"], [ImageInput(p["image"], p["radix"])])],
    )


@pytest.mark.parametrize(("changes", "problem", "compiled"), DAMAGED)
def test_damaged_data_are_refused(changes: dict[str, Any], problem: str, compiled: bool) -> None:
    """Where it is plain Python a wrong index is an IndexError by itself."""
    for module in (engine, plain()):
        assert damaged_space(module, {}).estimate([0, PLACED.goals[0]]) == 0
        if (module is engine and COMPILED) or not compiled:
            with pytest.raises(ValueError, match=problem):
                damaged_space(module, changes)


def test_parts_rank_states_as_the_classes_do() -> None:
    case = BIG["flip-slice"]
    orient = CUBE3.method().phases[0]
    parts = CompiledPhase(Plan(case.puzzle, (orient,), case.measure, STORE), orient)
    ranks = parts.engine_ranks()
    assert ranks is not None
    (sym,) = (each.sym for each in case.phase_needs(orient).runners if each.sym is not None)
    class_of = Classes(STORE, sym).class_of
    for seed in range(20):
        state = random_state(case.puzzle, random.Random(seed))
        flip_slice = FLIP.rank(state) * SLICE.size + SLICE.rank(state)
        assert parts.ranks(state) == [class_of[flip_slice], TWIST.rank(state)]


def test_tables_built_together_are_locked_in_one_order(tmp_path: Path) -> None:
    """Else two processes that begin with different ones wait for each other."""
    waits: dict[str, set[str]] = {}

    class Locks(TableStore):
        held: list[str] = []  # noqa: RUF012

        def _make(self, key: TableSpec, build: Any) -> Table:
            waits.setdefault(key.name, set()).update(self.held)
            self.held.append(key.name)
            try:
                return super()._make(key, build)
            finally:
                self.held.remove(key.name)

    needs = CASES["several goals"].needs()
    for first in ("class_of", "goals", "images"):
        found = getattr(Classes(Locks(tmp_path / first), needs), first)
        if first == "images":
            found(needs.partners[0])
    names = {"sym classes", "sym class goals", f"sym {needs.partners[0].name} images"}
    assert set(waits) >= names
    TopologicalSorter(waits).prepare()  # a CycleError names those that would wait for each other
