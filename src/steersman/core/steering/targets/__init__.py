"""Targets: the points and vehicles that behaviors head for, the choice among a population, and predicted places."""
