"""Puzzles as environments of gymnasium, one by one or thousands at once.

>>> import gymnasium, puzzlekit_lab.gym
>>> env = gymnasium.make("puzzlekit/cube3-v0", scramble=1)
>>> state, info = env.reset(seed=1)
>>> state.shape, env.action_space, info["action_mask"].shape
((46,), Discrete(18), (18,))

Importing the module registers each available puzzle; `register` registers others, such as
`pancake-40` or a definition file. It needs `permutation-puzzlekit[gym]`.

- **Observation**: the bytes of the state, as a `MultiDiscrete`: for each orbit the piece at each
  place, then its orientation. `FlattenObservation` makes one-hot vectors of it.
- **Action**: the number of a move, in the order of `env.unwrapped.arrays.names`.
- **Reward**: with `reward="cost"`, minus the cost of the move in the metric, so the return of an
  episode that solves the puzzle is minus the cost of the solution. With `reward="goal"`, 1 for the
  move that solves the puzzle, else 0.
- **End**: an episode terminates when the puzzle is solved, however it is held, and is truncated
  after `max_episode_steps` moves (`EPISODE`).
- **Mask**: `info["action_mask"]` has a 1 for each possible move. An impossible move leaves the
  state as it is and costs as if it had been made.
- **Start**: a random state, each reachable unsolved state equally likely, or the state after
  `scramble` random moves. `reset(options={"scramble": 5})` changes it for one episode, and
  `options={"position": "R U"}` starts at a position of your own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import puzzlekit
from puzzlekit import Solver, UsageError
from puzzlekit_lab.arrays import StateArrays, States

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise UsageError(
        "environments need gymnasium, which is not installed: "
        "pip install 'permutation-puzzlekit[gym]'"
    ) from None

__all__ = ["PuzzleEnv", "PuzzleVectorEnv", "register"]

NAMESPACE = "puzzlekit"
EPISODE = 200  # moves, after which an episode is truncated by default
REWARDS = ("cost", "goal")


class _Task:
    """What both kinds of environments share: the states, the rewards, the starts."""

    def __init__(
        self, puzzle: str | Solver, metric: str | None, scramble: int | None, reward: str
    ) -> None:
        self.solver = puzzle if isinstance(puzzle, Solver) else puzzlekit.load(puzzle)
        self.arrays = StateArrays(self.solver, metric)
        if reward not in REWARDS:
            raise UsageError(f"there is no reward {reward!r}; there are {', '.join(REWARDS)}")
        self.reward = reward
        self.scramble = _checked(scramble)
        self.observations = spaces.MultiDiscrete(self.arrays.values, dtype=np.uint8)
        self.actions = spaces.Discrete(len(self.arrays))

    def starts(self, count: int, scramble: int | None, rng: np.random.Generator) -> States:
        """Return unsolved states to start with."""
        found = np.empty((count, self.arrays.width), dtype=np.uint8)
        missing = np.arange(count)
        while len(missing):
            if scramble is None:
                found[missing] = self.arrays.random(len(missing), rng)
            else:
                found[missing] = self.arrays.walks(np.full(len(missing), scramble), rng)
            missing = missing[self.arrays.is_solved(found[missing])]
        return found

    def rewards(self, actions: Any, solved: NDArray[np.bool_]) -> NDArray[np.float64]:
        if self.reward == "goal":
            return solved.astype(np.float64)
        costs: NDArray[np.float64] = self.arrays.costs[actions] * -1.0
        return costs

    def mask(self, states: States) -> NDArray[np.int8]:
        return self.arrays.possible(states).astype(np.int8)


def _checked(scramble: Any) -> int | None:
    if scramble is not None and (not isinstance(scramble, int) or scramble < 1):
        raise UsageError(f"scramble={scramble!r}: give a whole number of moves from 1, or None")
    return scramble


def _known(options: dict[str, Any] | None, *names: str) -> dict[str, Any]:
    """Return the options of a reset; raise UsageError for one that has no meaning there."""
    given = options or {}
    if unknown := [repr(name) for name in given if name not in names]:
        raise UsageError(f"no option {', '.join(unknown)}; the options are {', '.join(names)}")
    return given


class PuzzleEnv(gymnasium.Env[States, np.int64]):
    """A puzzle to be solved; see `puzzlekit_lab.gym` for the observations, actions and rewards.

    Parameters
    ----------
    puzzle
        Name of a puzzle, path of a definition file, or a `Solver`.
    metric
        The metric of the costs. Default: the first metric of the puzzle.
    scramble
        Number of random moves of the start. Default: each reachable state is equally likely.
    reward
        "cost" or "goal".
    render_mode
        "ansi": `render` returns the net, the grid or the numbers of the state as text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        puzzle: str | Solver = "cube3",
        metric: str | None = None,
        scramble: int | None = None,
        reward: str = "cost",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise UsageError(f"there is no render mode {render_mode!r}; there is ansi")
        self._task = _Task(puzzle, metric, scramble, reward)
        #: The moves and costs of the actions.
        self.arrays = self._task.arrays
        self.observation_space = self._task.observations
        self.action_space = self._task.actions
        self.render_mode = render_mode
        self._state = self.arrays.solved(1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[States, dict[str, Any]]:
        """Start an episode. The options are `scramble` and `position`."""
        super().reset(seed=seed)
        given = _known(options, "scramble", "position")
        if "position" in given:
            self._state = self.arrays.of([self._task.solver.state(given["position"])])
        else:
            scramble = _checked(given.get("scramble", self._task.scramble))
            self._state = self._task.starts(1, scramble, self.np_random)
        return self._state[0].copy(), self._info()

    def step(self, action: np.int64 | int) -> tuple[States, float, bool, bool, dict[str, Any]]:
        """Do the move with a number."""
        actions = np.array([action], dtype=np.intp)
        self._state = self.arrays.step(self._state, actions)
        solved = self.arrays.is_solved(self._state)
        reward = float(self._task.rewards(actions, solved)[0])
        return self._state[0].copy(), reward, bool(solved[0]), False, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._task.mask(self._state)[0]}

    def render(self) -> str | None:
        """Return the state as text in the render mode "ansi"."""
        if self.render_mode is None:
            return None
        state = self._state[0].tobytes()
        return self._task.solver.net(state) if self.arrays.puzzle.has_facelets else state.hex()


