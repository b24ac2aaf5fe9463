"""Regions: parts of space that can be stayed in, explored, and filled."""
