"""The move-sequence parser: every rule of the grammar, its limits, its messages, its speed."""

from __future__ import annotations

import doctest
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.errors import DeclarationError, NotationError, UsageError
from puzzlekit.puzzle import notation as module
from puzzlekit.puzzle.notation import Notation

FACES = "URFDLB"


def _hints(family: str) -> str:
    return "layers go up to 3" if family.startswith("4") else ""


CUBE = Notation(
    orders={f: 4 for f in [*FACES, *(f + "w" for f in FACES), *"MESxyz"]},
    aliases={f.lower(): (f + "w", 1) for f in FACES}
    | {"2R": ("M", -1), "2L": ("M", 1), "2F": ("S", 1), "3R": ("L", -1)},
    hints=_hints,
    rotations="xyz",
)
POCKET = Notation(orders={"U": 4, "R": 4, "F": 4})
MEGA = Notation(
    orders={"R": 5, "D": 5, "U": 5}, aliases={"R++": ("R", 2), "D++": ("D", 2), "R--": ("R", -2)}
)
PYRA = Notation(orders={"U": 3, "u": 3, "t": 2})


def read(text: str) -> str:
    return CUBE.format(CUBE.parse(text))


def fault(text: str, notation: Notation = CUBE) -> NotationError:
    with pytest.raises(NotationError) as caught:
        notation.parse(text)
    assert caught.value.text == text
    return caught.value


def test_doctests() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("R U R' U'", "R U R' U'"),
        ("RUR'U'", "R U R' U'"),
        ("R2 R2' R'2 R3 R3' R1 R'", "R2 R2 R2 R' R R R'"),
        ("R4 R8' U5 U6", "U U2"),
        ("R R", "R R"),
        ("Rw Rw2 r r'", "Rw Rw2 Rw Rw'"),
        ("2R 2R' 2R2 2L 3R", "M' M M2 M L'"),
        ("M E' S2 x y' z2", "M E' S2 x y' z2"),
        ("R 2F", "R S"),
        ("R2F", "R2 F"),
        ("R22F", "R2 S"),
        ("U22R", "U2 M'"),
        ("U22", "U2"),
        ("U2'2R", "U2 M'"),
        ("U12U", "U"),  # 12 is one amount: nothing is spelt 2U
        ("RwU", "Rw U"),
        ("R,U, F ,D,", "R U F D"),
        ("(R, U)2", "R U R U"),
        ("Ri Ui2 R2i F'", "R' U2 R2 F'"),
        ("RiUiri", "R' U' Rw'"),
        ("R\u00a0U\u200bF\ufeff\u3000D\u2028L\u00ad", "R U F D L"),
    ],
)
def test_moves(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize("prime", list("'`´’‘′ʹ＇ʼ‛‵｀ˈˊˋ"))  # noqa: RUF001
def test_every_prime_mark(prime: str) -> None:
    assert CUBE.parse(f"R{prime} U2{prime}(F){prime}") == (("R", 3), ("U", 2), ("F", 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(R U)", "R U"),
        ("()", ""),
        ("(R U)2", "R U R U"),
        ("(R U)'", "U' R'"),
        ("(R U)2'", "U' R' U' R'"),
        ("(R U)'2", "U' R' U' R'"),
        ("(R U)0 F", "F"),
        ("(R U)2F", "R U R U F"),
        ("(R)12R", " ".join(["R"] * 13)),
        ("(R U) 2F", "R U S"),
        ("((R U)2 F)'", "F' U' R' U' R'"),
        ("[R, U]", "R U R' U'"),
        ("[R,U]2", "R U R' U' R U R' U'"),
        ("[R, U]'", "U R U' R'"),
        ("[R: U]", "R U R'"),
        ("[R U: F2]'", "R U F2 U' R'"),
        ("[R: [U, F']]", "R U F' U' F R'"),
        ("[[R: U], D]", "R U R' D R U' R' D'"),
        ("[(R U)2, F]", "R U R U F U' R' U' R' F'"),
        ("[R4, U]", "U U'"),
    ],
)
def test_brackets(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[R/U]", "R U R2 U' R"),
        ("[R'/ [U, F]]", "R' U F U' F' R2 F U F' U' R'"),
        ("[R U / F]", "R U F U' R' U' R' F' R U"),
        ("[R2 / U]", "R2 U U' R2"),
        ("[F: [R / U]]2", "F R U R2 U' R F' F R U R2 U' R F'"),
        ("[R / U]'", "R' U R2 U' R'"),
        ("[R/U // [ \n ]", "R U R2 U' R"),
        ("R . U", "R U"),
        (". (. R . U .) [R ., . U] .", "R U R U R' U'"),
    ],
)
def test_slashes_and_pauses(text: str, expected: str) -> None:
    assert read(text) == expected


