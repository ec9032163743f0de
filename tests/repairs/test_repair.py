"""The changes that mend a painting with one or two wrong stickers, or one wrong piece."""

from __future__ import annotations

import json
import random
import time
from itertools import combinations, product

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from test_painting import CUBE3, PUZZLES, SCRAMBLED3, SOLVED3, changed, painted

import puzzlekit
from puzzlekit import EvenParity, FaceletLayout, Orbit, OrientationSum, Puzzle, UsageError
from puzzlekit.cli import main
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.orbit import Law
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.puzzle.sticker_reading import read, read_facelets
from puzzlekit_repairs import Painting, inspect

MOST = 200


def proven(puzzle: Puzzle, text: str) -> Painting:
    """The painting, when each repair is seen to change what it says and to leave no fault."""
    painting = inspect(puzzle, text)
    assert len(painting.repairs) <= MOST
    assert len({repair.stickers for repair in painting.repairs}) == len(painting.repairs)
    for repair in painting.repairs:
        assert repair.changed == tuple(differing(text, repair.stickers))
        read_facelets(puzzle, repair.stickers)
    sizes = [len(repair.changed) for repair in painting.repairs]
    assert sizes == sorted(sizes)
    assert all(size <= 2 for size in sizes) or len(set(sizes)) == 1
    return painting


def differing(one: str, other: str) -> list[int]:
    return [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]


def told(puzzle: Puzzle, text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(repair.words, repair.changed) for repair in proven(puzzle, text).repairs]


def carried(text: str, places: tuple[int, ...], by: int = 1) -> str:
    """The stickers of one piece, carried on round it."""
    count = len(places)
    return changed(text, {places[(k + by) % count]: text[i] for k, i in enumerate(places)})


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ({8: "F"}, "sticker U9: U in place of F"),
        ({4: "R"}, "sticker U5: U in place of R"),
        ({7: "X"}, "sticker U8: U in place of X"),
        ({8: "F", 9: "U", 20: "R"}, "turn the corner at URF counter-clockwise"),
        ({8: "R", 9: "F", 20: "U"}, "turn the corner at URF clockwise"),
        ({7: "F", 19: "U"}, "flip the edge at UF"),
        ({8: "R", 9: "U"}, "corner at URF: U R F in place of R U F"),
        ({34: "U", 52: "F"}, "edge at DB: D B in place of U F"),
        ({8: "X", 9: "X", 20: "X"}, "corner at URF: U R F in place of X X X"),
    ],
)
def test_of_a_solved_cube(letters: dict[int, str], words: str) -> None:
    repair = proven(CUBE3, changed(SOLVED3, letters)).repairs[0]
    assert repair.words == words
    assert repair.stickers == SOLVED3
    assert repair.changed == tuple(sorted(letters))


def test_in_the_symbols_of_the_painter() -> None:
    text = changed(SOLVED3, {8: "F"}).translate(str.maketrans("URFDLB", "WRGYOB"))
    assert told(CUBE3, text)[0] == ("sticker U9: W in place of G", (8,))


def test_any_piece_of_a_scrambled_cube() -> None:
    found = told(CUBE3, carried(SCRAMBLED3, (8, 9, 20)))
    assert len(found) == 8
    assert found[0] == ("turn the corner at ULB counter-clockwise", (0, 36, 47))
    assert ("turn the corner at URF counter-clockwise", (8, 9, 20)) in found
    found = told(CUBE3, carried(SCRAMBLED3, (7, 19)))
    assert len(found) == 12
    assert found[0] == ("flip the edge at BL", (39, 50))
    assert ("flip the edge at UF", (7, 19)) in found


