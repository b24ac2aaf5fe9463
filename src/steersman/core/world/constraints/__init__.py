"""Constraints: what holds for the vehicles of all populations together, put in order after everybody has moved."""
