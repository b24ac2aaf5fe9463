"""Route: graphs, grids and lines, beside networkx."""

import itertools
from typing import Any

import numpy as np
import pytest

import steersman as sm


def town(seed: int, *, directed: bool = False) -> Any:
    """A random graph of crossings, with roads of their own lengths and prices."""
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(seed)
    graph = networkx.DiGraph() if directed else networkx.Graph()
    places = rng.uniform(0, 100, (60, 2))
    for k, place in enumerate(places):
        graph.add_node(f"c{k}", pos=place)
    for k in range(60):
        for other in np.argsort(np.linalg.norm(places - places[k], axis=1))[1:4]:
            length = float(np.linalg.norm(places[k] - places[other]))
            graph.add_edge(f"c{k}", f"c{other}", length=length, price=length * rng.uniform(0.5, 3))
    return graph


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weight", ["length", "price"])
def test_ways_over_a_graph_are_those_of_networkx(weight: str, directed: bool) -> None:
    networkx = pytest.importorskip("networkx")
    graph = town(3, directed=directed)
    route = sm.Route.from_graph(graph, weight=weight)
    nodes = list(graph)
    rng = np.random.default_rng(0)
    origins, goals = ([nodes[k] for k in rng.integers(0, 60, 80)] for _ in range(2))
    known = []
    for a, b in zip(origins, goals, strict=True):
        try:
            known.append(networkx.dijkstra_path_length(graph, a, b, weight=weight))
        except networkx.NetworkXNoPath:
            known.append(np.inf)
    found = route.costs(origins, goals)
    np.testing.assert_allclose(found, known, rtol=1e-12)
    for a, b, cost in zip(origins[:20], goals[:20], found, strict=False):
        if np.isfinite(cost):
            names = route.nodes(a, b)
            paid = sum(graph.edges[pair][weight] for pair in itertools.pairwise(names))
            assert paid == pytest.approx(cost)
            assert (names[0], names[-1]) == (a, b)


def test_a_path_is_followed_and_a_closed_road_is_gone_round() -> None:
    square = sm.Route.from_points([[[0, 0], [40, 0], [40, 40]], [[0, 0], [0, 60], [40, 40]]])
    assert len(square) == 4
    there, back = square.path([0, 0], [40, 40]), square.path([40, 40], [0, 0])
    np.testing.assert_array_equal(back.points, there.points[::-1])  # Lines are ways both ways.
    path = square.path([1, 1], [40, 39], radius=2)
    np.testing.assert_allclose(path.points, [[0, 0], [40, 0], [40, 40]])
    lorry = sm.Vehicles([[0.0, 0.0]], max_speed=8, max_force=40)
    world = sm.World()
    world.add(lorry, steering=sm.FollowPath(path, end="arrive"))
    world.run(seconds=20)
    np.testing.assert_allclose(lorry.position, [[40, 40]], atol=1.0)
    square.set_cost([0, 0], [40, 0], np.inf)
    np.testing.assert_allclose(square.path([0, 0], [40, 40]).points, [[0, 0], [0, 60], [40, 40]])


def test_a_road_that_became_cheaper_than_it_is_long_is_found() -> None:
    square = sm.Route.from_points([[[0, 0], [10, 0]], [[0, 0], [0, 10], [10, 10], [10, 0]]])
    np.testing.assert_allclose(square.path([0, 0], [10, 0]).points, [[0, 0], [10, 0]])
    for a, b in (([0, 0], [0, 10]), ([0, 10], [10, 10]), ([10, 10], [10, 0])):
        square.set_cost(a, b, 0.5)
    np.testing.assert_allclose(square.path([0, 0], [10, 0]).points, [[0, 0], [0, 10], [10, 10], [10, 0]])


def test_a_grid() -> None:
    """Round a wall; diagonally where both cells beside are free; through the swamp where it is shorter."""
    free = np.ones((5, 5), bool)
    free[2, :4] = False
    route = sm.Route.from_grid(free, origin=[10, 20], spacing=2)
    path = route.path((0, 0), (4, 0))
    np.testing.assert_allclose(path.points[[0, -1]], [[10, 20], [18, 20]])
    assert path.length == pytest.approx(2 * (2 + 2 * (3 + np.sqrt(2))))
    assert route.costs([(0, 0)], [(4, 0)])[0] == pytest.approx(path.length)
    assert sm.Route.from_grid(free, diagonal=False).path((0, 0), (4, 0)).length == pytest.approx(12)
    swamp = np.where(free, 1.0, 2.0)
    assert sm.Route.from_grid(swamp).costs([(0, 0)], [(4, 0)])[0] == pytest.approx(2 + 3)
    free[2] = False
    with pytest.raises(ValueError, match=r"no way leads from origin \(0, 0\) to goal \(4, 0\)"):
        sm.Route.from_grid(free).path((0, 0), (4, 0))


def test_points_of_lines_are_one_node_within_a_micrometer() -> None:
    """Two nodes where they are nearly two of them apart."""
    for gap, nodes in ((0.8e-6, 3), (1.8e-6, 4)):
        route = sm.Route.from_points([[[-5, 0], [-gap / 2, 0]], [[gap / 2, 0], [5, 0]]])
        assert len(route) == nodes


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="graph must be a networkx graph, got 3"):
        sm.Route.from_graph(3)
    with pytest.raises(ValueError, match="edges must join rows from 0 to 1, got 0 to 2"):
        sm.Route([[0, 0], [1, 1]], [[0, 2]])
    with pytest.raises(ValueError, match=r"edges must have rows of one length"):
        sm.Route([[0, 0], [1, 1]], [[0, 1], [0]])
    with pytest.raises(TypeError, match="names must be a list of 2 names, got 3"):
        sm.Route([[0, 0], [1, 1]], [[0, 1]], names=3)
    with pytest.raises(ValueError, match="costs must be 1 numbers >= 0"):
        sm.Route([[0, 0], [1, 1]], [[0, 1]], [-1])
    route = sm.Route([[0, 0], [1, 1]], [[0, 1]], names=["a", "b"])
    assert route.nodes("a", "b") == ["a", "b"]
    with pytest.raises(ValueError, match="goal must be a node or a point"):
        route.path("a", "c")
    with pytest.raises(ValueError, match="there must be an edge from 'b' to 'a', there is none"):
        route.set_cost("b", "a", 1)
    graph = town(0)
    with pytest.raises(ValueError, match="graph must have 'minutes' for every edge"):
        sm.Route.from_graph(graph, weight="minutes")
    with pytest.raises(ValueError, match="graph must have 'place' for every node"):
        sm.Route.from_graph(graph, attribute="place")
