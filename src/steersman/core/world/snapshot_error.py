"""The one error of snapshots: for files that are no snapshots, and for snapshots of other worlds."""


class SnapshotError(ValueError):
    """A snapshot cannot be taken, read, or put into a world. The message names the file, the cause and a remedy.

    This is the error for all faults of a file: it is damaged, truncated, no snapshot, made by a newer steersman, or needs
    functions. A world into which a snapshot was to be put stays unchanged.
    """
