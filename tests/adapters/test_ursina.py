"""Vehicles in Ursina, in a process of their own: it sets the axes of all Panda3D, and there is one window for ever."""

import pytest

PROGRAM = """
import math
import numpy as np
import steersman as sm
from panda3d.core import LVector3f
from ursina import Entity, Ursina, Vec3, destroy, scene
from steersman.adapters.panda3d import Overlay, Swarm
from steersman.adapters.ursina import Entities, boxes, from_ursina, our_axes, to_ursina

app = Ursina(window_type="none")

def looks(entity):
    return [np.array(scene.getRelativeVector(entity, LVector3f(0, *way))) for way in ((0, 1), (1, 0))]

fish = sm.Vehicles([[1, 2], [3, 4], [5, 6]], heading=[0.3, -2, 1.5], max_speed=3, max_force=9)
school = Entities(fish, lambda: Entity(model="cube"), height=7)
for row, angle in enumerate(fish.heading):
    entity = school.entity_of(row)
    x, y = fish.position[row]
    assert np.allclose(entity.world_position, (x, 7, y)), entity.world_position
    ahead, up = looks(entity)
    assert np.allclose(ahead, (math.cos(angle), 0, math.sin(angle)), atol=1e-5), ahead
    assert np.allclose(entity.forward, ahead, atol=1e-5), entity.forward
    assert np.allclose(up, (0, 1, 0), atol=1e-5), up
    beside = Entity(position=(x, 7, y))
    beside.look_at(Vec3(x + math.cos(angle), 7, y + math.sin(angle)))
    assert np.allclose(beside.forward, entity.forward, atol=1e-4)

rng = np.random.default_rng(1)
birds = sm.Vehicles(rng.normal(0, 5, (9, 3)), forward=rng.normal(0, 1, (9, 3)), up=rng.normal(0, 1, (9, 3)))
flock = Entities(birds, lambda: Entity(model="cube"))
for row in range(9):
    ahead, up = looks(flock.entity_of(row))
    assert np.allclose(ahead, birds.forward[row][[0, 2, 1]], atol=1e-5)
    assert np.allclose(up, birds.up[row][[0, 2, 1]], atol=1e-5)
    assert np.allclose(flock.entity_of(row).world_position, birds.position[row][[0, 2, 1]], atol=1e-5)

world = sm.World()
world.add(fish, name="fish", steering=sm.Seek([30, 40]))
kept = school.entity_of(1)
world.run(steps=29)
world.drawn(0)  # From now on the state before a step is kept.
world.step()
school.follow(world.drawn(0.5))
assert abs(kept.world_position[0] - fish.position[1, 0]) > 0.01
assert np.allclose(kept.world_position[0], world.drawn(0.5).position[1, 0], atol=1e-4)
fish.remove(0)
fish.spawn([[9, 9]])
school.follow()
assert school.entity_of(1) is kept
assert len([each for each in scene.entities if not each.isEmpty() and each.y == 7 and each.model]) == 3
destroy(school.entity_of(2))
school.follow(world.drawn(0.5))
assert fish.id.tolist() == [1, 3]

assert from_ursina((1, 2, 3)).tolist() == [1, 3]
assert from_ursina([(1, 2, 3)], 3).tolist() == [[1, 3, 2]]
assert to_ursina([[1, 3]], 2).tolist() == [[1, 2, 3]]
house = boxes([Entity(model="cube", position=(4, 1, 9), scale=(2, 6, 3))])
assert np.allclose(house.center, [[4, 9]]) and np.allclose(house.size, [[1, 1.5]]), house

axes = our_axes(scene)
swarm = Swarm(birds, axes)
low, high = swarm.node.getTightBounds(scene)
middle = (birds.position.min(axis=0) + birds.position.max(axis=0)) / 2
assert np.allclose((np.array(low) + np.array(high)) / 2, middle[[0, 2, 1]], atol=1.5)
why = Overlay(axes)
why.show(world, 1, name="fish", height=0)
low, high = why.node.getTightBounds(scene)
assert high[1] < 1 and high[2] > 5, (low, high)
print("all held")
"""


def test_entities_follow_in_its_axes(library, tmp_path):
    pytest.importorskip("ursina")
    (tmp_path / "program.py").write_text(PROGRAM)
    done = library.run(["program.py"], cwd=tmp_path)
    assert "all held" in done.stdout, done.stdout + done.stderr
