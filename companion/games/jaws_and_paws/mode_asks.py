"""The questions of Night Mode, of solo players and of more than two teams.  (JP-16 to JP-19)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.question import Choose, Count, Option, Ready, Refusal
from companion.core.ruling import TABLE, Cite, Seat
from companion.games.jaws_and_paws import mode_refusals as no
from companion.games.jaws_and_paws.asking import Asking
from companion.games.jaws_and_paws.crew import BORDER_NAME_OF, BORDER_OF, CREW_OF, NAMES, TEAM_OF
from companion.games.jaws_and_paws.layout import SECTIONS
from companion.games.jaws_and_paws.moves import POSES, owner_of, same_zone
from companion.games.jaws_and_paws.switches import FACE_UP_OF_MANY, FACE_UP_OF_THREE
from companion.kit.piles import HIGHEST

if TYPE_CHECKING:
    from companion.core.ruling import Json

T = TypeVar("T")

_MOON_DRAW = Cite.of("JP-16.3, RULING 23")
_MOON_LOOK = Cite.of("JP-16.4, RULING 24")
_FACE_UP = Cite.of("JP-18.3, RULING 26")
_FACE_UP_OF_MANY = Cite.of("RULING 27")
_PLACING = Cite.of("JP-3.4, RULING 28")
_LOT = Cite.of("JP-3.4, RULING 3")
_DESTINATION = Cite.of("JP-19.5, RULING 31")
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
            over=lambda n: no.moon_draws_too_many(player, n, most, piles["deck"]),
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
        return no.no_destination(named, self.bright, here=named == owner_of(zone))

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
