# %% [markdown]
# # 8. Speed
#
# Sixty birds are a picture, sixty thousand are a flock. A program that looks at every pair of birds does 3.6 billion looks a step for them. This lesson is
# about doing less, and about doing it in the right place.

# %%
import time

import numpy as np
from lesson import check, check_law, show

import steersman as sm

rng = np.random.default_rng(8)

# %% [markdown]
# Here is separation, written as one would say it. It is right; and slow, as Python asks at each step of each loop what kind of thing it has before it.


# %%
def separation_by_loops(position, radius):
    """The push of all neighbors within the radius, as in lesson 5."""
    push = np.zeros_like(position)
    for i in range(len(position)):
        for j in range(len(position)):
            if i != j:
                offset = position[i] - position[j]
                distance = np.hypot(offset[0], offset[1])
                if 0 < distance <= radius:
                    push[i] += offset / distance**2
    return push


def milliseconds(function, *arguments):
    """The least processor time of three calls."""
    times = []
    for _ in range(3):
        began = time.process_time()
        function(*arguments)
        times.append(time.process_time() - began)
    return 1000 * max(min(times), 1e-6)


position = rng.uniform(0, 60, (150, 2))
print(f"{milliseconds(separation_by_loops, position, 5.0):.0f} ms for 150 birds")

# %% [markdown]
# ## Exercise 8.1: at least ten times as fast
#
# The same numbers, without a loop over birds: arrays of all pairs at once, as in lesson 5. It is checked for the numbers, and for the time.


# %% tags=["mistake"]
def separation_by_arrays(position, radius):
    """Right, but with half of the loops."""
    push = np.zeros_like(position)
    for i in range(len(position)):
        for j in range(i):
            offset = position[i] - position[j]
            distance = np.hypot(offset[0], offset[1])
            if 0 < distance <= radius:
                push[i] += offset / distance**2
                push[j] -= offset / distance**2
    return push


# %% tags=["mistake"]
def separation_by_arrays(position, radius):
    """Fast, but it forgets the radius."""
    offset = position[:, None] - position[None, :]
    square = np.sum(offset**2, axis=2)
    return np.sum(offset / np.where(square > 0, square, 1)[:, :, None], axis=1)


# %% tags=["solution"]
def separation_by_arrays(position, radius):
    """The push of all neighbors within the radius, shape (n, 2)."""
    ### BEGIN SOLUTION
    offset = position[:, None] - position[None, :]
    square = np.sum(offset**2, axis=2)
    weight = (square <= radius**2) / np.where(square > 0, square, 1)
    return np.sum(offset * weight[:, :, None], axis=1)
    ### END SOLUTION


# %% tags=["check"]
check_law(
    "8.1", separation_by_arrays, separation_by_loops, position, 5.0,
    hint="position[:, None] - position[None, :] has all offsets; a pair out of reach has the weight zero.",
)  # fmt: skip
slow, fast = (milliseconds(each, position, 5.0) for each in (separation_by_loops, separation_by_arrays))
check("8.1", (fast < slow / 10, f"it takes {fast:.1f} ms, the loops {slow:.1f} ms: less than a tenth is asked for."))
print(f"{fast:.2f} ms in place of {slow:.0f} ms")

# %% [markdown]
# ## Exercise 8.2: only those that are near
#
# All pairs are still $n^2$. For ten thousand birds, the table of offsets needs 1.6 GB. But who is near is known: lay a grid over the sky, and look into the own
# cell and those around it. `world.neighbors(name, radius)` does that, and answers with four arrays (*compressed rows*): the neighbors of bird `i` are
# `indices[indptr[i]:indptr[i + 1]]`, and for each of them there are its `offsets` (the way **to** the neighbor) and `distances`.
#
# Sum up the pushes with that: `np.add.at(push, looker, each)` adds row by row, and `np.repeat(np.arange(n), np.diff(indptr))` are the lookers.


# %% tags=["mistake"]
def separation_by_cells(indptr, offsets, distances):
    """Toward the neighbors."""
    push = np.zeros((len(indptr) - 1, 2))
    looker = np.repeat(np.arange(len(push)), np.diff(indptr))
    np.add.at(push, looker, offsets / distances[:, None] ** 2)
    return push


# %% tags=["mistake"]
def separation_by_cells(indptr, offsets, distances):
    """Of several neighbors only the last one pushes."""
    push = np.zeros((len(indptr) - 1, 2))
    looker = np.repeat(np.arange(len(push)), np.diff(indptr))
    push[looker] -= offsets / distances[:, None] ** 2
    return push


