"""What an arbiter may set: quantities and places of a position, by name.  (DF-E16, DF-E18)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.core.errors import BadCall
from companion.games.dogfight_1917.cards import DECK_SIZE, FIGHTER_NAMES, FIGHTERS, PILOTS
from companion.games.dogfight_1917.layout import PILES, SET_UP, STAGES
from companion.games.dogfight_1917.naming import (
    fighter_named,
    pilot_named,
    place_named,
    player_named,
    seat_named,
    side_named,
    stage_named,
)
from companion.games.dogfight_1917.position_file import (
    MOST_DICE,
    MOST_TOKENS,
    MOST_TURNS,
    read_known,
)
from companion.games.dogfight_1917.seats import WINGMEN
from companion.kit.hexes import FLAT_TOP_NAMES, Heading
from companion.kit.reports import UnknownName

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_1917.player import Player
    from companion.games.dogfight_1917.position import Dogfight1917Position

Setter = Callable[["Dogfight1917Position", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""
PlayerSetter = Callable[["Player", str, "Json"], None]

T = TypeVar("T")


def adjust(position: Dogfight1917Position, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind.

    Fighters go first, so that a piece's name means whoever flies it afterwards, and known cards
    last, after the piles they lie in. Meant for a position that is thrown away when one is
    refused, as `Match` does, which judges it then.
    """
    setters = setters_of(position)
    by_plain = {name.lower(): name for name in setters}
    meant: list[tuple[str, Json]] = []
    for name, value in changes.items():
        plain = by_plain.get(_plain(name)) or by_plain.get(_of_seat(position, _plain(name)))
        if plain is None:
            raise UnknownName(name, _known_names(position))
        meant.append((plain, value))
    for name, value in sorted(meant, key=lambda change: _order_of(change[0])):
        setters[name](position, name, value)


def choices_of(position: Dogfight1917Position, name: str) -> Sequence[Json]:
    """What an arbiter may choose from, where it is neither a number nor yes or no."""
    if name in ("phase", "stage"):
        return [SET_UP] if position.stage == SET_UP else [s for s in STAGES if s != SET_UP]
    if name == "next_turn":
        leaders = [seat for seat in position.players if seat not in WINGMEN]
        return ["", *leaders] if position.returning else ()
    if name == "active":
        return list(position.players)
    return _choices_of_a_player(position, name.partition(".")[2])


def _choices_of_a_player(position: Dogfight1917Position, quantity: str) -> Sequence[Json]:
    if quantity == "place":
        board = position.table.board
        turned = range(len(FLAT_TOP_NAMES))
        return ["", *(Heading(space, way).name() for space in board.spaces for way in turned)]
    named: Mapping[str, Sequence[Json]] = {
        "fighter": list(FIGHTERS), "pilot": list(PILOTS), "pilot_side": ["A", "B"],
    }  # fmt: skip
    return named.get(quantity, ())


def _order_of(name: str) -> int:
    """What must be set before, or after, everything else."""
    return {"fighter": 0, "known": 2}.get(name.partition(".")[2], 1)


def setters_of(position: Dogfight1917Position) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    return {
        **_TABLE,
        **{name: _piece(name) for name in FIGHTER_NAMES},
        **{f"{seat}.{name}": _of(seat, own) for seat in position.players
           for name, own in _OWN.items()},
    }  # fmt: skip


def _known_names(position: Dogfight1917Position) -> Sequence[str]:
    """What may be set here, house rules included, which the match sets itself."""
    named = (name for name in setters_of(position) if name not in _ALSO)
    return (*named, *(f"option.{rule}" for rule in position.house))


def _of_seat(position: Dogfight1917Position, plain: str) -> str:
    """A quantity of a player who is named by the Fighter: "camel.tokens" as "a.tokens"."""
    who, dot, quantity = plain.partition(".")
    seat = player_named(position, who) if dot else None
    return f"{seat.lower()}.{quantity}" if seat is not None else plain


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


