"""What a vehicle senses: feelers, surfaces and paths alongside, the ground, the plan below it, the place ahead."""
