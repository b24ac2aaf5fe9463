"""Obstacles: things to keep clear of."""
