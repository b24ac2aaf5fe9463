"""Snapshots: the state of a world in one file, from which the run continues bit for bit.

A snapshot is the document of a world with all memory, observers and readings: a ZIP of JSON and arrays with a checksum over
all of it. Python objects that no document can hold are replaced by marks with names.

    container.py   the file
    capture.py     a world becomes a snapshot (`World.save`)
    content.py     the content of a file, which is checked before it is used
    making.py      a snapshot becomes a new world (`World.load`)
    restoring.py   a snapshot is put into an existing world (`World.restore`)
    holding.py     snapshots in memory
    python.py      names and marks of Python objects

`restoring` compares everything that does not change during a run, and replaces the rest. It and `making` end with a
comparison of the state hash. Row numbers in memory may be anything in a forged file, so kernels clamp them. Objects with a
state of their own have `saved` and `resume` (`core/parameters/keeping.py`).
"""
