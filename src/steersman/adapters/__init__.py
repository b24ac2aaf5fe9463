"""Adapters: the vehicles of a world or a Controller in the windows and the physics of other libraries.

A module for each library, imported by name (`from steersman.adapters.pygame import Sprites`), so that none is needed by the
others. They are thin: positions and headings go over as whole arrays, in the library's own conventions, and nothing in
Python is called for each vehicle. `camera.py` maps meters to pixels, `clock.py` gives the time of frames, and
`overlay.py` describes sketches, forces, neighborhoods and modes for the windows of games by the elements of
`steersman.drawing`. `tiled.py` reads maps of the editor Tiled. `export.py` writes runs as files
for other programs, each of its formats from `frames.py`, and `stream.py` sends live ones over a socket.
"""
