"""The questions of Jaws & Paws: whom each asks, by which rule, what it refuses.

First what all share, then those at the lock, then the others of the Day game. `mode_asks.py` has
those that only other modes ask. Laws read the position when they judge, never when a question is
made: an arbiter may have adjusted it in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.board import Piece
from companion.core.question import (
    Choose,
    Count,
    Declare,
    Locked,
    Option,
    Question,
    Ready,
    Refusal,
    Reveal,
)
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.boards import NAMES, Lineup, Place, Zone
from companion.games.jaws_and_paws.cards import NO_CARD, CardFace
from companion.games.jaws_and_paws.plan import lay_faces
from companion.games.jaws_and_paws.switches import FACE_UP_OF_MANY, FACE_UP_OF_THREE
from companion.kit.piles import HIGHEST

if TYPE_CHECKING:
    from companion.core.ruling import Json, Notice
    from companion.games.jaws_and_paws.cards import CardTable
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


K = TypeVar("K")
T = TypeVar("T")

_FACE_UP = Cite.of("JP-18.3, RULING 26")
_FACE_UP_OF_MANY = Cite.of("RULING 27")
_OF_THREE, _OF_MANY = FACE_UP_OF_THREE.name, FACE_UP_OF_MANY.name

LOT = "lot"
"""Nobody has drawn: the companion does."""


class TracksTold(NamedTuple):
    """What was told of the tracks at the lock: whose cards lie on each section, by border.

    Where the table was asked for players' own counts (`laid`), only doubled sections hold any.
    """

    sections: dict[Place, Mapping[str, int]]
    laid: dict[Seat, int]

    @property
    def cards(self) -> int:
        """The sum of all that was told."""
        return sum(self.laid.values()) + sum(sum(one.values()) for one in self.sections.values())


def still_legal(
    questions: Mapping[K, Question[T]],
) -> Callable[[Mapping[K, T]], Refusal | None]:
    """Judge every answer of a form once more as it closes: the arbiter may have adjusted."""

    def check(values: Mapping[K, T]) -> Refusal | None:
        for name, value in values.items():
            law = questions[name].law
            refusal = law(value) if law is not None else None
            if refusal is not None:
                return refusal
        return None

    return check


class Asking:
    """Knows the position, the house rules and the cards; names the places in keys."""

    def __init__(
        self, position: JawsAndPawsPosition, house: Mapping[str, Json], cards: CardTable
    ) -> None:
        self.position = position
        self.house = house
        self.cards = cards
        sizes = sorted(set(position.hands.values()), reverse=True)
        self.full_hands = " or ".join(map(str, sizes))
        """How many cards hands are drawn up to: "4 or 3" where a solo player sits."""

    def speaker(self, player: Seat) -> Seat:
        """Who answers for a player: the teammate, once that player has left.  (RULING 39)"""
        gone, mate = self.position.gone, boards.MATE_OF[player]
        return mate if player in gone and mate not in gone else player

    @property
    def tracks(self) -> str:
        """The Action Tracks of everybody who plays, in a sentence."""
        return "both tracks" if len(self.position.lineup.teams) == 2 else "all tracks"

    @property
    def bright(self) -> str:
        """What the Sun, or what replaces it, is called."""
        return boards.PIECE_NAMES[self.position.light]

    @property
    def game(self) -> str:
        """The place of this game in keys: empty, or "game-2/"."""
        return "" if self.position.game == 1 else f"game-{self.position.game}/"

    @property
    def round(self) -> str:
        """The place of this round in keys: "round-3"."""
        position = self.position
        if position.game == 1:
            return f"round-{position.round_number}"
        return f"{self.game}round-{position.round_number}"

    # -- who draws lots, and what solo players are told ------------------------------------

    def drawn_options(self) -> Sequence[Option[Seat | None]]:
        """Every team that plays; or nobody has drawn, and the companion does.  (RULING 3)"""
        teams: list[Option[Seat | None]] = [
            Option(str(team), team, str(team), group="Team") for team in self.position.teams
        ]
        return [*teams, Option(LOT, None, "The companion tosses", group="Lot")]

    def team_named(
        self, offered: Callable[[], Sequence[Option[T]]]
    ) -> Callable[[Json], Option[T] | None]:
        """A team among these options by the code of who plays in it."""

        def find(raw: Json) -> Option[T] | None:
            team = next(
                (t for p, t in boards.TEAM_OF.items() if p.lower() == str(raw).lower()), None
            )
            return next((option for option in offered() if option.name == team), None)

        return find

    def duty(self, *seats: Seat) -> str:
        """What solo players among these lay face up in the coming phase, in a sentence.  (JP-18.3)

        Empty where nobody has to: it is told before the phase, for afterwards it is too late.
        """
        solos, how = self.position.lineup.solos, self._face_up_rule
        if not solos or how == "none":
            return ""
        teams = [team for team in seats if team in solos]
        many = "all cards" if how == "all" else "exactly one card"
        return "".join(f" {team} must lay a card, and {many} face up." for team in teams)

    def with_duty(self, cite: Cite, *seats: Seat) -> Cite:
        """What a question rests on that tells solo players of their card.  (JP-18.3)"""
        if not self.duty(*seats):
            return cite
        return (
            cite.also(_FACE_UP, _FACE_UP_OF_MANY) if _OF_MANY in self.house else cite.also(_FACE_UP)
        )

    @property
    def _face_up_rule(self) -> str:
        """How many cards of a solo player lie face up: one, none, or all."""
        return str(self.house.get(_OF_THREE, self.house.get(_OF_MANY, "none")))


# At the lock: whose cards lie where.  (JP-5.7, JP-6)

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

    def check_tracks(self, told: TracksTold) -> Refusal | None:
        """What was told of the tracks at the lock can be: cards, hands and counts agree."""
        by_players = self.house["lock_asks"] == "players"
        return self._check_players(told) if by_players else self._check_sections(told)

    def _check_sections(self, told: TracksTold) -> Refusal | None:
        """Nobody has laid more than the hand held, and the table's counts agree.  (JP-21.1)"""
        laid = dict.fromkeys(self.position.players, 0)
        for (team, number), counts in told.sections.items():
            refusal = self._section_law(team, number, counts)
            if refusal is not None:
                return refusal
            for player in boards.CREW_OF[team]:
                laid[player] += counts[boards.BORDER_NAME_OF[player]]
        for player, count in laid.items():
            refusal = self._hand_law(player, count)
            if refusal is not None:
                return refusal
        return None

    def _check_players(self, told: TracksTold) -> Refusal | None:
        """Players' counts fit their hands, the doubled sections and the track.  (JP-5.5)"""
        for player, count in told.laid.items():
            team, border = boards.TEAM_OF[player], boards.BORDER_NAME_OF[player]
            doubled = sum(told.sections[team, n][border] for n in boards.SECTIONS)
            if count < doubled:
                return no.fewer_than_doubled(player, count, doubled)
            refusal = self._hand_law(player, count)
            if refusal is not None:
                return refusal
        refusals = [self._check_team(team, told) for team in self.position.teams]
        return next((refusal for refusal in refusals if refusal is not None), None)

    def _check_team(self, team: Seat, told: TracksTold) -> Refusal | None:
        """One team's cards: no more than sections, as many as were counted on the track."""
        laid = sum(told.laid[player] for player in boards.CREW_OF[team])
        doubled = [sum(told.sections[team, n].values()) for n in boards.SECTIONS]
        free = [cards for cards in doubled if not cards]
        single = laid - sum(doubled)
        if single > len(free):
            return no.must_be_doubled(team, single, len(free))
        seen = [self.position.counted.get(f"{team}.{n}") for n in boards.SECTIONS]
        counted = sum(cards for cards in seen if cards is not None)
        if counted > laid or (counted != laid and None not in seen):
            return no.track_differs(team, laid, counted)
        return None

    def doubled_card(self, player: Seat, number: int, ordinal: int) -> Reveal[CardFace]:
        """A card of a doubled section, turned over for all to see.  (doubled_reveal, RULING 8)"""
        team = boards.TEAM_OF[player]
        faces = {n: f for n, f in self.cards.faces.items() if f is not NO_CARD}
        return Reveal(
            key=f"{self.round}/doubled/{team.lower()}/{number}/{player}-{ordinal}",
            by=team,
            cite=_DOUBLED,
            prompt=f"{NAMES[player]}: turn over the {boards.BORDER_OF[player]} card {ordinal}.",
            headline=f"{player} doubled: flip {ordinal}",
            faces=faces,
        )


