# %% [markdown]
# # 6. Deciding
#
# A deer is hungry, sees a wolf, and stands before a ditch. Each of these urges asks for a force of its own. Adding them up may be deadly: half away from
# the wolf and half to the grass is nowhere. In this lesson vehicles decide.

# %%
import numpy as np
from lesson import check, check_law, show

import steersman as sm

rng = np.random.default_rng(6)

# %% [markdown]
# ## Exercise 6.1: first things first
#
# A list of forces, the urgent ones first, each of shape `(n, 2)`. Every vehicle takes the first one that is not zero; where all are zero, zero.


# %% tags=["mistake"]
def priority(forces):
    """All vehicles take the same part."""
    for each in forces:
        if each.any():
            return each
    return forces[-1]


# %% tags=["mistake"]
def priority(forces):
    """The last one wins."""
    chosen = np.zeros_like(forces[0])
    for each in forces:
        chosen = np.where(each.any(axis=1)[:, None], each, chosen)
    return chosen


# %% tags=["solution"]
def priority(forces):
    """For every vehicle the first force that is not zero, shape (n, 2)."""
    ### BEGIN SOLUTION
    chosen = np.zeros_like(forces[0])
    for each in reversed(forces):
        chosen = np.where(each.any(axis=1)[:, None], each, chosen)
    return chosen
    ### END SOLUTION


# %% tags=["check"]
urges = [rng.normal(size=(60, 2)) * (rng.random((60, 1)) < 0.5) for _ in range(3)]
check_law(
    "6.1", priority, sm.laws.priority, urges,
    hint="each.any(axis=1) says for which vehicles a force is not zero. Row by row: np.where.",
)  # fmt: skip

# %% [markdown]
# ## Exercise 6.2: as much as there is left
#
# Less strict: the urgent force first, and the next ones get what it has left of `max_force`. Each weighted force is added to the sum so far, but cut to a length
# of `max_force` less the length of the sum so far.


# %% tags=["mistake"]
def truncated_sum(forces, weights, max_force):
    """Everything is added, and cut at the end."""
    total = sum(weight * each for weight, each in zip(weights, forces, strict=True))
    return sm.laws.truncate(total, max_force)


# %% tags=["solution"]
def truncated_sum(forces, weights, max_force):
    """The sum of weight * force in order, each cut to what is left, shape (n, 2)."""
    ### BEGIN SOLUTION
    total = np.zeros_like(forces[0])
    for weight, each in zip(weights, forces, strict=True):
        left = np.maximum(max_force - sm.laws.length(total), 0)
        total = total + sm.laws.truncate(weight * each, left)
    return total
    ### END SOLUTION


# %% tags=["check"]
check_law(
    "6.2", truncated_sum, sm.laws.truncated_sum, urges, [2.0, 1.0, 0.5], 2.0,
    hint="What is left is max_force - length(total), never below zero; sm.laws.truncate cuts to it.",
)  # fmt: skip

# %% [markdown]
# ## A deer, two ways
#
# The same three urges: evade the wolf, keep out of the pond, graze. Left they are added up, right they are a `Priority`. Count the wet feet.

# %%
feet = {}
pond = sm.Spheres([[30, 20]], 9.0)
for name, combine in {"added up": sm.WeightedSum, "first things first": sm.Priority}.items():
    rng = np.random.default_rng(1)
    deer = sm.Vehicles(rng.uniform([0, 0], [18, 40], (25, 2)), max_speed=7, max_force=20)
    wolf = sm.Vehicles([[-12, 20]], [[4, 0]], max_speed=5, max_force=15)
    valley = sm.World(domain=sm.Torus([60, 40]), dt=0.05, seed=1)
    urges_of_deer = [sm.AvoidObstacles(pond, lookahead=1.5), sm.Evade(wolf, panic_distance=15), sm.Wander()]
    valley.add(deer, name="deer", steering=combine(urges_of_deer))
    valley.add(wolf, name="wolf", steering=sm.Pursue(deer))
    wet = []
    valley.on_step(
        lambda world, deer=deer, wet=wet: wet.append(sm.metrics.obstacle_collisions(deer, pond, world.domain))
    )
    valley.run(seconds=20)
    print(f"{name}: {np.mean(wet):.2f} deer in the pond, on average")
show(valley)

# %% [markdown]
# ## Exercise 6.3: two distances
#
# A rabbit grazes until a fox is nearer than `near`; then it flees until the fox is farther than `far`. In between it goes on with what it does. With one distance
# alone it would change its mind in every step, just at the edge.
#
# `fleeing` has truth values, which rabbits flee now (n,), `distance` the distances to the fox (n,). Return which rabbits flee next.


# %% tags=["mistake"]
def flees(fleeing, distance, near, far):
    """One distance alone."""
    return distance <= near


# %% tags=["mistake"]
def flees(fleeing, distance, near, far):
    """It never calms down."""
    return fleeing | (distance <= near)


# %% tags=["solution"]
def flees(fleeing, distance, near, far):
    """Which rabbits flee next, truth values (n,)."""
    ### BEGIN SOLUTION
    return (distance <= near) | (fleeing & (distance <= far))
    ### END SOLUTION


# %% tags=["check"]
def pasture(near=6.0, far=14.0):
    """Rabbits with two modes by the library, and a fox that walks up and down."""
    rabbits = sm.Vehicles(np.random.default_rng(3).uniform(-20, 20, (40, 2)), max_speed=5, max_force=15)
    fox = sm.Vehicles([[-30, 0]], max_speed=4, max_force=15)
    alarm = sm.Near(fox, near, leave=far)
    modes = sm.Modes(
        {"graze": sm.Wander(speed=0.5), "flee": sm.Evade(fox)},
        start="graze",
        transitions=[("graze", "flee", alarm), ("flee", "graze", ~alarm)],
    )
    world = sm.World(domain=sm.Box([60, 60], origin=[-30, -30]), dt=0.05, seed=1)
    herd = world.add(rabbits, name="rabbits", steering=modes)
    world.add(fox, name="fox", steering=sm.Patrol([[-25, 0], [25, 0]]))
    return world, herd, fox


world, herd, fox = pasture()
mine, theirs = np.zeros(40, bool), np.zeros(40, bool)
mind_changes = wrong = 0
for _ in range(400):
    distance = sm.laws.length(herd.vehicles.position - fox.position)
    before, mine = mine, flees(mine, distance, 6.0, 14.0)
    if mine is None or mine is ...:
        check("6.3", (False, "flees returns nothing yet: write its law in place of the three dots."))
    world.step()
    theirs = sm.modes_of(herd) == "flee"
    mind_changes += int((mine != before).sum())
    wrong += int((mine != theirs).sum())
problem = f"in 400 steps of 40 rabbits, {wrong} decisions differ from those of sm.Modes with sm.Near(fox, 6, leave=14)."
check(
    "6.3", (wrong == 0, f"{problem} Hint: those that flee do so up to the far distance, others begin at the near one.")
)
print(f"The rabbits changed their mind {mind_changes} times in 20 s.")

# %% [markdown]
# The same in motion. Click a rabbit: the panel says in which mode it is, since when and because of what. Then set `far` equal to `near` and look at the edge.

# %%
show(pasture()[0])

# %% [markdown]
# **Go on.** Foxes need a rest: a mode "rest" with `sm.After(5)`. A rabbit that has not *seen* the fox should not flee: `sm.Sees(fox, range=15, angle=4)`. Alarm
# that spreads: `sm.Startled`.
