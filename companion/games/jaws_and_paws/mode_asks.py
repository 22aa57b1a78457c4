"""The questions of Jaws & Paws that only other modes ask: the Moon, solo players, several teams.

`asks.py` has those of the Day game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.question import Choose, Count, Option, Ready, Refusal
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.asks import DayAsks
from companion.games.jaws_and_paws.boards import NAMES, owner_of
from companion.games.jaws_and_paws.moves import same_zone

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.asks import TracksTold

# Refusals of Night Mode and of more than two teams.  (JP-16, JP-19)

_MOON_DRAW = Cite.of("JP-16.3, RULING 23")
_DESTINATION = Cite.of("JP-19.5, RULING 31")


def moon_draws_too_many(player: Seat, cards: int, most: int, deck: int) -> Refusal:
    """More than the Moon lets draw, or than the Deck holds."""
    text = f"{NAMES[player]}: the Moon lets you draw up to {most} more, not {cards}."
    if cards <= most:
        name = NAMES[player]
        text = f"{name}: your Deck holds {deck}; that ends the Moon draw, without a loss."
    return Refusal("JP-E43", text, _MOON_DRAW)


def no_destination(team: Seat, bright: str, *, here: bool) -> Refusal:
    """Move Sun Team goes to another team that still flies."""
    why = f"has the {bright} already" if here else "is shot down"
    text = f"{team} {why}: choose another team that still flies."
    return Refusal("JP-NO-DESTINATION", text, _DESTINATION)


# The questions.  (JP-16 to JP-19)

_MOON_LOOK = Cite.of("JP-16.4, RULING 24")
_FACE_UP = Cite.of("JP-18.3, RULING 26")
_PLACING = Cite.of("JP-3.4, RULING 28")
_FALLEN = Cite.of("JP-11.1, RULING 33")

LOOK, TOP = "look", "top cards"


class FromHand(NamedTuple):
    """A card that a solo player lays face up after the buzzer: of which hand, on which section."""

    player: Seat
    section: int


class Asks(DayAsks):
    """Makes the questions for one match, of whatever mode; holds nothing of its own."""

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
            all_do="draw by the Moon",
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

    def face_up(self, team: Seat, told: TracksTold) -> Choose[int]:
        """On which section the solo player's card lies face up.  (JP-18.3, RULING 26)"""

        def listed() -> Sequence[Option[int]]:
            cards = {n: sum(told.sections[team, n].values()) for n in boards.SECTIONS}
            laid = [n for n, number in cards.items() if number]
            doubled = [n for n in laid if cards[n] > 1]
            if self.house["lock_asks"] == "players":
                own = sum(told.laid[player] for player in boards.CREW_OF[team])
                single = own - sum(cards[n] for n in doubled)
                laid = doubled if not single else [*boards.SECTIONS]
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
            held = [p for p in boards.CREW_OF[team] if self.position.piles[p]["hand"]]
            return [
                Option(
                    f"{n} {boards.BORDER_NAME_OF[player]}",
                    FromHand(player, n),
                    f"Section {n}",
                    group=f"a {boards.BORDER_OF[player]} card",
                )
                for player in held
                for n in boards.SECTIONS
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
            Option(str(team), team, str(team), {light: boards.POSES[same_zone(zone, team)]})
            for team in self.position.teams
            if team != owner_of(zone)
        ]

    def _no_destination(self, raw: object) -> Refusal | None:
        zone = self.position.sun
        said = str(raw).lower()
        teams = self.position.lineup.teams
        named = next(
            (t for t in teams if said in (t.lower(), *map(str.lower, boards.CREW_OF[t]))), None
        )
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
            agrees=True,
        )
