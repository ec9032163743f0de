"""Inverses, directions, and the chain that improves its answers, against plainer searches."""

from __future__ import annotations

import random
from typing import Any

import attrs
import pytest
from bundled import COMPILED, kept
from engines import engine, plain
from sym_spaces import CASES, CUBE3, STORE

import puzzlekit
from puzzlekit import Solver
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.directions import sides
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_twophase import Anytime
from puzzlekit_twophase.strategy import engine_premoves, premove_sequences

PLENTY = 1 << 40
needs_compiler = pytest.mark.skipif(not COMPILED, reason="too slow without a compiler")


# --- inverses and directions --------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", ["cube2", "cube3"])
def test_inverting_twice_changes_nothing_and_inverting_undoes(puzzle: str) -> None:
    known = puzzlekit.load(puzzle).puzzle
    rng = random.Random(6)
    moves = known.family_moves(known.turns)
    for length in range(40):
        word = [rng.choice(moves) for _ in range(length)]
        undone = [known.inverse(move) for move in reversed(word)]
        state = known.apply(known.solved, word)
        inverse = known.invert(state)
        assert known.invert(inverse) == state
        assert known.apply(inverse, word) == known.solved
        assert inverse == known.apply(known.solved, undone)
        other = known.apply(known.solved, [rng.choice(moves) for _ in range(9)])
        # The inverse of a product.
        both = known.apply(known.invert(other), undone) == known.apply(known.solved, word)
        assert not both or state == inverse


def improving(
    premoves: int = 3,
    changes: dict[str, Any] | None = None,
    after: tuple[int, ...] = Anytime().premoves_after,
    **finish: int,
) -> Solver:
    """A solver of the 3x3x3 of its own, so that nothing is kept from other tests.

    It has the small profile only, whatever tables there are.
    """
    strategy = Anytime(premoves=premoves, premoves_after=after, **finish)
    method = attrs.evolve(CUBE3.method(), strategy=strategy, larger=(), **(changes or {}))
    return Solver(CUBE3.puzzle, [method], STORE)


def test_the_engine_sees_a_state_as_a_direction_does() -> None:
    """In the directions of the method, and from all 24 sides."""
    chain = CUBE3.prepared()
    assert isinstance(chain, Anytime)
    puzzle = CUBE3.puzzle
    first, _ = chain.phases
    every = list(sides(puzzle, puzzle.family_moves("URFDLB")))
    assert len(every) == 24 and len(chain.directions) == 6
    turns = [side.rotation for side in every]
    back = engine.Carry([side.unrotation for side in every], puzzle.modulus)
    premoves = engine_premoves(puzzle, first, [()], (0,), turns, [0])
    numbers = list(range(len(first.moves), len(first.moves) + 24))
    for seed in range(30 if COMPILED else 5):
        state = chain.normal(random_state(puzzle, random.Random(seed)))
        expected = [direction.see(puzzle, state) for direction in chain.directions]
        assert chain._seen(state) == expected
        assert len(set(expected)) == 6
        both = [state, puzzle.invert(state)]
        inverted = [side._replace(inverted=True) for side in every]
        seen = premoves.seen(both, numbers, back)
        assert seen == [side.see(puzzle, state) for side in (*every, *inverted)]
    # And that is what a turned cube is: the same word in the names that its moves then have.
    word = puzzle.moves("R U2 F' L D B2 R'")
    state = puzzle.apply(puzzle.solved, word)
    for side, seen in zip(every, premoves.seen([state], numbers, back), strict=True):
        names = {held: image for image, held in side.back.items()}
        assert seen == puzzle.apply(puzzle.solved, [names[move] for move in word])
    with pytest.raises(ValueError, match="a way back for each side"):
        premoves.seen([state], numbers[:-1], back)


