"""The universal method: it solves every puzzle whose moves are always possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, product
from math import exp, log, prod
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from bundled import COMPILED
from engines import plain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzlekit
import puzzlekit_lab
import puzzlekit_universal.engine  # noqa: F401  (so that its modules are among the installed ones)
from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    Solver,
    UsageError,
)
from puzzlekit.engine.beats import heard_by
from puzzlekit.search.compiled_phase import carry_bytes
from puzzlekit.search.universal import universal_method
from puzzlekit.tables.store import TableStore
from puzzlekit_authoring.engines import installed
from puzzlekit_definitions import parse_definition
from puzzlekit_definitions.groups import log_order_at_least
from puzzlekit_definitions.load import DefinedSolver
from puzzlekit_universal import word_library
from puzzlekit_universal.places import Places
from puzzlekit_universal.stabiliser_chain import StabiliserChain, _cycle_lengths
from puzzlekit_universal.strategy import Universal
from puzzlekit_universal.word_library import WordLibrary

QUICK = Universal(seconds=0.05, effort=3000, starts=2)


def defined(generators: Sequence[Sequence[int]], root: Path) -> DefinedSolver:
    """A puzzle whose moves are permutations of 0 to n - 1."""
    size = len(generators[0])
    lines = [f"Set P {size} 1", "Solved", "P", " ".join(map(str, range(1, size + 1))), "End"]
    for name, images in zip("ABCD", generators, strict=False):
        lines += [f"Move {name}", "P", " ".join(str(i + 1) for i in images), "End"]
    return parse_definition("\n".join(lines), "tws", store=TableStore(str(root)))


def solver_of(known: Solver) -> Solver:
    """The same puzzle with a quick universal method alone."""
    return Solver(known.puzzle, [universal_method(known.puzzle, QUICK)], known.store)


def test_moves_that_hold_a_cube_in_other_ways_permute_no_three_centers() -> None:
    """There are 24 ways; if more than 20 are too many to look at, nothing is known."""
    orbit = Orbit("centers", "center", "U F R B L D")
    turns = {"A": [0, 2, 3, 4, 1, 5], "B": [1, 5, 2, 0, 4, 3], "C": [1, 2, 0, 3, 4, 5]}
    for names, known in (("AB", False), ("ABC", True)):
        effects = {name: (bytes(turns[name]), bytes(6)) for name in names}
        metric = Metric("moves", "moves", dict.fromkeys(names, 1))
        places = Places.of(Puzzle("ways", "", (orbit,), effects, (metric,)), metric)
        assert places.permutes_three(0, 6, 1000) is known
        assert places.permutes_three(0, 6, 20)


@pytest.mark.slow
def test_swaps_that_turn_another_piece_are_no_cycles(tmp_path: Path) -> None:
    """A swaps two pieces and turns the third: not a 3-cycle, though its turns add up to 0."""
    text = """
Set S 3 3
Solved
S
1 2 3
End
Move A
S
2 1 3
0 1 2
End
Move B
S
2 3 1
1 0 1
End
"""
    known = parse_definition(text, "tws", store=TableStore(str(tmp_path)))
    solver = solver_of(known)
    rng = Random(1)
    for _ in range(30):
        labels, turns = rng.sample(range(3), 3), [rng.randrange(3) for _ in range(3)]
        found = solver.solve(bytes([*labels, *turns]), max_nodes=2000)
        assert found.cost >= known.solve(bytes([*labels, *turns])).cost


@pytest.mark.slow
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_any_permutation_puzzle_is_solved(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever the group is: alternating, symmetric, imprimitive, intransitive or small."""
    size = data.draw(st.integers(3, 9))
    identity = list(range(size))
    moved = st.permutations(identity).filter(lambda images: images != identity)
    generators = data.draw(st.lists(moved, min_size=1, max_size=3))
    known = defined(generators, tmp_path_factory.mktemp("tables"))
    puzzle = solver_of(known)
    moves = puzzle.puzzle.family_moves(puzzle.puzzle.turns)
    state = puzzle.state(Random(1).choices(moves, k=40))
    solution = puzzle.solve(state)
    assert solution.verified
    assert puzzle.puzzle.is_solved(puzzle.puzzle.apply(state, puzzle.puzzle.moves(str(solution))))


