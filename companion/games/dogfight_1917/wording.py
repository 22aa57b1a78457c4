"""Words that every chapter needs: so many of a thing, in a sentence."""

from __future__ import annotations


def counted(count: int, thing: str, things: str = "") -> str:
    """So many of a thing; the word for several where it does not end in s.

    >>> counted(1, "card"), counted(2, "card"), counted(0, "die", "dice")
    ('1 card', '2 cards', '0 dice')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {things or f'{thing}s'}"


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")
