"""Words that every chapter needs: so many dice, in a sentence."""

from __future__ import annotations

from companion.wording import counted


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")
