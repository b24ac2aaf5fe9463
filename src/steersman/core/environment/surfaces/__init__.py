"""Surfaces: what can be moved upon. Planes, spheres, landscapes of heights."""
