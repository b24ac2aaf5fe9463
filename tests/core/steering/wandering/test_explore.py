"""Explore: everything is covered."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.wandering.explore import cell_size, cells_of

REGIONS = {
    "box": sm.Box([40, 30], [5, -3]),
    "disc": sm.Sphere([10, 10], 18),
    "polygon": sm.Polygon([[0, 0], [40, 0], [40, 12], [14, 12], [14, 40], [0, 40]]),
    "tank": sm.Box([20, 16, 12]),
}


def explorers(region, n, reach, **columns):
    start = np.broadcast_to(cells_of(region, reach)[0], (n, region.dimensions))
    options = {"max_speed": 5, "max_force": 60, "response_time": 0.1}
    return sm.Vehicles(start, **options | columns)


@pytest.mark.parametrize("name", REGIONS)
def test_the_cells_see_the_whole_region(name):
    """Within 3/4 of the reach of some cell, so that even from where a cell counts as visited all of it is seen."""
    region = REGIONS[name]
    low, high = region.bounds
    points = np.random.default_rng(0).uniform(low, high, (4000, region.dimensions))
    points = points[region.inside(points)]
    cells = cells_of(region, 4.0)
    assert region.nearest(cells).distance.max() < 1e-9
    away = np.linalg.norm(points[:, None] - cells, axis=2).min(axis=1)
    assert away.max() <= 4.0 * 1.05
    assert np.mean(away <= 3.0 * (1 + 1e-9)) > 0.97


@pytest.mark.parametrize("name", REGIONS)
def test_one_explorer_sees_it_all_in_one_round(name):
    region, reach = REGIONS[name], 4.0
    vehicles = explorers(region, 1, reach)
    cells = cells_of(region, reach)
    world = sm.World(dt=1 / 30, threads=1)
    world.add(vehicles, steering=sm.Explore(region, reach=reach))
    coverage = sm.Coverage(region, vehicles, reach=reach, cell=0.5 if region.dimensions == 2 else 1.0)
    world.on_step(coverage, sm.EverySteps(5))
    way = np.linalg.norm(np.diff(cells, axis=0), axis=1).sum() + np.linalg.norm(cells[-1] - cells[0])
    assert coverage.fraction == 0
    world.run(seconds=1.15 * way / 5 + 1)
    assert coverage.fraction > 0.99


def test_many_share_the_work():
    """Twelve who begin at the same place cover the box in a fraction of the time that one takes."""
    region, covered = REGIONS["box"], {}
    for n in (1, 12):
        vehicles = explorers(region, n, 3.0)
        world = sm.World(dt=1 / 30, threads=1)
        world.add(vehicles, steering=sm.Explore(region, reach=3.0))
        coverage = sm.Coverage(region, vehicles, reach=3.0, cell=0.5)
        world.on_step(coverage, sm.EverySteps(5))
        world.run(seconds=20)
        covered[n] = coverage.fraction
    assert covered[12] > 0.95 > 0.6 > covered[1]


def test_the_order_goes_to_and_fro():
    np.testing.assert_array_equal(sm.laws.sweep_order((2, 3)), [[0, 0], [0, 1], [0, 2], [1, 2], [1, 1], [1, 0]])
    order = sm.laws.sweep_order((3, 4, 5))
    assert len(np.unique(order, axis=0)) == 60
    np.testing.assert_array_equal(np.abs(np.diff(order, axis=0)).sum(axis=1), 1)


def test_memory_counts_visits_and_goes_round():
    region = sm.Box([4, 4])
    vehicles = explorers(region, 1, 2.0, max_speed=3)
    world = sm.World(dt=1 / 30, threads=1)
    population = world.add(vehicles, steering=sm.Explore(region, reach=2.0))
    world.run(seconds=30)
    (memory,) = population.memories.values()
    assert memory.snapshot()["visits"][0] > 2 * len(cells_of(region, 2.0))
    assert 0 <= memory.snapshot()["cell"][0] < len(cells_of(region, 2.0))


def test_coverage_by_hand():
    """A quarter of a disc of 10 m around a corner of a square of 20 m: pi 25 of 400 m^2."""
    square, vehicles = sm.Box([20, 20]), sm.Vehicles([[0, 0]])
    coverage = sm.Coverage(square, vehicles, reach=10, cell=0.1)
    assert len(coverage.cells) == 200 * 200
    coverage.look()
    np.testing.assert_allclose(coverage.fraction, np.pi * 25 / 400, rtol=0.01)
    coverage.look(sm.Torus([20, 20]))
    np.testing.assert_allclose(coverage.fraction, np.pi * 100 / 400, rtol=0.01)
    vehicles.position = [[500, 500]]
    coverage.look()
    np.testing.assert_allclose(coverage.fraction, np.pi * 100 / 400, rtol=0.01)


def test_what_is_refused():
    with pytest.raises(ValueError, match="reach must be > 0 m, got 0"):
        sm.Explore(sm.Box([4, 4]), reach=0.0)
    with pytest.raises(ValueError, match=r"reach must leave at most 1000000 cells to explore, got 0\.001 m"):
        sm.Explore(sm.Box([4, 4]), reach=0.001)
    with pytest.raises(ValueError, match="region must have 3 dimensions"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.Explore(sm.Box([4, 4]), reach=1.0)).steer(0.1)
    with pytest.raises(ValueError, match="reach must be > 0 m, got -1"):
        sm.Coverage(sm.Box([4, 4]), sm.Vehicles([[0, 0]]), reach=-1)
    with pytest.raises(ValueError, match="cell must be smaller than the region, got 5 m"):
        sm.Coverage(sm.Polygon([[0, 0], [4, 0], [4, 4], [3, 1]]), sm.Vehicles([[0, 0]]), reach=1, cell=5)


def test_cells_are_at_most_as_large_as_a_vehicle_sees_whole():
    """Rounded up, also where the region is an exact number of cells, or narrower than one."""
    size = cell_size(4.0, 2)
    for across, count in ((3 * size, 3), (3.2 * size, 4), (0.4 * size, 1)):
        cells = cells_of(sm.Box([across, 2.5 * size]), 4.0)
        assert len(cells) == count * 3
        assert len(np.unique(cells[:, 0].round(9))) == count


def test_a_cell_that_is_remembered_of_a_larger_region_is_the_last():
    region = sm.Box([8, 4])
    controller = sm.Controller(explorers(region, 1, 2.0), sm.Explore(region, reach=2.0))
    last = len(cells_of(region, 2.0)) - 1
    forces = []
    for cell in (last, last + 3):
        controller.remember("Explore", cell=cell)
        forces.append(controller.steer(0.1).tolist())
    assert forces[0] == forces[1]