def test_doing_moves_first_is_what_premoves_do() -> None:
    """Byte for byte, by turns of the engine that are no rotations."""
    chain = CUBE3.prepared()
    puzzle = CUBE3.puzzle
    first, _ = chain.phases
    identity = puzzle.whole_rotations[0]
    moves = first.moves
    back = engine.Carry([identity] * len(moves), puzzle.modulus)
    premoves = engine_premoves(puzzle, first, [()], (0,), [], [0])
    word = puzzle.moves("F U2 L' B D R2 U")
    state = puzzle.apply(puzzle.solved, word)
    found = premoves.seen([state], list(range(len(moves))), back)
    assert found == [puzzle.apply(puzzle.solved, [move, *word]) for move in moves]
    assert act(state, *identity, puzzle.modulus) == state


# --- the improving chain ------------------------------------------------------------------------


def test_a_second_phase_with_2_bits_is_refused() -> None:
    solver = improving(premoves=0)
    orient, finish = solver.method().phases
    tables = ("corners", "edges", Modulo3("middle"))
    method = attrs.evolve(solver.method(), phases=(orient, attrs.evolve(finish, tables=tables)))
    changed = Solver(solver.puzzle, [method], STORE)
    with pytest.raises((ValueError, puzzlekit.PuzzlekitError), match="4 or 8 bits per entry"):
        changed.solve("R U F' L D2", max_length=20)


def only_search(solver: Solver, state: bytes, limit: int) -> Any:
    """The one search of all directions of a state."""
    chain = solver.prepared()
    assert isinstance(chain, Anytime)
    (search,), _ = chain._searches(chain.normal(state), 1)
    search.restart(limit)
    return search


def followed(search: Any, budgets: list[int], most: int) -> list[tuple[Any, ...]]:
    """What a search tells until it has done so many nodes, run in stretches of these budgets."""
    told: list[tuple[Any, ...]] = []
    count = generated = 0
    while search.work < most + 5_000:  # what is found near the end may be listed but not reached
        status = search.run(budgets[count % len(budgets)])
        count += 1
        before, generated = generated, search.nodes[0][0]
        assert 0 <= before <= generated
        if status == EXHAUSTED:
            told.append((EXHAUSTED, search.nodes, search.is_capped))
            break
        if status == FOUND:
            told.append((search.answer, search.nodes))
    return [each for each in told if sum(n for n, _ in each[1]) <= most]


STRETCHES = [[13], [10_000, 3, 500], [2_999, 1, 1], [30_001]]


@pytest.mark.parametrize(
    ("seed", "given_up"), [(2, 0), (20, 0), (2, 400)] if COMPILED else [(2, 0)]
)
def test_any_stretches_give_the_same_answers_in_as_many_nodes(seed: int, given_up: int) -> None:
    """Also where starts are added: after 3,000 and after 30,000 nodes."""
    solver = improving(finish_nodes=given_up)
    most = 80_000 if COMPILED else 5_000
    state = solver.random_state(seed)
    expected = followed(only_search(solver, state, 30), [most], most)
    assert len(expected) > (1 if COMPILED else 0)
    assert expected[-1][0][3] > 0 or not COMPILED  # premoves were used
    sequences = solver.prepared()._sequences  # type: ignore[attr-defined]
    for (_, _, _, number, _), nodes in expected:
        least = {0: 0, 1: 3_000, 2: 30_000}[len(sequences[number])]
        assert sum(generated for generated, _ in nodes) > least
    for budgets in STRETCHES if COMPILED else STRETCHES[1:2]:
        assert followed(only_search(solver, state, 30), budgets, most) == expected


def test_a_limit_on_nodes_gives_the_same_again() -> None:
    state = CUBE3.random_state(12)
    nodes = 200_000 if COMPILED else 6_000
    found = [improving().solve(state, max_nodes=nodes) for _ in range(2)]
    assert found[0].moves == found[1].moves
    assert (found[0].nodes, found[0].expanded) == (found[1].nodes, found[1].expanded)
    # One search counts the short answers and all else; it stops within a stretch of its limit.
    assert nodes * 0.9 < found[0].nodes < nodes * 1.2


AS_IT_COMES = Anytime().premoves_after
STAGES = {"at once": (0,), "soon": (1, 40, 600), "as it comes": AS_IT_COMES, "never": None}


