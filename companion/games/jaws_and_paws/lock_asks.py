"""The questions at the lock: whose cards lie where.  (JP-5.7, JP-6)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.question import Count, Declare, Ready, Refusal, Reveal
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.asking import Asking
from companion.games.jaws_and_paws.cards import NO_CARD, Face
from companion.games.jaws_and_paws.crew import (
    BORDER_NAME_OF,
    BORDER_OF,
    CREW_OF,
    NAMES,
    TEAM_OF,
)
from companion.games.jaws_and_paws.layout import SECTIONS

_LOCK = Cite.of("JP-5.7, JP-6.1, RULING 37")
_NOBODY = Cite.of("JP-5.7, JP-8.1, RULING 13")
_PLAYED = Cite.of("JP-8.1, RULING 37")
_DOUBLED = Cite.of("JP-6.1, JP-6.2, RULING 8")

BORDERS = ("pilot", "gunner")


class LockAsks(Asking):
    """Counts by section and border, or by player (lock_asks)."""

    def borders(self, team: Seat, number: int) -> Declare:
        """Whose cards lie on a section, by border.  (JP-5.7, RULING 37)"""
        return Declare(
            key=f"{self.round}/lock/{team.lower()}/{number}",
            by=team,
            cite=_LOCK,
            prompt=f"{team} section {number}: how many white (Pilot) and black (Gunner) borders?",
            headline=f"{team} {number}: whose cards?",
            lapse="0 0",
            parts=BORDERS,
            of=str(number),
            most=self.position.deck_size,
            law=lambda counts: self._section_law(team, number, counts),
        )

    def doubled(self, team: Seat, number: int) -> Declare:
        """The borders of a doubled section, where only players' counts are asked.  (JP-6.2)"""

        def law(counts: Mapping[str, int]) -> Refusal | None:
            if sum(counts.values()) == 1:
                return no.only_doubled(team, number)
            return self._section_law(team, number, counts)

        return Declare(
            key=f"{self.round}/lock/{team.lower()}/{number}",
            by=team,
            cite=_DOUBLED,
            prompt=f"{team} section {number}, only if doubled: how many white and black borders?",
            headline=f"{team} {number}: doubled?",
            lapse="0 0",
            parts=BORDERS,
            of=str(number),
            most=self.position.deck_size,
            law=law,
        )

    def _section_law(self, team: Seat, number: int, counts: Mapping[str, int]) -> Refusal | None:
        if not self.position.counted:
            return None
        seen = self.position.counted.get(f"{team}.{number}")
        told = sum(counts.values())
        if seen is not None and seen != told and (told or self._by_section):
            return no.count_differs(team, number, told, seen)
        return None

    @property
    def _by_section(self) -> bool:
        return self.house["lock_asks"] == "sections"

    def laid(self, player: Seat) -> Count:
        """How many cards a player has on the track.  (JP-8.1, RULING 37)"""
        return Count(
            key=f"{self.round}/lock/{player}",
            by=self.speaker(player),
            cite=_PLAYED,
            prompt=f"{NAMES[player]}: how many of your cards lie on the track?",
            headline=f"{NAMES[player]}: laid?",
            lapse="0",
            high=self.position.deck_size,
            law=lambda count: self._hand_law(player, count),
        )

    def checked(self) -> Ready:
        """All tracks were looked at.  (JP-5.7)"""
        return Ready(
            key=f"{self.round}/lock/checked",
            by=TABLE,
            cite=_LOCK,
            prompt=f"All cards on {self.tracks} counted by border?",
            headline="Tracks checked?",
            word="checked",
        )

    def nobody_laid(self) -> Ready:
        """No card at all was told: whether that is so, before everybody is Repairing.  (JP-8.1)"""
        return Ready(
            key=f"{self.round}/lock/nobody",
            by=TABLE,
            cite=_NOBODY,
            prompt=f"No card was told of {self.tracks}: everybody would be Repairing. Did nobody "
            "lay a card? If somebody did, undo, and tell whose cards lie where.",
            headline="Nobody laid a card?",
            word="nobody",
        )

    def _hand_law(self, player: Seat, count: int) -> Refusal | None:
        hand = self.position.piles[player]["hand"]
        return None if count <= hand else no.more_than_hand(player, count, hand)

    def check_sections(self, told: Mapping[Any, Any]) -> Refusal | None:
        """Nobody has laid more than the hand held, and the table's counts agree.  (JP-21.1)"""
        laid = dict.fromkeys(self.position.players, 0)
        for place in self.position.places:
            counts, (team, number) = told[place], place
            refusal = self._section_law(team, number, counts)
            if refusal is not None:
                return refusal
            for player in CREW_OF[team]:
                laid[player] += counts[BORDER_NAME_OF[player]]
        for player, count in laid.items():
            refusal = self._hand_law(player, count)
            if refusal is not None:
                return refusal
        return None

    def check_players(self, told: Mapping[Any, Any]) -> Refusal | None:
        """Players' counts fit their hands, the doubled sections and the track.  (JP-5.5)"""
        for player in self.position.players:
            team, border = TEAM_OF[player], BORDER_NAME_OF[player]
            doubled = sum(told[team, n][border] for n in SECTIONS)
            if told[player] < doubled:
                return no.fewer_than_doubled(player, told[player], doubled)
            refusal = self._hand_law(player, told[player])
            if refusal is not None:
                return refusal
        refusals = [self._check_team(team, told) for team in self.position.teams]
        return next((refusal for refusal in refusals if refusal is not None), None)

    def _check_team(self, team: Seat, told: Mapping[Any, Any]) -> Refusal | None:
        """One team's cards: no more than sections, as many as were counted on the track."""
        laid = sum(told[player] for player in CREW_OF[team])
        free = [n for n in SECTIONS if not any(told[team, n].values())]
        single = laid - sum(sum(told[team, n].values()) for n in SECTIONS)
        if single > len(free):
            return no.must_be_doubled(team, single, len(free))
        seen = [self.position.counted.get(f"{team}.{n}") for n in SECTIONS]
        counted = sum(cards for cards in seen if cards is not None)
        if counted > laid or (counted != laid and None not in seen):
            return no.track_differs(team, laid, counted)
        return None

    def doubled_card(self, player: Seat, number: int, ordinal: int) -> Reveal[Face]:
        """A card of a doubled section, turned over for all to see.  (doubled_reveal, RULING 8)"""
        team = TEAM_OF[player]
        faces = {n: f for n, f in self.cards.faces.items() if f is not NO_CARD}
        return Reveal(
            key=f"{self.round}/doubled/{team.lower()}/{number}/{player}-{ordinal}",
            by=team,
            cite=_DOUBLED,
            prompt=f"{NAMES[player]}: turn over the {BORDER_OF[player]} card {ordinal}.",
            headline=f"{player} doubled: flip {ordinal}",
            faces=faces,
        )
