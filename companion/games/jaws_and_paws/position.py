"""The position of Jaws & Paws: what lies on the table, its file, and what an arbiter may set.

In this order: kinds of quantities, those of a player and of a team, the whole position, position
files, adjustments. It holds all that lasts through a round; the ledger makes facts, files and
setters of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BeforeValidator, Field, create_model

from companion.core.board import Piece, Pose, off_board
from companion.core.errors import BadCall, BadFile
from companion.core.files import read_model
from companion.core.ruling import Fact, Seat, Shows
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.boards import (
    Lineup,
    Place,
    Zone,
    hands_of,
    lineup_of,
    owner_named,
    owner_of,
    player_named,
    stage_named,
    team_named,
    zone_named,
)
from companion.games.jaws_and_paws.cards import MOST_CARDS
from companion.kit.adjusting import Setter, set_all, whole_number
from companion.kit.ledger import (
    FLAG,
    STRICT,
    Kind,
    Ledger,
    Quantity,
    always,
    derived,
    derived_facts,
    held,
    kept,
    number,
    optional,
    typed,
    word,
)
from companion.kit.piles import CountedPiles
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Kinds of quantities, as the ledger has them.

BOX: Literal["jaws-and-paws"] = "jaws-and-paws"
FROM_ONE: Kind[int] = Kind(Annotated[int, Field(ge=1)], says="1 and up")
STAGE, ZONE = word(stage_named, boards.STAGES), word(zone_named)
TEAM_NAME: Kind[Any] = word(team_named)
PLAYER_CODE, OWNER = word(player_named), word(owner_named)


CARDS = Kind(
    number(0, MOST_CARDS).filed,
    lambda position, name, raw: whole_number(name, raw, 0, position.deck_size),
)
TEAMS: Kind[list[Any]] = Kind(typed(list, TEAM_NAME.filed), told=lambda _, names: [*names])
PLAYERS: Kind[list[Any]] = Kind(typed(list, PLAYER_CODE.filed), told=lambda _, names: [*names])
_ALL_SECTIONS = Field(min_length=len(boards.SECTIONS), max_length=len(boards.SECTIONS))
TRACK: Kind[list[str]] = Kind(
    typed(Annotated, typed(list, OWNER.filed), _ALL_SECTIONS), told=lambda _, owners: [*owners]
)
DOUBLED = Kind[Any](
    typed(dict, str, typed(dict, PLAYER_CODE.filed, number(1, MOST_CARDS).filed)),
    told=lambda _, doubled: {f"{of}.{number}": {**own} for (of, number), own in doubled.items()},
)
TURNED_OVER: Kind[dict[str, list[str]]] = Kind(
    dict[Literal["track", "discard"], list[str]],
    told=lambda _, known: {pile: [*cards] for pile, cards in known.items()},
)


def _by_team(kind: Any) -> Kind[dict[Seat, Any]]:
    """What each team has of a kind, by its name."""
    return Kind(
        typed(dict, TEAM_NAME.filed, kind.filed),
        told=lambda there, values: {team: kind.told(there, one) for team, one in values.items()},
    )


def _read_plane(raw: object) -> object:
    """The zone of a team's plane; with more than two teams, of each of its planes."""
    if isinstance(raw, dict):
        told = cast("dict[object, object]", raw)
        return {team_named(team): zone_named(zone) for team, zone in told.items()}
    return zone_named(raw)


PLANES: Kind[Any] = Kind(
    typed(dict, TEAM_NAME.filed, Annotated[str | dict[str, str], BeforeValidator(_read_plane)])
)


# Player and team: what the position keeps by seat, as panels show it and an arbiter sets it.


def _pile(pile: str, *, required: bool = False) -> Quantity:
    """How many cards lie in a pile of a player."""

    def count(position: JawsAndPawsPosition, player: Player) -> int:
        return position.piles[player.seat][pile]

    def put(position: JawsAndPawsPosition, player: Player, _: str, cards: int) -> None:
        position.piles[player.seat][pile] = cards

    def tell(position: JawsAndPawsPosition, player: Player) -> Iterator[Fact]:
        public = position.house.get("public_counts") is not False
        name, cards = f"{player.seat}.{pile}", count(position, player)
        yield Fact(name, pile.capitalize(), cards, player.seat, public, Shows.COUNT)

    return held(
        0, CARDS, "", "how many", count, put=put, tells=tell, required=required, written=always
    )


