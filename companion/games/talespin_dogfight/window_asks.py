"""The questions of windows: which card is played, what it brings, whom it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from companion.question import Choose, Count, Option
from companion.ruling import Cite, Seat

if TYPE_CHECKING:
    from companion.games.talespin_dogfight.maneuver import Played

_Told = tuple[str, str] | None
"""An operation, and to whom or to which maneuver."""

PASS, ANOTHER, NOTHING = "pass", "other card", "nothing"

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

    def window(self, seat: Seat) -> Choose[WindowCard | None]:
        """Which card of this window is played, or none; silence passes where the house says so."""
        position, moment = self.position, self.position.now.window

        known: list[Option[WindowCard | None]] = [
            Option(card.title, card, card.title, group="Card")
            for card in position.table.windows.values()
            if moment in card.windows
        ]
        unknown = WindowCard("", (moment,))
        listed: list[Option[WindowCard | None]] = [
            Option(PASS, None, "Pass"),
            *known,
            Option(ANOTHER, unknown, "Another card", group="Card"),
        ]
        asks = position.house.get("windows") == "ask"
        return Choose(
            key=self.key(seat, position.nth + 1, "card"), by=seat,
            cite=Cite.of(self._rule()).also(_INSTEAD if moment == INSTEAD else _WINDOW),
            lapse=None if asks else PASS,
            prompt=f"{self.names[seat]}: a card {WINDOWS[moment]}? Play it, or pass.",
            headline=self.head(seat, "card or pass?"), offered=listed,
            law=lambda card: refusals.window_card(card, position) if card else None,
            unlisted=lambda raw: refusals.in_window(raw, position, seat),
        )  # fmt: skip

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


def _option(does: str, whom: str, label: str, group: str) -> Option[_Told]:
    return Option(f"{does} {whom}", (does, whom), label, group=group)
