"""The window: worlds in a browser, live or recorded, with their steering trees to be changed. See docs/viewer.md."""
