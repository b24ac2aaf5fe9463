"""Plain Python objects, as programs with pygame have them: everybody asks everybody."""

import math
import random

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work


class Boid:
    """One of them."""

    def __init__(self) -> None:
        self.x = self.y = self.vx = self.vy = self.fx = self.fy = 0.0
        self.hx, self.hy = 1.0, 0.0
        self.wx, self.wy = 1.0, 0.0  # The point that wanders, along the boid's axes.

    def move(self, max_force: float, max_speed: float, dt: float) -> None:
        """Force and speed truncated."""
        force = math.hypot(self.fx, self.fy)
        if force > max_force:
            self.fx *= max_force / force
            self.fy *= max_force / force
        self.vx += self.fx * dt
        self.vy += self.fy * dt
        speed = math.hypot(self.vx, self.vy)
        if speed > max_speed:
            self.vx *= max_speed / speed
            self.vy *= max_speed / speed
            speed = max_speed
        if speed > 1e-6:
            self.hx, self.hy = self.vx / speed, self.vy / speed
        self.x += self.vx * dt
        self.y += self.vy * dt

    def seek(self, x: float, y: float, max_speed: float) -> tuple[float, float]:
        """Straight there, at full speed."""
        dx, dy = x - self.x, y - self.y
        way = math.hypot(dx, dy) or 1.0
        return dx / way * max_speed - self.vx, dy / way * max_speed - self.vy


