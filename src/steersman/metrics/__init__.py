"""Metrics: what a run is judged by. Pure functions of vehicles, and meters that watch them during a run."""
