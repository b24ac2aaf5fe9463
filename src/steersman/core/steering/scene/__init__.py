"""Scene: the vehicles, neighbors, obstacles and ground that a behavior is bound to and perceives.

scene.py            the view of one node: given to `bind` and `steer` of a behavior
surroundings.py     the objects that all nodes of a tree share
clock.py            time, for kernels
sums.py             kernels of a node's sums of forces
per_vehicle.py      numbers with one value per vehicle: arrays by id, columns by name
senses.py           neighbors, rays and paths as arrays, for behaviors written in NumPy
numpy_steering.py   the turn of such a behavior in a step
moving_targets.py, candidates.py, on_plan.py    targets that move, choices among many, 3D seen from above
sketch_context.py   the same view for the sketch of a node

A behavior needs `scene.py` alone: `Scene` and `Clock` are imported from it.
"""
