"""The position of Jaws & Paws: what lies on the table, its file, and what an arbiter may set.

In this order: facts for panels, position files, adjustments, and the whole position. It holds all
that lasts through a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.board import Piece, Pose, off_board
from companion.core.errors import BadCall, BadFile
from companion.core.files import read_model
from companion.core.ruling import Fact, Seat, Shows
from companion.games.jaws_and_paws.boards import (
    ALL_PLAYERS,
    ALL_TEAMS,
    CREW_OF,
    FOUR,
    MATE_OF,
    MOON,
    NOBODY,
    PIECE_NAMES,
    PILES,
    REPAIRED,
    SECTIONS,
    STAGES,
    SUN,
    TEAM_OF,
    UNTOLD,
    Lineup,
    Place,
    lineup_of,
)
from companion.games.jaws_and_paws.cards import MOST_CARDS
from companion.games.jaws_and_paws.moves import ALL_ZONES, POSES, Zone, owner_of
from companion.kit.adjusting import flag, set_all, whole_number
from companion.kit.piles import CountedPiles
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Facts: every quantity that panels show and an arbiter may look up.


def facts(position: JawsAndPawsPosition) -> Sequence[Fact]:
    """The table's, then each team's, then each player's."""
    lineup = position.lineup
    return [
        *_table_facts(position),
        *(fact for team in lineup.teams for fact in _team_facts(position, team)),
        *(fact for player in lineup.players for fact in _player_facts(position, player)),
    ]


def _table_facts(position: JawsAndPawsPosition) -> Iterator[Fact]:
    light = str(position.light)
    bright, has = PIECE_NAMES[position.light], position.sun_team
    yield Fact("game", "Game", position.game)
    yield Fact("round", "Round", position.round_number)
    yield Fact("stage", "Stage", position.stage)
    yield Fact(light, bright, position.sun)
    yield Fact(f"{light}_team", f"Has the {bright}", has, shows=Shows.BADGE, sign=light)
    yield Fact(f"{light}_first", "Sun cards first", position.sun_first, shows=Shows.FIRST)
    for piece in position.lineup.tokens:
        yield Fact(str(piece), PIECE_NAMES[piece], position.zones.get(piece))


def _team_facts(position: JawsAndPawsPosition, team: Seat) -> Iterator[Fact]:
    smoke = position.smoke[team]
    down = team in position.down or team in position.out
    yield Fact(f"{team}.smoke", "Smoke", smoke, team, shows=Shows.BADGE, sign="smoke")
    yield Fact(f"{team}.down", "Shot down", down, team, shows=Shows.BADGE, sign="down")
    if team in position.face_up:
        yield Fact(f"{team}.face_up", "Face up on section", position.face_up[team], team)
    for number, owner in zip(SECTIONS, position.owners[team], strict=True):
        yield Fact(f"{team}.{number}", f"Section {number}", owner, team)


def _player_facts(position: JawsAndPawsPosition, player: Seat) -> Iterator[Fact]:
    public = position.house.get("public_counts") is not False
    piles = position.piles[player]
    for pile in PILES:
        count = piles[pile]
        yield Fact(f"{player}.{pile}", pile.capitalize(), count, player, public, Shows.COUNT)
    if player in position.gone:
        yield Fact(f"{player}.gone", "Has left the table", value=True, seat=player)
    yield Fact(f"{player}.played", "Played", position.played[player], player)
    yield Fact(f"{player}.repairing", "Repairing", position.is_repairing(player), player)
    if position.house.get("card_memory") == "on":
        seen: dict[str, Json] = dict(piles.seen("track", "discard"))
        yield Fact(f"{player}.seen", "Turned over", seen, player)


# Position files, in the book's words.  (README.md)

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
    file = read_model(_File, dict(raw), source)
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


# Adjustments: what an arbiter may set, by name.  (RULING 35)

