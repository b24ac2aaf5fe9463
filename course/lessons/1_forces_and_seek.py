# %% [markdown]
# # 1. Forces, and seek
#
# A gull over a harbor, a shopping cart, a space ship: each is a body that a force pushes. In this course they are all one thing, a
# **vehicle**. It has a position, a velocity, a mass and two limits: the largest force it can bring up, and the largest speed. A steering
# behavior is an answer to one question, asked many times a second: *which force now?*
#
# Run each cell with Shift + Enter. Where three dots stand, you write the law; the cell below tells whether it is right.

# %%
import numpy as np
from lesson import check, check_law, force, show

import steersman as sm

rng = np.random.default_rng(1)

# %% [markdown]
# Ten pucks on ice. Each is pushed to the right by one newton, and the heavy ones (10 kg, large) start slowly. After a while all are
# equally fast. Why? *(Click into the picture: then the wheel zooms, dragging moves it, and the panel has sliders.)*

# %%
mass = np.linspace(1, 10, 10)
pucks = sm.Vehicles(
    np.stack([np.zeros(10), 2.0 * np.arange(10)], axis=1), mass=mass, radius=0.2 + 0.06 * mass, max_speed=3, max_force=1
)
ice = sm.World(dt=0.05)
ice.add(pucks, name="pucks", steering=lambda vehicles: np.tile([1.0, 0.0], (len(vehicles), 1)))
show(ice)

# %% [markdown]
# ## Exercise 1.1: a step of time
#
# A computer moves a body in small steps. In each step of $\Delta t$ seconds
#
# $$\begin{aligned}
# \text{force} &\leftarrow \operatorname{truncate}(\text{force}, \text{max\_force})\\
# \text{velocity} &\leftarrow \operatorname{truncate}(\text{velocity} + \tfrac{\text{force}}{\text{mass}} \Delta t, \text{max\_speed})\\
# \text{position} &\leftarrow \text{position} + \text{velocity} \, \Delta t
# \end{aligned}$$
#
# where `truncate` shortens what is longer than the limit. The **new** velocity moves the body. `position`, `velocity` and `force` have a row
# for each body, shape `(n, 2)`; `sm.laws.truncate(vectors, limit)` is there for you.


# %% tags=["mistake"]
def step(position, velocity, force, mass, max_force, max_speed, dt):
    """The old velocity moves it."""
    force = sm.laws.truncate(force, max_force)
    moved = position + velocity * dt
    return moved, sm.laws.truncate(velocity + force / mass * dt, max_speed)


# %% tags=["mistake"]
def step(position, velocity, force, mass, max_force, max_speed, dt):
    """Without limits."""
    velocity = velocity + force / mass * dt
    return position + velocity * dt, velocity


# %% tags=["solution"]
def step(position, velocity, force, mass, max_force, max_speed, dt):
    """The position and the velocity after a step of dt seconds."""
    ### BEGIN SOLUTION
    force = sm.laws.truncate(force, max_force)
    velocity = sm.laws.truncate(velocity + force / mass * dt, max_speed)
    return position + velocity * dt, velocity
    ### END SOLUTION


# %% tags=["check"]
def law_of_motion(position, velocity, force, mass, max_force, max_speed, dt):
    return sm.laws.point_mass_step(
        position, velocity, force, mass=mass, max_force=max_force, max_speed=max_speed, dt=dt
    )


some = [rng.normal(0, 5, (50, 2)) for _ in range(3)]
check_law("1.1", step, law_of_motion, *some, 2.0, 4.0, 6.0, 0.1, hint="Force first, then velocity, then position.")

# %% [markdown]
# ## Exercise 1.2: seek
#
# Where does a vehicle want to go? Reynolds' answer of 1999: decide which velocity it *desires*, and steer by the difference.
#
# $$\text{desired} = \text{max\_speed} \cdot \operatorname{unit}(\text{target} - \text{position}), \qquad
# \text{steering} = \text{desired} - \text{velocity}$$
#
# `sm.laws.with_length(vectors, length)` stretches vectors to a length, and leaves a vector of length zero alone.


# %% tags=["mistake"]
def seek(position, velocity, target, max_speed):
    """A vehicle that takes no account of how it moves already."""
    return sm.laws.with_length(target - position, max_speed)


# %% tags=["mistake"]
def seek(position, velocity, target, max_speed):
    """Away from it."""
    return sm.laws.with_length(position - target, max_speed) - velocity


