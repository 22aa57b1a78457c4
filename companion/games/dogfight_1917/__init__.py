"""Dogfight: 1917, the box: hex board, fighters, pilots, dice, decks as hulls."""
