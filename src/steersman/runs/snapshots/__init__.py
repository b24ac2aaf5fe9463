"""Snapshots: a world in one file, in the middle of its run, and back.

A snapshot is the document of a world with everything remembered, its observers and meters: a ZIP of JSON and arrays
with a checksum over all of it (`container`). Python objects that no document can hold get a mark and a name
(`python`). `capture` writes a world; `making` builds the document with objects in the place of marks; `restoring`
compares everything that is fixed during a run with a world that exists, and puts the rest into it. Both end by
comparing the state hash. `content` checks a file before anything of it is believed; kernels clamp remembered row
numbers themselves. Objects with memory have `saved` and `resume` (`core/parameters/keeping.py`).
"""
