"""RouteGrid: the room around its nodes beside that of all pairs, and what it knows when tolls change."""

import numpy as np
import pytest

import steersman as sm


def rocks_apart() -> sm.Spheres:
    """Twelve rocks, no two of which overlap."""
    rng = np.random.default_rng(1)
    places = np.stack(np.meshgrid(np.arange(8.0, 60, 15), np.arange(8.0, 50, 15)), axis=-1).reshape(-1, 2)
    return sm.Spheres(places + rng.uniform(-3, 3, places.shape), rng.uniform(0.2, 4, len(places)))


@pytest.mark.parametrize("spacing", [0.5, 2.0])
@pytest.mark.parametrize("sides", ["outside", "inside", "both"])
def test_the_room_of_each_node_is_that_to_the_nearest_of_all(sides: str, spacing: float) -> None:
    """Blocks of nodes are left out where their middles are far; inside of what is solid room is negative."""
    rocks = rocks_apart().viewed_from(sides)
    grid = sm.RouteGrid(rocks, region=sm.Box([60.0, 50.0]), spacing=spacing, clearance=0.5)
    x, y = (spacing * np.arange(each) for each in grid.shape)
    nodes = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    distance = np.linalg.norm(nodes[:, :, None] - rocks.center, axis=-1) - rocks.radius
    wanted = (distance if sides == "outside" else np.abs(distance)).min(axis=-1)
    rim = np.minimum(nodes, [60.0, 50.0] - nodes).min(axis=-1)
    most = grid.least_room + 2 * spacing
    np.testing.assert_allclose(grid.room, np.minimum(np.minimum(wanted, rim), most), atol=1e-9)
    assert (grid.room == most).sum() > 10


def test_a_clearance_of_next_to_nothing_is_refused_for_the_number_of_its_nodes():
    with pytest.raises(ValueError, match="spacing must be larger: 1,000,000,000 x 1,000,000,000 nodes"):
        sm.RouteGrid(region=sm.Sphere([0.0, 0.0], 5.0), clearance=5e-324)
