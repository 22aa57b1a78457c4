"""Who sits at the table: two teams, each with a Pilot and a Gunner.  (JP-0, JP-2.1)"""

from __future__ import annotations

from collections.abc import Mapping

from companion.board import Piece
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.look import Look
from companion.ruling import Seat

JAWS, PAWS = Seat("Jaws"), Seat("Paws")
TEAMS = (JAWS, PAWS)

JP, JG, PP, PG = Seat("JP"), Seat("JG"), Seat("PP"), Seat("PG")
PLAYERS = (JP, JG, PP, PG)

NAMES: Mapping[Seat, str] = {
    JP: "Jaws Pilot",
    JG: "Jaws Gunner",
    PP: "Paws Pilot",
    PG: "Paws Gunner",
}
TEAM_OF: Mapping[Seat, Seat] = {JP: JAWS, JG: JAWS, PP: PAWS, PG: PAWS}
ROLE_OF: Mapping[Seat, str] = {JP: "Pilot", JG: "Gunner", PP: "Pilot", PG: "Gunner"}
MATE_OF: Mapping[Seat, Seat] = {JP: JG, JG: JP, PP: PG, PG: PP}
RIVAL_OF: Mapping[Seat, Seat] = {JAWS: PAWS, PAWS: JAWS}
CREW_OF: Mapping[Seat, tuple[Seat, Seat]] = {JAWS: (JP, JG), PAWS: (PP, PG)}
PLANE_OF: Mapping[Seat, Piece] = {JAWS: JAWS_PLANE, PAWS: PAWS_PLANE}
TEAM_OF_PLANE: Mapping[Piece, Seat] = {JAWS_PLANE: JAWS, PAWS_PLANE: PAWS}
PIECE_NAMES: Mapping[Piece, str] = {
    JAWS_PLANE: "Jaws plane",
    PAWS_PLANE: "Paws plane",
    SUN: "Sun",
}
LOOKS: Mapping[str, Look] = {
    JAWS: Look(0, "jaw"),
    PAWS: Look(1, "paw"),
    JAWS_PLANE: Look(0, "jaws-plane"),
    PAWS_PLANE: Look(1, "paws-plane"),
    SUN: Look(None, "sun"),
}
"""How teams and tokens are drawn."""
BORDER_NAME_OF: Mapping[Seat, str] = {JP: "pilot", PP: "pilot", JG: "gunner", PG: "gunner"}
"""How the borders at the lock are named in an answer."""
BACK_OF: Mapping[Seat, str] = {JP: "P", PP: "P", JG: "G", PG: "G"}
"""The back of a player's cards, as the board plan names it."""
BORDER_OF: Mapping[Seat, str] = {JP: "white", PP: "white", JG: "black", PG: "black"}


def board_owner(team: Seat, zone: str) -> Seat:
    """The player of `team` on whose View Board a zone of that letter lies.  (JP-14.4)

    >>> board_owner(PAWS, "Paws.GL")
    'PG'
    """
    return CREW_OF[team][0 if zone[5] == "P" else 1]
