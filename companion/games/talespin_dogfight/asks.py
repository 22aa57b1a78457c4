"""The questions of set-up and of the three phases: whom they ask, which rule, what is offered.

Keys are built from the dogfight of the turn and its step: "dogfight-1/answer-2/maneuver".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.board import Pose
from companion.core.question import Choose, Count, Option
from companion.core.ruling import TABLE, Cite, Seat
from companion.core.text import counted, headed
from companion.games.talespin_dogfight import refusals
from companion.games.talespin_dogfight.boards import location_of, space_of
from companion.games.talespin_dogfight.figures import MOST_EFFECT, MOST_PILOT, MOST_RANGE
from companion.games.talespin_dogfight.layout import (
    DEFENDER,
    HAND,
    HIGHEST,
    LOWEST,
    MOST_COUNTED,
    OPEN,
    PACKED,
    SET_UP,
)
from companion.games.talespin_dogfight.naming import BY_PILOT, BY_RANGE
from companion.games.talespin_dogfight.seats import TOKENS
from companion.games.talespin_dogfight.spoken import Said, listed_maneuvers, said_as

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.maneuver import Played
    from companion.games.talespin_dogfight.position import TalespinPosition

CONCEDE, STOP, TYPED, NO_DOGFIGHT = "concede", "stop", "other", "none"
DEFEND, DECLINE = "defend", "decline"
CARGO, ARTIFACT, BLUFF = "cargo", "artifact", "bluff"
AGAIN, ENOUGH = "dogfight", "end turn"

_TURN = Cite.of("TS-101, RULING 3")
_COUNTED = Cite.of("TS-108, RULING 5")
_PLACE = Cite.of("TS-102, RULING 2")
_SKILL = Cite.of("TS-108, RULING 4")
_ANNOUNCE = Cite.of("TS-101")
_PRINTED = Cite.of("TS-201, RULING 6")
_OPPONENT = Cite.of("TS-102, RULING 2")
_DEFEND = Cite.of("TS-105")
_ANSWER = Cite.of("TS-221, TS-222, TS-223, TS-224")
_ATTACK = Cite.of("RULING 7")
_EFFECTS = Cite.of("TS-304, TS-306, RULING 13")
_DAMAGE = Cite.of("TS-304, RULING 11")
_EXTRA = Cite.of("TS-305, RULING 11, RULING 12")
_OPENED = Cite.of("RULING 18")
_BOUNTY = Cite.of("TS-323, RULING 14")
_AGAIN = Cite.of("TS-101, RULING 3")

SKILLS: Mapping[str, tuple[str, int]] = {
    "pilot": ("PILOT of Player card and Passengers", MOST_PILOT),
    "range": ("RANGE of Player card and Passengers", MOST_RANGE),
}
CARDS: Mapping[str, str] = {
    HAND: "cards in hand", PACKED: "cards of packed cargo, face down",
    OPEN: "cards of open cargo, face up",
}  # fmt: skip


class Asks:
    """Knows the position and what seats are called; names the places in keys."""

    def __init__(self, position: TalespinPosition, names: Mapping[Seat, str]) -> None:
        self.position = position
        self.names = names

    def key(self, *place: object) -> str:
        """A key from the dogfight on: "dogfight-1/draw-attacker/cards"."""
        step = self.position.step
        begin = SET_UP if step == SET_UP else f"dogfight-{self.position.number}/{step}"
        return "/".join((begin, *map(str, place)))

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player."""
        return headed(self.names[seat], seat, words)

    def _seat_option(self, seat: Seat) -> Option[Seat]:
        return Option(seat, seat, self.names[seat], group="Player", about=seat)

    # -- set-up ----------------------------------------------------------------------------

    def on_turn(self) -> Choose[Seat]:
        """Whose turn it is: only that player may start a dogfight."""
        return Choose(
            key=self.key("turn"), by=TABLE, cite=_TURN, headline="Whose turn is it?",
            prompt="Whose turn is it? Only that player may start a dogfight.",
            offered=lambda: [self._seat_option(seat) for seat in self.position.present()],
        )  # fmt: skip

    def place(self, seat: Seat) -> Choose[int]:
        """Where a player's token stands on the ring."""
        token, spaces = TOKENS[seat], range(1, self.position.table.locations + 1)

        def named(raw: Json) -> Option[int] | None:
            number = raw
            if isinstance(raw, str):
                try:
                    number = location_of(raw.strip().lower())
                except ValueError:
                    return None
            if isinstance(number, bool) or not isinstance(number, int) or number not in spaces:
                return None
            return Option(str(number), number, str(number), {token: Pose(space_of(number))})

        waiting = (TOKENS[s] for s, p in self.position.players.items() if p.place is None)
        return Choose(
            key=self.key("place", seat), by=seat, cite=_PLACE, named=named,
            prompt=f"{self.names[seat]}: on which location is your plane?",
            headline=self.head(seat, "where?"), may_move=frozenset(waiting) - {token},
            offered=lambda: [option for n in spaces if (option := named(n)) is not None],
            unlisted=lambda raw: refusals.no_place(raw, len(spaces)),
        )  # fmt: skip

    def skill(self, seat: Seat, name: str) -> Count:
        """PILOT or RANGE of a Player card with its Passengers."""
        what, most = SKILLS[name]
        return Count(
            key=self.key(name, seat), by=seat, cite=_SKILL, high=most,
            prompt=f"{self.names[seat]}: {what}?", headline=f"{name.upper()} of each?",
        )  # fmt: skip

    def cards(self, seat: Seat, pile: str) -> Count:
        """How many cards a player has in hand, or as cargo."""
        return Count(
            key=self.key(pile, seat), by=seat, cite=_COUNTED, high=MOST_COUNTED,
            prompt=f"{self.names[seat]}: how many {CARDS[pile]}?", headline=f"Count: {pile}",
        )  # fmt: skip

    def pile(self, pile: str) -> Count:
        """How many cards are in the draw or discard pile."""
        return Count(
            key=self.key("pile", pile), by=TABLE, cite=_COUNTED, high=MOST_COUNTED,
            prompt=f"How many cards are in the {pile} pile?", headline=f"Count: {pile} pile",
        )  # fmt: skip

    # -- phase 1 ---------------------------------------------------------------------------

    def announce(self) -> Choose[str]:
        """By which card the dogfight is started, or that there is none."""
        seat, position = self.position.attacker, self.position
        pilots = [
            Option(title, title, title, group="Pilot card") for title in position.table.pilots
        ]
        listed = [
            *pilots,
            Option(BY_PILOT, BY_PILOT, "A Pilot card that is not listed", group="Pilot card"),
            Option(BY_RANGE, BY_RANGE, "RANGE of the Player card", group="Player card"),
            Option(NO_DOGFIGHT, NO_DOGFIGHT, "No dogfight", group="Nothing"),
        ]

        def legal() -> list[Option[str]]:
            in_hand = bool(position.count(seat, HAND))
            return [one for one in listed if in_hand or one.group != "Pilot card"]

        return Choose(
            key=self.key("card"), by=seat, cite=_ANNOUNCE, offered=legal,
            prompt=f"{self.names[seat]}: start a dogfight by a Pilot card or by RANGE?",
            headline=self.head(seat, "dogfight?"),
            law=lambda how: refusals.by_range(position) if how == BY_RANGE else None,
            unlisted=lambda raw: refusals.announced(raw, position),
        )  # fmt: skip

    def character(self, seat: Seat) -> Choose[str]:
        """Which Player card it is, where nobody has said so."""
        titles = (*self.position.table.characters, TYPED)
        return Choose(
            key=self.key("player-card"), by=seat, cite=_PRINTED,
            prompt=f"{self.names[seat]}: which Player card is yours? Its maneuver is the first.",
            headline=self.head(seat, "Player card?"),
            offered=[Option(t, t, "Another one" if t == TYPED else t) for t in titles],
            unlisted=lambda raw: refusals.wrong_moment(raw, self.position),
        )  # fmt: skip

    def printed(self, seat: Seat, what: str) -> Count:
        """A number that is printed on the card which starts the dogfight."""
        low, most = {"value": (LOWEST, HIGHEST), "pilot": (0, MOST_PILOT)}.get(
            what, (0, MOST_EFFECT)
        )
        word = {"pilot": "PILOT", "value": "the maneuver's value"}.get(what, what.capitalize())
        return Count(
            key=self.key("printed", what), by=seat, cite=_PRINTED, low=low, high=most,
            prompt=f"{self.names[seat]}: {word} printed on the card that starts the dogfight?",
            headline=f"Printed: {what}",
        )  # fmt: skip

    def opponent(self) -> Choose[Seat]:
        """Who is attacked."""
        position, seat = self.position, self.position.attacker

        def legal() -> list[Option[Seat]]:
            by_range = position.start == BY_RANGE
            near = position.in_range(seat) if by_range else position.opponents()
            return [self._seat_option(other) for other in near]

        return Choose(
            key=self.key("defender"), by=seat, cite=_OPPONENT, offered=legal,
            prompt=f"{self.names[seat]}: whom do you attack?",
            headline=self.head(seat, "attack whom?"),
            unlisted=lambda raw: refusals.opponent(raw, position),
        )  # fmt: skip

    def defend(self) -> Choose[str]:
        """Whether the defender takes up the fight."""
        seat = self.position.defender
        return Choose(
            key=self.key("decides"), by=seat, cite=_DEFEND,
            prompt=f"{self.names[seat]}: do you defend? If not, the attacker wins at once.",
            headline=self.head(seat, "defend?"),
            offered=[Option(DEFEND, DEFEND, "Defend"), Option(DECLINE, DECLINE, "Decline")],
            unlisted=lambda raw: refusals.wrong_moment(raw, self.position),
        )  # fmt: skip

    # -- phase 2 ---------------------------------------------------------------------------

    def _maneuver(self, seat: Seat, none: str, label: str) -> Choose[Said | None]:
        """A maneuver of the hand by title or value, or none."""
        position = self.position
        table = position.table

        def offered() -> Sequence[Option[Said | None]]:
            return [Option(none, None, label, group="Or"), *listed_maneuvers(table)]

        judge = refusals.answer if position.now.role == DEFENDER else refusals.attack
        return Choose(
            key=self.key("maneuver"), by=seat, cite=_ANSWER, prompt="", offered=offered,
            named=lambda raw: said_as(raw, table),
            law=lambda said: judge(said.maneuver if said else None, position),
            unlisted=lambda raw: refusals.wrong_moment(raw, position)
            or refusals.no_maneuver(raw, position, f"Name one, or say {none}."),
        )  # fmt: skip

    def answer(self) -> Choose[Said | None]:
        """What meets the attack, or that nothing does."""
        position = self.position
        seat, needed = position.defender, position.attack_value()
        asked = self._maneuver(seat, CONCEDE, "Concede: can't or won't")
        asked.cite = Cite.of(position.now.rule).also(_ANSWER)
        asked.prompt = f"{self.names[seat]}: play a maneuver of {needed} or more, or concede."
        asked.headline = self.head(seat, f"meet {needed}")
        return asked

    def attack(self) -> Choose[Said | None]:
        """The second or third attacking maneuver, or that there is none."""
        seat, number = self.position.attacker, self.position.now.exchange
        asked = self._maneuver(seat, STOP, "No further maneuver")
        asked.cite = Cite.of(self.position.now.rule).also(_ATTACK)
        asked.prompt = f"{self.names[seat]}: play maneuver {number} from your hand, or stop."
        asked.headline = self.head(seat, f"maneuver {number}")
        return asked

    def effect_of(self, seat: Seat, what: str) -> Count:
        """Damage or Draw of an attacking maneuver; silence means none."""
        return Count(
            key=self.key(what), by=seat, cite=_EFFECTS, lapse=0, high=MOST_EFFECT,
            prompt=f"{self.names[seat]}: {what.capitalize()} printed on this maneuver?",
            headline=self.head(seat, f"its {what.capitalize()}?"),
        )  # fmt: skip

    # -- phases 3a and 3b ------------------------------------------------------------------

    def damage(self, number: int, total: int, *, is_extra: bool) -> Choose[str]:
        """What one Damage does."""
        position, seat = self.position, self.position.attacker
        labels = {PACKED: "Open a packed cargo", OPEN: "Discard an open cargo",
                  HAND: "A card of the hand"}  # fmt: skip
        return Choose(
            key=self.key(number, "kind"), by=seat, cite=_EXTRA if is_extra else _DAMAGE,
            prompt=f"{self.names[seat]}: Damage {number} of {total} to "
                   f"{self.names[position.defender]}. Which?",
            headline=self.head(seat, f"Damage {number}/{total}"),
            offered=[Option(kind, kind, labels[kind]) for kind in refusals.DAMAGES],
            law=lambda kind: refusals.damage(kind, position),
            unlisted=lambda raw: refusals.wrong_moment(raw, position)
            or refusals.no_damage(raw, position),
        )  # fmt: skip

    def opened(self, number: int, *, is_extra: bool) -> Choose[str]:
        """What the packed cargo turned out to be."""
        seat = self.position.defender
        goes = self.position.house.get("opened_artifact") == "bluff"
        artifact = "An artifact: discard it" if goes else "An artifact: it stays, open"
        labels = {CARGO: "Cargo: it stays, open", ARTIFACT: artifact, BLUFF: "A bluff: discard it"}
        return Choose(
            key=self.key(number, "opened"), by=seat,
            cite=(_EXTRA if is_extra else _DAMAGE).also(_OPENED),
            prompt=f"{self.names[seat]}: open the packed cargo chosen. What is it?",
            headline=self.head(seat, "what is it?"),
            offered=[Option(kind, kind, label) for kind, label in labels.items()],
            unlisted=lambda raw: refusals.wrong_moment(raw, self.position),
        )  # fmt: skip

    def bounty(self) -> Choose[Played | None]:
        """Which of the played maneuvers the winning defender takes."""
        position, seat = self.position, self.position.defender
        offered: list[Option[Played | None]] = [
            Option(one.name, one, f"{self.names[one.seat]}: {one.maneuver}")
            for one in position.on_table()
        ]
        if position.house.get("bounty") == "may":
            offered.append(Option(refusals.NO_CARD, None, "None"))
        return Choose(
            key=self.key("card"), by=seat, cite=_BOUNTY, offered=offered,
            prompt=f"{self.names[seat]}: which played maneuver do you take into your hand?",
            headline=self.head(seat, "take a card"),
            unlisted=lambda raw: refusals.bounty(raw, position),
        )  # fmt: skip

    def again(self, left: int) -> Choose[str]:
        """Whether another dogfight follows in this turn."""
        seat = self.position.attacker
        return Choose(
            key=self.key("again"), by=seat, cite=_AGAIN, lapse=ENOUGH,
            prompt=f"{self.names[seat]}: {counted(left, 'more dogfight')} may follow. Another?",
            headline=self.head(seat, "another?"),
            offered=[Option(AGAIN, AGAIN, "Another dogfight"), Option(ENOUGH, ENOUGH, "End turn")],
            unlisted=lambda raw: refusals.wrong_moment(raw, self.position),
        )  # fmt: skip