def test_any_center_of_many() -> None:
    cube = PUZZLES["cube4"]
    text = facelets(cube, cube.solved)
    words = "U in place of R"
    # A cube that is nearly solved is likely to be solved.
    assert told(cube, changed(text, {5: "R"}))[0] == (f"sticker U6: {words}", (5,))
    text = facelets(cube, cube.apply(cube.solved, cube.moves("F")))
    assert told(cube, changed(text, {5: "R"}))[:5] == [
        (f"sticker U6: {words}", (5,)),
        (f"sticker R6: {words}", (21,)),
        (f"sticker R7: {words}", (22,)),
        (f"sticker R10: {words}", (25,)),
        (f"sticker R11: {words}", (26,)),
    ]


def test_of_a_tetrad() -> None:
    """Of the corners of a Skewb that stay together any of four can be turned."""
    skewb = PUZZLES["skewb"]
    assert skewb.layout is not None
    text = facelets(skewb, skewb.apply(skewb.solved, skewb.moves("R U B L R")))
    spoilt = carried(text, skewb.layout.places["corners"][0])
    found = [words for words, _ in told(skewb, spoilt)]
    assert found == [
        f"turn the corner at {name} counter-clockwise" for name in ("URF", "ULB", "DLF", "DRB")
    ]


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ({4: "R", 13: "U"}, "exchange the stickers U5 (R) and R5 (U)"),
        ({10: "F", 19: "R"}, "exchange the stickers R2 (F) and F2 (R)"),
        ({8: "F", 0: "F"}, "sticker U1: U in place of F, sticker U9: U in place of F"),
        ({4: "R", 8: "X"}, "sticker U5: U in place of R, sticker U9: U in place of X"),
    ],
)
def test_two_wrong_stickers_of_a_solved_cube(letters: dict[int, str], words: str) -> None:
    repair = proven(CUBE3, changed(SOLVED3, letters)).repairs[0]
    assert (repair.words, repair.stickers) == (words, SOLVED3)


@pytest.mark.parametrize(
    "text",
    [
        carried(carried(SCRAMBLED3, (8, 9, 20)), (7, 19)),  # a corner and an edge
        "U" * 54,
        "ABCDEFGHI" * 6,
    ],
)
def test_nothing_is_offered_where_more_is_wrong(text: str) -> None:
    painting = proven(CUBE3, text)
    assert painting.faults and not painting.repairs


@pytest.mark.parametrize("name", ["cube2", "cube3", "cube4", "cube5", "pyraminx", "skewb"])
@pytest.mark.parametrize("symbols", ["", "WRGYOB", "123456"])
def test_every_exchange_of_two_stickers(name: str, symbols: str) -> None:
    """A camera often takes a red sticker for an orange one, and an orange one for a red one."""
    puzzle = puzzlekit.load(name).puzzle
    assert puzzle.layout is not None
    rng = random.Random(22)
    text = facelets(puzzle, random_state(puzzle, rng))
    text = text.translate(dict(zip(map(ord, puzzle.layout.faces), symbols, strict=False)))
    pairs = [(i, j) for i, j in combinations(range(len(text)), 2) if text[i] != text[j]]
    for i, j in rng.sample(pairs, 12):
        painting = proven(puzzle, changed(text, {i: text[j], j: text[i]}))
        if painting.state is None:  # two centers of a large cube may be exchanged
            assert text in [repair.stickers for repair in painting.repairs]


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(painted(), st.data())
def test_two_wrong_stickers(case: tuple[Puzzle, str], data: st.DataObject) -> None:
    puzzle, text = case
    symbols = [*dict.fromkeys(text), "X"]
    wrong = data.draw(
        st.dictionaries(st.integers(0, len(text) - 1), st.sampled_from(symbols), max_size=2)
    )
    painting = proven(puzzle, changed(text, wrong))
    if painting.state is None:
        assert text in [repair.stickers for repair in painting.repairs]


