"""Models of pedestrian research: how people walk among people, a file a model.

`walking.py` has what they share: the wanted velocity, the neighbors one by one, the walls around.
"""
