"""Pixels to places: knows the board plan, no rules."""
