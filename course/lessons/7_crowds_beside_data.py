# %% [markdown]
# # 7. Crowds beside data
#
# Flocks are judged by eye. A crowd on a platform is not: people have been filmed and counted, and a model that is used for escape routes has to agree with
# that. In this lesson you put a model beside measurements.

# %%
import matplotlib.pyplot as plt
import numpy as np
from lesson import check, check_law, show

import steersman as sm

rng = np.random.default_rng(7)

# %% [markdown]
# ## Exercise 7.1: what people do
#
# Ulrich Weidmann put 25 studies together in 1993. The denser the crowd ($\rho$ people per square meter), the slower it walks:
#
# $$v(\rho) = 1.34 \left(1 - \exp\left(-1.913 \left(\frac{1}{\rho} - \frac{1}{5.4}\right)\right)\right)$$
#
# and from 5.4 per square meter on it stands: never less than zero.


# %% tags=["mistake"]
def walking_speed(density):
    """It walks backwards in a crush."""
    return 1.34 * (1 - np.exp(-1.913 * (1 / density - 1 / 5.4)))


# %% tags=["mistake"]
def walking_speed(density):
    """A straight line."""
    return np.maximum(1.34 * (1 - density / 5.4), 0)


# %% tags=["solution"]
def walking_speed(density):
    """The speed of a crowd [m/s], of the shape of the density [1/m^2]."""
    ### BEGIN SOLUTION
    return np.maximum(1.34 * (1 - np.exp(-1.913 * (1 / density - 1 / 5.4))), 0)
    ### END SOLUTION


# %% tags=["check"]
check_law(
    "7.1",
    walking_speed,
    sm.laws.walking_speed,
    np.linspace(0.2, 7, 35),
    hint="np.maximum(..., 0): nobody walks backwards.",
)

# %% [markdown]
# The flow is density times speed. At which density do most people pass a corridor? Too few people: the corridor is empty. Too many: they stand.

# %%
density = np.linspace(0.05, 5.4, 100)
flow = density * walking_speed(density)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
left.plot(density, walking_speed(density))
left.set(xlabel="people per m²", ylabel="speed [m/s]")
right.plot(density, flow)
right.set(xlabel="people per m²", ylabel="flow [people per m and s]")
print(f"{flow.max():.2f} people per meter and second, at {density[flow.argmax()]:.2f} per square meter")

# %% [markdown]
# ## Exercise 7.2: a model
#
# Why are they slower? Each keeps a *time gap* $T$ to the one ahead (about a second), so that there is time to stop. With $s$ meters from center to center,
# and $\ell$ meters at which two touch:
#
# $$v = \min\left(v_0, \max\left(0, \frac{s - \ell}{T}\right)\right)$$


# %% tags=["mistake"]
def spacing_speed(spacing, size, wanted, time_gap):
    """Into each other."""
    return np.minimum(wanted, spacing / time_gap)


# %% tags=["mistake"]
def spacing_speed(spacing, size, wanted, time_gap):
    """As fast as there is room."""
    return np.maximum((spacing - size) / time_gap, 0)


# %% tags=["solution"]
def spacing_speed(spacing, size, wanted, time_gap):
    """The speed that a spacing allows [m/s]."""
    ### BEGIN SOLUTION
    return np.minimum(wanted, np.maximum((spacing - size) / time_gap, 0))
    ### END SOLUTION


# %% tags=["check"]
def law_of_spacing(spacing, size, wanted, time_gap):
    return sm.laws.spacing_speed(spacing, size, wanted, time_gap=time_gap)


check_law(
    "7.2", spacing_speed, law_of_spacing, np.linspace(0, 4, 30), 0.4, 1.34, 1.1,
    hint="Less the size first, over the time gap; then between zero and the wanted speed.",
)  # fmt: skip


def ring_of_people(n, seconds=30.0):
    """The mean speed [m/s] of n people in single file on a ring of 26 m, who walk by your law."""
    x = np.sort(np.random.default_rng(n).uniform(0, 26, n))
    people = sm.Vehicles(
        np.stack([x, np.ones(n)], axis=1), max_speed=1.4, max_force=1e3, response_time="step", radius=0.2
    )
    world = sm.World(domain=sm.Torus([26, 2]), dt=0.05)

    def walk(people):
        ahead = np.roll(people.position[:, 0], -1) - people.position[:, 0]
        speed = spacing_speed(np.mod(ahead, 26.0), 0.4, 1.24, 0.8)
        return (np.stack([speed, np.zeros(n)], axis=1) - people.velocity) * 20.0

    world.add(people, name="people", steering=walk)
    world.run(seconds=seconds)
    return world, people.velocity[:, 0].mean()


