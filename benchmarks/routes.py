"""How fast routes are found, beside scikit-fmm and networkx: `python -m benchmarks.routes`. Processor time, best of several.

uv pip install scikit-fmm networkx
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import steersman as sm

ROCKS, PLACES = 60, 2000


def seconds(work: Callable[[], Any], times: int = 5) -> float:
    """Processor time of the fastest of several turns [s], after one that is not counted."""
    found = []
    for _ in range(times + 1):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found[1:])


def scene(n: int) -> tuple[list[Any], sm.Box]:
    """Rocks and walls on a floor of n x n nodes, 0.1 m apart."""
    rng, size = np.random.default_rng(0), (n - 1) * 0.1
    rocks = sm.Spheres(rng.uniform(5, size - 5, (ROCKS, 2)), rng.uniform(0.5, 2.0, ROCKS))
    walls = sm.Walls([[[x, y], [x + 8, y]] for x, y in rng.uniform(5, size - 10, (30, 2))])
    return [rocks, walls], sm.Box([size, size])


def by_fmm(grid: sm.RouteGrid, goal: Any) -> Callable[[], Any]:
    """The same distances by scikit-fmm."""
    import skfmm

    shut = np.isinf(grid.weight[1:-1, 1:-1])
    border = np.ones(grid.shape)
    border[tuple(np.rint(np.array(goal) / grid.step).astype(int))] = -1
    front = np.ma.MaskedArray(border, shut)
    return lambda: skfmm.travel_time(front, np.ones(grid.shape), dx=grid.step, order=1)


def by_networkx(grid: sm.RouteGrid, goal: Any) -> Callable[[], Any]:
    """Distances along the edges and diagonals of the same grid by Dijkstra's algorithm in networkx."""
    import networkx

    free = np.isfinite(grid.weight[1:-1, 1:-1])
    graph = networkx.Graph()
    for di, dj in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for i, j in np.argwhere(free):
            if 0 <= i + di < free.shape[0] and 0 <= j + dj < free.shape[1] and free[i + di, j + dj]:
                graph.add_edge((i, j), (i + di, j + dj), weight=grid.step * float(np.hypot(di, dj)))
    node = tuple(np.rint(np.array(goal) / grid.step).astype(int))
    return lambda: networkx.single_source_dijkstra_path_length(graph, node)


def meshes() -> None:
    """Print pairs a second: exact ways among polygons, and ways over the edges of a grid, beside networkx."""
    import networkx

    obstacles, region = scene(300)
    begin = time.process_time()
    mesh = sm.NavMesh.around(obstacles, region=region, clearance=0.2)
    rng = np.random.default_rng(1)
    places = rng.uniform(0.5, region.size[0] - 0.5, (2 * PLACES, 2))
    pairs = places[:PLACES], places[PLACES:]
    mesh.lengths(*pairs)
    made = time.process_time() - begin

    def asked() -> Any:
        mesh._known.clear()
        return mesh.lengths(*pairs)

    print(f"NavMesh: {len(mesh.corners)} corners, made in {made:.2f} s; {PLACES / seconds(asked):,.0f} pairs/s")

    free = np.isfinite(sm.RouteGrid(obstacles, region=region, spacing=0.3, clearance=0.2).weight[1:-1, 1:-1])
    route = sm.Route.from_grid(free, spacing=0.3)
    graph = networkx.DiGraph()
    for node, place in zip(route.names, route.position, strict=True):
        graph.add_node(node, pos=tuple(place))
    for (a, b), cost in zip(route._edges, route._graph.cost, strict=True):
        graph.add_edge(route.names[a], route.names[b], length=float(cost))
    middle = route.names[int(np.flatnonzero(free.ravel())[free.sum() // 2])]
    joined = np.isfinite(route.costs(route.names, [middle] * len(route)))
    cells = [route.names[k] for k in rng.choice(np.flatnonzero(joined), 200)]
    ends = cells[:100], cells[100:]

    def straight(a: Any, b: Any) -> float:
        return float(0.3 * np.hypot(a[0] - b[0], a[1] - b[1]))

    def theirs() -> Any:
        return [networkx.astar_path_length(graph, a, b, straight, "length") for a, b in zip(*ends, strict=True)]

    own = seconds(lambda: route.costs(*ends))
    peer = seconds(theirs, 1)
    apart = np.abs(route.costs(*ends) - theirs()).max()
    print(f"Route: {len(route):,} nodes; {100 / own:,.0f} pairs/s, networkx A* {100 / peer:,.0f}; {apart:.1g} m apart")


def main() -> None:
    """Print the tables."""
    goal = [1.0, 1.0]
    print(
        f"{'nodes':>12} {'made of obstacles':>18} {'distances':>10} {'scikit-fmm':>11} {'networkx':>9} {'guides/s':>10}"
    )
    for n in (100, 300, 1000):
        obstacles, region = scene(n) if n > 100 else (scene(300)[0], sm.Box([9.9, 9.9]))

        def whole(obstacles: Any = obstacles, region: Any = region) -> Any:
            return sm.RouteGrid(obstacles, region=region, spacing=0.1, clearance=0.2).field(np.array([goal]))

        grid = sm.RouteGrid(obstacles, region=region, spacing=0.1, clearance=0.2)
        grid.weight  # noqa: B018 -- it is computed once

        def again(grid: sm.RouteGrid = grid) -> Any:
            grid._known.clear()
            return grid.field(np.array([goal]))

        places = np.random.default_rng(1).uniform(0.5, region.size[0] - 0.5, (PLACES, 2))
        asked = seconds(lambda grid=grid, places=places: grid.guide(places, [goal], reach=2.0))  # type: ignore[misc]
        peers = [seconds(by_fmm(grid, goal), 2), seconds(by_networkx(grid, goal), 1) if n <= 300 else float("nan")]
        print(
            f"{n:>5} x {n:<4} {1e3 * seconds(whole):>15.1f} ms {1e3 * seconds(again):>7.1f} ms"
            f" {1e3 * peers[0]:>8.1f} ms {1e3 * peers[1]:>6.0f} ms {PLACES / asked:>10,.0f}"
        )
    meshes()


if __name__ == "__main__":
    main()