def test_a_slash_that_is_a_move() -> None:
    square = Notation(orders={"/": 2, "U": 12})
    assert square.format(square.parse("[U, /] / U")) == "U / U' / / U"


@pytest.mark.parametrize(
    "length", ["(21f)", "(18f*)", " (24q) ", "(12s)\n", "(21f) // a comment", "(0f)", "(3f) /* */"]
)
def test_a_length_behind_the_moves_is_skipped(length: str) -> None:
    assert read(f"R U2 F'{length}") == "R U2 F'"


@pytest.mark.parametrize(
    ("text", "token", "problem"),
    [
        ("R U2 (2f)", "(2f)", "a length, or a move?"),
        ("R (21f) U", "21f", "not a move"),
        ("(21f)", "21f", "not a move"),
        ("[R, U (21f)]", "21f", "not a move"),
    ],
)
def test_a_length_that_may_be_a_move_is_not_guessed(text: str, token: str, problem: str) -> None:
    cube = Notation(orders=CUBE.orders, aliases={**CUBE.aliases, "2f": ("Fw", 1)})
    error = fault(text, cube)
    assert (error.token, error.problem) == (token, problem)
    assert cube.parse("(2f)2 (2f) R") == (*[("Fw", 1)] * 3, ("R", 1))
    assert cube.parse("(0f)") == ()


@pytest.mark.parametrize(
    ("text", "groups", "inverse"),
    [
        ("R (F U2) D", "R F U2 D", "R D U2 F'"),
        ("(F) R (U)", "F R U", "R U' F'"),
        ("((F U)2 R)", "F U F U R", "R' U' F' U' F'"),
        ("([F, U])", "F U F' U'", "U F U' F'"),
    ],
)
def test_moves_on_the_inverse(text: str, groups: str, inverse: str) -> None:
    assert CUBE.format(CUBE.parse(text)) == groups
    assert CUBE.format(CUBE.parse(text, "groups")) == groups
    assert CUBE.format(CUBE.parse(text, "inverse")) == inverse
    with pytest.raises(NotationError, match="a group, or moves on the inverse") as caught:
        CUBE.parse(text, "ask")
    assert "--parentheses inverse" in caught.value.hint
    assert caught.value.token.startswith("(")


@pytest.mark.parametrize("text", ["R U", "(R U)2", "(R U)' F", "[(R U), F]", "R (U2)", "R ()"])
def test_parentheses_of_one_meaning(text: str) -> None:
    assert CUBE.parse(text, "ask") == CUBE.parse(text, "inverse") == CUBE.parse(text)


def test_an_unknown_meaning_of_parentheses() -> None:
    with pytest.raises(UsageError, match="'groups', 'inverse' or 'ask', not 'niss'"):
        CUBE.parse("R", "niss")  # type: ignore[arg-type]


SIGNS = ["x", "X", "*", "\u00d7", "^", "\u2715", "\u2716", "\u2217"]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("shape", ["{}6", " {}6", " {} 6", "{} 6"])
def test_a_times_sign_after_a_bracket_repeats_it(sign: str, shape: str) -> None:
    suffix = shape.format(sign)
    assert read(f"(R U R' U'){suffix}") == " ".join(["R U R' U'"] * 6)
    assert read(f"[R, U]{suffix} F") == " ".join(["R U R' U'"] * 6) + " F"
    assert read(f"[(R U){suffix}: F]") == read("[(R U)6: F]")
    assert read(f"((R){suffix}){suffix}") == " ".join(["R"] * 36)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(R U)x2", "R U R U"),
        ("(R U)x2F", "R U R U F"),
        ("(R U)*2'", "U' R' U' R'"),
        ("(R U) x2", "R U x2"),
        ("(R U) x2'", "R U x2"),
        ("(R U) x' x", "R U x' x"),
        ("(R U) x R", "R U x R"),
        ("(R U)2 x", "R U R U x"),
        ("(R U) y2", "R U y2"),
        ("(R U)\nx2", "R U x2"),
    ],
)
def test_a_sign_that_is_a_rotation_too(text: str, expected: str) -> None:
    assert read(text) == expected


