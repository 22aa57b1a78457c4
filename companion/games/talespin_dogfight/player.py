"""One player: what lies before a seat, and what effects have done for this dogfight."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.ruling import Seat


@dataclass(slots=True, eq=False)
class Player:
    """PILOT and RANGE of the Player card with its Passengers, the location, the Player card.

    `place` is None where nobody has told it; `character` the title of the Player card ("" = it is
    asked for when it starts a dogfight). `value_bonus` and `pilot_bonus` are what effects have
    added to maneuvers and PILOT until the dogfight ends; `wins` the dogfights won this turn.
    """

    seat: Seat
    place: int | None = None
    pilot: int = 0
    range: int = 0
    character: str = ""
    value_bonus: int = 0
    pilot_bonus: int = 0
    wins: int = 0
