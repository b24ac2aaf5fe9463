# %% [markdown]
# # 5. Flocks
#
# A thousand starlings turn like one animal, and none of them leads. In 1986 Craig Reynolds found that three urges are enough, each of which looks at
# nothing but the nearest neighbors: keep apart, fly the same way, stay together.

# %%
import numpy as np
from lesson import check, check_law, force, show

import steersman as sm

rng = np.random.default_rng(5)

# %% [markdown]
# ## Who is my neighbor?
#
# `sm.laws.neighborhood(position, forward, radius)` answers with a table of truth values, shape `(n, n)`: `visible[i, j]` says whether `i` sees `j`. No bird is
# its own neighbor. The offsets of all pairs are one line of NumPy, shape `(n, n, 2)`: `position[:, None] - position[None, :]`.

# %%
few = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [9.0, 9.0]])
print(sm.laws.neighborhood(few, np.tile([1.0, 0.0], (4, 1)), 3.0))

# %% [markdown]
# ## Exercise 5.1: separation
#
# Each visible neighbor pushes away, the harder the nearer it is: the push has the length $1 / r$.
#
# $$\text{steering}_i = \sum_{j \text{ visible}} \frac{\operatorname{unit}(p_i - p_j)}{r_{ij}}$$
#
# Two birds in exactly one place have no direction between them, and do not push: mind the division.


# %% tags=["mistake"]
def separation(position, visible):
    """All neighbors push equally hard."""
    offset = position[:, None] - position[None, :]
    return np.sum(sm.laws.normalize(offset) * visible[:, :, None], axis=1)


# %% tags=["mistake"]
def separation(position, visible):
    """It divides by zero."""
    offset = position[:, None] - position[None, :]
    with np.errstate(all="ignore"):
        return np.sum(offset / np.sum(offset**2, axis=2)[:, :, None] * visible[:, :, None], axis=1)


# %% tags=["solution"]
def separation(position, visible):
    """The push of all visible neighbors, shape (n, 2)."""
    ### BEGIN SOLUTION
    offset = position[:, None] - position[None, :]
    square = np.sum(offset**2, axis=2)
    weight = visible / np.where(square > 0, square, 1)
    return np.sum(offset * weight[:, :, None], axis=1)
    ### END SOLUTION


# %% tags=["check"]
position, velocity = rng.uniform(0, 20, (40, 2)), rng.normal(0, 3, (40, 2))
position[1] = position[0]  # Two in one place.
position[-1] = [200, 200]  # One that is alone.
visible = sm.laws.neighborhood(position, sm.laws.normalize(velocity), 6.0)


def law_of_separation(position, visible):
    return sm.laws.separation(position, position, visible)


check_law(
    "5.1", separation, law_of_separation, position, visible,
    hint="unit(offset) / r is offset / r^2; where r is zero, divide by one instead.",
)  # fmt: skip

# %% [markdown]
# ## Exercise 5.2: alignment
#
# Fly as the others fly: the mean of the velocities of the visible neighbors, less its own velocity. A bird without visible neighbors does not steer.


# %% tags=["mistake"]
def alignment(velocity, visible):
    """Those that are alone brake."""
    count = np.maximum(visible.sum(axis=1), 1)
    return visible @ velocity / count[:, None] - velocity


# %% tags=["mistake"]
def alignment(velocity, visible):
    """The sum in place of the mean."""
    seen = visible.any(axis=1)
    return np.where(seen[:, None], visible @ velocity - velocity, 0)


# %% tags=["solution"]
def alignment(velocity, visible):
    """The change of velocity to that of the neighbors, shape (n, 2)."""
    ### BEGIN SOLUTION
    count = visible.sum(axis=1)
    mean = visible @ velocity / np.maximum(count, 1)[:, None]
    return np.where(count[:, None] > 0, mean - velocity, 0.0)
    ### END SOLUTION


# %% tags=["check"]
def law_of_alignment(velocity, visible):
    return sm.laws.alignment(velocity, velocity, visible)


check_law(
    "5.2", alignment, law_of_alignment, velocity, visible,
    hint="visible @ velocity is the sum over the neighbors; visible.sum(axis=1) is their number, which may be zero.",
)  # fmt: skip

