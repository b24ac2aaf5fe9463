"""RVO2, the library of those who found ORCA, through its bindings."""

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work, crowd_goals


class Crowd(Running):
    """A simulator; what everybody prefers is set anew before every step, as its examples do."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        import rvo2

        p = work.numbers
        self.walk = p["walk"]
        self.goals = crowd_goals(n, seed)
        self.simulator = rvo2.PyRVOSimulator(
            p["dt"],
            p["neighbor_distance"],
            p["neighbors"],
            p["time_horizon"],
            p["time_horizon"],
            p["radius"],
            p["max_speed"],
        )
        for x, y in work.starts(n, seed)[0].tolist():
            self.simulator.addAgent((x, y))
        self.n = n

    def place(self, position: Array, velocity: Array) -> None:
        for k, (here, speed) in enumerate(zip(position.tolist(), velocity.tolist(), strict=True)):
            self.simulator.setAgentPosition(k, tuple(here))
            self.simulator.setAgentVelocity(k, tuple(speed))

    def step(self) -> None:
        simulator = self.simulator
        position = np.array([simulator.getAgentPosition(k) for k in range(self.n)])
        way = self.goals - position
        way *= self.walk / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        for k, wanted in enumerate(way.tolist()):
            simulator.setAgentPrefVelocity(k, tuple(wanted))
        simulator.doStep()

    def read(self) -> tuple[Array, Array]:
        simulator = self.simulator
        position = np.array([simulator.getAgentPosition(k) for k in range(self.n)])
        return position, np.array([simulator.getAgentVelocity(k) for k in range(self.n)])


class RVO2(Peer):
    """ORCA in C++."""

    name = "RVO2"
    how = "its simulator in C++ through Python bindings, wanted velocities set at every step"
    packages = ("pyrvo2-danieldugas",)

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"crowd": Crowd}
