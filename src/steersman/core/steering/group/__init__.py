"""Behaviors of groups: the responses of a vehicle to its neighbors, a file a behavior."""
