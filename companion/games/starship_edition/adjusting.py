"""What an arbiter may set: quantities, places and piles of a position, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.core.text import one_of
from companion.games.starship_edition.cards import Card, every
from companion.games.starship_edition.layout import (
    FACE_DOWN,
    MOST_TIERS,
    PRINTED_TIERS,
    STAGES,
    TIER_ACTIONS,
)
from companion.games.starship_edition.operations import Modify
from companion.games.starship_edition.player import Tier, copies
from companion.games.starship_edition.seats import SEATS
from companion.games.starship_edition.star_map import read_spot
from companion.kit.reports import UnknownName

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.player import Player
    from companion.games.starship_edition.position import StarshipPosition

Setter = Callable[["StarshipPosition", str, "Json"], None]
PlayerSetter = Callable[["Player", str, "Json"], None]
MOST = 999


def adjust(position: StarshipPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    setters = setters_of(position)
    by_plain = {name.lower(): name for name in setters}
    for name, value in changes.items():
        plain = by_plain.get(" ".join(name.lower().split()))
        if plain is None:
            raise UnknownName(name, (*setters, *(f"option.{rule}" for rule in position.house)))
        setters[plain](position, name, value)


def setters_of(position: StarshipPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    return {
        **_TABLE,
        **{str(player.piece): _of(seat, _set_place) for seat, player in position.players.items()},
        **{f"{seat}.{name}": _of(seat, own) for seat in position.players
           for name, own in _OWN.items()},
        **{f"{seat}.gear": _gear_of(seat) for seat in position.players},
        **{f"{seat}.hull": _hull_of(seat) for seat in position.players},
    }  # fmt: skip


# -- what is given -------------------------------------------------------------------------


def _number(name: str, raw: Json, low: int, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {low} to {most}")
    return raw


def _flag(name: str, raw: Json) -> bool:
    if not isinstance(raw, bool):
        raise BadCall(f"{name}: {raw!r} is neither true nor false")
    return raw


def _word(name: str, raw: Json, known: tuple[str, ...], what: str) -> str:
    try:
        return one_of(raw, known, what)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _words(name: str, raw: Json) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(word, str) for word in raw):
        raise BadCall(f"{name}: {raw!r} is no list of cards, the top one last")
    return [str(word) for word in raw]


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: StarshipPosition, name: str, raw: Json) -> None:
    position.turn = _number(name, raw, 1, 9_999)


def _set_stage(position: StarshipPosition, name: str, raw: Json) -> None:
    position.stage = _word(name, raw, STAGES, "phase")


def _set_priority(position: StarshipPosition, name: str, raw: Json) -> None:
    position.priority = Seat(_word(name, raw, SEATS, "seat"))


def _set_active(position: StarshipPosition, name: str, raw: Json) -> None:
    position.active = Seat(_word(name, raw, SEATS, "seat"))


def _set_tier(position: StarshipPosition, name: str, raw: Json) -> None:
    position.tier = _number(name, raw, 1, MOST_TIERS)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn, "phase": _set_stage, "stage": _set_stage, "priority": _set_priority,
    "active": _set_active, "tier": _set_tier,
}  # fmt: skip


# -- what belongs to a player --------------------------------------------------------------


def _of(seat: Seat, setter: PlayerSetter) -> Setter:
    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        setter(position.players[seat], name, raw)

    return put


def _gear_of(seat: Seat) -> Setter:
    """Equipped cards; what those did that are there no longer ends, on other vessels too."""

    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        player = position.players[seat]
        before, player.gear = player.gear, copies(_words(name, raw))
        for copy in before:
            if copy not in player.gear:
                position.end_effects_of(seat, copy)

    return put


def _hull_of(seat: Seat) -> Setter:
    """Hull: no more than at the start, where nothing can give more.  (SE-R23, RULING 23)"""

    def put(position: StarshipPosition, name: str, raw: Json) -> None:
        player = position.players[seat]
        hull = _number(name, raw, -MOST, MOST)
        most = position.table.vessels[player.vessel].hull + player.bonus("hull_max")
        unlimited = position.house.get("overrepair") == "yes" or _raises_hull(position)
        if hull > max(most, player.hull) and not unlimited:
            raise BadCall(
                f"{position.vessel_of(seat)} has hull {most} at most, as at the start. Set {most} "
                "or less, or the house rule overrepair first [SE-R23, RULING 23]"
            )
        player.hull = hull

    return put


def _raises_hull(position: StarshipPosition) -> bool:
    """Whether some card, ability or kind of counters here makes a vessel's most hull more."""
    file = position.table.file
    taught = (Card.model_validate(raw) for raw in position.taught.values())
    cards = [*file.cards.values(), *taught]
    steps = [step for card in cards for step in (*card.effects, *card.discard_bonus)]
    steps += [step for ability in file.abilities.values() for step in ability.effects]
    steps += [step for kind in file.counters.values() for step in kind.effects]
    return any(
        isinstance(step, Modify) and step.stat == "hull_max" and step.amount > 0
        for _, step in every(steps)
    )


