"""Runs: metrics, recordings, scenario documents and snapshots of worlds."""
