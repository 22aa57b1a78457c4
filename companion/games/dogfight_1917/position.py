"""What lies on the table in Dogfight: 1917, and what of it lasts through a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from companion.core.board import Piece, Pose
from companion.core.ruling import Fact, Fault, LineOfFire, Seat, Shows
from companion.games.dogfight_1917 import adjusting, position_faults, position_file
from companion.games.dogfight_1917.cards import PILOTS
from companion.games.dogfight_1917.figures import Figures, assumed_figures
from companion.games.dogfight_1917.layout import PILES, SET_UP
from companion.games.dogfight_1917.player import Player
from companion.games.dogfight_1917.seats import NAMES, A
from companion.kit.hexes import Heading, Hex, pose_of
from companion.match.rulebook import Position

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(slots=True, eq=False)
class Dogfight1917Position(Position):
    """Fighters, piles, tokens and dice, and what the turn under way has decided so far.

    `turn` counts the turns of all players; `active` has it. `maneuvered` and `improvised` are of
    this turn, `actions` counts what was begun in its Engagement Phase. `gunsight` are the dice that
    lie on it, `dice` the final values of the latest roll. `next_turn` is who plays next out of
    order (a Leader whose Wingman crashed). `claimed` are the Maneuver Cards of which the active
    player said to hold one that can be flown, by going on to the Engagement Phase (None: nothing is
    known of it; none: nothing may be held against them any more). `fires_at` is whom the active
    player attacks just now.
    `table` (this table's figures), `house`, `side_of` (the team of a seat; without one it is a side
    of its own), `returning` (who comes back after a crash; None: the mode is not known) and `names`
    (of the people) are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "deck": "Deck",
        "discard": "Discard Pile",
        "damage": "Damage Pile",
        "played": "played cards",
    }

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    stage: str = SET_UP
    turn: int = 1
    active: Seat = A
    maneuvered: bool = False
    improvised: bool = False
    actions: int = 0
    gunsight: int = 0
    dice: tuple[int, ...] = ()
    next_turn: Seat | None = None
    claimed: tuple[str, ...] | None = None
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    side_of: Mapping[Seat, Seat] = field(default_factory=dict[Seat, Seat])
    returning: frozenset[Seat] | None = None
    names: Mapping[Seat, str] = field(default_factory=lambda: NAMES)
    fires_at: Seat | None = None

    # -- what the rules ask of it ----------------------------------------------------------

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.active]

    def flying(self) -> list[Player]:
        """Everybody whose model is on the board, in the order of seats."""
        return [player for player in self.players.values() if player.plane is not None]

    def occupied(self, besides: Seat | None = None) -> frozenset[Hex]:
        """Spaces on which a Fighter stands, apart from that of one seat.  (DF-2.6)"""
        return frozenset(
            player.plane.hex
            for player in self.players.values()
            if player.plane is not None and player.seat != besides
        )

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        if self.stage == SET_UP:
            return (SET_UP,)
        return (f"turn-{self.turn}", self.stage)

    def placement(self) -> Mapping[Piece, Pose]:
        return {
            player.piece: pose_of(player.plane)
            for player in self.players.values()
            if player.plane is not None
        }

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        owners = self.players.values()
        return {pile: n for player in owners for pile, n in player.piles.by_owner().items()}

    def sides(self) -> Mapping[str, str]:
        """The Pilot Cards.  (DF-14.2)"""
        return {f"{seat} Pilot Card": player.pilot_side for seat, player in self.players.items()}

    def counters(self) -> Sequence[Fact]:
        """Dice on the Gunsight, and everybody's tokens.  (DF-11)"""
        return [
            Fact("gunsight", "dice on the Gunsight", self.gunsight),
            *(Fact(f"{player.seat}.tokens", "tokens", player.tokens, player.seat)
              for player in self.players.values()),
        ]  # fmt: skip

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """From the active Fighter to its target, with the range.  (DF-11.1)"""
        target = self.players.get(self.fires_at) if self.fires_at is not None else None
        if target is None or target.plane is None or self.mover.plane is None:
            return ()
        spaces = self.mover.plane.hex.distance(target.plane.hex)
        return (LineOfFire(self.mover.piece, target.piece, f"range {spaces}"),)

    def facts(self) -> Sequence[Fact]:
        return [*self._table_facts(), *self._player_facts(self.players.values())]

    def _table_facts(self) -> Sequence[Fact]:
        return [
            Fact("turn", "Turn", self.turn),
            Fact("stage", "Phase", self.stage),
            Fact("active", "Turn of", self.active),
            Fact("maneuvered", "Maneuver done", self.maneuvered),
            Fact("improvised", "Improvised", self.improvised),
            Fact("gunsight", "Gunsight", self.gunsight),
            Fact("dice", "Dice", list(self.dice)),
            Fact("next_turn", "Plays next", self.next_turn),
        ]

    def _player_facts(self, players: Iterable[Player]) -> Sequence[Fact]:
        facts: list[Fact] = []
        for player in players:
            seat = player.seat
            place = player.plane.name() if player.plane is not None else ""
            facts += [
                Fact(f"{seat}.fighter", "Fighter", player.fighter, seat),
                Fact(f"{seat}.pilot", "Pilot", player.pilot, seat, words=_pilot(player)),
                Fact(f"{seat}.pilot_side", "Pilot side", player.pilot_side, seat),
                Fact(f"{seat}.place", "Place", place, seat),
                Fact(f"{seat}.flying", "Flying", player.flies, seat),
                Fact(f"{seat}.out", "Crashed", player.out, seat),
                *(_pile_fact(player, pile) for pile in PILES),
                Fact(f"{seat}.tokens", "Tokens", player.tokens, seat, shows=Shows.COUNT),
            ]
            if self.house.get("show_deducible_cards") is True:
                known = player.piles.known
                seen: dict[str, Json] = {
                    pile: dict(Counter(known[pile])) for pile in known if known[pile]
                }
                facts.append(Fact(f"{seat}.seen", "Known cards", seen, seat))
        return facts

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        memory = self.house.get("show_deducible_cards") is True
        return (
            self.turn, self.stage, self.active, self.maneuvered, self.improvised, self.gunsight,
            self.dice, self.next_turn,
            tuple(
                (p.seat, p.fighter, p.pilot, p.pilot_side, p.tokens, _plain(p.plane), p.out,
                 _plain(p.start), *p.piles.counts.values(), _known(p) if memory else "")
                for p in self.players.values()
            ),
        )  # fmt: skip

    def faults(self) -> list[Fault]:
        return position_faults.faults(self)

    def faults_at_start(self) -> list[Fault]:
        return [*position_faults.faults_at_start(self)]

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjusting.adjust(self, changes)
        if self.claimed is not None and any(_moves_the_claim(name) for name in changes):
            self.claimed = ()

    def choices(self, name: str) -> Sequence[Json]:
        return adjusting.choices_of(self, name)

    def to_file(self) -> dict[str, Json]:
        return position_file.write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = position_file.read_position(cls, raw, source)
        position.refuse_faults(source)
        return position


