"""Position files of Jaws & Paws: read, checked and written in the book's words.  (README.md)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.board import Piece
from companion.core.errors import BadFile
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import MOON, SUN
from companion.games.jaws_and_paws.cards import MOST_CARDS
from companion.games.jaws_and_paws.crew import ALL_PLAYERS, ALL_TEAMS, CREW_OF
from companion.games.jaws_and_paws.layout import NOBODY, PILES, SECTIONS, STAGES, UNTOLD
from companion.games.jaws_and_paws.lineup import Lineup, Place, lineup_of
from companion.games.jaws_and_paws.moves import ALL_ZONES
from companion.kit.figures import read_model
from companion.kit.piles import CountedPiles

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

PositionT = TypeVar("PositionT", bound="JawsAndPawsPosition")


def _one_of(allowed: Sequence[str], what: str) -> BeforeValidator:
    """Take a name whatever its case; the message lists those there are."""
    return BeforeValidator(_reader(allowed, what))


def _reader(allowed: Sequence[str], what: str) -> Callable[[object], str]:
    by_plain = {name.lower(): name for name in allowed}

    def read(raw: object) -> str:
        if str(raw).lower() not in by_plain:
            raise ValueError(f"{raw!r} is no {what}; there are {', '.join(map(repr, allowed))}")
        return by_plain[str(raw).lower()]

    return read


_zone, _team = _reader(ALL_ZONES, "zone"), _reader(ALL_TEAMS, "team")
_Zone = Annotated[str, BeforeValidator(_zone)]
_Team = Annotated[str, BeforeValidator(_team)]
_Stage = Annotated[str, _one_of(STAGES, "stage")]
_Player_Code = Annotated[str, _one_of(ALL_PLAYERS, "player")]
_Owner = Annotated[str, _one_of((NOBODY, UNTOLD, *ALL_PLAYERS), "player")]
_Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]
_Track = Annotated[list[_Owner], Field(min_length=len(SECTIONS), max_length=len(SECTIONS))]
_STRICT = ConfigDict(extra="forbid", strict=True)


def _read_plane(raw: object) -> object:
    """The zone of a team's plane; with more than two teams, of each of its planes."""
    if isinstance(raw, dict):
        told = cast("dict[object, object]", raw)
        return {_team(team): _zone(zone) for team, zone in told.items()}
    return _zone(raw)


class _Player(BaseModel):
    model_config = _STRICT

    deck: _Cards
    hand: _Cards
    discard: _Cards = 0
    scrap: _Cards = 0
    track: _Cards = 0
    played: _Cards = 0
    turned_over: dict[Literal["track", "discard"], list[str]] = {}


class _Latest(BaseModel):
    model_config = _STRICT

    damage: dict[_Player_Code, Annotated[int, Field(ge=0)]] = {}
    other_left: dict[str, _Zone] = {}


class _File(BaseModel):
    model_config = _STRICT

    box: Literal["jaws-and-paws"] = "jaws-and-paws"
    game: Annotated[int, Field(ge=1)] = 1
    round: Annotated[int, Field(ge=1)] = 1
    stage: _Stage
    solo: list[_Team] = []
    sun: _Zone | None = None
    sun_at_round_start: _Team | None = None
    moon: _Zone | None = None
    moon_at_round_start: _Team | None = None
    night: bool = False
    planes: dict[_Team, Annotated[str | dict[str, str], BeforeValidator(_read_plane)]] = {}
    shot_down: list[_Team] = []
    gone: list[_Player_Code] = []
    smoke: dict[_Team, bool] = {}
    tracks: dict[_Team, _Track] = {}
    face_up: dict[_Team, Annotated[int, Field(ge=1, le=len(SECTIONS))]] = {}
    doubled: dict[str, dict[_Player_Code, Annotated[int, Field(ge=1, le=MOST_CARDS)]]] = {}
    players: dict[_Player_Code, _Player]
    latest: _Latest = _Latest()


