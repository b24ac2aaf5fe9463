"""What turns the way to go into a force: driving, approaching, arriving, keeping a slot or a lane, stopping, turning."""