def _moves_the_claim(name: str) -> bool:
    """Whether an arbiter who sets this may have taken the card that somebody said to hold."""
    return name.lower().strip().endswith(("active", ".hand"))


def _pilot(player: Player) -> str:
    """What is printed on the Pilot Card, once one is chosen."""
    return PILOTS[player.pilot].name if player.pilot else ""


def _pile_fact(player: Player, pile: str) -> Fact:
    """A pile's count; cards in the box or under way are no one's concern on a panel."""
    shows = _PILES_SHOWN.get(pile, Shows.COUNT)
    name, short = f"{player.seat}.{pile}", _SHORT.get(pile, "")
    label, count = pile.capitalize(), player.piles[pile]
    return Fact(name, label, count, player.seat, shows=shows, short=short)


_PILES_SHOWN = {"box": Shows.NOTHING, "played": Shows.NOTHING, "discard": Shows.OPEN}
_SHORT = {"discard": "Disc.", "damage": "Dmg"}


def _plain(place: Heading | None) -> tuple[int, int, int] | None:
    """A place without its names, which are dear to write."""
    return None if place is None else (place.hex.q, place.hex.r, place.facing)


def _known(player: Player) -> str:
    """The cards that all have seen, whatever order and however emptied their piles were."""
    return repr(sorted((pile, cards) for pile, cards in player.piles.known.items() if cards))