# The Day game.

_TOSS = Cite.of("JP-3.4, RULING 3")
_LOT = Cite.of("JP-3.4, RULING 3")
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


class DayAsks(LockAsks):
    """Those of the Day game."""

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

    def lot_number(self) -> Count:
        """A number that somebody says, from which the companion draws.  (RULING 3)"""
        return Count(
            key=f"{self.game}set-up/number",
            by=TABLE,
            cite=_LOT,
            low=1,
            high=HIGHEST,
            prompt=f"Let somebody say any number from 1 to {HIGHEST}: the lot is drawn from it.",
            headline="Say any number",
            by_chance=True,
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
            all_do=f"draw up to {self.full_hands}",
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
        return owner != boards.NOBODY and (
            owner != boards.UNTOLD or self._untold_here(team, number) > 0
        )

    def _untold_here(self, team: Seat, number: int) -> int:
        """Cards that may lie here; one that lies face up on a later section does not."""
        kept = self.position.face_up.get(team, 0) > number
        return self._untold_cards(team) - kept

    def _untold_cards(self, team: Seat) -> int:
        return sum(self.position.unturned(player) for player in boards.CREW_OF[team])

    def reveal(self, team: Seat, number: int) -> Reveal[CardFace]:
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

    def _laid_out(self, team: Seat, number: int) -> Sequence[Option[CardFace]]:
        legal = [f for f in self.cards.faces.values() if not self._reveal_law(team, number, f)]
        return lay_faces(legal, team, self.position, self.house)

    def _reveal_law(self, team: Seat, number: int, face: CardFace) -> Refusal | None:
        if face.half_missing:
            return no.half_missing(face.card, self.cards.halves[face.card])
        owners = self.position.owners[team]
        owner = owners[number - 1]
        if owner not in (boards.NOBODY, boards.UNTOLD):
            return no.a_card_lies(team, number) if face is NO_CARD else None
        if face is not NO_CARD:
            return None if self.may_hold(team, number) else no.no_card_lies(team, number)
        later, lies_open = (
            owners[number:].count(boards.UNTOLD),
            self.position.face_up.get(team) == number,
        )
        if owner == boards.UNTOLD and (lies_open or self._untold_cards(team) > later):
            return no.a_card_lies(team, number)
        return None

    def _reveal_caution(self, team: Seat, number: int, face: CardFace) -> Notice | None:
        owner = self.position.owners[team][number - 1]
        if owner in (boards.NOBODY, boards.UNTOLD) or face is NO_CARD:
            return None
        return no.caution_about(Seat(owner), face, self.position.piles[Seat(owner)], self.cards)

    def owner(self, team: Seat, number: int) -> Choose[Seat]:
        """Whose card it is, told at the reveal where the lock did not ask.  (RULING 37)"""
        offered = [
            Option(str(p), p, f"{NAMES[p]} ({boards.BORDER_OF[p]})") for p in boards.CREW_OF[team]
        ]
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

    def half(self, owner: Seat, number: int, face: CardFace) -> Choose[CardFace]:
        """Which half counts, where the table lets the owner choose.  (unclear_half, RULING 17)"""
        halves = [self.cards.faces[name] for name in self.cards.halves[face.card]]
        return Choose(
            key=f"{self.round}/section-{number}/half/{boards.TEAM_OF[owner].lower()}",
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
            agrees=True,
        )


@cache
def _zone_options(lineup: Lineup, light: Piece) -> Sequence[Option[Zone]]:
    return [Option(zone, zone, zone, {light: boards.POSES[zone]}) for zone in lineup.zones]


def _any_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
