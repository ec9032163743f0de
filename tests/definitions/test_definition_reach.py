"""Which states of an imported puzzle can be reached: sums, parities, and the group of the moves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

import pytest
from definition_texts import as_tws, text_state
from engines import plain

import puzzlekit
import puzzlekit_lab
from puzzlekit import StateError, TableStore, UsageError
from puzzlekit_definitions import DefinedSolver, parse_definition, reach
from puzzlekit_definitions.phases import Lattice
from puzzlekit_lab.group_space import GroupSpace, PackedGroupSpace

EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"
MEMORY = 5_000_000


def cube(*families: str, store: TableStore | None = None) -> DefinedSolver:
    text = as_tws(puzzlekit.load("cube3").puzzle, families or ["U", "R", "F", "D", "L", "B"])
    return parse_definition(text, "tws", memory=MEMORY, store=store)


def every_state(solver: DefinedSolver) -> set[bytes]:
    """All states that the moves make of the solved one, one by one."""
    puzzle = solver.puzzle
    moves = puzzle.family_moves(puzzle.turns)
    found = {puzzle.solved}
    fresh = [puzzle.solved]
    for state in fresh:
        for move in moves:
            after = puzzle.apply(state, [move])
            if after not in found:
                found.add(after)
                fresh.append(after)
    return found


def written(solver: DefinedSolver, **changed: str) -> bytes:
    """The solved state but for some lines: of a set the pieces, or with _ before it the turns."""
    lines = solver.positions.written(solver.puzzle.solved).split("\n")
    for name, numbers in changed.items():
        lines[lines.index(name.strip("_")) + (2 if name.startswith("_") else 1)] = numbers
    return solver.positions.from_written("\n".join(lines))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"_corners": "0 0 1 0 0 0 0 0"}, "corner 3 is twisted clockwise"),
        ({"_edges": "0 0 0 0 0 0 0 0 0 0 0 1"}, "edge 12 is flipped"),
        (
            {"edges": "2 1 3 4 5 6 7 8 9 10 11 12"},
            "parity: two corners or two edges are exchanged",
        ),
        ({"centers": "2 1 3 4 5 6"}, "center 2 is at 1, where no move brings it"),
    ],
)
def test_faults_of_an_imported_cube(changed: dict[str, str], fault: str) -> None:
    with pytest.raises(StateError) as failure:
        written(cube(), **changed)
    assert failure.value.faults[0] == fault


def test_what_only_the_group_tells() -> None:
    """U and R2 turn the corners as no sum or parity says: 14,400 positions are less than half."""
    solver = cube("U", "R")
    text = as_tws(puzzlekit.load("cube3").puzzle, ["U", "R"])
    squared = parse_definition(_with_half_turn(text), "tws", memory=MEMORY)
    assert list(squared.puzzle.turns) == ["U", "R2"]
    reachable = every_state(squared)
    assert len(reachable) == 14_400 == squared.reach.order
    assert not squared.reach.is_complete and squared.reach.is_known
    assert solver.reach.order == 73_483_200
    rng = Random(1)
    tested = Counter()
    for state in _allowed(squared, rng, 300):
        fault = squared.reach.fault(state)
        assert (fault == "") == (state in reachable)
        tested[bool(fault)] += 1
    assert min(tested[True], tested[False]) > 5
    with pytest.raises(StateError, match="not among the 14,400 reachable states"):
        squared.solve(next(s for s in _allowed(squared, rng, 300) if s not in reachable))


def _with_half_turn(text: str) -> str:
    """The definition with R2 in place of R."""
    before, _, move = text.partition("Move R\n")
    lines = move.split("\n")
    for i, line in enumerate(lines[:-2]):
        if line.strip()[:1].isalpha() and lines[i + 1][:1].isdigit():
            source = [int(number) - 1 for number in lines[i + 1].split()]
            lines[i + 1] = " ".join(str(source[source[j]] + 1) for j in range(len(source)))
            if lines[i + 2][:1].isdigit():
                turns = [int(number) for number in lines[i + 2].split()]
                modulus = 3 if line == "corners" else 2
                twice = [0] * len(turns)
                for place, j in enumerate(source):
                    twice[source[j]] = (turns[source[j]] + turns[j]) % modulus
                    assert place >= 0
                lines[i + 2] = " ".join(map(str, twice))
    return before + "Move R2\n" + "\n".join(lines)


def _allowed(solver: DefinedSolver, rng: Random, count: int) -> list[bytes]:
    """States with sums and parities that are right, half of them reached by moves."""
    puzzle = solver.puzzle
    found = []
    while len(found) < count:
        state = b""
        for orbit in puzzle.orbits:
            labels = list(orbit.solved)
            rng.shuffle(labels)
            state += bytes(labels) + bytes(orbit.width - orbit.size)
        if not solver.built.invariants.fault(solver.built.unpack(state)):
            found.append(state)
        moves = rng.choices(puzzle.family_moves(puzzle.turns), k=30)
        found.append(puzzle.apply(puzzle.solved, moves))
    return found


# Two orbits and a center that is turned with the first: its turns go with the parity.
LINKED = """
Set EDGES 3 2
Set CENTER 1 4
Set OTHER 3 1
Solved
EDGES
1 2 3
CENTER
1
OTHER
1 2 3
End
Move A
EDGES
2 1 3
1 0 0
CENTER
1
1
End
Move B
EDGES
1 3 2
0 0 0
CENTER
1
3
OTHER
2 3 1
End
"""
# Pieces that are permuted evenly, some with orientations that matter: an orbit of stickers.
STICKERS = """
Set RING 4 2
Solved
RING
1 2 3 4
? 0 ? 0
End
Move A
RING
2 3 1 4
0 0 0 0
End
Move B
RING
1 3 4 2
0 0 1 1
End
"""
ALIKE = LINKED.replace("EDGES\n1 2 3\nCENTER", "EDGES\n1 1 3\nCENTER")


@pytest.mark.slow
@pytest.mark.parametrize("text", [LINKED, ALIKE, LINKED.replace("1\n1\nEnd", "1\n2\nEnd")])
def test_every_state_is_told_right(text: str) -> None:
    """Against all states that moves make, one by one: what is told is right, and complete here."""
    solver = parse_definition(text, "tws", memory=MEMORY)
    reachable = every_state(solver)
    sizes = [(orbit.solved, orbit.orientations) for orbit in solver.puzzle.orbits]
    parts = [
        {
            bytes(labels) + (bytes(turns) if m > 1 else b"")
            for labels in permutations(solved)
            for turns in product(range(m), repeat=len(solved) if m > 1 else 0)
        }
        for solved, m in sizes
    ]
    told = {
        state
        for state in map(b"".join, product(*parts))
        if not puzzlekit.puzzle.diagnose.diagnose(solver.puzzle, state)
    }
    assert solver.reach.is_known
    assert told == reachable
    rng = Random(3)
    drawn = Counter(solver.random_state(rng) for _ in range(20 * len(reachable)))
    assert set(drawn) == reachable
    # 20 expected of each: eight standard deviations of the sum of squares are never met.
    n = len(reachable)
    squares = sum((count - 20) ** 2 / 20 for count in drawn.values())
    assert abs(squares - n) < 8 * (2 * n) ** 0.5


@pytest.mark.parametrize("turns", ["0 0 1 1", "0 0 0 0"])
def test_stickers_that_can_be_reached(turns: str) -> None:
    """Those that trade no places with others too: no state is refused that moves lead to."""
    solver = parse_definition(STICKERS.replace("0 0 1 1", turns), "tws", memory=MEMORY)
    reachable = every_state(solver)
    told = set()
    for pieces in permutations((1, 2, 3, 4)):
        for second, fourth in product("01", repeat=2):
            words = {1: "?", 2: second, 3: "?", 4: fourth}
            text = f"RING\n{' '.join(map(str, pieces))}\n{' '.join(words[each] for each in pieces)}"
            try:
                told.add(solver.positions.from_written(text))
            except StateError:
                continue
    assert told >= reachable
    assert told == reachable or not solver.reach.is_known
    for state in sorted(told)[::5]:
        if state in reachable:
            assert solver.solve(state).optimal
        else:
            with pytest.raises(puzzlekit.NoSolutionError):
                solver.solve(state, max_nodes=10_000)


def test_what_does_not_fit_together_is_named() -> None:
    solver = parse_definition(LINKED, "tws", memory=MEMORY)
    with pytest.raises(StateError) as failure:
        solver.positions.from_written("EDGES\n1 2 3\n0 0 0\nCENTER\n1\n1\nOTHER\n1 2 3")
    (fault,) = failure.value.faults
    assert "the orientations of the centers" in fault and "do not fit together" in fault


def test_a_group_that_is_too_large_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "_MOST_POINTS", 10)
    solver = cube("U", "R")
    assert solver.reach.order == 0 and not solver.reach.is_known
    assert "is unknown" in "\n".join(solver.explanation)
    assert solver.random_state(1) == cube("U", "R").random_state(1) != solver.random_state(2)
    assert solver.reach.fault(solver.random_state(3)) == ""


def test_lattices() -> None:
    lattice = Lattice([[2, 1, 0], [0, 3, 1]], [4, 6, 2])
    members = {
        (2 * a + 4 * d, a + 3 * b + 6 * e, b + 2 * f)
        for a, b, d, e, f in product(range(-4, 5), repeat=5)
    }
    box = set(product(range(4), range(6), range(2)))
    assert {vector for vector in box if list(vector) in lattice} == members & box
    assert lattice.index * len(members & box) == len(box)


@pytest.mark.slow
def test_the_second_time_nothing_slow_is_imported(tmp_path: Path) -> None:
    """That sums and parities tell all is known from the first time on; so are the tables."""
    code = f"""
