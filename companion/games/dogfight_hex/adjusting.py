"""What an arbiter may set: quantities and places of a position, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from companion.errors import BadCall
from companion.games.dogfight_hex.deck import pile_of
from companion.games.dogfight_hex.layout import (
    CAPTURED,
    CARD,
    DECK,
    DISCARD,
    HAND,
    HULL_POINTS,
)
from companion.games.dogfight_hex.naming import (
    attack_named,
    card_named,
    place_named,
    seat_named,
    space_named,
    stage_named,
)
from companion.games.dogfight_hex.position_file import ALL_CARDS, MOST_TURNS
from companion.games.dogfight_hex.seats import DEBRIS_OF, HULLS, MOST, SHIPS, WRECKS

if TYPE_CHECKING:
    from companion.board import Piece
    from companion.games.dogfight_hex.position import DogfightHexPosition
    from companion.games.dogfight_hex.ship import Ship
    from companion.hexes import Heading, Hex
    from companion.offers import Json
    from companion.ruling import Seat

Setter = Callable[["DogfightHexPosition", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""
ShipSetter = Callable[["DogfightHexPosition", "Ship", str, "Json"], None]

T = TypeVar("T")


def adjust(position: DogfightHexPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind.

    Meant for a position that is thrown away when one is refused, as `Match` does, which judges it
    then.
    """
    setters = setters_of(position)
    by_plain = {name.lower(): name for name in setters}
    meant: list[tuple[str, Json]] = []
    for name, value in changes.items():
        plain = by_plain.get(_plain(name))
        if plain is None:
            raise BadCall(f"nothing is called {name!r}; there are {_known_names(position)}")
        meant.append((plain, value))
    for name, value in meant:
        setters[name](position, name, value)


def setters_of(position: DogfightHexPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    seats = tuple(position.ships)
    tokens = (*WRECKS, *(hull for seat in seats for hull in HULLS[seat]))
    return {
        **_TABLE,
        **{piece: _wreckage(piece) for piece in tokens},
        **{SHIPS[seat]: _of(seat, _set_place) for seat in seats},
        **{DEBRIS_OF[seat]: _of(seat, _set_debris) for seat in seats},
        **{f"{seat}.{name}": _of(seat, own) for seat in seats for name, own in _OWN.items()},
    }


def _known_names(position: DogfightHexPosition) -> str:
    """What may be set here, house rules included, which the match sets itself."""
    named = (name for name in setters_of(position) if name not in _ALSO)
    return ", ".join((*named, *(f"option.{rule}" for rule in position.house)))


def _plain(name: str) -> str:
    return " ".join(name.lower().split()).removeprefix("the ")


# -- what is given -------------------------------------------------------------------------


def _number(name: str, raw: Json, low: int, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {low} to {most}")
    return raw


def _flag(name: str, raw: Json) -> bool:
    if not isinstance(raw, bool):
        raise BadCall(f"{name}: {raw!r} is neither true nor false")
    return raw


def _named(name: str, raw: Json, read: Callable[[object], T]) -> T:
    try:
        return read(raw)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def _space(name: str, raw: Json) -> Hex | None:
    return None if raw in (None, "") else _named(name, raw, space_named)


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.turn = _number(name, raw, 1, MOST_TURNS)


def _set_stage(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.stage = _named(name, raw, stage_named)


def _set_first(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.first = _named(name, raw, seat_named)


def _set_deck(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DECK] = _number(name, raw, 0, ALL_CARDS)


def _set_discard(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DISCARD] = _number(name, raw, 0, ALL_CARDS)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn,
    "phase": _set_stage,
    "stage": _set_stage,
    "first": _set_first,
    "deck": _set_deck,
    "discard": _set_discard,
}
_ALSO = frozenset({"stage"})
"""Names that facts have and the book has not: taken, but not recommended."""


def _wreckage(piece: Piece) -> Setter:
    def put(position: DogfightHexPosition, name: str, raw: Json) -> None:
        space = _space(name, raw)
        if space is None:
            position.wreckage.pop(piece, None)
        else:
            position.wreckage[piece] = space

    return put


# -- what belongs to a ship ----------------------------------------------------------------


def _of(seat: Seat, setter: ShipSetter) -> Setter:
    def put(position: DogfightHexPosition, name: str, raw: Json) -> None:
        setter(position, position.ships[seat], name, raw)

    return put


def _set_place(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    def read(given: object) -> Heading:
        return place_named(given, position.table.facings)

    ship.at = None if raw in (None, "") else _named(name, raw, read)


def _set_debris(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.debris = _space(name, raw)


def _set_hull(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.hull = _number(name, raw, 0, HULL_POINTS)


def _set_fell(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fell = _number(name, raw, 0, MOST)


def _set_owes(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.owes = _number(name, raw, 0, HULL_POINTS)


def _set_aside(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.aside = _number(name, raw, 0, HULL_POINTS)


def _set_retired(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.retired = _flag(name, raw)


def _set_card(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    """What lies face up, and is known to lie there."""
    ship.card = "" if raw in (None, "") else _named(name, raw, card_named)
    position.deck.piles.known.pop(pile_of(ship.seat, CARD), None)
    if ship.card:
        position.deck.turn_over(ship.seat, ship.card, position.table.deck[ship.card])


def _set_stopped(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.stopped = _flag(name, raw)


def _set_no_draw(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.no_draw = _flag(name, raw)


def _set_claims(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.claims = None if raw in (None, "") else _named(name, raw, seat_named)


def _set_fresh(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fresh = _flag(name, raw)


def _set_bound(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.bound = _named(name, raw, attack_named)


def _set_anchored(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.anchored = _flag(name, raw)


def _pile(pile: str, most: int) -> ShipSetter:
    def count(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
        position.deck.piles[pile_of(ship.seat, pile)] = _number(name, raw, 0, most)

    return count


_OWN: Mapping[str, ShipSetter] = {
    "place": _set_place,
    "debris": _set_debris,
    "hull": _set_hull,
    "fell": _set_fell,
    "owes": _set_owes,
    "aside": _set_aside,
    "retired": _set_retired,
    "hand": _pile(HAND, ALL_CARDS),
    "declared": _pile(CARD, 1),
    "captured": _pile(CAPTURED, 1),
    "card": _set_card,
    "stopped": _set_stopped,
    "no_draw": _set_no_draw,
    "claims": _set_claims,
    "fresh": _set_fresh,
    "bound": _set_bound,
    "anchored": _set_anchored,
}
