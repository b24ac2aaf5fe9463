"""Turning: behaviors that turn a vehicle, however it moves."""
