"""Walking: a map of routes on surfaces. WalkMesh joins walkable triangles (`portals`), and finds ways (`way_finding`)."""