class _Reader:
    """Makes a position of what a file says; `source` is how messages name the file."""

    def __init__(self, file: _File, source: str) -> None:
        self.file = file
        self.source = source
        self.lineup = self._lineup()
        self.light = self._light()

    def _wrong(self, place: str, text: str) -> BadFile:
        return BadFile(self.source, place, text)

    def _lineup(self) -> Lineup:
        """The teams are those of the players named, from Jaws on; both players of each."""
        named = self.file.players
        last = max(
            (ALL_TEAMS.index(t) for t in ALL_TEAMS if named.keys() & {*CREW_OF[t]}), default=0
        )
        teams = ALL_TEAMS[: max(2, last + 1)]
        missing = [player for team in teams for player in CREW_OF[team] if player not in named]
        if missing:
            raise self._wrong(f"players.{missing[0]}", "Field required")
        for team in self.file.solo:
            self._refuse_stranger("solo", team, teams)
        return lineup_of(*(1 if team in self.file.solo else 2 for team in teams))

    def _refuse_stranger(self, place: str, team: str, teams: Sequence[Seat]) -> None:
        if team not in teams:
            raise self._wrong(place, f"{team} has no players here; there are {', '.join(teams)}")

    def _light(self) -> Piece:
        """Night where the file says so, or has a Moon."""
        file = self.file
        night = file.night or file.moon is not None or file.moon_at_round_start is not None
        if night and (file.sun is not None or file.sun_at_round_start is not None):
            raise self._wrong("sun", "by night there is a moon in its place [JP-16.1]")
        return MOON if night else SUN

    def _of_teams(self, place: str, told: Mapping[str, object]) -> None:
        for team in told:
            self._refuse_stranger(f"{place}.{team}", team, self.lineup.teams)

    def zones(self) -> dict[Piece, str]:
        """Where the tokens stand; those that are not told, on the enemy's Pilot centre."""
        file, lineup = self.file, self.lineup
        self._of_teams("planes", file.planes)
        zones: dict[Piece, str] = {}
        for piece, team in lineup.flown_by.items():
            host = lineup.host_of[piece]
            if team in file.shot_down or host in file.shot_down:
                continue
            zones[piece] = self._plane(team, host) or lineup.start[piece]
        bright = file.moon if self.light == MOON else file.sun
        return zones if bright is None else {**zones, self.light: bright}

    def _plane(self, team: Seat, host: Seat) -> str | None:
        told = self.file.planes.get(team)
        if isinstance(told, dict):
            self._of_teams(f"planes.{team}", told)
            return told.get(host)
        if told is not None and len(self.lineup.teams) > 2:
            raise self._wrong(
                f"planes.{team}", f"name the zone on each team's boards, as {host} = …"
            )
        return told

    def other_left(self) -> dict[Piece, str]:
        """Where tokens would stand, by the names that pieces have in a file."""
        pieces = {name: piece for piece, name in names_of_pieces(self.lineup, self.light).items()}
        told = self.file.latest.other_left
        for name in told:
            if name not in pieces:
                known = ", ".join(pieces)
                raise self._wrong(f"latest.other_left.{name}", f"no such token; there are {known}")
        return {pieces[name]: zone for name, zone in told.items()}

    def doubled(self) -> dict[Place, dict[Seat, int]]:
        """The doubled sections of this round and whose cards lay there, as `Jaws.2` names them."""
        named = {f"{team}.{number}": (team, number) for team, number in self.lineup.places}
        doubled: dict[Place, dict[Seat, int]] = {}
        for name, cards in self.file.doubled.items():
            if name not in named:
                text = f"no such section; there are {', '.join(named)}"
                raise self._wrong(f"doubled.{name}", text)
            team, number = named[name]
            if not cards.keys() <= {*CREW_OF[team]} or sum(cards.values()) < 2:
                text = f"two or more cards of {' and '.join(CREW_OF[team])} lie on it"
                raise self._wrong(f"doubled.{name}", text)
            doubled[team, number] = {Seat(player): count for player, count in cards.items()}
        return doubled

    def position(self, cls: type[PositionT]) -> PositionT:
        """The position, not yet judged."""
        file, teams, players = self.file, self.lineup.teams, self.lineup.players
        for place in ("smoke", "tracks", "face_up"):
            self._of_teams(place, getattr(file, place))
        first = file.moon_at_round_start if self.light == MOON else file.sun_at_round_start
        nobody = [NOBODY] * len(SECTIONS)
        return cls(
            zones=self.zones(),
            piles={player: _piles(player, file.players[player]) for player in players},
            stage=file.stage,
            round_number=file.round,
            game=file.game,
            sun_first=None if first is None else Seat(first),
            smoke={team: file.smoke.get(team, False) for team in teams},
            played={player: file.players[player].played for player in players},
            owners={team: list(file.tracks.get(team, nobody)) for team in teams},
            face_up={Seat(team): number for team, number in file.face_up.items()},
            doubled=self.doubled(),
            out=[team for team in teams if team in file.shot_down],
            gone=[player for player in players if player in file.gone],
            dealt={Seat(player): damage for player, damage in file.latest.damage.items()},
            other_left=self.other_left(),
            lineup=self.lineup,
            light=self.light,
        )


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source, "key")
    return _Reader(file, source).position(cls)


