"""Pursuit: behaviors for a moving target, and for flight from a pursuer."""
