"""Action selection: when to do what. Conditions, and modes that change by them."""
