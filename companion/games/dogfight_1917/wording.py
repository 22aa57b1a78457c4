"""Words that every chapter needs: so many dice, in a sentence."""

from __future__ import annotations

from companion.core.text import counted


def with_article(card: str) -> str:
    """A card by its name.

    >>> with_article("Evasive Climb"), with_article("Basic Maneuver")
    ('an Evasive Climb', 'a Basic Maneuver')
    """
    return f"{'an' if card[0] in 'AEIOU' else 'a'} {card}"


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")
