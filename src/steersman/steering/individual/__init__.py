"""Behaviors of one character, a file a behavior."""
