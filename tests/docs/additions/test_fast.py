"""Fast: its examples and answers for the contract suite, and a promise of its own."""

import numpy as np

import steersman as sm

CONDITIONS = {"fast": lambda p: sm.Fast(2.0), "not fast": lambda p: ~sm.Fast(1.0)}

JUDGES = {"Fast": lambda c, at, parts: np.linalg.norm(at.velocity) >= c.speed}


def test_a_vehicle_brakes_when_it_is_fast() -> None:
    cars = sm.Vehicles(np.zeros((1, 2)), max_speed=9)
    modes = {"go": sm.Seek([99.0, 0.0]), "brake": sm.TargetSpeed(0.0)}
    world = sm.World()
    world.add(cars, steering=sm.Modes(modes, start="go", transitions=[("go", "brake", sm.Fast(3.0))]))
    world.run(seconds=60)
    assert cars.speed[0] < 0.01
