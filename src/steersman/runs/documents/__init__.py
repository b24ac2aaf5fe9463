"""Scenarios: worlds described by documents, the built-in ones and those that users write in TOML."""
