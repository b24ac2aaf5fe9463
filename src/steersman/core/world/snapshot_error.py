"""The error of snapshots."""


class SnapshotError(ValueError):
    """A snapshot cannot be taken, read, or put into a world. The message names the file, the cause and a remedy.

    It covers all faults of a file: the file is damaged, truncated, no snapshot, of a newer steersman, or needs functions that
    were not given. A world that was to be restored stays unchanged.
    """
