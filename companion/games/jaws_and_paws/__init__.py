"""Jaws & Paws: the 20-second game."""
