"""Position files of Starship Edition, in the book's words.  (positions/README.md)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, ValidationError

from companion.core.errors import BadFile
from companion.core.ruling import Seat
from companion.core.text import one_of
from companion.games.starship_edition.cards import Card
from companion.games.starship_edition.figures import STANDARD
from companion.games.starship_edition.file_faults import told
from companion.games.starship_edition.layout import (
    MOST_TIERS,
    PRINTED_TIERS,
    SET_UP,
    STAGES,
    TIER_ACTIONS,
)
from companion.games.starship_edition.operations import MOST, Part
from companion.games.starship_edition.player import Modifier, Player, Tier, copies
from companion.games.starship_edition.seats import SEATS
from companion.games.starship_edition.star_map import Spot, name_of, read_spot

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.position import StarshipPosition

BOX: Literal["starship-edition"] = "starship-edition"
MOST_TURNS = 9_999
MOST_CARDS = 999

PositionT = TypeVar("PositionT", bound="StarshipPosition")

Stage = Annotated[str, BeforeValidator(lambda raw: one_of(raw, STAGES, "phase"))]
SeatName = Annotated[str, BeforeValidator(lambda raw: one_of(raw, SEATS, "seat"))]
Action = Annotated[str, BeforeValidator(lambda raw: one_of(raw, TIER_ACTIONS, "tier action"))]
Place = Annotated[tuple[int, int], BeforeValidator(read_spot)]
Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
Until = Literal["attack", "tier", "turn", "while_equipped", "game"]


class _Tier(Part):
    action: Action
    primary: str = ""
    secondary: str = ""
    void: bool = False
    resolved: bool = False
    permitted: bool = False


class _Modifier(Part):
    stat: str
    amount: Annotated[int, Field(ge=-MOST, le=MOST)]
    until: Until
    source: str = ""


class _Player(Part):
    vessel: str = STANDARD
    deck_name: str = STANDARD
    deck: Cards
    hand: Cards
    removed: Cards = 0
    discard: list[str] = Field(default_factory=list[str])
    gear: list[str] = Field(default_factory=list[str])
    tiers: list[_Tier] = Field(default_factory=list[_Tier], max_length=MOST_TIERS)
    granted: Annotated[int, Field(ge=PRINTED_TIERS, le=MOST_TIERS)] = PRINTED_TIERS
    hull: Annotated[int, Field(ge=-MOST_CARDS, le=MOST_CARDS)]
    energy: Cards
    counters: dict[str, Cards] = Field(default_factory=dict[str, Cards])
    modifiers: list[_Modifier] = Field(default_factory=list[_Modifier])
    declared: list[str] = Field(default_factory=list[str])
    used: list[str] = Field(default_factory=list[str])
    locked: bool = False
    prepared: bool = False
    drifted: bool = False
    destroyed: bool = False
    place: Place | None = None
    heading: Annotated[int, Field(ge=0, le=7)] = 0


class _File(Part):
    box: Literal["starship-edition"] = BOX
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1
    phase: Stage
    priority: SeatName = "A"
    active: SeatName = "A"
    tier: Annotated[int, Field(ge=1, le=MOST_TIERS + 1)] = 1
    steps: Annotated[int, Field(ge=0, le=MOST_TURNS)] = 0
    taught: dict[str, Card] = Field(default_factory=dict[str, Card])
    kept: list[str] = Field(default_factory=list[str])
    players: Annotated[dict[SeatName, _Player], Field(min_length=1)]
    since: list[Any] = Field(default_factory=list[Any])
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    try:
        file = _File.model_validate(dict(raw))
    except ValidationError as wrong:
        place, text = told(wrong, _File)
        raise BadFile(source, place, text.removeprefix("Value error, ")) from wrong
    taught = raw.get("taught", {})
    return cls(
        players={seat: _player(seat, file.players[seat]) for seat in SEATS if seat in file.players},
        stage=file.phase,
        turn=file.turn,
        priority=Seat(file.priority),
        active=Seat(file.active),
        tier=file.tier,
        steps=file.steps,
        taught=dict(taught) if isinstance(taught, dict) else {},
        kept=[*file.kept],
    )


def _player(seat: Seat, line: _Player) -> Player:
    player = Player(
        seat=seat, vessel=line.vessel, deck_name=line.deck_name, size=0, deck=line.deck,
        hand=line.hand, removed=line.removed, discard=[*line.discard], gear=copies(line.gear),
        tiers=[_tier_of(tier) for tier in line.tiers],
        granted=line.granted, hull=line.hull, energy=line.energy, counters=dict(line.counters),
        modifiers=[Modifier(m.stat, m.amount, m.until, m.source) for m in line.modifiers],
        declared=[*line.declared], used=[*line.used], locked=line.locked, prepared=line.prepared,
        drifted=line.drifted, out=line.destroyed, space=_spot(line.place), heading=line.heading,
    )  # fmt: skip
    player.size = player.total
    return player


def _tier_of(line: _Tier) -> Tier:
    return Tier(line.action, line.primary, line.secondary, line.void, line.resolved, line.permitted)


def _spot(place: tuple[int, int] | None) -> Spot | None:
    return place


# -- writing -------------------------------------------------------------------------------


def write_position(position: StarshipPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": BOX, "turn": position.turn, "phase": position.stage}
    if position.stage != SET_UP:
        file |= {"priority": str(position.priority), "active": str(position.active)}
    said: dict[str, Json] = {"tier": position.tier, "steps": position.steps}
    file |= {name: value for name, value in said.items() if value != (name == "tier")}
    if position.taught:
        file["taught"] = {**position.taught}
    if position.kept:
        file["kept"] = [*position.kept]
    file["players"] = {str(seat): _line(player) for seat, player in position.players.items()}
    return file


def _line(player: Player) -> dict[str, Json]:
    counters: Json = {name: count for name, count in player.counters.items() if count}
    said: dict[str, Json] = {
        "removed": player.removed, "discard": [*player.discard], "gear": [*player.gear],
        "tiers": [_tier(tier) for tier in player.tiers], "counters": counters,
        "modifiers": [
            {"stat": m.stat, "amount": m.amount, "until": m.until, "source": m.source}
            for m in player.modifiers
        ],
        "declared": [*player.declared], "used": [*player.used], "locked": player.locked,
        "prepared": player.prepared, "drifted": player.drifted, "destroyed": player.out,
        "place": name_of(player.space) if player.space is not None else "",
        "heading": player.heading,
    }  # fmt: skip
    line: dict[str, Json] = {"deck": player.deck, "hand": player.hand, "hull": player.hull,
                             "energy": player.energy}  # fmt: skip
    line |= {name: value for name, value in said.items() if value}
    usual = {"vessel": STANDARD, "deck_name": STANDARD, "granted": PRINTED_TIERS}
    own: dict[str, Json] = {
        "vessel": player.vessel,
        "deck_name": player.deck_name,
        "granted": player.granted,
    }
    line |= {name: value for name, value in own.items() if value != usual[name]}
    return line


def _tier(tier: Tier) -> Json:
    said: dict[str, Json] = {"primary": tier.primary, "secondary": tier.secondary,
                             "void": tier.void, "resolved": tier.resolved,
                             "permitted": tier.permitted}  # fmt: skip
    return {"action": tier.action, **{name: value for name, value in said.items() if value}}
