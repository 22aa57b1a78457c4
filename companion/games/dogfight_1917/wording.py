"""Words that every chapter needs: so many of a thing, in a sentence."""

from __future__ import annotations

from companion.wording import counted

__all__ = ["counted", "dice_words"]


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")
