"""Route: ways over the edges of a graph, as paths to be followed."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, final

import numpy as np

from steersman.core.environment.paths.path import Path
from steersman.core.environment.routes.astar import GraphColumns, Search, find_ways, new_search
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_array, as_floats, as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array

NAMED = 1e-6
"""The distance below which points of a list are one node [m]."""


@final
class Route(metaclass=Explained):
    """Ways over the edges of a graph: roads, corridors, the cells of a level. Each is a `Path`, for FollowPath and Patrol.

        roads = sm.Route.from_graph(graph, weight="minutes")
        world.add(lorry, steering=sm.FollowPath(roads.path("mill", "port", radius=4)))

    Make one with `from_graph` (networkx), `from_grid` or `from_points`. A place is a node by its name, or a point: then the
    nearest node counts.

    Args:
        points: Where nodes are [m], shape (n, d).
        edges: Pairs of nodes, by row, shape (e, 2). They lead one way.
        costs: The costs of the edges, >= 0, infinite for shut; shape (e,). Default: their lengths.
        names: Names of the nodes. Default: their rows.

    Attributes:
        position: Where nodes are [m], shape (n, d).
        names: Names of the nodes.
    """

    def __init__(self, points: Any, edges: Any, costs: Any = None, names: Sequence[Any] | None = None) -> None:
        self.position = frozen(as_points("points", points, np.float64))
        n, pairs = len(self.position), as_array("edges", edges)
        pairs = pairs.reshape(-1, 2).astype(np.int64) if pairs.size == 0 else pairs
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise ValueError(f"edges must be pairs of nodes, shape (e, 2), got {brief(edges)}")
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < n):
            raise ValueError(f"edges must join rows from 0 to {n - 1}, got {pairs.min()} to {pairs.max()}")
        length = np.linalg.norm(self.position[pairs[:, 1]] - self.position[pairs[:, 0]], axis=1)
        cost = length if costs is None else as_floats("costs", costs, np.float64, infinite=True)
        if cost.shape != length.shape or not (cost >= 0).all():
            raise ValueError(f"costs must be {len(length)} numbers >= 0, got {brief(costs)}")
        if not (names is None or isinstance(names, (Sequence, np.ndarray))):
            raise TypeError(f"names must be a list of {n} names, got {brief(names)}")
        self.names = list(range(n)) if names is None else list(names)
        if len(self.names) != n:
            raise ValueError(f"names must be {n}, as there are nodes, got {len(self.names)}")
        order = np.argsort(pairs[:, 0], kind="stable")
        self._edges, self._row = pairs[order].astype(np.int64), {name: k for k, name in enumerate(self.names)}
        first = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=n))]).astype(np.int64)
        to, paid = np.ascontiguousarray(self._edges[:, 1]), cost[order].copy()
        self._length = length[order]
        self._graph = GraphColumns(np.array(self.position), first, to, paid, np.zeros(1))
        self._set_scale()
        self._search: Search | None = None
        self._stamp = 0

    @classmethod
    @explained
    def from_graph(cls, graph: Any, *, weight: str | None = None, attribute: str = "pos") -> Self:
        """The ways over a graph of networkx, or of anything with the same `nodes(data=True)` and `edges(data=True)`.

        Args:
            graph: The graph. Edges of one that is not directed lead both ways.
            weight: Attribute of edges with their cost. Default: their length.
            attribute: Attribute of nodes with their place [m], (d,).

        Raises:
            ValueError: A node has no place, or an edge no cost.
        """
        if not (hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed")):
            raise TypeError(f"graph must be a networkx graph, got {brief(graph)}")
        names, places = [], []
        for name, about in graph.nodes(data=True):
            if attribute not in about:
                raise ValueError(f"graph must have {attribute!r} for every node, got none for {name!r}")
            names.append(name)
            places.append(about[attribute])
        row = {name: k for k, name in enumerate(names)}
        pairs, costs = [], []
        for a, b, about in graph.edges(data=True):
            if weight is not None and weight not in about:
                raise ValueError(f"graph must have {weight!r} for every edge, got none for {(a, b)!r}")
            both = [(row[a], row[b])] if graph.is_directed() else [(row[a], row[b]), (row[b], row[a])]
            pairs += both
            costs += [about.get(weight, 0.0)] * len(both)
        return cls(np.array(places, float), np.array(pairs).reshape(-1, 2), None if weight is None else costs, names)

    @classmethod
    @explained
    def from_grid(cls, cost: Any, *, origin: Any = (0.0, 0.0), spacing: float = 1.0, diagonal: bool = True) -> Self:
        """The ways from cell to cell of a grid. The names of nodes are pairs (i, j).

        Args:
            cost: The cost of a meter in each cell, > 0, infinite or NaN where nobody may go; or truth values, true where one
                may. Shape (nx, ny).
            origin: The middle of the first cell [m], shape (2,).
            spacing: Distance between the middles of cells [m].
            diagonal: Whether ways also lead to diagonal neighbors, where both cells beside are free.
        """
        values = np.asarray(cost)
        if values.ndim != 2 or values.dtype.kind not in "biuf":
            raise ValueError(f"cost must be numbers or truth values, shape (nx, ny), got {brief(cost)}")
        paid = np.where(values, 1.0, np.inf) if values.dtype == bool else np.where(np.isnan(values), np.inf, values)
        if not (paid > 0).all():
            raise ValueError(f"cost must be > 0, got {paid[~(paid > 0)][0]}")
        size = as_number("spacing", spacing, above=0.0, unit="m")
        start = as_floats("origin", origin, np.float64)
        free, (nx, ny) = np.isfinite(paid), paid.shape
        i, j = (each.ravel() for each in np.indices((nx, ny)))
        pairs, costs = [], []
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if (di == 0 and dj == 0) or (not diagonal and di != 0 and dj != 0):
                    continue
                a, b = i + di, j + dj
                ok = (a >= 0) & (a < nx) & (b >= 0) & (b < ny)
                a, b, x, y = a[ok], b[ok], i[ok], j[ok]
                ok = free[x, y] & free[a, b] & free[x, b] & free[a, y]
                a, b, x, y = a[ok], b[ok], x[ok], y[ok]
                pairs.append(np.stack([x * ny + y, a * ny + b], axis=1))
                costs.append(size * np.hypot(di, dj) * (paid[x, y] + paid[a, b]) / 2)
        places = start + size * np.stack([i, j], axis=1)
        names = list(zip(i.tolist(), j.tolist(), strict=True))
        return cls(places, np.concatenate(pairs), np.concatenate(costs), names)

    @classmethod
    @explained
    def from_points(cls, lines: Any) -> Self:
        """The ways along lines, both ways: where two lines have a point in common they meet.

        Args:
            lines: Points in order [m], shape (k, d); or a list of such lines.
        """
        several = isinstance(lines, (list, tuple)) and len(lines) > 0 and np.ndim(lines[0]) == 2
        chains = [as_points("lines", each, np.float64) for each in (lines if several else [lines])]
        if len({each.shape[1] for each in chains}) != 1:
            raise ValueError(f"lines must all have the same dimensions, got {[each.shape[1] for each in chains]}")
        everything = np.concatenate(chains)
        _, first, row = np.unique(np.rint(everything / NAMED), axis=0, return_index=True, return_inverse=True)
        ends = np.cumsum([len(each) for each in chains])
        rows = list(np.split(row.ravel(), ends[:-1]))
        one_way = np.concatenate([np.stack([each[:-1], each[1:]], axis=1) for each in rows])
        one_way = one_way[one_way[:, 0] != one_way[:, 1]]
        return cls(everything[first], np.concatenate([one_way, one_way[:, ::-1]]))

    def __len__(self) -> int:
        return len(self.position)

    def __repr__(self) -> str:
        return f"Route over {len(self):,} nodes and {len(self._edges):,} edges"

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.position.shape[1])

    def set_cost(self, one: Any, other: Any, cost: float) -> None:
        """Change the cost of the edges from one node to another, >= 0, infinite for shut: a road is closed."""
        a, b = self.row_of("one", one), self.row_of("other", other)
        edges = np.flatnonzero((self._edges[:, 0] == a) & (self._edges[:, 1] == b))
        if not len(edges):
            raise ValueError(f"there must be an edge from {one!r} to {other!r}, there is none")
        self._graph.cost[edges] = as_number("cost", cost, low=0.0, infinite=True)
        self._set_scale()

    def _set_scale(self) -> None:
        """The least cost of a meter, which is the largest estimate that A* may use."""
        long = self._length > 0
        ratio = self._graph.cost[long] / self._length[long]
        self._graph.scale[0] = ratio.min() * (1 - 1e-12) if len(ratio) and np.isfinite(ratio.min()) else 0.0

    def row_of(self, name: str, place: Any) -> int:
        """The row of a node: by its name, or the nearest to a point."""
        known = self._row.get(place) if not isinstance(place, (np.ndarray, list, Mapping)) else None
        if known is not None:
            return known
        try:
            point = as_points(name, place, np.float64, self.dimensions)[0]
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be a node or a point ({self.dimensions},), got {brief(place)}") from None
        return int(np.argmin(((self.position - point) ** 2).sum(axis=1)))

    def _find(self, origin: Array, goal: Array) -> tuple[Array, Array]:
        if self._search is None:
            self._search = new_search(len(self))
        cost, steps = np.zeros(len(origin)), np.zeros(len(origin), np.int64)
        Call(find_ways, (self._graph, origin, goal, self._stamp, self._search, cost, steps)).run(len(origin))
        self._stamp += len(origin)
        return cost, steps

    def nodes(self, origin: Any, goal: Any) -> list[Any]:
        """The nodes of the cheapest way, by their names.

        Raises:
            ValueError: There is no way.
        """
        return [self.names[row] for row in self._rows(origin, goal)]

    def _rows(self, origin: Any, goal: Any) -> list[int]:
        a, b = self.row_of("origin", origin), self.row_of("goal", goal)
        cost, _ = self._find(np.array([a]), np.array([b]))
        if not np.isfinite(cost[0]) or self._search is None:
            raise ValueError(f"no way leads from origin {brief(origin)} to goal {brief(goal)}")
        rows = [b]
        while rows[-1] != a:
            rows.append(int(self._search.before[rows[-1]]))
        return rows[::-1]

    @explained
    def path(self, origin: Any, goal: Any, *, radius: float = 1.0) -> Path:
        """The cheapest way as a path, from node to node.

        Args:
            origin: Where it begins: a node by name, or a point [m] (d,), of which the nearest node counts.
            goal: Where it ends.
            radius: Half the width of the path [m].

        Raises:
            ValueError: There is no way.
        """
        return Path(self.position[self._rows(origin, goal)], radius=radius)

    @explained
    def costs(self, origins: Sequence[Any], goals: Sequence[Any]) -> Array:
        """The costs of the cheapest ways between pairs, (k,); infinite for none. Thousands are found in one call.

        Args:
            origins: Nodes by name, or points, k of them.
            goals: The same, one for each.

        Raises:
            ValueError: There are not as many goals.
        """
        if len(origins) != len(goals):
            raise ValueError(f"goals must be {len(origins)}, one for each origin, got {len(goals)}")
        a = np.array([self.row_of("origins", each) for each in origins], np.int64)
        b = np.array([self.row_of("goals", each) for each in goals], np.int64)
        return self._find(a, b)[0]
