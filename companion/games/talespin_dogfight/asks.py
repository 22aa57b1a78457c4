"""The questions of the TaleSpin dogfight: whom they ask, which rule asks, what is offered.

Keys are built from the dogfight of the turn and its step: "dogfight-1/answer-2/maneuver".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.board import Pose
from companion.core.question import Choose, Count, Option, Refusal
from companion.core.ruling import TABLE, Cite, Seat
from companion.core.text import counted, headed, listed
from companion.games.talespin_dogfight import maneuvers, refusals, seats
from companion.games.talespin_dogfight.boards import location_of, space_of
from companion.games.talespin_dogfight.figures import (
    MOST_EFFECT,
    MOST_PILOT,
    MOST_RANGE,
    WindowCard,
)
from companion.games.talespin_dogfight.maneuvers import Effect
from companion.games.talespin_dogfight.refusals import (
    Said,
    listed_maneuvers,
    owner_in,
    said_as,
    title_in,
)
from companion.games.talespin_dogfight.steps import INSTEAD, SET_UP, WINDOWS

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.position import Played, TalespinPosition


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
    seats.HAND: "cards in hand", seats.PACKED: "cards of packed cargo, face down",
    seats.OPEN: "cards of open cargo, face up",
}  # fmt: skip
CARDS_IN_SHORT: Mapping[str, str] = {
    seats.HAND: "cards in hand?", seats.PACKED: "cargo face down?", seats.OPEN: "cargo face up?",
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
        token, spaces = seats.TOKENS[seat], range(1, self.position.table.locations + 1)

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

        waiting = (seats.TOKENS[s] for s, p in self.position.players.items() if p.place is None)
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
            prompt=f"{self.names[seat]}: {what}?", headline=f"{name.upper()} number?",
        )  # fmt: skip

    def cards(self, seat: Seat, pile: str) -> Count:
        """How many cards a player has in hand, or as cargo."""
        return Count(
            key=self.key(pile, seat), by=seat, cite=_COUNTED, high=seats.MOST_COUNTED,
            prompt=f"{self.names[seat]}: how many {CARDS[pile]}?",
            headline=CARDS_IN_SHORT[pile].capitalize(),
        )  # fmt: skip

    def pile(self, pile: str) -> Count:
        """How many cards are in the draw or discard pile."""
        return Count(
            key=self.key("pile", pile), by=TABLE, cite=_COUNTED, high=seats.MOST_COUNTED,
            prompt=f"How many cards are in the {pile} pile?", headline=f"Count: {pile} pile",
        )  # fmt: skip

    # -- phase 1 ---------------------------------------------------------------------------

    def announce(self) -> Choose[str]:
        """By which card the dogfight is started, or that there is none."""
        seat, position = self.position.attacker, self.position
        by_pilot, by_range = maneuvers.BY_PILOT, maneuvers.BY_RANGE
        listed = [
            *(Option(title, title, title, group="Pilot card") for title in position.table.pilots),
            Option(by_pilot, by_pilot, "A Pilot card that is not listed", group="Pilot card"),
            Option(by_range, by_range, "RANGE of the Player card", group="Player card"),
            Option(NO_DOGFIGHT, NO_DOGFIGHT, "No dogfight", group="Nothing"),
        ]

        def legal() -> list[Option[str]]:
            in_hand = bool(position.count(seat, seats.HAND))
            return [one for one in listed if in_hand or one.group != "Pilot card"]

        return Choose(
            key=self.key("card"), by=seat, cite=_ANNOUNCE, offered=legal,
            prompt=f"{self.names[seat]}: start a dogfight by a Pilot card or by RANGE?",
            headline=self.head(seat, "dogfight?"),
            law=lambda how: refusals.by_range(position) if how == by_range else None,
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
        low, most = {"value": (maneuvers.LOWEST, maneuvers.HIGHEST), "pilot": (0, MOST_PILOT)}.get(
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
            by_range = position.start == maneuvers.BY_RANGE
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

        judge = refusals.answer if position.now.role == seats.DEFENDER else refusals.attack
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
        labels = {seats.PACKED: "Open a packed cargo", seats.OPEN: "Discard an open cargo",
                  seats.HAND: "A card of the hand"}  # fmt: skip
        return Choose(
            key=self.key(number, "kind"), by=seat, cite=_EXTRA if is_extra else _DAMAGE,
            prompt=f"{self.names[seat]}: Damage {number} of {total} to "
                   f"{self.names[position.defender]}. Which?",
            headline=self.head(seat, "what is hit?"),
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


# Windows: which card is played, what it brings, whom it concerns.

_Told = tuple[str, str] | None
"""An operation, and to whom or to which maneuver."""

PASS, NOBODY_PLAYS, ANOTHER, NOTHING = "pass", "nobody", "other card", "nothing"


@dataclass(frozen=True, slots=True)
class WindowWord:
    """What was said in a window: a card, or nothing.

    `nobody` passes every window of this moment; `goes_on` passes this one and tells at once the
    maneuver that comes after it (`said` None: concede, or stop).
    """

    card: WindowCard | None = None
    nobody: bool = False
    goes_on: bool = False
    said: Said | None = None


_PASSES = WindowWord()

_WINDOW = Cite.of("TS-WIN-01, TS-WIN-02, RULING 1")
_INSTEAD = Cite.of("TS-WIN-01, RULING 1, RULING 8")
_RESULT = Cite.of("TS-WIN-01, RULING 8")
_EFFECT = Cite.of("TS-WIN-02, RULING 1")
_CANCELLED = Cite.of("TS-304, RULING 13")

_RESULT_LABELS = {
    maneuvers.MET: "The attack counts as met",
    maneuvers.VALUE: "Stands in for a maneuver of a value",
    maneuvers.SKIP: "No attack in this exchange",
    maneuvers.ATTACKER_WINS: "The attacker wins",
    maneuvers.DEFENDER_WINS: "The defender wins",
    maneuvers.NO_WINNER: "It ends without a winner",
    maneuvers.OTHER: "Something else: a maneuver follows",
}
_LABELS = {
    maneuvers.DRAW_CARDS: "draws cards",
    maneuvers.DISCARD_CARDS: "discards cards",
    maneuvers.RAISE: "maneuvers worth more",
    maneuvers.LOWER: "maneuvers worth less",
    maneuvers.PILOT: "PILOT more",
    maneuvers.CANCEL: "no Damage, no Draw",
    maneuvers.REMOVE: "leaves the table",
}


class WindowAsks(Asks):
    """What is asked about cards that are played beside the maneuvers."""

    def window(self, seat: Seat) -> Choose[WindowWord]:
        """Which card of this window is played, or none; silence passes where the house says so."""
        position, moment = self.position, self.position.now.window
        regular, also = self._regular(), [self.names[who] for who in self._also_asked(seat)]
        more = f" “Nobody plays a card” speaks for {listed(also)}, too." if also else ""
        listed_now = self._listed(seat)
        asked = Choose(
            key=self.key(seat, position.nth + 1, "card"), by=seat,
            cite=Cite.of(self._rule()).also(_INSTEAD if moment == INSTEAD else _WINDOW),
            lapse=None if self._is_asked_out else PASS,
            prompt=f"{self.names[seat]}: a card {WINDOWS[moment]}? Play it, or pass.{more}",
            headline=self.head(seat, "card or pass?"), offered=listed_now,
            named=lambda raw: _of_owner(raw, seat, listed_now),
            law=lambda word: refusals.window_card(word.card, position) if word.card else None,
            unlisted=lambda raw: refusals.in_window(raw, position, seat),
        )  # fmt: skip
        return asked if regular is None else self._with_regular(asked, regular)

    @property
    def _is_asked_out(self) -> bool:
        """Whether every window waits until its own player passes.  (RULING 1)"""
        return self.position.house.get("windows") == "ask"

    def _also_asked(self, seat: Seat) -> list[Seat]:
        """Who has the next windows of this moment, where one word may pass for all."""
        others = self.position.moment()[1:]
        return (
            [] if self._is_asked_out else [s for s in others if self.position.count(s, seats.HAND)]
        )

    def _listed(self, seat: Seat) -> list[Option[WindowWord]]:
        """A pass, one for everybody whose window comes next, and the cards of this moment."""
        moment = self.position.now.window
        options = [Option(PASS, _PASSES, "Pass")]
        if self._also_asked(seat):
            options.append(Option(NOBODY_PLAYS, WindowWord(nobody=True), "Nobody plays a card"))
        options += [
            Option(card.title, WindowWord(card), card.title, group="Card")
            for card in self.position.table.windows.values()
            if moment in card.windows
        ]
        unknown = WindowCard("", (moment,))
        return [*options, Option(ANOTHER, WindowWord(unknown), "Another card", group="Card")]

    def _regular(self) -> Choose[Said | None] | None:
        """The maneuver that the same player tells next; it may be told at once.  (RULING 1)"""
        if self.position.now.window != INSTEAD or self._is_asked_out:
            return None
        return self.attack() if self.position.now.role == seats.ATTACKER else self.answer()

    def _with_regular(
        self, asked: Choose[WindowWord], regular: Choose[Said | None]
    ) -> Choose[WindowWord]:
        """A window that its own player's next maneuver closes as well as a pass."""
        cards, of_card, of_window = asked.listed(), asked.law, asked.unlisted

        def named(raw: Json) -> Option[WindowWord] | None:
            card = _of_owner(raw, asked.by, cards)
            if card is not None or regular.named is None:
                return card
            told = regular.named(raw)
            return None if told is None else _going_on(told)

        def law(word: WindowWord) -> Refusal | None:
            judge = regular.law if word.goes_on else of_card
            return None if judge is None else judge(word.said if word.goes_on else word)

        def offered() -> Sequence[Option[WindowWord]]:
            return [*cards, *map(_going_on, regular.listed())]

        def unlisted(raw: Json) -> Refusal | None:
            refusal = of_window(raw) if of_window else None
            return refusal or (regular.unlisted(raw) if regular.unlisted else None)

        asked.offered, asked.named, asked.law, asked.unlisted = offered, named, law, unlisted
        asked.headline = regular.headline
        asked.prompt = f"{regular.prompt.rstrip('.')}; or play a card {WINDOWS[INSTEAD]}."
        return asked

    def _rule(self) -> str:
        """The paragraph of the step under way."""
        now = self.position.now
        return now.rule_b if now.rule_b and self.position.winner == seats.DEFENDER else now.rule

    def result(self, seat: Seat) -> Choose[str]:
        """What a card brings that is not in the table's file."""
        barred = (
            maneuvers.NOT_OF_ATTACKER
            if self.position.now.role == seats.ATTACKER
            else maneuvers.NOT_OF_DEFENDER
        )
        return Choose(
            key=self._nth(seat, "result"),
            by=seat,
            cite=_RESULT,
            prompt=f"{self.names[seat]}: what does the card bring instead of the maneuver?",
            headline=self.head(seat, "what comes of it?"),
            offered=[
                Option(one, one, _RESULT_LABELS[one])
                for one in maneuvers.RESULTS
                if one not in barred
            ],
        )

    def value(self, seat: Seat) -> Count:
        """The value that such a card stands in for."""
        position = self.position
        return Count(
            key=self._nth(seat, "value"),
            by=seat,
            cite=_RESULT,
            low=maneuvers.LOWEST,
            high=maneuvers.HIGHEST,
            prompt=f"{self.names[seat]}: a maneuver of which value does the card stand for?",
            headline=self.head(seat, "which value?"),
            law=lambda value: (
                refusals.too_low(value, position, "The card")
                if position.now.role == seats.DEFENDER
                else None
            ),
        )

    def effect(self, seat: Seat, number: int) -> Choose[_Told]:
        """One operation of a card that nobody has written down; silence: nothing to record."""
        nothing: Option[_Told] = Option(NOTHING, None, "Nothing more to record")
        listed = [nothing, *self._to_players(seat)]
        for does in (maneuvers.CANCEL, maneuvers.REMOVE):
            listed += [
                _option(does, one.name, f"{one.maneuver} {_LABELS[does]}", "Maneuver")
                for one in self.open_to(does)
            ]
        if not self.position.winner:
            listed.append(
                Option(maneuvers.NO_WINNER, (maneuvers.NO_WINNER, ""), "It ends without a winner")
            )
        return Choose(
            key=self._nth(seat, "effect", number), by=seat, cite=_EFFECT, lapse=NOTHING,
            prompt=f"{self.names[seat]}: carry the card out. What of it is to be recorded?",
            headline=self.head(seat, "what does it do?"), offered=listed,
        )  # fmt: skip

    def _to_players(self, seat: Seat) -> list[Option[_Told]]:
        """What the card may do to those who fight, and to who plays it."""
        fighting = [other for other in self.position.players if self.position.role_of(other)]
        return [
            _option(does, who, f"{self.names[who]} {_LABELS[does]}", self.names[who])
            for who in dict.fromkeys((*fighting, seat))
            for does in self._does(who)
        ]

    def _does(self, who: Seat) -> tuple[str, ...]:
        """What may happen to a player now."""
        cards = (
            maneuvers.DRAW_CARDS,
            *([maneuvers.DISCARD_CARDS] if self.position.count(who, seats.HAND) else []),
        )
        fights = self.position.role_of(who) and not self.position.winner
        return (*cards, maneuvers.RAISE, maneuvers.LOWER, maneuvers.PILOT) if fights else cards

    def open_to(self, does: str) -> list[Played]:
        """The maneuvers that can be cancelled, or can leave the table."""
        if does == maneuvers.CANCEL:
            return [one for one in self.position.of_attacker() if not one.cancelled]
        return [one for one in self.position.on_table() if one.shown]

    def which(self, seat: Seat, does: str, number: int) -> Choose[Played | None]:
        """Which played maneuver a card is about."""
        listed: list[Option[Played | None]] = [
            Option(one.name, one, f"{self.names[one.seat]}: {one.maneuver}")
            for one in self.open_to(does)
        ]
        return Choose(
            key=self._nth(seat, "which", number),
            by=seat,
            cite=_CANCELLED,
            prompt=f"{self.names[seat]}: of which maneuver? It {_LABELS[does]}."
            if does == maneuvers.REMOVE
            else f"{self.names[seat]}: which maneuver brings {_LABELS[does]}?",
            headline=self.head(seat, "which maneuver?"),
            offered=[*listed, Option(NOTHING, None, "None of them")],
        )

    def amount(self, seat: Seat, effect: Effect, number: int) -> Count:
        """How often: so many cards, or so much more or less."""
        return Count(
            key=self._nth(seat, "amount", number),
            by=seat,
            cite=_EFFECT,
            low=1,
            high=maneuvers.MOST,
            lapse=1,
            prompt=f"{self.names[seat]}: {effect.does} how many?",
            headline=self.head(seat, f"{effect.does}: how many?"),
        )

    def _nth(self, seat: Seat, *place: object) -> str:
        return self.key(seat, self.position.nth, *place)


def _of_owner(
    raw: Json, seat: Seat, cards: Sequence[Option[WindowWord]]
) -> Option[WindowWord] | None:
    """The card that was named, with or without its owner before it."""
    owner, card = owner_in(raw)
    name = title_in(card, [option.name for option in cards])
    if name is None or title_in(owner or seat, (seat,)) is None:
        return None
    return next(option for option in cards if option.name == name)


def _going_on(told: Option[Said | None]) -> Option[WindowWord]:
    """The option of a maneuver, as one that closes the window before it."""
    word = WindowWord(goes_on=True, said=told.value)
    return Option(told.name, word, told.label, group=told.group, cell=told.cell)


def _option(does: str, whom: str, label: str, group: str) -> Option[_Told]:
    return Option(f"{does} {whom}", (does, whom), label, group=group)
