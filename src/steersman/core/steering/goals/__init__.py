"""Goals: behaviors that head for a place, a pose or a velocity."""
