"""The core: everything that a step needs. All other folders are built on it; see ARCHITECTURE.md for the way in."""
