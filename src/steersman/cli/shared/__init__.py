"""Shared: options, tables and messages of several commands."""
