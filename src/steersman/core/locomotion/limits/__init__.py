"""Limits: parts that any body can be given, which change the force it gets, the velocity it proposes, or where it faces."""
