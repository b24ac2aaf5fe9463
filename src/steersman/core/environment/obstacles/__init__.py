"""Obstacles: solids that vehicles keep clear of.

Begin with `obstacle.py`, the queries that all obstacles answer, and `obstacle_set.py`, what a kind of obstacles has. There
are four queries, for all rows at once: the first contact of a moving ball; the first hit of a ray; the nearest part; and the
half-spaces of ways that keep clear of all parts in reach (`barring.py`; ORCA asks for a constant velocity, AvoidObstacles for
a vehicle that brakes). Several sets answer like one: each overwrites only results that are farther.

All kinds share one search along rays and one around places (`searching.py`), which go through a tree of boxes
(`../box_tree.py`) without recursion. A search is a kernel that is made around the kernels for one part, so it is as fast as
a search that is written for one kind. A kind has two such kernels, `touch` and `distance`, its parts as rows and as hulls,
and a picture.
"""