def _gone(position: JawsAndPawsPosition, player: Player) -> Iterator[Fact]:
    if player.seat in position.gone:
        yield Fact(f"{player.seat}.gone", "Has left the table", value=True, seat=player.seat)


def _seen(position: JawsAndPawsPosition, player: Player) -> Iterator[Fact]:
    if position.house.get("card_memory") == "on":
        cards: dict[str, Json] = dict(position.piles[player.seat].seen("track", "discard"))
        yield Fact(f"{player.seat}.seen", "Turned over", cards, player.seat)


@dataclass(frozen=True, slots=True)
class Player:
    """The quantities of one player; the five piles add up to all cards of that player."""

    seat: Seat
    deck: ClassVar = _pile("deck", required=True)
    hand: ClassVar = _pile("hand", required=True)
    discard: ClassVar = _pile("discard")
    scrap: ClassVar = _pile("scrap")
    track: ClassVar = _pile("track")
    gone: ClassVar = derived_facts(_gone)
    played: ClassVar = held(
        0, CARDS, "Played", "cards laid this round: with none, that player is Repairing",
        lambda position, player: position.played[player.seat],
        put=lambda position, player, _, cards: position.played.update({player.seat: cards}),
        written=always,
    )  # fmt: skip
    repairing: ClassVar = derived(
        "Repairing", lambda position, player: position.is_repairing(player.seat)
    )
    seen: ClassVar = derived_facts(_seen)
    turned_over: ClassVar = held(
        {}, TURNED_OVER, "", "cards that everybody has seen, by pile: `track`, `discard`",
        lambda position, player: position.piles[player.seat].known, sets=(),
    )  # fmt: skip


PLAYER: Ledger[JawsAndPawsPosition, Player] = Ledger(Player)


def _put_down(position: JawsAndPawsPosition, team: Team, name: str, down: Any) -> None:
    if team.seat in position.out:
        raise BadCall(f"{name}: {team.seat} left the game earlier; undo to bring it back")
    teams = position.lineup.teams
    position.down = [t for t in teams if (down if t == team.seat else t in position.down)]


def _tell_face_up(position: JawsAndPawsPosition, team: Team) -> Iterator[Fact]:
    if team.seat in position.face_up:
        section = position.face_up[team.seat]
        yield Fact(f"{team.seat}.face_up", "Face up on section", section, team.seat)


def _put_face_up(position: JawsAndPawsPosition, team: Team, _: str, section: int) -> None:
    position.face_up.pop(team.seat, None)
    if section:
        position.face_up[team.seat] = section


