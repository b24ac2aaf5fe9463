# %% [markdown]
# # 4. Paths
#
# A tram is held by its rails; a cyclist keeps to a lane because she looks ahead along it. In this lesson vehicles follow a line by looking at a point of it
# that runs before them, as a carrot does before a donkey.

# %%
import numpy as np
from lesson import check, check_law, force, show

import steersman as sm

rng = np.random.default_rng(4)

# %% [markdown]
# ## Exercise 4.1: the nearest point of a segment
#
# A path is a chain of straight segments. Where on a segment from $a$ to $b$ is the point nearest to $p$? At the fraction
#
# $$u = \frac{(p - a) \cdot (b - a)}{|b - a|^2}, \quad \text{kept between 0 and 1}, \qquad \text{distance} = |a + u (b - a) - p|$$
#
# Return both, each of shape `(n,)`.


# %% tags=["mistake"]
def nearest_on_segment(point, a, b):
    """As if the segment went on forever."""
    way = b - a
    u = np.sum((point - a) * way, axis=1) / np.sum(way**2, axis=1)
    return u, sm.laws.length(a + u[:, None] * way - point)


# %% tags=["solution"]
def nearest_on_segment(point, a, b):
    """The fraction of the segment, and the distance of that place from the point [m]."""
    ### BEGIN SOLUTION
    way = b - a
    u = np.clip(np.sum((point - a) * way, axis=1) / np.sum(way**2, axis=1), 0, 1)
    return u, sm.laws.length(a + u[:, None] * way - point)
    ### END SOLUTION


# %% tags=["check"]
check_law(
    "4.1", nearest_on_segment, sm.laws.project_on_segment, *(rng.uniform(-10, 10, (80, 2)) for _ in range(3)),
    hint="np.clip keeps the fraction between 0 and 1: beyond an end the end is nearest.",
)  # fmt: skip

# %% [markdown]
# `sm.Path` does that for all of its segments, and counts meters along the chain: `path.project(position)` returns the arc length $s$, the distance and
# the segment; `path.point_at(s)` is the place at $s$ meters. A closed path goes round and round.

# %%
ring = sm.Path.spline([[0, 0], [30, -8], [48, 8], [34, 26], [10, 22]], radius=2.0, closed=True)
print(f"{ring.length:.0f} m around; 100 m along it is", ring.point_at(100.0).round(1))
axes = sm.draw([ring])

# %% [markdown]
# ## Exercise 4.2: the carrot
#
# Find your own $s$, go `reach` meters further along the path, and seek the point there:
#
# $$\text{steering} = \operatorname{seek}(\text{path}(s + \text{reach}))$$


# %% tags=["mistake"]
def follow(position, velocity, path, max_speed, reach):
    """To the nearest point, and stop there."""
    s, _, _ = path.project(position)
    return sm.laws.seek(position, velocity, path.point_at(s), max_speed)


# %% tags=["mistake"]
def follow(position, velocity, path, max_speed, reach):
    """The wrong way round."""
    s, _, _ = path.project(position)
    return sm.laws.seek(position, velocity, path.point_at(s - reach), max_speed)


# %% tags=["solution"]
def follow(position, velocity, path, max_speed, reach):
    """The change of velocity that leads along the path."""
    ### BEGIN SOLUTION
    s, _, _ = path.project(position)
    return sm.laws.seek(position, velocity, path.point_at(s + reach), max_speed)
    ### END SOLUTION


# %% tags=["check"]
def law_of_the_carrot(position, velocity, path, max_speed, reach):
    return sm.laws.follow_path(position, velocity, path, max_speed, law="parameter", reach=reach)


riders = rng.uniform([0, -8], [48, 26], (60, 2)), rng.normal(0, 2, (60, 2))
check_law(
    "4.2",
    follow,
    law_of_the_carrot,
    *riders,
    ring,
    6.0,
    5.0,
    hint="path.project, then path.point_at, then sm.laws.seek.",
)


