"""Wandering: behaviors that choose where to go by themselves."""
