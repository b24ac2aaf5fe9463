"""Coverage: what has been seen, from where vehicles are."""

import numpy as np

import steersman as sm


def test_what_lies_across_the_seam_of_a_torus_is_seen():
    vehicles = sm.Vehicles([[0.5, 5.0]], max_speed=1)
    world = sm.World(domain=sm.Torus([10, 10]))
    world.add(vehicles)
    seen, plain = (sm.Coverage(sm.Box([10, 10]), vehicles, reach=2.0, cell=1.0) for _ in range(2))
    world.on_step(seen)
    world.step()
    plain.look()
    assert seen.fraction > plain.fraction
    away = np.abs(seen.cells - vehicles.position)
    away = np.minimum(away, 10 - away)
    np.testing.assert_array_equal(seen.seen, np.hypot(*away.T) <= 2.0)
