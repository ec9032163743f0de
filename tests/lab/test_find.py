"""Finding sequences: against all sequences gone through one by one, and against known numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import NoSolutionError, Solver, StateError, UsageError
from puzzlekit.cli import main
from puzzlekit.coordinates.kinds import Covering, Pieces
from puzzlekit.engine.automaton import pruned_pairs
from puzzlekit.puzzle.move import Move, compose, no_effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit_definitions import parse_definition
from puzzlekit_lab.aim import aim
from puzzlekit_lab.effects import read_cycles, read_wanted, write_cycles
from puzzlekit_lab.sequences import Finder, Folding, Found, canonical_counts, find

CUBE2, CUBE3, CUBE4 = (puzzlekit.load(name) for name in ("cube2", "cube3", "cube4"))
SOLVERS = {"cube2": CUBE2, "cube3": CUBE3, "cube4": CUBE4}
LAST_LAYER = {"moves": "R,U,F", "keep": "DFR DRB DLF DBL", "max_length": 7}


# --- every sequence, one by one ----------------------------------------------------------------


def canonical(
    puzzle: Puzzle, moves: tuple[Move, ...], metric: str, length: int
) -> Iterator[tuple[tuple[int, ...], int, bytes]]:
    """Every sequence of a cost up to `length`, with its cost and the state that it makes."""
    measure = puzzle.metric(metric)
    costs = [measure.cost(move) for move in moves]
    pairs = pruned_pairs(
        [move.effect for move in moves],
        costs,
        lambda one, other: compose(one, other, puzzle.modulus),
        no_effect(puzzle.modulus),
    )

    def longer(
        path: tuple[int, ...], cost: int, state: bytes
    ) -> Iterator[tuple[tuple[int, ...], int, bytes]]:
        if path:
            yield path, cost, state
        for number, move in enumerate(moves):
            if cost + costs[number] <= length and not (path and pairs[path[-1]][number]):
                after = puzzle.apply(state, [move])
                yield from longer((*path, number), cost + costs[number], after)

    yield from longer((), 0, puzzle.solved)


Listed = tuple[tuple[Move, ...], list[tuple[tuple[int, ...], int, bytes]]]


@cache
def everything(name: str, text: str, metric: str, length: int) -> Listed:
    puzzle = SOLVERS[name].puzzle
    moves = Finder(SOLVERS[name], moves=text, max_length=0, min_length=0).moves
    return moves, list(canonical(puzzle, moves, metric, length))


# Sets of moves with the length up to which there are not too many sequences.
SETS = [
    ("cube2", "R,U,F", "HTM", 4),
    ("cube2", "R,U,F", "QTM", 5),
    ("cube2", "U R L D F B", "HTM", 3),
    ("cube2", "R U", "HTM", 7),
    ("cube2", "R1 U1 F2", "QTM", 7),
    ("cube3", "U R F D L B", "HTM", 3),
    ("cube3", "R U", "QTM", 7),
    ("cube3", "M U2 R", "HTM", 5),
    ("cube3", "R2 L2 U D F2 B2", "HTM", 3),
    ("cube4", "R Rw U Fw2", "OBTM", 3),
    ("cube4", "Rw2 U2 F D", "OBTM", 4),
]


@st.composite
def questions(draw: st.DrawFn) -> tuple[tuple[str, str, str, int], dict[str, object]]:
    """A set of moves, and what is asked about it: half of it known to be had by some sequence."""
    chosen = draw(st.sampled_from(SETS))
    puzzle = SOLVERS[chosen[0]].puzzle
    _, listed = everything(*chosen)
    asked: dict[str, object] = {}
    taken: set[str] = set()
    kind = draw(st.sampled_from(["effect", "to", "keep", "free"]))
    state = draw(st.sampled_from(listed))[2]
    moved = set()
    if kind == "effect":
        asked["effect"] = write_cycles(puzzle, state)
    elif kind == "to":
        asked["to"] = state
    if kind in ("effect", "to"):
        journeys = read_cycles(puzzle, write_cycles(puzzle, state))
        moved = {each.orbit.places[each.home] for each in journeys}
        asked["ignore_orientation"] = draw(st.booleans())
    names = [place for orbit in puzzle.orbits for place in orbit.places]
    orbits = [orbit.name for orbit in puzzle.orbits]
    for option in ("keep", "keep_placed", "keep_oriented", "free"):
        pieces = draw(st.lists(st.sampled_from(names), max_size=6, unique=True))
        if option == "free" and draw(st.booleans()):
            orbit = puzzle.orbit(draw(st.sampled_from(orbits)))
            pieces += [place for place in orbit.places if place not in pieces]
        pieces = [place for place in pieces if place not in taken]
        if option != "free":
            pieces = [place for place in pieces if place not in moved]
            if option == "keep_placed" and "keep_oriented" not in asked:
                taken -= set(pieces[:1])  # a piece may be kept in two ways
        taken |= set(pieces)
        asked[option] = ", ".join(pieces)
    asked["nontrivial"] = draw(st.booleans())
    if draw(st.booleans()):
        asked["orientations"] = draw(st.sampled_from([(0,), (0, 1), (0, 2), (1, 2)]))
    return chosen, asked


def effect_asked(puzzle: Puzzle, asked: dict[str, object]) -> Callable[[bytes], bool]:
    """Whether a state has what is asked, told from it alone, in other words than the product's."""

    def pieces(option: str) -> set[str]:
        return set(str(asked.get(option, "")).replace(",", " ").split())

    target = asked.get("to")
    if "effect" in asked:
        made = bytearray(puzzle.solved)
        for each in read_cycles(puzzle, str(asked["effect"])):
            at = puzzle.offsets[each.orbit.name] + each.place
            made[at] = each.orbit.solved[each.home]
            if each.orbit.orientations > 1:
                made[at + each.orbit.size] = each.turn
        target = bytes(made)
    strict = target is not None or bool(pieces("free"))
    wanted_state = target if isinstance(target, bytes) else puzzle.solved
    kept_placed = pieces("keep") | pieces("keep_placed")
    kept_oriented = pieces("keep") | pieces("keep_oriented")
    free, ignored = pieces("free"), bool(asked.get("ignore_orientation"))

    parts = [
        (orbit, puzzle.labels(wanted_state, orbit), puzzle.orientations(wanted_state, orbit))
        for orbit in puzzle.orbits
    ]

    def has_effect(state: bytes) -> bool:
        for orbit, wanted, turned in parts:
            labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
            for home, name in enumerate(orbit.places):
                label = orbit.solved[home]
                placed, oriented = name in kept_placed, name in kept_oriented
                matters = strict and name not in free
                if not orbit.distinct:
                    # Alike pieces: what is at the place where this one would come to rest.
                    place = home if wanted[home] == label else None
                    if place is not None and (placed or matters) and labels[place] != label:
                        return False
                    continue
                place = labels.index(label)
                if placed and place != home:
                    return False
                if oriented and turns[place]:
                    return False
                if matters and place != wanted.index(label):
                    return False
                if matters and not ignored and turns[place] != turned[wanted.index(label)]:
                    return False
        return True

    return has_effect


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(questions())
def test_all_sequences_with_an_effect_are_found(
    question: tuple[tuple[str, str, str, int], dict[str, object]],
) -> None:
    (name, text, metric, length), asked = question
    solver = SOLVERS[name]
    puzzle = solver.puzzle
    if any(not orbit.distinct for orbit in puzzle.orbits) and asked.keys() & {"effect", "to"}:
        asked = {key: value for key, value in asked.items() if key != "free"}
    moves, listed = everything(name, text, metric, length)
    trivial = {puzzle.solved, *(puzzle.apply(puzzle.solved, [move]) for move in moves)}
    allowed = asked.get("orientations")
    has_effect = effect_asked(puzzle, asked)
    expected = {
        path: cost
        for path, cost, state in listed
        if has_effect(state)
        and not (asked["nontrivial"] and state in trivial)
        and (allowed is None or turns_of(puzzle, state) <= set(allowed))  # type: ignore[call-overload]
    }
    try:
        found = list(find(solver, moves=text, metric=metric, max_length=length, **asked))  # type: ignore[arg-type]
    except (NoSolutionError, StateError):
        assert not any(has_effect(state) for *_, state in listed)
        return
    number = {move.name: i for i, move in enumerate(moves)}
    paths = [tuple(number[move] for move in each.moves) for each in found]
    assert len(set(paths)) == len(paths)
    assert {path: each.length for path, each in zip(paths, found, strict=True)} == expected
    assert [each.length for each in found] == sorted(each.length for each in found)
    for each in found:
        assert each.state == puzzle.apply(puzzle.solved, puzzle.moves(str(each)))
        assert each.effect == write_cycles(puzzle, each.state)


