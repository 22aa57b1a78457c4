"""The questions of Jaws & Paws: whom each asks, under which rule, and what it refuses.  (S.2)

Laws read the position when they judge, never when a question is made: an arbiter may have
adjusted it in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.board import Pose
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.boards import SUN
from companion.games.jaws_and_paws.cards import NO_CARD, Face
from companion.games.jaws_and_paws.crew import (
    BORDER_OF,
    CREW_OF,
    NAMES,
    RIVAL_OF,
    TEAM_OF,
    TEAMS,
)
from companion.games.jaws_and_paws.layout import NOBODY, UNTOLD
from companion.games.jaws_and_paws.lock_asks import LockAsks
from companion.games.jaws_and_paws.moves import ZONES, Zone
from companion.games.jaws_and_paws.pad import lay_faces
from companion.question import (
    Choose,
    Count,
    Locked,
    Option,
    Ready,
    Refusal,
    Reveal,
)
from companion.ruling import TABLE, Cite, Seat

_TOSS = Cite.of("JP-3.4, RULING 3")
_SUN = Cite.of("JP-3.5")
_SET_UP = Cite.of("JP-3.2, JP-3.3, JP-3.6")
_READY = Cite.of("JP-5.1, JP-5.2")
_PHASE = Cite.of("JP-5.3, JP-5.8")
_UNTIMED = Cite.of("JP-5.8, RULING 7")
_DISCARD = Cite.of("JP-7.1, JP-7.2, RULING 9")
_SHUFFLE = Cite.of("JP-8.2")
_REVEAL = Cite.of("JP-9.1, JP-9.9")
_OWNER = Cite.of("RULING 37")
_HALF = Cite.of("JP-12.1, RULING 17")
_SHORT = Cite.of("JP-11.4, RULING 10")
_AGREED = Cite.of("JP-11.1")

_ZONE_OPTIONS = tuple(Option(zone, zone, zone, {SUN: Pose(zone)}) for zone in ZONES)
_TEAM_OPTIONS = tuple(Option(str(team), team, str(team)) for team in TEAMS)


class Asks(LockAsks):
    """Makes the questions for one match; holds nothing of its own."""

    # -- set-up ----------------------------------------------------------------------------

    def toss(self) -> Choose[Seat]:
        """Which team won the toss.  (JP-3.4)"""
        return Choose(
            key=f"{self.game}set-up/toss",
            by=TABLE,
            cite=_TOSS,
            prompt="Who last petted a dog flips a coin. Which team wins the toss?",
            headline="Toss: who wins?",
            offered=_TEAM_OPTIONS,
        )

    def sun(self, team: Seat) -> Choose[Zone]:
        """Where the winner of the toss places the Sun.  (JP-3.5)"""
        barred = f"{RIVAL_OF[team]}.PC"
        refusal = no.sun_on_enemy_centre(barred, [zone for zone in ZONES if zone != barred])
        return Choose(
            key=f"{self.game}set-up/sun",
            by=team,
            cite=_SUN,
            prompt=f"{team}: place the Sun on any zone but {barred}.",
            headline=f"{team}: place the Sun",
            offered=_ZONE_OPTIONS,
            law=lambda zone: refusal if zone == barred else None,
        )

    def set_up_done(self) -> Ready:
        """Everything lies as the book has it.  (JP-3.2, JP-3.3, JP-3.6)"""
        return Ready(
            key=f"{self.game}set-up/placed",
            by=TABLE,
            cite=_SET_UP,
            prompt="Planes on the enemy's PC, tracks without smoke, four cards in each hand.",
            headline="Table: all placed?",
            word="placed",
        )

    # -- the Action Phase ------------------------------------------------------------------

    def ready(self, team: Seat) -> Ready:
        """A team is ready for the phase to start.  (JP-5.1)"""
        return Ready(
            key=f"{self.round}/ready/{team.lower()}",
            by=team,
            cite=_READY,
            prompt=f"{team}: ready for round {self.position.round_number}?",
            headline=f"{team}: ready?",
        )

    def clock(self, seconds: float) -> Locked:
        """The end of a timed phase: the clock's zero.  (JP-5.3)"""
        return Locked(
            key=f"{self.round}/locked",
            by=TABLE,
            cite=_PHASE,
            prompt="Lay cards face down on your own track, one a section.",
            headline="Lay cards",
            seconds=seconds,
        )

    def locked(self, player: Seat) -> Locked:
        """A player's word that nothing more will be laid.  (JP-5.8, RULING 7)"""
        return Locked(
            key=f"{self.round}/locked/{player}",
            by=player,
            cite=_UNTIMED,
            prompt=f"{NAMES[player]}: say locked when you have laid your cards.",
            headline=f"{NAMES[player]}: locked?",
            seconds=None,
            word_ends=True,
        )

    # -- Discard and Draw, Repairing -------------------------------------------------------

    def discards(self, player: Seat) -> Count:
        """How many cards a player discards from hand.  (JP-7.1, JP-7.4)"""
        piles = self.position.piles[player]
        return Count(
            key=f"{self.round}/discard/{player}",
            by=player,
            cite=_DISCARD,
            prompt=f"{NAMES[player]}: how many cards do you discard? Then draw up to "
            f"{self.cards.hand_size}.",
            headline=f"{NAMES[player]}: discard",
            lapse="0",
            high=lambda: piles["hand"],
            over=lambda n: no.more_discards_than_hand(player, n, piles["hand"]),
            law=lambda n: (
                no.more_discards_than_hand(player, n, piles["hand"]) if n > piles["hand"] else None
            ),
            caution=lambda n: no.discards_exceed_deck(player, piles, n, self.cards.hand_size),
        )

    def drawn(self) -> Ready:
        """Everybody has discarded and drawn.  (JP-7.2)"""
        return Ready(
            key=f"{self.round}/drawn",
            by=TABLE,
            cite=_DISCARD,
            prompt=f"Discards told, and every hand drawn up to {self.cards.hand_size}?",
            headline="All drawn?",
            word="drawn",
        )

    def shuffled(self, player: Seat) -> Ready:
        """A Repairing player has shuffled the Discard Pile into the Deck.  (JP-8.2)"""
        return Ready(
            key=f"{self.round}/shuffled/{player}",
            by=player,
            cite=_SHUFFLE,
            prompt=f"{NAMES[player]} is Repairing: shuffle your Discard Pile into your Deck.",
            headline=f"{player}: shuffle",
            word="shuffled",
        )

    def deck_counted(self, player: Seat) -> Count:
        """A Deck that decides the match is counted before a card is taken.  (JP-11.4)"""
        piles = self.position.piles[player]
        return Count(
            key=f"{self.round}/{self.position.stage}/deck/{player}",
            by=player,
            cite=_SHORT,
            prompt=f"{NAMES[player]}: count your Deck before you take a card.",
            headline=f"{player}: count the deck",
            high=self.position.deck_size,
            law=lambda n: None if n == piles["deck"] else no.deck_differs(player, n, piles["deck"]),
        )

    # -- a section -------------------------------------------------------------------------

    def may_hold(self, team: Seat, number: int) -> bool:
        """Whether a card may lie on a section, as far as is known."""
        owner = self.position.owners[team][number - 1]
        return owner != NOBODY and (owner != UNTOLD or self._untold_cards(team) > 0)

    def _untold_cards(self, team: Seat) -> int:
        return sum(self.position.unturned(player) for player in CREW_OF[team])

    def reveal(self, team: Seat, number: int) -> Reveal[Face]:
        """The card on a section is turned over.  (JP-9.1)"""
        return Reveal(
            key=f"{self.round}/section-{number}/reveal/{team.lower()}",
            by=team,
            cite=_REVEAL,
            prompt=f"{team}: flip the card on section {number} sideways, like a page.",
            headline=f"{team}: flip {number}",
            faces=self.cards.faces,
            lay=lambda: self._laid_out(team, number),
            law=lambda face: self._reveal_law(team, number, face),
            caution=lambda face: self._reveal_caution(team, number, face),
        )

    def _laid_out(self, team: Seat, number: int) -> Sequence[Option[Face]]:
        legal = [f for f in self.cards.faces.values() if not self._reveal_law(team, number, f)]
        return lay_faces(legal, team, self.position, self.house)

    def _reveal_law(self, team: Seat, number: int, face: Face) -> Refusal | None:
        if face.half_missing:
            return no.half_missing(face.card, self.cards.halves[face.card])
        owners = self.position.owners[team]
        owner = owners[number - 1]
        if face is not NO_CARD:
            return no.no_card_lies(team, number) if owner == NOBODY else None
        if owner == NOBODY:
            return None
        later = owners[number:].count(UNTOLD)
        if owner != UNTOLD or self._untold_cards(team) > later:
            return no.a_card_lies(team, number)
        return None

    def _reveal_caution(self, team: Seat, number: int, face: Face) -> Any:
        owner = self.position.owners[team][number - 1]
        if owner in (NOBODY, UNTOLD) or face is NO_CARD:
            return None
        return no.caution_about(Seat(owner), face, self.position.piles[Seat(owner)], self.cards)

    def owner(self, team: Seat, number: int) -> Choose[Seat]:
        """Whose card it is, told at the reveal where the lock did not ask.  (RULING 37)"""
        offered = [Option(str(p), p, f"{NAMES[p]} ({BORDER_OF[p]})") for p in CREW_OF[team]]
        return Choose(
            key=f"{self.round}/section-{number}/owner/{team.lower()}",
            by=team,
            cite=_OWNER,
            prompt=f"{team} section {number}: white border (Pilot) or black (Gunner)?",
            headline=f"{team} {number}: whose card?",
            offered=offered,
            law=lambda p: None if self.position.unturned(p) > 0 else no.cannot_be_owner(
                p, self.position.played[p]),
        )  # fmt: skip

    def half(self, owner: Seat, number: int, face: Face) -> Choose[Face]:
        """Which half counts, where the table lets the owner choose.  (unclear_half, RULING 17)"""
        halves = [self.cards.faces[name] for name in self.cards.halves[face.card]]
        return Choose(
            key=f"{self.round}/section-{number}/half/{TEAM_OF[owner].lower()}",
            by=owner,
            cite=_HALF,
            prompt=f"{NAMES[owner]}: the card lies sideways; which half counts?",
            headline=f"{owner}: which half?",
            offered=[Option(half.name, half, half.name) for half in halves],
        )

    def agreed(self, team: Seat) -> Ready:
        """A team agrees to the result before the match closes.  (JP-11.1)"""
        return Ready(
            key=f"{self.round}/result/{team.lower()}",
            by=team,
            cite=_AGREED,
            prompt=f"{team}: do you agree to the result and the counts?",
            headline=f"{team}: agreed?",
            word="agreed",
        )
