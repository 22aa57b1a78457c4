"""How seats and ships are drawn: a ship has its player's colour, its debris too."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Look
from companion.games.dogfight_hex.seats import DEBRIS_OF, HULLS, SEATS, SHIPS, WRECKS


def _looks() -> dict[str, Look]:
    looks: dict[str, Look] = {wreck: Look(None, "wreckage", "W") for wreck in WRECKS}
    for colour, seat in enumerate(SEATS):
        looks[seat] = Look(colour, "", seat)
        looks[SHIPS[seat]] = Look(colour, "ship", seat)
        looks[DEBRIS_OF[seat]] = Look(colour, "debris", seat)
        for hull in HULLS[seat]:
            looks[hull] = Look(colour, "wreckage", "W")
    return looks


LOOKS: Mapping[str, Look] = _looks()
"""The look of every seat and token."""