def turns_of(puzzle: Puzzle, state: bytes) -> set[int]:
    return {
        turn
        for orbit in puzzle.orbits
        if orbit.orientations > 1
        for turn in puzzle.orientations(state, orbit)
    }


@pytest.mark.parametrize("keep", ["centers", "Ubl Ubr Ruf", "Ufl Ful Fdr Dbl Dfl"])
def test_alike_pieces(keep: str) -> None:
    chosen = ("cube4", "R Rw U Fw2", "OBTM", 3)
    moves, listed = everything(*chosen)
    orbit = CUBE4.puzzle.orbit("centers")
    homes = range(24) if keep == "centers" else [orbit.place(name) for name in keep.split()]
    expected = {
        " ".join(moves[move].name for move in path)
        for path, _, state in listed
        if all(CUBE4.puzzle.labels(state, orbit)[home] == orbit.solved[home] for home in homes)
    }
    found = find(CUBE4, moves="R Rw U Fw2", keep=keep, max_length=3)
    assert {str(each) for each in found} == expected
    assert 0 < len(expected) < len(listed)


@pytest.mark.parametrize("end", ["2R 2L", "2R 2L'", "2R2 2L"])
def test_alike_pieces_that_few_moves_bring_to_different_places(end: str) -> None:
    """2R and 2L move no place in common, and centers of one colour are at places of both."""
    found = [str(each) for each in find(CUBE4, moves="2R,2L", to=CUBE4.state(end), max_length=4)]
    assert found == [end]


