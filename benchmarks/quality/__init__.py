"""How well each way of combining behaviors steers, on fixed scenes: the tables and pictures of docs/quality.md."""
