"""The method `reduction` of the 5x5x5: its coordinates, its renamings, its tables, its answers."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import attrs
import numpy as np
import numpy.typing as npt
import pytest
from bundled import COMPILED, stickers
from engines import interpreted  # noqa: F401

import puzzlekit
import puzzlekit_beam.phases as beam_phases
from puzzlekit import Coordinate, DeclarationError, Method, Orientation, Phase
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine.ranks import rank
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search import compiled_phase
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Resolver
from puzzlekit.tables.store import TableStore
from puzzlekit_cube5.cube5_phases import FOUR, PAIRED, cube_pieces, phases
from puzzlekit_cubes import EDGES, Companions, Halves, RelativeOrientation, Shared

SOLVER = puzzlekit.load("cube5")
CUBE = SOLVER.puzzle
PIECES = cube_pieces(CUBE)
PHASES = phases(PIECES)
PARTS = {
    f"{phase.name} {part.name}": (phase, part)
    for phase in PHASES
    for coordinate in phase.coordinates
    for part in coordinate.digits
}


def walked(phase: Phase, seed: int, moves: int = 40) -> bytes:
    """The solved cube after random moves of a phase."""
    some = random.Random(seed)
    return CUBE.apply(CUBE.solved, some.choices(phase.allowed(CUBE), k=moves))


# --- coordinates ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PARTS)
def test_ranks_and_unranked_bytes_agree(name: str) -> None:
    _, part = PARTS[name]
    some = random.Random(1)
    values = [0, part.size - 1, *(some.randrange(part.size) for _ in range(60))]
    assert [part.rank(part.unrank(value)) for value in values] == values
    vector = part.unrank(np.array(values))
    assert part.rank(vector).tolist() == values


@pytest.mark.parametrize("name", PARTS)
def test_the_engine_ranks_states_as_the_coordinate_does(name: str) -> None:
    phase, part = PARTS[name]
    assert part.closed_under(phase.allowed(CUBE))
    program = part.engine_program
    assert program is not None
    for seed in range(20):
        state = walked(phase, seed)
        assert 0 <= part.rank(state) < part.size
        assert rank(array("i", program), state) == part.rank(state)
    if isinstance(part, Companions):
        state = random_state(CUBE, random.Random(4))
        assert rank(array("i", program), state) == part.rank(state) == -1


def test_sizes_of_the_coordinates() -> None:
    sizes = {name: part.size for name, (_, part) in PARTS.items()}
    assert sizes["gather fb-x"] == sizes["gather fb-t"] == 735_471  # 24 choose 8
    assert sizes["split ud-x"] == 12_870  # 16 choose 8
    assert sizes["align wing-halves"] == 1_352_078  # (24 choose 12) / 2
    assert sizes["align flips"] == 1024
    assert sizes["four low-four"] == 117_600  # (8 choose 4) * 8! / 4!
    assert sizes["eight high-eight"] == 40_320  # 8!


def test_halves_and_relative_orientations_forget_which_half_is_which() -> None:
    """All tredges flipped: the halves of the wings are exchanged, and all midges are flipped."""
    every = PIECES.renaming(dict(zip(EDGES, EDGES, strict=True)), EDGES)
    low = " ".join(PIECES.low.values())
    for seed in range(10):
        state = random_state(CUBE, random.Random(seed))
        renamed = CUBE.relabel(state, every)
        assert renamed != state
        for each in (
            Halves("halves", CUBE, "wings", low),
            RelativeOrientation("flips", CUBE, "midges"),
        ):
            assert each.rank(renamed) == each.rank(state)


def test_relative_orientations_need_a_number_of_places_that_fits() -> None:
    small = puzzlekit.load("cube2").puzzle
    with pytest.raises(DeclarationError, match="multiple of the number of orientations"):
        RelativeOrientation("twist", small, "corners")
    assert RelativeOrientation("twist", small, "corners", summed=False).size == 3**7


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"other_places": "UFr"}, "as many places of companions"),
        ({"count": 5}, "at most as many pieces"),
        ({"pieces": "UF UF UB DF"}, "twice|only once"),
        ({"others": "UFr UBl DFl", "other_places": "UFr UBl DFl DBr"}, "as many companions"),
    ],
)
def test_impossible_companions_are_refused(changes: dict[str, object], fault: str) -> None:
    four = " ".join(EDGES[:4])
    wings = " ".join(PIECES.low[edge] for edge in EDGES[:4])
    whole = Companions("four", CUBE, "midges", four, "wings", wings)
    assert whole.size == 24
    with pytest.raises(DeclarationError, match=fault):
        attrs.evolve(whole, **changes).size  # noqa: B018


# --- renamings ------------------------------------------------------------------------------------


def test_flips_rename_an_even_number_of_tredges() -> None:
    found = PIECES.flips(CUBE)
    assert len(set(found)) == len(found) == 2048
    midges = [
        CUBE.orientations(act(CUBE.solved, *each, CUBE.modulus), CUBE.orbit("midges"))
        for each in found
    ]
    assert len(set(midges)) == 2048 and {sum(each) % 2 for each in midges} == {0}


def test_choices_name_every_four_tredges_as_those_between_r_and_l() -> None:
    found = PIECES.choices(CUBE)
    midges = CUBE.orbit("midges")
    inner = {midges.solved[midges.place(edge)] for edge in EDGES[:4]}
    named = set()
    for each in found:
        state = act(CUBE.solved, *each, CUBE.modulus)
        labels = CUBE.labels(state, midges)
        assert sorted(labels) == sorted(midges.solved)
        named.add(frozenset(home for home, label in enumerate(labels) if label in inner))
        wings = CUBE.labels(state, CUBE.orbit("wings"))
        assert sorted(wings) == sorted(CUBE.orbit("wings").solved)
    assert len(found) == len(named) == 495  # 12 choose 4


@pytest.mark.usefixtures("interpreted")
def test_entries_of_other_threads_have_results_of_their_own() -> None:
    """Two threads once wrote to the same results, and a search on two threads crashed."""
    effects = PIECES.flips(CUBE)[:50]
    flip = Orientation("flip", CUBE, "midges")
    changed = sorted({j for gather, add in effects for j in flip.reads if gather[j] != j or add[j]})
    names = beam_phases.Names(
        compiled_phase.labels(CUBE, effects), 50, changed, [1], [(0, flip.engine_program)]
    )
    space = SimpleNamespace(followed=0, carry=SimpleNamespace(width=0))
    one = beam_phases.Entry(space, None, None, names)
    entries = [one, one.another()]
    states = [random_state(CUBE, random.Random(seed)) for seed in range(2)]
    for entry, state in zip(entries, states, strict=True):
        names._rank_all(state, 0, entry.found, entry.rank)
    for entry, state in zip(entries, states, strict=True):
        expected = [flip.rank(CUBE.relabel(state, effect)) for effect in effects]
        assert list(entry.rank[:50]) == expected


# --- shared tables --------------------------------------------------------------------------------


def one_tredge(classes: int, symmetries: int) -> Phase:
    """Pair one tredge in the layer between R and L."""
    low, high = PIECES.tredges("one", EDGES[:1], EDGES[:8])
    own = SymCoordinate("low-classes", CUBE, "midges", (low,), classes, symmetries)
    return Phase(
        name="one",
        goal="one tredge paired",
        moves=FOUR,
        goal_moves=PAIRED,
        coordinates=(own, high),
        tables=(Shared("low-classes high-one", rest=8),),
    )


@pytest.mark.slow
def test_a_shared_table_has_the_distances_of_a_search_through_all_states(
    tmp_path: Path,
) -> None:
    store = TableStore(str(tmp_path))
    phase = one_tredge(64, 1)
    low, high = phase.coordinates[0].digits[0], phase.coordinates[1]
    moves = phase.allowed(CUBE)
    goals = [CUBE.solved]
    for state in goals:  # grows during the loop
        near = [CUBE.apply(state, [move]) for move in phase.kept(CUBE)]
        known = {(low.rank(each), high.rank(each)) for each in goals}
        goals += [each for each in near if (low.rank(each), high.rank(each)) not in known][:1]
    distance = {(low.rank(state), high.rank(state)): 0 for state in goals}
    frontier = goals
    while frontier:
        found = []
        for state in frontier:
            here = distance[low.rank(state), high.rank(state)]
            for move in moves:
                near_state = CUBE.apply(state, [move])
                key = low.rank(near_state), high.rank(near_state)
                if key not in distance:
                    distance[key] = here + 1
                    found.append(near_state)
        frontier = found
    assert len(distance) == 512  # places of a midge, a low wing and a high wing
    solver = puzzlekit.Solver(CUBE, [Method("one", "one", (phase,))], store)
    resolved = Resolver().resolve(CUBE, phase, CUBE.metric("OBTM"), (phase,), {})
    (table,) = resolved.tables
    assert table.entries == 64 * 8
    plan = solver.chooser.plan(solver.method("one"), CUBE.metric("OBTM"))
    ready = CompiledPhase(plan, phase)
    for seed in range(300):
        state = walked(phase, seed, moves=seed % 12)
        assert ready.estimate(CUBE, state) == distance[low.rank(state), high.rank(state)]


@pytest.mark.parametrize(
    ("rest", "fault"), [(7, "must divide"), (4, "do not share"), (0, "must divide")]
)
def test_impossible_shared_tables_are_refused(rest: int, fault: str, tmp_path: Path) -> None:
    phase = attrs.evolve(one_tredge(64, 1), tables=(Shared("low-classes high-one", rest=rest),))
    resolved = Resolver().resolve(CUBE, phase, CUBE.metric("OBTM"), (phase,), {})
    with pytest.raises(DeclarationError, match=fault):
        resolved.tables[0].get(TableStore(str(tmp_path)))


# --- the tables and answers of the method ---------------------------------------------------------

long = pytest.mark.long


def distances(phase: str, names: str, whole: bool = False) -> npt.NDArray[np.uint8]:
    """The entries of a table of the method, or of the table without folding."""
    plan = SOLVER.chooser.plan(SOLVER.method("reduction"), CUBE.metric("OBTM"))
    declared = next(each for each in plan.phases if each.name == phase)
    resolved = plan.resolved(declared)
    if whole:
        own = attrs.evolve(declared, tables=(names.replace(" x ", " "),))
        resolved = Resolver().resolve(CUBE, own, CUBE.metric("OBTM"), (own,), {})
    table = next(each for each in resolved.tables if each.graph.names == names)
    packed = np.frombuffer(bytes(table.get(SOLVER.store).data), dtype=np.uint8)
    return np.stack([packed & 15, packed >> 4], axis=1).ravel()


def entries(phase: str, names: str) -> Counter[int]:
    """How many entries of a table hold each distance."""
    return Counter(dict(enumerate(np.bincount(distances(phase, names)).tolist())))


@long
def test_distances_agree_with_those_that_cube555_publishes() -> None:
    """From PruningValue.txt of cs0x7f/cube555. The classes of halves join two classes there."""
    four = [1, 2, 10, 56, 337, 2100, 12525, 71445, 385107, 1889220, 7564378, 19318262, 18165899]
    four += [2335978, 9560]
    found = entries("four", "low-classes x high-four")
    assert [found[at] for at in range(16)] == [*four, 0]
    gather = entries("gather", "fb-x-classes")
    x_centers = [1, 1, 9, 86, 913, 7827, 26573, 10903, 58]
    assert [gather[at] for at in range(1, 9)] == x_centers[1:]
    align = distances("align", "halves x flips", whole=True)
    counts = np.bincount(align).tolist()
    assert counts[:8] == [1, 1, 5, 38, 308, 3216, 34162, 315492]
    # The table of the method is folded.
    folded = distances("align", "halves x flips")
    assert (folded == align.reshape(-1, 8).min(axis=1)).all()


@long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
@pytest.mark.parametrize("seed", range(20))
def test_random_states_are_solved(seed: int) -> None:
    state = random_state(CUBE, random.Random(seed))
    solution = SOLVER.solve(state, method="reduction", max_nodes=150_000_000)
    cube = stickers("cube5")
    assert cube.is_solved(cube.replay(facelets(CUBE, state), str(solution)))
    assert solution.verified and solution.cost == len(solution.moves) <= 76
    names = [part.name for part in solution.phases]
    assert names[:5] == ["gather", "split", "align", "four", "eight"]
    lengths = [length for _, length in solution.improvements]
    assert all(before > after for before, after in pairwise(lengths))


@long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
def test_two_threads_search_at_once() -> None:
    for seed in range(8):
        state = random_state(CUBE, random.Random(seed))
        assert SOLVER.solve(state, method="reduction", max_nodes=30_000_000, threads=2).verified


@long
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes interpreted")
def test_short_scrambles_get_short_answers_however_the_cube_is_held() -> None:
    some = random.Random(2)
    moves = CUBE.family_moves([name for name in CUBE.turns if name not in CUBE.rotations])
    for count in (1, 2, 3):
        for _ in range(20):
            scramble = some.choices(moves, k=count)
            state = CUBE.apply(CUBE.solved, scramble)
            solution = SOLVER.solve(state, method="reduction")
            assert solution.cost <= CUBE.metric("OBTM").total(scramble)
    held = CUBE.apply(random_state(CUBE, some), CUBE.moves("x y"))
    assert SOLVER.solve(held, method="reduction", max_nodes=150_000_000).verified


def test_the_parts_of_every_coordinate_are_closed() -> None:
    named: list[Coordinate] = [part for _, part in PARTS.values()]
    assert len({each.name for each in named}) >= 15
    assert SOLVER.methods[0].name == "reduction" and SOLVER.methods[1].name == "universal"
