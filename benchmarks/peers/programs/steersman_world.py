"""This library, by its public face; the same laws as everybody's, some of which are options."""

import math

import numpy as np

import steersman as sm
from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import CROWD, FLOCK, Array, Work, crowd_goals


class InWorld(Running):
    """A world of one population."""

    def __init__(self, work: Work, n: int, seed: int, threads: int, steering: sm.Behavior, **columns: float) -> None:
        position, velocity = work.starts(n, seed)
        numbers = {"max_speed": work.numbers["max_speed"], "mass": 1.0, "response_time": 1.0} | columns
        self.vehicles = sm.Vehicles(position, velocity, **numbers)
        self.world = sm.World(seed=seed, dt=work.dt, threads=threads)
        self.world.add(self.vehicles, steering=steering)
        self.step = self.world.step  # type: ignore[method-assign]

    def place(self, position: Array, velocity: Array) -> None:
        self.vehicles.position[:] = position
        self.vehicles.velocity[:] = velocity
        speed = np.linalg.norm(velocity, axis=1, keepdims=True)
        moving = speed[:, 0] > 0
        self.vehicles.forward[moving] = (velocity / np.maximum(speed, 1e-12))[moving]

    def step(self) -> None:
        self.world.step()

    def read(self) -> tuple[Array, Array]:
        return self.vehicles.position.astype(float), self.vehicles.velocity.astype(float)


def flocking() -> sm.Behavior:
    """Reynolds' nine parameters, each part normalized."""
    wide = {f"{part}_angle": 2 * math.acos(FLOCK[f"{part}_cosine"]) for part in ("separation", "alignment", "cohesion")}
    radii = {f"{part}_radius": FLOCK[f"{part}_radius"] for part in ("separation", "alignment", "cohesion")}
    weights = {
        f"{part}_weight": FLOCK[f"{part}_weight"] / FLOCK["max_force"]
        for part in ("separation", "alignment", "cohesion")
    }
    return sm.Flocking(
        **wide, **radii, **weights, inner_radius=FLOCK["inner_radius"], each="normalize", separation_fade=False,
        alignment_law="forward",
    )  # fmt: skip


class Steersman(Peer):
    """A World, by so many threads."""

    packages = ("numpy", "numba")

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.name = "steersman" if threads == 1 else f"steersman, {threads} threads"
        self.how = f"`World.step`, float32, {threads} thread{'s' * (threads > 1)}"
        self.makes = {
            "flock": self.flock, "small": self.small, "avoid": self.avoid, "path": self.path, "crowd": self.crowd,
        }  # fmt: skip

    def versions(self) -> str:
        return f"steersman {sm.__version__} {super().versions()}"

    def flock(self, work: Work, n: int, seed: int) -> Running:
        return InWorld(work, n, seed, self.threads, flocking(), max_force=work.numbers["max_force"])

    def small(self, work: Work, n: int, seed: int) -> Running:
        p = work.numbers
        force = p["max_force"]
        steering = (
            sm.Seek(p["seek"])
            + sm.Arrive(p["arrive"], slowing_distance=p["slowing_distance"])
            + sm.Wander(
                "jitter",
                distance=p["wander_distance"] / force,
                strength=p["wander_radius"] / force,
                rate=p["wander_rate"],
            )
            + p["avoid_weight"] * self.avoiding(p)
            + self.following(p)
        )
        return InWorld(work, n, seed, self.threads, steering, max_force=force)

    def avoid(self, work: Work, n: int, seed: int) -> Running:
        p = work.numbers
        steering = sm.Priority([self.avoiding(p), sm.Seek(p["seek"])])
        return InWorld(work, n, seed, self.threads, steering, max_force=p["max_force"])

    def path(self, work: Work, n: int, seed: int) -> Running:
        return InWorld(work, n, seed, self.threads, self.following(work.numbers), max_force=work.numbers["max_force"])

    def crowd(self, work: Work, n: int, seed: int) -> Running:
        steering = sm.ORCA(
            radius=CROWD["neighbor_distance"], k=CROWD["neighbors"], time_horizon=CROWD["time_horizon"],
            toward=sm.Seek(crowd_goals(n, seed), speed=CROWD["walk"]),
        )  # fmt: skip
        return InWorld(
            work, n, seed, self.threads, steering, max_force=1000.0, radius=CROWD["radius"], response_time=work.dt
        )

    @staticmethod
    def avoiding(p: dict) -> sm.Behavior:
        """The paper's: all of max_force away from the first circle in the way."""
        rocks = sm.Spheres(p["centers"], p["radii"])
        return sm.AvoidObstacles(rocks, lookahead=p["lookahead"], magnitude="full", clearance=0.0, stops=False)

    @staticmethod
    def following(p: dict) -> sm.Behavior:
        """Seek the spine ahead of where one will be."""
        road = sm.Path(p["path"], radius=p["path_radius"], closed=p["closed"])
        return sm.FollowPath(road, law="predicted", lookahead=p["predict"], reach=p["reach"], end="seek")