@pytest.mark.slow
def test_mathieu_group_of_twelve_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No element of M12 moves only three points, so the chain of stabilisers solves it."""
    rotate = [*[(i + 1) % 11 for i in range(11)], 11]
    other = list(range(12))
    for cycle in ((2, 6, 10, 7), (3, 9, 4, 5)):
        for one, next_one in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            other[one] = next_one
    flip = list(range(12))
    for one, next_one in ((0, 11), (1, 10), (2, 5), (3, 7), (4, 8), (6, 9)):
        flip[one], flip[next_one] = next_one, one
    known = defined([rotate, other, flip], tmp_path)
    assert known.reach.order == 95040
    puzzle = solver_of(known)
    for seed in range(3):
        solution = puzzle.solve(known.random_state(seed))
        assert solution.verified and solution.cost < 40
    monkeypatch.delattr(StabiliserChain, "fill")  # the next solver takes the chain from the store
    again = solver_of(defined([rotate, other, flip], tmp_path))
    assert again.solve(known.random_state(0)).verified


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube2", "pyraminx", "skewb", "ivy"])
def test_puzzles_of_plugins_are_solved(name: str) -> None:
    if name not in puzzlekit.available():
        pytest.skip("not installed")
    puzzle = solver_of(puzzlekit.load(name))
    for seed in range(2):
        assert puzzle.solve(puzzle.random_state(seed)).verified


def test_a_build_can_be_ended_while_powers_are_tried() -> None:
    """The powers of all pairs of moves of a 7x7x7 take 0.7 s."""
    heard: list[None] = []
    offered: list[tuple[bytes, int, int]] = []

    class Offered:
        def powers(self, words: bytes, length: int) -> int:
            offered.append((words, length, len(heard)))
            return 1

    words = [bytes([number % 250, 7]) for number in range(450)]
    with heard_by(lambda: heard.append(None)):
        assert word_library._offer_powers(Offered(), words) == 3  # type: ignore[arg-type]
    assert b"".join(each for each, _, _ in offered) == b"".join(words)
    assert [(length, beats) for _, length, beats in offered] == [(2, 1), (2, 2), (2, 3)]


def searched(engine: SimpleNamespace, copies: int) -> list[object]:
    """What an engine finds for a puzzle of six oriented pieces: words, beams and answers.

    There are many copies of the four moves, and words are made of the last ones.
    """
    targets = [1, 2, 3, 0, 4, 5, 3, 0, 1, 2, 4, 5, 0, 1, 2, 4, 5, 3, 0, 1, 2, 5, 3, 4]
    turns = [0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1, 2, 0]
    targets, turns = targets * copies, turns * copies
    inverse = [move ^ 1 for move in range(4 * copies)]
    pairs_of = list(product(range(4 * copies), repeat=2))
    joined = [-2 if i % 4 == j % 4 ^ 1 else -1 for i, j in pairs_of]
    same = [i % 4 // 2 == j % 4 // 2 for i, j in pairs_of]
    moves = engine.Moves([3] * 6, targets, turns, [1, 1, 2, 2] * copies, inverse, joined, same)
    last = range(4 * copies - 4, 4 * copies)
    cycles, twists = 495, 108  # (5^2 + 4^2 + 3^2 + 2^2 + 1) * 3^2 and 6^2 * 3
    words = bytearray(2 * (cycles + twists) * 48 + 1)
    library = engine.Library(moves, [0] * 6, [(0, 6, 3, 0, cycles, 48)], 2, words)
    pairs = bytes(chain(*product(last, repeat=2)))
    found: list[object] = [library.commutators(bytes(last), 1, pairs, 2)]
    found += [library.commutators(pairs, 2, pairs, 2), library.powers(pairs, 2)]
    found += [library.spread(0, cost) for cost in range(4, 12)]
    found += [library.join_cycles(), library.offer(bytes(last[i] for i in (0, 2, 0)))]
    found += [library.near_nothing(pairs, 2, pairs, 2, 5, 20), bytes(words)]
    found += [library.changed(pairs[2 * i : 2 * i + 4]) for i in range(14)]
    labels, spun = [2, 0, 1, 3, 5, 4], [1, 1, 0, 0, 0, 0]
    approach = engine.Approach(moves, labels, spun, list(range(6)), 8, 3)
    while approach.deepen():
        found += [approach.best(5)]
    seeds = engine.Seeds(moves, [0] * 6, 0, 30, 40, 1)
    found += [seeds.search(200), seeds.search(200)]
    pieces = engine.WordPieces(moves, labels, spun, list(range(6)), [0] * 6, [0], [3])
    search = engine.WordSearch(moves, library, pieces, [b"", bytes([last[0]])])
    for _ in range(3):
        found += [search.run(1_000), search.answer, search.work]
    pieces = engine.WordPieces(moves, labels, spun, list(range(6)), [0] * 6, [0], [3])
    found += [engine.WordSearch(moves, library, pieces, [b""]).part(2, 60_000)]
    pieces = engine.WordPieces(moves, labels, spun, list(range(6)), [0] * 6, [0], [3])
    empty = engine.Library(moves, [0] * 6, [(0, 6, 3, 0, cycles, 48)], 2, bytearray(len(words)))
    hopeless = engine.WordSearch(moves, empty, pieces, [b"", bytes([0])])
    assert not hopeless.has_failed
    found += [hopeless.run(10_000), hopeless.work]
    assert hopeless.has_failed and not hopeless.has_answer and not search.has_failed
    for alone in (False, True):
        climb = engine.Climb(
            moves,
            labels,
            spun,
            list(range(6)),
            bytes(last[i] for i in (0, 2, 1, 2, 0, 3)),
            30,
            alone,
        )
        for worth, heat in ((100, 0), (300, 150), (300, 40), (300, 0), (3000, 0)):
            found += [climb.run(worth, 500, heat), climb.work, climb.answer]
            after = [labels, spun]
            for move in climb.answer:
                at, by = [0] * 6, [0] * 6
                for place in range(6):
                    to = targets[6 * move + place]
                    at[to] = after[0][place]
                    by[to] = (after[1][place] + turns[6 * move + place]) % 3
                after = [at, by]
            wrong = [a != place or b > 0 for place, (a, b) in enumerate(zip(*after, strict=True))]
            assert sum(wrong) == climb.left
        assert len(climb.answer) < 6  # it made some steps
    return found


@pytest.mark.slow
def test_what_separation_solves_needs_no_longer_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If a library has room for one word of each key, this ends the preparation sooner."""
    offered = []

    def counted(*given: object) -> int:
        offered.append(given)
        return usual(*given)  # type: ignore[arg-type]

    usual = word_library._offer_powers
    monkeypatch.setattr(word_library, "_offer_powers", counted)
    monkeypatch.setattr(word_library, "_MOST_BYTES", 1)
    puzzle = puzzlekit.load("megaminx").puzzle
    places = Places.of(puzzle, puzzle.metrics[0])
    library = WordLibrary(places, TableStore(str(tmp_path)), 100_000)
    assert len(offered) == 2  # moves and pairs of moves, but no three moves
    covered = {place for block in library.blocks for place in block.places}
    assert covered == set(range(20 + 30))  # the centers stay


