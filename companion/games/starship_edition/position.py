"""What lies on the table in Starship Edition, and how far the turn has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from companion.core.board import Piece, Pose
from companion.core.ruling import Fact, Fault, LineOfFire, Seat, Shows
from companion.games.starship_edition import adjusting, position_faults, position_file
from companion.games.starship_edition.figures import Figures, assumed_figures
from companion.games.starship_edition.layout import SET_UP, TIERS
from companion.games.starship_edition.player import Modifier, Player, Tier
from companion.games.starship_edition.seats import NAMES, SEATS, vessel_called
from companion.games.starship_edition.star_map import StarMap, name_of
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(slots=True, eq=False)
class StarshipPosition(Position):
    """Vessels, cards by count, tiers, and whose moment it is.

    `active` prepares or resolves now, `tier` is the one that is resolved. `steps` counts what was
    done in the Preparation under way. `drawn` and `placed` are of the set-up: who has the first
    Priority, and that all vessels stand. `taught` are cards that the table has declared in this
    match, as a catalogue would have them; `kept` those that the table's own catalogue keeps.
    `attacks_waiting` counts those of the set under way: while there are any, the end of the match
    waits; `fires` is who attacks whom just now. They are no part of a file, nor are `table`, `map`,
    `house` and `named` (the players as they are called), which are the match's.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        "discard": "discard pile",
        "gear": "equipped cards",
        "removed": "removed cards",
    }

    players: dict[Seat, Player] = field(default_factory=dict[Seat, Player])
    stage: str = SET_UP
    turn: int = 1
    priority: Seat = SEATS[0]
    active: Seat = SEATS[0]
    tier: int = 1
    steps: int = 0
    taught: dict[str, Json] = field(default_factory=dict[str, "Json"])
    kept: list[str] = field(default_factory=list[str])
    attacks_waiting: int = 0
    fires: tuple[Seat, Seat] | None = None
    table: Figures = field(default_factory=assumed_figures)
    map: StarMap | None = None
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    named: Mapping[Seat, str] = field(default_factory=lambda: NAMES)

    # -- what the rules ask of it ----------------------------------------------------------

    def turn_order(self) -> list[Seat]:
        """Who is still there, from the Priority player on clockwise."""
        seats = clockwise_from(self.priority, list(self.players))
        return [seat for seat in seats if not self.players[seat].out]

    def alive(self) -> list[Player]:
        """Everybody whose vessel is not destroyed, in the order of seats."""
        return [player for player in self.players.values() if not player.out]

    def after(self, seat: Seat) -> Seat:
        """The next player to the left who is still there.  (SE-EOT-03, RULING 18)"""
        order = clockwise_from(seat, list(self.players))
        return next((s for s in [*order[1:], seat] if not self.players[s].out), seat)

    def vessel_of(self, seat: Seat) -> str:
        """A seat's ship in a sentence: "Ana's vessel"."""
        return vessel_called(seat, self.named[seat])

    def tier_due(self) -> int | None:
        """The lowest tier of anybody that is not resolved; one granted late comes after others."""
        waiting = [
            number
            for player in self.alive()
            for number, tier in enumerate(player.tiers, 1)
            if not tier.resolved
        ]
        return min(waiting, default=None)

    def last_tier(self) -> int:
        """The highest tier that anybody has prepared."""
        return max((len(player.tiers) for player in self.alive()), default=0)

    def end_effects_of(self, owner: Seat, copy: str) -> list[tuple[Seat, Modifier]]:
        """End what an equipped card changes, on whatever vessel: whose changes were ended."""
        ended: list[tuple[Seat, Modifier]] = []
        for player in self.players.values():
            source = copy if player.seat == owner else f"{owner}: {copy}"
            kept = [one for one in player.modifiers
                    if one.until != "while_equipped" or one.source != source]  # fmt: skip
            ended += [(player.seat, one) for one in player.modifiers if one not in kept]
            player.modifiers = kept
        return ended

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        if self.stage == SET_UP:
            return (SET_UP,)
        place = (f"turn-{self.turn}", self.stage)
        return (*place, f"tier-{self.tier}") if self.stage == TIERS else place

    def placement(self) -> Mapping[Piece, Pose]:
        return {
            player.piece: Pose(name_of(player.space), self.facing(player))
            for player in self.players.values()
            if player.space is not None
        }

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        owners = self.players.values()
        return {(one.seat, pile): n for one in owners for pile, n in one.pile_counts().items()}

    def counters(self) -> Sequence[Fact]:
        """Who has Priority, and what counters show on each vessel.  (SE-PRI-01)"""
        return [
            Fact("priority", "Priority", self.priority),
            *(Fact(f"{player.seat}.{name}", name, count, player.seat)
              for player in self.players.values()
              for name, count in player.counters_shown().items()),
        ]  # fmt: skip

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """From the attacking vessel to its target, with the range.  (SE-R14)"""
        if self.fires is None or self.map is None:
            return ()
        attacker, target = (self.players[seat] for seat in self.fires)
        if attacker.space is None or target.space is None:
            return ()
        away = self.map.distance(attacker.space, target.space)
        return (LineOfFire(attacker.piece, target.piece, f"range {away}"),)

    def facing(self, player: Player) -> int | None:
        """Which way a camera should see a vessel point; None where that is not read."""
        return player.heading if self.map is not None and self.map.has_headings else None

    def facts(self) -> Sequence[Fact]:
        taught: Json = {**self.taught}
        facts = [
            Fact("turn", "Turn", self.turn),
            Fact("stage", "Phase", self.stage),
            Fact("priority", "Priority", self.priority, shows=Shows.BADGE),
            Fact("active", "Acting", self.active),
            Fact("tier", "Tier", self.tier),
            Fact("steps", "Steps of this Preparation", self.steps),
            Fact("taught", "Cards declared here", taught),
            Fact("kept", "Cards kept for later", [*self.kept]),
        ]
        for player in self.players.values():
            facts += self._player_facts(player)
        return facts

    def _player_facts(self, player: Player) -> list[Fact]:
        seat = player.seat
        tiers = [
            Fact(f"{seat}.tier-{number}", f"Tier {number}", _tier(player, number), seat)
            for number in range(1, max(player.granted, len(player.tiers)) + 1)
        ]
        counts = {"hull": player.hull, "energy": player.energy, "deck": player.deck,
                  "hand": player.hand}  # fmt: skip
        counters: Json = {name: count for name, count in sorted(player.counters.items()) if count}
        return [
            Fact(f"{seat}.vessel", "Vessel", player.vessel, seat),
            *(Fact(f"{seat}.{name}", name.capitalize(), count, seat, shows=Shows.COUNT)
              for name, count in counts.items()),
            Fact(f"{seat}.removed", "Removed", player.removed, seat),
            Fact(f"{seat}.discard", "Discard pile", [*player.discard], seat),
            Fact(f"{seat}.gear", "Equipped", [*player.gear], seat),
            Fact(f"{seat}.counters", "Counters", counters, seat),
            Fact(f"{seat}.modifiers", "In force", [_plain(m) for m in player.modifiers], seat),
            Fact(f"{seat}.declared", "Abilities to come", [*player.declared], seat),
            Fact(f"{seat}.used", "Abilities of this turn", [*player.used], seat),
            *tiers,
            Fact(f"{seat}.granted", "Tiers this turn", player.granted, seat),
            Fact(f"{seat}.locked", "Locked", player.locked, seat),
            Fact(f"{seat}.prepared", "Prepared", player.prepared, seat),
            Fact(f"{seat}.drifted", "Drifted", player.drifted, seat),
            Fact(f"{seat}.destroyed", "Destroyed", player.out, seat, shows=Shows.BADGE),
            Fact(f"{seat}.place", "Place", _place(player), seat),
            Fact(f"{seat}.heading", "Heading", player.heading, seat),
        ]  # fmt: skip

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            self.turn, self.stage, self.priority, self.active, self.tier, self.steps,
            repr((sorted(self.taught.items()), *self.kept) if self.kept
                 else sorted(self.taught.items())),
            tuple(
                (p.seat, p.vessel, p.deck, p.hand, p.removed, tuple(p.discard), tuple(p.gear),
                 p.granted, p.hull, p.energy, _counted(p.counters),
                 tuple(tuple(m) for m in p.modifiers), tuple(p.declared), tuple(p.used),
                 p.locked, p.prepared, p.drifted, p.out, p.space, p.heading,
                 tuple(_plain_tier(tier) for tier in p.tiers))
                for p in self.players.values()
            ),
        )  # fmt: skip

    def faults(self) -> list[Fault]:
        return position_faults.faults(self)

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjusting.adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return position_file.write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = position_file.read_position(cls, raw, source)
        position.refuse_faults(source)
        return position


def _counted(counters: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Counters that there are, by name."""
    return tuple(sorted((name, count) for name, count in counters.items() if count))


def _tier(player: Player, number: int) -> str:
    """A tier in words: "set, 2 cards", "draw", "not yet"."""
    tier = player.tier(number)
    if tier is None:
        return "not yet"
    cards = [card for card in (tier.primary, tier.secondary) if card]
    return ", ".join((tier.action, *cards))


def _plain_tier(tier: Tier) -> tuple[object, ...]:
    plain = (tier.action, tier.primary, tier.secondary, tier.void, tier.resolved)
    return (*plain, "permitted") if tier.permitted else plain


def _plain(one: tuple[str, int, str, str]) -> str:
    stat, amount, until, source = one
    return f"{stat} {amount:+} ({until}, {source})"


def _place(player: Player) -> str:
    return name_of(player.space) if player.space is not None else ""
