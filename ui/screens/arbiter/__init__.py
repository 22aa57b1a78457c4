"""Screens of the arbiter: log, corrections, reports, late cards, sight against record."""
