"""The senses of vehicles: feelers, surfaces and paths alongside, the ground, the plan below, the place ahead."""
