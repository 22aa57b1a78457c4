"""Five or more players: several boxes, a token of every team on every other View set.  (JP-19)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from companion.core.question import together
from companion.core.ruling import (
    BrokenOff,
    Carry,
    Cite,
    Deed,
    Level,
    MatchOver,
    Move,
    Notice,
    Outcome,
    Seat,
)
from companion.games.jaws_and_paws import wording as say
from companion.games.jaws_and_paws.cards import NO_CARD
from companion.games.jaws_and_paws.crew import CREW_OF, TEAM_OF
from companion.games.jaws_and_paws.game import Turned
from companion.games.jaws_and_paws.layout import NOBODY, SECTIONS
from companion.games.jaws_and_paws.lineup import Lineup, lineup_of
from companion.games.jaws_and_paws.moves import Zone, owner_of, same_zone
from companion.games.jaws_and_paws.pad import is_chosen
from companion.games.jaws_and_paws.solo import FaceUp, TwoPlayers
from companion.games.jaws_and_paws.switches import CREWS_OF_MANY, FACE_UP_OF_MANY, SOLO_REPAIR
from companion.match.rulebook import Switch

if TYPE_CHECKING:
    from companion.core.ruling import Json

_FALLEN = Cite.of("JP-11.1, JP-11.5, JP-19.7, RULING 33")
_GAVE_UP = Cite.of("JP-19.7, RULING 33, RULING 39")
_LEAVES = Cite.of("JP-19.7, RULING 33")


class FivePlayers(FaceUp):
    """Three teams or more, of one or two people each; the last one flying wins.  (JP-19)"""

    lineup: ClassVar[Lineup] = lineup_of(2, 2, 1)
    adds: ClassVar[tuple[Switch, ...]] = (CREWS_OF_MANY, SOLO_REPAIR, FACE_UP_OF_MANY)
    face_up_option: ClassVar[str] = FACE_UP_OF_MANY.name
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.3": Cite.of("JP-19.1"),
        "JP-3.5": Cite.of("JP-19.6, RULING 28"),
        "JP-3.6": Cite.of("JP-19.1"),
        "JP-2.6": Cite.of("RULING 29"),
        "JP-9.3": Cite.of("RULING 30"),
        "JP-9.4": Cite.of("RULING 30"),
        "JP-9.5": Cite.of("JP-19.3"),
        "JP-9.6": Cite.of("JP-19.4"),
        "JP-13.4": Cite.of("JP-19.5, RULING 31"),
        "JP-14.1": Cite.of("JP-19.2, RULING 32"),
        "JP-11.5": Cite.of("JP-19.7"),
        "JP-11.6": Cite.of("RULING 33"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = TwoPlayers.also_solo

    # -- set-up ----------------------------------------------------------------------------

    async def toss(self) -> Seat | None:
        """Drawn by lot: a coin has two sides.  (RULING 28)"""
        return await self.ask.placing_team()

    # -- Move Sun cards --------------------------------------------------------------------

    def sun_order(self) -> Sequence[Seat]:
        """Who had the Sun first, then clockwise; who is shot down is passed over.  (RULING 30)"""
        return [team for team in super().sun_order() if team not in self.position.out]

    async def resolve_sun(self, suns: Sequence[Turned], team: Seat, step: int) -> None:
        """Move Sun Team goes where its player chooses.  (JP-19.5, RULING 31)"""
        chosen = [card for card in suns if is_chosen(card.face, self.position)]
        for owner, face in chosen:
            if TEAM_OF[owner] == team:
                there = await self.destination(owner)
                zone = self.position.sun
                assert zone is not None, "the Sun was placed before the first round"
                way = (self.light, zone, same_zone(zone, there))
                self.bring([way], owner, face, step, say.SUN_CITES[step, face.move])
        await super().resolve_sun([card for card in suns if card not in chosen], team, step)

    async def destination(self, owner: Seat) -> Seat:
        """Where Move Sun Team goes; nobody is asked where only one way is left.  (RULING 31)"""
        legal = self.ask.destinations()
        if len(legal) == 1:
            return legal[0].value
        return await self.ask.destination(owner, TEAM_OF[owner], self.position.section)

    # -- winning ---------------------------------------------------------------------------

    def given_up(self, team: Seat) -> Notice:
        """A team that has left falls: between two rounds at once, else at the next check point."""
        position = self.position
        fliers = [rival for rival in position.teams if rival not in position.abandoned()]
        if len(fliers) == 1:
            (winner,) = fliers
            ruling = self.rule(say.gave_up(position, team, winner), _GAVE_UP, by=winner,
                               headline=f"{winner} win", struck=self.lineup.own[team])  # fmt: skip
            raise MatchOver(Outcome((winner,), ruling))
        cards = say.gave_up_cards(position, self.clear_track(team))
        text = f"Everybody of {team} has left the table: they have given up. {cards}".strip()
        if position.stage != "action" or position.sun_first is not None:
            way_out = "The team is shot down at the next check point; nobody waits for it."
            notice = Notice("JP-RETIRED", text, _GAVE_UP, Level.NOTE, way_out)
            self.retold |= self.no_card_of(team)
            return self.reopen_lock(notice, self.retold) if self.lock_is_told else notice
        self.eliminate(team)
        way_out = "Its planes and boards leave the game; the others fly on."
        raise BrokenOff(Notice("JP-RETIRED", text, _GAVE_UP, Level.NOTE, way_out))

    def no_card_of(self, team: Seat) -> Mapping[str, Json]:
        """What was told of its cards and no longer holds: none of them lies there."""
        lock, name = f"{self.ask.round}/lock", team.lower()
        none: dict[str, Json] = {f"{lock}/{name}/{n}": "0 0" for n in SECTIONS}
        none |= {f"{lock}/{player}": 0 for player in CREW_OF[team]}
        none[f"{self.ask.round}/{self.position.stage}/reveal/{name}"] = NO_CARD.name
        told = self.locked if self.lock_is_told else self.told
        return {key: nothing for key, nothing in none.items() if key in told}

    async def check_point(self, place: str) -> None:
        """Who is down leaves; the last team flying wins.  (JP-19.7, RULING 33)"""
        position = self.position
        for team in position.abandoned():
            self.fall(team)
        if position.down and self.several_fly():
            for team in position.down:
                struck = self.lineup.own[team]
                self.rule(say.fallen(position, team, place), _FALLEN, by=team, struck=struck,
                          headline=f"{team} are shot down")  # fmt: skip
            await together({team: self.ask.fallen(team) for team in position.down})
        if position.down and not self.several_fly():
            await super().check_point(place)
        for team in list(position.down):
            self.eliminate(team)
        position.down = []

    def several_fly(self) -> bool:
        """Whether the game goes on without those that are down."""
        return len(self.position.teams) - len(self.position.down) > 1

    def eliminate(self, team: Seat) -> None:
        """Tokens and boards of a team leave the game, and the Sun its boards.  (RULING 33)"""
        position, deeds = self.position, list[Deed]()
        for piece in (*self.lineup.own[team], *self.lineup.facing[team]):
            zone = position.zones.pop(piece, None)
            if zone is not None:
                deeds.append(Move(piece, say.pose(zone), None))
        carries = self.clear_track(team)
        deeds += carries
        moved = self.save_sun(team)
        if moved is not None:
            deeds.append(Move(self.light, say.pose(moved[0]), say.pose(moved[1])))
        position.leave(team)
        way = None if moved is None else (self.light, *moved)
        headline = f"{team}: off the boards"
        self.rule(
            say.left(position, team, carries, way), _LEAVES, *deeds, by=team, headline=headline
        )

    def clear_track(self, team: Seat) -> list[Carry]:
        """Cards of a fallen team that were not resolved are discarded unseen."""
        position = self.position
        position.owners[team] = [NOBODY] * len(SECTIONS)
        position.face_up.pop(team, None)
        return [
            position.piles[player].move(position.piles[player]["track"], "track", "discard")
            for player in CREW_OF[team]
            if position.piles[player]["track"]
        ]

    def save_sun(self, team: Seat) -> tuple[Zone, Zone] | None:
        """From boards that leave the game to the next flying team, clockwise.  (RULING 33)"""
        zone, position = self.position.sun, self.position
        if zone is None or owner_of(zone) != team:
            return None
        heirs = [t for t in self.lineup.rivals[team] if t in position.teams]
        heir = next(t for t in heirs if t not in position.down)
        position.zones[self.light] = same_zone(zone, heir)
        return zone, position.zones[self.light]
