"""The house rules of the TaleSpin dogfight: other readings of the book, and how many play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.ruling import Cite
from companion.games.talespin_dogfight.seats import FEWEST, MOST
from companion.match.house_rules import HouseRules, Row, Switch, switches_of

if TYPE_CHECKING:
    from companion.core.ruling import Json

HIGHEST_HAND, MOST_DOGFIGHTS = 60, 9
_PLAYERS = f"{FEWEST} to {MOST} play [TS-E-PLAYERS, TS-102, TS-309]"


def _within(low: int, high: int, raw: Json) -> Json:
    text = str(raw).strip()
    number = int(text) if text.isdecimal() and len(text) < 4 and not isinstance(raw, bool) else -1
    return number if low <= number <= high else None


_ROWS: tuple[Row, ...] = (
    ("players", (2, 3, 4), "TS-102, TS-309",
     "How many play; two fight, the others play cards when the dogfight ends."),
    ("windows", ("announce", "ask"), "TS-WIN-01, RULING 1",
     "A window closes with the next regular answer, or waits until its player passes."),
    ("declined_first_maneuver", ("counts", "not_counted"), "TS-105, RULING 10",
     "Declined: the first maneuver counts for Damage and Draw, or it does not."),
    ("attacker_may_stop", ("yes", "only_if_unable"), "TS-205, RULING 7",
     "The attacker may end the attack at will, or only without a card."),
    ("lucky_shot_defence", ("meets_any", "value_1"), "TS-221, RULING 9",
     "As an answer the Lucky Shot meets any maneuver, or is worth 1."),
    ("bounty", ("must", "may"), "TS-323, RULING 14",
     "A defender who wins takes a played maneuver, or may leave them all."),
    ("opened_artifact", ("stays", "bluff"), "RULING 18",
     "An opened artifact stays as open cargo, or is discarded as a bluff is."),
    ("empty_pile", ("reshuffle", "stop"), "TS-108, RULING 5",
     "The draw pile is empty: shuffle the discards and go on, or draw no more."),
)  # fmt: skip

SWITCHES: Mapping[str, Switch] = switches_of(
    _ROWS,
    Switch(
        "hand_max", (10,), "No hand grows beyond so many cards by drawing.",
        Cite.of("TS-108, RULING 5"),
        lambda raw: _within(1, HIGHEST_HAND, raw), f"a number from 1 to {HIGHEST_HAND}",
    ),
    Switch(
        "max_dogfights_per_turn", (1,), "So many dogfights may be started in a turn.",
        Cite.of("TS-101, RULING 3"),
        lambda raw: _within(1, MOST_DOGFIGHTS, raw), f"a number from 1 to {MOST_DOGFIGHTS}",
    ),
    sight="TS-102, RULING 2",
    refused={"players": _PLAYERS},
)  # fmt: skip

HOUSE = HouseRules(SWITCHES, plain=("players", "windows", "sight"))
"""Which rulings owe something to this table's own house rules."""