def test_nothing_is_offered_before_all_is_painted() -> None:
    painting = inspect(CUBE3, changed(SOLVED3, {8: "F", 53: "?"}))
    assert painting.faults and not painting.repairs


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(painted(), st.data())
def test_one_wrong_sticker(case: tuple[Puzzle, str], data: st.DataObject) -> None:
    puzzle, text = case
    sticker = data.draw(st.integers(0, len(text) - 1))
    others = [letter for letter in dict.fromkeys(text) if letter != text[sticker]]
    spoilt = changed(text, {sticker: data.draw(st.sampled_from([*others, "X"]))})
    painting = proven(puzzle, spoilt)
    assert text in [repair.stickers for repair in painting.repairs]
    assert any(sticker in fault.facelets for fault in painting.faults)


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(painted(), st.data())
def test_one_wrong_piece(case: tuple[Puzzle, str], data: st.DataObject) -> None:
    """Stickers of one piece in another order: the state is offered, or as small a change."""
    puzzle, text = case
    assert puzzle.layout is not None
    orbits = [name for name, each in puzzle.layout.places.items() if len(each[0]) > 1]
    where = puzzle.layout.places[data.draw(st.sampled_from(orbits))]
    places = where[data.draw(st.integers(0, len(where) - 1))]
    letters = data.draw(st.permutations([text[i] for i in places]))
    spoilt = changed(text, dict(zip(places, letters, strict=True)))
    painting = proven(puzzle, spoilt)
    if painting.state is not None:
        return  # a piece that may be turned so
    assert len(painting.repairs[0].changed) <= len(differing(text, spoilt))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube2", "pyraminx", "skewb"])
def test_against_all_changes(name: str) -> None:
    """The repairs are all states one or two stickers away, or else the nearest by one piece."""
    puzzle = PUZZLES[name]
    assert puzzle.layout is not None
    rng = random.Random(5)
    text = facelets(puzzle, random_state(puzzle, rng))
    count = len(text)
    places = [each for orbit in puzzle.layout.places.values() for each in orbit]
    first, second = rng.sample(range(count), 2)
    for spoilt in (
        carried(text, places[0]),
        changed(text, {places[3][0]: text[places[3][-1]], places[3][-1]: text[places[3][0]]}),
        changed(text, {places[-1][0]: "B" if text[places[-1][0]] != "B" else "F"}),
        changed(text, {first: "L" if text[first] != "L" else "R", second: "L"}),
    ):
        painting = proven(puzzle, spoilt)
        if not painting.faults:
            continue
        some = [each for size in (1, 2) for each in combinations(range(count), size)]
        if painting.repairs and len(painting.repairs[0].changed) > 2:
            assert not mending(puzzle, spoilt, some)
            size = len(painting.repairs[0].changed)
            some = [each for place in places for each in combinations(place, size)]
        assert {repair.stickers for repair in painting.repairs} == mending(puzzle, spoilt, some)


def mending(puzzle: Puzzle, text: str, some: list[tuple[int, ...]]) -> set[str]:
    """The valid ways of painting all of some stickers otherwise.

    In a valid one, each letter is there as often as on the solved puzzle.
    """
    assert puzzle.layout is not None
    faces = puzzle.layout.faces
    letters = dict(zip(faces, faces, strict=True))
    alike = sorted(facelets(puzzle, puzzle.solved))
    return {
        other
        for each in some
        for other in painted_over(text, each, faces)
        if sorted(other) == alike and not read(puzzle, other, letters).faults
    }


def painted_over(text: str, some: tuple[int, ...], faces: str) -> list[str]:
    """All ways of painting some stickers otherwise, each of them."""
    found = [text]
    for i in some:
        found = [changed(each, {i: face}) for each in found for face in faces if face != text[i]]
    return found


