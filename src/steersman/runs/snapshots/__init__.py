"""Snapshots: a world in one file, in the middle of its run, and back.

`container` is the file: texts and arrays, with a checksum. `python` keeps book of what cannot stand in it. `taking` writes a
world, `content` checks what was read, `making` makes a world of it, and `restoring` puts it into a world that is there.
"""
