"""Screens of a match: one file each, what it says and where it stands."""