def tour(reach):
    """Riders on the ring, and the share of time that they are off it."""
    riders = sm.Vehicles(ring.point_at(np.arange(12) * 8.0), max_speed=7, max_force=20)
    world = sm.World(dt=0.05)
    world.add(
        riders,
        name="riders",
        steering=lambda all: force(all, follow(all.position, all.velocity, ring, 7.0, reach)),
    )
    return world, world.watch("riders", "off_path", "progress", "turn_jitter", to=ring, every=0.1)


world, meters = tour(reach=4.0)
world.run(seconds=20)
off, speed = (np.mean(meters[f"riders.{name}"].values[50:]) for name in ("off_path", "progress"))
way = f"riders are off the path for {off:.0%} of the time, at {speed:.1f} m/s along it."
check("4.2", (off < 0.05 and speed > 5, way))

# %% [markdown]
# How far away should the carrot be? Near, and the riders tremble; far, and they cut the corners. The table shows it, and the window, too: put other numbers
# into `tour(...)`.

# %%
for reach in (0.5, 4.0, 10.0, 20.0):
    world, meters = tour(reach)
    world.run(seconds=20)
    off, jitter = (np.mean(meters[f"riders.{name}"].values[50:]) for name in ("off_path", "turn_jitter"))
    print(f"reach {reach:4.1f} m: off the path {off:4.0%}, jitter {jitter:6.2f} rad/s^2")
show(tour(reach=10.0)[0], ring=ring)

# %% [markdown]
# ## Exercise 4.3: in time for the bend
#
# A car on a bend of radius $R$ needs the sideways acceleration $v^2 / R$. Its tires give at most $a$. So the greatest speed in the bend is $\sqrt{a R}$; and
# $x$ meters before it a car that brakes with $b$ may still have
#
# $$v = \sqrt{a R + 2 b x}$$


# %% tags=["mistake"]
def speed_before_bend(distance, radius, sideways, braking):
    """Too slow too early."""
    return np.sqrt(sideways * radius) + 0 * distance


# %% tags=["mistake"]
def speed_before_bend(distance, radius, sideways, braking):
    """Two speeds are added, where their squares must be."""
    return np.sqrt(sideways * radius) + np.sqrt(2 * braking * distance)


# %% tags=["solution"]
def speed_before_bend(distance, radius, sideways, braking):
    """The greatest speed [m/s] at so many meters before the bend."""
    ### BEGIN SOLUTION
    return np.sqrt(sideways * radius + 2 * braking * distance)
    ### END SOLUTION


# %% tags=["check"]
def law_of_bends(distance, radius, sideways, braking):
    """By small steps: backward from the bend, a car that brakes."""
    speed = np.sqrt(sideways * radius)
    for _ in range(20_000):
        middle = np.sqrt(speed**2 + braking * distance / 20_000)
        speed = speed + braking / middle * distance / 20_000
    return speed


check_law(
    "4.3", speed_before_bend, law_of_bends, np.linspace(0, 50, 6), 15.0, 6.0, 4.0,
    hint="Energy falls evenly along the way: the squares of the speeds differ by 2 * braking * distance.",
)  # fmt: skip

# %% [markdown]
# `sm.FollowPath` has all of this: a lane of one's own, bends, an end at which it stops. Here are cars (`sm.Wheeled`: they cannot turn on the spot) on the ring.

# %%
cars = sm.Vehicles(ring.point_at(np.arange(6) * 16.0), max_speed=14, max_force=40, radius=0.9)
race = sm.World(dt=0.02)
race.add(cars, name="cars", steering=sm.FollowPath(ring), locomotion=sm.Wheeled())
show(race)

# %% [markdown]
# **Go on.** Two-way traffic: `ring.offset(1.0)` and `direction=-1`. A flow instead of a line: `sm.FollowFlow`.