class PuzzleVectorEnv(VectorEnv[States, NDArray[np.int64], NDArray[Any]]):
    """Many copies of a puzzle, which step at once; see `PuzzleEnv` for the parameters.

    An episode that has ended starts again at the next step, whose action is ignored
    (`AutoresetMode.NEXT_STEP`). Without restricted moves, `info["action_mask"]` is always the same
    array of ones.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        puzzle: str | Solver = "cube3",
        metric: str | None = None,
        scramble: int | None = None,
        reward: str = "cost",
        max_episode_steps: int = EPISODE,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise UsageError("a vector environment has no render mode")
        self._task = _Task(puzzle, metric, scramble, reward)
        #: The moves and costs of the actions.
        self.arrays = self._task.arrays
        self.num_envs = num_envs
        self.single_observation_space = self._task.observations
        self.single_action_space = self._task.actions
        self.observation_space = batch_space(self._task.observations, num_envs)
        self.action_space = batch_space(self._task.actions, num_envs)
        self._most = max_episode_steps
        self._scramble = self._task.scramble
        self._states = self.arrays.solved(num_envs)
        self._moves = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._all = np.ones((num_envs, len(self.arrays)), dtype=np.int8)
        self._all.flags.writeable = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[States, dict[str, Any]]:
        """Start all episodes. The option `scramble` holds until the next reset."""
        super().reset(seed=seed)
        given = _known(options, "scramble")
        self._scramble = _checked(given.get("scramble", self._task.scramble))
        self._states = self._task.starts(self.num_envs, self._scramble, self.np_random)
        self._moves[:] = 0
        self._ended[:] = False
        return self._states.copy(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[States, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Do a move in each copy, and start again where the episode had ended."""
        states = self.arrays.step(self._states, actions)
        self._moves += 1
        (again,) = self._ended.nonzero()
        if len(again):
            states[again] = self._task.starts(len(again), self._scramble, self.np_random)
            self._moves[again] = 0
        solved = self.arrays.is_solved(states)
        rewards = self._task.rewards(actions, solved)
        rewards[again] = 0
        truncated = (self._moves >= self._most) & ~solved
        self._states, self._ended = states, solved | truncated
        return states.copy(), rewards, solved, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        if not self.arrays.restricted:
            return {"action_mask": self._all}
        return {"action_mask": self._task.mask(self._states)}


def register(puzzle: str, name: str | None = None, **options: Any) -> str:
    """Register an environment of a puzzle, and return its id, such as "puzzlekit/cube3-v0".

    `puzzle` is a name or the path of a definition file, `name` the name in the id, and `options`
    are the defaults of the parameters of `PuzzleEnv`, or `max_episode_steps`.

    >>> register("pancake-10", max_episode_steps=30)
    'puzzlekit/pancake-10-v0'
    """
    identity = f"{NAMESPACE}/{name or puzzle}-v0"
    most = options.pop("max_episode_steps", EPISODE)
    gymnasium.register(
        identity,
        entry_point=f"{__name__}:PuzzleEnv",
        vector_entry_point=f"{__name__}:PuzzleVectorEnv",
        max_episode_steps=most,
        kwargs={"puzzle": puzzle, **options},
    )
    return identity


for _puzzle in puzzlekit.available():
    if f"{NAMESPACE}/{_puzzle}-v0" not in gymnasium.registry:
        register(_puzzle)
