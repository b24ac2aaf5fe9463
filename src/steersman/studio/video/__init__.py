"""Videos: runs as files that every player, browser and slide shows.

An instant is `Contents` (`instants.py`: of a running world or of a recorded run, also between two steps).
`camerawork.py` makes a `Shot` of it (setting, moving things, camera); a `Painter` makes pixels of shots in threads
(`drawing/raster/`: everything is outlines, and one kernel fills them); `encoding.py` hands them to ffmpeg in order,
which writes to a temporary file.
"""