# %% tags=["solution"]
def seek(position, velocity, target, max_speed):
    """The change of velocity that leads to the target at full speed."""
    ### BEGIN SOLUTION
    desired = sm.laws.with_length(target - position, max_speed)
    return desired - velocity
    ### END SOLUTION


# %% tags=["check"]
position, velocity = rng.uniform(-20, 20, (50, 2)), rng.normal(0, 2, (50, 2))
position[0] = [3, 4]  # A vehicle that is on its target already.
check_law(
    "1.2", seek, sm.laws.seek, position, velocity, np.array([3.0, 4.0]), 5.0,
    hint="It is a difference of two velocities: the desired one less the one that there is.",
)  # fmt: skip

# %% [markdown]
# Your law steers. `force` makes newtons of it: mass times the wanted change of velocity, over the time in which it shall come about. The library's
# own `sm.Seek` flies the same way, to the last digits. (From the first moth at the lamp on there is a difference: in its last step `sm.Seek` asks for no
# more speed than it takes to land on the target.)

# %%
lamp = np.array([0.0, 0.0])
angle = rng.uniform(0, 2 * np.pi, 40)
start, push = 16 * np.stack([np.cos(angle), np.sin(angle)], axis=1), rng.normal(0, 3, (40, 2))


def moths(steering):
    """A world of moths."""
    world = sm.World(dt=0.05)
    world.add(sm.Vehicles(start, push, max_speed=5, max_force=4, dtype=np.float64), name="moths", steering=steering)
    return world


mine = moths(lambda moth: force(moth, seek(moth.position, moth.velocity, lamp, 5.0)))
theirs = moths(sm.Seek(lamp))
for world in (mine, theirs):
    world.run(seconds=2)
print("apart after 2 s:", np.abs(mine["moths"].position - theirs["moths"].position).max(), "m")
show(mine, lamp=lamp)

# %% [markdown]
# **Look.** They do not stop at the lamp. They rush through it, turn, and come back: *seek* says nothing about stopping. How far do they shoot past it?
# Raise `max_force` in the cell above: what changes, and why? Lesson 2 stops them.

# %%
overshoot = mine.watch("moths", "farthest_from", to=lamp, every=0.25)
mine.run(seconds=10)
print(f"The farthest moth is up to {overshoot['moths.farthest_from'].values[-20:].max():.1f} m from the lamp.")

# %% [markdown]
# ## Exercise 1.3: flee
#
# Away from a fox, at full speed; but only if it is nearer than the panic distance. Beyond it the steering is zero, and a rabbit glides on. The distance is
# `sm.laws.length(vectors)`, shape `(n,)`; `np.where(near[:, None], a, b)` chooses row by row.


# %% tags=["mistake"]
def flee(position, velocity, fox, max_speed, panic_distance):
    """Everyone panics."""
    return sm.laws.with_length(position - fox, max_speed) - velocity


# %% tags=["solution"]
def flee(position, velocity, fox, max_speed, panic_distance):
    """Away from the fox at full speed, where it is near; else zero."""
    ### BEGIN SOLUTION
    away = position - fox
    near = sm.laws.length(away) < panic_distance
    return np.where(near[:, None], sm.laws.with_length(away, max_speed) - velocity, 0.0)
    ### END SOLUTION


# %% tags=["check"]
def law_of_flight(position, velocity, fox, max_speed, panic_distance):
    return sm.laws.flee(position, velocity, fox, max_speed, panic_distance=panic_distance)


check_law(
    "1.3", flee, law_of_flight, position, velocity, np.array([3.0, 4.5]), 5.0, 9.0,
    hint="Seek with the difference the other way round, and zero for those who are too far away.",
)  # fmt: skip

fox = np.array([0.0, 0.0])


def meadow():
    """Rabbits that flee by your law."""
    world = sm.World(dt=0.05)
    rabbits = sm.Vehicles(np.random.default_rng(4).uniform(-15, 15, (60, 2)), max_speed=4, max_force=12)
    world.add(
        rabbits,
        name="rabbits",
        steering=lambda all: force(all, flee(all.position, all.velocity, fox, 4.0, 8.0)),
    )
    return world


world = meadow()
world.run(seconds=6)
nearest = sm.metrics.closest_to(world["rabbits"], fox)
check("1.3", (nearest > 8, f"after 6 s a rabbit is still {nearest:.1f} m from the fox, with 8 m as panic distance."))

# %%
show(meadow(), fox=fox)

# %% [markdown]
# **Go on.** Let the fox move: a function may stand in place of a point, `sm.Flee(lambda: fox_position)`. Give the rabbits different speeds:
# `max_speed=rng.uniform(2, 5, 60)`. Which of them would a fox get?
