"""The one error of snapshots: of files that are none, and of worlds that are others."""


class SnapshotError(ValueError):
    """A snapshot cannot be taken, read, or put into a world. The message says which file, what is wrong, and what to do.

    Whatever is wrong with a file is told by this error: that it is damaged, cut off, something else, made by a newer
    steersman, or that it needs functions. The world that a snapshot was to be put into is as it was.
    """
