"""The house rules of Jaws & Paws: every switch of the four-player Day game.  (RULINGS.md)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.rulebook import Switch, sight_switch
from companion.ruling import Cite

if TYPE_CHECKING:
    from companion.offers import Json

LONGEST_TIMER_S = 3600
LONGEST_GRACE_MS = 1000
MOST_DAMAGE = 30


@dataclass(frozen=True, slots=True)
class _Whole:
    """A whole number within limits, also as typed on a command line."""

    low: int
    high: int

    def __call__(self, raw: Json) -> Json:
        if isinstance(raw, bool) or not isinstance(raw, (int, str)):
            return None
        try:
            number = int(raw)
        except ValueError:
            return None
        return number if self.low <= number <= self.high else None

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


def _switch(
    name: str, values: tuple[Json, ...], cite: str, text: str, free: _Whole | None
) -> Switch:
    return Switch(name, values, text, Cite.of(cite), free, str(free or ""))


_YES, _NO = True, False
_ROWS: tuple[tuple[str, tuple[Json, ...], str, str, _Whole | None], ...] = (
    ("timer_s", (20, 10, 30, 45, 60, 90, "none"), "JP-5.3, JP-5.8",
     "Seconds of the Action Phase; any number up to an hour, or none.",
     _Whole(1, LONGEST_TIMER_S)),
    ("lock_asks", ("sections", "players"), "JP-8.1, JP-6.2",
     "At the lock: whose cards lie on each section, or only how many each player laid.", None),
    ("late_mistake", ("stands", "amend"), "RULING 35",
     "A mistake found after the next round has begun.", None),
    ("lr_frame", ("seat", "board"), "JP-2.6, RULING 1",
     "Left as the player sits, or always as printed on the board.", None),
    ("plane_view_mirror", ("swap", "same_letter"), "JP-2.7, RULING 2",
     "Move Plane View mirrors the column, or keeps its letter.", None),
    ("public_counts", (_YES, _NO), "JP-4.4, RULING 4",
     "The counts of all piles are shown to everybody.", None),
    ("take_back", (_YES, _NO), "JP-5.6, RULING 5",
     "A card may be taken back to hand before the buzzer.", None),
    ("late_card", ("return_to_hand", "discard", "accept"), "JP-5.7, RULING 6",
     "A card laid after the buzzer.", None),
    ("buzzer_grace_ms", (0,), "JP-5.7, RULING 6",
     "A card laid within so many milliseconds of the buzzer still counts (up to 1000).",
     _Whole(0, LONGEST_GRACE_MS)),
    ("early_end", ("never", "all_locked"), "JP-5.8, RULING 7",
     "A timed phase ends early when all four players have said locked.", None),
    ("doubled_reveal", (_NO, _YES), "JP-6.2, RULING 8",
     "The cards of a doubled section are turned over before they are discarded.", None),
    ("doubled_counts_as_played", (_YES, _NO), "JP-6.3, RULING 8",
     "Who laid only doubled cards has played, and is not Repairing.", None),
    ("double_ko", ("draw", "most_cards", "replay"), "JP-11.6, RULING 12",
     "Both teams shot down at one check point.", None),
    ("smoke_damage", (3,), "JP-8.3, RULING 14",
     "Damage to the teammate of who Repairs under smoke (0: none).", _Whole(0, MOST_DAMAGE)),
    ("sun_order", ("round_start", "current_section"), "JP-9.3, RULING 15",
     "Whose Move Sun card comes first: who had the Sun when the round, or the section, began.",
     None),
    ("unclear_half", ("no_effect", "owner_chooses"), "JP-12.1, RULING 17",
     "A card that lies exactly sideways.", None),
    ("shot_damage", (6,), "JP-14.2, RULING 19",
     "Damage of a Shoot card that has no damage of its own.", _Whole(0, MOST_DAMAGE)),
    ("both_repair_damage", ("full_each", "split"), "JP-14.5, RULING 20",
     "A hit on a team of which both players are Repairing.", None),
    ("half_rounding", ("up", "down"), "JP-15.1, RULING 21", "Half of an odd damage.", None),
    ("card_memory", ("off", "on"), "RULING 38",
     "Show which cards were turned over and lie in a Discard Pile.", None),
)  # fmt: skip

_SIGHT = sight_switch(Cite.of("RULING 35"))

SWITCHES: Mapping[str, Switch] = {
    switch.name: switch for switch in (*(_switch(*row) for row in _ROWS), _SIGHT)
}

_CORRECTIONS = 35
"""Turned by late_mistake, which is about reports; the arbiter's own words stay as they are."""

_TURNING: Mapping[int, tuple[Switch, ...]] = {
    number: tuple(s for s in SWITCHES.values() if number in s.cite.rulings)
    for number in {number for switch in SWITCHES.values() for number in switch.cite.rulings}
    if number != _CORRECTIONS
}
"""By number of a ruling, the switches that turn it."""


def house_words(cite: Cite, house: Mapping[str, Json]) -> str:
    """What a ruling owes to this table's own house rules; empty where all are the book's.

    >>> house_words(Cite.of("JP-12.3, RULING 1"), {"lr_frame": "board"})
    ' (House rule: lr_frame board.)'
    """
    turned = [switch for number in cite.rulings for switch in _TURNING.get(number, ())]
    other = [s for s in turned if house.get(s.name, s.default) != s.default]
    if not other:
        return ""
    told = ", ".join(f"{switch.name} {str(house[switch.name]).lower()}" for switch in other)
    return f" (House rule: {told}.)"
