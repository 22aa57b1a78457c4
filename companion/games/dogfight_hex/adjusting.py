"""What an arbiter may set: quantities and places of a position, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
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
from companion.games.dogfight_hex.refusals import ship_named
from companion.games.dogfight_hex.seats import DEBRIS_OF, HULLS, MOST, SHIPS, WRECKS
from companion.kit.reports import citing, flag, named, set_all, whole_number

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_hex.position import DogfightHexPosition
    from companion.games.dogfight_hex.ship import Ship
    from companion.kit.hexes import Heading, Hex

Setter = Callable[["DogfightHexPosition", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""
ShipSetter = Callable[["DogfightHexPosition", "Ship", str, "Json"], None]


def adjust(position: DogfightHexPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    own = {name: _at(position, setter) for name, setter in setters_of(position).items()}
    by_seat: dict[str, Json] = {}
    for name, value in changes.items():
        if _by_seat(name) in by_seat:
            raise BadCall(f"{_by_seat(name)} is given twice; give it once [RULING 30]")
        by_seat[_by_seat(name)] = value
    with citing("RULING 30"):
        set_all(position, own, by_seat)


def _by_seat(name: str) -> str:
    """A name by its seat, also where the ship is named: "Ship B.hull" is "B.hull"."""
    owner, dot, rest = name.partition(".")
    seat = ship_named(owner.strip()) if dot else None
    return name if seat is None else f"{seat}.{rest}"


def _at(position: DogfightHexPosition, setter: Setter) -> Callable[[str, Json], None]:
    return lambda name, raw: setter(position, name, raw)


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


def _space(name: str, raw: Json) -> Hex | None:
    return None if raw in (None, "") else named(name, raw, space_named)


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.turn = whole_number(name, raw, 1, MOST_TURNS)


def _set_stage(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.stage = named(name, raw, stage_named)


def _set_first(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.first = named(name, raw, seat_named)


def _set_deck(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DECK] = whole_number(name, raw, 0, ALL_CARDS)


def _set_discard(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DISCARD] = whole_number(name, raw, 0, ALL_CARDS)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn,
    "phase": _set_stage,
    "first": _set_first,
    "deck": _set_deck,
    "discard": _set_discard,
}


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

    ship.at = None if raw in (None, "") else named(name, raw, read)


def _set_debris(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.debris = _space(name, raw)


def _set_hull(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.hull = whole_number(name, raw, 0, HULL_POINTS)


def _set_fell(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fell = whole_number(name, raw, 0, MOST)


def _set_owes(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.owes = whole_number(name, raw, 0, HULL_POINTS)


def _set_aside(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.aside = whole_number(name, raw, 0, HULL_POINTS)


def _set_retired(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.retired = flag(name, raw)


def _set_card(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    """What lies face up, and is known to lie there."""
    ship.card = "" if raw in (None, "") else named(name, raw, card_named)
    position.deck.piles.known.pop(pile_of(ship.seat, CARD), None)
    if ship.card:
        position.deck.turn_over(ship.seat, ship.card, position.table.deck[ship.card])


def _set_stopped(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.stopped = flag(name, raw)


def _set_no_draw(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.no_draw = flag(name, raw)


def _set_claims(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.claims = None if raw in (None, "") else named(name, raw, seat_named)


def _set_fresh(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fresh = flag(name, raw)


def _set_bound(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.bound = named(name, raw, attack_named)


def _set_anchored(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.anchored = flag(name, raw)


def _pile(pile: str, most: int) -> ShipSetter:
    def count(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
        position.deck.piles[pile_of(ship.seat, pile)] = whole_number(name, raw, 0, most)

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
