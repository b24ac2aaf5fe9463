"""Combinators: blending and arbitration. They keep the contract of a behavior, so they nest."""
