"""What lies on the table in Jaws & Paws, and what of it lasts through the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Self

from companion.core.board import Piece, Pose
from companion.core.ruling import Fact, Fault, Seat
from companion.games.jaws_and_paws import position_facts, position_faults
from companion.games.jaws_and_paws.adjusting import adjust
from companion.games.jaws_and_paws.boards import MOON, SUN
from companion.games.jaws_and_paws.crew import CREW_OF, MATE_OF, TEAM_OF
from companion.games.jaws_and_paws.layout import NOBODY, REPAIRED, SECTIONS
from companion.games.jaws_and_paws.lineup import FOUR, Lineup, Place
from companion.games.jaws_and_paws.moves import POSES, Zone, owner_of
from companion.games.jaws_and_paws.position_file import read_position, write_position
from companion.kit.piles import CountedPiles
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


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
        return position_facts.facts(self)

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

    def faults(self) -> list[Fault]:
        return position_faults.faults(self)

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = read_position(cls, raw, source)
        position.refuse_faults(source)
        return position

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
