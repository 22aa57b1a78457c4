"""A match as a log of answers, and the rulebook that asks."""
