"""Paths: a spine with a radius, to be followed or kept to."""
