"""Obstacles: things to keep clear of.

They answer four questions for all rows at once: what a moving ball meets first, what a ray hits, what is nearest, and
what bars the way (half-spaces of ways that keep clear of everything in reach; ORCA asks for a constant velocity,
AvoidObstacles for a vehicle that brakes). A list of sets answers like one set: each overwrites only what is farther.

All kinds share one search along rays and one around places (`searching.py`), which walk a tree of boxes
(`../box_tree.py`) without recursion. A search is a kernel made around the kernels for one part, so it costs as much
as one written for that kind. A kind (`obstacle_set.py`) is two such kernels, `touch` and `distance`, its parts as
rows and as hulls, and a picture.
"""
