"""How a terminal colours sides and names keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.board import Look
    from ui.presenters.common import Key, Side

TINTS = ("dark_orange", "dodger_blue1", "chartreuse1", "misty_rose3", "orchid", "grey62")
"""A terminal's colours of sides, in the places that a box's looks name."""
PLAIN = "default"


def colour_of(look: Look, otherwise: str = PLAIN) -> str:
    """The colour of a look; `otherwise` where it has none of its own."""
    return TINTS[look.colour] if look.colour is not None else otherwise


def tint_of(side: Side | None) -> str:
    """The colour of a side, if there is one."""
    return colour_of(side.tint) if side is not None else PLAIN


def key_words(key: Key) -> str:
    """What stands on a key, on one line."""
    return f"{key.label}: {key.second}" if key.second else key.label