def _section(number: int) -> Quantity:
    """Whose card lies on a section of the Action Track."""

    def lay(position: JawsAndPawsPosition, team: Team, name: str, raw: Json) -> None:
        crew = boards.CREW_OF[team.seat]
        allowed = (boards.NOBODY, boards.UNTOLD, *crew)
        if str(raw).upper() not in map(str.upper, allowed):
            told = f"{raw!r} is no owner there; say {' or '.join(crew)}, ? for a card of either"
            raise BadCall(f"{name}: {told}, or '' for none")
        position.owners[team.seat][number - 1] = _named_among(name, raw, allowed)

    return held(
        boards.NOBODY, Kind(OWNER.filed, lambda _, __, raw: raw), f"Section {number}", "",
        lambda position, team: position.owners[team.seat][number - 1],
        put=lay, key="-", fact=str(number), sets=(str(number),),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Team:
    """The quantities of one team."""

    seat: Seat
    smoke: ClassVar = held(
        False, FLAG, "Smoke", "", lambda position, team: position.smoke[team.seat],
        put=lambda position, team, _, smoke: position.smoke.update({team.seat: smoke}),
        key="-", sets=("smoke",), shows=Shows.BADGE, sign="smoke",
    )  # fmt: skip
    down: ClassVar = held(
        False, FLAG, "Shot down", "",
        lambda position, team: team.seat in (*position.down, *position.out),
        put=_put_down, key="-", sets=("down",), shows=Shows.BADGE, sign="down",
    )  # fmt: skip
    face_up: ClassVar = held(
        0, number(0, boards.SECTIONS[-1]), "", "",
        lambda position, team: position.face_up.get(team.seat),
        put=_put_face_up, tells=_tell_face_up, key="-", sets=("face_up",),
    )  # fmt: skip
    first: ClassVar = _section(1)
    second: ClassVar = _section(2)
    third: ClassVar = _section(3)
    fourth: ClassVar = _section(4)


TEAM: Ledger[JawsAndPawsPosition, Team] = Ledger(Team)


# The whole position.


def fresh_piles(deck_size: int = 30, lineup: Lineup = boards.FOUR) -> dict[Seat, CountedPiles]:
    """Everybody's cards in the deck."""
    counts = {**dict.fromkeys(boards.PILES, 0), "deck": deck_size}
    return {player: CountedPiles(player, counts) for player in lineup.players}


def empty_tracks(lineup: Lineup = boards.FOUR) -> dict[Seat, list[str]]:
    """All Action Tracks without a card."""
    return {team: [boards.NOBODY] * len(boards.SECTIONS) for team in lineup.teams}


def _light_zone(light: Piece, about: str) -> Quantity:
    """Where the Sun or the Moon stands, whichever this table has."""
    return held(
        None, optional(ZONE, None), "", about,
        lambda position, _: position.sun if position.light == light else None,
        key=str(light), sets=(), without="none",
    )  # fmt: skip


def _planes(position: JawsAndPawsPosition, _: object) -> dict[str, Json]:
    lineup, zones = position.lineup, position.zones
    if len(lineup.teams) == 2:
        return {team: zones[lineup.own[team][0]] for team in lineup.teams}
    return {
        team: {
            host: zones[lineup.token[team, host]]
            for host in lineup.rivals[team]
            if host not in position.out
        }
        for team in position.teams
    }


def _light_and_tokens(position: JawsAndPawsPosition, _: object) -> Iterator[Fact]:
    light, bright = str(position.light), boards.PIECE_NAMES[position.light]
    has = position.sun_team
    yield Fact(light, bright, position.sun)
    yield Fact(f"{light}_team", f"Has the {bright}", has, shows=Shows.BADGE, sign=light)
    yield Fact(f"{light}_first", "Sun cards first", position.sun_first, shows=Shows.FIRST)
    for piece in position.lineup.tokens:
        yield Fact(str(piece), boards.PIECE_NAMES[piece], position.zones.get(piece))


@dataclass(slots=True, eq=False)
class JawsAndPawsPosition(Position):
    """Tokens, piles, tracks and smoke, and what the round has decided so far.

    Besides what stands in files: `zones`, where each token stands (no Sun before it was placed).
    `counted`: cards that the table counted on a section and told before the lock. `told`: how many
    cards were told at the lock, or discarded at the draw, in the stage under way (None: nobody has
    finished telling). `down`: teams shot down at this check point; `out` fell earlier. `favoured`:
    teams that the Moon lets draw more, noted when Discard and Draw is reached and forgotten at its
    end. `dealt`: damage of the latest step. `other_left`: where a token would stand had its latest
    Left or Right card been read from the other side of the table; both last until the next phase
    starts, for hands may be found out late. `lineup` is who plays and `light` the token that is the
    Sun, or the Moon in its place; `house`, `deck_size` and the hands' sizes are the match's.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "deck": "Deck",
        "discard": "Discard Pile",
        "scrap": "Scrap Pile",
        "track": "Action Track",
    }

    zones: dict[Piece, Zone] = field(default_factory=lambda: dict(boards.FOUR.start))
    piles: dict[Seat, CountedPiles] = field(default_factory=fresh_piles)
    game: int = kept(
        1, FROM_ONE, "Game", "more than 1 after a game played again (`double_ko` replay)", sets=()
    )
    round_number: int = kept(
        1, FROM_ONE, "Round", "which round it is", key="round", sets=(), written=always
    )
    stage: str = kept("set-up", STAGE, "Stage", "what comes next", required=True, sets=())
    light_and_tokens: ClassVar = derived_facts(_light_and_tokens)
    solo: ClassVar = held(
        [], TEAMS, "", 'the teams of one player, as `["Paws"]`; which teams play `[players]` tells',
        lambda position, _: position.lineup.solo_teams, sets=(),
    )  # fmt: skip
    sun_zone: ClassVar = _light_zone(boards.SUN, "its zone; left out only in set-up")
    sun_first: Seat | None = kept(
        None, optional(TEAM_NAME, None), "", key="sun_at_round_start", sets=(),
        about="the team that had it when the round began; needed from `lock` on",
        written=lambda position: position.sun_first is not None and not position.night,
    )  # fmt: skip
    moon_zone: ClassVar = _light_zone(boards.MOON, "by night instead: its zone")
    moon_first: ClassVar = held(
        None, optional(TEAM_NAME, None), "", "by night instead: the team that had it",
        lambda position, _: position.sun_first if position.night else None,
        key="moon_at_round_start", sets=(),
    )  # fmt: skip
    moonless: ClassVar = held(
        False, FLAG, "", "true by night, before the Moon is placed",
        lambda position, _: position.night and position.sun is None, key="night", sets=(),
    )  # fmt: skip
    planes: ClassVar = held(
        {}, PLANES, "", "by team, the zone of its plane; of more than two teams by hosts, as "
        '`Jaws = { Paws = "Paws.PL" }`', _planes, sets=(), written=always, without="the enemy's PC",
    )  # fmt: skip
    out: list[Seat] = kept(
        [], TEAMS, "", "of several teams, those that have left the game",
        key="shot_down", sets=(), hashed=False,
    )  # fmt: skip
    gone: list[Seat] = kept(
        [], PLAYERS, "", 'the players who have left the table, as `["PP", "PG"]`',
        sets=(), hashed=False,
    )  # fmt: skip
    smoke: dict[Seat, bool] = kept(
        {}, _by_team(FLAG), "", "by team, whether the track shows smoke",
        sets=(), hashed=False, written=always, without="false",
    )  # fmt: skip
    owners: dict[Seat, list[str]] = kept(
        {}, _by_team(TRACK), "", "by team, for sections 1 to 4 the owner of the card, "
        '`""` for none, `"?"` for not told', key="tracks", sets=(), hashed=False,
        written=lambda position: any(map(any, position.owners.values())),
    )  # fmt: skip
    face_up: dict[Seat, int] = kept(
        {}, _by_team(number(1, boards.SECTIONS[-1])), "",
        "by team, the section on which a solo player's card lies face up", sets=(), hashed=False,
    )  # fmt: skip
    doubled: dict[Place, dict[Seat, int]] = kept(
        {}, DOUBLED, "", "cards of this round's doubled sections by owner, as "
        '`"Jaws.2" = { JP = 1, JG = 1 }`: the lock discarded them', sets=(), hashed=False,
    )  # fmt: skip
    played: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(boards.FOUR.players, 0))
    counted: dict[str, int] = field(default_factory=dict[str, int])
    told: int | None = None
    down: list[Seat] = field(default_factory=list[Seat])
    favoured: list[Seat] = field(default_factory=list[Seat])
    dealt: dict[Seat, int] = field(default_factory=dict[Seat, int])
    other_left: dict[Piece, Zone] = field(default_factory=dict[Piece, Zone])
    lineup: Lineup = boards.FOUR
    light: Piece = boards.SUN
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
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
            self.players = [
                player for player in lineup.players if boards.TEAM_OF[player] not in out
            ]
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
        return self.light == boards.MOON

    @property
    def section(self) -> int:
        """The number of the section under way; 0 elsewhere."""
        return boards.SECTION_OF.get(self.stage, 0)

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
        if self.stage not in boards.REPAIRED:
            return []
        played, asked = self.played, self.players if players is None else players
        idle = [player for player in asked if not played[player]]
        if not self.lineup.solos or self.house.get("solo_repair") != "whole_player":
            return idle
        solos = self.lineup.solos
        return [p for p in idle if boards.TEAM_OF[p] not in solos or not played[boards.MATE_OF[p]]]

    def abandoned(self) -> list[Seat]:
        """The teams that still play of which everybody has left the table.  (RULING 39)"""
        return [team for team in self.teams if all(p in self.gone for p in boards.CREW_OF[team])]

    def unturned(self, player: Seat) -> int:
        """Cards of a player on the track that lie on no section known as theirs."""
        known = self.owners[boards.TEAM_OF[player]].count(player)
        return self.piles[player]["track"] - known

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        game = () if self.game == 1 else (f"game-{self.game}",)
        if self.stage == "set-up":
            return (*game, "set-up")
        return (*game, f"round-{self.round_number}", self.stage)

    def placement(self) -> Mapping[Piece, Pose]:
        return {piece: boards.POSES[zone] for piece, zone in self.zones.items()}

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
        """The table's, then each team's, then each player's."""
        facts = TABLETOP.facts(self, self)
        for team in self.lineup.teams:
            facts += TEAM.facts(self, Team(team), team)
        for player in self.lineup.players:
            facts += PLAYER.facts(self, Player(player), player)
        return facts

    def figures(self) -> object:
        zones, piles = self.zones, self.piles.values()
        memory = self.house.get("card_memory") == "on"
        seen = repr([own.known for own in piles]) if memory else ""
        counts = [count for own in piles for count in own.counts.values()]
        counts += (*self.played.values(), *self.smoke.values())
        figures: list[object] = [
            *TABLETOP.hashed(self),
            *map(zones.get, self.lineup.tokens),
            zones.get(self.light),
            *map(",".join, self.owners.values()),
            ",".join(self.down),
            bytes(counts),
            seen,
        ]
        if self.out or self.face_up:
            figures += (",".join(self.out), tuple(self.face_up.items()))
        if self.gone:
            figures.append(",".join(self.gone))
        return tuple(figures)

    def adjust(self, changes: Mapping[str, Json]) -> None:
        """Set all of them; BadCall names the one that is unknown or not of its kind."""
        set_all(self, setters_of(self), changes)

    def to_file(self) -> dict[str, Json]:
        """The file of a position; what stands at its default is left out."""
        players: Json = {p: PLAYER.written(self, Player(p)) for p in self.lineup.players}
        file = {"box": BOX, **TABLETOP.written(self, self), "players": players}
        latest = _latest(self)
        return {**file, "latest": latest} if latest else file

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
        self.owners[team][number - 1] = boards.NOBODY
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


TABLETOP: Ledger[JawsAndPawsPosition, JawsAndPawsPosition] = Ledger(
    JawsAndPawsPosition,
    file=("game", "round_number", "stage", "solo", "moonless", "out", "gone"),
)


# Position files, in the book's words.  (README.md)

PositionT = TypeVar("PositionT", bound=JawsAndPawsPosition)

_Latest = create_model(
    "_Latest",
    __config__=STRICT,
    damage=(typed(dict, PLAYER_CODE.filed, Annotated[int, Field(ge=0)]), {}),
    other_left=(typed(dict, str, ZONE.filed), {}),
)
_File = TABLETOP.model(
    "_File",
    {"box": (Literal["jaws-and-paws"], BOX)},
    {
        "players": (typed(dict, PLAYER_CODE.filed, PLAYER.model("_Player")), ...),
        "latest": (_Latest, _Latest()),
    },
)


class _Reader:
    """Makes a position of what a file says; `source` is how messages name the file."""

    def __init__(self, file: Any, source: str) -> None:
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
            (
                boards.ALL_TEAMS.index(t)
                for t in boards.ALL_TEAMS
                if named.keys() & {*boards.CREW_OF[t]}
            ),
            default=0,
        )
        teams = boards.ALL_TEAMS[: max(2, last + 1)]
        missing = [
            player for team in teams for player in boards.CREW_OF[team] if player not in named
        ]
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
        return boards.MOON if night else boards.SUN

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
        bright = file.moon if self.light == boards.MOON else file.sun
        return zones if bright is None else {**zones, self.light: bright}

    def _plane(self, team: Seat, host: Seat) -> str | None:
        told: str | dict[str, str] | None = self.file.planes.get(team)
        if isinstance(told, dict):
            self._of_teams(f"planes.{team}", told)
            return told.get(host)
        if told is not None and len(self.lineup.teams) > 2:
            text = f"name the zone on each team's boards, as {host} = …"
            raise self._wrong(f"planes.{team}", text)
        return told

    def other_left(self) -> dict[Piece, str]:
        """Where tokens would stand, by the names that pieces have in a file."""
        pieces = {name: piece for piece, name in self.lineup.names_of_tokens(self.light).items()}
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
            if not cards.keys() <= {*boards.CREW_OF[team]} or sum(cards.values()) < 2:
                text = f"two or more cards of {' and '.join(boards.CREW_OF[team])} lie on it"
                raise self._wrong(f"doubled.{name}", text)
            doubled[team, number] = {Seat(player): count for player, count in cards.items()}
        return doubled

    def position(self, cls: type[PositionT]) -> PositionT:
        """The position, not yet judged."""
        file, teams, players = self.file, self.lineup.teams, self.lineup.players
        for place in ("smoke", "tracks", "face_up"):
            self._of_teams(place, getattr(file, place))
        told: dict[str, Any] = {
            **TABLETOP.read(file),
            "zones": self.zones(),
            "piles": {player: _piles(player, file.players[player]) for player in players},
            "sun_first": file.sun_at_round_start or file.moon_at_round_start,
            "out": [team for team in teams if team in file.shot_down],
            "gone": [player for player in players if player in file.gone],
            "smoke": dict.fromkeys(teams, False) | file.smoke,
            "owners": empty_tracks(self.lineup) | file.tracks,
            "doubled": self.doubled(),
            "played": {player: file.players[player].played for player in players},
            "dealt": file.latest.damage,
            "other_left": self.other_left(),
        }
        return cls(lineup=self.lineup, light=self.light, **told)