def _piles(player: Seat, line: _Player) -> CountedPiles:
    counts = {pile: int(getattr(line, pile)) for pile in PILES}
    return CountedPiles(player, counts, {str(k): v for k, v in line.turned_over.items() if v})


def names_of_pieces(lineup: Lineup, light: Piece) -> Mapping[Piece, str]:
    """What a file calls the tokens: by their teams, of several with whose boards they are on."""
    several = len(lineup.teams) > 2
    tokens = {
        piece: f"{team} on {lineup.host_of[piece]}" if several else str(team)
        for piece, team in lineup.flown_by.items()
    }
    return {**tokens, light: str(light).capitalize()}


# -- writing -------------------------------------------------------------------------------------


def write_position(position: JawsAndPawsPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    file: dict[str, Json] = {"box": "jaws-and-paws"}
    if position.game > 1:
        file["game"] = position.game
    file |= {"round": position.round_number, "stage": position.stage}
    file |= _told_of_lineup(position)
    light = str(position.light)
    if position.sun is not None:
        file[light] = position.sun
    if position.sun_first is not None:
        file[f"{light}_at_round_start"] = position.sun_first
    file["planes"] = _planes(position)
    file["smoke"] = {str(team): position.smoke[team] for team in position.lineup.teams}
    if any(owner for owners in position.owners.values() for owner in owners):
        file["tracks"] = {str(team): list(owners) for team, owners in position.owners.items()}
    if position.face_up:
        file["face_up"] = {str(team): number for team, number in position.face_up.items()}
    if position.doubled:
        file["doubled"] = {
            f"{team}.{number}": {str(player): count for player, count in cards.items()}
            for (team, number), cards in position.doubled.items()
        }
    file["players"] = {
        str(player): _player_line(position, player) for player in position.lineup.players
    }
    latest = _latest(position)
    if latest:
        file["latest"] = latest
    return file


def _told_of_lineup(position: JawsAndPawsPosition) -> dict[str, Json]:
    told: dict[str, Json] = {}
    solos = [str(team) for team in position.lineup.teams if team in position.lineup.solos]
    if solos:
        told["solo"] = [*solos]
    if position.night and position.sun is None:
        told["night"] = True
    if position.out:
        told["shot_down"] = [str(team) for team in position.out]
    if position.gone:
        told["gone"] = [str(player) for player in position.gone]
    return told


def _planes(position: JawsAndPawsPosition) -> dict[str, Json]:
    lineup, zones = position.lineup, position.zones
    if len(lineup.teams) == 2:
        return {str(team): zones[lineup.own[team][0]] for team in lineup.teams}
    return {
        str(team): {
            str(host): zones[lineup.token[team, host]]
            for host in lineup.rivals[team]
            if host not in position.out
        }
        for team in position.teams
    }


def _latest(position: JawsAndPawsPosition) -> dict[str, Json]:
    """What hands may yet be found to have got wrong; empty where nothing was dealt or moved."""
    latest: dict[str, Json] = {}
    if position.dealt:
        latest["damage"] = {str(player): count for player, count in position.dealt.items()}
    if position.other_left:
        names = names_of_pieces(position.lineup, position.light)
        latest["other_left"] = {
            name: position.other_left[piece]
            for piece, name in names.items()
            if piece in position.other_left
        }
    return latest


def _player_line(position: JawsAndPawsPosition, player: Seat) -> dict[str, Json]:
    piles = position.piles[player]
    line: dict[str, Json] = {pile: piles[pile] for pile in PILES}
    line["played"] = position.played[player]
    if piles.known:
        line["turned_over"] = {pile: list(cards) for pile, cards in piles.known.items()}
    return line
