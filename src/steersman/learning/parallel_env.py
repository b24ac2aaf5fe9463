"""PettingZoo's ParallelEnv over one world of a task (extra `learn`): every learner is an agent."""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box
from pettingzoo import ParallelEnv

from steersman.core.typing import Array
from steersman.learning.task import Episodes
from steersman.learning.vector_env import as_numbers, as_task, choice_of, next_seed, space_of

Each = dict[str, Any]


class AgentsEnv(ParallelEnv):  # type: ignore[misc] # it has no types
    """A world of a task, of which every learner is an agent: "learner_0", "learner_1", ...

    Agents that end, end together.

    Args:
        task: A task, or the name of a ready-made one.
        control: The meaning of actions, for a name: see Task.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "steersman", "render_modes": [], "is_parallelizable": True}

    def __init__(self, task: Any = "pursuit", *, control: str | None = None) -> None:
        self.task, self.render_mode = as_task(task, control), None
        self.possible_agents = [f"learner_{k}" for k in range(self.task.agents)]
        self.agents: list[str] = []
        self.observation_spaces = {each: space_of(self.task.observed) for each in self.possible_agents}
        self.action_spaces = {each: choice_of(self.task) for each in self.possible_agents}
        self._episodes = Episodes(self.task, 1, 1)
        self._first, self._episode = int(np.random.SeedSequence().generate_state(1)[0]), 0

    def observation_space(self, agent: str) -> Box:
        """The space of observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Each, Each]:
        """Begin an episode. With a seed, it and all later ones are decided by it."""
        if seed is not None:
            self._first, self._episode = int(seed), 0
        self._episodes.begin(np.ones(1, bool), np.array([next_seed(self._first, self._episode)]))
        self._episode += 1
        self.agents = list(self.possible_agents)
        return self._by_agent(self._episodes.observe()[0]), {each: {} for each in self.agents}

    def step(self, actions: dict[str, Array]) -> tuple[Each, Each, Each, Each, Each]:
        """Do the actions of all agents."""
        numbers = as_numbers(self.task, np.array([actions[each] for each in self.agents]))
        reward, done, cut = self._episodes.act(numbers[None])
        now = self._by_agent(self._episodes.observe()[0])
        outcome: tuple[Each, Each, Each, Each, Each] = (
            now,
            {each: float(value) for each, value in zip(self.agents, reward[0], strict=True)},
            dict.fromkeys(self.agents, bool(done[0])),
            dict.fromkeys(self.agents, bool(cut[0])),
            {each: {} for each in self.agents},
        )
        if done[0] or cut[0]:
            self.agents = []
        return outcome

    def _by_agent(self, rows: Array) -> Each:
        return dict(zip(self.agents, rows, strict=True))
