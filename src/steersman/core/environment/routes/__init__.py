"""Routes: ways around obstacles that a planner finds, and that steering follows.

Reynolds 1999, "Path following": a path may be the result of a planner such as A*. A map (`RouteMap` in `route_map.py`,
where to begin) describes where bodies fit. For any number of bodies at once it computes the next place to go to and the
length of the way to a goal. `RouteGrid` is a grid of nodes with distances to a goal (`changing_fields.py` has those that
change); `NavMesh` consists of polygons, and its ways are exactly the shortest. `Route` finds ways over the edges of a graph
that users give.
"""