def rowed(name: str, faces: str, shown: list[str], solved: tuple[int, ...], sums: bool) -> Puzzle:
    """A row of pieces whose stickers show the faces of `shown`, face after face in the layout."""
    stickers = sorted((face, piece) for piece, letters in enumerate(shown) for face in letters)
    left = {each: stickers.index(each) for each in reversed(stickers)}
    places = []
    for piece, letters in enumerate(shown):
        place = []
        for face in letters:
            place.append(left[face, piece])
            left[face, piece] += 1
        places.append(tuple(place))
    layout = FaceletLayout(
        faces, tuple(faces.index(face) for face, _ in stickers), {"row": tuple(places)}, (), {}, ()
    )
    names = tuple(f"P{i}" for i in range(len(shown)))
    orbit = Orbit("row", "piece", names, orientations=len(shown[0]), solved=solved)
    constraints = (OrientationSum("row"),) if sums else ()
    return Puzzle(name, "", (orbit,), {}, (), constraints=constraints, layout=layout)


def test_any_of_many() -> None:
    dots = rowed("dots", "AB", ["A"] * 6 + ["B"] * 6, (0,) * 6 + (1,) * 6, sums=False)
    found = [words for words, _ in told(dots, "AAABAAABBABB")]  # seven of A
    assert len(found) == 7
    assert found[0] == "sticker A1: B in place of A"


@pytest.mark.parametrize("count", [12, pytest.param(100, marks=pytest.mark.slow)])
def test_repairs_of_many_pieces_take_a_limited_time(count: int) -> None:
    """A law that is never met is asked about every exchange."""

    def never(puzzle: Puzzle, state: bytes) -> list[str]:
        asked.append(state)
        time.sleep(0.001)
        return ["never"]

    asked: list[bytes] = []
    names = tuple(f"P{i}" for i in range(2 * count))
    orbit = Orbit("dots", "dot", names, solved=(0,) * count + (1,) * count)
    places = tuple((i,) for i in range(2 * count))
    faces = (0,) * count + (1,) * count
    layout = FaceletLayout("AB", faces, {"dots": places}, (), {}, ())
    law = (Law(("dots",), never),)
    dots = Puzzle("dots", "", (orbit,), {}, (), constraints=law, layout=layout)
    assert not inspect(dots, "A" * count + "B" * count).repairs
    assert 0 < len(asked) < 4_000


def test_pieces_that_show_no_turn_would_not_do() -> None:
    row = rowed("row", "ABCDEFG", ["AB", "AC", "AD", "AE", "AF", "AG", "AA"], (*range(7),), True)
    assert row.layout is not None
    state = bytes([1, 0, *range(2, 7), *bytes(7)])
    places = row.layout.places["row"]
    found = told(row, carried(facelets(row, state), places[4]))
    # P4 is the only one flipped, but the puzzle is not solved after that either.
    assert ("flip the piece at P4", places[4]) in found
    assert len([words for words, _ in found if words.startswith("flip")]) == 6


def test_a_sticker_that_never_moves() -> None:
    layout = FaceletLayout("ABC", (0, 1, 2), {"dots": ((0,), (1,))}, (), {}, ())
    dots = Puzzle("fixed", "", (Orbit("dots", "dot", "A B"),), {}, (), layout=layout)
    assert told(dots, "BAX") == [("sticker C1: C in place of X", (2,))]
    exchange = "exchange the stickers B1 (C) and C1 (B)"
    assert told(dots, "ACB") == [(exchange, (1, 2))]
    assert told(dots, "BBA")[0] == (
        "sticker A1: A in place of B, sticker C1: C in place of A",
        (0, 2),
    )