def test_alike_stickers_go_where_moves_bring_them() -> None:
    """The orientations of two pieces do not matter, so each has alike stickers, two by two."""
    text = "Set P 5 2\nSolved\nP\n1 2 3 4 5\n0 ? 0 ? 1\nEnd\nMove A\nP\n3 4 5 1 2\nEnd\n"
    solver = parse_definition(text, "tws")
    puzzle = solver.puzzle
    moves = puzzle.family_moves(puzzle.turns)
    distances = {puzzle.solved: 0}
    for state in (queue := [puzzle.solved]):  # the loop appends to it
        for move in moves:
            if (end := puzzle.apply(state, [move])) not in distances:
                distances[end] = distances[state] + 1
                queue.append(end)
    for end, distance in distances.items():
        if distance:
            assert next(iter(find(solver, to=end, max_length=9))).length == distance


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube2", "cube3", "pyraminx", "skewb", "supercube3"])
def test_stickers_to_reach_show_how_the_puzzle_is_held(name: str) -> None:
    solver = puzzlekit.load(name)
    turn = solver.puzzle.rotations[0]
    for end in ("R U", f"{turn} R U"):
        stickers = solver.positions.to_facelets(solver.state(end))
        assert "R U" in map(str, find(solver, to=stickers, max_length=2))


def test_questions_have_answers() -> None:
    """What the comparison is made of: nearly all sequences kept aside would leave it empty."""
    moves, listed = everything("cube2", "R,U,F", "HTM", 4)
    kept = {"keep": "DBL, DLF", "nontrivial": False}
    assert len(moves) == 9 and len(listed) == sum((9, 54, 324, 1944))
    assert sum(map(effect_asked(CUBE2.puzzle, kept), (state for *_, state in listed))) > 50


# --- known numbers -----------------------------------------------------------------------------


def test_reduced_sequences_are_counted_without_being_gone_through() -> None:
    assert Finder(CUBE2, moves="R,U,F", max_length=7).count() == 503_883
    assert Finder(CUBE2, moves="R,U,F", max_length=7, min_length=7).count() == 9 * 6**6
    counts = canonical_counts(CUBE3.puzzle, Finder(CUBE3, max_length=0).moves, CUBE3.metric(), 4)
    assert counts == [1, 18, 243, 3240, 43254]
    assert Finder(CUBE2, moves="R,U,F", max_length=500).count() == 9 * (6**500 - 1) // 5


