"""Steering: behaviors turn what a vehicle sees into a force; combinators blend them and choose among them."""