def dodecahedron() -> Puzzle:
    """Twenty corners and thirty edges between twelve faces, without a colour scheme."""
    golden = (1 + 5**0.5) / 2
    faces = [
        normal
        for a, b in product((1, -1), (golden, -golden))
        for normal in ((0, a, b), (a, b, 0), (b, 0, a))
    ]

    def near(*some: int) -> bool:
        return all(
            sum(x * y for x, y in zip(faces[i], faces[j], strict=True)) > 0
            for i, j in combinations(some, 2)
        )

    def clockwise(i: int, j: int, k: int) -> bool:
        (a, b, c), (d, e, f), (g, h, m) = faces[i], faces[j], faces[k]
        return a * (e * m - f * h) + b * (f * g - d * m) + c * (d * h - e * g) < 0

    edges = [each for each in combinations(range(12), 2) if near(*each)]
    corners = [
        (i, j, k) if clockwise(i, j, k) else (i, k, j)
        for i, j, k in combinations(range(12), 3)
        if near(i, j, k)
    ]
    stickers = sorted((face, piece) for piece in [*corners, *edges] for face in piece)
    names = "ABCDEFGHIJKL"
    kinds = {"corners": ("corner", corners), "edges": ("edge", edges)}
    places = {
        name: tuple(tuple(stickers.index((face, piece)) for face in piece) for piece in pieces)
        for name, (_, pieces) in kinds.items()
    }
    layout = FaceletLayout(names, tuple(face for face, _ in stickers), places, (), {}, ())
    orbits = tuple(
        Orbit(
            name,
            kind,
            tuple("".join(names[face] for face in piece) for piece in pieces),
            orientations=len(pieces[0]),
        )
        for name, (kind, pieces) in kinds.items()
    )
    constraints = [each for name in kinds for each in (OrientationSum(name), EvenParity((name,)))]
    return Puzzle("dodecahedron", "", orbits, {}, (), constraints=tuple(constraints), layout=layout)


@pytest.mark.slow
@pytest.mark.parametrize("symbols", ["ABCDEFGHIJKL", "0123456789#$"])
def test_twelve_colours_without_a_scheme(symbols: str) -> None:
    """Trying the faces one by one took two minutes."""
    puzzle = dodecahedron()
    rng = random.Random(12)
    text = facelets(puzzle, random_state(puzzle, rng))
    text = text.translate(str.maketrans("ABCDEFGHIJKL", symbols))
    for _ in range(3):
        i, j = rng.sample(range(len(text)), 2)
        begun = time.process_time()
        painting = proven(puzzle, changed(text, {i: text[j], j: text[i]}))
        assert time.process_time() - begun < 10
        assert text in [repair.stickers for repair in painting.repairs]
    begun = time.process_time()
    inspect(puzzle, "".join(rng.sample(text, len(text))))
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("how", [["--state"], ["-o", "scheme=uvwxyz", "--state"]])
def test_check_offers_repairs(how: list[str]) -> None:
    faces, symbols = "URFDLB", "uvwxyz" if len(how) > 1 else "URFDLB"
    text = ("U" * 16 + "R" * 15 + "U" + "".join(face * 16 for face in "FDLB")).translate(
        str.maketrans(faces, symbols)
    )
    found = CliRunner().invoke(main, ["check", "-p", "cube4", *how, text])
    assert found.exit_code == 3
    first, second = symbols[:2].upper()
    assert found.stderr.splitlines()[-1] == f"repair: sticker R16: {second} in place of {first}"
    assert found.stderr.count("repair:") == 1


@pytest.mark.parametrize(
    ("puzzle", "state"),
    [("cube2", "U" * 24), ("cube2", "U" * 23), ("cube2", ""), ("fifteen", "1 2")],
)
def test_check_offers_nothing_where_more_is_wrong(puzzle: str, state: str) -> None:
    found = CliRunner().invoke(main, ["check", "-p", puzzle, "--state", state])
    assert found.exit_code == 3 and "error: " in found.stderr and "repair" not in found.stderr


def test_check_prints_a_repair_on_a_line_and_in_json() -> None:
    twisted = facelets(PUZZLES["cube2"], bytes([*range(8), 2, *[0] * 7]))
    for more in ([], ["--json"]):
        found = CliRunner().invoke(main, ["check", "-p", "cube2", "--state", twisted, *more])
        assert found.exit_code == 3 and found.stderr.count("\nrepair: turn the corner at ") == 1
    (repair,) = json.loads(found.stdout)["repairs"]
    assert f"repair: {repair}\n" in found.stderr


def test_stickers_are_a_text() -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match="a state by its stickers is a text, not bytes"):
        cube.positions.inspect(cube.puzzle.solved)  # type: ignore[arg-type]
