"""Position files of Dogfight: 1917: read and written in the book's words.  (positions/README.md)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.errors import BadFile
from companion.core.ruling import Seat
from companion.games.dogfight_1917.cards import DECK_SIZE, FIGHTER_NAMES, MANEUVERS
from companion.games.dogfight_1917.layout import PILES, SET_UP
from companion.games.dogfight_1917.naming import (
    PILOT_NAMES,
    card_named,
    fighter_named,
    pile_named,
    pilot_named,
    place_named,
    seat_named,
    side_named,
    stage_named,
)
from companion.games.dogfight_1917.player import Player
from companion.games.dogfight_1917.seats import A
from companion.kit.figures import read_model
from companion.kit.hexes import Heading
from companion.kit.piles import CountedPiles

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.position import Dogfight1917Position

BOX: Literal["dogfight-1917"] = "dogfight-1917"
MOST_TURNS = 9_999
MOST_TOKENS = 999
"""Far beyond any match: what is more was mistyped."""
MOST_DICE = 8
"""All dice of the box; who needs more rolls in two lots.  (DF-1.1, RULING 34)"""

PositionT = TypeVar("PositionT", bound="Dogfight1917Position")


def _each_once(raw: object) -> object:
    """Known cards by their printed names; one that is named twice would lose a count."""
    if not isinstance(raw, dict):
        return raw
    cards: dict[str, object] = {}
    for name, count in cast("dict[object, object]", raw).items():
        card = card_named(name)
        if card in cards:
            raise ValueError(f"{card} is counted twice; give one count")
        cards[card] = count
    return cards


_STRICT = ConfigDict(extra="forbid", strict=True)

_Fighter = Annotated[str, BeforeValidator(fighter_named)]
_Pilot = Annotated[str, BeforeValidator(pilot_named)]
_Side = Annotated[str, BeforeValidator(side_named)]
_Stage = Annotated[str, BeforeValidator(stage_named)]
_Seat = Annotated[str, BeforeValidator(seat_named)]
_Card = Annotated[str, BeforeValidator(card_named)]
_Pile = Annotated[str, BeforeValidator(pile_named)]
_Place = Annotated[Heading, BeforeValidator(place_named)]
_Count = Annotated[int, Field(ge=0, le=DECK_SIZE)]
_Seen = Annotated[dict[str, Annotated[int, Field(ge=1, le=DECK_SIZE)]], BeforeValidator(_each_once)]
_Die = Annotated[int, Field(ge=1, le=6)]


class _Player(BaseModel):
    model_config = _STRICT

    fighter: _Fighter = ""
    pilot: _Pilot = ""
    side: _Side = "A"
    tokens: Annotated[int, Field(ge=0, le=MOST_TOKENS)] = 0
    place: _Place | None = None
    start: _Place | None = None
    crashed: bool = False
    deck: _Count
    hand: _Count
    discard: _Count = 0
    damage: _Count = 0
    box: _Count = 0
    played: _Count = 0
    known: dict[_Pile, _Seen] = {}


class _Known(BaseModel):
    """What an arbiter sets by itself."""

    model_config = _STRICT

    known: dict[_Pile, _Seen]


class _Players(BaseModel):
    model_config = _STRICT

    A: _Player
    B: _Player
    C: _Player | None = None
    D: _Player | None = None


class _File(BaseModel):
    model_config = _STRICT

    box: Literal["dogfight-1917"] = BOX
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1
    phase: _Stage
    active: _Seat = A
    maneuvered: bool = False
    improvised: bool = False
    actions: Annotated[int, Field(ge=0, le=MOST_TURNS)] = 0
    gunsight: Annotated[int, Field(ge=0, le=MOST_DICE)] = 0
    dice: Annotated[list[_Die], Field(max_length=MOST_DICE)] = []
    next_turn: _Seat | None = None
    claimed: Annotated[list[_Card], Field(max_length=len(MANEUVERS))] | None = None
    players: _Players
    since: list[Any] = []
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source, "key")
    lines = {seat: getattr(file.players, seat) for seat in _Players.model_fields}
    return cls(
        players={Seat(s): _player(Seat(s), line) for s, line in lines.items() if line is not None},
        stage=file.phase,
        turn=file.turn,
        active=Seat(file.active),
        maneuvered=file.maneuvered,
        improvised=file.improvised,
        actions=file.actions,
        gunsight=file.gunsight,
        dice=tuple(file.dice),
        next_turn=None if file.next_turn is None else Seat(file.next_turn),
        claimed=None if file.claimed is None else tuple(file.claimed),
    )


def read_known(raw: object) -> dict[str, list[str]]:
    """Known cards by pile, as a file counts them; ValueError says what is wrong.

    >>> read_known({"discard": {"evasive dive": 2}})
    {'discard': ['Evasive Dive', 'Evasive Dive']}
    """
    try:
        return _elements(read_model(_Known, {"known": raw}, "", "pile").known)
    except BadFile as wrong:
        place = wrong.place.removeprefix("known").removeprefix(".")
        raise ValueError(": ".join(part for part in (place, wrong.text) if part)) from wrong


def _elements(known: Mapping[str, Mapping[str, int]]) -> dict[str, list[str]]:
    """The cards themselves, as often as they are counted."""
    return {pile: sorted(Counter(cards).elements()) for pile, cards in known.items() if cards}


def _player(seat: Seat, line: _Player) -> Player:
    counts = {pile: int(getattr(line, pile)) for pile in PILES}
    return Player(
        seat=seat,
        piles=CountedPiles(seat, counts, _elements(line.known)),
        fighter=line.fighter,
        pilot=line.pilot,
        pilot_side=line.side,
        tokens=line.tokens,
        plane=line.place,
        start=line.start,
        out=line.crashed,
    )


# -- writing -------------------------------------------------------------------------------


def write_position(position: Dogfight1917Position) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": BOX, "turn": position.turn, "phase": position.stage}
    if position.stage != SET_UP or position.active != A:
        file["active"] = str(position.active)
    said: dict[str, Json] = {
        "maneuvered": position.maneuvered,
        "improvised": position.improvised,
        "actions": position.actions,
        "gunsight": position.gunsight,
        "dice": list(position.dice),
        "next_turn": position.next_turn,
    }
    file |= {name: value for name, value in said.items() if value}
    if position.claimed is not None:
        file["claimed"] = list(position.claimed)
    file["players"] = {str(seat): _line(player) for seat, player in position.players.items()}
    return file


def _line(player: Player) -> dict[str, Json]:
    said: dict[str, Json] = {
        "fighter": FIGHTER_NAMES.get(player.fighter, ""),
        "pilot": PILOT_NAMES.get(player.pilot, ""),
        "side": player.pilot_side if player.pilot or player.pilot_side != "A" else "",
        "tokens": player.tokens,
        "place": player.plane.name() if player.plane is not None else "",
        "start": player.start.name() if player.start is not None else "",
        "crashed": player.out,
    }
    line: dict[str, Json] = {name: value for name, value in said.items() if value}
    piles = player.piles
    line |= {pile: piles[pile] for pile in PILES if piles[pile] or pile in ("deck", "hand")}
    known = {pile: dict(Counter(cards)) for pile, cards in piles.known.items() if cards}
    if known:
        line["known"] = {pile: {**cards} for pile, cards in known.items()}
    return line