def test_chance_chooses_better_words_more_often() -> None:
    """By how much is given by the heat: e times for each `heat` hundredths of a move."""
    engine = installed()
    targets, nothing, same = [1, 2, 0, 2, 0, 1], [0] * 6, b"\1\1\1\1"
    moves = engine.Moves([1] * 3, targets, nothing, [1, 1], [1, 0], [1, -2, -2, 0], same)
    climb = engine.Climb(moves, [1, 2, 0], [0] * 3, [0, 1, 2], b"", 20, True)
    found = Counter[bytes]()
    count = 40_000 if COMPILED else 4_000
    for _ in range(count):
        climb.run(60, 1, 50)
        found[climb.answer] += 1
    weights = {word: exp((180 * (word == b"\0") - 100 * len(word)) / 50) for word in found}
    assert set(weights) == {b"", b"\0", b"\1"}
    for word, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(found[word] / count - share) < 0.015, (word, found, share)


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, 12])
def test_plain_and_compiled_engine_find_the_same(copies: int) -> None:
    """The last of 48 moves have bits that a C int has not."""
    assert searched(plain(), copies) == searched(installed(), copies)


@pytest.mark.parametrize("made", [plain(), installed()])
@pytest.mark.parametrize(("places", "orientations", "most"), [(7, 1, 3), (12, 2, 6), (65, 3, 9)])
def test_commutators_that_change_few_places(
    made: SimpleNamespace, places: int, orientations: int, most: int
) -> None:
    """Those of random cycles, some of which have few places or none in common."""
    rng = Random(places)
    targets, turns, changes = [], [], []
    for _ in range(6):
        cycle = rng.sample(range(places), rng.randint(2, min(places, 6)))
        way = {one: (other, rng.randrange(orientations)) for one, other in pairwise_in(cycle)}
        changes += [way, {to: (one, -by % orientations) for one, (to, by) in way.items()}]
    for way in changes:
        targets += [way.get(place, (place, 0))[0] for place in range(places)]
        turns += [way.get(place, (place, 0))[1] for place in range(places)]
    inverse = [move ^ 1 for move in range(12)]
    given = [orientations] * places, targets, turns, [1] * 12, inverse
    moves = made.Moves(*given, [-1] * 144, [False] * 144)
    library = made.Library(moves, [-1] * places, [], 1, bytearray(1))
    first, second = (list(product(range(12), repeat=length)) for length in (1, 2))
    wanted = []
    for one, other in product(first, second):
        back = [[move ^ 1 for move in reversed(word)] for word in (one, other)]
        word = [*one, *other, *back[0], *back[1]]
        changed = 0
        for place in range(places):
            at, by = place, 0
            for move in word:
                at, turned = changes[move].get(at, (at, 0))
                by += turned
            changed += at != place or by % orientations > 0
        if 0 < changed <= most:
            wanted.append(bytes(word))
    found = library.near_nothing(bytes(chain(*first)), 1, bytes(chain(*second)), 2, most, 2000)
    assert found == wanted and 0 < len(wanted) < len(first) * len(second)


