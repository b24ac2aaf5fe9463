"""Videos: runs as files that every player, browser and slide shows."""
