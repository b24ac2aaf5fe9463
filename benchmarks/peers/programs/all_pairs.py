"""Plain NumPy: whole arrays, and for the flock all pairs at once."""

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work

LARGEST = 5000
"""All pairs of more would need gigabytes."""


def lengths(vectors: Array) -> Array:
    """Their lengths, kept as a column, zero made one."""
    length = np.sqrt((vectors**2).sum(axis=-1, keepdims=True))
    return np.where(length > 0, length, 1.0)


class Arrays(Running):
    """Position, velocity and heading as arrays."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        self.p = work.numbers
        self.rng = np.random.default_rng(seed)

    def place(self, position: Array, velocity: Array) -> None:
        self.position, self.velocity = position.copy(), velocity.copy()
        self.heading = velocity / lengths(velocity)
        self.wandering = np.tile([1.0, 0.0], (len(position), 1))

    def step(self) -> None:
        p = self.p
        force = self.force()
        force *= np.minimum(1, p["max_force"] / lengths(force))
        self.velocity = self.velocity + force * p["dt"]
        speed = lengths(self.velocity)
        self.velocity *= np.minimum(1, p["max_speed"] / speed)
        self.heading = self.velocity / lengths(self.velocity)
        self.position = self.position + self.velocity * p["dt"]

    def force(self) -> Array:
        """What all want."""
        raise NotImplementedError

    def read(self) -> tuple[Array, Array]:
        return self.position, self.velocity

    def seek(self, target: Array) -> Array:
        """Straight there, at full speed."""
        offset = target - self.position
        return offset / lengths(offset) * self.p["max_speed"] - self.velocity

    def avoid(self) -> tuple[Array, Array]:
        """Away from the first circle in the way, and who has one."""
        p = self.p
        centers, radii = np.array(p["centers"]), np.array(p["radii"])
        offset = centers - self.position[:, None]
        hx, hy = self.heading[:, :1], self.heading[:, 1:]
        ahead = offset[..., 0] * hx + offset[..., 1] * hy
        aside = offset[..., 1] * hx - offset[..., 0] * hy
        with np.errstate(invalid="ignore"):
            touch = ahead - np.sqrt(radii**2 - aside**2)
        reach = p["lookahead"] * np.sqrt((self.velocity**2).sum(axis=1, keepdims=True))
        touch = np.where((ahead > 0) & (np.abs(aside) <= radii) & (touch <= reach), touch, np.inf)
        rows, first = np.arange(len(touch)), touch.argmin(axis=1)
        found = np.isfinite(touch[rows, first])
        push = np.where(aside[rows, first] <= 0, p["max_force"], -p["max_force"]) * found
        return push[:, None] * np.stack([-self.heading[:, 1], self.heading[:, 0]], axis=1), found

    def follow(self) -> Array:
        """Seek the spine ahead of where one will be."""
        p = self.p
        points = np.array(p["path"])
        if p["closed"]:
            points = np.concatenate([points, points[:1]])
        start, way = points[:-1], np.diff(points, axis=0)
        length = lengths(way)[:, 0]
        then = self.position + p["predict"] * self.velocity
        t = (((then[:, None] - start) * way).sum(axis=2) / length).clip(0, length)
        far = ((start + way * (t / length)[..., None] - then[:, None]) ** 2).sum(axis=2)
        rows, best = np.arange(len(then)), far.argmin(axis=1)
        before = np.concatenate([[0.0], np.cumsum(length)])
        s = before[best] + t[rows, best] + p["reach"]
        s = s % before[-1] if p["closed"] else s
        return self.seek(np.stack([np.interp(s, before, points[:, 0]), np.interp(s, before, points[:, 1])], axis=1))


class Flock(Arrays):
    """Separation, alignment, cohesion, of all pairs."""

    def force(self) -> Array:
        p = self.p
        offset = self.position - self.position[:, None]
        d2 = (offset**2).sum(axis=2)
        np.fill_diagonal(d2, np.inf)
        ahead = (offset * self.heading[:, None]).sum(axis=2)
        cosine = np.where(d2 <= p["inner_radius"] ** 2, 2.0, ahead / np.sqrt(d2))

        def seen(part: str) -> Array:
            return ((d2 <= p[f"{part}_radius"] ** 2) & (cosine >= p[f"{part}_cosine"])).astype(float)

        push = -np.einsum("ij,ijk->ik", seen("separation") / d2, offset)
        near = seen("alignment")
        count = near.sum(axis=1, keepdims=True)
        turn = (near @ self.heading / np.maximum(count, 1) - self.heading) * (count > 0)
        pull = np.einsum("ij,ijk->ik", seen("cohesion"), offset)
        return (
            p["separation_weight"] * push / lengths(push)
            + p["alignment_weight"] * turn / lengths(turn)
            + p["cohesion_weight"] * pull / lengths(pull)
        )


class Small(Arrays):
    """Seek + arrive + wander + 2 avoid + follow."""

    def force(self) -> Array:
        p = self.p
        offset = np.array(p["arrive"]) - self.position
        way = lengths(offset)
        speed = np.minimum(p["max_speed"] * way / p["slowing_distance"], p["max_speed"])
        draw = self.rng.uniform(-1, 1, self.wandering.shape)
        walked = self.wandering + p["wander_rate"] * np.sqrt(p["dt"]) * draw
        self.wandering = walked / lengths(walked)
        ahead, aside = p["wander_radius"] * self.wandering.T[..., None]
        left = np.stack([-self.heading[:, 1], self.heading[:, 0]], axis=1)
        return (
            self.seek(np.array(p["seek"]))
            + offset / way * speed
            - self.velocity
            + (p["wander_distance"] + ahead) * self.heading
            + aside * left
            + p["avoid_weight"] * self.avoid()[0]
            + self.follow()
        )


class Avoid(Arrays):
    """Avoid, else seek."""

    def force(self) -> Array:
        away, found = self.avoid()
        return np.where(found[:, None], away, self.seek(np.array(self.p["seek"])))


class Follow(Arrays):
    """Follow the path."""

    def force(self) -> Array:
        return self.follow()


class AllPairs(Peer):
    """Broadcasting."""

    name = "NumPy"
    how = "whole arrays, float64; of the flock all pairs"
    packages = ("numpy",)

    def __init__(self) -> None:
        self.makes = {"flock": Flock, "small": Small, "avoid": Avoid, "path": Follow}

    def can(self, work: Work, n: int) -> str | None:
        if work.name == "flock" and n > LARGEST:
            return f"all pairs of {n:,} take {100 * n * n / 1e9:,.0f} GB"
        return super().can(work, n)