def _set_out(player: Player, name: str, raw: Json) -> None:
    """Destroyed: all cards are removed, and the vessel leaves the map.  (SE-R21, RULING 21)"""
    player.out = _flag(name, raw)
    if player.out:
        player.removed = player.total
        player.deck = player.hand = 0
        player.discard, player.gear, player.space = [], [], None
        player.new_turn()
        player.modifiers, player.counters = [], {}


def _count(attribute: str, low: int = 0) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _number(name, raw, low, MOST))

    return put


def _yes(attribute: str) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _flag(name, raw))

    return put


def _cards(attribute: str) -> PlayerSetter:
    def put(player: Player, name: str, raw: Json) -> None:
        setattr(player, attribute, _words(name, raw))

    return put


def _set_place(player: Player, name: str, raw: Json) -> None:
    try:
        player.space = None if raw in (None, "") else read_spot(raw)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _set_heading(player: Player, name: str, raw: Json) -> None:
    player.heading = _number(name, raw, 0, 7)


def _set_granted(player: Player, name: str, raw: Json) -> None:
    player.granted = _number(name, raw, PRINTED_TIERS, MOST_TIERS)


def _set_counters(player: Player, name: str, raw: Json) -> None:
    if not isinstance(raw, dict):
        raise BadCall(f"{name}: {raw!r} is no table of counters, as over heat = 3")
    player.counters = {kind: _number(f"{name}.{kind}", n, 0, MOST) for kind, n in raw.items()}


def _set_one_tier(number: int) -> PlayerSetter:
    """A tier as its facts say it: "set, ?", "draw", or "not yet" from there on."""

    def put(player: Player, name: str, raw: Json) -> None:
        action, *cards = (part.strip() for part in str(raw).split(","))
        if action.lower() == "not yet":
            del player.tiers[number - 1 :]
            return
        if number > len(player.tiers) + 1:
            raise BadCall(f"{name}: tier {len(player.tiers) + 1} is not prepared; set that first")
        action = _word(name, action, TIER_ACTIONS, "tier action")
        if len(cards) > 2:
            raise BadCall(f"{name}: {len(cards)} cards; two at most lie in a tier [SE-DBL-03]")
        first, second = (*(card or FACE_DOWN for card in cards), "", "")[:2]
        before = player.tier(number) or Tier(action)
        player.tiers[number - 1 : number] = [
            Tier(action, first, second, resolved=before.resolved,
                 permitted=before.permitted and bool(second))
        ]  # fmt: skip

    return put


_OWN: Mapping[str, PlayerSetter] = {
    **{name: _count(name) for name in ("energy", "deck", "hand", "removed")},
    **{name: _yes(name) for name in ("locked", "prepared", "drifted")},
    "destroyed": _set_out,
    **{name: _cards(name) for name in ("discard", "declared", "used")},
    "counters": _set_counters,
    "place": _set_place,
    "heading": _set_heading,
    "granted": _set_granted,
    **{f"tier-{number}": _set_one_tier(number) for number in range(1, MOST_TIERS + 1)},
}
