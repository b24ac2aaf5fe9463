"""Constraints: conditions on the vehicles of all populations together, enforced after all vehicles have moved."""
