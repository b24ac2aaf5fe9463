"""Agents of Mesa (3.2 to 4) that are steered: those of its experimental ContinuousSpace as the vehicles of a world.

    class Boids(mesa.Model):
        def __init__(self, n=100, rng=None):
            super().__init__(rng=rng)
            self.space = ContinuousSpace([[0, 100], [0, 100]], torus=True, random=self.random, n_agents=n)
            birds = [ContinuousSpaceAgent(self.space, self) for _ in range(n)]
            self.flock = Agents(self.space, birds, self.rng.uniform(0, 100, (n, 2)), max_speed=5, max_force=10)
            self.world = sm.World(domain=domain_of(self.space), dt=0.1)
            self.world.add(self.flock.vehicles, steering=sm.Flocking())
        def step(self):
            self.flock.read()
            self.world.step()
            self.flock.write()

Positions go over as one array, `space.agent_positions`; nothing is called for each agent. Agents that are not steered may
live in the same space, and what Mesa does with the steered ones (move, remove) holds.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

from steersman.core.environment.domains.box import Box
from steersman.core.environment.domains.torus import Torus
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


def domain_of(space: ContinuousSpace) -> Torus | Box:
    """The domain of a world that has the edges of a space: a Torus, or a Box where they are not joined."""
    low, high = np.asarray(space.dimensions, np.float64).T
    return Torus(high - low, low) if space.torus else Box(high - low, low)


class Agents:
    """Agents of a space as vehicles. An agent that is removed leaves the vehicles, and the other way round.

    Args:
        space: The space.
        agents: The agents, which live in it.
        position: Where they are [m], shape (n, d). Default: where they are in the space.
        velocity: Their velocities [m/s], shape (n, d). Default: they rest.
        columns: Further columns of `Vehicles`.

    Attributes:
        vehicles: The vehicles, in the order of `agents`. Ids are those of Mesa (`unique_id`).
        writes: How often positions have been written to the space.

    Raises:
        ValueError: An agent is not in the space, a position is outside of a space without joined edges, or there is no agent
            at all.
    """

    def __init__(
        self,
        space: ContinuousSpace,
        agents: Iterable[ContinuousSpaceAgent],
        position: Any = None,
        velocity: Any = None,
        **columns: Any,
    ) -> None:
        self.space = space
        self._agents = {int(agent.unique_id): agent for agent in agents}
        self._active: list[ContinuousSpaceAgent] = []
        self._ids: Array = np.empty(0, np.int64)
        self._rows: Array | slice = slice(None)
        places = [self._place_of(agent) for agent in self._agents.values()]
        if not places:
            raise ValueError("agents must be at least one, got none")
        self.vehicles = Vehicles(
            np.array(places) if position is None else position, velocity, id=list(self._agents), **columns
        )
        self._written, self.writes = np.empty(0), 0
        self.write()

    def _place_of(self, agent: ContinuousSpaceAgent) -> Array:
        if agent.space is not self.space:
            raise ValueError(f"agents must live in the space, got agent {agent.unique_id}, which does not")
        return np.array(agent.position, np.float64)

    def agent_of(self, id: int) -> ContinuousSpaceAgent:
        """The agent of the vehicle with an id."""
        return self._agents[int(id)]

    def add(self, agent: ContinuousSpaceAgent, velocity: Any = None, **columns: Any) -> None:
        """Let one more agent of the space be a vehicle, where it is.

        Args:
            agent: The agent; its place must have been set.
            velocity: Its velocity [m/s], shape (d,). Default: it rests.
            columns: Columns of the new vehicle, as for `Vehicles.spawn`.
        """
        place = self._place_of(agent)
        self._agents[int(agent.unique_id)] = agent
        self.vehicles.spawn([place], None if velocity is None else [velocity], id=[int(agent.unique_id)], **columns)

    def read(self) -> None:
        """Let the vehicles be where Mesa has moved or removed their agents. Call it before `world.step`."""
        rows = self._look()
        places = self.space.agent_positions[rows]
        if not np.array_equal(places, self._written):
            self.vehicles.position = places

    def write(self) -> None:
        """Let the agents be where the vehicles are; those of vehicles that are gone are removed. Call it after the step.

        Raises:
            ValueError: A vehicle is outside of a space without joined edges, or has no agent.
        """
        rows = self._look()
        places = np.asarray(self.vehicles.position, np.float64)
        low, high = np.asarray(self.space.dimensions).T
        if len(places) and (places.min(axis=0) < low).any() | (places.max(axis=0) > high).any():
            if not self.space.torus:
                outside = self._ids[((places < low) | (places > high)).any(axis=1)]
                raise ValueError(
                    f"vehicles must be inside of the space: give the world domain_of(space), got vehicle {outside[0]} outside"
                )
            places = self.space.torus_correct(places)
        self.space.agent_positions[rows] = places
        self._written, self.writes = self.space.agent_positions[rows].copy(), self.writes + 1

    def _look(self) -> Array | slice:
        """The rows of the vehicles among those of the space, after both have lost what the other has lost."""
        active = self.space.active_agents
        if np.array_equal(self._ids, self.vehicles.id) and self._active == active:
            return self._rows
        alive = set(self.vehicles.id.tolist())
        if strangers := alive - self._agents.keys():
            raise ValueError(f"each vehicle must have an agent (`add`), got vehicle {min(strangers)} without one")
        for id in self._agents.keys() - alive:
            agent = self._agents.pop(id)
            if agent.space is self.space:
                agent.remove()
        row_of = {agent: row for row, agent in enumerate(active)}
        gone = [id for id, agent in self._agents.items() if agent not in row_of]
        if gone:
            self.vehicles.remove(gone)
            for id in gone:
                del self._agents[id]
        self._active, self._ids = list(active), self.vehicles.id.copy()
        rows = np.array([row_of[self._agents[id]] for id in self._ids.tolist()], np.intp)
        every = len(rows) == len(active) and np.array_equal(rows, np.arange(len(rows)))
        self._rows = slice(None) if every else rows
        return self._rows


def portrayal(*names: str, color: Any = "tab:blue", size: float = 60.0) -> Callable[[ContinuousSpaceAgent], Any]:
    """How Mesa draws steered agents (`SpaceRenderer.render`): darts that look where the vehicles face.

    Args:
        names: Under which names the model has its `Agents`, such as "flock" for `model.flock`; a model that SolaraViz has
            begun anew has others of the same name. Agents that none of them has are drawn as gray dots.
        color: A color, or a function of the agent that returns one.
        size: The size of the darts [points^2].
    """
    from matplotlib.markers import MarkerStyle
    from matplotlib.path import Path
    from mesa.visualization.components import AgentPortrayalStyle

    darts = [MarkerStyle(Path(corners)) for corners in darts_of(np.radians(np.arange(0, 360, 5)))]
    turned: dict[str, tuple[Any, dict[int, int]]] = {}

    def draw(agent: ContinuousSpaceAgent) -> Any:
        for name in names:
            group = getattr(agent.model, name)
            moment = (group, group.writes)
            if name not in turned or turned[name][0] != moment:  # Once a drawing for all.
                numbers = np.rint(np.degrees(group.vehicles.heading) / 5).astype(int) % len(darts)
                turned[name] = moment, dict(zip(group.vehicles.id.tolist(), numbers.tolist(), strict=True))
            number = turned[name][1].get(agent.unique_id)
            if number is not None:
                shade = color(agent) if callable(color) else color
                return AgentPortrayalStyle(color=shade, size=size, marker=darts[number])
        return AgentPortrayalStyle(color="gray", size=0.4 * size)

    return draw


def darts_of(angles: Array) -> Array:
    """Darts about 2 long that face along angles [rad] of shape (k,): corners of shape (k, 5, 2), the nose first."""
    shape = np.array([[1.0, 0.0], [-0.8, 0.6], [-0.4, 0.0], [-0.8, -0.6], [1.0, 0.0]])
    turns = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=1).reshape(-1, 2, 2)
    return np.asarray(shape @ turns.swapaxes(1, 2))