def test_a_times_sign_is_one_where_nothing_turns_the_puzzle() -> None:
    assert len(POCKET.parse("(R U)x2 (F) x3")) == 7
    numbered = Notation(orders={"x1": 4, "x2": 4, "x3": 4})
    assert numbered.parse("(x1 x2) x3") == (("x1", 1), ("x2", 1), ("x3", 1))
    assert fault("(x1 x2)x3", numbered).problem == "no space before it"
    assert len(numbered.parse("(x1 x2)*3")) == 6


@pytest.mark.parametrize(
    "text",
    [
        "R // Q )(\n U",
        "R # Q '\r\nU",
        "R /* Q \n [ // */ U",
        "R/**/U",
        "R U // end",
        "R U #",
        "# U\nR U",
        "R//x\u2028U",
    ],
)
def test_comments(text: str) -> None:
    assert read(text) == "R U"


def test_case_is_significant() -> None:
    assert CUBE.parse("R r") == (("R", 1), ("Rw", 1))
    assert PYRA.parse("U u'") == (("U", 1), ("u", 2))


def test_other_orders() -> None:
    assert (
        MEGA.format(MEGA.parse("R++ D++' R-- R++2 U3 U4 U2' U7")) == "R2 D2' R2' R' U2' U' U2' U2"
    )
    assert PYRA.format(PYRA.parse("U2 t t2 t'")) == "U' t t"
    assert [MEGA.name("R", k) for k in range(1, 5)] == ["R", "R2", "R2'", "R'"]
    assert [PYRA.name(*move) for move in (("U", 1), ("U", 2), ("t", 1))] == ["U", "U'", "t"]
    assert [CUBE.name("Rw", k) for k in (1, 2, 3, -1, 6)] == ["Rw", "Rw2", "Rw'", "Rw'", "Rw2"]