# %% [markdown]
# ## Exercise 5.3: cohesion
#
# Stay with the others: seek the centroid (the mean position) of the visible neighbors, at full speed. A bird without visible neighbors does not steer.


# %% tags=["mistake"]
def cohesion(position, velocity, max_speed, visible):
    """To the middle of everyone."""
    return sm.laws.seek(position, velocity, position.mean(axis=0), max_speed)


# %% tags=["mistake"]
def cohesion(position, velocity, max_speed, visible):
    """Those that are alone go to the origin."""
    count = np.maximum(visible.sum(axis=1), 1)
    return sm.laws.seek(position, velocity, visible @ position / count[:, None], max_speed)


# %% tags=["solution"]
def cohesion(position, velocity, max_speed, visible):
    """The change of velocity that leads to the centroid of the neighbors, shape (n, 2)."""
    ### BEGIN SOLUTION
    count = visible.sum(axis=1)
    centroid = visible @ position / np.maximum(count, 1)[:, None]
    return np.where(count[:, None] > 0, sm.laws.seek(position, velocity, centroid, max_speed), 0.0)
    ### END SOLUTION


# %% tags=["check"]
def law_of_cohesion(position, velocity, max_speed, visible):
    return sm.laws.cohesion(position, velocity, position, max_speed, visible)


check_law(
    "5.3",
    cohesion,
    law_of_cohesion,
    position,
    velocity,
    5.0,
    visible,
    hint="The centroid first, as in 5.2; then sm.laws.seek.",
)


def flock(apart=8.0, same=2.0, together=0.8, seed=1):
    """A world of starlings that your laws steer."""
    rng = np.random.default_rng(seed)

    def steer(birds):
        seen = sm.laws.neighborhood(birds.position, birds.forward, 8.0, angle=5.2)
        return force(
            birds,
            apart * separation(birds.position, seen)
            + same * alignment(birds.velocity, seen)
            + together * cohesion(birds.position, birds.velocity, 6.0, seen)
            + 0.5 * sm.laws.with_length(birds.velocity, 6.0)
            - 0.5 * birds.velocity,
        )

    world = sm.World(dt=0.05, seed=seed)
    birds = sm.Vehicles(rng.uniform(0, 14, (60, 2)), rng.normal(0, 3, (60, 2)), max_speed=6, max_force=25)
    world.add(birds, name="birds", steering=steer)
    return world


world = flock()
world.run(seconds=15)
order, gap = sm.metrics.polarization(world["birds"]), sm.metrics.nearest_distance(world["birds"])
check(
    "5.3",
    (order > 0.9, f"after 15 s the birds fly in all directions (order {order:.2f}, where 1 is all the same)."),
    (0.5 < gap < 6, f"the birds are {gap:.2f} m from their neighbors, which is no flock."),
)

# %% [markdown]
# Your flock, of nothing but three sums.

# %%
show(flock())

# %% [markdown]
# ## Leave one out
#
# What is a flock without alignment? Guess first, then look at the numbers, then at the picture: `show(flock(same=0))`.

# %%
for left_out in ("nothing", "apart", "same", "together"):
    weights = {} if left_out == "nothing" else {left_out: 0.0}
    world = flock(**weights)
    world.run(seconds=15)
    birds = world["birds"]
    print(
        f"without {left_out:9}: order {sm.metrics.polarization(birds):.2f}, "
        f"next neighbor {sm.metrics.nearest_distance(birds):.2f} m, "
        f"flocks {sm.metrics.cluster_count(birds, 6.0):2.0f}"
    )

# %% [markdown]
# ## Ready made, and many
#
# Your table of pairs has $n^2$ entries: fine for 60, too much for 60,000. The library looks into the cells around each bird. (Lesson 8 is about that.)

# %%
many = sm.Vehicles(rng.uniform(0, 120, (800, 2)), rng.normal(0, 3, (800, 2)), max_speed=7, max_force=25)
sky = sm.World(domain=sm.Torus([120, 120]), dt=0.05, seed=5)
sky.add(
    many,
    name="starlings",
    steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=8) + sm.Alignment(radius=8) + 0.2 * sm.Wander(),
)
show(sky)

# %% [markdown]
# **Go on.** A hawk: `sm.Evade(hawk)` with a large weight. A school of fish in space: positions of three numbers, and the same lines. Shapes and colors:
# `world.view()` has a panel for them.
