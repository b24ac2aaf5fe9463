"""Flows: vehicles that come and go."""