@pytest.mark.parametrize(
    ("text", "token", "column", "problem", "hint"),
    [
        ("R 4L U", "4L", 3, "not a move", "layers go up to 3"),
        ("R Q2 U", "Q2", 3, "not a move", "known moves: U R F"),
        ("RUQ2'R", "Q2'", 3, "not a move", "known moves"),
        ("R hello", "hello", 3, "not a move", ""),
        ("X", "X", 1, "not a move", "did you mean x?"),
        ("rw", "rw", 1, "not a move", "did you mean Rw?"),
        ("U Rww", "Rww", 3, "not a move", ""),
        ("2Rw2", "2Rw2", 1, "not a move", ""),
        ("R é", "é", 3, "not a move", ""),
        ("R ²", "²", 3, "not a move", ""),
        ("R-", "-", 2, "not a move", ""),
        ("[R, U], F, (R, [D: L, U])", ",", 21, "a third part in [ ]", ""),
        ("R.", ".", 2, "not a move", "a pause is ' . '"),
        ("R .. U", ".", 3, "not a move", "a pause is ' . '"),
        ("R; U", ";", 2, "not a move", "separated by spaces"),
        ("[(R, U), F]", ",", 4, "not a move", "[A, B] a commutator"),
        ("R '", "'", 3, "a prime mark without a move", "right after"),
        ("'R", "'", 1, "a prime mark without a move", "right after"),
        ("R''", "R''", 1, "more than one prime mark", "inverse"),
        ("R'2'", "R'2'", 1, "more than one prime mark", "inverse"),
        ("R 2 U", "2", 3, "a number without a move", "right after"),
        ("(R U) 3", "3", 7, "a number without a move", "right after"),
        ("3(R U)", "3", 1, "a number without a move", "right after"),
        ("U (R (F)", "(", 3, "never closed by ')'", ""),
        ("[R, U", "[", 1, "never closed by ']'", ""),
        ("R)", ")", 2, "closes a bracket that was never opened", ""),
        ("(R]", "]", 3, "does not close the '(' of column 1", ""),
        ("[R, (U], F)", "]", 7, "does not close the '(' of column 5", ""),
        ("[R U]", "[R U]", 1, "no ',', ':' or '/' in [ ]", "[A, B] a commutator"),
        ("[R, U, F]", ",", 6, "a third part in [ ]", ""),
        ("[, U]", "[,", 1, "an empty part", ""),
        ("[R: ]", "[R: ]", 1, "an empty part", ""),
        ("R /* U", "/*", 3, "comment never closed by '*/'", ""),
        ("U R0 F", "R0", 3, "0 turns", ""),
        ("R00'", "R00'", 1, "0 turns", ""),
        ("U 2-3Rw2 F", "2-3Rw2", 3, "not a move", ""),
        ("(R U)x", "x", 6, "no space before it", "(A B)x6 is six times"),
        ("(R U)x'", "x", 6, "no space before it", "a rotation stands after a space"),
        ("[R, U]y2", "y", 7, "no space before it", ""),
        ("(R U)'x6", "x", 7, "no space before it", ""),
        ("(R U)6x", "x", 7, "no space before it", ""),
        ("(R U)2z'", "z", 7, "no space before it", ""),
        ("(R U)x2'", "x2", 6, "a rotation, or a number of times?", ""),
        ("(R U) x3", "x3", 7, "a rotation, or a number of times?", "(A B)x6 is six times"),
        ("R U R' U' x6", "x6", 11, "a rotation, or a number of times?", "(A B)6"),
        ("R U*3", "*3", 4, "not a move", ""),
        ("(R)x99999999", "(R)x99999999", 1, "a number of more than 6 digits", ""),
        ("(R)x100001", "(R)x100001", 1, "more than 100,000 moves when written out", ""),
        ("Rinse", "Rinse", 1, "not a move", ""),
        ("R i", "i", 3, "not a move", ""),
        ("R'i", "i", 3, "not a move", ""),
        ("R1234567", "R1234567", 1, "a number of more than 6 digits", ""),
        ("(R)99999999", "(R)99999999", 1, "a number of more than 6 digits", ""),
    ],
)
def test_errors(text: str, token: str, column: int, problem: str, hint: str) -> None:
    error = fault(text)
    assert (error.token, error.column, error.problem) == (token, column, problem)
    assert hint in error.hint


def test_numbered_wide_turns_in_small_letters() -> None:
    from puzzlekit_cubes import cube_puzzle
    from puzzlekit_cubes.turns import aliases

    cube = cube_puzzle("cube3", 3)
    assert cube.moves("2r U2r'") == cube.moves("Rw U2 Rw'")
    with pytest.raises(NotationError, match="whole cube"):
        cube.moves("3r")
    assert aliases(4)["3r"] == ("3Rw", 1)
    assert "2r" not in aliases(2)


def test_a_number_between_two_moves_may_belong_to_either() -> None:
    from puzzlekit_cubes import cube_puzzle

    cube = cube_puzzle("cube6", 6)
    assert cube.moves("R2U2F") == cube.moves("R2 U2 F")
    assert cube.moves("Rw 3UwF") == cube.moves("Rw 3Uw F")
    assert cube.moves("R23Uw") == cube.moves("R2 3Uw")
    for text, column in (("Rw3Uw", 3), ("U R3F", 4)):
        with pytest.raises(NotationError, match=f"column {column}: .* layers of the next move"):
            cube.moves(text)
    small = cube_puzzle("cube3", 3)
    assert small.moves("U3R2F1") == small.moves("U' R2 F")


@pytest.mark.parametrize(
    ("size", "text", "same"),
    [
        (2, "1Fw 1R2 1u'", "F R2 U'"),
        (2, "X Y2 Z'", "x y2 z'"),
        (2, "[r] [u2] [f'] [l] [d\u2019] [b]2", "x y2 z' x' y z2"),
        (3, "1-2f'", "Fw'"),
        (3, "2-3Lw 2-3r2", "x' L' x2 R2"),
        (4, "2-3Rw 2-3r' 2-3Rw", "3Rw R'"),
        (4, "2-4Uw2", "y2 U2"),
        (4, "M m' M", "3Lw L'"),
        (4, "E S", "3Dw D' 3Fw F'"),
        (5, "M", "3Lw Lw'"),
        (6, "M S'", "4Lw Lw' 4Fw' Fw"),
    ],
)
def test_other_spellings_of_cubes(size: int, text: str, same: str) -> None:
    from puzzlekit_cubes import cube_puzzle

    cube = cube_puzzle(f"cube{size}", size)
    one, other = (cube.apply(cube.solved, cube.moves(each)) for each in (text, same))
    assert one == other