# %% tags=["solution"]
def separation_by_cells(indptr, offsets, distances):
    """The push of all neighbors, shape (n, 2)."""
    ### BEGIN SOLUTION
    push = np.zeros((len(indptr) - 1, 2))
    looker = np.repeat(np.arange(len(push)), np.diff(indptr))
    np.add.at(push, looker, -offsets / distances[:, None] ** 2)
    return push
    ### END SOLUTION


# %% tags=["check"]
sky = sm.World(seed=1)
sky.add(sm.Vehicles(position, dtype=np.float64), name="birds")
near = sky.neighbors("birds", 5.0)


def as_by_loops(indptr, offsets, distances):
    return separation_by_loops(position, 5.0)


check_law(
    "8.2", separation_by_cells, as_by_loops, near.indptr, near.offsets, near.distances,
    hint="offsets lead to the neighbor, and the push leads away; np.add.at, since a looker comes several times.",
)  # fmt: skip

# %% [markdown]
# ## Exercise 8.3: a law that is compiled
#
# Best of all is no array for the pairs at all. An `sm.PairBehavior` has a law of **one** vehicle and **one** neighbor, in plain numbers. Numba compiles it, and the
# library calls it while it goes through the cells, on all processors. `to` is the way to the neighbor, two numbers; return the push, two numbers.


# %% tags=["mistake"]
def push_of_one(own, other, to, distance, p):
    """Toward the neighbor."""
    return to[0] / distance**2, to[1] / distance**2


# %% tags=["mistake"]
def push_of_one(own, other, to, distance, p):
    """All push equally hard."""
    return -to[0] / distance, -to[1] / distance


# %% tags=["solution"]
def push_of_one(own, other, to, distance, p):
    """The push of a neighbor, two numbers."""
    ### BEGIN SOLUTION
    return -to[0] / distance**2, -to[1] / distance**2
    ### END SOLUTION


# %% tags=["check"]
def push_of_pairs(offsets, distances):
    return [push_of_one(None, None, to, distance, None) for to, distance in zip(offsets, distances, strict=True)]


def law_of_pairs(offsets, distances):
    alone = [sm.laws.separation(np.zeros(2), to[None, :]) for to in offsets]
    return np.array(alone)


one = push_of_one(None, None, (3.0, 4.0), 5.0, None)
two = isinstance(one, tuple) and len(one) == 2
check("8.3", (two, "push_of_one returns nothing that is two numbers yet: return x, y."))
check_law(
    "8.3", push_of_pairs, law_of_pairs, near.offsets[:20], near.distances[:20],
    hint="unit(offset) / r is offset / r^2, and away from the neighbor is minus.",
)  # fmt: skip

# %% [markdown]
# The behavior, in a world, beside the ready-made one. The first step compiles it, some seconds; after that look at what a step takes.


# %%
class Push(sm.PairBehavior):
    """Your law, compiled."""

    law = staticmethod(push_of_one)


def step_of(steering, n=2000, steps=10):
    """Milliseconds a step, by the processor."""
    side = (n / 0.04) ** 0.5
    birds = sm.Vehicles(np.random.default_rng(1).uniform(0, side, (n, 2)), max_speed=5, max_force=20)
    world = sm.World(domain=sm.Torus([side, side]), dt=0.05, threads=1)
    world.add(birds, name="birds", steering=steering)
    world.run(steps=2)
    began = time.process_time()
    world.run(steps=steps)
    return 1000 * (time.process_time() - began) / steps


print(
    f"your law, compiled: {step_of(Push(radius=5.0)):.2f} ms; sm.Separation: {step_of(sm.Separation(radius=5.0)):.2f} ms"
)

# %% [markdown]
# ## How it grows
#
# Twice the birds: how much longer? With all pairs four times, with cells twice. Change the numbers until your machine groans.

# %%
for n in (250, 500, 1000):
    some = rng.uniform(0, (n / 0.04) ** 0.5, (n, 2))
    print(f"{n:5} birds: all pairs {milliseconds(separation_by_arrays, some, 5.0):6.1f} ms")
for n in (1000, 2000, 4000):
    print(f"{n:5} birds: compiled {step_of(Push(radius=5.0), n):6.2f} ms")

# %%
birds = sm.Vehicles(rng.uniform(0, 200, (3000, 2)), rng.normal(0, 3, (3000, 2)), max_speed=8, max_force=30)
world = sm.World(domain=sm.Torus([200, 200]), seed=8, dt=0.05)
world.add(birds, name="birds", steering=20 * Push(radius=4.0) + sm.Cohesion(radius=8) + sm.Alignment(radius=8))
show(world, seconds=5)

# %% [markdown]
# **Go on.** Many threads: `sm.World(threads=4)` gives the same bits. Where does the time go? `with world.timings() as timings: world.run(seconds=1)`, then
# `print(timings)`. Is your change faster? Measure both in turns, several times, and look at the smallest numbers.
