# %% [markdown]
# # 3. Obstacles
#
# A swallow flies through a wood at full speed. It does not plan; it looks ahead, sees the next trunk in its way, and swerves. That is all there is to
# this lesson: *is an obstacle in my way, how far is it, and to which side do I turn?*

# %%
import numpy as np
from lesson import check, check_law, force, show

import steersman as sm

rng = np.random.default_rng(3)

# %% [markdown]
# ## Exercise 3.1: how far is the trunk?
#
# A ray begins at `origin` and goes in the `direction` $f$ (length 1). A trunk is a circle. With $c = \text{center} - \text{origin}$, the ray passes the
# center at the distance $c \cdot f$ along it, and beside it by the *lateral* part $|c - (c \cdot f) f|$. So it enters the circle at
#
# $$t = c \cdot f - \sqrt{r^2 - |\text{lateral}|^2}$$
#
# Infinite, if the ray misses the circle ($|\text{lateral}| > r$) or if the circle lies behind it; zero, if the ray begins inside. `sm.laws.lateral(c, f)`
# is there. In rows: $c \cdot f$ is `np.sum(c * f, axis=1)`.


# %% tags=["mistake"]
def entry(origin, direction, center, radius):
    """Trunks behind count, too."""
    way = center - origin
    along = np.sum(way * direction, axis=1)
    left = radius**2 - sm.laws.length(sm.laws.lateral(way, direction)) ** 2
    return np.where(left >= 0, np.maximum(along - np.sqrt(np.maximum(left, 0)), 0), np.inf)


# %% tags=["mistake"]
def entry(origin, direction, center, radius):
    """The distance of the surface, whether it is in the way or not."""
    return np.maximum(sm.laws.length(center - origin) - radius, 0)


# %% tags=["solution"]
def entry(origin, direction, center, radius):
    """How far along each ray its circle begins [m], shape (n,)."""
    ### BEGIN SOLUTION
    way = center - origin
    along = np.sum(way * direction, axis=1)
    left = radius**2 - sm.laws.length(sm.laws.lateral(way, direction)) ** 2
    half = np.sqrt(np.maximum(left, 0))
    meets = (left >= 0) & (along + half >= 0)
    return np.where(meets, np.maximum(along - half, 0), np.inf)
    ### END SOLUTION


# %% tags=["check"]
eye, ahead = rng.uniform(-10, 10, (200, 2)), sm.laws.normalize(rng.normal(size=(200, 2)))
trunk, thick = rng.uniform(-10, 10, (200, 2)), rng.uniform(1, 5, 200)
check_law(
    "3.1", entry, sm.laws.ray_sphere_entry, eye, ahead, trunk, thick,
    hint="Three cases: it misses (or all of it is behind), it begins inside, it enters ahead.",
)  # fmt: skip

# %% [markdown]
# ## Exercise 3.2: to which side?
#
# Away from the center, at right angles to the way: with all the force that there is, against the lateral part of the offset to the center.
#
# $$\text{steering} = -\text{max\_force} \cdot \operatorname{unit}(\text{lateral}(\text{center} - \text{position}))$$
#
# Dead ahead the lateral part is zero, and has no direction. A swallow that hesitates there hits the trunk: let it steer to the left then
# (`sm.laws.perpendicular(forward)`).


# %% tags=["mistake"]
def swerve(offset, forward, max_force):
    """It brakes, and does nothing straight ahead."""
    return sm.laws.with_length(-offset, max_force)


# %% tags=["mistake"]
def swerve(offset, forward, max_force):
    """It hesitates before a trunk that is straight ahead."""
    return sm.laws.with_length(-sm.laws.lateral(offset, forward), max_force)


# %% tags=["solution"]
def swerve(offset, forward, max_force):
    """The force beside the way, away from a center at an offset [m]."""
    ### BEGIN SOLUTION
    side = sm.laws.lateral(offset, forward)
    straight = sm.laws.length(side) < 1e-9
    away = np.where(straight[:, None], sm.laws.perpendicular(forward), -side)
    return sm.laws.with_length(away, max_force)
    ### END SOLUTION


# %% tags=["check"]
offset = rng.uniform(-10, 10, (50, 2))
offset[0], ahead[0] = [5.0, 0.0], [1.0, 0.0]
check_law(
    "3.2", swerve, sm.laws.avoid_sideways, offset, ahead[:50], 4.0,
    hint="It is at right angles to forward, max_force long, and never zero.",
)  # fmt: skip


def wood(avoiding):
    """Swallows on their way through a wood, and how many hit a trunk."""
    rng = np.random.default_rng(5)
    trunks = sm.Spheres(rng.uniform([15, 0], [75, 60], (30, 2)), rng.uniform(0.8, 2.0, 30))
    swallows = sm.Vehicles(
        np.stack([np.zeros(40), np.linspace(2, 58, 40)], axis=1), [[10, 0]] * 40, max_speed=10, max_force=60, radius=0.3
    )

    def fly(all):
        east = force(all, [10.0, 0.0] - all.velocity)
        if not avoiding:
            return east
        which, _ = sm.laws.nearest_threat(all.position, all.forward, 0.6, trunks.center, trunks.radius, 12.0)
        away = swerve(trunks.center[which] - all.position, all.forward, 60.0)
        return np.where((which >= 0)[:, None], away, east)

    world = sm.World(domain=sm.Torus([100, 70], origin=[-5, -5]), dt=0.02)
    world.add(swallows, name="swallows", steering=fly)
    hits = []
    world.on_step(lambda _: hits.append(sm.metrics.penetrations(swallows, trunks) > 0))
    return world, swallows, hits, trunks


counts = {}
for avoiding in (False, True):
    world, _, hits, _ = wood(avoiding)
    world.run(seconds=8)
    counts[avoiding] = int(np.any(hits, axis=0).sum())
many = f"{counts[True]} of 40 swallows hit a trunk, where {counts[False]} do that do not look."
check("3.2", (counts[True] <= counts[False] // 4, many))
print(f"{counts[True]} of 40 swallows hit a trunk; {counts[False]} of those that do not look")

# %% [markdown]
# Your swallows. Some still touch: they swerve from one trunk into the next, or begin too late. What would help: a longer look, more force, or less speed?

# %%
world, _, _, trunks = wood(avoiding=True)
show(world, trunks=trunks)

# %% [markdown]
# ## The same, ready made
#
# `sm.AvoidObstacles` has this law, with spheres, boxes, walls and meshes, and a `Priority` asks it first: only swallows with nothing in the way go east. In the
# window switch on *sketches*: each swallow shows the corridor that it looks into.


# %%
def ready_made():
    """The same wood, and swallows of the library."""
    world, _, hits, trunks = wood(avoiding=False)
    urges = [sm.AvoidObstacles(trunks, lookahead=1.2), sm.MatchVelocity([10.0, 0.0])]
    world.populations["swallows"].steering = sm.Priority(urges)
    return world, hits


world, hits = ready_made()
world.run(seconds=8)
print(f"{int(np.any(hits, axis=0).sum())} of 40 touch")
show(ready_made()[0])

# %% [markdown]
# **Go on.** Walls have no center. Try `sm.Walls([[[10, -5], [10, 5]]])`, feelers (`sm.Whiskers`), and a cage that is not to be left (`sm.Contain`).