def best(solver: Solver, state: bytes, limit: int) -> tuple[int | None, bool]:
    """The least cost within a limit, or None, and whether a second phase was cut short."""
    search = only_search(solver, state, limit)
    least = None
    while search.run(PLENTY) == FOUND:
        least = search.answer[-1]
    return least, search.is_capped


@needs_compiler
@pytest.mark.parametrize("limit", [{"finish_nodes": 8}, {"finish_most": 3}])
def test_what_is_lost_with_a_second_phase_that_is_given_up_is_told(limit: dict[str, int]) -> None:
    rng = random.Random(17)
    puzzle = CUBE3.puzzle
    moves = puzzle.family_moves("URFDLB")
    whole, short = improving(0), improving(0, **limit)
    told = []
    for length in [3, 5, 6, 7, 8] * 6:
        state = puzzle.apply(puzzle.solved, rng.choices(moves, k=length))
        least, is_capped = best(whole, state, length)
        assert least is not None and not is_capped
        fewer, given_up = best(short, state, length)
        assert fewer is not None or given_up
        assert given_up or fewer == least
        told.append((given_up, fewer == least))
    assert {(False, True), (True, False)} <= set(told)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["HTM", "QTM"] if COMPILED else ["HTM"])
def test_no_answer_is_lost_where_starts_are_added(metric: str) -> None:
    """States some moves away: whenever starts come, the least cost within the limit is the same."""
    rng = random.Random(12)
    puzzle = CUBE3.puzzle
    measure = puzzle.metric(metric)
    moves = puzzle.family_moves("URFDLB")
    words = [
        [rng.choice(moves) for _ in range(length)]
        for length in ([2, 3, 4, 5, 6, 7] * 2 if COMPILED else [2, 3])
    ]
    outcomes = []
    for after in STAGES.values():
        premoves = 0 if after is None else 3 if COMPILED else 1
        how = {"changes": {"metrics": (metric,), "searched_as": {}}} | (
            {} if after is None else {"after": after}
        )
        solver = improving(premoves, **how)
        found = []
        for word in words:
            limit = min(sum(map(measure.cost, word)), 7)
            found.append(best(solver, puzzle.apply(puzzle.solved, word), limit))
        outcomes.append([each[0] for each in found])
    assert outcomes == [outcomes[-1]] * len(outcomes)
    for word, least in zip(words, outcomes[0], strict=True):
        cost = sum(map(measure.cost, word))
        assert least is not None and least <= cost if cost <= 7 else True


@pytest.mark.parametrize(
    "scramble", ["R2 F2 B2 F2 B2 L2 L2 B2 D2 R2 B2 D2 F2 R2 L2 R2 R2 B2 F2 F2 B2 L2"]
)
@needs_compiler
def test_no_bound_is_left_out_where_starts_are_added(scramble: str) -> None:
    """With the stages as they come."""
    search = only_search(CUBE3, CUBE3.state(scramble), 30)
    while search.work < 60_000 and search.run(1000) != EXHAUSTED:
        pass
    bounds = sorted({bound for bound, _, _ in search.iterations})
    assert bounds == list(range(bounds[0], bounds[-1] + 1))


@needs_compiler
@pytest.mark.parametrize("after", [0, 40])
def test_what_one_direction_finds_is_found_where_starts_are_added(after: int) -> None:
    """All others might find it too: so from one direction, the state not inverted.

    The first take 5 or 6 moves, when each turn of a face counts.
    """
    puzzle = CUBE3.puzzle
    rng = random.Random(15)
    words = [puzzle.moves(text) for text in ("U D2 R L2 L B2", "U' D2 R U' R2 D", "R2 U F2 D' R2")]
    moves = puzzle.family_moves("URFDLB")
    words += [tuple(rng.choices(moves, k=length)) for length in [3, 4, 5, 6] * 10]
    found: list[list[int | None]] = []
    for premoves in (0, 1):
        chain = improving(premoves, after=(after,)).prepared()
        assert isinstance(chain, Anytime)
        spaces = [phase.space for phase in chain.phases]
        found.append([])
        for word in words:
            state = puzzle.apply(puzzle.solved, word)
            search = engine.ImproveSearch(*spaces, chain._link, chain._starts, [state], len(word))
            least = None
            while search.run(PLENTY) == FOUND:
                least = search.answer[-1]
            assert not search.is_capped
            found[-1].append(least)
    assert None not in found[0]
    assert found[0] == found[1]


