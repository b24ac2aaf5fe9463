"""Numba as a tutorial would have it: the loops one would write in Python, with @njit on top."""

import math

import numpy as np
from numba import njit  # noqa: TID251 - this is not the library's code

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.programs.all_pairs import Arrays
from benchmarks.peers.work import Array, Work


@njit(cache=True)
def flock_forces(position, heading, radii, cosines, weights, inner, force):
    """Everybody asks everybody."""
    n = len(position)
    for i in range(n):
        sx = sy = ax = ay = cx = cy = 0.0
        count = 0
        for j in range(n):
            if i == j:
                continue
            dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            d2 = dx * dx + dy * dy
            if d2 > radii[2] ** 2 or d2 == 0.0:
                continue
            cosine = 2.0
            if d2 > inner * inner:
                cosine = (dx * heading[i, 0] + dy * heading[i, 1]) / math.sqrt(d2)
            if d2 <= radii[0] ** 2 and cosine >= cosines[0]:
                sx -= dx / d2
                sy -= dy / d2
            if d2 <= radii[1] ** 2 and cosine >= cosines[1]:
                ax += heading[j, 0]
                ay += heading[j, 1]
                count += 1
            if cosine >= cosines[2]:
                cx += dx
                cy += dy
        if count > 0:
            ax, ay = ax / count - heading[i, 0], ay / count - heading[i, 1]
        s, a, c = math.hypot(sx, sy), math.hypot(ax, ay), math.hypot(cx, cy)
        force[i, 0] = force[i, 1] = 0.0
        if s > 0:
            force[i, 0] += weights[0] * sx / s
            force[i, 1] += weights[0] * sy / s
        if a > 0:
            force[i, 0] += weights[1] * ax / a
            force[i, 1] += weights[1] * ay / a
        if c > 0:
            force[i, 0] += weights[2] * cx / c
            force[i, 1] += weights[2] * cy / c


@njit(cache=True)
def move(position, velocity, heading, force, max_force, max_speed, dt):
    """Force and speed truncated."""
    for i in range(len(position)):
        strength = math.hypot(force[i, 0], force[i, 1])
        if strength > max_force:
            force[i] *= max_force / strength
        velocity[i] += force[i] * dt
        speed = math.hypot(velocity[i, 0], velocity[i, 1])
        if speed > max_speed:
            velocity[i] *= max_speed / speed
            speed = max_speed
        if speed > 1e-6:
            heading[i] = velocity[i] / speed
        position[i] += velocity[i] * dt


@njit(cache=True)
def avoid(position, velocity, heading, i, centers, radii, lookahead, max_force):
    """Away from the first circle in the way."""
    nearest = lookahead * math.hypot(velocity[i, 0], velocity[i, 1])
    side, found = 0.0, False
    for k in range(len(radii)):
        dx, dy = centers[k, 0] - position[i, 0], centers[k, 1] - position[i, 1]
        ahead = dx * heading[i, 0] + dy * heading[i, 1]
        aside = dy * heading[i, 0] - dx * heading[i, 1]
        if ahead > 0 and abs(aside) <= radii[k]:
            touch = ahead - math.sqrt(radii[k] ** 2 - aside**2)
            if touch <= nearest:
                nearest, side, found = touch, aside, True
    if not found:
        return 0.0, 0.0, False
    push = max_force if side <= 0 else -max_force
    return -heading[i, 1] * push, heading[i, 0] * push, True


@njit(cache=True)
def seek(position, velocity, i, x, y, max_speed):
    """Straight there, at full speed."""
    dx, dy = x - position[i, 0], y - position[i, 1]
    way = math.hypot(dx, dy)
    if way == 0.0:
        return -velocity[i, 0], -velocity[i, 1]
    return dx / way * max_speed - velocity[i, 0], dy / way * max_speed - velocity[i, 1]


@njit(cache=True)
def follow(position, velocity, i, points, closed, predict, reach, max_speed):
    """Seek the spine ahead of where one will be."""
    x, y = position[i, 0] + predict * velocity[i, 0], position[i, 1] + predict * velocity[i, 1]
    many = len(points) if closed else len(points) - 1
    best, along, s = math.inf, 0.0, 0.0
    for k in range(many):
        start, stop = points[k], points[(k + 1) % len(points)]
        ex, ey = stop[0] - start[0], stop[1] - start[1]
        length = math.hypot(ex, ey)
        t = min(max(((x - start[0]) * ex + (y - start[1]) * ey) / length, 0.0), length)
        far = (start[0] + ex * t / length - x) ** 2 + (start[1] + ey * t / length - y) ** 2
        if far < best:
            best, along = far, s + t
        s += length
    goal = (along + reach) % s if closed else min(along + reach, s)
    for k in range(many):
        start, stop = points[k], points[(k + 1) % len(points)]
        length = math.hypot(stop[0] - start[0], stop[1] - start[1])
        if goal <= length or k == many - 1:
            part = min(goal / length, 1.0)
            tx, ty = start[0] + (stop[0] - start[0]) * part, start[1] + (stop[1] - start[1]) * part
            return seek(position, velocity, i, tx, ty, max_speed)
        goal -= length
    return 0.0, 0.0


