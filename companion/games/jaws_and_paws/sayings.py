"""Reports that the book answers alike in every position.  (README.md)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.ruling import Cite, Level


class Saying(NamedTuple):
    """The answer to a report; `level` None: what was asked for is refused.

    `text` names {player}, {pilot} and {gunner} of that team, {team} and {section}.
    """

    fields: tuple[str, ...]
    code: str
    level: Level | None
    text: str
    cite: Cite
    way_out: str = ""


_BACK = "It returns to the hand."
_REFILL = (
    "{player}: an empty Deck is not refilled before drawing; only who is Repairing shuffles, "
    "after the draw."
)
_SORT = "Sort by border: white to the Pilot, black to the Gunner."
_RESUME = "Resume the rest of the time, or undo to the start with all cards back in hand."

SAYINGS: Mapping[str, Saying] = {
    "card on the wrong track": Saying(
        ("player",), "JP-E22", Level.NOTE,
        "{player}'s card on the other team's track was not played.",
        Cite.of("JP-5.4, RULING 6"), _BACK),
    "timer interrupted": Saying(
        (), "JP-E24", Level.NOTE, "The timer was interrupted.",
        Cite.of("JP-5.3, JP-5.7"), _RESUME),
    "card exposed": Saying(
        ("player",), "JP-EXPOSED", Level.NOTE, "A card of {player} was seen: no penalty.",
        Cite.of("JP-4.1, RULING 34"), "Turn it face down."),
    "doubled section": Saying(
        ("team", "section"), "JP-E30", Level.NOTE,
        "{team} section {section} holds more than one card: all of them are discarded.",
        Cite.of("JP-6.1, JP-6.2, RULING 8"), "Tell how many of each border lie there."),
    "shuffle to draw": Saying(
        ("player",), "JP-E44", None, _REFILL, Cite.of("JP-7.3")),
    "declines to repair": Saying(
        ("player",), "JP-E51", Level.NOTE,
        "{player}: who played no card is Repairing; nobody may decline it.",
        Cite.of("JP-8.1, RULING 13"), "Shuffle the Discard Pile into the Deck."),
    "turned too early": Saying(
        ("team", "section"), "JP-E62", Level.NOTE,
        "{team} section {section} was turned over too early: no penalty.",
        Cite.of("JP-9.2, RULING 34"), "Turn it back; resolve in order."),
    "declines to resolve": Saying(
        ("team",), "JP-E71", None,
        "{team}: a card that was turned over is carried out; it cannot be declined.",
        Cite.of("JP-9.9, RULING 16")),
    "wrong pile": Saying(
        ("player",), "JP-E80", Level.NOTE,
        "Cards of {player} lie on the teammate's pile ({pilot} white, {gunner} black).",
        Cite.of("JP-10.1"), _SORT),
}  # fmt: skip
