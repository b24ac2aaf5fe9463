"""Vehicles come and go between steps: nothing is kept that should not be, and what has not changed is kept."""

import numpy as np

import steersman as sm


def game(threads: int = 1) -> tuple[sm.World, sm.Vehicles, sm.Vehicles, sm.Vehicles]:
    rng = np.random.default_rng(4)
    herd, wolves, birds = (
        sm.Vehicles(rng.uniform(0, 60, (n, 2)), rng.normal(0, 2, (n, 2)), max_speed=5, max_force=15)
        for n in (80, 4, 30)
    )
    world = sm.World(domain=sm.Torus([60, 60]), seed=2, threads=threads)
    modes = sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Evade(wolves) + sm.Separation(radius=3)},
        start="graze",
        transitions=[("graze", "flee", sm.Near(wolves, 12)), ("flee", "graze", ~sm.Near(wolves, 20))],
    )
    world.add(herd, name="herd", steering=sm.Priority([modes, sm.Cohesion(radius=9)]))
    world.add(wolves, name="wolves", steering=sm.Pursue(herd) + sm.Wander())
    world.add(birds, name="birds", steering=sm.Flocking())
    return world, herd, wolves, birds


def play(anew: bool) -> list[bytes]:
    world, herd, wolves, birds = game()
    rng = np.random.default_rng(5)
    for step in range(40):
        if step % 3 == 0:
            herd.spawn(rng.uniform(0, 60, (3, 2)))
            herd.remove(herd.id[:2])
        if step % 7 == 1:
            wolves.remove(wolves.id[:1])
            wolves.spawn(rng.uniform(0, 60, (1, 2)))
        if step % 10 == 5 and step < 20:
            birds.remove(np.arange(len(birds)) == 3)
            world.populations["birds"].steering = 0.5 * sm.Flocking() + sm.Wander()
        if step == 20:
            world.remove("birds")
        if step == 30:
            world.domain = sm.Open()
        if anew:
            world._plan = None
        world.step()
    return [each.block.tobytes() + each.id.tobytes() for each in (herd, wolves, birds)] + [
        values.tobytes() for values in world.memory("herd", "Modes").values()
    ]


def test_what_is_kept_of_a_plan_makes_no_difference() -> None:
    assert play(anew=False) == play(anew=True)


def test_who_has_nothing_to_do_with_a_change_is_not_planned_anew() -> None:
    world, herd, _, birds = game()
    world.step()
    before = {each.population.name: each for each in world._ready().steered}
    birds.spawn([[1.0, 1.0]])
    after = {each.population.name: each for each in world._ready().steered}
    assert [name for name in before if after[name] is not before[name]] == ["birds"]
    herd.spawn([[1.0, 1.0]])
    last = {each.population.name: each for each in world._ready().steered}
    assert [name for name in after if last[name] is not after[name]] == ["herd", "wolves"]
    world.seed = 9
    assert all(each is not last[each.population.name] for each in world._ready().steered)
