"""The house rules of Starship Edition: other readings of the book, players, and lots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.ruling import Cite
from companion.games.starship_edition.seats import FEWEST, MOST
from companion.match.house_rules import HouseRules, Row, Switch, switches_of

if TYPE_CHECKING:
    from companion.core.ruling import Json

_PLAYERS = f"{FEWEST} to {MOST} play [SE-E-PLAYERS, SE-R01, RULING 1]"

_ROWS: tuple[Row, ...] = (
    ("players", (2, 3, 4, 5, 6), "SE-R01, RULING 1", "How many play."),
    ("share_space", ("no", "yes"), "SE-R03, RULING 3",
     "Two vessels may end on the same space, or not."),
    ("pass_retractable", ("no", "yes"), "SE-R06, RULING 6",
     "Who is not locked may set a card after all in a tier that was passed."),
    ("illegal_secondary", ("void", "return_to_hand"), "SE-R08, RULING 8",
     "A second card that nothing permits lies void until the Discard Phase, or returns to hand."),
    ("declared_attack_survives", ("yes", "no"), "SE-R15, RULING 15",
     "An attack that was declared is resolved although its vessel was destroyed meanwhile."),
    ("destroyed_at", ("below_zero", "zero"), "SE-R19, RULING 19",
     "A vessel is destroyed when its hull falls below zero, or at zero already."),
    ("overrepair", ("no", "yes"), "SE-R23, RULING 23",
     "Repair may lift the hull above what it was at the start."),
    ("empty_deck", ("no_draw", "reshuffle"), "SE-R24, RULING 24",
     "From an empty deck nothing is drawn, or the discard pile is shuffled into it."),
    ("drift", ("off", "on"), "SE-R25, RULING 25",
     "Every vessel moves one space during its owner's Preparation."),
)  # fmt: skip

TABLE_DRAWS = "table"
MOST_SEED = 2**31 - 1


def _seed(raw: Json) -> Json:
    """A number by which the companion draws; None for anything else."""
    try:
        number = int(str(raw))
    except ValueError:
        return None
    return number if 0 <= number <= MOST_SEED else None


LOTS = Switch(
    "lots", (TABLE_DRAWS,), "Who begins: the table names it, or the companion draws by a number.",
    Cite.of("SE-R02, RULING 2"), _seed, f"a number from 0 to {MOST_SEED}",
)  # fmt: skip

SWITCHES: Mapping[str, Switch] = switches_of(
    _ROWS, LOTS, sight="SE-R03, RULING 3", refused={"players": _PLAYERS}
)

HOUSE = HouseRules(SWITCHES, plain=("players", "lots", "sight"))
"""Which of them turn a ruling."""
