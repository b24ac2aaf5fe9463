"""What is around the vehicles: domains and obstacles."""