def pairwise_in(cycle: Sequence[int]) -> list[tuple[int, int]]:
    """Each item of a cycle with the next one."""
    return list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def test_short_scrambles_have_short_answers() -> None:
    cube = puzzlekit.load("cube2")
    assert cube.solve("", method="universal").cost == 0
    solution = cube.solve("R2", method="universal")
    assert (solution.cost, solution.optimal) == (1, True)
    assert cube.solve("R U F", method="universal").cost == 3


@pytest.mark.slow
def test_a_limit_within_reach_is_searched_whole() -> None:
    """The search from both ends proves that there is no answer, or finds one."""
    solver, rng = puzzlekit.load("pyraminx"), Random(2)
    puzzle = solver.puzzle
    for _ in range(3 if COMPILED else 1):
        state = puzzle.apply(puzzle.solved, rng.choices(puzzle.family_moves("ULRB"), k=6))
        least = solver.solve(state).cost
        with pytest.raises(puzzlekit.NoSolutionError, match="no solution of at most"):
            solver.solve(state, method="universal", max_length=least - 1)
        found = solver.solve(state, method="universal", max_length=least)
        assert (found.cost, found.optimal) == (least, True)


@pytest.mark.slow
def test_moves_that_cost_nothing_are_no_obstacle() -> None:
    ring = Orbit("ring", "bead", "A B C D E")
    turns = {"S": (bytes([1, 0, 2, 3, 4]), bytes(5)), "T": (bytes([4, 0, 1, 2, 3]), bytes(5))}
    free = Metric("S", "swaps", {"S": 1, "T": 0})
    puzzle = Puzzle("free", "Free", (ring,), turns, (free,))
    solver = Solver(puzzle, [universal_method(puzzle)])
    assert solver.solve("S T S T2 S T").verified


def test_the_method_is_found_by_name_only() -> None:
    cube = puzzlekit.load("cube2")
    assert "universal" not in [method.name for method in cube.methods]
    assert cube.method("universal").name == "universal"


def test_threads_and_limits() -> None:
    puzzle = solver_of(puzzlekit.load("cube2"))
    state = puzzle.random_state(3)
    assert puzzle.solve(state, threads=2, max_nodes=30_000).verified
    first = puzzle.solve(state, max_nodes=30_000)
    assert str(first) == str(puzzle.solve(state, max_nodes=30_000))


def test_moves_that_are_not_always_possible_are_refused() -> None:
    with pytest.raises(DeclarationError, match="has no universal method"):
        universal_method(puzzlekit.load("eight").puzzle)


def test_a_phase_without_coordinates_needs_the_strategy() -> None:
    phase = Phase("solve", "solved", "U", (), ())
    with pytest.raises(DeclarationError, match="each phase needs a coordinate"):
        Method("wrong", "", (phase,))
    for wrong in (Universal(seconds=-1), Universal(effort=0), Universal(starts=0)):
        with pytest.raises(DeclarationError, match="must be"):
            Method("wrong", "", (phase,), wrong)