@pytest.mark.parametrize(
    ("size", "text", "advice"),
    [
        (4, "2-9Rw", "no layers 2 to 9"),
        (4, "1-4Rw", "whole cube"),
        (3, "2-3R", "write a range as 2-3Rw"),
        (2, "2-Q", "one after the other"),
        (2, "M", "no middle layer"),
    ],
)
def test_advice_on_layers(size: int, text: str, advice: str) -> None:
    from puzzlekit_cubes import cube_puzzle

    with pytest.raises(NotationError, match=advice):
        cube_puzzle(f"cube{size}", size).moves(text)


def test_unknown_suffix_names_the_whole_word() -> None:
    error = fault("U Rw2 F", POCKET)
    assert (error.token, error.column) == ("Rw2", 3)
    assert fault("URMU'", POCKET).token == "M"
    assert fault("R'w", POCKET).token == "w"
    asked: list[str] = []

    def hints(family: str) -> str:
        asked.append(family)
        return "no slices here"

    with pytest.raises(NotationError, match="no slices here"):
        Notation(orders={"R": 4}, hints=hints).parse("R 4Lw2'")
    assert asked == ["4Lw"]


def test_long_lists_are_cut_short() -> None:
    many = Notation(orders={f"G{a}{b}": 2 for a in "abcdefgh" for b in "abcdefgh"})
    error = fault("Q", many)
    assert error.hint.endswith("...") and len(error.hint) < 120
    assert len(str(fault("q" * 10_000))) < 300


def test_notation_without_moves() -> None:
    empty = Notation(orders={})
    assert empty.parse(" // nothing") == ()
    assert fault("R", empty).token == "R"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(" * 51 + ")" * 51, "brackets nested deeper than 50"),
        ("(" * 900_000, "brackets nested deeper than 50"),
        ("(R)100001", "more than 100,000 moves"),
        ("((((R)999)999)999)999", "more than 100,000 moves"),
        ("((((((R)9999)0)9999)9999)9999)9999", ""),
        ("((R)50000)0" * 90_000, "more than 100,000 moves"),
        ("R" * 100_001, "more than 100,000 moves"),
        ("[" * 40 + "R" + ", U]" * 40, "more than 100,000 moves"),
        ("R" + "9" * 900_000, "more than 6 digits"),
        ("R" * 1_000_001, "more than 1,000,000 characters"),
        (" " * 1_000_001, "more than 1,000,000 characters"),
    ],
)
def test_hostile_text_is_refused_quickly(text: str, problem: str) -> None:
    begin = time.process_time()
    if problem:
        assert problem in fault(text).problem
    else:
        assert CUBE.parse(text) == ()
    assert time.process_time() - begin < 2


def test_limits_are_inclusive() -> None:
    assert len(CUBE.parse("(R)100000")) == 100_000
    assert len(CUBE.parse("(" * 50 + "R" + ")" * 50)) == 1
    assert len(CUBE.parse("((R)100000)'")) == 100_000
    assert CUBE.parse("(R4)999999") == ()


@pytest.mark.parametrize(
    ("orders", "aliases"),
    [
        ({"R": 1}, {}),
        ({"": 4}, {}),
        ({"A1": 4, "A12": 2}, {}),
        ({"R": 4, "R2": 2}, {}),
        ({"R'": 4}, {}),
        ({"R U": 4}, {}),
        ({"a(b": 4}, {}),
        ({"//": 4}, {}),
        ({"R": 4}, {"r": ("Q", 1)}),
        ({"R": 4, "L": 4}, {"R": ("L", 3)}),
        ({"R": 4}, {"R2": ("R", 2)}),
    ],
)
def test_unreadable_declarations(
    orders: dict[str, int], aliases: dict[str, tuple[str, int]]
) -> None:
    with pytest.raises(DeclarationError):
        Notation(orders=orders, aliases=aliases)


