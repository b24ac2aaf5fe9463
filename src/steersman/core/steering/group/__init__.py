"""Behaviors of groups: what a vehicle does about its neighbors, a file a behavior."""
