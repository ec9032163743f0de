"""Networks: training, files, the method and the heuristic that use them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import puzzlekit
import puzzlekit_definitions
from puzzlekit.cli import main
from puzzlekit.errors import NoSolutionError, UsageError
from puzzlekit.plugins.readers import load_file
from puzzlekit_lab.arrays import StateArrays
from puzzlekit_lab.ball import Ball
from puzzlekit_lab.learned import Learned, load_trained
from puzzlekit_lab.learning import Training
from puzzlekit_lab.network import Inputs, Network, load_network
from puzzlekit_lab.network_beam import NetworkBeam
from puzzlekit_lab.views import directions

DEFINITIONS = Path(__file__).parents[2] / "examples/definitions"

RING = """\
Name ring
Set RING 7 1
Solved
RING
1 2 3 4 5 6 7
End
Move A
RING
2 3 1 4 5 6 7
End
Move B
RING
1 2 4 5 6 7 3
End
"""


def trained(name: str, steps: int = 150) -> Network:
    training = Training(puzzlekit.load(name), hidden=(64, 32))
    for _ in training.run(steps=steps):
        pass
    return training.result()


@pytest.fixture(scope="module")
def cube2(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("networks") / "cube2.network")
    trained("cube2", 400).save(path)
    return path


@pytest.mark.slow
def test_the_method_finds_short_answers(cube2: str) -> None:
    solver = load_trained(cube2)
    assert solver.methods[0].name == "learned"
    costs = []
    for seed in range(5):
        found = solver.solve(solver.random_state(seed), max_nodes=150_000)
        shortest = puzzlekit.load("cube2").solve(solver.random_state(seed), method="optimal")
        assert not found.optimal and found.cost >= shortest.cost
        costs.append(found.cost - shortest.cost)
    assert sum(costs) <= 5
    assert solver.solve("").length == 0
    again = pickle.loads(pickle.dumps(solver))
    assert again.methods[0].name == "learned"


@pytest.mark.slow
def test_moves_with_a_guard() -> None:
    network = trained("eight", 60)
    puzzle, names = network.arrays.puzzle, network.arrays.names
    state = network.arrays.random(1, np.random.default_rng(3))[0].tobytes()
    beam = NetworkBeam(network)
    path = beam.run(beam.starts(state), 2000, 60, lambda: False)
    assert path is not None
    moves = [puzzle.moves(names[number])[0] for number in path]
    assert puzzle.is_solved(puzzle.apply(state, moves))


@pytest.mark.slow
def test_moves_that_solve_an_inverse() -> None:
    network = trained("topspin-9-4", 20)
    arrays, puzzle = network.arrays, network.arrays.puzzle
    beam = NetworkBeam(network)
    beam.ball.layers[3:] = []
    starts = arrays.walks([12], np.random.default_rng(2))
    inverses = beam.inverses(starts)
    path = beam.run(inverses, 4000, 60, lambda: False, 1)
    assert path is not None
    moves = [puzzle.moves(arrays.names[number])[0] for number in path]
    assert puzzle.is_solved(puzzle.apply(starts[0].tobytes(), moves))
    assert not puzzle.is_solved(puzzle.apply(inverses[0].tobytes(), moves))
    alike = NetworkBeam(trained("eight", 1))  # its moves have guards
    assert not len(alike.inverses(alike.arrays.goals[:1]))
    arrays.costs = arrays.costs.copy()
    arrays.costs[0] += 1  # an inverted answer could cost more
    assert not len(beam.inverses(starts))


@pytest.mark.slow
def test_limits(cube2: str) -> None:
    solver = load_trained(cube2)
    state = solver.random_state(1)
    with pytest.raises(NoSolutionError):
        solver.solve(state, max_length=3)
    assert solver.solve(state, max_length=14).length <= 14
    turned = puzzlekit.load("cube2").state("x y2 R U")
    assert solver.solve(turned, max_nodes=20_000).length == 2


@pytest.mark.parametrize(
    ("name", "layers"),
    [
        ("cube2", [1, 9, 54, 321, 1847, 9992]),
        ("cube3", [1, 18, 243, 3240]),
        ("pancake-5", [1, 4, 12, 35, 48, 20]),
    ],
)
def test_a_ball(name: str, layers: list[int]) -> None:
    """A. H. Frey and D. Singmaster, 1982, count the positions of cubes; OEIS A092113 pancakes."""
    arrays = StateArrays(puzzlekit.load(name))
    ball = Ball(arrays, most=layers[-2] * len(arrays))
    assert [len(each) for each in ball.layers] == layers
    for length in range(len(layers) + 2):
        state = arrays.walks([length], np.random.default_rng(length))
        way = ball.way(state)
        assert way is not None or length > ball.depth
        for move in way or ():
            state = arrays.step(state, [move])
        assert (way is None) or (len(way) <= length and arrays.is_solved(state)[0])


def test_a_ball_of_a_puzzle_with_guards() -> None:
    """The layers of the 8-puzzle: A. Reinefeld, 1993. Here the last one is the 31st."""
    ball = Ball(StateArrays(puzzlekit.load("eight")))
    sizes = [len(each) for each in ball.layers]
    assert sum(sizes) == 181_440 and sizes[-3:] == [760, 221, 2] and ball.depth == 31


@pytest.mark.slow
def test_inputs_leave_out_what_others_determine() -> None:
    solver = puzzlekit_definitions.load_definition(DEFINITIONS / "cube3.json")
    inputs = Inputs(StateArrays(solver))
    assert (inputs.active, inputs.width) == (20, 8 * 24 + 12 * 24)
    stickers = {"a": [1, 2, 0, 4, 5, 3, 6, 7], "b": [0, 2, 6, 3, 5, 7, 1, 4]}  # two of each piece
    solver = puzzlekit_definitions.parse_definition(json.dumps({"generators": stickers}), "json")
    arrays = StateArrays(solver)
    states = arrays.walks([9] * 500, np.random.default_rng(1))
    inputs = Inputs(arrays)
    assert (inputs.active, inputs.width) == (4, 16)
    shown = inputs(states)
    assert shown.sum() == 4 * 500
    seen = np.column_stack([shown, inputs.columns(states)[1]])  # and from which side
    assert len(np.unique(seen, axis=0)) == len(np.unique(states, axis=0)) == 12


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("cube3", 24), ("fto", 12), ("cube3.json", 24)])
def test_all_sides_of_a_state_look_alike(name: str, count: int) -> None:
    """Rarely, a few places do not decide between two sides."""
    solver = load_file(DEFINITIONS / name) if "." in name else puzzlekit.load(name)
    network = Training(solver, hidden=(16, 8)).network
    arrays = network.arrays
    found = directions(arrays)
    assert len(found) == count
    states = arrays.walks([30] * 50, np.random.default_rng(1))
    shares, values = network.log_shares(states), network.values(states)
    for seen in found:
        images = arrays.of([seen.see(arrays.puzzle, each.tobytes()) for each in states])
        same = np.isclose(network.values(images), values, atol=1e-5)
        assert same.mean() > 0.9
        moves = [arrays.first.index(seen.back[move]) for move in arrays.first]
        other = network.log_shares(images)[same]
        assert np.allclose(other, shares[same][:, moves], atol=1e-5)


@pytest.mark.parametrize("name", ["eight", "kilominx"])
def test_products_with_the_inputs(name: str) -> None:
    """Both ways to make a gradient, for few and for many inputs that are zero."""
    arrays = StateArrays(puzzlekit.load(name))
    inputs = Inputs(arrays)
    states = arrays.walks([20] * 300 + [0] * 50, np.random.default_rng(1))
    shown, (columns, _) = inputs(states), inputs.columns(states)
    rng = np.random.default_rng(2)
    weights = rng.standard_normal((inputs.width, 5)).astype("f4")
    errors = rng.standard_normal((len(states), 5)).astype("f4")
    assert np.allclose(inputs.first_layer(columns, weights), shown @ weights, atol=1e-4)
    assert np.allclose(inputs.gradient(columns, errors), shown.T @ errors, atol=1e-3)


@pytest.mark.slow
def test_the_actions_are_the_moves_of_all_phases() -> None:
    solver = puzzlekit.load("master-pyraminx")  # its first phase only turns the tips
    arrays = StateArrays(solver)
    assert len(arrays) == 24 and {"u", "U", "Bw'"} < {*arrays.names}
    state = solver.state("U Lw b")
    assert len(NetworkBeam(trained("master-pyraminx", 1)).starts(state)) > 0


def test_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    one, other = trained("cube2", 8), trained("cube2", 8)
    assert one.fingerprint == other.fingerprint
    path = tmp_path / "a.network"
    one.save(path)
    read = load_network(str(path), puzzlekit.load("cube2"))
    states = one.arrays.walks([5] * 4, np.random.default_rng(1))
    assert (read.values(states) == one.values(states)).all()
    assert read.fingerprint == one.fingerprint
    assert read.about["puzzle"] == "cube2" and read.about["steps"] == 8
    shares = np.exp(read.log_shares(states))
    assert shares.shape == (4, 9) and shares.sum(axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.slow
def test_estimates(cube2: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(cube2).parent)
    heuristic = Learned("cube2.network")
    arrays = StateArrays(puzzlekit.load("cube2"))
    rng = np.random.default_rng(1)
    near, far = (arrays.walks([length] * 200, rng) for length in (1, 12))
    means = [heuristic.estimate(arrays.puzzle, states, None).mean() for states in (near, far)]
    assert means[0] + 1 < means[1] < 9.5
    assert heuristic.estimate(arrays.puzzle, arrays.solved(2), None).tolist() == [0, 0]
    assert heuristic.identity != Learned().identity
    with pytest.raises(UsageError, match="is a network for cube2, not for cube3"):
        heuristic.estimate(puzzlekit.load("cube3").puzzle, near, None)
    with pytest.raises(UsageError, match="needs a network"):
        Learned().estimate(arrays.puzzle, near, None)


@pytest.mark.slow
def test_files_that_are_no_networks(cube2: str, tmp_path: Path) -> None:
    path = tmp_path / "other.network"
    with pytest.raises(UsageError, match="No such file"):
        load_trained(path)
    path.write_text("nothing")
    with pytest.raises(UsageError, match="is not a network"):
        load_trained(path)
    with path.open("wb") as file:
        np.savez(file, about=np.frombuffer(b"{}", dtype=np.uint8))
    with pytest.raises(UsageError, match=r"in the format puzzlekit\.network/3"):
        load_trained(path)
    with pytest.raises(UsageError, match="other pieces, moves or costs than cube3 has now"):
        load_network(cube2, puzzlekit.load("cube3"))


def untrained() -> Network:
    return Training(puzzlekit.load("eight"), hidden=(4, 4)).result()


@pytest.mark.slow
def test_a_damaged_network_is_refused_without_advice_about_pickles(tmp_path: Path) -> None:
    path = tmp_path / "ring.network"
    untrained().save(path)
    whole = path.read_bytes()
    assert [each.name for each in tmp_path.iterdir()] == ["ring.network"]
    for content in (b"", b"nothing", whole[:-100], whole[:400] + bytes(900) + whole[1300:]):
        path.write_bytes(content)
        with pytest.raises(UsageError) as caught:
            load_trained(path)
        assert "or is damaged" in str(caught.value) and "pickle" not in str(caught.value)
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(UsageError, match="is not a network"):
        load_trained(path)


def test_a_network_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.network"
    path.write_text("old")
    network = untrained()
    network.about["seed"] = object()  # no JSON
    with pytest.raises(TypeError):
        network.save(path)
    assert path.read_text() == "old" and len([*tmp_path.iterdir()]) == 1


def learn(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["learn", *arguments])


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.tws").write_text(RING)
    found = learn("--puzzle", "ring.tws", "--steps", "30")
    assert found.exit_code == 0, found.output
    assert "written: ring.network, after 30 steps" in found.stderr
    asked = ["solve", "--puzzle", "ring.network", "--option", "max-nodes=20000", "A B A B2"]
    solved = CliRunner().invoke(main, [*asked, "--json"])
    assert solved.exit_code == 0, solved.output
    record = json.loads(solved.stdout)
    assert record["method"] == "learned" and 0 < record["length"] <= 4


@pytest.mark.slow
def test_a_network_is_never_replaced_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "eight.network"
    untrained().save(path)
    old = path.read_bytes()
    found = learn("--puzzle", "eight", "--steps", "1")
    assert found.exit_code == 2 and "eight.network exists already: --output" in found.stderr
    found = learn("--puzzle", "eight.network", "--steps", "1", "--output", "eight.network")
    assert found.exit_code == 2 and "name its puzzle, eight\n" in found.stderr
    assert path.read_bytes() == old
    network = untrained()
    network.about["definition"] = "eight.network"
    network.save(path)
    with pytest.raises(UsageError, match="is a network for another network"):
        load_trained(path)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--puzzle", "cube9"), "did you mean cube"),
        (("--puzzle", "cube2", "--output", "cube2.npz"), "has to end in .network"),
        (("--puzzle", "cube2", "--output", "no/a.network"), "the directory does not exist"),
        (("--puzzle", "cube2", "--metric", "XTM"), "no metric"),
    ],
)
def test_what_cannot_be_learned(arguments: tuple[str, ...], told: str) -> None:
    found = learn(*arguments)
    assert found.exit_code == 2 and told in found.stderr