@pytest.mark.slow
def test_states_of_more_than_256_numbers(tmp_path: Path) -> None:
    # Seven sets of 20 places with 2 orientations: 280 numbers. Each move turns a cycle, in some
    # sets backwards. (Sets with the same cycles would be stickers of the same pieces.)
    names = [f"X{i}_" for i in range(7)]
    solved = [line for name in names for line in (name, " ".join(map(str, range(1, 21))))]
    lines = [*(f"Set {name} 20 2" for name in names), "Solved", *solved, "End"]
    for number, move in enumerate("ABCD"):
        lines.append(f"Move {move}")
        own = [(5 * number + i) % 20 for i in range(6)]
        for k, name in enumerate(names):
            source = list(range(1, 21))
            for pair in zip(own, own[1:] + own[:1], strict=True):
                one, other = pair[::-1] if k >> number & 1 else pair
                source[one] = other + 1
            turned = [str(int(place == own[0])) for place in range(20)]
            lines += [name, " ".join(map(str, source)), " ".join(turned)]
        lines.append("End")
    solver = parse_definition("\n".join(lines), "tws", store=TableStore(str(tmp_path)))
    puzzle = solver.puzzle
    assert len(puzzle.solved) == 280
    moves = puzzle.moves("A B2 C' D A")
    state = puzzle.apply(puzzle.solved, moves)
    expected = list(puzzle.solved)
    for move in moves:
        expected = [
            (expected[j] + more) % (modulus or 256)
            for j, more, modulus in zip(move.gather, move.add, puzzle.modulus, strict=True)
        ]
    assert list(state) == expected
    assert puzzle.apply(state, puzzle.undo(moves)) == puzzle.solved
    assert solver.positions.from_written(solver.positions.written(state)) == state
    quick = Solver(puzzle, [universal_method(puzzle, QUICK)], solver.store)
    assert str(quick.solve("A B2 C'")) == "C B2' A'"
    with pytest.raises(DeclarationError, match="would carry 280 bytes of a state"):
        carry_bytes(puzzle, moves, range(280))


@pytest.mark.slow
def test_orbits_of_more_than_128_places(tmp_path: Path) -> None:
    cycle = [*range(1, 130), 0]
    swaps = [2, 0, 1, *range(3, 130)]
    solver = defined([cycle, swaps], tmp_path)
    quick = solver_of(solver)
    assert [method.name for method in solver.methods] == ["universal"]
    assert str(quick.solve("A3 B A'")) == "A B' A3'"
    with pytest.raises(DeclarationError, match="coordinates take at most 128 places"):
        assert Permutation("all", solver.puzzle, "P").identity


def test_states_cannot_be_counted_without_coordinates() -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(UsageError, match="the method has no coordinates, so its states cannot be"):
        puzzlekit_lab.distribution(cube, method="universal")


@pytest.mark.slow
def test_orbits_that_powers_move_alone() -> None:
    """Two moves of order 3 turn alternating groups of 5, 7, 7 and 9 pieces at the same time.

    Powers of random words move one of these groups alone. Without them, the words take 400 moves.
    """
    rng = Random(4)
    left: list[int] = []
    right: list[int] = []
    for size, moved in ((5, 3), (7, 6), (7, 6), (9, 6)):
        for images in (left, right):
            start, points = len(images), rng.sample(range(size), moved)
            own = list(range(size))
            for i in range(0, moved, 3):
                a, b, c = points[i : i + 3]
                own[a], own[b], own[c] = b, c, a
            images += [start + each for each in own]
    moves = [left, [left[i] for i in left], right, [right[i] for i in right]]
    chain = StabiliserChain(moves, [1] * 4, [1, 0, 3, 2], lambda word: word, range(28))
    chain.fill(300, lambda share: None)
    words = [[chain.entry(base, point) for point in range(28)] for base in chain.base]
    known = [[word for word in level if word is not None] for level in words]
    assert log(prod(map(len, known))) == pytest.approx(log_order_at_least([left, right]))
    assert max(len(word) for level in known for word in level) < 300


def test_moves_of_large_order() -> None:
    """The first move has cycles of the first primes, so it has order 6,469,693,230.

    Its powers are not listed one by one.
    """
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
    move: list[int] = []
    for prime in primes:
        start = len(move)
        move += [start + (i + 1) % prime for i in range(prime)]
    turn = [(i + 1) % len(move) for i in range(len(move))]
    moves = []
    for image in (move, turn):
        moves += [image, [image.index(i) for i in range(len(image))]]
    chain = StabiliserChain(moves, [1] * 4, [1, 0, 3, 2], lambda word: word, range(len(move)))
    assert [word for _, word in chain._powers(b"\0", 1000)] == [b"\0"]  # it has one orbit
    assert sorted(_cycle_lengths(move, range(len(move)))) == list(primes)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("cube2", 7), ("pyraminx", 7)])
def test_what_is_near_is_solved_shortly_and_proven(name: str, moves: int) -> None:
    solver, rng = puzzlekit.load(name), Random(6)
    puzzle, lengths = solver.puzzle, []
    turns = puzzle.family_moves([each for each in puzzle.turns if each not in puzzle.rotations])
    for _ in range(6 if COMPILED else 1):
        state = puzzle.apply(puzzle.solved, rng.choices(turns, k=moves))
        found = solver.solve(state, method="universal")
        best = solver.solve(state, method="optimal").cost
        assert found.verified and (found.cost, found.optimal) == (best, True)
        lengths.append(best)
    assert max(lengths) > 4
