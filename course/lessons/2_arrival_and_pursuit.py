# %% [markdown]
# # 2. Arrival, and pursuit
#
# A train does not run through the platform, and a goalkeeper does not run to where the ball *is*. Two small changes of *seek*: look at how
# far it is, and look at how the other moves.

# %%
import numpy as np
from lesson import check, check_law, force, show

import steersman as sm

rng = np.random.default_rng(2)

# %% [markdown]
# ## Exercise 2.1: arrive
#
# Seek, but with a desired speed that falls with the distance $d$, once it is less than the slowing distance $r$:
#
# $$\text{speed} = \text{max\_speed} \cdot \min\left(1, \frac{d}{r}\right), \qquad
# \text{steering} = \text{speed} \cdot \operatorname{unit}(\text{target} - \text{position}) - \text{velocity}$$


# %% tags=["mistake"]
def arrive(position, velocity, target, max_speed, slowing_distance):
    """Faster and faster, the farther away."""
    return max_speed * (target - position) / slowing_distance - velocity


# %% tags=["mistake"]
def arrive(position, velocity, target, max_speed, slowing_distance):
    """Seek."""
    return sm.laws.with_length(target - position, max_speed) - velocity


# %% tags=["solution"]
def arrive(position, velocity, target, max_speed, slowing_distance):
    """The change of velocity that leads to the target, and stops there."""
    ### BEGIN SOLUTION
    way = target - position
    speed = max_speed * np.minimum(1, sm.laws.length(way) / slowing_distance)
    return sm.laws.with_length(way, speed) - velocity
    ### END SOLUTION


# %% tags=["check"]
def law_of_arrival(position, velocity, target, max_speed, slowing_distance):
    return sm.laws.arrive(position, velocity, target, max_speed, slowing_distance=slowing_distance)


position, velocity = rng.uniform(-20, 20, (50, 2)), rng.normal(0, 2, (50, 2))
platform = np.array([3.0, 4.0])
position[0] = platform
check_law(
    "2.1", arrive, law_of_arrival, position, velocity, platform, 5.0, 8.0,
    hint="The speed is max_speed far away, and falls in a straight line to zero on the target.",
)  # fmt: skip

trains = sm.Vehicles(rng.uniform(-40, 40, (30, 2)), max_speed=8, max_force=10)
station = sm.World(dt=0.05)
station.add(
    trains,
    name="trains",
    steering=lambda all: force(all, arrive(all.position, all.velocity, platform, 8.0, 12.0)),
)
station.run(seconds=20)
late = sm.metrics.farthest_from(trains, platform)
check("2.1", (late < 0.1, f"after 20 s a train is still {late:.2f} m from the platform."))

# %% [markdown]
# Here are *seek*, *arrive* with a long and with a short ramp. Which one is first at the goal, and which one can a passenger bear? Move the
# sliders of `slowing_distance`.

# %%
goal = [30.0, 0.0]
race = sm.World(dt=0.05)
for k, behavior in enumerate(
    [sm.Seek(goal), sm.Arrive(goal, slowing_distance=20), sm.Arrive(goal, slowing_distance=4)]
):
    one = sm.Vehicles([[-30, 8.0 * (k - 1)]], max_speed=8, max_force=40)
    race.add(one, name=("seek", "long ramp", "short ramp")[k], steering=behavior)
show(race)

# %% [markdown]
# ## Exercise 2.2: pursue
#
# Seek the place at which the quarry *will be*. When? It takes about as long as the distance takes to close, if both run at each other:
#
# $$T = \frac{|\text{quarry} - \text{position}|}{\text{max\_speed} + |\text{quarry's velocity}|}, \qquad
# \text{steering} = \operatorname{seek}(\text{quarry} + \text{quarry's velocity} \cdot T)$$
#
# `sm.laws.seek(position, velocity, target, max_speed)` is the law of lesson 1.


# %% tags=["mistake"]
def pursue(position, velocity, quarry, quarry_velocity, max_speed):
    """Always behind."""
    return sm.laws.seek(position, velocity, quarry, max_speed)


# %% tags=["mistake"]
def pursue(position, velocity, quarry, quarry_velocity, max_speed):
    """As if the quarry stood."""
    time = sm.laws.length(quarry - position) / max_speed
    return sm.laws.seek(position, velocity, quarry + quarry_velocity * time[:, None], max_speed)


# %% tags=["solution"]
def pursue(position, velocity, quarry, quarry_velocity, max_speed):
    """The change of velocity that leads to where the quarry will be."""
    ### BEGIN SOLUTION
    distance = sm.laws.length(quarry - position)
    time = distance / (max_speed + sm.laws.length(quarry_velocity))
    return sm.laws.seek(position, velocity, quarry + quarry_velocity * time[:, None], max_speed)
    ### END SOLUTION


# %% tags=["check"]
quarry, quarry_velocity = rng.uniform(-20, 20, (50, 2)), rng.normal(0, 3, (50, 2))
check_law(
    "2.2", pursue, sm.laws.pursue, position, velocity, quarry, quarry_velocity, 5.0,
    hint="T has shape (n,): T[:, None] multiplies rows of vectors.",
)  # fmt: skip


