"""What lies on the table in Jaws & Paws, and what of it lasts through the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from companion.board import Piece, Pose
from companion.games.jaws_and_paws import position_faults
from companion.games.jaws_and_paws.adjusting import adjust
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.games.jaws_and_paws.crew import (
    JAWS,
    PAWS,
    PIECE_NAMES,
    PLAYERS,
    TEAM_OF,
    TEAMS,
)
from companion.games.jaws_and_paws.layout import NOBODY, PILES, REPAIRED, SECTIONS
from companion.games.jaws_and_paws.moves import Zone, owner_of
from companion.games.jaws_and_paws.position_file import read_position, write_position
from companion.piles import CountedPiles
from companion.rulebook import Position
from companion.ruling import Fact, Fault, Seat, Shows

if TYPE_CHECKING:
    from companion.offers import Json


NO_HOUSE: Mapping[str, Json] = {}
"""No house rules: every switch at the default that its reader takes."""


def fresh_piles(deck_size: int = 30) -> dict[Seat, CountedPiles]:
    """Everybody's cards in the deck."""
    return {
        player: CountedPiles(player, {"deck": deck_size, "hand": 0, "discard": 0, "scrap": 0,
                                      "track": 0})
        for player in PLAYERS
    }  # fmt: skip


def empty_tracks() -> dict[Seat, list[str]]:
    """Both Action Tracks without a card."""
    return {team: [NOBODY] * len(SECTIONS) for team in TEAMS}


