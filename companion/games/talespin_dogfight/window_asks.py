"""The questions of windows: which card is played, what it brings, whom it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.question import Choose, Count, Option, Refusal
from companion.core.ruling import Cite, Seat
from companion.core.text import listed
from companion.games.talespin_dogfight import refusals
from companion.games.talespin_dogfight.asks import Asks
from companion.games.talespin_dogfight.effects import (
    ATTACKER_WINS,
    CANCEL,
    DEFENDER_WINS,
    DISCARD_CARDS,
    DRAW_CARDS,
    LOWER,
    MET,
    MOST,
    NO_WINNER,
    NOT_OF_ATTACKER,
    NOT_OF_DEFENDER,
    OTHER,
    PILOT,
    RAISE,
    REMOVE,
    RESULTS,
    SKIP,
    VALUE,
    Effect,
)
from companion.games.talespin_dogfight.figures import WindowCard
from companion.games.talespin_dogfight.layout import (
    ATTACKER,
    DEFENDER,
    HAND,
    HIGHEST,
    INSTEAD,
    LOWEST,
    WINDOWS,
)
from companion.games.talespin_dogfight.spoken import Said, owner_in, title_in

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.maneuver import Played

_Told = tuple[str, str] | None
"""An operation, and to whom or to which maneuver."""

PASS, NOBODY_PLAYS, ANOTHER, NOTHING = "pass", "nobody", "other card", "nothing"


@dataclass(frozen=True, slots=True)
class Word:
    """What was said in a window: a card, or nothing.

    `nobody` passes every window of this moment; `goes_on` passes this one and tells at once the
    maneuver that comes after it (`said` None: concede, or stop).
    """

    card: WindowCard | None = None
    nobody: bool = False
    goes_on: bool = False
    said: Said | None = None


_PASSES = Word()

_WINDOW = Cite.of("TS-WIN-01, TS-WIN-02, RULING 1")
_INSTEAD = Cite.of("TS-WIN-01, RULING 1, RULING 8")
_RESULT = Cite.of("TS-WIN-01, RULING 8")
_EFFECT = Cite.of("TS-WIN-02, RULING 1")
_CANCELLED = Cite.of("TS-304, RULING 13")

_RESULT_LABELS = {
    MET: "The attack counts as met",
    VALUE: "Stands in for a maneuver of a value",
    SKIP: "No attack in this exchange",
    ATTACKER_WINS: "The attacker wins",
    DEFENDER_WINS: "The defender wins",
    NO_WINNER: "It ends without a winner",
    OTHER: "Something else: a maneuver follows",
}
_LABELS = {
    DRAW_CARDS: "draws cards", DISCARD_CARDS: "discards cards", RAISE: "maneuvers worth more",
    LOWER: "maneuvers worth less", PILOT: "PILOT more", CANCEL: "no Damage, no Draw",
    REMOVE: "leaves the table",
}  # fmt: skip


class WindowAsks(Asks):
    """What is asked about cards that are played beside the maneuvers."""

    def window(self, seat: Seat) -> Choose[Word]:
        """Which card of this window is played, or none; silence passes where the house says so."""
        position, moment = self.position, self.position.now.window
        regular, also = self._regular(), [self.names[who] for who in self._also_asked(seat)]
        plays = "plays" if len(also) == 1 else "play"
        more = f" “nobody” also means that {listed(also)} {plays} none." if also else ""
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
        return [] if self._is_asked_out else [s for s in others if self.position.count(s, HAND)]

    def _listed(self, seat: Seat) -> list[Option[Word]]:
        """A pass, one for everybody whose window comes next, and the cards of this moment."""
        moment = self.position.now.window
        options = [Option(PASS, _PASSES, "Pass")]
        if self._also_asked(seat):
            options.append(Option(NOBODY_PLAYS, Word(nobody=True), "Nobody plays a card"))
        options += [
            Option(card.title, Word(card), card.title, group="Card")
            for card in self.position.table.windows.values()
            if moment in card.windows
        ]
        unknown = WindowCard("", (moment,))
        return [*options, Option(ANOTHER, Word(unknown), "Another card", group="Card")]

    def _regular(self) -> Choose[Said | None] | None:
        """The maneuver that the same player tells next; it may be told at once.  (RULING 1)"""
        if self.position.now.window != INSTEAD or self._is_asked_out:
            return None
        return self.attack() if self.position.now.role == ATTACKER else self.answer()

    def _with_regular(self, asked: Choose[Word], regular: Choose[Said | None]) -> Choose[Word]:
        """A window that its own player's next maneuver closes as well as a pass."""
        cards, of_card, of_window = asked.listed(), asked.law, asked.unlisted

        def named(raw: Json) -> Option[Word] | None:
            card = _of_owner(raw, asked.by, cards)
            if card is not None or regular.named is None:
                return card
            told = regular.named(raw)
            return None if told is None else _going_on(told)

        def law(word: Word) -> Refusal | None:
            judge = regular.law if word.goes_on else of_card
            return None if judge is None else judge(word.said if word.goes_on else word)

        def offered() -> Sequence[Option[Word]]:
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
        return now.rule_b if now.rule_b and self.position.winner == DEFENDER else now.rule

    def result(self, seat: Seat) -> Choose[str]:
        """What a card brings that is not in the table's file."""
        barred = NOT_OF_ATTACKER if self.position.now.role == ATTACKER else NOT_OF_DEFENDER
        return Choose(
            key=self._nth(seat, "result"), by=seat, cite=_RESULT,
            prompt=f"{self.names[seat]}: what does the card bring instead of the maneuver?",
            headline=self.head(seat, "what comes of it?"),
            offered=[Option(one, one, _RESULT_LABELS[one]) for one in RESULTS if one not in barred],
        )  # fmt: skip

    def value(self, seat: Seat) -> Count:
        """The value that such a card stands in for."""
        position = self.position
        return Count(
            key=self._nth(seat, "value"), by=seat, cite=_RESULT, low=LOWEST, high=HIGHEST,
            prompt=f"{self.names[seat]}: a maneuver of which value does the card stand for?",
            headline=self.head(seat, "which value?"),
            law=lambda value: refusals.too_low(value, position, "The card")
            if position.now.role == DEFENDER else None,
        )  # fmt: skip

    def effect(self, seat: Seat, number: int) -> Choose[_Told]:
        """One operation of a card that nobody has written down; silence: nothing to record."""
        nothing: Option[_Told] = Option(NOTHING, None, "Nothing more to record")
        listed = [nothing, *self._to_players(seat)]
        for does in (CANCEL, REMOVE):
            listed += [
                _option(does, one.name, f"{one.maneuver} {_LABELS[does]}", "Maneuver")
                for one in self.open_to(does)
            ]
        if not self.position.winner:
            listed.append(Option(NO_WINNER, (NO_WINNER, ""), "It ends without a winner"))
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
        cards = (DRAW_CARDS, *([DISCARD_CARDS] if self.position.count(who, HAND) else []))
        fights = self.position.role_of(who) and not self.position.winner
        return (*cards, RAISE, LOWER, PILOT) if fights else cards

    def open_to(self, does: str) -> list[Played]:
        """The maneuvers that can be cancelled, or can leave the table."""
        if does == CANCEL:
            return [one for one in self.position.of_attacker() if not one.cancelled]
        return [one for one in self.position.on_table() if one.shown]

    def which(self, seat: Seat, does: str, number: int) -> Choose[Played | None]:
        """Which played maneuver a card is about."""
        listed: list[Option[Played | None]] = [
            Option(one.name, one, f"{self.names[one.seat]}: {one.maneuver}")
            for one in self.open_to(does)
        ]
        return Choose(
            key=self._nth(seat, "which", number), by=seat, cite=_CANCELLED,
            prompt=f"{self.names[seat]}: of which maneuver? It {_LABELS[does]}."
            if does == REMOVE else f"{self.names[seat]}: which maneuver brings {_LABELS[does]}?",
            headline=self.head(seat, "which maneuver?"),
            offered=[*listed, Option(NOTHING, None, "None of them")],
        )  # fmt: skip

    def amount(self, seat: Seat, effect: Effect, number: int) -> Count:
        """How often: so many cards, or so much more or less."""
        return Count(
            key=self._nth(seat, "amount", number), by=seat, cite=_EFFECT, low=1, high=MOST,
            lapse=1, prompt=f"{self.names[seat]}: {effect.does} how many?",
            headline=self.head(seat, f"{effect.does}: how many?"),
        )  # fmt: skip

    def _nth(self, seat: Seat, *place: object) -> str:
        return self.key(seat, self.position.nth, *place)


def _of_owner(raw: Json, seat: Seat, cards: Sequence[Option[Word]]) -> Option[Word] | None:
    """The card that was named, with or without its owner before it."""
    owner, card = owner_in(raw)
    name = title_in(card, [option.name for option in cards])
    if name is None or title_in(owner or seat, (seat,)) is None:
        return None
    return next(option for option in cards if option.name == name)


def _going_on(told: Option[Said | None]) -> Option[Word]:
    """The option of a maneuver, as one that closes the window before it."""
    word = Word(goes_on=True, said=told.value)
    return Option(told.name, word, told.label, group=told.group, cell=told.cell)


def _option(does: str, whom: str, label: str, group: str) -> Option[_Told]:
    return Option(f"{does} {whom}", (does, whom), label, group=group)
