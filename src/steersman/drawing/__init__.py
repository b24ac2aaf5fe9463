"""Pictures of worlds. matplotlib is imported on the first picture, not with this package.

World -> `Contents` (what there is) -> `Description` (what it looks like) -> paper. A description is a list of
elements (`elements.py`: areas, lines, arrows, marks, meshes, glyphs), plain arrays in meters. Each kind of scenery
defines its elements once in 2D and once in 3D (`scenery_flat.py`, `scenery_solid.py`). Everything that shows pictures
draws elements and nothing else: `flat.py` and `solid.py` with matplotlib, `raster/` straight into pixels,
`studio/viewer/page/painter.js` with WebGL2. `projection.py` projects space onto the plane of a camera, for the two that
have no depth of their own; `glyphs.py` has the shapes of vehicles, and `words.py` the texts around a picture.
`sketches.py` reduces the shapes of sketches to lines, and `sketch_elements.py` makes elements of those.
"""
