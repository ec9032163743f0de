"""The Square-1: its shapes, shortest answers in slashes and twists, and states as pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random

import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import NoSolutionError, NotationError, StateError
from puzzlekit.cli import main
from puzzlekit.engine.fill import COMPILED
from puzzlekit.search.scrambling import random_moves
from puzzlekit_square1 import EDGES, PLACES
from puzzlekit_square1.graph import ORDERS, distances, graph, order, order_parts, solved_orders
from puzzlekit_square1.pieces import cut_shapes
from puzzlekit_square1.words import in_words

SQUARE = puzzlekit.load("square1")
PUZZLE = SQUARE.puzzle

# States up to turns of the layers, by slashes: M. Masonjones, 2005. They are 15!/3.
BY_SLASHES = (
    1, 64, 1153, 17050, 235144, 3091458, 38893230, 452031138, 4459167504, 33671064770,
    149502310936, 183662070768, 63945120032, 157452752,
)  # fmt: skip
# States that can be cut, by twists: S. Chen, 2017. There are 3678 * 8! * 8! * 2, at most 31 away.
BY_TWISTS = (1, 15, 69, 212, 1141, 3933, 14029)
compiled = pytest.mark.skipif(not COMPILED, reason="an interpreted search takes minutes")


def test_published_numbers_of_shapes() -> None:
    assert len(graph().shapes) == 170
    assert len(cut_shapes()) == 3678
    assert 3678 * ORDERS * ORDERS * 2 == 11_958_666_854_400


def test_words_say_which_way_a_layer_turns() -> None:
    def told(text: str) -> list[str]:
        return [in_words(move, b"", "en") for move in PUZZLE.moves(text)]

    top, bottom = "top layer, 30° clockwise", "bottom layer, 30° clockwise as seen from below"
    assert told("(1,1)/(-3,6)") == [
        top,
        bottom,
        "right half, half a turn",
        "top layer, 90° counter-clockwise",
        "bottom layer, 180° clockwise as seen from below",
    ]
    # The places of a layer are clockwise as seen from outside.
    for text, start in (("(1,0)", 0), ("(0,1)", 12)):
        turned = PUZZLE.apply(PUZZLE.solved, PUZZLE.moves(text))
        assert turned[start + 1 : start + 12] == PUZZLE.solved[start : start + 11]


def test_moves_change_the_shape() -> None:
    assert PUZZLE.text(PUZZLE.moves("(1,0) / (3, -3) /")) == "(1,0)/(3,-3)/"
    found = {text: SQUARE.positions.to_facelets(SQUARE.state(text)) for text in ("/", "(1,0)")}
    assert found == {"/": "A1B25E6FC3D47G8H/", "(1,0)": "4A1B2C3D5E6F7G8H-"}
    with pytest.raises(NotationError, match=r"move 2, /, is not possible: it would part B and b"):
        SQUARE.state("(2,0)/")
    assert SQUARE.state("(1,0)/(3,-3)/(0,3)/") != SQUARE.state("/(0,-3)/(-3,3)/(-1,0)")


def near(cost: str, longest: int) -> Iterator[set[bytes]]:
    """Yield the states that can be cut at each distance, breadth first, by moves of the puzzle."""
    turns = [PUZZLE.move(family, hours) for family in "UD" for hours in range(1, 12)]
    slash = PUZZLE.move("/")

    def can_be_cut(state: bytes) -> bool:
        return not PUZZLE.obstacle(state, slash)

    level = {PUZZLE.solved}
    seen = {PUZZLE.solved}
    for _ in range(longest + 1):
        yield level
        after = set[bytes]()
        for state in level:
            for move in (*turns, slash):
                if move is not slash or can_be_cut(state):
                    after.add(PUZZLE.apply(state, [move]))
        level = {state for state in after if can_be_cut(state)} - seen
        seen |= level


def test_published_numbers_of_states_by_twists() -> None:
    assert tuple(map(len, near("TWISTS", 3))) == BY_TWISTS[:4]


@pytest.mark.slow
def test_more_published_numbers_of_states_by_twists() -> None:
    assert tuple(map(len, near("TWISTS", 5))) == BY_TWISTS[:6]


@pytest.mark.slow
def test_published_numbers_of_states_by_slashes() -> None:
    """Breadth first over shapes and orders, each up to the turns that keep the shape."""
    assert sum(BY_SLASHES) == 435_891_456_000

    def after(pieces: tuple[int, ...], slots: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(pieces[slot] for slot in slots)

    def least(shape: int, corners: tuple[int, ...], edges: tuple[int, ...], middle: int) -> object:
        turned = (
            (after(corners, each.corners), after(edges, each.edges))
            for each in graph().turns[shape]
        )
        return shape, *min(turned), middle

    _, solved = min((order, each) for each in solved_orders())
    corners, edges = (tuple(each >> 4 * k & 15 for k in range(8)) for each in solved[:2])
    level = {least(0, corners, edges, 0)}
    seen, counts = set(level), [1]
    for _ in range(3):
        found = set()
        for shape, own, other, middle in level:  # type: ignore[misc]
            for each in graph().slices[shape]:
                moved = after(own, each.corners), after(other, each.edges)
                found.add(least(each.target, *moved, 1 - middle))
        level = found - seen
        seen |= level
        counts.append(len(level))
    assert tuple(counts) == BY_SLASHES[:4]


def test_numbers_of_orders() -> None:
    first, last = order_parts()
    for number, pieces in enumerate(permutations(range(8))):
        whole = order(pieces)
        assert first[whole & 65535] * 24 + last[whole >> 16] == number
    assert len(solved_orders()) == 16


@pytest.mark.slow
def test_tables_have_the_least_slashes() -> None:
    """From each entry, the nearest slice leads exactly one level down."""
    fewest = distances("c").reshape(-1, ORDERS)
    first, last = order_parts()
    rng = Random(3)
    for _ in range(300):
        shape, number = rng.randrange(170), rng.randrange(ORDERS)
        pieces = next(p for k, p in enumerate(permutations(range(8))) if k == number)
        below = []
        for each in graph().slices[shape]:
            whole = order([pieces[slot] for slot in each.corners])
            below.append(fewest[each.target, first[whole & 65535] * 24 + last[whole >> 16]])
        here = fewest[shape, number]
        assert here == 0 or min(below) == here - 1
        assert max(below) <= here + 1


@cache
def walked(slashes: int, seed: int) -> bytes:
    """A state after some random slashes, with turns before each."""
    rng = Random(f"{slashes} {seed}")
    state = PUZZLE.solved
    while slashes:
        turn = PUZZLE.moves(f"({rng.randrange(12)},{rng.randrange(12)})")
        there = PUZZLE.apply(state, turn)
        if not PUZZLE.obstacle(there, PUZZLE.move("/")):
            state = PUZZLE.apply(there, [PUZZLE.move("/")])
            slashes -= 1
    return state


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["SLASHES", "TWISTS"])
@pytest.mark.parametrize("slashes", [1, 2, 3])
def test_near_states_have_short_answers(metric: str, slashes: int) -> None:
    for seed in range(4):
        state = walked(slashes, seed)
        solution = SQUARE.solve(state, metric=metric)
        assert solution.optimal and PUZZLE.apply(state, solution.sequence) == PUZZLE.solved
        assert solution.lengths["SLASHES"] <= slashes or metric == "TWISTS"
        assert solution.cost <= (slashes if metric == "SLASHES" else 3 * slashes)


@pytest.mark.slow
def test_answers_in_twists_agree_with_breadth_first_search() -> None:
    """States of up to 4 twists that can be cut have answers of just as many."""
    rng = Random(1)
    for distance, states in enumerate(near("TWISTS", 4)):
        for state in rng.sample(sorted(states), min(6, len(states))):
            assert SQUARE.solve(state, metric="TWISTS").cost == distance


@pytest.mark.slow
def test_turns_alone_cost_no_slash() -> None:
    solution = SQUARE.solve("(1,-4)")
    assert (str(solution), solution.cost, solution.lengths["TWISTS"]) == ("(-1,4)", 0, 2)
    assert SQUARE.solve(PUZZLE.solved).length == 0
    assert SQUARE.solve("(2,0)", metric="TWISTS").cost == 1  # this state cannot be cut


@compiled
@pytest.mark.slow
def test_random_states_are_distributed_as_published() -> None:
    """Mean of 40 random states: 10.6 slashes, as all states have (10.615), and none above 13."""
    rng = Random(2)
    found = Counter(SQUARE.solve(SQUARE.random_state(rng)).cost for _ in range(40))
    mean = sum(cost * count for cost, count in found.items()) / 40
    published = sum(cost * count for cost, count in enumerate(BY_SLASHES)) / sum(BY_SLASHES)
    assert abs(published - 10.615) < 0.001
    assert abs(mean - published) < 0.45 and max(found) <= 13


@compiled
@pytest.mark.slow
def test_a_random_state_in_twists() -> None:
    state = SQUARE.state("B41C87AD62EH5GF3/")
    solution = SQUARE.solve(state, metric="TWISTS")
    assert solution.optimal and solution.cost == 24
    assert PUZZLE.apply(state, solution.sequence) == PUZZLE.solved


@pytest.mark.slow
@compiled
def test_limits_are_kept() -> None:
    state = SQUARE.state("B41C87AD62EH5GF3/")
    with pytest.raises(NoSolutionError):
        SQUARE.solve(state, max_length=10)
    with pytest.raises(NoSolutionError):
        SQUARE.solve(state, max_nodes=1000)
    assert SQUARE.solve(state, max_length=11).cost == 11


def test_states_are_pieces() -> None:
    for seed in range(30):
        state = SQUARE.random_state(seed)
        text = SQUARE.positions.to_facelets(state)
        assert SQUARE.state(text) == state and len(text) == 17
        turned = PUZZLE.apply(state, PUZZLE.moves("(2,-1)"))
        assert SQUARE.state(SQUARE.positions.to_facelets(turned)) == turned
    assert SQUARE.positions.to_facelets(SQUARE.state("(-1,0)")) == "a1B2C3D4A5E6F7G8H-"
    assert SQUARE.state("A1B2C3D4 5E6F7G8H") == PUZZLE.solved


def test_random_states_can_be_cut_and_have_every_shape() -> None:
    rng = Random(1)
    seen = Counter()
    for _ in range(400):
        state = SQUARE.random_state(rng)
        assert not PUZZLE.obstacle(state, PUZZLE.move("/"))
        edges = sum(PLACES.split()[label] in EDGES for label in state[:12])
        seen[edges, state[25]] += 1
    assert {(edges, middle) for edges in (2, 4, 6) for middle in (0, 1)} <= seen.keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AA1B2C3D45E6F7G8", "corner A is there 2 times"),
        ("A1B2C3D45E6F7G8", "corner H is missing"),
        ("A1B2C345DE6F7G8H", "corner D does not fit into the top layer"),
        ("A1B2C3D45E6F7G8I", "'I' is not a piece: use A to H for corners"),
        ("A1B2C3Da45E6F7G8H", "a is half a corner, which only begins a layer"),
        ("123456A78BCDEFGHA", "corner A is there 2 times"),
    ],
)
def test_wrong_pieces_are_named(text: str, said: str) -> None:
    with pytest.raises(StateError, match=said):
        SQUARE.positions.from_facelets(text)


def test_a_corner_in_two_parts_is_a_fault() -> None:
    broken = bytearray(PUZZLE.solved)
    broken[1], broken[2] = broken[2], broken[1]
    with pytest.raises(StateError, match="the halves of corner A are not beside each other"):
        SQUARE.solve(bytes(broken))


@pytest.mark.parametrize(
    "text",
    [
        "1,0/-3,3/0,2/",
        "1,0 / -3,3 / 0,2 /",
        "1 0 / -3 3 / 0 2 /",
        "10/-33/02/",
        "(1,0)/-3,3/(0,2)/",
        "1, 0/\u22123, 3/0, 2/",
    ],
)
def test_scrambles_without_parentheses_are_read(text: str) -> None:
    assert SQUARE.state(text) == SQUARE.state("(1,0)/(-3,3)/(0,2)/")


@pytest.mark.parametrize("text", ["1/3", "1,0,3/", "1 0 3 3/", "/1", "(1,0)/103/"])
def test_numbers_that_are_no_pairs_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"moves are \(x,y\) or x,y"):
        SQUARE.state(text)


@pytest.mark.slow
def test_the_scramble_of_a_random_state_is_written_in_pairs() -> None:
    said = CliRunner().invoke(main, ["solve", "-p", "square1", "--random", "--seed", "3"]).output
    scramble = said.partition("scramble  ")[2].splitlines()[0]
    assert scramble == PUZZLE.text(PUZZLE.moves(scramble))


@pytest.mark.parametrize("seed", range(10))
def test_random_moves_slice_after_every_turn_of_the_layers(seed: int) -> None:
    moves = SQUARE.puzzle.moves(" ".join(random_moves(SQUARE, Random(seed), 40)))
    assert len(moves) == 40 and not PUZZLE.is_solved(PUZZLE.apply(PUZZLE.solved, moves))
    assert 40 // 3 <= sum(move.family == "/" for move in moves) <= 20
    written = PUZZLE.text(moves)
    assert ")(" not in written and "//" not in written
