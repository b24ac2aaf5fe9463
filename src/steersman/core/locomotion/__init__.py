"""Locomotion: bodies that turn a steering force into motion. Steering never sees them (Reynolds' independence claim)."""