@needs_compiler
@pytest.mark.parametrize("after", [20, 200, 2_000])
def test_starts_that_come_later_go_through_the_same_bounds(
    after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In as many nodes as a search of the first starts alone, and one of the later ones alone."""
    chain = improving(1).prepared()
    assert isinstance(chain, Anytime)
    first, second = chain.phases
    reads = sorted({j for each in second.phase.coordinates for j in each.reads})
    sequences = chain._sequences
    for seed in range(4):
        state = chain.normal(CUBE3.random_state(seed))
        rounds = []
        for some, stages in (
            (sequences[:1], [(1, 0)]),
            (sequences[1:], [(len(sequences) - 1, 0)]),
            (sequences, [(1, 0), (len(sequences), after)]),
        ):
            monkeypatch.setattr(
                "puzzlekit_twophase.strategy._stages", lambda *_, found=stages: found
            )
            premoves = engine_premoves(CUBE3.puzzle, first, some, (after,), [], reads)
            spaces = (first.space, second.space)
            search = engine.ImproveSearch(*spaces, chain._link, premoves, [state], 30)
            while search.iterations[-1:] == [] or search.iterations[-1][0] < 11:
                search.run(500)
            up_to = {bound: 0 for bound in range(11)}
            for bound, generated, _ in search.iterations[:-1]:
                for later in range(bound, 11):
                    up_to[later] += generated
            rounds.append(up_to)
        grown = [bound for bound in range(11) if rounds[2][bound] > rounds[0][bound]]
        assert grown
        for bound in range(grown[0], 11):
            assert rounds[2][bound] == rounds[0][bound] + rounds[1][bound]


def test_a_search_of_other_states_is_like_a_new_one() -> None:
    """Also after the first search has made more starts than the next one begins with."""
    chain = improving(1, after=(200,)).prepared()
    assert isinstance(chain, Anytime)
    spaces = [phase.space for phase in chain.phases]
    used = None
    for seed in range(6):
        images = chain._seen(chain.normal(CUBE3.random_state(seed)))[: 2 + seed % 3]
        search = engine.ImproveSearch(*spaces, chain._link, chain._starts, images, 24)
        if used is None:
            used = engine.ImproveSearch(*spaces, chain._link, chain._starts, images, 24)
        else:
            used.begin(images, 24)
        for _ in range(3):
            assert used.run(1_000) == search.run(1_000)
            assert (used.nodes, used.work) == (search.nodes, search.work)
            assert used.iterations == search.iterations
        while (status := search.run(5_000)) != FOUND:
            assert used.run(5_000) == status
        assert used.run(5_000) == FOUND and used.answer == search.answer


def test_starts_of_other_costs_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """R, and R2 R: the same to the first phase, but for the cost."""
    monkeypatch.setattr("puzzlekit_twophase.strategy._stages", lambda all_, _: [(len(all_), 0)])
    chain = improving(0).prepared()
    assert isinstance(chain, Anytime)
    first, second = chain.phases
    puzzle = CUBE3.puzzle
    turn, half = (first.moves.index(puzzle.moves(name)[0]) for name in ("R", "R2"))
    sequences = [(turn,), (half, turn)]
    reads = sorted({j for each in second.phase.coordinates for j in each.reads})
    premoves = engine_premoves(puzzle, first, sequences, (0,), [], reads)
    spaces = [first.space, second.space]
    for scramble, least in (("R", 2), ("R'", 1), ("R2", 2), ("R' U'", 2), ("R U'", 3)):
        state = chain.normal(CUBE3.state(scramble))
        search = engine.ImproveSearch(*spaces, chain._link, premoves, [state], 5)
        told = []
        while search.run(PLENTY) == FOUND:
            _, outer, inner, number, cost = search.answer
            path = [first.moves[move] for move in outer] + [second.moves[move] for move in inner]
            path += [first.moves[move] for move in sequences[number]]
            assert puzzle.is_solved(puzzle.apply(state, path))
            assert cost == len(path)
            told.append(cost)
        assert told[-1] == least


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("tables", [None, ("slices", 2), ("twist", 2), ("twist", 4)])
def test_groups_of_nodes_end_where_single_nodes_do(
    tables: tuple[str, int] | None, metric: str
) -> None:
    """All paths, in the same order: useful moves leave none out. Ends are not expanded in vain."""
    changes: dict[str, Any] = {"metrics": (metric,), "searched_as": {}}
    if tables is not None:
        name, bits = tables
        orient, finish = CUBE3.method().phases
        sym = attrs.evolve(CASES["18 moves"].sym, name="slices")
        changed = attrs.evolve(
            orient,
            coordinates=(*orient.coordinates, sym),
            tables=(name, kept("slices twist", 4 if metric == "QTM" else bits)),
        )
        changes["phases"] = changed, finish
    chain = improving(0, changes=changes).prepared()
    assert isinstance(chain, Anytime)
    first = chain.phases[0]
    space = first.space
    search = engine.Search(space, 64, True)
    groups = engine.Groups(space, engine.Notes(space), 64)
    rng = random.Random(4)
    moves = CUBE3.puzzle.family_moves("URFDLB")
    starts = []
    for length in [0, 1, 3, 5, 7] if COMPILED else [2]:
        state = CUBE3.puzzle.apply(CUBE3.puzzle.solved, rng.choices(moves, k=length))
        values = first.ranks(state)
        starts.append(values)
        for bound in range(space.estimate(values), 6 if COMPILED else 4):
            outcomes = []
            for other in (False, True):
                search.forget()
                search.start(values, bound, bound=bound)
                paths = groups.paths(search) if other else []
                while not other and search.run(PLENTY) == FOUND:
                    paths.append(search.path)
                outcomes.append((paths, search.work))
            assert outcomes[0][0] == outcomes[1][0]
            assert outcomes[0][1] >= outcomes[1][1]
    if (tables or ("", 4))[1] == 2 and metric == "HTM":
        far = [space.distances(values)[1] for values in starts]
        assert groups.distances(1, starts) == far


@pytest.mark.slow
@pytest.mark.parametrize(
    "others",
    [
        pytest.param((), id="alone"),
        pytest.param(("flip-slice",), id="after another"),
    ],
)
def test_starts_are_the_same_with_2_bits_as_with_4(others: tuple[str, ...]) -> None:
    """The bound from which starts are looked at is not known before their distances are."""
    orient, finish = CUBE3.method().phases
    sym = attrs.evolve(CASES["18 moves"].sym, name="slices")
    outcomes = []
    for bits in (2, 4):
        changed = attrs.evolve(
            orient,
            coordinates=(*orient.coordinates, sym),
            tables=(*others, kept("slices twist", bits)),
        )
        solver = improving(changes={"phases": (changed, finish)})
        most = 40_000 if COMPILED else 2_500
        told = []
        for seed in (2, 3, 20) if COMPILED else (2,):
            search = only_search(solver, solver.random_state(seed), 30)
            told.append(followed(search, [1_000], most))
            # Passes in which no start is near enough are no matter.
            told.append([each for each in search.iterations[:-1] if each[1]])
        outcomes.append(told)
    assert outcomes[0] == outcomes[1]
    assert all(outcomes[0][1::2])


def test_stages_name_no_more_sequences_than_there_are() -> None:
    chain = CUBE3.prepared()
    first, second = chain.phases
    sequences = premove_sequences(first, second, 1)
    assert sequences[0] == () and len(sequences) > 1
    made = engine_premoves(CUBE3.puzzle, first, sequences, (0,), [], [0])
    assert made is not None
    for module in (engine, plain()):
        for stages in ([], [(3, 0)]):
            with pytest.raises(ValueError, match="stages for more sequences"):
                labels, ranks = module.Labels([0], [0], [0], [b"\0"]), module.Ranks([], [])
                module.Premoves(labels, [(), (1,)], [0, 1], stages, ranks, [0])