@dataclass(slots=True, eq=False)
class JawsAndPawsPosition(Position):
    """Tokens, piles, tracks and smoke, and what the round has decided so far.

    `zones`: where each token stands (no Sun before it was placed). `sun_first`: who had the Sun
    when the round began (None between rounds). `played`: cards each player has played this round.
    `owners`: by team and section, whose card lies there (NOBODY, UNTOLD). `counted`: cards that
    the table counted on a section and told before the lock. `down`: teams shot down at this check
    point. `dealt`: damage of the latest step. `other_left`: where a token would stand had its
    latest Left or Right card been read from the other side of the table; both last until the next
    phase starts, for hands may be found out late. `house` and `deck_size` are the match's and no
    part of a file.
    """

    zones: dict[Piece, Zone] = field(
        default_factory=lambda: {JAWS_PLANE: "Paws.PC", PAWS_PLANE: "Jaws.PC"}
    )
    piles: dict[Seat, CountedPiles] = field(default_factory=fresh_piles)
    stage: str = "set-up"
    round_number: int = 1
    game: int = 1
    sun_first: Seat | None = None
    smoke: dict[Seat, bool] = field(default_factory=lambda: dict.fromkeys(TEAMS, False))
    played: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    owners: dict[Seat, list[str]] = field(default_factory=empty_tracks)
    counted: dict[str, int] = field(default_factory=dict[str, int])
    down: list[Seat] = field(default_factory=list[Seat])
    dealt: dict[Seat, int] = field(default_factory=dict[Seat, int])
    other_left: dict[Piece, Zone] = field(default_factory=dict[Piece, Zone])
    house: Mapping[str, Json] = field(default_factory=lambda: NO_HOUSE)
    deck_size: int = 30
    hand_size: int = 4

    # -- what the rules ask of it ----------------------------------------------------------

    @property
    def sun(self) -> Zone | None:
        """The zone of the Sun; None before it was placed."""
        return self.zones.get(SUN)

    @property
    def sun_team(self) -> Seat | None:
        """The team that has the Sun.  (JP-2.11)"""
        zone = self.zones.get(SUN)
        return None if zone is None else owner_of(zone)

    @property
    def section(self) -> int:
        """The number of the section under way; 0 elsewhere."""
        return int(self.stage[-1]) if self.stage.startswith("section-") else 0

    def is_repairing(self, player: Seat) -> bool:
        """Whether a player who laid no card is Repairing now.  (JP-8.1, JP-8.7)"""
        return not self.played[player] and self.stage in REPAIRED

    def repairing(self, players: Iterable[Seat] = PLAYERS) -> list[Seat]:
        """The Repairing ones of these players."""
        if self.stage not in REPAIRED:
            return []
        return [player for player in players if not self.played[player]]

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
        return {piece: _POSES[zone] for piece, zone in self.zones.items()}

    def facts(self) -> Sequence[Fact]:
        return [*self._table_facts(), *self._team_facts(), *self._player_facts()]

    def _table_facts(self) -> Sequence[Fact]:
        return [
            Fact("game", "Game", self.game),
            Fact("round", "Round", self.round_number),
            Fact("stage", "Stage", self.stage),
            Fact("sun", "Sun", self.sun),
            Fact("sun_team", "Has the Sun", self.sun_team, shows=Shows.BADGE, sign="sun"),
            Fact("sun_first", "Sun cards first", self.sun_first, shows=Shows.FIRST),
            *(Fact(str(p), PIECE_NAMES[p], self.zones[p]) for p in (JAWS_PLANE, PAWS_PLANE)),
        ]

    def _team_facts(self) -> Sequence[Fact]:
        facts: list[Fact] = []
        for team in TEAMS:
            smoke, down = self.smoke[team], team in self.down
            facts += [
                Fact(f"{team}.smoke", "Smoke", smoke, team, shows=Shows.BADGE, sign="smoke"),
                Fact(f"{team}.down", "Shot down", down, team, shows=Shows.BADGE, sign="down"),
            ]
            for number, owner in zip(SECTIONS, self.owners[team], strict=True):
                facts.append(Fact(f"{team}.{number}", f"Section {number}", owner, team))
        return facts

    def _player_facts(self) -> Sequence[Fact]:
        public = self.house.get("public_counts") is not False
        facts: list[Fact] = []
        for player in PLAYERS:
            piles = self.piles[player]
            facts += [
                Fact(f"{player}.{p}", p.capitalize(), piles[p], player, public, Shows.COUNT)
                for p in PILES
            ]
            facts.append(Fact(f"{player}.played", "Played", self.played[player], player))
            repairing = self.is_repairing(player)
            facts.append(Fact(f"{player}.repairing", "Repairing", repairing, player))
            if self.house.get("card_memory") == "on":
                seen: dict[str, Json] = dict(piles.seen("track", "discard"))
                facts.append(Fact(f"{player}.seen", "Turned over", seen, player))
        return facts

    def figures(self) -> object:
        zones, piles = self.zones, self.piles.values()
        memory = self.house.get("card_memory") == "on"
        seen = repr([own.known for own in piles]) if memory else ""
        counts = [count for own in piles for count in own.counts.values()]
        return (
            self.game, self.round_number, self.stage, self.sun_first,
            zones[JAWS_PLANE], zones[PAWS_PLANE], zones.get(SUN),
            ",".join(self.owners[JAWS]), ",".join(self.owners[PAWS]), ",".join(self.down),
            bytes((*counts, *self.played.values(), *self.smoke.values())), seen,
        )  # fmt: skip

    def faults(self) -> list[Fault]:
        return position_faults.faults(self)

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = read_position(cls, raw, source)
        position_faults.refuse_faults(position, source)
        return position

    # -- how it changes --------------------------------------------------------------------

    def clear_round(self) -> None:
        """Forget what only this round had decided; tracks are empty."""
        self.owners = empty_tracks()
        self.played = dict.fromkeys(PLAYERS, 0)
        self.sun_first = None
        self.counted = {}

    def forget_latest(self) -> None:
        """What the latest step dealt and moved is past finding out (S.2: E52, E68, E69)."""
        self.dealt = {}
        self.other_left = {}

    def start_afresh(self) -> None:
        """A new game at the same table.  (RULING 12, double_ko replay)"""
        self.clear_round()
        self.forget_latest()
        self.zones = {JAWS_PLANE: "Paws.PC", PAWS_PLANE: "Jaws.PC"}
        self.piles = fresh_piles(self.deck_size)
        self.smoke = dict.fromkeys(TEAMS, False)
        self.down = []
        self.game += 1
        self.round_number, self.stage = 1, "set-up"


_POSES: Mapping[Zone, Pose] = {
    f"{team}.{board}{column}": Pose(f"{team}.{board}{column}")
    for team in TEAMS
    for board in "PG"
    for column in "LCR"
}