crowded, free = ring_of_people(50)[1], ring_of_people(10)[1]
check(
    "7.2",
    (abs(free - 1.24) < 0.02, f"ten people on the ring walk at {free:.2f} m/s, where nothing keeps them from 1.24."),
    (crowded < 0.25, f"fifty people on the ring walk at {crowded:.2f} m/s, where each has half a meter."),
)

# %% [markdown]
# Watch the ring with 50 people. Where do they stand, and which way does the jam go: with them, or against them?

# %%
show(ring_of_people(50, seconds=0.05)[0])

# %% [markdown]
# ## Exercise 7.3: how to measure a flow
#
# How many people pass a door, per second and per meter of its width? That is the *specific flow*. Given their positions in all frames, `x` of shape `(frames, n)`
# along the corridor, count every change from one side of the line at `at` to the other, and divide by the time and by the width. (Both ways count; on the line
# counts as beyond it.)


# %% tags=["mistake"]
def specific_flow(x, at, width, dt):
    """Those that are beyond at the end, whichever way they got there."""
    return np.sum((x[0] < at) & (x[-1] >= at)) / ((len(x) - 1) * dt) / width


# %% tags=["mistake"]
def specific_flow(x, at, width, dt):
    """A fence post too many: there is one interval less than frames."""
    beyond = x >= at
    return np.sum(beyond[1:] != beyond[:-1]) / (len(x) * dt) / width


# %% tags=["solution"]
def specific_flow(x, at, width, dt):
    """People per second and meter [1/(m s)], a number."""
    ### BEGIN SOLUTION
    beyond = x >= at
    passed = np.sum(beyond[1:] != beyond[:-1])
    return passed / ((len(x) - 1) * dt) / width
    ### END SOLUTION


# %% tags=["check"]
frames = np.cumsum(rng.normal(0.1, 0.3, (80, 30)), axis=0) + rng.uniform(-5, 5, 30)


def metric_of_flow(x, at, width, dt):
    position = np.stack([x, np.full_like(x, 0.5 * width)], axis=2)
    return np.float64(sm.metrics.specific_flow(position, [[at, 0.0], [at, width]], dt))


check_law(
    "7.3", specific_flow, metric_of_flow, frames, 3.0, 2.0, 0.5,
    hint="Compare each frame with the next one; the time from the first to the last is (frames - 1) * dt.",
)  # fmt: skip

# %% [markdown]
# ## The whole model beside the data
#
# `sm.CollisionFreeSpeed` is this law in the plane, with walls (Tordeux, Chraibi and Seyfried 2016). A corridor, 4 m wide, joined at its ends:

# %%
walls = sm.Walls([[[0, 4], [15, 4]], [[0, 8], [15, 8]]])


def corridor(density, seed=1):
    """A corridor with so many people per square meter."""
    n, rng = int(60 * density), np.random.default_rng(seed)
    start = np.stack([np.linspace(0, 15, n, endpoint=False), 4.25 + rng.permutation(n) % 8 * 0.5], axis=1)
    people = sm.Vehicles(start, radius=0.15, max_speed=1.34, max_force=1e3, response_time="step")
    world = sm.World(dt=0.05, domain=sm.Torus([15, 16]))
    world.add(
        people,
        name="people",
        steering=sm.CollisionFreeSpeed(lambda each: (np.array([1.34, 0]) - each.velocity) / 0.05, obstacles=walls),
    )
    return world, people


densities = [0.5, 1.0, 2.0, 3.0]
speeds = []
for each in densities:
    world, people = corridor(each)
    world.run(seconds=15)
    speeds.append(people.velocity[:, 0].mean())
axes = plt.figure(figsize=(5, 3), layout="constrained").subplots()
axes.plot(density, walking_speed(density), label="Weidmann 1993")
axes.plot(densities, speeds, "o", label="model")
axes.set(xlabel="people per m²", ylabel="speed [m/s]")
axes.legend()
print({each: round(float(speed), 2) for each, speed in zip(densities, speeds, strict=True)})

# %%
show(corridor(2.0)[0])

# %% [markdown]
# **Go on.** Other models stand on the page *Crowds beside measurements*, with all of their numbers: put `sm.SocialForce` or `sm.ORCA` into `corridor`. Two
# streams against each other form lanes: `sm.metrics.lane_order` measures them.
