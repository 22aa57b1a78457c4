"""Screens outside a match: home, a new match, settings, books, figures, table check, lessons."""