def seconds_to_catch(law):
    """How long a cheetah needs for a gazelle that runs across its way."""
    gazelle = sm.Vehicles([[0, 0]], [[9, 0]], max_speed=9, max_force=30)
    cheetah = sm.Vehicles([[20, -40]], max_speed=12, max_force=30)
    savanna = sm.World(dt=0.05)
    savanna.add(gazelle, name="gazelle", steering=sm.TargetSpeed(9))
    savanna.add(cheetah, name="cheetah", steering=lambda cat: force(cat, law(cat, gazelle)))
    while savanna.time < 20 and np.linalg.norm(cheetah.position - gazelle.position) > 1:
        savanna.step()
    return savanna.time


by_pursuit = seconds_to_catch(lambda cat, prey: pursue(cat.position, cat.velocity, prey.position, prey.velocity, 12.0))
by_seeking = seconds_to_catch(lambda cat, prey: sm.laws.seek(cat.position, cat.velocity, prey.position, 12.0))
hardly = f"the cheetah needs {by_pursuit:.1f} s, hardly less than by running after it ({by_seeking:.1f} s)."
check("2.2", (by_pursuit < 0.9 * by_seeking, hardly))
print(f"caught after {by_pursuit:.1f} s; by seek after {by_seeking:.1f} s")

# %% [markdown]
# Three wolves, one sheep that evades them. One seeks, one pursues by your $T$, one computes the exact meeting point
# (`prediction=sm.Intercept()`). Click a wolf: the panel says why it turns. Drag the sheep.

# %%
sheep = sm.Vehicles([[0, 0]], [[5, 0]], max_speed=5, max_force=10)
chase = sm.World(domain=sm.Torus([120, 80], origin=[-60, -40]), dt=0.05, seed=2)
chase.add(sheep, name="sheep", steering=sm.Wander() + sm.TargetSpeed(5))
for name, behavior in {
    "seeks": sm.Seek(sheep),
    "pursues": sm.Pursue(sheep),
    "intercepts": sm.Pursue(sheep, prediction=sm.Intercept()),
}.items():
    chase.add(sm.Vehicles([[-40, 10]], max_speed=6, max_force=12), name=name, steering=behavior)
show(chase)

# %% [markdown]
# ## Exercise 2.3: a place beside another
#
# A bodyguard keeps a place: two meters to the left of the boss, say, and the boss turns. The offset is given in the boss's own axes, forward and
# left, and has to be turned into the world's: $\text{place} = \text{boss} + \text{offset}_0 \cdot \text{forward} + \text{offset}_1 \cdot \text{left}$,
# where left is forward, turned by 90 degrees: $(-f_y, f_x)$.


# %% tags=["mistake"]
def place_beside(boss, forward, offset):
    """In the axes of the world."""
    return boss + offset


# %% tags=["mistake"]
def place_beside(boss, forward, offset):
    """To the right."""
    right = np.stack([forward[:, 1], -forward[:, 0]], axis=1)
    return boss + offset[0] * forward + offset[1] * right


# %% tags=["solution"]
def place_beside(boss, forward, offset):
    """Places [m], shape (n, 2), at an offset of (ahead, left) meters from each boss."""
    ### BEGIN SOLUTION
    left = np.stack([-forward[:, 1], forward[:, 0]], axis=1)
    return boss + offset[0] * forward + offset[1] * left
    ### END SOLUTION


# %% tags=["check"]
def law_of_places(boss, forward, offset):
    left = sm.laws.perpendicular(forward)
    return sm.laws.offset_slot(boss, np.tile(offset, (len(boss), 1)), np.stack([forward, left], axis=1))


check_law(
    "2.3", place_beside, law_of_places, quarry, sm.laws.normalize(quarry_velocity), np.array([-1.0, 2.0]),
    hint="Turn forward by a quarter to the left: x becomes -y, and y becomes x.",
)  # fmt: skip

# %%
boss = sm.Vehicles([[0, 0]], [[3, 0]], max_speed=3, max_force=6)
guards = sm.Vehicles(rng.uniform(-10, 10, (2, 2)), max_speed=5, max_force=15)
sides = np.array([[-1.0, 2.0], [-1.0, -2.0]])


def beside(vehicles):
    """Each guard arrives at its own place."""
    places = np.concatenate([place_beside(boss.position, boss.forward, side) for side in sides])
    return force(vehicles, arrive(vehicles.position, vehicles.velocity, places, 5.0, 2.0))


street = sm.World(dt=0.05, seed=3)
street.add(boss, name="boss", steering=sm.Wander() + sm.TargetSpeed(3))
street.add(guards, name="guards", steering=beside)
show(street)

# %% [markdown]
# **Go on.** The guards lag behind while the boss walks. By how much? Add the boss's velocity to what `arrive` desires, or look at
# `sm.OffsetPursuit`, which predicts the place. Measure with `street.watch("guards", "distance_to", to=...)`.
