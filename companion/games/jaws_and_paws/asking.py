"""Questions of Jaws & Paws at the lock and in other modes, and what all its questions share.

`asks.py` has the questions of the Day game and inherits these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.question import Choose, Count, Declare, Option, Question, Ready, Refusal, Reveal
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.boards import (
    BORDER_NAME_OF,
    BORDER_OF,
    CREW_OF,
    MATE_OF,
    NAMES,
    PIECE_NAMES,
    POSES,
    SECTIONS,
    TEAM_OF,
    owner_of,
)
from companion.games.jaws_and_paws.cards import NO_CARD, Face
from companion.games.jaws_and_paws.moves import same_zone
from companion.games.jaws_and_paws.switches import FACE_UP_OF_MANY, FACE_UP_OF_THREE
from companion.kit.piles import HIGHEST

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.cards import CardTable
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


def still_legal(
    questions: Mapping[Any, Question[Any]],
) -> Callable[[Mapping[Any, Any]], Refusal | None]:
    """Judge every answer of a form once more as it closes: the arbiter may have adjusted."""

    def check(values: Mapping[Any, Any]) -> Refusal | None:
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
        gone, mate = self.position.gone, MATE_OF[player]
        return mate if player in gone and mate not in gone else player

    @property
    def tracks(self) -> str:
        """The Action Tracks of everybody who plays, in a sentence."""
        return "both tracks" if len(self.position.lineup.teams) == 2 else "all tracks"

    @property
    def bright(self) -> str:
        """What the Sun, or what replaces it, is called."""
        return PIECE_NAMES[self.position.light]

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


# Refusals of Night Mode and of more than two teams.  (JP-16, JP-19)

_MOON_DRAW = Cite.of("JP-16.3, RULING 23")
_DESTINATION = Cite.of("JP-19.5, RULING 31")


def moon_draws_too_many(player: Seat, cards: int, most: int, deck: int) -> Refusal:
    """More than the Moon lets draw, or than the Deck holds."""
    text = f"{NAMES[player]}: the Moon lets you draw up to {most} more, not {cards}."
    if cards <= most:
        text = f"{NAMES[player]}: your Deck holds {deck}; that ends the Moon draw, without a loss."
    return Refusal("JP-E43", text, _MOON_DRAW)


def no_destination(team: Seat, bright: str, *, here: bool) -> Refusal:
    """Move Sun Team goes to another team that still flies."""
    why = f"has the {bright} already" if here else "is shot down"
    text = f"{team} {why}: choose another team that still flies."
    return Refusal("JP-NO-DESTINATION", text, _DESTINATION)


# Night Mode, solo players, more than two teams.  (JP-16 to JP-19)

T = TypeVar("T")

_MOON_LOOK = Cite.of("JP-16.4, RULING 24")
_FACE_UP = Cite.of("JP-18.3, RULING 26")
_FACE_UP_OF_MANY = Cite.of("RULING 27")
_PLACING = Cite.of("JP-3.4, RULING 28")
_LOT = Cite.of("JP-3.4, RULING 3")
_FALLEN = Cite.of("JP-11.1, RULING 33")

_OF_THREE, _OF_MANY = FACE_UP_OF_THREE.name, FACE_UP_OF_MANY.name

LOOK, TOP = "look", "top cards"
LOT = "lot"


class FromHand(NamedTuple):
    """A card that a solo player lays face up after the buzzer: of which hand, on which section."""

    player: Seat
    section: int


class ModeAsks(Asking):
    """Asked only by the chapters that replace paragraphs of the four-player Day game."""

    def drawn_options(self) -> Sequence[Option[Seat | None]]:
        """Every team that plays; or nobody has drawn, and the companion does.  (RULING 3)"""
        teams: list[Option[Seat | None]] = [
            Option(str(team), team, str(team), group="Team") for team in self.position.teams
        ]
        return [*teams, Option(LOT, None, "The companion tosses", group="Lot")]

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
        )

    # -- the Moon (JP-16) ------------------------------------------------------------------

    def moon_draw(self, player: Seat) -> Count:
        """How many cards a player draws because of the Moon.  (JP-16.3, RULING 23)"""
        piles, most = self.position.piles[player], self.cards.moon_draw
        return Count(
            key=f"{self.round}/moon/{player}",
            by=self.speaker(player),
            cite=_MOON_DRAW,
            prompt=f"{NAMES[player]}: the Moon lets you draw up to {most} more. How many?",
            headline=f"{NAMES[player]}: Moon",
            lapse="0",
            high=lambda: min(most, piles["deck"]),
            over=lambda n: moon_draws_too_many(player, n, most, piles["deck"]),
        )

    def moon_drawn(self) -> Ready:
        """Everybody whom the Moon favours has drawn.  (JP-16.3)"""
        return Ready(
            key=f"{self.round}/moon/drawn",
            by=TABLE,
            cite=_MOON_DRAW,
            prompt="Has everybody drawn whom the Moon lets draw?",
            headline="Moon: all drawn?",
            word="drawn",
        )

    def moon_look(self, shooter: Seat, receiver: Seat, damage: int) -> Choose[bool]:
        """Whether the shooter picks what is scrapped.  (JP-16.4, RULING 24)"""
        seen = self.cards_seen(receiver, damage)
        return Choose(
            key=f"{self.round}/{self.position.stage}/look/{receiver}",
            by=self.speaker(shooter),
            cite=_MOON_LOOK,
            prompt=f"{NAMES[shooter]}: look at the top {seen} of {NAMES[receiver]}'s Deck and "
            f"choose the {damage}, or take the top {damage}?",
            headline=f"{NAMES[shooter]}: look?",
            offered=[
                Option(LOOK, value=True, label=f"Look at {seen}"),
                Option(TOP, value=False, label=f"Take the top {damage}"),
            ],
        )

    def cards_seen(self, receiver: Seat, damage: int) -> int:
        """How many cards a look shows: nine, all of a shorter Deck, never fewer than the damage."""
        return min(self.position.piles[receiver]["deck"], max(self.cards.moon_look, damage))

    def moon_looked(self, shooter: Seat, receiver: Seat) -> Ready:
        """The shooter has picked, and the Deck is shuffled.  (JP-16.4)"""
        return Ready(
            key=f"{self.round}/{self.position.stage}/looked/{receiver}",
            by=self.speaker(shooter),
            cite=_MOON_LOOK,
            prompt=f"{NAMES[shooter]}: chosen unseen by others, the rest back, "
            f"{NAMES[receiver]}'s Deck shuffled?",
            headline=f"{NAMES[shooter]}: done?",
            word="done",
        )

    # -- the solo player's card (JP-18) ----------------------------------------------------

    def duty(self, *seats: Seat) -> str:
        """What solo players among these lay face up in the coming phase, in a sentence.  (JP-18.3)

        Empty where nobody has to: it is told before the phase, for afterwards it is too late.
        """
        how = self._face_up_rule
        teams = [team for team in seats if team in self.position.lineup.solos and how != "none"]
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

    def face_up(self, team: Seat, told: Mapping[Any, Any]) -> Choose[int]:
        """On which section the solo player's card lies face up.  (JP-18.3, RULING 26)"""

        def listed() -> Sequence[Option[int]]:
            laid = [n for n in SECTIONS if sum(told[team, n].values())]
            doubled = [n for n in laid if sum(told[team, n].values()) > 1]
            if self.house["lock_asks"] == "players":
                single = sum(told[p] for p in CREW_OF[team]) - sum(
                    sum(told[team, n].values()) for n in doubled
                )
                laid = doubled if not single else [*SECTIONS]
            return [Option(str(n), n, f"Section {n}") for n in laid]

        return Choose(
            key=f"{self.round}/lock/face-up/{team.lower()}",
            by=team,
            cite=_FACE_UP,
            prompt=f"{team}: on which section does your card lie face up? "
            "If none does, turn one up now.",
            headline=f"{team}: face up?",
            offered=listed,
        )

    def lay_face_up(self, team: Seat) -> Choose[FromHand]:
        """Which card a solo player who laid none puts face up on the track.  (RULING 26)"""

        def listed() -> Sequence[Option[FromHand]]:
            held = [p for p in CREW_OF[team] if self.position.piles[p]["hand"]]
            return [
                Option(
                    f"{n} {BORDER_NAME_OF[player]}",
                    FromHand(player, n),
                    f"Section {n}",
                    group=f"a {BORDER_OF[player]} card",
                )
                for player in held
                for n in SECTIONS
            ]

        return Choose(
            key=f"{self.round}/lock/face-up/{team.lower()}",
            by=team,
            cite=_FACE_UP,
            prompt=f"{team}: no card of yours lies there. Lay one from hand face up: where?",
            headline=f"{team}: lay one face up",
            offered=listed,
        )

    # -- more than two teams (JP-19) -------------------------------------------------------

    def placing_team(self) -> Choose[Seat | None]:
        """Which of several teams places the Sun: drawn by lot.  (JP-3.4, RULING 28)"""
        return Choose(
            key=f"{self.game}set-up/toss",
            by=TABLE,
            cite=_PLACING,
            prompt=f"Draw lots between the teams. Which one places the {self.bright}?",
            headline="Draw lots: who wins?",
            offered=self.drawn_options,
            named=self.team_named(self.drawn_options),
        )

    def team_named(
        self, offered: Callable[[], Sequence[Option[T]]]
    ) -> Callable[[Json], Option[T] | None]:
        """A team among these options by the code of who plays in it."""

        def find(raw: Json) -> Option[T] | None:
            team = next((t for p, t in TEAM_OF.items() if p.lower() == str(raw).lower()), None)
            return next((option for option in offered() if option.name == team), None)

        return find

    def destination(self, player: Seat, team: Seat, number: int) -> Choose[Seat]:
        """To whose boards Move Sun Team takes the Sun.  (JP-19.5, RULING 31)"""
        return Choose(
            key=f"{self.round}/section-{number}/to/{team.lower()}",
            by=self.speaker(player),
            cite=_DESTINATION,
            prompt=f"{NAMES[player]}: to which team's boards does the {self.bright} go?",
            headline=f"{NAMES[player]}: to?",
            offered=self.destinations,
            named=self.team_named(self.destinations),
            unlisted=self._no_destination,
        )

    def destinations(self) -> Sequence[Option[Seat]]:
        """Every other team that still flies, with where the Sun would stand.  (RULING 31)"""
        zone, light = self.position.sun, self.position.light
        if zone is None:
            return []
        return [
            Option(str(team), team, str(team), {light: POSES[same_zone(zone, team)]})
            for team in self.position.teams
            if team != owner_of(zone)
        ]

    def _no_destination(self, raw: object) -> Refusal | None:
        zone = self.position.sun
        said = str(raw).lower()
        teams = self.position.lineup.teams
        named = next((t for t in teams if said in (t.lower(), *map(str.lower, CREW_OF[t]))), None)
        if zone is None or named is None:
            return None
        return no_destination(named, self.bright, here=named == owner_of(zone))

    def fallen(self, team: Seat) -> Ready:
        """A team agrees that it is shot down before it leaves the game.  (RULING 33)"""
        return Ready(
            key=f"{self.round}/{self.position.stage}/down/{team.lower()}",
            by=team,
            cite=_FALLEN,
            prompt=f"{team}: shot down. Do you agree, and to the counts?",
            headline=f"{team}: agreed?",
            word="agreed",
        )
