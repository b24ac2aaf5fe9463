"""PySocialForce: pedestrians who push each other, by NumPy and Numba. Another law for the same purpose."""

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.peers.importing import imported_aside
from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work, crowd_goals

LARGEST = 3000
"""It keeps arrays of all pairs."""


class Crowd(Running):
    """A simulator of the package."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        pysocialforce = imported_aside("pysocialforce")  # It opens a log where one stands, for all of Python.
        p = work.numbers
        goals = crowd_goals(n, seed)
        position, _ = work.starts(n, seed)
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "crowd.toml"
            config.write_text(
                f"[scene]\nenable_group = false\nagent_radius = {p['radius']}\nstep_width = {p['dt']}\n"
                f"max_speed_multiplier = {p['max_speed'] / p['walk']}\ntau = 0.5\nresolution = 10\n"
            )
            toward = (goals - position) / np.linalg.norm(goals - position, axis=1, keepdims=True)
            state = np.concatenate([position, p["walk"] * toward, goals], axis=1)  # Its pace is that at the start.
            self.simulator = pysocialforce.Simulator(state, config_file=str(config))

    def place(self, position: Array, velocity: Array) -> None:
        state = self.simulator.peds.state.copy()
        state[:, 0:2], state[:, 2:4] = position, velocity
        self.simulator.peds.state = state
        self.simulator.peds.ped_states = []  # It keeps the states of all steps.

    def step(self) -> None:
        self.simulator.step_once()

    def read(self) -> tuple[Array, Array]:
        state = self.simulator.peds.state
        return state[:, 0:2].copy(), state[:, 2:4].copy()


class SocialForce(Peer):
    """The social force model."""

    name = "PySocialForce"
    how = "its simulator: social forces instead of ORCA"
    packages = ("pysocialforce", "numba")

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"crowd": Crowd}

    def can(self, work: Work, n: int) -> str | None:
        if work.name in self.makes and n > LARGEST:
            return f"its arrays of all pairs of {n:,} take {100 * n * n / 1e9:,.0f} GB"
        return super().can(work, n)