@njit(cache=True)
def small_forces(
    position, velocity, heading, wandering, goal, stop, centers, radii, points, max_speed, max_force, slowing,
    distance, strength, rate, lookahead, weight, predict, reach, dt, force,
):  # fmt: skip
    """Seek + arrive + wander + 2 avoid + follow."""
    for i in range(len(position)):
        fx, fy = seek(position, velocity, i, goal[0], goal[1], max_speed)
        dx, dy = stop[0] - position[i, 0], stop[1] - position[i, 1]
        way = max(math.hypot(dx, dy), 1e-12)
        speed = min(max_speed * way / slowing, max_speed)
        fx += dx / way * speed - velocity[i, 0]
        fy += dy / way * speed - velocity[i, 1]
        wx = wandering[i, 0] + rate * math.sqrt(dt) * np.random.uniform(-1, 1)  # noqa: NPY002 - Numba's own
        wy = wandering[i, 1] + rate * math.sqrt(dt) * np.random.uniform(-1, 1)  # noqa: NPY002
        length = max(math.hypot(wx, wy), 1e-12)
        wandering[i, 0], wandering[i, 1] = wx / length, wy / length
        ahead, aside = distance + strength * wandering[i, 0], strength * wandering[i, 1]
        fx += ahead * heading[i, 0] - aside * heading[i, 1]
        fy += ahead * heading[i, 1] + aside * heading[i, 0]
        ox, oy, _ = avoid(position, velocity, heading, i, centers, radii, lookahead, max_force)
        px, py = follow(position, velocity, i, points, False, predict, reach, max_speed)
        force[i, 0] = fx + weight * ox + px
        force[i, 1] = fy + weight * oy + py


@njit(cache=True)
def avoid_forces(position, velocity, heading, goal, centers, radii, lookahead, max_speed, max_force, force):
    """Avoid, else seek."""
    for i in range(len(position)):
        x, y, found = avoid(position, velocity, heading, i, centers, radii, lookahead, max_force)
        if not found:
            x, y = seek(position, velocity, i, goal[0], goal[1], max_speed)
        force[i, 0], force[i, 1] = x, y


@njit(cache=True)
def follow_forces(position, velocity, points, closed, predict, reach, max_speed, force):
    """Follow the path."""
    for i in range(len(position)):
        force[i, 0], force[i, 1] = follow(position, velocity, i, points, closed, predict, reach, max_speed)


class Loops(Arrays):
    """Arrays, and loops over them."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        super().__init__(work, n, seed)
        self.arrays = {
            key: np.array(self.p[key]) for key in ("seek", "arrive", "centers", "radii", "path") if key in self.p
        }
        self.forces = np.zeros((n, 2))

    def step(self) -> None:
        p = self.p
        self.steer()
        move(self.position, self.velocity, self.heading, self.forces, p["max_force"], p["max_speed"], p["dt"])

    def steer(self) -> None:
        """What all want."""
        raise NotImplementedError

    def read(self) -> tuple[Array, Array]:
        return self.position.copy(), self.velocity.copy()


class Flock(Loops):
    """Separation, alignment, cohesion."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        super().__init__(work, n, seed)
        parts = ("separation", "alignment", "cohesion")
        words = ("radius", "cosine", "weight")
        self.numbers = [np.array([self.p[f"{part}_{word}"] for part in parts]) for word in words]

    def steer(self) -> None:
        flock_forces(self.position, self.heading, *self.numbers, self.p["inner_radius"], self.forces)


class Small(Loops):
    """Five behaviors."""

    def steer(self) -> None:
        p, a = self.p, self.arrays
        small_forces(
            self.position, self.velocity, self.heading, self.wandering, a["seek"], a["arrive"], a["centers"], a["radii"],
            a["path"], p["max_speed"], p["max_force"], p["slowing_distance"], p["wander_distance"], p["wander_radius"],
            p["wander_rate"], p["lookahead"], p["avoid_weight"], p["predict"], p["reach"], p["dt"], self.forces,
        )  # fmt: skip


class Avoid(Loops):
    """Avoid, else seek."""

    def steer(self) -> None:
        p, a = self.p, self.arrays
        avoid_forces(
            self.position, self.velocity, self.heading, a["seek"], a["centers"], a["radii"], p["lookahead"],
            p["max_speed"], p["max_force"], self.forces,
        )  # fmt: skip


class Follow(Loops):
    """Follow the path."""

    def steer(self) -> None:
        p = self.p
        follow_forces(
            self.position,
            self.velocity,
            self.arrays["path"],
            p["closed"],
            p["predict"],
            p["reach"],
            p["max_speed"],
            self.forces,
        )


class NumbaLoops(Peer):
    """@njit over loops."""

    name = "Numba"
    how = "`@njit` over the loops of the plain objects, float64, everybody asks everybody"
    packages = ("numba", "numpy")

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"flock": Flock, "small": Small, "avoid": Avoid, "path": Follow}
