"""Neighborhoods: which vehicles are near which, found once a step for all behaviors that ask.

A behavior asks for sums over its neighbors, for lists of the k nearest, or for the cells around each vehicle (`request.py`).
All requests of a step are answered in one pass over a grid. The *watchers* are the vehicles that look for neighbors; the
*candidates* are the possible neighbors: the own population, another one, points, or several populations one behind the other.

    NeighborPass   all searches of one population                            neighbor_pass.py (begin here)
    Arrangement    watchers and candidates, sorted into the cells of a grid  arrangement.py, grid.py, density.py
    Runner         one search: a kernel and its arguments                    neighbor_pass.py
    kernels        sums within a radius: sweep.py, gather.py, sums.py; vehicles in one place: coincident.py;
                   the k nearest, and bodies of length: nearest.py, bodies.py; laws of pairs: pairs.py

All threads sort the grid together, in one stable order, so sums have the same bits for any number of threads.

Parts of a tree that are not always asked, as those of a Priority, have deferred requests (`deferred.py`): the combinator
says which parts it `defers`, and puts `scene.look_calls` before them, with the flags of the rows that ask. The search then
runs in the middle of steering, for those rows alone, once a step. A deferred sum that shares its loop with a sum that is
always needed is computed with that one. The bits do not depend on whether a request is deferred.
"""
