"""Mesa: agents in its continuous space, as in its own example of boids, with the nine parameters instead of its law.

Its example (fixed speed, one radius, no angles) would do less. Here all agents look before any moves, by `AgentSet.do`.
"""

import math
from typing import Any

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work


def boid_class() -> type:
    """The agent; made when Mesa is there."""
    from mesa.experimental.continuous_space import ContinuousSpaceAgent

    class Boid(ContinuousSpaceAgent):
        """Looks for its neighbors in the space, and moves."""

        def __init__(self, model: Any, space: Any, position: Array, velocity: Array) -> None:
            super().__init__(space, model)
            self.position = position
            self.turn(velocity)
            self.force = np.zeros(2)

        def turn(self, velocity: Array) -> None:
            """Face where it goes."""
            self.velocity = velocity
            self.heading = velocity / max(math.hypot(*velocity), 1e-12)

        def look(self) -> None:
            """What it wants."""
            p = self.model.numbers
            neighbors, distance = self.get_neighbors_in_radius(radius=p["cohesion_radius"])
            self.force = np.zeros(2)
            if not neighbors:
                return
            offset = self.space.calculate_difference_vector(self.position, agents=neighbors)
            ahead = np.where(distance <= p["inner_radius"], 2.0, offset @ self.heading / distance)
            near = (distance <= p["separation_radius"]) & (ahead >= p["separation_cosine"])
            self.add(-(offset[near] / distance[near, None] ** 2).sum(axis=0), p["separation_weight"])
            near = (distance <= p["alignment_radius"]) & (ahead >= p["alignment_cosine"])
            if near.any():
                headings = np.array([each.heading for each, seen in zip(neighbors, near, strict=True) if seen])
                self.add(headings.mean(axis=0) - self.heading, p["alignment_weight"])
            self.add(offset[ahead >= p["cohesion_cosine"]].sum(axis=0), p["cohesion_weight"])

        def add(self, way: Array, weight: float) -> None:
            """A part, normalized."""
            length = math.hypot(*way)
            if length > 0:
                self.force += weight / length * way

        def move(self) -> None:
            """Force and speed truncated."""
            p = self.model.numbers
            self.force *= min(1.0, p["max_force"] / max(math.hypot(*self.force), 1e-12))
            velocity = self.velocity + self.force * p["dt"]
            self.turn(velocity * min(1.0, p["max_speed"] / max(math.hypot(*velocity), 1e-12)))
            self.position = self.position + self.velocity * p["dt"]

    return Boid


class Flock(Running):
    """A model."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        from mesa import Model
        from mesa.experimental.continuous_space import ContinuousSpace

        self.model = Model(seed=seed)
        self.model.numbers = work.numbers
        position, velocity = work.starts(n, seed)
        edge = np.stack([position.min(axis=0) - 1000, position.max(axis=0) + 1000], axis=1)
        space = ContinuousSpace(edge, torus=False, random=self.model.random, n_agents=n)
        boid = boid_class()
        self.boids = [boid(self.model, space, *each) for each in zip(position, velocity, strict=True)]

    def place(self, position: Array, velocity: Array) -> None:
        for boid, p, v in zip(self.boids, position, velocity, strict=True):
            boid.position = p
            boid.turn(v)

    def step(self) -> None:
        self.model.agents.do("look")
        self.model.agents.do("move")

    def read(self) -> tuple[Array, Array]:
        return np.array([boid.position for boid in self.boids]), np.array([boid.velocity for boid in self.boids])


class MesaAgents(Peer):
    """An agent-based model."""

    name = "Mesa"
    how = "agents in its `ContinuousSpace`, after its example of boids"
    packages = ("mesa", "scipy")

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"flock": Flock}
