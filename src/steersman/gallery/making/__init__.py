"""Making: a scenario with its check, impostors that the check must refuse, and records that go by the id of a vehicle."""
