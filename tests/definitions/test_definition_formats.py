"""Definitions of puzzles in each format: the readers agree, and say what is wrong with a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from definition_texts import WRITERS, as_kpuzzle, as_tws, changes, pieces_of
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
import puzzlekit_definitions
import puzzlekit_lab
from puzzlekit import StateError
from puzzlekit.errors import DefinitionError
from puzzlekit_definitions import DefinedSolver, DefinitionWarning
from puzzlekit_definitions.build import Built, build
from puzzlekit_definitions.generators import read_json
from puzzlekit_definitions.load import parse_definition
from puzzlekit_definitions.moves import MAX_FAMILIES, MAX_ORDER
from puzzlekit_definitions.text import read_ksolve, read_tws

EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"
SLOW = ("skewb.def", "cube3.json")
READERS = {"tws": read_tws, "def": read_ksolve, "json": read_json}
FACES = ["U", "R", "F", "D", "L", "B"]


def built(text: str, form: str = "tws") -> Built:
    return build(READERS[form](text, "my file", "unnamed"))


def ring(*moves: str, orientations: int = 1, solved: str = "", size: int = 4) -> str:
    """A definition of one set, as twsearch has it."""
    numbers = " ".join(map(str, range(1, size + 1)))
    block = f"Set RING {size} {orientations}\nSolved\nRING\n{solved or numbers}\nEnd\n"
    return block + "".join(f"Move {move}\nEnd\n" for move in moves)


TURN = "A\nRING\n2 3 4 1"
SWAP = "B\nRING\n2 1 3 4"


def moved(puzzle: puzzlekit.Puzzle, family: str, orbit: puzzlekit.Orbit) -> bool:
    found = {each.name: source for each, source, _ in changes(puzzle, family)}
    return found[orbit.name] != list(range(orbit.size))


@pytest.mark.parametrize("how", WRITERS)
@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("cube2", FACES),
        ("cube3", FACES),
        ("cube3", [*FACES, "M", "E", "S"]),
        ("cube4", [*FACES, "Rw", "Uw", "Fw"]),
    ],
)
def test_a_bundled_puzzle_comes_back(how: str, name: str, families: list[str]) -> None:
    """Moves do to imported states what they do to those of the plugin, in every format."""
    puzzle = puzzlekit.load(name).puzzle
    write, form, write_state = WRITERS[how]
    made = built(write(puzzle, families), form)
    assert list(made.puzzle.turns) == families
    assert {orbit.name: orbit.orientations for orbit in made.puzzle.orbits} == {
        orbit.name: orbit.orientations
        for orbit in puzzle.orbits
        if any(
            source != list(range(orbit.size))
            for f in families
            for o, source, _ in changes(puzzle, f)
            if o is orbit
        )
    }
    rng = Random(f"{name} {families}")
    family_moves = puzzle.family_moves(families)
    for _ in range(5):
        scramble = " ".join(move.name for move in rng.choices(family_moves, k=30))
        state = puzzle.apply(puzzle.solved, puzzle.moves(scramble))
        other = made.puzzle.apply(made.puzzle.solved, made.puzzle.moves(scramble))
        assert made.patterns(other) == {
            orbit.name: pieces_of(puzzle, state, orbit) for orbit in puzzle.orbits
        }
        read = _state_reader(form)(write_state(puzzle, state), "state", made.definition)
        assert made.pack(read) == other


def _state_reader(form: str):  # type: ignore[no-untyped-def]
    from puzzlekit_definitions.load import _FORMATS

    return _FORMATS[form].read_state


def test_conventions_by_hand() -> None:
    """What stands in a file, and what it does to a state: passive, and turned as each format says.

    Piece 2 comes to place 1, 3 to 2, 1 to 3. The piece that comes from place 1 is turned by 1, that
    from place 2 by 2.
    """
    tws = "Set S 3 3\nSolved\nS\n1 2 3\n0 0 0\nEnd\nMove A\nS\n2 3 1\n1 2 0\nEnd\n"
    new = "Set S 3 3\nStartState\nS\n0 1 2\nEnd\nMoveTransformation A\nS\n1 2 0\n2 0 1\nEnd\n"
    pattern = {"S": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}}
    move = {"S": {"permutation": [1, 2, 0], "orientationDelta": [2, 0, 1]}}
    orbits = [{"orbitName": "S", "numPieces": 3, "numOrientations": 3}]
    kpuzzle = json.dumps(
        {"name": "s", "orbits": orbits, "defaultPattern": pattern, "moves": {"A": move}}
    )
    for text, form in ((tws, "tws"), (tws, "def"), (new, "tws"), (kpuzzle, "json")):
        made = built(text, form)
        state = made.puzzle.apply(made.puzzle.solved, made.puzzle.moves("A"))
        # One turn more than once around: every piece is back after 9 moves, not after 3.
        assert made.patterns(state) == {"S": ([1, 2, 0], [2, 0, 1])}
        assert made.puzzle.notation.orders == {"A": 3}


def test_solved_says_which_pieces_are_alike_and_may_be_turned() -> None:
    made = built(
        ring(
            "A\nRING\n2 3 4 1\n1 0 0 0", orientations=2, solved="7 7 3 3\n1 0 0 1".replace("7", "1")
        )
    )
    assert made.puzzle.orbits[0].solved == (0, 0, 2, 2)
    state = made.puzzle.apply(made.puzzle.solved, made.puzzle.moves("A"))
    # The pieces of places 2, 3, 4, 1 with their orientations 0, 0, 1, 1; the last is turned.
    assert made.patterns(state) == {"RING": ([0, 2, 2, 0], [0, 0, 1, 0])}
    assert made.patterns(made.puzzle.solved) == {"RING": ([0, 0, 2, 2], [1, 0, 0, 1])}


def test_orientations_that_do_not_matter() -> None:
    everywhere = ring("A\nRING\n2 3 4 1\n1 0 0 0", orientations=2, solved="1 2 3 4\n? ? ? ?")
    assert built(everywhere).puzzle.orbits[0].orientations == 1
    some = parse_definition(
        ring(
            "A\nRING\n2 3 4 1\n1 1 0 0",
            "B\nRING\n1 2 3 4\n1 1 0 0",
            orientations=2,
            solved="1 2 3 4\n0 ? 0 0",
        ),
        "tws",
    )
    assert [some.puzzle.is_solved(some.state(text)) for text in ("", "B", "B2")] == [
        True,
        False,
        True,
    ]
    flipped = some.positions.from_written("RING\n1 2 3 4\n0 ? 0 0")
    assert some.puzzle.is_solved(flipped)
    assert some.positions.written(flipped).split("\n")[2:4] == ["1 2 3 4", "0 ? 0 0"]
    with pytest.raises(StateError, match=r"the orientation of ring 1 at 2 is '\?', but it matters"):
        some.positions.from_written("RING\n2 1 3 4\n0 ? 0 0")


def test_orientation_moduli_of_a_kpuzzle() -> None:
    """A piece that looks the same after two of four turns, next to one that does not."""
    orbits = [{"orbitName": "S", "numPieces": 2, "numOrientations": 4}]
    pattern = {"S": {"pieces": [0, 1], "orientation": [0, 0], "orientationMod": [2, 0]}}
    moves = {
        "T": {"S": {"permutation": [0, 1], "orientationDelta": [1, 0]}},
        "X": {"S": {"permutation": [1, 0], "orientationDelta": [0, 0]}},
    }
    text = json.dumps({"name": "s", "orbits": orbits, "defaultPattern": pattern, "moves": moves})
    solver = parse_definition(text, "json")
    solved = {
        text: solver.puzzle.is_solved(solver.state(text)) for text in ("T", "T2", "X T2 X", "X")
    }
    assert solved == {"T": False, "T2": True, "X T2 X": False, "X": False}
    state = solver.state("X T")
    assert solver.positions.from_written(solver.positions.written(state)) == state
    assert str(solver.solve("T X T X"))
    assert solver.solve("X T' X T").cost == 4


def test_places_that_trade_no_pieces_are_orbits_of_their_own() -> None:
    made = built(ring("A\nRING\n2 1 3 4 5", "B\nRING\n1 2 4 3 5", size=5))
    assert [orbit.places for orbit in made.puzzle.orbits] == [("1", "2"), ("3", "4")]
    assert [orbit.name for orbit in made.puzzle.orbits] == ["RING.1", "RING.3"]
    solver = parse_definition(ring("A\nRING\n2 1 3 4 5", "B\nRING\n1 2 4 3 5", size=5), "tws")
    assert solver.positions.from_written("RING\n2 1 4 3 5") == solver.state("A B")
    with pytest.raises(StateError) as failure:
        solver.positions.from_written("RING\n5 2 3 4 1")
    assert failure.value.faults == [
        "ring 5 is at 1, where no move brings it",
        "ring 1 is at 5, where no move brings it",
    ]


def test_orientations_that_never_change_are_none() -> None:
    """Turned in a roundabout way: what a piece shows follows from where it is."""
    made = built(ring("A\nRING\n2 3 4 1\n2 2 1 1", "B\nRING\n2 1 3 4\n1 2 0 0", orientations=3))
    assert made.puzzle.orbits[0].orientations == 1
    state = made.puzzle.apply(made.puzzle.solved, made.puzzle.moves("A B A"))
    numbers = made.patterns(state)
    text = "RING\n" + "\n".join(
        " ".join(str(number + first) for number in row)
        for row, first in zip(numbers["RING"], (1, 0), strict=True)
    )
    solver = parse_definition(
        ring("A\nRING\n2 3 4 1\n2 2 1 1", "B\nRING\n2 1 3 4\n1 2 0 0", orientations=3), "tws"
    )
    assert solver.positions.from_written(text) == state
    with pytest.raises(StateError, match="ring 1 at 1 has an orientation that no move gives it"):
        solver.positions.from_written("RING\n1 2 3 4\n1 0 0 0")


@pytest.mark.parametrize(
    ("moves", "families", "aliases"),
    [
        ((TURN, "A2\nRING\n3 4 1 2", "A'\nRING\n4 1 2 3"), {"A": 4}, {}),
        (("A2\nRING\n3 4 1 2", "C\nRING\n2 1 3 4"), {"A2": 2, "C": 2}, {}),
        (("A'\nRING\n4 1 2 3",), {"A": 4}, {}),
        (("C\nRING\n3 4 1 2", TURN), {"A": 4}, {"C": ("A", 2)}),
        ((TURN, "D\nRING\n4 1 2 3"), {"A": 4}, {"D": ("A", 3)}),
        ((TURN, "E\nRING\n1 2 3 4"), {"A": 4}, {}),
        (("A1\nRING\n2 3 4 1", "A2\nRING\n2 1 3 4"), {"A1": 4, "A2": 2}, {}),
        ((TURN, "x\nRING\n2 1 3 4", "Uv\nRING\n2 1 4 3"), {"A": 4}, {}),
    ],
)
def test_which_moves_are_families(
    moves: tuple[str, ...], families: Mapping[str, int], aliases: Mapping[str, tuple[str, int]]
) -> None:
    made = built(ring(*moves))
    assert made.puzzle.notation.orders == families
    assert made.puzzle.aliases == aliases
    assert len(made.notes) >= len(aliases)


def test_a_name_of_a_power_that_is_none() -> None:
    with pytest.raises(DefinitionError, match="line 10, column 6: A2 is not a power of A"):
        built(ring(TURN, "A2\nRING\n2 1 3 4"))


def test_moves_left_out_for_their_names_are_told() -> None:
    told = "x is left out: by its name, it turns the whole puzzle"
    assert built(ring(TURN, SWAP.replace("B", "x"))).notes == (told,)
    with pytest.raises(DefinitionError, match=f"there is no move; {told}"):
        built(ring(SWAP.replace("B", "x")))


def test_a_number_of_a_name_that_is_no_amount() -> None:
    """`A1` is a move of its own where there is no `A`, and not turned round as a lone `A'` is."""
    as_read = {name: built(ring(f"{name}\nRING\n2 3 4 1")).puzzle.turns for name in ("A1", "A1'")}
    assert list(as_read["A1"]) == list(as_read["A1'"]) == ["A1"]
    assert as_read["A1"]["A1"][0] == bytes([1, 2, 3, 0])
    assert as_read["A1'"]["A1"][0] == bytes([3, 0, 1, 2])


@pytest.mark.parametrize("form", ["tws", "def"])
def test_what_a_state_leaves_out_is_solved(form: str) -> None:
    """Solved, which need not be in order."""
    text = ring(TURN, solved="2 1 4 3").replace("RING 4 1", "RING 4 1\nSet SPIN 1 2")
    text = text.replace("3\nEnd", "3\nSPIN\n1\n1\nEnd", 1) + "Move S\nSPIN\n1\n1\nEnd\n"
    solver = parse_definition(text, form)
    assert solver.positions.from_written("SPIN\n1\n1") == solver.puzzle.solved
    assert solver.positions.from_written("SPIN\n1\n0") == solver.state("S")


def test_moves_made_of_others() -> None:
    text = ring(TURN, SWAP) + "MoveSequence C A D\nMoveSequence D B A'\nMoveAlias E A2\n"
    made = built(text).puzzle
    assert made.apply(made.solved, made.moves("C")) == made.apply(made.solved, made.moves("A B A'"))
    assert made.aliases["E"] == ("A", 2)
    puzzle = puzzlekit.load("cube3").puzzle
    derived = {"Rw": "x L", "Sledge": "[R', F]", "y2": "y y"}
    text = as_kpuzzle(puzzle, [*FACES, "M", "x", "y"], derivedMoves=derived)
    made = built(text, "json").puzzle
    assert "x" not in made.turns
    state = made.apply(made.solved, made.moves("Sledge"))
    assert state == made.apply(made.solved, made.moves("R' F R F'"))
    # A wide turn is the slice and the face: R M', as L and x are R, L and M' back.
    assert made.apply(made.solved, made.moves("Rw")) == made.apply(made.solved, made.moves("R M'"))


def test_metrics_count_moves_and_turns() -> None:
    made = built(ring(TURN, SWAP)).puzzle
    assert made.lengths(made.moves("A2 B A'")) == {"moves": 3, "turns": 4}


def test_a_power_that_the_file_has_counts_as_one_turn() -> None:
    """Also by the name that the power has anyway, or made of other moves."""
    text = ring("A\nRING\n2 3 4 5 1", "A3\nRING\n4 5 1 2 3", size=5)
    made = built(text).puzzle
    costs = {move.name: made.metric("turns").cost(move) for move in made.turns_of("A")}
    assert costs == dict.fromkeys(["A", "A2", "A2'", "A'"], 1)
    whole = ring("A\nRING\n2 3 4 5 6 7 1", size=7)
    for more in ("Move A3'\nRING\n5 6 7 1 2 3 4\nEnd\n", "MoveSequence A3 A A A\n"):
        made = built(whole + more).puzzle
        costs = {move.name: made.metric("turns").cost(move) for move in made.turns_of("A")}
        assert costs == {"A": 1, "A2": 2, "A3": 1, "A3'": 1, "A2'": 2, "A'": 1}


def test_what_restricts_searches_is_told() -> None:
    text = ring(TURN) + "ForbiddenPairs\nA A2\nEnd\nMaxDepth 9\nIgnore\nRING\n1 0 0 0\nEnd\n"
    with pytest.warns(DefinitionWarning) as found:
        solver = parse_definition(text, "def", source="ring.def")
    assert [str(each.message)[:40] for each in found] == [
        "ring.def: line 10, column 1: ForbiddenPa",
        "ring.def: line 13, column 1: MaxDepth is",
    ]
    assert "line 14, column 1: Ignore has no effect" in "\n".join(solver.explanation)


MALFORMED = [
    ("", "line 1: there is no Solved"),
    ("Nmae x", "line 1, column 1: expected a command: Name, Set, Solved"),
    ("Set A", "line 1, column 1: expected 'Set NAME PIECES ORIENTATIONS', found 1 words after it"),
    ("Set A x 1", "line 1, column 7: expected the number of pieces, a whole number, found 'x'"),
    ("Set A 999999999 1", "line 1, column 7: expected the number of pieces from 1 to 20000"),
    (f"Set A {'9' * 30} 1", "line 1, column 7: expected the number of pieces from 1 to 20000"),
    ("Set A 9 999", "line 1, column 9: expected the number of orientations from 1 to 127"),
    ("Set A 9 1\nSet A 9 1", "line 2, column 5: there is already a set A: use another name"),
    (
        "Set A 10000 2\nSet B 9 1",
        "line 2, column 5: with set B a state has 20,009 numbers",
    ),
    ("Set A 3 1\nSolved\nA\n1 2 3", "line 4: the text ends where a set of Solved, or End, was exp"),
    (
        "Set A 3 1\nSolved\nA\n1 2\nEnd",
        "line 4, column 1: expected the pieces of A, 3 numbers, foun",
    ),
    (
        "Set A 3 1\nSolved\nA\n1 2 4\nEnd",
        "line 4, column 5: expected the number of a piece from 1 to",
    ),
    ("Set A 3 1\nSolved\nB\n1 2 3\nEnd", "line 3, column 1: there is no set 'B'; the sets are A"),
    (
        "Set A 3 2\nSolved\nA\n1 2 3\n0 0 2\nEnd",
        "line 5, column 5: expected an orientation from 0 t",
    ),
    ("Set A 3 1\nSolved\nEnd", "there is no move"),
    ("Set A 3 1\nMove B\nEnd", "line 2, column 1: Move has to come after Solved"),
    (
        ring("A\nRING\n1 2 2 3"),
        "line 8, column 5: duplicate number 2: each place of RING has",
    ),
    (ring("A\nRING\n1 2 3 4"), "no move has an effect"),
    (ring(TURN, TURN), "line 10, column 6: there is already a move A: use another name"),
    (ring(TURN) + "Illegal RING 1", "line 10, column 1: expected 'Illegal SET PLACE PIECES'"),
    (ring(TURN) + "Illegal RUNG 1 2", "line 10, column 9: there is no set 'RUNG'"),
    (ring(TURN) + "Illegal RING 5 2", "line 10, column 14: expected the number of a place from 1"),
    ("Set A 3 1 # three", "line 1, column 11: a comment needs a line of its own"),
    ("Set A 3 1\nSolved\nA\n1 2 3 # all", "line 4, column 7: a comment needs a line of its own"),
    (
        ring(TURN) + "Illegal RING 1 1",
        "line 10, column 1: the solved state is illegal: ring 1 must not be at 1",
    ),
    (ring(TURN) + "MoveSequence B C", "line 10, column 14: B cannot be made: column 1: 'C': not a"),
    (
        ring(TURN)
        + "\n".join(f"MoveSequence {b} {a}" for a, b in pairwise("Aabcdefghijklmnopqrstu")),
        "line 30, column 14: u cannot be made: it is nested",
    ),
    (ring("(A)\nRING\n2 3 4 1"), "move family '(A)' could not be read back from text"),
    (ring("A\nRING\n?"), "line 8, column 1: expected the pieces of RING, 4 numbers, found 1"),
    (
        "Set A 3 1\nSolved\nA\n? 2 3\nEnd",
        "line 4, column 1: expected the number of a piece, a",
    ),
]


@pytest.mark.parametrize(("text", "problem"), MALFORMED, ids=[each[1][:40] for each in MALFORMED])
def test_malformed_text(text: str, problem: str) -> None:
    with pytest.raises(DefinitionError) as failure:
        built(text)
    assert str(failure.value).startswith(f"my file: {problem}")


def test_a_block_that_ksolve_ignores_needs_no_end_either() -> None:
    with pytest.warns(DefinitionWarning, match="ForbiddenPairs"):
        solver = parse_definition(ring(TURN) + "ForbiddenPairs\nA A2\n", "def")
    assert "the End of ForbiddenPairs is missing" in "\n".join(solver.explanation)


def test_ksolve_needs_no_end_at_the_end() -> None:
    whole, open_ended = ring(TURN), ring(TURN).removesuffix("End\n")
    found = built(open_ended, "def")
    assert found.puzzle.turns == built(whole, "def").puzzle.turns
    assert "the End of move A is missing" in "\n".join(found.definition.notes)
    for text in (open_ended, "Set A 3 1\nSolved"):
        with pytest.raises(DefinitionError, match="the text ends where a set of"):
            built(text, "def" if text.endswith("Solved") else "tws")


def kpuzzle(pieces: list[object], turns: list[object], **more: object) -> str:
    """A ring of four pieces with three orientations, as KPuzzle."""
    ring = {"permutation": [1, 2, 3, 0], "orientationDelta": [1, 2, 0, 0]}
    document = {
        "name": "ring",
        "orbits": [{"orbitName": "RING", "numPieces": 4, "numOrientations": 3}],
        "defaultPattern": {"RING": {"pieces": pieces, "orientation": turns}},
        "moves": {"A_PLUS_": {"RING": ring}},
    }
    return json.dumps(document | more)


def test_null_in_the_default_pattern_is_any_piece_or_any_orientation() -> None:
    given = built(kpuzzle([2, None, 0, None], [0, 0, 0, 0]), "json").puzzle
    assert given.solved == built(kpuzzle([2, 1, 0, 1], [0, 0, 0, 0]), "json").puzzle.solved
    loose = built(kpuzzle([0, 1, 2, 3], [0, 0, None, 0]), "json")
    (part,) = loose.moving
    assert part.moduli == (3, 3, 1, 3)
    with pytest.raises(DefinitionError, match=r"RING.pieces\[0\]: expected a whole number"):
        built(kpuzzle(["x", None, 0, 1], [0, 0, 0, 0]), "json")


def test_an_underscore_stands_for_a_move_that_is_there() -> None:
    solved = [0, 1, 2, 3], [0, 0, 0, 0]
    derived = {"A_PLUS_": "_", "B": "A_PLUS_2"}
    puzzle = built(kpuzzle(*solved, derivedMoves=derived), "json").puzzle
    assert set(puzzle.turns) == {"A_PLUS_"} and puzzle.moves("B")[0].amount == 2
    with pytest.raises(DefinitionError, match=r"derivedMoves\.C: C cannot be made"):
        built(kpuzzle(*solved, derivedMoves={"C": "_"}), "json")


def changed(path: str, value: object) -> str:
    """The definition of the 2x2x2 as JSON with one value changed, or without it for None."""
    document = json.loads(as_kpuzzle(puzzlekit.load("cube2").puzzle, ["R", "U"]))
    at = document
    *steps, last = path.split("/")
    for step in steps:
        at = at[int(step) if isinstance(at, list) else step]
    key = int(last) if isinstance(at, list) else last
    if value is None:
        del at[key]
    else:
        at[key] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("orbits", None, '"orbits" is missing'),
        ("orbits", 7, "orbits: expected an array of orbits, found 7"),
        ("orbits/0/numPieces", 0, "orbits[0].numPieces: expected a whole number from 1 to 20,"),
        ("orbits/0/numPieces", 10**9, "orbits[0].numPieces: expected a whole number from 1 to 20"),
        (
            "orbits/0/numPieces",
            True,
            "orbits[0].numPieces: expected a whole number from 1 to 20,",
        ),
        ("orbits/0/orbitName", "a b", "orbits[0].orbitName: the name of an orbit is 1 to 60 print"),
        ("moves/R/corners/permutation/3", "x", "moves.R.corners.permutation[3]: expected a whole"),
        ("moves/R/corners/permutation/3", 8, "moves.R.corners.permutation[3]: expected a whole n"),
        ("moves/R/corners/permutation/7", 0, "moves.R.corners.permutation[7]: duplicate number 0"),
        ("moves/R/corners/permutation", [1], "moves.R.corners.permutation: expected an array of 8"),
        ("moves/R/corners/orientationDelta/0", 3, "moves.R.corners.orientationDelta[0]: expected"),
        ("moves/R/corners/orientationDelta", None, 'moves.R.corners: "orientationDelta" is missi'),
        ("defaultPattern/corners", None, "defaultPattern: orbit corners is missing"),
        ("defaultPattern/corners/orientationMod", [2] * 8, "defaultPattern.corners.orientationM"),
        ("derivedMoves", {"A": "B"}, "derivedMoves.A: A cannot be made: column 1: 'B': not a mov"),
        ("derivedMoves", {"A": 1}, "derivedMoves.A: expected moves in one string, found 1"),
        ("moves", {}, "there is no move"),
    ],
)
def test_malformed_json(path: str, value: object, problem: str) -> None:
    with pytest.raises(DefinitionError) as failure:
        built(changed(path, value), "json")
    assert str(failure.value).startswith(f"my file: {problem}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"name": ', "line 1, column 10: this is not JSON: Expecting value"),
        ('{"a": 1, "a": 2}', 'duplicate key "a"'),
        ("[" * 100_000, "this is nested too deeply"),
        ("9" * 10_000, "this is not JSON: a number has too many digits"),
        ("7", "expected an object, found 7"),
        (
            '{"orbits": [{"orbitName": "S", "numPieces": 2, "numOrientations": 1}],'
            '"defaultPattern": {"\\u001b[2J": {}}}',
            "defaultPattern.?[2J: there is no such orbit",
        ),
        (" " * 20_000_001, "more than 20,000,000 characters"),
    ],
)
def test_what_is_no_kpuzzle(text: str, problem: str) -> None:
    with pytest.raises(DefinitionError) as failure:
        built(text, "json")
    assert str(failure.value).startswith(f"my file: {problem}")


@pytest.mark.slow
def test_too_many_moves() -> None:
    def swap(i: int) -> str:
        places = [*range(1, i), i + 1, i, *range(i + 2, 257)]
        return f"S_{'a' * (i % 20)}{'b' * (i // 20)}\nRING\n{' '.join(map(str, places))}"

    swaps = [swap(i) for i in range(1, 129)]
    assert len(built(ring(*swaps[:-1], size=256)).puzzle.families) == MAX_FAMILIES
    with pytest.raises(DefinitionError, match="128 moves, not counting powers of moves, but at"):
        built(ring(*swaps, size=256))


def test_an_order_that_is_too_large() -> None:
    places = []
    for prime in (7, 11, 13):  # their product is 1001
        start = len(places) + 1
        places += [*range(start + 1, start + prime), start]
    with pytest.raises(DefinitionError, match=f"has the order 1,001, but at most {MAX_ORDER:,}"):
        built(ring(f"A\nRING\n{' '.join(map(str, places))}", size=31))


WORDS = ["Name", "Set", "Solved", "StartState", "Move", "MoveTransformation", "MoveAlias", "End"]
WORDS += ["MoveSequence", "A", "B", "B2", "A'", "S", "?", "0", "1", "2", "3", "-1", "#", "Block"]
TEXTS = st.text(max_size=60) | st.lists(
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=14
).map("\n".join)


def test_many_members_take_no_long_time() -> None:
    """Quadratic time would be minutes here."""
    members = ",".join(f'"{i}": 1' for i in range(60_000))
    with pytest.raises(DefinitionError, match='duplicate key "59999"'):
        built(f'{{{members}, "59999": 2}}', "json")


LEAVES = st.none() | st.booleans() | st.integers(-2, 5) | st.floats() | st.text(max_size=4)
KEYS = ["name", "orbits", "orbitName", "numPieces", "numOrientations", "defaultPattern", "moves"]
KEYS += ["pieces", "orientation", "orientationMod", "permutation", "orientationDelta", "S", "A"]
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=150)
@given(TEXTS | VALUES.map(json.dumps), st.sampled_from(["tws", "def", "json"]))
def test_any_text_is_a_puzzle_or_an_error(text: str, form: str) -> None:
    check_reading(text, form)


def check_reading(text: str, form: str) -> None:
    try:
        made = build(READERS[form](text, "fuzz", "fuzz"))
    except DefinitionError as error:
        assert str(error).startswith("fuzz: ") and str(error).isprintable()
    else:
        assert made.puzzle.turns and made.pack(made.definition.solved) == made.puzzle.solved


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data())
def test_a_file_with_a_slip_is_a_puzzle_or_an_error(data: st.DataObject) -> None:
    """A good definition with some words exchanged, left out or doubled."""
    puzzle = puzzlekit.load("cube2").puzzle
    form = data.draw(st.sampled_from(["tws", "def", "json"]))
    text = as_kpuzzle(puzzle, ["R", "U"]) if form == "json" else as_tws(puzzle, ["R", "U"])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        text = (
            text[:at]
            + data.draw(st.text('0123?{}[],": \nRSetMoveEnd', max_size=3))
            + text[at + cut :]
        )
    check_reading(text, form)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow) if path.name in SLOW else path
        for path in sorted(EXAMPLES.iterdir())
        if path.suffix != ".py"  # a script that writes definitions
    ],
    ids=lambda path: path.name,
)
def test_examples_are_solved(path: Path) -> None:
    solver = puzzlekit_definitions.load_definition(path, memory=5_000_000)
    assert isinstance(solver, DefinedSolver)
    families = list(solver.puzzle.turns)
    solution = solver.solve(" ".join(families[:3]))
    assert str(solution) == " ".join(f"{family}'" for family in reversed(families[:3]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("pyraminx.tws", [1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32]),
        ("skewb.def", [1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90]),
    ],
)
def test_known_distributions(name: str, states: list[int]) -> None:
    """As published for both puzzles: jaapsch.net/puzzles."""
    solver = puzzlekit_definitions.load_definition(EXAMPLES / name)
    assert list(puzzlekit_lab.distribution(solver).states) == states