def test_counting_is_going_through_in_other_metrics_too() -> None:
    for name, text, metric, length in SETS:
        finder = Finder(SOLVERS[name], moves=text, metric=metric, max_length=length)
        assert finder.count() == len(everything(name, text, metric, length)[1])


def test_last_layer_of_a_2x2x2() -> None:
    """503,883 sequences, 220 keep the lower layer, 4 exchange two neighbours, 16 twist one way."""
    found = list(find(CUBE2, **LAST_LAYER, nontrivial=True))  # type: ignore[arg-type]
    assert len(found) == 220
    swaps = list(find(CUBE2, **LAST_LAYER, effect="(URF UBR)", ignore_orientation=True))  # type: ignore[arg-type]
    assert {str(each): each.effect for each in swaps} == {
        "R U R' U' F' U' F": "(ULB)-(UBR RFU)+",
        "R' U' R U F R F'": "(UBR URF)-(UFL)+",
        "F R' F' U' R' U R": "(UBR RFU)+(UFL)-",
        "F' U F U R U' R'": "(ULB)+(UBR URF)-",
    }
    assert {str(each) for each in swaps} < {str(each) for each in found}
    for allowed in ((0, 1), (0, 2)):
        one_way = find(CUBE2, **LAST_LAYER, nontrivial=True, orientations=allowed)  # type: ignore[arg-type]
        assert len(list(one_way)) == 16


@pytest.mark.slow
def test_cycle_of_three_edges_of_a_3x3x3() -> None:
    (found,) = find(CUBE3, effect="(UF UR UB)", max_length=9)
    assert str(found) == "R2 U' F B' R2 F' B U' R2" and found.length == 9
    assert found.effect == "(UB UF UR)"


def test_what_does_as_a_sequence_does() -> None:
    """The solutions of its inverse, which `Solver.solutions` lists too."""
    found = [str(each) for each in find(CUBE3, to="R U R' U'", max_length=8)]
    assert found == ["R U R' U'", "U2 F' L' U L U2 F U'", "R B' R2 D' R' D B R2"]


