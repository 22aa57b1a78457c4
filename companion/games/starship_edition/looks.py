"""How seats and vessels are drawn: each seat has one colour, and its ship the same."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Look
from companion.games.starship_edition.seats import SEATS, VESSELS

LOOKS: Mapping[str, Look] = {
    **{seat: Look(colour, "", seat) for colour, seat in enumerate(SEATS)},
    **{VESSELS[seat]: Look(colour, "", seat) for colour, seat in enumerate(SEATS)},
}
"""The look of every seat and vessel."""
