"""How fast routes are found, beside scikit-fmm, networkx, python-pathfinding and JuPedSim. Processor time, best of several.

python -m benchmarks.routes            # prints the tables
python -m benchmarks.routes --write    # writes them into docs/routes.md, too

uv pip install scikit-fmm networkx pathfinding jupedsim
"""

import importlib.metadata
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import steersman as sm

ROCKS, PLACES, CLEARANCE = 60, 2000, 0.2

PAGE = Path(__file__).parents[1] / "docs" / "routes.md"
BEGIN, END = "<!-- tables: made by benchmarks/routes -->", "<!-- end of the tables -->"


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


class Told(NamedTuple):
    """What a program found.

    Attributes:
        who: The program, and how it finds ways.
        rate: Pairs a second.
        made: Time to make its map [s].
        longer: How much longer its ways are than the shortest, shape (k,): factors.
    """

    who: str
    rate: float
    made: float
    longer: Any


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the processor time that it takes [s]."""
    begin = time.process_time()
    made = work()
    return made, time.process_time() - begin


def pairs_of(free: Any, spacing: float, count: int) -> Any:
    """Pairs of nodes of a grid between which a way leads: their numbers along x and y, shape (2, count, 2)."""
    rng, cells = np.random.default_rng(1), np.argwhere(free)
    chosen = cells[rng.integers(0, len(cells), (2, 2 * count))]
    reach = sm.Route.from_grid(free, spacing=spacing)
    named = [[tuple(map(int, cell)) for cell in row] for row in chosen]
    ok = np.isfinite(reach.costs(*named))
    return chosen[:, ok][:, :count]


def by_navmesh(mesh: sm.NavMesh, a: Any, b: Any) -> tuple[Told, Any]:
    """All pairs in one call; every goal is another one."""

    def asked() -> Any:
        mesh._known.clear()
        return mesh.lengths(a, b)

    _, made = timed(lambda: mesh._joined)
    exact = asked()
    return Told("steersman NavMesh", len(a) / seconds(asked), made, np.ones(len(a))), exact


def by_walkmesh(mesh: sm.NavMesh, a: Any, b: Any, exact: Any) -> Told:
    """The triangles of the NavMesh as a surface."""
    level = [np.column_stack([each, np.zeros(len(each))]) for each in (a, b, mesh.mesh.point)]
    surface = sm.TriangleMesh(level[2], mesh.mesh.triangle)
    sm.WalkMesh(surface, clearance=0).lengths(*level[:2])
    walk, made = timed(lambda: sm.WalkMesh(surface, clearance=0))
    found, more = timed(lambda: walk.lengths(level[0][:1], level[1][:1]))
    found = walk.lengths(*level[:2])
    return Told("steersman WalkMesh", len(a) / seconds(lambda: walk.lengths(*level[:2])), made + more, found / exact)


def by_grid(obstacles: Any, region: sm.Box, a: Any, b: Any, exact: Any, spacing: float) -> Told:
    """A field for each goal."""
    grid, made = timed(lambda: sm.RouteGrid(obstacles, region=region, spacing=spacing, clearance=CLEARANCE))
    _, more = timed(lambda: grid.weight)
    few = slice(0, 50)

    def asked() -> Any:
        return [grid.compute(*grid._seeds(goal[None])) for goal in b[few]]

    found = grid.guide(a[few], b[few], row=np.arange(50))[1]
    return Told("steersman RouteGrid, a field for each pair", 50 / seconds(asked, 2), made + more, found / exact[few])


def by_one_field(obstacles: Any, region: sm.Box, a: Any, b: Any, mesh: sm.NavMesh, spacing: float) -> Told:
    """All ask for the way to one goal."""
    grid = sm.RouteGrid(obstacles, region=region, spacing=spacing, clearance=CLEARANCE)
    exact = mesh.lengths(a, np.repeat(b[:1], len(a), axis=0))
    ok = np.isfinite(exact) & (exact > 1.0)

    def asked() -> Any:
        grid._known.clear()
        return grid.guide(a, b[:1])[1]

    found = asked()
    ok &= np.isfinite(found) & (exact > 1.0)
    return Told("steersman RouteGrid, all to one goal", len(a) / seconds(asked), 0.0, found[ok] / exact[ok])


def over_cells(free: Any, spacing: float, cells: Any, exact: Any) -> Iterator[Told]:
    """A* over the same cells and diagonals."""
    import networkx
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    named = [[tuple(map(int, cell)) for cell in row] for row in cells]
    route, made = timed(lambda: sm.Route.from_grid(free, spacing=spacing))
    found = route.costs(*named)
    yield Told("steersman Route", len(named[0]) / seconds(lambda: route.costs(*named)), made, found / exact)
    few = [row[:50] for row in named]

    def graph_of() -> Any:
        graph = networkx.DiGraph()
        for (a, b), cost in zip(route._edges, route._graph.cost, strict=True):
            graph.add_edge(route.names[a], route.names[b], length=float(cost))
        return graph

    def straight(a: Any, b: Any) -> float:
        return float(spacing * np.hypot(a[0] - b[0], a[1] - b[1]))

    graph, made = timed(graph_of)

    def by_networkx_pairs() -> Any:
        return [networkx.astar_path_length(graph, a, b, straight, "length") for a, b in zip(*few, strict=True)]

    theirs = np.array(by_networkx_pairs())
    assert np.allclose(theirs, found[:50])
    yield Told(f"networkx {networkx.__version__}, A*", 50 / seconds(by_networkx_pairs, 1), made, theirs / exact[:50])
    finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)
    grid, made = timed(lambda: Grid(matrix=free.T.astype(int).tolist()))

    def by_pathfinding() -> Any:
        lengths = []
        for a, b in zip(*few, strict=True):
            grid.cleanup()
            nodes, _ = finder.find_path(grid.node(*a), grid.node(*b), grid)
            way = np.array([[node.x, node.y] for node in nodes], float)
            lengths.append(spacing * np.hypot(*np.diff(way, axis=0).T).sum())
        return np.array(lengths)

    theirs = by_pathfinding()
    version = importlib.metadata.version("pathfinding")
    yield Told(f"python-pathfinding {version}, A*", 50 / seconds(by_pathfinding, 1), made, theirs / exact[:50])


def by_jupedsim(mesh: sm.NavMesh, a: Any, b: Any, exact: Any) -> Told:
    """Its routing engine on the same polygons."""
    import jupedsim
    import shapely

    free = shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in mesh.polygons])
    engine, made = timed(lambda: jupedsim.RoutingEngine(free))
    known = [k for k in range(len(a)) if engine.is_routable(tuple(a[k])) and engine.is_routable(tuple(b[k]))][:500]

    def asked() -> Any:
        ways = [engine.compute_waypoints(tuple(a[k]), tuple(b[k])) for k in known]
        return np.array([np.hypot(*np.diff(np.array(way), axis=0).T).sum() for way in ways])

    found = asked()
    rate = len(known) / seconds(asked, 2)
    return Told(f"JuPedSim {jupedsim.__version__}, RoutingEngine", rate, made, found / exact[known])


def pairs() -> list[Told]:
    """Pairs a second of each kind of route, all on one map."""
    obstacles, region = scene(300)
    spacing = 0.3
    mesh = sm.NavMesh.around(obstacles, region=region, clearance=CLEARANCE)
    mesh.lengths([[1.0, 1.0]], [[2.0, 2.0]])
    mesh = sm.NavMesh.around(obstacles, region=region, clearance=CLEARANCE)
    grid = sm.RouteGrid(obstacles, region=region, spacing=spacing, clearance=CLEARANCE)
    free = np.isfinite(grid.weight[1:-1, 1:-1])
    cells = pairs_of(free, spacing, PLACES)
    a, b = grid.bounds[0] + spacing * cells
    first, exact = by_navmesh(mesh, a, b)
    ok = np.isfinite(exact) & (exact > 1.0)
    a, b, exact, cells = a[ok], b[ok], exact[ok], cells[:, ok]
    return [
        first,
        by_walkmesh(mesh, a, b, exact),
        by_one_field(obstacles, region, a, b, mesh, spacing),
        by_grid(obstacles, region, a, b, exact, spacing),
        *over_cells(free, spacing, cells, exact),
        by_jupedsim(mesh, a, b, exact),
    ]


def table(rows: list[Told]) -> list[str]:
    """The lines of the table."""
    lines = ["| | pairs a second | map made in | longer than the shortest: mean | most |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        made = f"{1e3 * row.made:,.0f} ms" if row.made else ""
        mean, most = (f"{100 * max(each - 1, 0.0):.1f} %" for each in (row.longer.mean(), row.longer.max()))
        lines.append(f"| {row.who} | {row.rate:,.0f} | {made} | {mean} | {most} |")
    return lines


def fields() -> list[str]:
    """The lines of the table of fields."""
    goal = [1.0, 1.0]
    lines = [
        "| nodes | made of obstacles | distances | scikit-fmm | networkx, Dijkstra | guides a second |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for n in (100, 300, 1000):
        obstacles, region = scene(n) if n > 100 else (scene(300)[0], sm.Box([9.9, 9.9]))

        def whole(obstacles: Any = obstacles, region: Any = region) -> Any:
            return sm.RouteGrid(obstacles, region=region, spacing=0.1, clearance=CLEARANCE).field(np.array([goal]))

        grid = sm.RouteGrid(obstacles, region=region, spacing=0.1, clearance=CLEARANCE)
        grid.weight  # noqa: B018 -- it is computed once

        def again(grid: sm.RouteGrid = grid) -> Any:
            grid._known.clear()
            return grid.field(np.array([goal]))

        places = np.random.default_rng(1).uniform(0.5, region.size[0] - 0.5, (PLACES, 2))
        asked = seconds(lambda grid=grid, places=places: grid.guide(places, [goal], reach=2.0))  # type: ignore[misc]
        theirs = [f"{1e3 * seconds(by_fmm(grid, goal), 2):.1f} ms"]
        theirs.append(f"{1e3 * seconds(by_networkx(grid, goal), 1):.0f} ms" if n <= 300 else "")
        cells = [f"{1e3 * seconds(whole):.1f} ms", f"{1e3 * seconds(again):.1f} ms", *theirs, f"{PLACES / asked:,.0f}"]
        lines.append(f"| {n:,} x {n:,} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print the tables, and write them into the page if asked to."""
    lines = [*fields(), "", *table(pairs())]
    print("\n".join(lines))
    if "--write" in sys.argv:
        text = PAGE.read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        PAGE.write_text("\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"]))


if __name__ == "__main__":
    main()
