"""How seats and tokens are drawn: each player has a colour, the plane too."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Look
from companion.games.talespin_dogfight.seats import SEATS, TOKENS

LOOKS: Mapping[str, Look] = {
    **{seat: Look(colour, "", seat) for colour, seat in enumerate(SEATS)},
    **{TOKENS[seat]: Look(colour, "plane", seat) for colour, seat in enumerate(SEATS)},
}
"""The look of every seat and token."""
