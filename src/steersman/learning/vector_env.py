"""Gymnasium's environments over many worlds (extra `learn`): a VectorEnv, and an Env for one world.

Importing this module registers `steersman/Pursuit-v0` and the other ready-made tasks.
"""

from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.learning.task import Episodes, Task
from steersman.learning.tasks import TASKS


def space_of(*shape: int, bound: float = np.inf) -> Box:
    """A space of float32 numbers from -bound to bound."""
    return Box(-bound, bound, shape, np.float32)


def as_task(task: Any, control: str | None) -> Task:
    """A task by its name, or the task itself."""
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        raise ValueError(f"task must be a Task, or one of {', '.join(TASKS)}, got {task!r}")
    return TASKS[task]("velocity" if control is None else control)


def choice_of(task: Task) -> Any:
    """The space of one learner's actions: numbers, or which of the modes."""
    return Discrete(task.acted) if task.control == "modes" else space_of(task.acted, bound=1.0)


def as_numbers(task: Task, actions: Array) -> Array:
    """The actions of the space of `choice_of` as the task takes them, shape (..., acted)."""
    if task.control != "modes":
        return actions
    if actions.dtype.kind not in "iu" or ((actions < 0) | (actions >= task.acted)).any():
        raise ValueError(f"modes must be whole numbers from 0 to {task.acted - 1}, got {brief(actions)}")
    return np.eye(task.acted)[actions]


def next_seed(seed: int, episode: int) -> int:
    """The seed of an episode, which depends on the first seed of its world and on how many episodes came before."""
    return seed if episode == 0 else int(np.random.SeedSequence((seed, episode)).generate_state(1)[0])


class WorldsEnv(VectorEnv[Array, Array, Array]):
    """Many worlds of a task as one vector environment: observations (n, k, observed), actions (n, k, acted); modes (n, k).

    The reward of a world is the mean of those of its learners; `infos["rewards"]` has them all, shape (n, k), and
    `infos["done_in"]` the number of actions of an episode that has just ended. A world begins each episode with a seed of its
    own, so its episodes do not depend on the others.

    Args:
        task: A task, or the name of a ready-made one.
        num_envs: The number of worlds.
        control: The meaning of actions, for a name: see Task.
        autoreset_mode: Whether a world that is done begins anew with the next action (which it then ignores), at once (with
            `final_obs` and `final_info`), or when `reset(options={"reset_mask": mask})` says so.
        max_episode_steps: The actions of an episode. Default: the task's.
        threads: The number of threads.
    """

    def __init__(
        self,
        task: Any = "pursuit",
        num_envs: int = 1,
        *,
        control: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.task, self.num_envs = as_task(task, control), num_envs
        self.mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.mode, "render_modes": []}
        if max_episode_steps is not None:
            self.task = copy(self.task)  # Others may have the same one.
            self.task.most = max_episode_steps  # type: ignore[misc]
        self.single_observation_space = space_of(self.task.agents, self.task.observed)
        self.episodes = Episodes(self.task, num_envs, threads)
        agents, acted = self.task.agents, self.task.acted
        self.single_action_space = (
            MultiDiscrete([acted] * agents) if self.task.control == "modes" else space_of(agents, acted, bound=1.0)
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._first = np.zeros(num_envs, np.int64)
        self._episode = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all episodes, or those of `options["reset_mask"]`.

        Args:
            seed: The seed of the first world, the others have the next ones; or one for each. Default: new ones.
            options: See above.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = np.ones(self.num_envs, bool)
        if options is not None and "reset_mask" in options:
            mask = options["reset_mask"]
            if (
                not isinstance(mask, np.ndarray)
                or mask.dtype != bool
                or mask.shape != (self.num_envs,)
                or not mask.any()
            ):
                raise ValueError(
                    f"reset_mask must be a mask of shape ({self.num_envs},) with a world in it, got {mask!r}"
                )
        if seed is None:
            seeds: list[int | None] = [None] * self.num_envs
        else:
            seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there must be one seed for each of {self.num_envs} worlds, got {len(seeds)}")
        drawn = self.np_random.integers(2**31, size=self.num_envs)
        fresh = np.array([int(a if b is None else b) for a, b in zip(drawn, seeds, strict=True)], np.int64)
        self._first[mask], self._episode[mask], self._ended[mask] = fresh[mask], 0, False
        self._begin(mask)
        return self.episodes.observe(), {}

    def _begin(self, which: Array) -> None:
        rows = np.flatnonzero(which)
        seeds = np.array([next_seed(int(self._first[k]), int(self._episode[k])) for k in rows], np.int64)
        self.episodes.begin(which, seeds)
        self._episode[which] += 1

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Do an action in every world.

        Raises:
            ValueError: A mode is not there, or, without autoreset, a world has ended.
        """
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have shape {self.action_space.shape}, got {actions.shape}")
        numbers = as_numbers(self.task, actions)
        begins = self._ended.copy()
        if self.mode is AutoresetMode.DISABLED and begins.any():
            raise ValueError(f"worlds {np.flatnonzero(begins).tolist()} have ended: reset them by reset_mask")
        if begins.any():  # NEXT_STEP
            self._begin(begins)
        rewards, done, cut = self.episodes.act(numbers, ~begins)
        rewards[begins] = 0.0
        done, cut = done & ~begins, cut & ~begins
        ended = done | cut
        observed = self.episodes.observe()
        infos: dict[str, Any] = {"rewards": rewards, "_rewards": ~begins}
        if ended.any():
            infos |= {"done_in": np.where(ended, self.episodes.acts, 0), "_done_in": ended.copy()}
        if self.mode is AutoresetMode.SAME_STEP:
            if ended.any():
                final = np.full(self.num_envs, None, object)
                for k in np.flatnonzero(ended):
                    final[k] = observed[k]
                infos |= {"final_obs": final, "_final_obs": ended.copy()}
                infos |= {
                    "final_info": {"rewards": rewards.copy(), "_rewards": ended.copy()},
                    "_final_info": ended.copy(),
                }
                self._begin(ended)
                observed = self.episodes.observe()
        else:
            self._ended = ended
        return observed, rewards.mean(axis=1), done, cut, infos


class WorldEnv(gymnasium.Env[Array, Array]):
    """One world of a task: observations (k, observed), actions (k, acted); modes (k,).

    Args:
        task: A task, or the name of a ready-made one.
        control: The meaning of actions, for a name: see Task.
        render_mode: None: nothing is drawn.
    """

    metadata: Any = {"render_modes": []}  # noqa: RUF012 # as gymnasium has it

    def __init__(self, task: Any = "pursuit", *, control: str | None = None, render_mode: None = None) -> None:
        self.render_mode = render_mode
        self._many = WorldsEnv(task, 1, control=control, autoreset_mode=AutoresetMode.DISABLED, threads=1)
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        first = int(self.np_random.integers(2**31)) if seed is None else seed
        observed, _ = self._many.reset(seed=first)
        return observed[0], {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Do an action."""
        observed, reward, done, cut, infos = self._many.step(np.asarray(action)[None])
        return observed[0], float(reward[0]), bool(done[0]), bool(cut[0]), {"rewards": infos["rewards"][0]}


def register() -> None:
    """Register the ready-made tasks with gymnasium."""
    for name, task in TASKS.items():
        if f"steersman/{name.capitalize()}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"steersman/{name.capitalize()}-v0",
                entry_point=f"{__name__}:WorldEnv",
                vector_entry_point=f"{__name__}:WorldsEnv",
                max_episode_steps=task.most,
                kwargs={"task": name},
            )


register()
