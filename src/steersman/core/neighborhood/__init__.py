"""Neighborhoods: which vehicles are near which, found once a step for all behaviors that ask.

A behavior asks for sums over its neighbors (`request.py`, `sums.py`) or for lists of the k nearest (`nearest.py`).
All requests of a step are answered in one pass over a grid (`grid.py`, `neighbor_pass.py`); the grid is sorted by all
threads, in one stable order, so sums have the same bits for any number of threads. Candidates are the own population,
another one, points, or several populations one behind the other (`joined.py`). Bodies of length are in `bodies.py`.

Requests of parts that are not always asked, as those of a Priority, are deferred (`deferred.py`): a combinator says
which parts it `defers` and puts `scene.look_calls` before them, with the flags of the rows that ask. The search then
runs in the middle of steering, for those rows alone, once a step. A sum that shares its loop with one that is always
needed stays with it. The bits depend on none of this.
"""