import json, sys
import puzzlekit_definitions
solver = puzzlekit_definitions.load_definition({str(EXAMPLES / "pyraminx.tws")!r})
state = solver.positions.from_written("EDGES\\n2 1 3 4 6 5\\n0 0 0 0 0 0")
json.dump([solver.solve(state).length, sorted(sys.modules)], sys.stdout)
"""
    environment = {**os.environ, "PUZZLEKIT_CACHE": str(tmp_path)}
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        seen.append(json.loads(done.stdout))
    (length, first), (again, second) = seen
    assert length == again > 0
    assert "numpy" in first  # for the order of the group
    assert "sympy" not in first  # only needed if the group is smaller than sums and parities allow
    assert not {"sympy", "numpy", "rich", "filelock"} & set(second)


def test_random_states_of_an_imported_cube() -> None:
    solver = cube()
    state = solver.random_state(7)
    assert solver.random_state(7) == state != solver.random_state(8)
    assert puzzlekit.puzzle.diagnose.diagnose(solver.puzzle, state) == []
    plugin = puzzlekit.load("cube3")
    moved = plugin.state("R U F2 D' L")
    assert solver.positions.from_written(text_state(plugin.puzzle, moved)) == solver.state(
        "R U F2 D' L"
    )


def mathieu_11(pieces: Sequence[int] = range(1, 12)) -> str:
    """A puzzle of 11 pieces with 7,920 states: the smallest Mathieu group."""
    cycle = " ".join(map(str, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]))
    other = " ".join(map(str, [1, 2, 7, 10, 6, 4, 11, 3, 9, 5, 8]))
    numbers = " ".join(map(str, pieces))
    moves = f"Move A\nP\n{cycle}\nEnd\nMove B\nP\n{other}\nEnd\n"
    return f"Name M11\nSet P 11 1\nSolved\nP\n{numbers}\nEnd\n{moves}"


# M11 is sharply transitive on sequences of four pieces: 8 of its elements leave three pieces in
# place, and 72 leave two pieces in place.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("pieces", "solved"),
    [
        (range(1, 12), 1),
        ([1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4], 8),
        ([1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3], 72),
    ],
)
@pytest.mark.parametrize(
    ("metric", "kind"),
    [("moves", GroupSpace), ("turns", GroupSpace), ("moves", PackedGroupSpace)],
)
def test_states_are_counted_by_the_group(
    metric: str,
    kind: type[GroupSpace] | type[PackedGroupSpace],
    pieces: Sequence[int],
    solved: int,
) -> None:
    solver = parse_definition(mathieu_11(pieces), "tws")
    puzzle = solver.puzzle
    moves = puzzle.family_moves(puzzle.turns)
    costs = [puzzle.metric(metric).cost(move) for move in moves]
    distance = {puzzle.solved: 0}
    levels = [[puzzle.solved]]
    for depth, level in enumerate(levels):  # grows during the loop
        for state in level:
            if distance[state] < depth:
                continue
            for move, cost in zip(moves, costs, strict=True):
                reached = puzzle.apply(state, [move])
                if distance.get(reached, 99) > depth + cost:
                    distance[reached] = depth + cost
                    while len(levels) <= depth + cost:
                        levels.append([])
                    levels[depth + cost].append(reached)
    expected = Counter(distance.values())
    method = solver.methods[0]
    needs = solver.chooser.plan(method, solver.metric(method.name, metric)).resolved(
        method.phases[0]
    )
    levels_of_group = solver.positions.stabiliser_levels()
    assert levels_of_group is not None and levels_of_group.order == 7920
    assert len(levels_of_group.solved) == solved
    numbers = range(len(needs.moves))
    assert PackedGroupSpace.suits(levels_of_group, needs, numbers) == (metric == "moves")
    found = kind(levels_of_group, needs, numbers, memory=10_000)
    assert found.counts() == [expected[depth] for depth in range(len(expected))]
    reached = puzzle.apply(puzzle.solved, found.farthest())
    assert distance[reached] == len(expected) - 1
    with pytest.raises(UsageError, match="its moves generate 7,920 permutations; their dist"):
        kind(levels_of_group, needs, numbers, memory=1_000)


def dino() -> str:
    """The Dino cube: a turn of a corner cycles its three edges, which have no orientations."""
    corners = list(product((-1, 1), repeat=3))
    edges = [*combinations(range(8), 2)]
    edges = [(a, b) for a, b in edges if sum(map(int.__ne__, corners[a], corners[b])) == 1]
    lines = ["Set E 12 1", "Solved", "E", " ".join(map(str, range(1, 13))), "End"]
    for corner in range(8):
        own = [number for number, edge in enumerate(edges) if corner in edge]
        after = list(range(1, 13))
        for one, other in zip(own, own[1:] + own[:1], strict=True):
            after[one] = other + 1
        lines += [f"Move {'ABCDEFGH'[corner]}", "E", " ".join(map(str, after)), "End"]
    return "\n".join(lines)


@pytest.mark.long
def test_the_published_counts_of_the_dino_cube() -> None:
    """T. Rokicki, twsearch-results, godsnumber/dino-g2.log."""
    found = puzzlekit_lab.distribution(parse_definition(dino(), "tws"))
    assert found.states == (
        *(1, 16, 160, 1408, 11712, 90912, 644756, 4070826, 21433009, 76410122, 109897795),
        *(26611502, 328215, 366),
    )


def test_the_engine_as_plain_python_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The alternating group of five pieces, from two cycles of three."""
    text = "Set P 5 1\nSolved\nP\n1 2 3 4 5\nEnd\n"
    text += "Move A\nP\n2 3 1 4 5\nEnd\nMove B\nP\n1 2 4 5 3\nEnd\n"
    solver = parse_definition(text, "tws")
    needs = solver.chooser.plan(solver.methods[0], solver.puzzle.metric("moves")).resolved(
        solver.methods[0].phases[0]
    )
    levels = solver.positions.stabiliser_levels()
    assert levels is not None
    compiled = PackedGroupSpace(levels, needs, range(len(needs.moves)), memory=1000)
    name = "puzzlekit_lab.group_space.GroupFill"
    monkeypatch.setattr(name, plain().GroupFill)
    interpreted = PackedGroupSpace(levels, needs, range(len(needs.moves)), memory=1000)
    assert compiled.counts() == interpreted.counts() == [1, 4, 8, 16, 24, 6, 1]
    assert compiled.farthest() == interpreted.farthest()


def test_stickers_that_only_odd_moves_would_bring_there_are_a_fault() -> None:
    """Moves turn three pieces in a ring. One has no orientation, and the others are alike."""
    text = "Set P 3 2\nSolved\nP\n2 3 2\n0 ? 1\nEnd\nMove A\nP\n2 3 1\nEnd\n"
    solver = parse_definition(text, "tws")
    reached = {solver.positions.written(solver.state(moves)) for moves in ("", "A", "A'")}
    refused = 0
    for pieces in ("2 3 2", "2 2 3", "3 2 2"):
        for turns in product("01", repeat=2):
            left = iter(turns)
            shown = " ".join("?" if piece == "3" else next(left) for piece in pieces.split())
            written = f"Scramble state\nP\n{pieces}\n{shown}\nEnd"
            if written in reached:
                assert solver.solve(solver.positions.from_written(written)).length <= 1
                continue
            with pytest.raises(StateError, match=r"orientation|do not fit together"):
                solver.positions.from_written(written)
            refused += 1
    assert refused == 12 - len(reached)
