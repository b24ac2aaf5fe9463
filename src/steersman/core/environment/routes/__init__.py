"""Routes: ways around obstacles that a planner finds, and that steering follows.

Reynolds 1999, "Path following": a path may be the result of a planner such as A*. A map (`RouteMap`) knows where bodies
fit, and answers, for any number of them at once, where to go next and how far it still is to a goal. RouteGrid is a map
of nodes on a grid, which knows all distances to a goal; NavMesh one of polygons, with exact ways.
"""
