"""Runs: metrics, recordings, scenario documents and snapshots of worlds."""

import steersman.core.public  # noqa: F401 - documents name the classes of the core, which register when they are imported.
