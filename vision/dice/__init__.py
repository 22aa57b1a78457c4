"""Dice: where they lie and what they show."""
