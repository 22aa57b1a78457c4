"""The house rules of Jaws & Paws: every switch, and which of them a mode has.  (RULINGS.md)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.ruling import Cite
from companion.games.jaws_and_paws.boards import MOST_TEAMS
from companion.match.house_rules import HouseRules, Switch, switches_of

if TYPE_CHECKING:
    from companion.core.ruling import Json

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
     "A timed phase ends early when every player has said locked.", None),
    ("doubled_reveal", (_NO, _YES), "JP-6.2, RULING 8",
     "The cards of a doubled section are turned over before they are discarded.", None),
    ("doubled_counts_as_played", (_YES, _NO), "JP-6.3, RULING 8",
     "Who laid only doubled cards has played, and is not Repairing.", None),
    ("double_ko", ("draw", "most_cards", "replay"), "JP-11.6, RULING 12",
     "All teams that are left are shot down at one check point.", None),
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

SWITCHES: Mapping[str, Switch] = switches_of(
    (), *(_switch(*row) for row in _ROWS), sight="RULING 35"
)
"""Those of the manual's own game: two teams of two, by day."""


@dataclass(frozen=True, slots=True)
class _Crews:
    """How many people each team has, clockwise: "2 2 1", also written 2,2,1 or 221."""

    teams: tuple[int, int]
    people: tuple[int, int]

    def __call__(self, raw: Json) -> Json:
        sizes = [figure for figure in str(raw) if figure not in " ,+"]
        fewest, most = self.people
        if not self.teams[0] <= len(sizes) <= self.teams[1] or not set(sizes) <= {"1", "2"}:
            return None
        return " ".join(sizes) if fewest <= sum(map(int, sizes)) <= most else None

    def __str__(self) -> str:
        fewest, most = self.teams
        teams = f"{fewest} to {most} teams" if fewest < most else f"{fewest} teams"
        least, limit = self.people
        people = f"{least} to {limit}" if least < limit else f"{least}"
        return f"{teams} of 1 or 2 people, {people} people in all"


def _crews(values: tuple[Json, ...], cite: str, free: _Crews) -> Switch:
    text = "How many people each team has, clockwise from Jaws."
    return Switch("crews", values, text, Cite.of(cite), free, str(free))


CREWS_OF_THREE = _crews(("2 1", "1 2"), "JP-18.1", _Crews((2, 2), (3, 3)))
CREWS_OF_MANY = _crews(
    ("2 2 1", "2 2 2", "2 1 1 1", "1 1 1 1 1"), "JP-19.1",
    _Crews((3, MOST_TEAMS), (5, 2 * MOST_TEAMS)),
)  # fmt: skip
SOLO_REPAIR = _switch(
    "solo_repair", ("per_role", "whole_player"), "JP-17.4, RULING 25",
    "A solo player Repairs with each hand by itself, or with both when no card at all was laid.",
    None,
)  # fmt: skip
_FACE_UP = "How many of a solo player's cards lie face up."
FACE_UP_OF_THREE = _switch(
    "solo_face_up", ("one", "none", "all"), "JP-18.3, RULING 26", _FACE_UP, None
)
FACE_UP_OF_MANY = _switch(
    "solo_face_up_5plus", ("none", "one"), "JP-19.1, RULING 27", _FACE_UP, None
)
MORE_SWITCHES = (CREWS_OF_THREE, CREWS_OF_MANY, SOLO_REPAIR, FACE_UP_OF_THREE, FACE_UP_OF_MANY)
"""Those that modes have besides."""

HOUSE = HouseRules(
    {switch.name: switch for switch in (*SWITCHES.values(), *MORE_SWITCHES)},
    plain=("late_mistake", "sight"),
)
"""What rulings owe to the house. `late_mistake` is about reports; what RULING 35 lets the arbiter
say stays as it is said."""
