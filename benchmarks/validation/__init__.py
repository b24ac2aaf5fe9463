"""Crowds beside measurements of people: what every method of walking gives, and what was published."""
