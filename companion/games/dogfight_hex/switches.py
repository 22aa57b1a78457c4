"""The house rules of Dogfight! hex ships, and the number of players.  (RULINGS.md)"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.dogfight_hex.seats import FEWEST, MOST
from companion.match.house_rules import HouseRules, Row, Switch, switches_of

_YES, _NO = True, False
_PLAYERS = f"{FEWEST} to {MOST} play [HX-E-PLAYERS, HX-SET-07], 2 with allow_two_players"

_ROWS: tuple[Row, ...] = (
    ("players", (4, 3, 5, 6, 2), "HX-SET-07, RULING 6",
     "How many play; 2 only where the house lets two play."),
    ("allow_two_players", (_NO, _YES), "HX-SET-07, RULING 6",
     "Two may play, with everything else unchanged."),
    ("wreckage_on_start", ("allow", "forbid"), "HX-SET-01, RULING 3",
     "Wreckage of the set-up may lie on start spaces, or not."),
    ("resolution", ("ordered", "simultaneous"), "HX-RES-02, RULING 29",
     "Cards are carried out one after the other, or all from the positions of the reveal."),
    ("front_shape", ("cone120", "three_rays", "custom"), "HX-ATK-03, RULING 11",
     "What lies in front: all between the outer arrows, only the three lines, or the table's own."),
    ("shield_timing", ("from_reveal", "from_own_slot"), "HX-SHD-01, RULING 15",
     "A shield works from the reveal on, or from its owner's place in the order."),
    ("double_capture", ("first_only", "proxy"), "HX-SHD-06, RULING 16",
     "Two shields stop the same card: the first takes it, or both must reuse that attack."),
    ("wreckage_overflow", ("discard", "nearest"), "HX-DMG-01, RULING 20",
     "No free space beside the ship: the token is set aside, or laid on the nearest free space."),
    ("debris_ram", ("stay", "enter"), "HX-DEB-04, RULING 23",
     "Debris that rams stays where it came from, or moves onto the ship's space."),
    ("debris_same_turn", (_YES, _NO), "HX-DEB-02, RULING 25",
     "A ship destroyed by a card drifts in the same turn already."),
)  # fmt: skip

SWITCHES: Mapping[str, Switch] = switches_of(
    _ROWS, sight="HX-MOV-02", refused={"players": _PLAYERS}
)

HOUSE = HouseRules(SWITCHES, plain=("players", "allow_two_players", "sight"))
"""What rulings owe to the house; how many play is no other reading of the book."""