Setter = Callable[["JawsAndPawsPosition", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""


def adjust(position: JawsAndPawsPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    setters = setters_of(position.lineup, position.light)
    set_all(position, {name: _at(position, setter) for name, setter in setters.items()}, changes)


def _at(position: JawsAndPawsPosition, setter: Setter) -> Callable[[str, Json], None]:
    return lambda name, raw: setter(position, name, raw)


def _named_among(name: str, raw: Json, allowed: Sequence[str]) -> str:
    for known in allowed:
        if str(raw).lower() == known.lower():
            return known
    raise BadCall(f"{name}: {raw!r} is none of {', '.join(map(repr, allowed))}")


def _place(piece: Piece) -> Setter:
    def put(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        zones = position.lineup.zones
        if "." in str(raw) and str(raw).lower() not in map(str.lower, zones):
            raise BadCall(f"{name}: {off_board(raw)} There are {', '.join(zones)}")
        position.zones[piece] = _named_among(name, raw, zones)

    return put


def _pile(player: Seat, pile: str) -> Setter:
    def count(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.piles[player][pile] = whole_number(name, raw, 0, position.deck_size)

    return count


def _played(player: Seat) -> Setter:
    def count(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.played[player] = whole_number(name, raw, 0, position.deck_size)

    return count


def _smoke(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        position.smoke[team] = flag(name, raw)

    return turn


def _down(team: Seat) -> Setter:
    def mark(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        is_down = flag(name, raw)
        if team in position.out:
            raise BadCall(f"{name}: {team} left the game earlier; undo to bring it back")
        teams = position.lineup.teams
        position.down = [t for t in teams if (is_down if t == team else t in position.down)]

    return mark


def _section(team: Seat, number: int) -> Setter:
    def lay(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        allowed = (NOBODY, UNTOLD, *CREW_OF[team])
        if str(raw).upper() not in map(str.upper, allowed):
            crew = " or ".join(CREW_OF[team])
            text = f"{raw!r} is no owner there; say {crew}, ? for a card of either, or ''"
            raise BadCall(f"{name}: {text} for none")
        position.owners[team][number - 1] = _named_among(name, raw, allowed)

    return lay


def _face_up(team: Seat) -> Setter:
    def turn(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
        number = whole_number(name, raw, 0, SECTIONS[-1])
        position.face_up.pop(team, None)
        if number:
            position.face_up[team] = number

    return turn


def _light_first(position: JawsAndPawsPosition, name: str, raw: Json) -> None:
    codes = {player.lower(): TEAM_OF[player] for player in position.lineup.players}
    team = codes.get(str(raw).lower(), raw)
    position.sun_first = Seat(_named_among(name, team, position.lineup.teams))


@cache
def setters_of(lineup: Lineup, light: Piece) -> Mapping[str, Setter]:
    """Every name that may be set, and what setting it does."""
    teams, players = lineup.teams, lineup.players
    return {
        **{str(piece): _place(piece) for piece in (light, *lineup.tokens)},
        **{PIECE_NAMES[piece]: _place(piece) for piece in lineup.tokens},
        f"{light}_first": _light_first,
        **{f"{player}.{pile}": _pile(player, pile) for player in players for pile in PILES},
        **{f"{player}.played": _played(player) for player in players},
        **{f"{team}.smoke": _smoke(team) for team in teams},
        **{f"{team}.down": _down(team) for team in teams},
        **{f"{team}.face_up": _face_up(team) for team in teams if team in lineup.solos},
        **{f"{team}.{number}": _section(team, number) for team in teams for number in SECTIONS},
    }


# The whole position.

NO_HOUSE: Mapping[str, Json] = {}
"""No house rules: every switch at the default that its reader takes."""


def fresh_piles(deck_size: int = 30, lineup: Lineup = FOUR) -> dict[Seat, CountedPiles]:
    """Everybody's cards in the deck."""
    return {
        player: CountedPiles(player, {"deck": deck_size, "hand": 0, "discard": 0, "scrap": 0,
                                      "track": 0})
        for player in lineup.players
    }  # fmt: skip


def empty_tracks(lineup: Lineup = FOUR) -> dict[Seat, list[str]]:
    """All Action Tracks without a card."""
    return {team: [NOBODY] * len(SECTIONS) for team in lineup.teams}


@cache
def hands_of(lineup: Lineup, hand_size: int, solo_hand_size: int) -> Mapping[Seat, int]:
    """To how many cards each player draws up."""
    return {
        player: solo_hand_size if TEAM_OF[player] in lineup.solos else hand_size
        for player in lineup.players
    }


@dataclass(slots=True, eq=False)
class JawsAndPawsPosition(Position):
    """Tokens, piles, tracks and smoke, and what the round has decided so far.

    `zones`: where each token stands (no Sun before it was placed). `sun_first`: who had the Sun
    when the round began (None between rounds). `played`: cards each player has played this round.
    `owners`: by team and section, whose card lies there (NOBODY, UNTOLD). `counted`: cards that
    the table counted on a section and told before the lock. `face_up`: by team, the section on
    which a solo player's card lies face up. `doubled`: the cards of each doubled section, by owner,
    as the lock discarded them; `told`: how many cards were told at the lock, or discarded at the
    draw, in the stage under way (None: nobody has finished telling). `down`: teams shot down at
    this check point; `out`: those of several that fell earlier; `gone`: the
    seats whose players have left the table. `favoured`: teams that the Moon
    lets draw more, noted when Discard and Draw is reached and forgotten at its end. `dealt`: damage
    of the latest step. `other_left`: where a token would stand had its latest Left or Right card
    been read from the other side of the table; both last until the next phase starts, for hands may
    be found out late.
    `lineup` is who plays and `light` the token that is the Sun, or the Moon in its place; `house`,
    `deck_size` and the hands' sizes are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "deck": "Deck",
        "discard": "Discard Pile",
        "scrap": "Scrap Pile",
        "track": "Action Track",
    }

    zones: dict[Piece, Zone] = field(default_factory=lambda: dict(FOUR.start))
    piles: dict[Seat, CountedPiles] = field(default_factory=fresh_piles)
    stage: str = "set-up"
    round_number: int = 1
    game: int = 1
    sun_first: Seat | None = None
    smoke: dict[Seat, bool] = field(default_factory=lambda: dict.fromkeys(FOUR.teams, False))
    played: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(FOUR.players, 0))
    owners: dict[Seat, list[str]] = field(default_factory=empty_tracks)
    counted: dict[str, int] = field(default_factory=dict[str, int])
    face_up: dict[Seat, int] = field(default_factory=dict[Seat, int])
    doubled: dict[Place, dict[Seat, int]] = field(default_factory=dict[Place, dict[Seat, int]])
    told: int | None = None
    down: list[Seat] = field(default_factory=list[Seat])
    out: list[Seat] = field(default_factory=list[Seat])
    gone: list[Seat] = field(default_factory=list[Seat])
    favoured: list[Seat] = field(default_factory=list[Seat])
    dealt: dict[Seat, int] = field(default_factory=dict[Seat, int])
    other_left: dict[Piece, Zone] = field(default_factory=dict[Piece, Zone])
    lineup: Lineup = FOUR
    light: Piece = SUN
    house: Mapping[str, Json] = field(default_factory=lambda: NO_HOUSE)
    deck_size: int = 30
    teams: Sequence[Seat] = field(init=False)
    """The teams that still play, clockwise; those shot down at this check point are in it."""
    players: Sequence[Seat] = field(init=False)
    """The players of these teams."""
    places: Sequence[Place] = field(init=False)
    """Every section of their tracks."""
    hands: Mapping[Seat, int] = field(init=False)
    """To how many cards each player draws up.  (JP-7.2, JP-17.3)"""

    def __post_init__(self) -> None:
        self.hands = hands_of(self.lineup, 4, 3)
        self._seat()

    @classmethod
    def at_start(cls, lineup: Lineup, light: Piece, deck_size: int) -> Self:
        """The table before anything was done: all cards in the Decks, no Sun placed.  (JP-3)"""
        return cls(
            zones=dict(lineup.start),
            piles=fresh_piles(deck_size, lineup),
            smoke=dict.fromkeys(lineup.teams, False),
            played=dict.fromkeys(lineup.players, 0),
            owners=empty_tracks(lineup),
            lineup=lineup,
            light=light,
            deck_size=deck_size,
        )

    def size_hands(self, hand_size: int, solo_hand_size: int) -> None:
        """Say how many cards a player of a team of two, and each hand of a solo player, holds."""
        self.hands = hands_of(self.lineup, hand_size, solo_hand_size)

    def _seat(self) -> None:
        lineup, out = self.lineup, self.out
        self.teams, self.players, self.places = lineup.teams, lineup.players, lineup.places
        if out:
            self.teams = [team for team in lineup.teams if team not in out]
            self.players = [player for player in lineup.players if TEAM_OF[player] not in out]
            self.places = [place for place in lineup.places if place[0] not in out]

    # -- what the rules ask of it ----------------------------------------------------------

    @property
    def sun(self) -> Zone | None:
        """The zone of the Sun, or of the Moon in its place; None before it was placed."""
        return self.zones.get(self.light)

    @property
    def sun_team(self) -> Seat | None:
        """The team that has the Sun.  (JP-2.11)"""
        zone = self.zones.get(self.light)
        return None if zone is None else owner_of(zone)

    @property
    def night(self) -> bool:
        """Whether the Moon is on the table.  (JP-16.1)"""
        return self.light == MOON

    @property
    def section(self) -> int:
        """The number of the section under way; 0 elsewhere."""
        return int(self.stage[-1]) if self.stage.startswith("section-") else 0

    def draws_due(self) -> dict[Seat, int]:
        """How many cards each player must draw to have a full hand.  (JP-7.2)"""
        piles, hands = self.piles, self.hands
        return {p: max(0, hands[p] - piles[p].counts["hand"]) for p in self.players}

    def is_repairing(self, player: Seat) -> bool:
        """Whether a player who laid no card is Repairing now.  (JP-8.1, JP-8.7)"""
        return not self.played[player] and bool(self.repairing((player,)))

    def repairing(self, players: Iterable[Seat] | None = None) -> list[Seat]:
        """The Repairing ones of these players, or of all who still play.

        By house rule no hand of a solo player Repairs who laid a card of either.  (RULING 25)
        """
        if self.stage not in REPAIRED:
            return []
        played, asked = self.played, self.players if players is None else players
        idle = [player for player in asked if not played[player]]
        if not self.lineup.solos or self.house.get("solo_repair") != "whole_player":
            return idle
        solos = self.lineup.solos
        return [p for p in idle if TEAM_OF[p] not in solos or not played[MATE_OF[p]]]

    def abandoned(self) -> list[Seat]:
        """The teams that still play of which everybody has left the table.  (RULING 39)"""
        return [team for team in self.teams if all(p in self.gone for p in CREW_OF[team])]

    def unturned(self, player: Seat) -> int:
        """Cards of a player on the track that lie on no section known as theirs."""
        known = self.owners[TEAM_OF[player]].count(player)
        return self.piles[player]["track"] - known

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        game = () if self.game == 1 else (f"game-{self.game}",)
        if self.stage == "set-up":
            return (*game, "set-up")
        return (*game, f"round-{self.round_number}", self.stage)

    def placement(self) -> Mapping[Piece, Pose]:
        return {piece: POSES[zone] for piece, zone in self.zones.items()}

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        return {pile: n for own in self.piles.values() for pile, n in own.by_owner().items()}

    def pile_at(self, owner: Seat, place: str) -> tuple[Seat, str] | None:
        """The pile that a deed means; void cards on a section ("Jaws.2") count as in the hand.

        Those that are looked at are the top of the Deck.  (JP-6, JP-16.4)
        """
        team, _, section = place.partition(".")
        if Seat(team) in self.lineup.teams and section:
            return owner, "hand"
        return (owner, "deck") if place.startswith("top ") else Position.pile_at(self, owner, place)

    def sides(self) -> Mapping[str, str]:
        """The Action Tracks.  (JP-13)"""
        return {
            f"{team} Action Track": "smoke" if smoke else "clear"
            for team, smoke in self.smoke.items()
        }

    def facts(self) -> Sequence[Fact]:
        return facts(self)

    def figures(self) -> object:
        zones, piles = self.zones, self.piles.values()
        memory = self.house.get("card_memory") == "on"
        seen = repr([own.known for own in piles]) if memory else ""
        counts = [*self.played.values(), *self.smoke.values()]
        counts[:0] = [count for own in piles for count in own.counts.values()]
        figures: list[object] = [self.game, self.round_number, self.stage, self.sun_first]
        figures += map(zones.get, self.lineup.tokens)
        figures.append(zones.get(self.light))
        figures += map(",".join, self.owners.values())
        figures += (",".join(self.down), bytes(counts), seen)
        if self.out or self.face_up:
            figures += (",".join(self.out), tuple(self.face_up.items()))
        if self.gone:
            figures.append(",".join(self.gone))
        return tuple(figures)

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source)

    # -- how it changes --------------------------------------------------------------------

    def clear_round(self) -> None:
        """Forget what only this round had decided; tracks are empty."""
        self.owners = empty_tracks(self.lineup)
        self.played = dict.fromkeys(self.lineup.players, 0)
        self.sun_first = None
        self.counted = {}
        self.face_up = {}
        self.doubled = {}

    def empty_section(self, team: Seat, number: int) -> None:
        """No card lies there any more, face up or down."""
        self.owners[team][number - 1] = NOBODY
        if self.face_up.get(team) == number:
            del self.face_up[team]

    def leave(self, team: Seat) -> None:
        """A team is out of the game; the others play on.  (RULING 33)"""
        self.out.append(team)
        self._seat()

    def forget_latest(self) -> None:
        """What the latest step dealt and moved is past finding out (JP-E52, E68, E69)."""
        self.dealt = {}
        self.other_left = {}

    def start_afresh(self) -> None:
        """A new game at the same table.  (RULING 12, double_ko replay)"""
        self.clear_round()
        self.forget_latest()
        self.zones = dict(self.lineup.start)
        self.piles = fresh_piles(self.deck_size, self.lineup)
        self.smoke = dict.fromkeys(self.lineup.teams, False)
        self.down, self.out = [], []
        self._seat()
        self.game += 1
        self.round_number, self.stage = 1, "set-up"
