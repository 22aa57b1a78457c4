"""Two and three players: a solo player has two hands, one of each colour.  (JP-17, JP-18)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.core.question import unless_alone
from companion.core.ruling import Cite, Seat
from companion.games.jaws_and_paws import wording as say
from companion.games.jaws_and_paws.crew import BORDER_NAME_OF, CREW_OF
from companion.games.jaws_and_paws.game import Counts
from companion.games.jaws_and_paws.lineup import Lineup, Place, lineup_of
from companion.games.jaws_and_paws.mode_reports import FACE_UP_WORDS
from companion.games.jaws_and_paws.reports import Word
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.games.jaws_and_paws.switches import CREWS_OF_THREE, FACE_UP_OF_THREE, SOLO_REPAIR
from companion.match.rulebook import Switch

_FACE_UP = Cite.of("JP-18.3, RULING 26")
_PER_ROLE = Cite.of("JP-17.4, RULING 25")


class TwoPlayers(JawsAndPaws):
    """One player a team, with both decks of it.  (JP-17)"""

    lineup: ClassVar[Lineup] = lineup_of(1, 1)
    adds: ClassVar[tuple[Switch, ...]] = (SOLO_REPAIR,)
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-17.1"),
        "JP-3.6": Cite.of("JP-17.2"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = {
        "JP-6.1": Cite.of("JP-17.5"),
        "JP-7.2": Cite.of("JP-17.3"),
        "JP-8.1": _PER_ROLE,
        "JP-8.2": _PER_ROLE,
        "JP-8.3": _PER_ROLE,
        "JP-11.4": Cite.of("JP-17.3"),
        "JP-14.4": _PER_ROLE,
        "JP-14.5": _PER_ROLE,
        "JP-16.3": _PER_ROLE,
        "RULING 37": _PER_ROLE,
    }


class FaceUp(JawsAndPaws):
    """A solo player lays a card of each round face up.  (JP-18.3, RULING 26, RULING 27)"""

    def words(self) -> Mapping[str, Word]:
        return {**super().words(), **FACE_UP_WORDS}

    async def locked_cards(self) -> Mapping[Any, Any]:
        """What lies on the tracks, with a card of each solo player face up.  (JP-18.3)"""
        told = dict(await super().locked_cards())
        if self.options[self.face_up_option] != "none":
            for team in [t for t in self.position.teams if t in self.lineup.solos]:
                await self.lay_face_up(team, told)
        return told

    async def lay_face_up(self, team: Seat, told: dict[Any, Any]) -> None:
        """One lies face up; with none laid, one from hand is.  (RULING 26)"""
        position = self.position
        if self.has_laid(team, told):
            if self.options[self.face_up_option] == "one":
                position.face_up[team] = await self.turned_up(team, told)
            return
        if not any(position.piles[player]["hand"] for player in CREW_OF[team]):
            return
        player, number = await self.ask.lay_face_up(team)
        told[team, number] = {**told[team, number], BORDER_NAME_OF[player]: 1}
        if player in told:
            told[player] += 1
            told[team, number] = dict.fromkeys(told[team, number], 0)
        position.face_up[team] = number
        text, headline = say.laid_face_up(player, number), f"{team}: one face up"
        self.rule(text, _FACE_UP, by=player, headline=headline)

    async def turned_up(self, team: Seat, told: Mapping[Any, Any]) -> int:
        """On which section a card lies face up; of a single one the table is told.  (RULING 26)"""
        asked = self.ask.face_up(team, told)
        if not self.asks_less:
            return await asked
        number = await unless_alone(asked)
        if len(asked.options_now()) == 1:
            self.rule(say.must_lie_face_up(team, number), _FACE_UP, by=team,
                      headline=f"{team} {number}: face up")  # fmt: skip
        return number

    def discard_doubled(self, place: Place, counts: Counts, shown: str) -> None:
        """A card that lies face up there goes with the others; the duty is done.  (RULING 26)"""
        super().discard_doubled(place, counts, shown)
        self.position.empty_section(*place)

    def has_laid(self, team: Seat, told: Mapping[Any, Any]) -> bool:
        """Whether any card of a team lies on its track."""
        if self.options["lock_asks"] == "players":
            return any(told[player] for player in CREW_OF[team])
        numbers = [number for place, number in self.position.places if place == team]
        return any(sum(told[team, number].values()) for number in numbers)


class ThreePlayers(FaceUp):
    """A team of two against a solo player.  (JP-18.1, JP-18.2)"""

    lineup: ClassVar[Lineup] = lineup_of(2, 1)
    adds: ClassVar[tuple[Switch, ...]] = (CREWS_OF_THREE, SOLO_REPAIR, FACE_UP_OF_THREE)
    face_up_option: ClassVar[str] = FACE_UP_OF_THREE.name
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-18.1"),
        "JP-3.6": Cite.of("JP-18.1, JP-18.2"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = TwoPlayers.also_solo
