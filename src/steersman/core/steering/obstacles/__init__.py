"""Obstacles: behaviors about rocks, walls and borders."""
