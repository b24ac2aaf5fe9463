"""Ways turned into forces: driving, approaching, arriving, keeping a slot or a lane, stopping, turning."""
