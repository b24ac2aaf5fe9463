"""Turning: behaviors that turn a vehicle, whatever way it moves."""