def test_more_than_the_engine_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not look at is told by replaying."""
    keep = "DFR DRB DLF DBL FR FL BR BL DF DB DR DL"
    asked = {"moves": "R U F", "keep": keep, "nontrivial": True, "max_length": 7}
    everyone = [str(each) for each in find(CUBE3, **asked)]  # type: ignore[arg-type]
    assert everyone
    monkeypatch.setattr("puzzlekit_lab.aim.MAX_COORDINATES", 2)
    finder = Finder(CUBE3, **asked)  # type: ignore[arg-type]
    assert len(finder.assembled.phase.coordinates) == 2
    assert [str(each) for each in finder.find()] == everyone


# --- folding -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "asked"),
    [
        (CUBE2, {"keep": "DFR DRB DLF DBL", "max_length": 7}),
        (CUBE2, {"moves": "U R F D L B", "max_length": 2}),
        (CUBE3, {"max_length": 2}),
        (CUBE3, {"moves": "R1 U1 F1", "max_length": 4}),
        (CUBE3, {"keep": "edges", "keep_oriented": "corners", "max_length": 8}),
    ],
)
def test_of_sequences_alike_one_is_listed(solver: Solver, asked: dict[str, object]) -> None:
    everyone = [each.moves for each in find(solver, **asked)]  # type: ignore[arg-type]
    unique = [each.moves for each in find(solver, **asked, unique=True)]  # type: ignore[arg-type]
    moves = Finder(solver, moves=asked.get("moves"), max_length=0).moves  # type: ignore[arg-type]
    classes = [frozenset(alike(solver.puzzle, moves, each)) for each in everyone]
    first = {}
    for sequence, own in zip(everyone, classes, strict=True):
        first.setdefault(own, sequence)
    assert unique == list(first.values())
    assert len(unique) < len(everyone)


def alike(puzzle: Puzzle, moves: tuple[Move, ...], names: tuple[str, ...]) -> Iterator[bytes]:
    """What makes a class: the effects of all prefixes of all sequences that are alike.

    Rotations are done as rotations, before the sequence and undone after it.
    """
    modulus = puzzle.modulus
    named = {move.effect: move for move in moves}
    sequences = [[puzzle.moves(name)[0] for name in names]]
    back = [puzzle.inverse(move) for move in reversed(sequences[0])]
    if all(puzzle.inverse(move) in moves for move in moves):
        sequences.append(back)
    mirror = puzzle.reflections[0]
    for sequence in list(sequences):
        images = [mirror[move.family] for move in sequence]
        sequences.append(
            [
                puzzle.move(family, sign * move.amount)
                for (family, sign), move in zip(images, sequence, strict=True)
            ]
        )
    for held in puzzle.whole_rotations:
        undo = _inverse(held, modulus)

        def turned(move: Move, held: tuple[bytes, bytes] = held, undo=undo):  # type: ignore[no-untyped-def]
            return named.get(compose(compose(undo, move.effect, modulus), held, modulus))

        half = len(sequences) // 2
        for mirrored, group in ((False, sequences[:half]), (True, sequences[half:])):
            every = [puzzle.move(*_mirror(puzzle, move)) if mirrored else move for move in moves]
            if any(turned(move) is None for move in every):
                continue
            for sequence in group:
                yield from orders(puzzle, [turned(move) for move in sequence])


def _mirror(puzzle: Puzzle, move: Move) -> tuple[str, int]:
    family, sign = puzzle.reflections[0][move.family]
    return family, sign * move.amount


def _inverse(effect: tuple[bytes, bytes], modulus: bytes) -> tuple[bytes, bytes]:
    power = effect
    while compose(power, effect, modulus) != no_effect(modulus):
        power = compose(power, effect, modulus)
    return no_effect(modulus) if effect == no_effect(modulus) else power


def orders(puzzle: Puzzle, sequence: list[Move]) -> Iterator[bytes]:
    """The sequence in every order that commuting neighbours allow, as text."""
    seen = {tuple(sequence)}
    fresh = list(seen)
    while fresh:
        each = fresh.pop()
        yield " ".join(move.name for move in each).encode()
        for i in range(len(each) - 1):
            if puzzle.commute(each[i], each[i + 1]):
                other = (*each[:i], each[i + 1], each[i], *each[i + 2 :])
                if other not in seen:
                    seen.add(other)
                    fresh.append(other)


def test_folding_by_hand() -> None:
    folding = Folding(CUBE3.puzzle, CUBE3.puzzle.family_moves("RLU"), CUBE3.metric())
    right, left, up = 0, 3, 6
    assert folding.normal((left, right, up)) == (right, left, up)
    assert folding.normal((up, left, right)) == (up, right, left)
    mirrored = folding.representative((left + 2, up + 2))
    assert folding.representative((right, up)) == mirrored == (right, up)


# --- what cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solver", "asked", "message"),
    [
        (CUBE3, {"effect": "(UF UR)"}, "two corners or two edges are exchanged"),
        (CUBE3, {"effect": "(UF)+"}, "edge UF is flipped"),
        (CUBE3, {"effect": "(URF)-"}, "corner URF is twisted counter-clockwise"),
        (CUBE3, {"effect": "(URF UFL)", "free": "UF"}, "parity"),
        (CUBE3, {"effect": "(UF)+(UR)+", "moves": "R U"}, "do not turn edge U[FR]"),
        (CUBE3, {"effect": "(UF UL UB)", "moves": "R F"}, "do not bring edge"),
        (CUBE3, {"effect": "(U F R)"}, "however the puzzle is held"),
        (CUBE2, {"effect": "(DBL)+(URF)-", "moves": "R U F"}, "add up to 0"),
        (CUBE2, {"effect": "(URF)+", "keep": "DBL"}, "corner URF is twisted clockwise"),
        (CUBE4, {"effect": "(UFr FUl)", "moves": "R U F"}, "parity would be wrong"),
        (CUBE4, {"effect": "(UFr FUl RUf)", "moves": "R U"}, "do not bring wing"),
    ],
)
def test_impossible_effects(solver: Solver, asked: dict[str, str], message: str) -> None:
    with pytest.raises((NoSolutionError, StateError), match=message):
        find(solver, max_length=100, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "asked",
    [
        {"effect": "(UF UR)", "free": "URF UFL"},
        {"effect": "(UF UR)", "free": "UL UB"},
        {"effect": "(UF)+", "free": "corners UB"},
        {"effect": "(URF)-", "free": "DLF"},
        {"effect": "(URF UFL)(UF UL)"},
        {"effect": "(UF UR)", "keep": "corners", "ignore_orientation": True, "free": "DF DB"},
    ],
)
def test_what_free_pieces_make_possible(asked: dict[str, object]) -> None:
    """Each is a state that can be reached once the free pieces are chosen well."""
    puzzle = CUBE3.puzzle
    wanted = read_wanted(puzzle, **asked)  # type: ignore[arg-type]
    aim(puzzle, Finder(CUBE3, max_length=0).moves, wanted, 1 << 16, 1 << 20)


# --- what cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"effect": "(UF XY)"}, "no piece 'XY'"),
        ({"effect": "(UF UR UF)"}, "UF occurs twice"),
        ({"effect": "(UF UR)(UR UB)"}, "UR occurs twice"),
        ({"effect": "(UF URF)"}, "different orbits"),
        ({"effect": "UF UR"}, "is not a cycle"),
        ({"effect": "(UF UR"}, "is not a cycle"),
        ({"effect": "(U)+"}, "centers cannot be turned"),
        ({"effect": "(UF UR)", "to": "R"}, "not both"),
        ({"effect": "(UF UR UB)", "keep": "UF"}, "UF is kept, but the effect moves it"),
        ({"keep": "UF", "free": "edges"}, "UF is both kept and free"),
        ({"keep": "wings"}, "no piece 'wings'"),
        ({"moves": "R,x"}, "x costs nothing"),
        ({"moves": " , "}, "no moves"),
        ({"metric": "OBTM"}, "has no metric"),
        ({"min_length": -1}, "min_length must be a whole number from 0 to 1,000, not -1"),
        ({"max_length": 9999}, "max_length must be a whole number from 0 to 1,000, not 9999"),
    ],
)
def test_questions_that_make_no_sense(asked: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find(CUBE3, **{"max_length": 5, **asked})  # type: ignore[arg-type]


def test_limits() -> None:
    with pytest.raises(NoSolutionError, match="there may be more"):
        list(find(CUBE3, effect="(UF UR UB)", max_length=12, max_nodes=1000, memory=1_000_000))
    assert list(find(CUBE3, effect="(UF UR UB)", max_length=3)) == []


# --- cycles ------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(SOLVERS)), st.integers(0, 2**32))
def test_cycles_say_what_was_done(name: str, seed: int) -> None:
    puzzle = SOLVERS[name].puzzle
    state = SOLVERS[name].random_state(seed)
    written = write_cycles(puzzle, state)
    assert read_wanted(puzzle, effect=written).holds(state)
    assert not read_wanted(puzzle, effect=written).holds(puzzle.apply(state, puzzle.moves("R")))


def test_cycles_are_those_of_stickers() -> None:
    """R carries sticker U of UR to the side B of BR, and F of URF to U of UBR, by the net."""
    puzzle = CUBE3.puzzle
    assert write_cycles(puzzle, CUBE3.state("R")) == "(UBR BDR DFR FUR)(BR DR FR UR)"
    assert write_cycles(puzzle, puzzle.solved) == "()"
    for text in ("(UBR BRD DFR FUR)", "(UBR, RUF)+ (UF)+", "(URF+)", "(corners/URF)-"):
        journeys = read_cycles(puzzle, text)
        assert {each.home for each in journeys} == {each.place for each in journeys}
    (twist,) = read_cycles(puzzle, "(URF+)")
    assert twist.turn == 1 and read_cycles(puzzle, "(FUR)+") == [twist]


# --- coordinates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "coordinate",
    [
        Pieces("p", CUBE3.puzzle, "corners", "URF DLF UBR"),
        Pieces("p", CUBE3.puzzle, "edges", "FR UF", "BL FR UF FL UB"),
        Pieces("p", CUBE3.puzzle, "centers", "U F"),
        Pieces("p", CUBE2.puzzle, "corners", "URF UFL", oriented=True),
        Covering("c", CUBE4.puzzle, "centers", "Ubl", covered="Ubl Rub", open="Ufr Dbl Dbr"),
    ],
    ids=["corners", "some-places", "no-turns", "oriented", "alike"],
)
def test_coordinates(coordinate: Pieces | Covering) -> None:
    every = np.arange(coordinate.size)
    vector = coordinate.unrank(every)
    assert set(vector) == set(coordinate.reads)
    assert np.array_equal(coordinate.rank(vector), every)
    for index in range(0, coordinate.size, 1 + coordinate.size // 300):
        alone = coordinate.unrank(index)
        assert coordinate.rank(alone) == index
        assert alone == {j: int(np.broadcast_to(vector[j], every.shape)[index]) for j in vector}
    assert len(set(coordinate.goals)) == len(coordinate.goals)


def test_goals_of_coordinates() -> None:
    puzzle = CUBE2.puzzle
    pair = Pieces("p", puzzle, "corners", "URF UFL", oriented=True)
    for index in range(pair.size):
        vector = pair.unrank(index)
        turned = any(vector[j] for j in pair.reads[8:])
        assert (index in pair.goals) == (not turned)
    cube4 = CUBE4.puzzle
    white = Covering("w", cube4, "centers", "Ubl", covered="Ubl Rub", open="Ufr Dbl Dbr")
    assert len(white.goals) == 3
    start = cube4.offsets["centers"]
    orbit = cube4.orbit("centers")
    for index in white.goals:
        vector = white.unrank(index)
        held = {place for place in orbit.places if vector[start + orbit.place(place)] == 0}
        assert {"Ubl", "Rub"} < held < {"Ubl", "Rub", "Ufr", "Dbl", "Dbr"} and len(held) == 4


# --- the command -------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("find", *arguments))


def test_command() -> None:
    keep = ("-p", "cube2", "--moves", "R,U,F", "--max-length", "7", "--keep", "DFR,DRB,DLF,DBL")
    swap = run(*keep, "--effect", "(URF UBR)", "--ignore-orientation", "--limit", "2")
    assert swap.exit_code == 0
    assert swap.stdout == (
        "R U R' U' F' U' F  // 7 HTM  (ULB)-(UBR RFU)+\n"
        "R' U' R U F R F'  // 7 HTM  (UBR URF)-(UFL)+\n"
    )
    assert swap.stderr == "these are the first 2 sequences; raise --limit to see more\n"
    assert run(*keep, "--nontrivial", "--count").stdout == "220\n"
    assert run(*keep, "--nontrivial", "--orientations", "0,1", "--count").stdout == "16\n"
    assert run(*keep[:6], "--count").stdout == "503883\n"


def test_json_of_the_command() -> None:
    schema = json.loads((files("puzzlekit_lab.schema") / "find.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    asked = ("-p", "cube2", "--moves", "R U F", "--max-length", "6", "--json")
    lines = run(*asked, "--to", "R U F2", "--metric", "QTM").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    assert records[0]["sequence"] == "R U F2" and records[0]["lengths"] == {"HTM": 3, "QTM": 4}
    assert {record["effect"] for record in records} == {records[0]["effect"]}
    assert {record["state"] for record in records} == {
        CUBE2.positions.to_facelets(CUBE2.state("R U F2"))
    }
    records += [json.loads(run(*asked, "--count").stdout)]
    assert records[-1]["count"] == 9 * (6**6 - 1) // 5
    for record in records:
        validator.validate(record)
        for field in record:
            less = {name: value for name, value in record.items() if name != field}
            assert not validator.is_valid(less)


def test_states_to_be_reached() -> None:
    state = CUBE2.state("R U' F")
    vectors = " ".join(
        f"{name}={values}" for name, values in CUBE2.positions.to_vectors(state).items()
    )
    for option in (
        ("--to", "R U' F"),
        ("--to-state", CUBE2.positions.to_facelets(state)),
        ("--to-state", vectors),
    ):
        found = run("-p", "cube2", *option, "--max-length", "3")
        assert found.stdout.startswith("R U' F  // 3 HTM  "), found.stderr
        assert len(found.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("-p", "cube3", "--effect", "(UF UR)"), 3, "two corners or two edges are exchanged"),
        (("-p", "cube3", "--moves", "R,U", "--effect", "(UF)+(UR)+"), 1, "they do not turn edge"),
        (("-p", "cube3", "--effect", "(UF UR UB)"), 1, "no sequence of at most 5 HTM"),
        (("-p", "cube3", "--keep", "XY"), 2, "no piece 'XY'"),
        (("-p", "cube3", "--effect", "(UF UR UF)"), 2, "UF occurs twice"),
        (("-p", "cube3", "--moves", "R,Q"), 2, "not a move"),
        (("-p", "cube3", "--moves", "x"), 2, "costs nothing"),
        (("-p", "cube3", "--metric", "OBTM"), 2, "has no metric"),
        (
            (
                "-p",
                "cube9",
            ),
            2,
            "cube9",
        ),
        (("-p", "cube3", "--to", "R", "--to-state", "U"), 2, "cannot be combined"),
        (("-p", "cube3", "--to", "R Q"), 2, "not a move"),
        (("-p", "cube2", "--to-state", "UUURRRRUFFFFDDDDLLLLBBBB"), 3, "corner"),
        (("-p", "cube2", "--to-state", "cp=0,0,2,3,4,5,6,7 co=0,0,0,0,0,0,0,0"), 3, "twice"),
        (("-p", "cube2", "--effect", "(URF)+" + "9" * 5000), 2, "is not a cycle"),
        (("-p", "cube3", "-o", "scheme=western"), 2, "--option scheme needs --to-state"),
        (("-p", "cube3", "--orientations", "a"), 2, "not a list of whole numbers"),
        (("-p", "cube3", "--min-length", "6"), 2, "is less than --min-length"),
        (("-p", "cube3", "--count", "--limit", "1"), 2, "cannot be combined"),
        (("-p", "cube2", "--keep", "URF", "--max-nodes", "9"), 1, "there may be more"),
    ],
)
def test_errors_of_the_command(arguments: tuple[str, ...], code: int, message: str) -> None:
    found = run(*arguments, "--max-length", "5")
    assert (found.exit_code, found.stderr.count("Traceback")) == (code, 0)
    assert message in found.stderr


ANYTHING = st.text(max_size=20) | st.text("()+-/, URFDLBcorners019", max_size=30)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(ANYTHING, st.sampled_from(["effect", "to", "to-state", "keep", "free", "moves"]))
def test_garbage_gives_no_traceback(text: str, option: str) -> None:
    found = run("-p", "cube2", "--max-length", "1", "--limit", "1", f"--{option}={text}")
    assert found.exit_code in (0, 1, 2, 3)
    assert "internal error" not in found.output


def test_length_is_asked_for() -> None:
    assert "--max-length is missing" in run("-p", "cube2").stderr


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    some = list(find(CUBE2, max_length=1))[:2]

    def two_of_them(self: Finder, limits: object) -> Iterator[Found]:
        yield from some
        raise KeyboardInterrupt

    monkeypatch.setattr(Finder, "find", two_of_them)
    found = run("-p", "cube2", "--keep", "DBL", "--max-length", "2")
    assert found.exit_code == 130
    assert len(found.stdout.splitlines()) == 2
    assert "interrupted after 2 sequences: there may be more" in found.stderr


def test_other_puzzles_on_the_command_line() -> None:
    run = CliRunner().invoke
    found = run(main, ["find", "cube2", "--to", "R", "--max-length", "1"])
    assert (found.exit_code, found.stdout.split()[0]) == (0, "R")
    found = run(main, ["find", "-p", "pyraminx", "--effect", "(flr)+", "--max-length", "3"])
    assert found.output == "u  // 1 TURNS  (flr)+\n"
    found = run(main, ["find", "-p", "eight", "--effect", "(1 2)", "--max-length", "3"])
    assert found.exit_code == 2 and "not always possible" in found.stderr