def read_position(cls: type[PositionT], raw: Mapping[str, Json], source: str) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    return _Reader(read_model(_File, dict(raw), source), source).position(cls)


def _piles(player: Seat, line: Any) -> CountedPiles:
    counts = {pile: getattr(line, pile) for pile in boards.PILES}
    return CountedPiles(player, counts, {pile: c for pile, c in line.turned_over.items() if c})


def _latest(position: JawsAndPawsPosition) -> dict[str, Json]:
    """What hands may yet be found to have got wrong; empty where nothing was dealt or moved."""
    names, left = position.lineup.names_of_tokens(position.light), position.other_left
    other_left: Json = {name: left[piece] for piece, name in names.items() if piece in left}
    latest: dict[str, Any] = {"damage": {**position.dealt}, "other_left": other_left}
    return {key: told for key, told in latest.items() if told}


# Adjustments: what an arbiter may set, by name.  (RULING 35)


def setters_of(position: JawsAndPawsPosition) -> dict[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    lineup = position.lineup
    players = [PLAYER.setters(position, Player(seat), f"{seat}.") for seat in lineup.players]
    teams = [TEAM.setters(position, Team(seat), f"{seat}.") for seat in lineup.teams]
    every = {name: put for own in (*players, *teams) for name, put in own.items()}
    for team in lineup.teams:
        if team not in lineup.solos:
            del every[f"{team}.face_up"]
    return {
        **{str(piece): _place(position, piece) for piece in (position.light, *lineup.tokens)},
        **{boards.PIECE_NAMES[piece]: _place(position, piece) for piece in lineup.tokens},
        f"{position.light}_first": _light_first(position),
        **dict(sorted(every.items(), key=lambda one: _ORDER.get(one[0].partition(".")[2], 0))),
    }


_ORDER = {"played": 1, "smoke": 2, "down": 3, "face_up": 4, "1": 5, "2": 5, "3": 5, "4": 5}
"""In which order messages list what may be set, after the piles."""


def _named_among(name: str, raw: Json, allowed: Sequence[str]) -> str:
    for known in allowed:
        if str(raw).lower() == known.lower():
            return known
    raise BadCall(f"{name}: {raw!r} is none of {', '.join(map(repr, allowed))}")


def _place(position: JawsAndPawsPosition, piece: Piece) -> Setter:
    def put(name: str, raw: Json) -> None:
        zones = position.lineup.zones
        if "." in str(raw) and str(raw).lower() not in map(str.lower, zones):
            raise BadCall(f"{name}: {off_board(raw)} There are {', '.join(zones)}")
        position.zones[piece] = _named_among(name, raw, zones)

    return put


def _light_first(position: JawsAndPawsPosition) -> Setter:
    def put(name: str, raw: Json) -> None:
        codes = {player.lower(): boards.TEAM_OF[player] for player in position.lineup.players}
        team = codes.get(str(raw).lower(), raw)
        position.sun_first = Seat(_named_among(name, team, position.lineup.teams))

    return put
