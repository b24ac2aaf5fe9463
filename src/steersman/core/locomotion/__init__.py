"""Locomotion: bodies that turn a steering force into motion. Steering never sees them (Reynolds' independence claim).

A body gets the force sums of a population and proposes a velocity; when all proposals are finite, it moves. Limits
(`limits/`) are parts of a body with kernels of their own between force and velocity. Steering that stops before
obstacles hands over, beside the force, how far the way ahead is free (`scene.free_way`): motion that a body decides
on by itself ends within it (`braking.py`). The memory of a body is kept like that of a behavior.
"""
