"""Methods derived from a puzzle alone: optimal, within their memory, told in words."""

from __future__ import annotations

from random import Random

import attrs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Metric, Orbit, Puzzle, Solver, UsageError
from puzzlekit.engine.search import FOUND, Search
from puzzlekit.phase.first import FirstChain
from puzzlekit.phase.parity import cost_signs
from puzzlekit.puzzle.move import no_effect

ALL = 10**9


def stripped(name: str, families: str) -> Puzzle:
    """A bundled puzzle of which only orbits, some moves and metrics are known."""
    full = puzzlekit.load(name).puzzle
    return attrs.evolve(
        full,
        name=f"stripped-{name}",
        turns={family: full.turns[family] for family in families.split()},
        metrics=tuple(each for each in full.metrics if each.counts),
        rotations=(),
        reflections=(),
        constraints=(),
        layout=None,
        aliases={},
        hints=None,
    )


def distances(puzzle: Puzzle, metric: Metric) -> dict[bytes, int]:
    """The least cost of every state, from the solved one outwards; moves are undone by moves."""
    moves = puzzle.family_moves(puzzle.turns)
    found = {puzzle.solved: 0}
    levels: dict[int, list[bytes]] = {0: [puzzle.solved]}
    level = 0
    while level <= max(levels):
        for state in levels.get(level, ()):
            if found[state] < level:
                continue
            for move in moves:
                after = puzzle.apply(state, [puzzle.inverse(move)])
                cost = level + metric.cost(move)
                if cost < found.get(after, ALL):
                    found[after] = cost
                    levels.setdefault(cost, []).append(after)
        level += 1
    return found


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """A puzzle of one or two orbits with a few pieces, some maybe alike, and two or three moves."""
    orbits = []
    for name in "ab"[: draw(st.integers(1, 2))]:
        size = draw(st.integers(1, 4))
        labels = draw(
            st.one_of(st.none(), st.lists(st.integers(0, 2), min_size=size, max_size=size))
        )
        places = tuple(f"{name}{i}" for i in range(size))
        solved = {} if labels is None else {"solved": tuple(labels)}
        orbits.append(Orbit(name, "piece", places, draw(st.integers(1, 3)), **solved))
    turns = {}
    for family in "XYZ"[: draw(st.integers(1, 3))]:
        gather, add, start = b"", b"", 0
        for orbit in orbits:
            order = draw(st.permutations(range(orbit.size)))
            gather += bytes(start + i for i in order)
            add += bytes(orbit.size)
            if orbit.orientations > 1:
                gather += bytes(start + orbit.size + i for i in order)
                turn = st.integers(0, orbit.orientations - 1)
                add += bytes(draw(turn) for _ in range(orbit.size))
            start += orbit.width
        if (gather, add) != no_effect(add):
            turns[family] = gather, add
    assume(turns)
    weights = {family: draw(st.integers(1, 2)) for family in turns}
    metrics = (
        Metric("moves", "moves", dict.fromkeys(turns, 1)),
        Metric("dear", "with weights", weights, per_turn=draw(st.booleans())),
    )
    return Puzzle("small", "small", tuple(orbits), turns, metrics)


@settings(max_examples=40, deadline=None)
@given(small_puzzles(), st.sampled_from([500_000_000, 6_000, 1_500]), st.randoms())
def test_answers_are_as_short_as_brute_force_finds(
    puzzle: Puzzle, memory: int, random: Random
) -> None:
    try:
        derived = puzzlekit.derive(puzzle, memory=memory)
    except UsageError:
        assert memory == 1_500
        return
    solver = Solver(puzzle, derived.methods)
    for metric in puzzle.metrics:
        known = distances(puzzle, metric)
        for state in random.sample(sorted(known), min(len(known), 6)):
            solution = solver.solve(state, metric=metric)
            assert (solution.length, solution.optimal) == (known[state], True)
            assert solver.chain(metric=metric).phases[0].estimate(puzzle, state) <= known[state]


def test_known_parities_change_no_answer() -> None:
    """In quarter turns each move is an odd permutation of the corners."""
    puzzle = stripped("cube2", "U R F")
    derived = puzzlekit.derive(puzzle, memory=600_000)
    assert len(derived.methods[0].phases[0].tables) > 1
    chain = Solver(puzzle, derived.methods).chain(metric="QTM")
    assert isinstance(chain, FirstChain)
    random = Random(5)
    skipped = []
    for _ in range(30):
        moves = random.choices(puzzle.family_moves("URF"), k=5)
        state = puzzle.apply(puzzle.solved, moves)
        parity = chain.parity(state)
        assert parity == puzzle.metric("QTM").total(moves) % 2
        found: dict[int | None, list[tuple[int, tuple[int, ...]]]] = {}
        assert parity is not None
        for told in (parity, None):
            search = Search(chain.phases[0].space, exact=True)
            chain.phases[0].start(search, puzzle, state, 8, told)
            listed = []
            while search.run(1 << 30) == FOUND:
                listed.append((search.spent_here, tuple(search.path)))
            found[told] = listed
            bounds = {bound for bound, *_ in search.iterations}
            skipped.append(len(bounds))
            assert told is None or all(bound % 2 == told for bound in bounds)
        assert sorted(found[parity]) == sorted(found[None])
    assert sum(skipped[::2]) < sum(skipped[1::2])
    assert any(found.values())


@settings(max_examples=40, deadline=None)
@given(small_puzzles())
def test_parities_are_those_of_the_costs(puzzle: Puzzle) -> None:
    moves = puzzle.family_moves(puzzle.turns)
    coordinates = puzzlekit.derive(puzzle).methods[0].phases[0].coordinates
    for metric in puzzle.metrics:
        signs = cost_signs(puzzle, moves, list(map(metric.cost, moves)), coordinates)
        if signs is not None:
            for state, cost in distances(puzzle, metric).items():
                assert sum(sign.of_state(puzzle, state) for sign in signs) % 2 == cost % 2
