"""Releases of the companion beside each other: a newer one on trial, the one before kept."""
