"""Making: a scenario with its check, and the impostors that the check must refuse."""