def test_families_that_end_in_digits() -> None:
    """As long as no other family begins like them, they are told from amounts."""
    notation = Notation(orders={"R2": 2, "A1": 5, "B12": 3, "1": 4})
    moves = (("R2", 1), ("A1", 2), ("A1", 4), ("B12", 1), ("B12", 2), ("1", 3), ("1", 2))
    assert notation.format(moves) == "R2 A12 A1' B12 B12' 1' 12"
    assert notation.parse(notation.format(moves)) == moves


def test_parse_is_fast() -> None:
    text = "R U2 F' D L2 B' Rw U R' F2 D' L B2 U' R2 F D2 L' B U R' F' M2 x y'"
    best = 1.0
    for _ in range(20):
        begin = time.perf_counter()
        CUBE.parse(text)
        best = min(best, time.perf_counter() - begin)
    assert best < 0.0003


def moves_of(notation: Notation) -> st.SearchStrategy[list[tuple[str, int]]]:
    move = st.sampled_from(
        [(family, k) for family, order in notation.orders.items() for k in range(1, order)]
    )
    return st.lists(move, max_size=30)


CASES = st.sampled_from([CUBE, MEGA, PYRA]).flatmap(
    lambda notation: st.tuples(st.just(notation), moves_of(notation))
)


@given(CASES)
def test_format_then_parse_is_the_identity(case: tuple[Notation, list[tuple[str, int]]]) -> None:
    notation, moves = case
    assert notation.parse(notation.format(moves)) == tuple(moves)


@given(CASES)
def test_spaces_are_optional(case: tuple[Notation, list[tuple[str, int]]]) -> None:
    notation, moves = case
    text = notation.format(moves).replace(" ", "")
    if notation is not PYRA and "w" not in text:
        assert notation.parse(text) == tuple(moves)


@given(CASES, st.integers(0, 5))
def test_group_then_inverse_cancels(
    case: tuple[Notation, list[tuple[str, int]]], count: int
) -> None:
    notation, moves = case
    text = notation.format(moves)
    left = list(notation.parse(f"({text}){count} ({text}){count}'"))
    assert len(left) == 2 * count * len(moves)
    # Neighbours in the middle undo each other, all the way out.
    while left:
        middle = len(left) // 2
        (a, m), (b, n) = left[middle - 1 : middle + 1]
        assert a == b and (m + n) % notation.orders[a] == 0
        del left[middle - 1 : middle + 1]


@given(CASES, st.integers(0, 12), st.sampled_from(SIGNS))
def test_times_signs_mean_the_number_alone(
    case: tuple[Notation, list[tuple[str, int]]], count: int, sign: str
) -> None:
    notation, moves = case
    text = notation.format(moves)
    assert notation.parse(f"({text}){sign}{count}") == tuple(moves) * count
    if sign not in notation.orders:
        assert notation.parse(f"({text}) {sign} {count}") == tuple(moves) * count


@given(CASES)
def test_commas_and_old_primes(case: tuple[Notation, list[tuple[str, int]]]) -> None:
    notation, moves = case
    text = notation.format(moves)
    assert notation.parse(text.replace(" ", ",")) == tuple(moves)
    assert notation.parse(text.replace("'", "i")) == tuple(moves)


@given(moves_of(CUBE).filter(bool), moves_of(CUBE).filter(bool))
def test_brackets_mean_what_they_stand_for(
    one: list[tuple[str, int]], two: list[tuple[str, int]]
) -> None:
    a, b = CUBE.format(one), CUBE.format(two)
    assert CUBE.parse(f"[{a}, {b}]") == CUBE.parse(f"({a}) ({b}) ({a})' ({b})'")
    assert CUBE.parse(f"[{a}: {b}]") == CUBE.parse(f"({a}) ({b}) ({a})'")
    assert CUBE.parse(f"[{a}, {b}]'") == CUBE.parse(f"[{b}, {a}]")


ANYTHING = st.text() | st.text(st.sampled_from("RUrwMxi*^24 ()[],:'’/*#.\n\u200bQ"), max_size=40)  # noqa: RUF001


@pytest.mark.slow
@given(ANYTHING)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        moves = CUBE.parse(text)
    except NotationError as error:
        assert error.text == text
        assert 1 <= error.column <= len(text)
        assert error.token
        assert text[error.column - 1 :].startswith(error.token.removesuffix("\u2026"))
    else:
        assert all(1 <= amount < CUBE.orders[family] for family, amount in moves)
