"""What an arbiter may set: quantities and places of a position, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.games.talespin_dogfight.boards import location_of
from companion.games.talespin_dogfight.effects import MOST as MOST_BONUS
from companion.games.talespin_dogfight.figures import (
    MOST_EFFECT,
    MOST_LOCATIONS,
    MOST_PILOT,
    MOST_RANGE,
)
from companion.games.talespin_dogfight.layout import (
    DISCARD,
    DRAW,
    EXCHANGES,
    EXTRA_DAMAGE,
    HAND,
    HIGHEST,
    LOWEST,
    MOST_COUNTED,
    OPEN,
    PACKED,
)
from companion.games.talespin_dogfight.position_file import MOST_NUMBER
from companion.games.talespin_dogfight.seats import TOKENS
from companion.kit.piles import own_pile
from companion.kit.reports import Setter, citing, flag, set_all, whole_number

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.maneuver import Played
    from companion.games.talespin_dogfight.player import Player
    from companion.games.talespin_dogfight.position import TalespinPosition

_PLAYER: Mapping[str, tuple[str, int, int]] = {
    "pilot": ("pilot", 0, MOST_PILOT),
    "range": ("range", 0, MOST_RANGE),
    "value bonus": ("value_bonus", -MOST_BONUS, MOST_BONUS),
    "pilot bonus": ("pilot_bonus", -MOST_BONUS, MOST_BONUS),
    "wins": ("wins", 0, MOST_NUMBER),
}
_NUMBERS: Mapping[str, tuple[str, int, int]] = {
    "pilot": ("pilot", 0, MOST_PILOT),
    "standing": ("standing", 0, HIGHEST),
    "damage done": ("damage_done", 0, MOST_EFFECT * EXCHANGES + EXTRA_DAMAGE),
}
_PRINTED: Mapping[str, tuple[int, int]] = {
    "value": (LOWEST, HIGHEST),
    "damage": (0, MOST_EFFECT),
    "draw": (0, MOST_EFFECT),
}


def adjust(position: TalespinPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    with citing("RULING 17"):
        before = position.piles.total
        set_all(position, setters_of(position), changes)
        _refuse_too_many(position, before)


def _refuse_too_many(position: TalespinPosition, before: int) -> None:
    """More cards than a table can have are not reached by counting one pile anew.  (RULING 5)"""
    total = position.piles.total
    if total > max(before, MOST_COUNTED):
        raise BadCall(
            f"{total} cards are on the table then, at most {MOST_COUNTED} can be: count again "
            "[RULING 5]"
        )


def setters_of(position: TalespinPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    setters: dict[str, Setter] = _of_the_dogfight(position)
    for player in position.players.values():
        setters |= _of_player(position, player)
    for one in position.played:
        setters |= _of_maneuver(one)
    return setters


def _of_the_dogfight(position: TalespinPosition) -> dict[str, Setter]:
    def put_defended(name: str, raw: Json) -> None:
        position.defended = flag(name, raw)

    return {
        "defended": put_defended,
        "draw": _pile(position, DRAW),
        "discard": _pile(position, DISCARD),
        **{name: _number(position, *row) for name, row in _NUMBERS.items()},
    }


def _pile(position: TalespinPosition, pile: str) -> Setter:
    def count(name: str, raw: Json) -> None:
        position.piles[pile] = whole_number(name, raw, 0, MOST_COUNTED)

    return count


def _number(thing: TalespinPosition | Player, field: str, low: int, most: int) -> Setter:
    def put(name: str, raw: Json) -> None:
        setattr(thing, field, whole_number(name, raw, low, most))

    return put


def _of_player(position: TalespinPosition, player: Player) -> dict[str, Setter]:
    def put_place(name: str, raw: Json) -> None:
        player.place = None if raw in (None, "") else _location(name, raw)

    seat = player.seat
    return {
        **{
            f"{seat}.{pile}": _pile(position, own_pile(seat, pile)) for pile in (HAND, PACKED, OPEN)
        },
        **{f"{seat}.{name}": _number(player, *row) for name, row in _PLAYER.items()},
        f"{seat}.place": put_place,
        TOKENS[seat]: put_place,
    }


def _location(name: str, raw: Json) -> int:
    """A location by its number, or by the name that a camera has for it."""
    if isinstance(raw, str):
        try:
            return whole_number(name, location_of(raw.strip().lower()), 1, MOST_LOCATIONS)
        except ValueError:
            pass
    return whole_number(name, raw, 1, MOST_LOCATIONS)


def _of_maneuver(one: Played) -> dict[str, Setter]:
    def cancel(name: str, raw: Json) -> None:
        one.cancelled = flag(name, raw)

    printed = {f"{one.name}.{field}": _printed(one, field) for field in _PRINTED}
    return {**printed, f"{one.name}.cancelled": cancel}


def _printed(one: Played, field: str) -> Setter:
    def put(name: str, raw: Json) -> None:
        number, card = whole_number(name, raw, *_PRINTED[field]), one.maneuver
        told = {"value": card.value, "damage": card.damage, "draw": card.draw, field: number}
        value, damage, draw = told["value"], told["damage"], told["draw"]
        one.maneuver = replace(card, value=value, damage=damage, draw=draw)

    return put