class Objects(Running):
    """A list of them."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        self.p = work.numbers
        self.boids = [Boid() for _ in range(n)]
        self.random = random.Random(seed)

    def place(self, position: Array, velocity: Array) -> None:
        for boid, (x, y), (vx, vy) in zip(self.boids, position.tolist(), velocity.tolist(), strict=True):
            boid.x, boid.y, boid.vx, boid.vy = x, y, vx, vy
            speed = math.hypot(vx, vy)
            boid.hx, boid.hy = (vx / speed, vy / speed) if speed else (1.0, 0.0)
            boid.wx, boid.wy = 1.0, 0.0

    def step(self) -> None:
        p = self.p
        for boid in self.boids:
            self.steer(boid)
        for boid in self.boids:
            boid.move(p["max_force"], p["max_speed"], p["dt"])

    def steer(self, boid: Boid) -> None:
        """What each wants."""
        raise NotImplementedError

    def read(self) -> tuple[Array, Array]:
        return np.array([[b.x, b.y] for b in self.boids]), np.array([[b.vx, b.vy] for b in self.boids])

    def avoid(self, boid: Boid) -> tuple[float, float] | None:
        """Away from the first circle in the way, with all one has."""
        p = self.p
        nearest, side = p["lookahead"] * math.hypot(boid.vx, boid.vy), None
        for (cx, cy), radius in zip(p["centers"], p["radii"], strict=True):
            dx, dy = cx - boid.x, cy - boid.y
            ahead = dx * boid.hx + dy * boid.hy
            if ahead <= 0:
                continue
            aside = dy * boid.hx - dx * boid.hy
            if abs(aside) > radius:
                continue
            touch = ahead - math.sqrt(radius * radius - aside * aside)
            if touch <= nearest:
                nearest, side = touch, aside
        if side is None:
            return None
        push = p["max_force"] if side <= 0 else -p["max_force"]
        return -boid.hy * push, boid.hx * push

    def follow(self, boid: Boid) -> tuple[float, float]:
        """Seek the spine ahead of where one will be."""
        p = self.p
        points, ahead = p["path"], p["predict"]
        x, y = boid.x + ahead * boid.vx, boid.y + ahead * boid.vy
        best, along, s = math.inf, 0.0, 0.0
        for k in range(len(points) if p["closed"] else len(points) - 1):
            (ax, ay), (bx, by) = points[k], points[(k + 1) % len(points)]
            ex, ey = bx - ax, by - ay
            length = math.hypot(ex, ey)
            t = min(max(((x - ax) * ex + (y - ay) * ey) / length, 0.0), length)
            far = (ax + ex * t / length - x) ** 2 + (ay + ey * t / length - y) ** 2
            if far < best:
                best, along = far, s + t
            s += length
        goal = along + p["reach"]
        goal = goal % s if p["closed"] else min(goal, s)
        for k in range(len(points) if p["closed"] else len(points) - 1):
            (ax, ay), (bx, by) = points[k], points[(k + 1) % len(points)]
            length = math.hypot(bx - ax, by - ay)
            if goal <= length or k == len(points) - 1:
                break
            goal -= length
        part = min(goal / length, 1.0)
        return boid.seek(ax + (bx - ax) * part, ay + (by - ay) * part, p["max_speed"])


class Flock(Objects):
    """Separation, alignment, cohesion."""

    def steer(self, boid: Boid) -> None:
        p = self.p
        x, y, hx, hy = boid.x, boid.y, boid.hx, boid.hy
        far, inner = p["cohesion_radius"] ** 2, p["inner_radius"] ** 2
        near_s, near_a = p["separation_radius"] ** 2, p["alignment_radius"] ** 2
        cos_s, cos_a, cos_c = p["separation_cosine"], p["alignment_cosine"], p["cohesion_cosine"]
        sx = sy = ax = ay = cx = cy = 0.0
        aligned = 0
        for other in self.boids:
            dx, dy = other.x - x, other.y - y
            d2 = dx * dx + dy * dy
            if d2 > far or other is boid or d2 == 0.0:
                continue
            cosine = 2.0 if d2 <= inner else (dx * hx + dy * hy) / math.sqrt(d2)
            if d2 <= near_s and cosine >= cos_s:
                sx -= dx / d2
                sy -= dy / d2
            if d2 <= near_a and cosine >= cos_a:
                ax += other.hx
                ay += other.hy
                aligned += 1
            if cosine >= cos_c:
                cx += dx
                cy += dy
        if aligned:
            ax, ay = ax / aligned - hx, ay / aligned - hy
        fx = fy = 0.0
        for vx, vy, weight in (
            (sx, sy, p["separation_weight"]), (ax, ay, p["alignment_weight"]), (cx, cy, p["cohesion_weight"]),
        ):  # fmt: skip
            length = math.hypot(vx, vy)
            if length > 0:
                fx += weight * vx / length
                fy += weight * vy / length
        boid.fx, boid.fy = fx, fy


class Small(Objects):
    """Seek + arrive + wander + 2 avoid + follow."""

    def steer(self, boid: Boid) -> None:
        p = self.p
        fx, fy = boid.seek(*p["seek"], p["max_speed"])
        dx, dy = p["arrive"][0] - boid.x, p["arrive"][1] - boid.y
        way = math.hypot(dx, dy) or 1.0
        speed = min(p["max_speed"] * way / p["slowing_distance"], p["max_speed"])
        fx += dx / way * speed - boid.vx
        fy += dy / way * speed - boid.vy
        rate = p["wander_rate"] * math.sqrt(p["dt"])
        wx, wy = boid.wx + rate * self.random.uniform(-1, 1), boid.wy + rate * self.random.uniform(-1, 1)
        length = math.hypot(wx, wy) or 1.0
        boid.wx, boid.wy = wx / length, wy / length
        ahead = p["wander_distance"] + p["wander_radius"] * boid.wx
        aside = p["wander_radius"] * boid.wy
        fx += ahead * boid.hx - aside * boid.hy
        fy += ahead * boid.hy + aside * boid.hx
        away = self.avoid(boid)
        if away:
            fx += p["avoid_weight"] * away[0]
            fy += p["avoid_weight"] * away[1]
        on = self.follow(boid)
        boid.fx, boid.fy = fx + on[0], fy + on[1]


class Avoid(Objects):
    """Avoid, else seek."""

    def steer(self, boid: Boid) -> None:
        boid.fx, boid.fy = self.avoid(boid) or boid.seek(*self.p["seek"], self.p["max_speed"])


class Follow(Objects):
    """Follow the path."""

    def steer(self, boid: Boid) -> None:
        boid.fx, boid.fy = self.follow(boid)


class PlainObjects(Peer):
    """A class, a list, loops."""

    name = "plain objects"
    how = "a class with floats and loops over a list, everybody asks everybody"

    def __init__(self) -> None:
        self.makes = {"flock": Flock, "small": Small, "avoid": Avoid, "path": Follow}
