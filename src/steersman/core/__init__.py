"""The core: vehicles, steering and the world that steps them. All else is built on it; see ARCHITECTURE.md."""
