"""The questions of the Day game of Jaws & Paws: whom each asks, by which rule, what it refuses.

Laws read the position when they judge, never when a question is made: an arbiter may have
adjusted it in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from companion.core.board import Piece
from companion.core.question import Choose, Count, Locked, Option, Ready, Refusal, Reveal
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.asking import LockAsks, ModeAsks
from companion.games.jaws_and_paws.boards import (
    BORDER_OF,
    CREW_OF,
    NAMES,
    NOBODY,
    POSES,
    TEAM_OF,
    UNTOLD,
    Lineup,
    Zone,
)
from companion.games.jaws_and_paws.cards import NO_CARD, Face
from companion.games.jaws_and_paws.plan import lay_faces

_TOSS = Cite.of("JP-3.4, RULING 3")
_SUN = Cite.of("JP-3.5")
_SET_UP = Cite.of("JP-3.2, JP-3.3, JP-3.6")
_READY = Cite.of("JP-5.1, JP-5.2")
_PHASE = Cite.of("JP-5.3, JP-5.8")
_UNTIMED = Cite.of("JP-5.8, RULING 7")
_DISCARD = Cite.of("JP-7.1, JP-7.2, RULING 9")
_SHUFFLE = Cite.of("JP-8.2")
_REVEAL = Cite.of("JP-9.1, JP-9.9")
_OPEN_CARD = Cite.of("JP-9.1, JP-9.9, JP-18.3, RULING 26")
_OWNER = Cite.of("RULING 37")
_HALF = Cite.of("JP-12.1, RULING 17")
_SHORT = Cite.of("JP-11.4, RULING 10")
_AGREED = Cite.of("JP-11.1, JP-11.5, RULING 11")


class Asks(LockAsks, ModeAsks):
    """Makes the questions for one match; holds nothing of its own."""

    # -- set-up ----------------------------------------------------------------------------

    def toss(self) -> Choose[Seat | None]:
        """Which team won the toss.  (JP-3.4)"""
        return Choose(
            key=f"{self.game}set-up/toss",
            by=TABLE,
            cite=_TOSS,
            prompt="Who last petted a dog flips a coin. Which team wins the toss?",
            headline="Toss: who wins?",
            offered=self.drawn_options,
            named=self.team_named(self.drawn_options),
        )

    def sun(self, team: Seat) -> Choose[Zone]:
        """Where the winner of the toss places the Sun.  (JP-3.5, RULING 28)"""
        lineup = self.position.lineup
        barred = [f"{rival}.PC" for rival in lineup.rivals[team]]

        def law(zone: Zone) -> Refusal | None:
            if zone not in barred:
                return None
            legal = [zone for zone in lineup.zones if zone not in barred]
            return no.sun_on_enemy_centre(zone, legal, self.bright)

        return Choose(
            key=f"{self.game}set-up/sun",
            by=team,
            cite=_SUN,
            prompt=f"{team}: place the {self.bright} on any zone but {_any_of(barred)}.",
            headline=f"{team}: place the {self.bright}",
            offered=_zone_options(lineup, self.position.light),
            law=law,
        )

    def set_up_done(self) -> Ready:
        """Everything lies as the book has it.  (JP-3.2, JP-3.3, JP-3.6)"""
        return Ready(
            key=f"{self.game}set-up/placed",
            by=TABLE,
            cite=_SET_UP,
            prompt="Is everything in place: planes on the enemy's PC, tracks without smoke, "
            f"{self._hands()}?",
            headline="Table: all placed?",
            word="placed",
        )

    def _hands(self) -> str:
        """What everybody holds at the start; by night which side of the boards is up."""
        position, cards, hands = self.position, self.cards, list[str]()
        if len(position.lineup.solos) < len(position.lineup.teams):
            hands.append(f"{cards.hand_size} cards in each hand")
        if position.lineup.solos:
            solo = cards.solo_hand_size
            hands.append(f"{solo} white and {solo} black cards with each solo player")
        told = ", ".join(hands)
        return f"View Boards on the night side, {told}" if position.night else told

    # -- the Action Phase ------------------------------------------------------------------

    def ready(self, team: Seat) -> Ready:
        """A team is ready for the phase to start.  (JP-5.1)"""
        return Ready(
            key=f"{self.round}/ready/{team.lower()}",
            by=team,
            cite=self.with_duty(_READY, team),
            prompt=f"{team}: ready for round {self.position.round_number}?{self.duty(team)}",
            headline=f"{team}: ready?",
            starts=True,
        )

    def clock(self, seconds: float) -> Locked:
        """The end of a timed phase: the clock's zero.  (JP-5.3)"""
        return Locked(
            key=f"{self.round}/locked",
            by=TABLE,
            cite=self.with_duty(_PHASE, *self.position.teams),
            prompt="Lay cards face down on your own track, one a section."
            f"{self.duty(*self.position.teams)}",
            headline="Lay cards",
            seconds=seconds,
        )

    def locked(self, player: Seat) -> Locked:
        """A player's word that nothing more will be laid.  (JP-5.8, RULING 7)"""
        return Locked(
            key=f"{self.round}/locked/{player}",
            by=player,
            cite=self.with_duty(_UNTIMED, player),
            prompt=f"{NAMES.get(player, player)}: say locked when you have laid your cards."
            f"{self.duty(player)}",
            headline=f"{NAMES.get(player, player)}: locked?",
            seconds=None,
            word_ends=True,
        )

    # -- Discard and Draw, Repairing -------------------------------------------------------

    def discards(self, player: Seat) -> Count:
        """How many cards a player discards from hand.  (JP-7.1, JP-7.4)"""
        piles, hand = self.position.piles[player], self.position.hands[player]
        return Count(
            key=f"{self.round}/discard/{player}",
            by=self.speaker(player),
            cite=_DISCARD,
            prompt=f"{NAMES[player]}: how many cards do you discard? Then draw up to {hand}.",
            headline=f"{NAMES[player]}: discard",
            lapse="0",
            high=lambda: piles["hand"],
            over=lambda n: no.more_discards_than_hand(player, n, piles["hand"]),
            law=lambda n: (
                no.more_discards_than_hand(player, n, piles["hand"]) if n > piles["hand"] else None
            ),
            caution=lambda n: no.discards_exceed_deck(player, piles, n, hand),
        )

    def drawn(self) -> Ready:
        """Everybody has discarded and drawn.  (JP-7.2)"""
        return Ready(
            key=f"{self.round}/drawn",
            by=TABLE,
            cite=_DISCARD,
            prompt=f"Discards told, and every hand drawn up to {self.full_hands}?",
            headline="All drawn?",
            word="drawn",
        )

    def shuffled(self, player: Seat) -> Ready:
        """A Repairing player has shuffled the Discard Pile into the Deck.  (JP-8.2)"""
        return Ready(
            key=f"{self.round}/shuffled/{player}",
            by=self.speaker(player),
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
            by=self.speaker(player),
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
        return owner != NOBODY and (owner != UNTOLD or self._untold_here(team, number) > 0)

    def _untold_here(self, team: Seat, number: int) -> int:
        """Cards that may lie here; one that lies face up on a later section does not."""
        kept = self.position.face_up.get(team, 0) > number
        return self._untold_cards(team) - kept

    def _untold_cards(self, team: Seat) -> int:
        return sum(self.position.unturned(player) for player in CREW_OF[team])

    def reveal(self, team: Seat, number: int) -> Reveal[Face]:
        """The card on a section is turned over.  (JP-9.1)"""
        return Reveal(
            key=f"{self.round}/section-{number}/reveal/{team.lower()}",
            by=team,
            cite=_REVEAL if self.position.face_up.get(team) != number else _OPEN_CARD,
            prompt=self._flip(team, number),
            headline=f"{team}: flip {number}",
            faces=self.cards.faces,
            lay=lambda: self._laid_out(team, number),
            law=lambda face: self._reveal_law(team, number, face),
            caution=lambda face: self._reveal_caution(team, number, face),
        )

    def _flip(self, team: Seat, number: int) -> str:
        if self.position.face_up.get(team) == number:
            return f"{team}: which card lies face up on section {number}?"
        return f"{team}: flip the card on section {number} sideways, like a page."

    def _laid_out(self, team: Seat, number: int) -> Sequence[Option[Face]]:
        legal = [f for f in self.cards.faces.values() if not self._reveal_law(team, number, f)]
        return lay_faces(legal, team, self.position, self.house)

    def _reveal_law(self, team: Seat, number: int, face: Face) -> Refusal | None:
        if face.half_missing:
            return no.half_missing(face.card, self.cards.halves[face.card])
        owners = self.position.owners[team]
        owner = owners[number - 1]
        if owner not in (NOBODY, UNTOLD):
            return no.a_card_lies(team, number) if face is NO_CARD else None
        if face is not NO_CARD:
            return None if self.may_hold(team, number) else no.no_card_lies(team, number)
        later, lies_open = owners[number:].count(UNTOLD), self.position.face_up.get(team) == number
        if owner == UNTOLD and (lies_open or self._untold_cards(team) > later):
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
            by=self.speaker(owner),
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


@cache
def _zone_options(lineup: Lineup, light: Piece) -> Sequence[Option[Zone]]:
    return [Option(zone, zone, zone, {light: POSES[zone]}) for zone in lineup.zones]


def _any_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
