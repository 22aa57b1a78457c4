"""Position files of the TaleSpin dogfight, read and written in words.  (positions/README.md)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.ruling import TABLE, Seat
from companion.games.talespin_dogfight.effects import MOST as MOST_BONUS
from companion.games.talespin_dogfight.figures import (
    MOST_EFFECT,
    MOST_LOCATIONS,
    MOST_PILOT,
    MOST_RANGE,
    Figures,
)
from companion.games.talespin_dogfight.layout import (
    DISCARD,
    DRAW,
    EXCHANGES,
    HAND,
    HIGHEST,
    IN_PLAY,
    LOWEST,
    MANEUVERS,
    OPEN,
    PACKED,
)
from companion.games.talespin_dogfight.maneuver import FROM_HAND, Maneuver, Played
from companion.games.talespin_dogfight.naming import (
    seat_named,
    source_named,
    start_named,
    step_named,
    winner_named,
)
from companion.games.talespin_dogfight.player import Player
from companion.kit.figures import read_model
from companion.kit.piles import CountedPiles, own_pile

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.position import TalespinPosition

BOX: Literal["talespin-dogfight"] = "talespin-dogfight"
MOST_CARDS, MOST_NUMBER = 999, 99
"""Far beyond any box: what is more was mistyped."""

PositionT = TypeVar("PositionT", bound="TalespinPosition")

_Seat = Annotated[str, BeforeValidator(seat_named)]
_Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
_Bonus = Annotated[int, Field(ge=-MOST_BONUS, le=MOST_BONUS)]
_Few = Annotated[int, Field(ge=0, le=MOST_EFFECT)]
_Dogfights = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
_Title = Annotated[str, Field(max_length=40)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Played(_Part):
    by: _Seat
    exchange: Annotated[int, Field(ge=1, le=EXCHANGES)]
    title: _Title = ""
    value: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    damage: _Few = 0
    draw: _Few = 0
    meets_any: bool = False
    source: Annotated[str, BeforeValidator(source_named)] = FROM_HAND
    shown: bool = True
    lies: bool = True
    cancelled: bool = False


class _Player(_Part):
    place: Annotated[int, Field(ge=1, le=MOST_LOCATIONS)] | None = None
    hand: _Cards = 0
    packed: _Cards = 0
    open: _Cards = 0
    pilot: Annotated[int, Field(ge=0, le=MOST_PILOT)] = 0
    range: Annotated[int, Field(ge=0, le=MOST_RANGE)] = 0
    character: _Title = ""
    value_bonus: _Bonus = 0
    pilot_bonus: _Bonus = 0
    wins: _Dogfights = 0


class _Players(_Part):
    A: _Player
    B: _Player
    C: _Player | None = None
    D: _Player | None = None


class _File(_Part):
    box: Literal["talespin-dogfight"] = BOX
    dogfight: Annotated[int, Field(ge=1, le=MOST_NUMBER)] = 1
    step: Annotated[str, BeforeValidator(step_named)]
    turn_of: _Seat | None = None
    defender: _Seat | None = None
    start: Annotated[str, BeforeValidator(start_named)] = ""
    card: _Title = ""
    pilot: Annotated[int, Field(ge=0, le=MOST_PILOT)] = 0
    defended: bool = False
    winner: Annotated[str, BeforeValidator(winner_named)] = ""
    standing: Annotated[int, Field(ge=0, le=HIGHEST)] = 0
    damage_done: _Cards = 0
    spoken: list[_Seat] = []
    nth: _Cards = 0
    left: list[_Seat] = []
    draw: _Cards = 0
    discard: _Cards = 0
    played: list[_Played] = []
    players: _Players
    since: list[Any] = []
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(
    cls: type[PositionT], raw: Mapping[str, Json], source: str, table: Figures
) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source, "key")
    named = {Seat(seat): getattr(file.players, seat) for seat in _Players.model_fields}
    lines: dict[Seat, _Player] = {seat: line for seat, line in named.items() if line is not None}
    played = [_played(line) for line in file.played]
    return cls(
        players={seat: _player(seat, line) for seat, line in lines.items()},
        piles=_piles(file, lines, played),
        step=file.step,
        number=file.dogfight,
        on_turn=None if file.turn_of is None else Seat(file.turn_of),
        rival=None if file.defender is None else Seat(file.defender),
        start=file.start,
        card=file.card,
        pilot=file.pilot,
        defended=file.defended,
        winner=file.winner,
        standing=file.standing,
        damage_done=file.damage_done,
        played=played,
        spoken=tuple(Seat(seat) for seat in file.spoken),
        nth=file.nth,
        left=tuple(Seat(seat) for seat in file.left),
        table=table,
    )


def _played(line: _Played) -> Played:
    maneuver = Maneuver(line.title, line.value, line.damage, line.draw, line.meets_any)
    return Played(
        Seat(line.by), line.exchange, maneuver, line.source, line.shown, line.lies, line.cancelled
    )


def _player(seat: Seat, line: _Player) -> Player:
    return Player(
        seat,
        line.place,
        line.pilot,
        line.range,
        line.character,
        line.value_bonus,
        line.pilot_bonus,
        line.wins,
    )


def _piles(file: _File, lines: Mapping[Seat, _Player], played: Sequence[Played]) -> CountedPiles:
    """Every pile; those of the maneuvers follow from what was played."""
    counts = {DRAW: file.draw, DISCARD: file.discard, IN_PLAY: 0}
    for seat, line in lines.items():
        lying = sum(one.seat == seat and one.is_card_of_the_dogfight for one in played)
        own = {HAND: line.hand, PACKED: line.packed, OPEN: line.open, MANEUVERS: lying}
        counts |= {own_pile(seat, pile): count for pile, count in own.items()}
    return CountedPiles(TABLE, counts)


# -- writing -------------------------------------------------------------------------------


def write_position(position: TalespinPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    said: dict[str, Json] = {
        "turn_of": position.on_turn,
        "defender": position.rival,
        "start": position.start,
        "card": position.card,
        "pilot": position.pilot,
        "defended": position.defended,
        "winner": position.winner,
        "standing": position.standing,
        "damage_done": position.damage_done,
        "spoken": [*position.spoken],
        "nth": position.nth,
        "left": [*position.left],
        "draw": position.piles[DRAW],
        "discard": position.piles[DISCARD],
        "played": [_line(one) for one in position.played],
    }
    file: dict[str, Json] = {"box": BOX, "dogfight": position.number, "step": position.step}
    file |= {name: value for name, value in said.items() if value}
    file["players"] = {seat: _seat_line(position, seat) for seat in position.players}
    return file


def _line(one: Played) -> dict[str, Json]:
    card = one.maneuver
    line: dict[str, Json] = {"by": one.seat, "exchange": one.exchange, "value": card.value}
    said: dict[str, Json] = {
        "title": card.title,
        "damage": card.damage,
        "draw": card.draw,
        "meets_any": card.any_answer,
        "cancelled": one.cancelled,
    }
    line |= {name: value for name, value in said.items() if value}
    if one.source != FROM_HAND:
        line["source"] = one.source
    unusual: dict[str, Json] = {"shown": one.shown, "lies": one.lies}
    return {**line, **{name: False for name, value in unusual.items() if not value}}


def _seat_line(position: TalespinPosition, seat: Seat) -> dict[str, Json]:
    player = position.players[seat]
    said: dict[str, Json] = {
        "place": player.place,
        "hand": position.count(seat, HAND),
        "packed": position.count(seat, PACKED),
        "open": position.count(seat, OPEN),
        "pilot": player.pilot,
        "range": player.range,
        "character": player.character,
        "value_bonus": player.value_bonus,
        "pilot_bonus": player.pilot_bonus,
        "wins": player.wins,
    }
    return {name: value for name, value in said.items() if value}
