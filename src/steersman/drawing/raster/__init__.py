"""Elements drawn straight into pixels: for videos, where a picture must take milliseconds."""
