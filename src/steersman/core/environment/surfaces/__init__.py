"""Surfaces: grounds to move upon. Planes, spheres, landscapes of heights."""