def _place(name: str, raw: Json) -> Heading | None:
    return None if raw is None or raw == "" else _named(name, raw, place_named)


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.turn = _number(name, raw, 1, MOST_TURNS)


def _set_stage(position: Dogfight1917Position, name: str, raw: Json) -> None:
    """A phase of the turn under way; set-up, whose questions are others, is not moved across."""
    stage = _named(name, raw, stage_named)
    if (stage == SET_UP) != (position.stage == SET_UP):
        way_out = "undo goes back to it" if stage == SET_UP else "finish set-up first"
        raise BadCall(f"{name}: {stage} cannot be set in {position.stage} [DF-5.1]; {way_out}")
    position.stage = stage


def _seat(position: Dogfight1917Position, name: str, raw: Json) -> Seat:
    """Who is meant: by letter, or by the Fighter flown."""
    return player_named(position, raw) or _named(name, raw, seat_named)


def _set_active(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.active = _seat(position, name, raw)


def _set_next_turn(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.next_turn = None if raw is None or raw == "" else _seat(position, name, raw)


def _set_maneuvered(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.maneuvered = _flag(name, raw)


def _set_improvised(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.improvised = _flag(name, raw)


def _set_gunsight(position: Dogfight1917Position, name: str, raw: Json) -> None:
    position.gunsight = _number(name, raw, 0, MOST_DICE)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn,
    "phase": _set_stage,
    "stage": _set_stage,
    "active": _set_active,
    "next_turn": _set_next_turn,
    "maneuvered": _set_maneuvered,
    "improvised": _set_improvised,
    "gunsight": _set_gunsight,
}
_ALSO = frozenset({"stage"})
"""Names that facts have and the book has not: taken, but not recommended."""


def _piece(piece: str) -> Setter:
    def put(position: Dogfight1917Position, name: str, raw: Json) -> None:
        for player in position.players.values():
            if player.fighter == piece:
                player.plane = _place(name, raw)
                return
        raise BadCall(f"{name}: nobody flies the {FIGHTER_NAMES[piece]}; set a player's fighter")

    return put


# -- what belongs to a player --------------------------------------------------------------


def _of(seat: Seat, setter: PlayerSetter) -> Setter:
    def put(position: Dogfight1917Position, name: str, raw: Json) -> None:
        setter(position.players[seat], name, raw)

    return put


def _set_fighter(player: Player, name: str, raw: Json) -> None:
    player.fighter = _named(name, raw, fighter_named)


def _set_pilot(player: Player, name: str, raw: Json) -> None:
    player.pilot = _named(name, raw, pilot_named)


def _set_pilot_side(player: Player, name: str, raw: Json) -> None:
    player.pilot_side = _named(name, raw, side_named)


def _set_tokens(player: Player, name: str, raw: Json) -> None:
    player.tokens = _number(name, raw, 0, MOST_TOKENS)


def _set_place(player: Player, name: str, raw: Json) -> None:
    player.plane = _place(name, raw)


def _set_start(player: Player, name: str, raw: Json) -> None:
    player.start = _place(name, raw)


def _set_crashed(player: Player, name: str, raw: Json) -> None:
    player.out = _flag(name, raw)


def _set_known(player: Player, name: str, raw: Json) -> None:
    player.piles.known = _named(name, raw, read_known)


def _pile(pile: str) -> PlayerSetter:
    def count(player: Player, name: str, raw: Json) -> None:
        player.piles[pile] = _number(name, raw, 0, DECK_SIZE)

    return count


_OWN: Mapping[str, PlayerSetter] = {
    "fighter": _set_fighter,
    "pilot": _set_pilot,
    "pilot_side": _set_pilot_side,
    "tokens": _set_tokens,
    "place": _set_place,
    "start": _set_start,
    "crashed": _set_crashed,
    **{pile: _pile(pile) for pile in PILES},
    "known": _set_known,
}
