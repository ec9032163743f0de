"""The environments of gymnasium, and the arrays of states below them."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

import numpy as np
import pytest

import puzzlekit
from puzzlekit.errors import NotationError, UsageError
from puzzlekit_lab.arrays import StateArrays

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from puzzlekit_lab.gym import PuzzleEnv, PuzzleVectorEnv, register  # noqa: E402


@pytest.mark.parametrize("name", ["cube2", "eight", "square1", "ivy", "pancake-6"])
def test_moves_of_arrays_are_those_of_the_puzzle(name: str) -> None:
    """Moves, masks and children against `Puzzle.apply`; of the Square-1, moves may be barred."""
    arrays = StateArrays(puzzlekit.load(name))
    puzzle = arrays.puzzle
    rng = np.random.default_rng(1)
    states = np.vstack([arrays.walks(rng.integers(0, 25, 10), rng), arrays.random(5, rng)])
    children, possible = arrays.children(states), arrays.possible(states)
    for action, name_of_move in enumerate(arrays.names):
        moves = puzzle.moves(name_of_move)
        after = arrays.step(states, np.full(len(states), action))
        assert (after == children[:, action]).all()
        for state, moved, allowed in zip(states, after, possible[:, action], strict=True):
            try:
                expected = puzzle.apply(state.tobytes(), moves)
            except NotationError:
                assert not allowed
                expected = state.tobytes()
            else:
                assert allowed
            assert moved.tobytes() == expected
    assert arrays.restricted == (not possible.all())
    assert (arrays.of([puzzle.solved]) < arrays.values).all() and (states < arrays.values).all()


@pytest.mark.parametrize("action", [-1, 9, 10**9])
def test_numbers_that_no_move_has(action: int) -> None:
    """A negative number is no move counted from the end."""
    arrays = StateArrays(puzzlekit.load("cube2"))
    with pytest.raises(UsageError, match=f"there is no move {action}: .* from 0 to 8"):
        arrays.step(arrays.solved(2), [0, action])


def test_solved_however_it_is_held() -> None:
    arrays = StateArrays(puzzlekit.load("cube2"))
    states = arrays.of(sorted(arrays.puzzle.solved_states))
    assert len(states) == 24 and arrays.is_solved(states).all()
    assert not arrays.is_solved(arrays.children(states).reshape(-1, arrays.width)).any()


def test_random_walks() -> None:
    """No two turns of one face follow each other, so two of three pairs of moves differ."""
    arrays = StateArrays(puzzlekit.load("cube2"))
    rng = np.random.default_rng(1)
    assert not arrays.is_solved(arrays.walks([1, 2] * 50, rng)).any()
    assert arrays.is_solved(arrays.walks([0], rng)).all()
    again = [arrays.walks([9] * 3, np.random.default_rng(5)) for _ in range(2)]
    assert (again[0] == again[1]).all()
    tiles = StateArrays(puzzlekit.load("eight"))
    assert not tiles.is_solved(tiles.walks([2] * 20, rng)).any()  # no move undoes the one before


@pytest.mark.parametrize("name", ["cube3", "fifteen"])
def test_the_checker_of_gymnasium(name: str) -> None:
    env = gymnasium.make(f"puzzlekit/{name}-v0", render_mode="ansi")
    check_env(env.unwrapped)
    env.reset(seed=1)
    assert len(env.render()) > 15


def test_an_episode() -> None:
    env = gymnasium.make("puzzlekit/cube2-v0")
    _, info = env.reset(seed=1, options={"position": "R U"})
    arrays = env.unwrapped.arrays
    assert info["action_mask"].tolist() == [1] * 9
    _, reward, terminated, _, _ = env.step(arrays.names.index("U'"))
    assert (reward, terminated) == (-1.0, False)
    state, reward, terminated, truncated, _ = env.step(arrays.names.index("R'"))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert state.tobytes() == arrays.puzzle.solved
    quarter = PuzzleEnv("cube2", metric="QTM", reward="cost")
    quarter.reset(options={"scramble": 1})
    assert quarter.step(arrays.names.index("R2"))[1] == -2.0


def test_masks_of_guards() -> None:
    env = PuzzleEnv("eight", scramble=3)
    _, info = env.reset(seed=4)
    for _ in range(20):
        (barred,) = np.flatnonzero(info["action_mask"] == 0)[:1].tolist() or [None]
        if barred is not None:
            before = env.render_mode, env._state.copy()
            state, *_ = env.step(barred)
            assert (state == before[1]).all()
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, _, _, info = env.step(action)


@pytest.mark.parametrize("name", ["cube2", "eight"])
def test_many_at_once_do_what_each_does(name: str) -> None:
    """Each copy of a vector environment does what `PuzzleEnv` does from the same state."""
    vector = gymnasium.make_vec(f"puzzlekit/{name}-v0", num_envs=7, scramble=1)
    assert isinstance(vector, PuzzleVectorEnv) and vector.single_action_space.n > 3
    states, info = vector.reset(seed=3)
    rng = np.random.default_rng(1)
    ended = np.zeros(7, dtype=bool)
    seen: list[Any] = []
    single = PuzzleEnv(name)
    for _ in range(60):
        actions = rng.integers(vector.single_action_space.n, size=7)
        before = states
        states, rewards, done, cut, info = vector.step(actions)
        assert vector.observation_space.contains(states)
        for i in range(7):
            if ended[i]:
                assert rewards[i] == 0 and not done[i] and not cut[i]
                continue
            single._state = before[i : i + 1]
            state, reward, terminated, _, told = single.step(actions[i])
            assert (state == states[i]).all() and (reward, terminated) == (rewards[i], done[i])
            assert (told["action_mask"] == info["action_mask"][i]).all()
        ended = done | cut
        seen += done.tolist()
    assert any(seen), "no episode ended"


def test_episodes_are_cut_off() -> None:
    vector = gymnasium.make_vec("puzzlekit/cube3-v0", num_envs=2, max_episode_steps=3)
    vector.reset(seed=1)
    cut = [vector.step(np.zeros(2, dtype=np.int64))[3].all() for _ in range(8)]
    assert cut == [False, False, True, False, False, False, True, False]


def test_a_puzzle_of_ones_own() -> None:
    identity = register("pancake-5", "stack", reward="goal", scramble=1)
    assert identity == "puzzlekit/stack-v0"
    env = gymnasium.make(identity)
    env.reset(seed=1)
    rewards = {env.step(action)[1] for action in range(4) for _ in range(2)}
    assert rewards == {0.0, 1.0}


@pytest.mark.parametrize(
    ("options", "told"),
    [({"scramble": 0}, "from 1"), ({"reward": "x"}, "cost, goal"), ({"metric": "AXHT"}, "machine")],
)
def test_what_cannot_be(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        PuzzleEnv("cube3", **options)


def test_a_million_steps_a_second() -> None:
    """At least a tenth of that, however slow the machine is."""
    vector = PuzzleVectorEnv(4096, "cube3", scramble=20)
    vector.reset(seed=1)
    actions = vector.action_space.sample()
    begun = time.process_time()
    for _ in range(25):
        vector.step(actions)
    assert 25 * 4096 / (time.process_time() - begun) > 100_000


def test_gymnasium_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "puzzlekit_lab.gym")
    with pytest.raises(UsageError, match=r"pip install 'permutation-puzzlekit\[gym\]'"):
        importlib.import_module("puzzlekit_lab.gym")


@pytest.mark.parametrize("made", [PuzzleEnv("cube2"), PuzzleVectorEnv(2, "cube2")])
def test_options_of_a_reset_that_mean_nothing_are_refused(made: Any) -> None:
    with pytest.raises(UsageError, match=r"no option 'scrambles'; the options are scramble"):
        made.reset(options={"scrambles": 3})
