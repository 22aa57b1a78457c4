"""Position files of Jaws & Paws: read, checked and written in the book's words.  (README.md)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from companion.board import Piece
from companion.errors import BadFile
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.games.jaws_and_paws.cards import MOST_CARDS
from companion.games.jaws_and_paws.crew import PLAYERS, TEAMS
from companion.games.jaws_and_paws.layout import NOBODY, PILES, SECTIONS, STAGES, UNTOLD
from companion.games.jaws_and_paws.moves import ZONES
from companion.piles import CountedPiles
from companion.ruling import Seat

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.offers import Json

_PIECES: Mapping[str, Piece] = {"Jaws": JAWS_PLANE, "Paws": PAWS_PLANE, "Sun": SUN}

PositionT = TypeVar("PositionT", bound="JawsAndPawsPosition")


def _one_of(allowed: tuple[str, ...], what: str) -> BeforeValidator:
    """Take a name whatever its case; the message lists those there are."""
    by_plain = {name.lower(): name for name in allowed}

    def read(raw: object) -> str:
        if str(raw).lower() not in by_plain:
            raise ValueError(f"{raw!r} is no {what}; there are {', '.join(map(repr, allowed))}")
        return by_plain[str(raw).lower()]

    return BeforeValidator(read)


_Zone = Annotated[str, _one_of(ZONES, "zone")]
_Team = Annotated[str, _one_of(TEAMS, "team")]
_Stage = Annotated[str, _one_of(STAGES, "stage")]
_Player_Code = Annotated[str, _one_of(PLAYERS, "player")]
_Owner = Annotated[str, _one_of((NOBODY, UNTOLD, *PLAYERS), "player")]
_Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
_Track = Annotated[list[_Owner], Field(min_length=len(SECTIONS), max_length=len(SECTIONS))]
_STRICT = ConfigDict(extra="forbid", strict=True)


class _Planes(BaseModel):
    model_config = _STRICT

    Jaws: _Zone = "Paws.PC"
    Paws: _Zone = "Jaws.PC"


class _Smoke(BaseModel):
    model_config = _STRICT

    Jaws: bool = False
    Paws: bool = False


class _Tracks(BaseModel):
    model_config = _STRICT

    Jaws: _Track = [NOBODY] * len(SECTIONS)
    Paws: _Track = [NOBODY] * len(SECTIONS)


class _Player(BaseModel):
    model_config = _STRICT

    deck: _Cards
    hand: _Cards
    discard: _Cards = 0
    scrap: _Cards = 0
    track: _Cards = 0
    played: _Cards = 0
    turned_over: dict[Literal["track", "discard"], list[str]] = {}


class _Players(BaseModel):
    model_config = _STRICT

    JP: _Player
    JG: _Player
    PP: _Player
    PG: _Player


class _OtherLeft(BaseModel):
    model_config = _STRICT

    Jaws: _Zone | None = None
    Paws: _Zone | None = None
    Sun: _Zone | None = None


class _Latest(BaseModel):
    model_config = _STRICT

    damage: dict[_Player_Code, Annotated[int, Field(ge=0)]] = {}
    other_left: _OtherLeft = _OtherLeft()


class _File(BaseModel):
    model_config = _STRICT

    box: Literal["jaws-and-paws"] = "jaws-and-paws"
    game: Annotated[int, Field(ge=1)] = 1
    round: Annotated[int, Field(ge=1)] = 1
    stage: _Stage
    sun: _Zone | None = None
    sun_at_round_start: _Team | None = None
    planes: _Planes = _Planes()
    smoke: _Smoke = _Smoke()
    tracks: _Tracks = _Tracks()
    players: _Players
    latest: _Latest = _Latest()


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    try:
        file = _File.model_validate(dict(raw))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadFile(source, place, first["msg"]) from wrong
    zones = {JAWS_PLANE: file.planes.Jaws, PAWS_PLANE: file.planes.Paws}
    if file.sun is not None:
        zones[SUN] = file.sun
    first_team = file.sun_at_round_start
    return cls(
        zones=zones,
        piles={player: _piles(player, _of(file.players, player)) for player in PLAYERS},
        stage=file.stage,
        round_number=file.round,
        game=file.game,
        sun_first=None if first_team is None else Seat(first_team),
        smoke={team: getattr(file.smoke, team) for team in TEAMS},
        played={player: _of(file.players, player).played for player in PLAYERS},
        owners={team: list(getattr(file.tracks, team)) for team in TEAMS},
        dealt={Seat(player): damage for player, damage in file.latest.damage.items()},
        other_left=_other_left(file.latest.other_left),
    )


def _other_left(line: _OtherLeft) -> dict[Piece, str]:
    zones: dict[str, str | None] = line.model_dump()
    return {_PIECES[name]: zone for name, zone in zones.items() if zone is not None}


def _of(players: _Players, player: Seat) -> _Player:
    line: _Player = getattr(players, player)
    return line


def _piles(player: Seat, line: _Player) -> CountedPiles:
    counts = {pile: int(getattr(line, pile)) for pile in PILES}
    return CountedPiles(player, counts, {str(k): v for k, v in line.turned_over.items() if v})


def write_position(position: JawsAndPawsPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": "jaws-and-paws"}
    if position.game > 1:
        file["game"] = position.game
    file |= {"round": position.round_number, "stage": position.stage}
    if position.sun is not None:
        file["sun"] = position.sun
    if position.sun_first is not None:
        file["sun_at_round_start"] = position.sun_first
    file["planes"] = {"Jaws": position.zones[JAWS_PLANE], "Paws": position.zones[PAWS_PLANE]}
    file["smoke"] = {str(team): position.smoke[team] for team in TEAMS}
    if any(owner for owners in position.owners.values() for owner in owners):
        file["tracks"] = {str(team): list(position.owners[team]) for team in TEAMS}
    file["players"] = {str(player): _player_line(position, player) for player in PLAYERS}
    latest = _latest(position)
    if latest:
        file["latest"] = latest
    return file


def _latest(position: JawsAndPawsPosition) -> dict[str, Json]:
    """What hands may yet be found to have got wrong; empty where nothing was dealt or moved."""
    latest: dict[str, Json] = {}
    if position.dealt:
        latest["damage"] = {str(player): count for player, count in position.dealt.items()}
    if position.other_left:
        left = position.other_left
        latest["other_left"] = {
            name: left[piece] for name, piece in _PIECES.items() if piece in left
        }
    return latest


def _player_line(position: JawsAndPawsPosition, player: Seat) -> dict[str, Json]:
    piles = position.piles[player]
    line: dict[str, Json] = {pile: piles[pile] for pile in PILES}
    line["played"] = position.played[player]
    if piles.known:
        line["turned_over"] = {pile: list(cards) for pile, cards in piles.known.items()}
    return line
