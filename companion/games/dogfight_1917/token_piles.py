"""Tactical Tokens that a camera counts in their owners' places, held against the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Level, Notice
from companion.core.text import counted
from companion.games.dogfight_1917.boards import TACTICAL, tray_of
from companion.games.dogfight_1917.layout import SET_UP

if TYPE_CHECKING:
    from companion.core.offers import Sighting
    from companion.games.dogfight_1917.position import Dogfight1917Position

_SUPPLY = Cite.of("DF-15.1, DF-9.9")

LAY_OUT = "Lay them side by side in their place, or let the arbiter correct the record."


def compare_tokens(position: Dogfight1917Position, sighting: Sighting) -> Iterator[Notice]:
    """What to ask of each seat whose place holds another number than recorded.  (DF-E16)

    A table whose tokens carry no marker shows none anywhere, and is not asked; nor is one that is
    being set up. The camera's count is never taken for the record's.
    """
    seen = sighting.counts.get(TACTICAL.name, {})
    if position.stage == SET_UP or not any(seen.values()):
        return
    for seat, player in position.players.items():
        there = seen.get(tray_of(seat), 0)
        if there != player.tokens:
            lie = f"{counted(there, TACTICAL.label)} {'lies' if there == 1 else 'lie'}"
            text = f"{lie} in {position.names[seat]}'s place; the record has {player.tokens}."
            yield Notice("DF-E16", text, _SUPPLY, Level.WARN, LAY_OUT)
