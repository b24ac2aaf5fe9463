"""Pursuit: behaviors about a moving target, and about a pursuer."""
