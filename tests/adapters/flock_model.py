"""A model of Mesa whose agents are steered."""

import mesa
import numpy as np
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

import steersman as sm
from steersman.adapters.mesa import Agents, domain_of


class Model(mesa.Model):
    """Birds that seek a point, beside agents that are not steered."""

    def __init__(self, n=5, torus=True, goal=(50.0, 50.0), others=2, rng=None):
        super().__init__(rng=rng)
        self.space = ContinuousSpace([[-10, 90], [0, 80]], torus=torus, random=self.random, n_agents=n + others)
        self.rest = [self.at([40 + k, 40]) for k in range(others)]
        birds = [ContinuousSpaceAgent(self.space, self) for _ in range(n)]
        place = np.stack([np.linspace(-8, 80, n), np.linspace(70, 5, n)], axis=1)
        self.flock = Agents(self.space, birds, place, max_speed=4, max_force=20)
        self.world = sm.World(domain=domain_of(self.space), dt=0.1)
        self.world.add(self.flock.vehicles, steering=sm.Seek(goal))

    def at(self, place):
        agent = ContinuousSpaceAgent(self.space, self)
        agent.position = np.array(place, float)
        return agent

    def step(self):
        self.flock.read()
        self.world.step()
        self.flock.write()
