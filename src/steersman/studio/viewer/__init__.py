"""The window: worlds in a browser, live or recorded, with their steering trees to be changed. See docs/viewer.md.

`simulation.py` is a thread that steps a world and carries out requests of the page (`requests.py`). `server.py` sends
frames to browsers; a slow browser gets only the newest (`watcher.py`). Each tab has a simulation of its own (`tabs.py`),
made from its address (`address.py`). `notebook.py` does the same for cells of notebooks. `packing.py` encodes frames,
`subscriptions.py` lists the facts that a page receives only while it asks for them, `handles.py` and `parts.py` the things
that can be dragged; a dragged thing replaces the old one wherever it stands (`replacing.py`). `verdict.py` reports the
check at the end, `reset.py` puts the world of a script back by a snapshot.

`page/` is a set of ES modules without dependencies; `page_files.py` makes one file of them for the server, for
replays, which contain the recording (`replay.py`, `page/recorded.js`), and for cells (`page/cell.js`). Only
`painter.js` knows WebGL, only `stage.js` what is shown and when; `live.js` and `recorded.js` handle frames,
`socket.js` and `cell.js` their arrival, `notices.js` the notices over the picture, `root.js` the place of the page:
elements are looked up below its `root`, never in `document`.
"""
