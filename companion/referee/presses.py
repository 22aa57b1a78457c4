"""What the panel's buttons mean at the table: ready, challenge, and the referee's clock.

A short press of the referee's button lets the clock stand or go on; held, it opens a challenge, as
a team's challenge button does. While a challenge is open the clock stands; the referee's next press
ends it, and the clock goes on if the challenge had stopped it. Both are lines of the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.offers import Button, Offer
from companion.core.question import Ready
from companion.core.ruling import TABLE, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.offers import Press
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.referee.desk import Desk

READY_BUTTONS = (Button.READY_FIRST, Button.READY_SECOND)
CHALLENGE_BUTTONS = (Button.CHALLENGE_FIRST, Button.CHALLENGE_SECOND)
"""Whose they are is the box's to say; a press that nobody waits for means nothing."""

CHALLENGED, DECIDED = "challenged", "decided"
CARD_IN_TIME = "card in time"
"""The event of the log where people say that a card called late lay there at the buzzer."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Something is disputed and the clock stands: who said so, and whether that stopped it."""

    by: Seat
    stopped_clock: bool


class Presses:
    """The buttons of one match; `challenge` is the one that is open, None while nothing is."""

    def __init__(self, desk: Desk) -> None:
        self.challenge: Challenge | None = None
        self._desk = desk
        self._ran_before = False  # whether the clock ran when the referee's button went down

    def press(self, press: Press, now: float) -> None:
        """Do what a button means now."""
        if press.button is Button.REFEREE:
            self._pressed_by_referee(now, long=press.is_long)
        elif press.is_long:
            return  # a team's button has said all at its first contact
        elif press.button in CHALLENGE_BUTTONS:
            seat = self._seat(CHALLENGE_BUTTONS, press.button)
            self.open(now, TABLE if seat is None else seat)
        else:
            self._ready(self._seat(READY_BUTTONS, press.button), now)

    def _pressed_by_referee(self, now: float, *, long: bool) -> None:
        clock = self._desk.clock
        if long:
            self.open(now, TABLE, ran=self._ran_before)
            return
        self._ran_before = clock is not None and clock.running
        if self.challenge is not None:
            self.close(now)
        elif clock is not None and clock.running:
            self._desk.halt(now)
        elif clock is not None:
            self._desk.run_on(now)

    def open(
        self, now: float, by: Seat, *, ran: bool = False, reason: str = "", author: str = ""
    ) -> None:
        """Open a challenge: the clock stands until it is decided. A second one changes nothing.

        `by` is who disputes, `author` the arbiter who opened it for them.
        """
        if self.challenge is not None:
            return
        clock = self._desk.clock
        running = clock is not None and clock.running
        self._desk.halt(now, reason=reason, by=author)
        self.challenge = Challenge(by, running or ran)
        self._note(CHALLENGED, now, by, reason, author)

    def close(self, now: float, *, reason: str = "", author: str = "") -> None:
        """The challenge is decided; the clock goes on if the challenge had stopped it."""
        challenge, self.challenge = self.challenge, None
        if challenge is None:
            return
        self._note(DECIDED, now, challenge.by, reason, author)
        if challenge.stopped_clock:
            self._desk.run_on(now, by=author)

    def recall(self, entries: Sequence[Entry]) -> None:
        """After a restart: a challenge that the log leaves open is open."""
        self.challenge = left_open(entries)

    def _note(self, event: str, now: float, by: Seat, reason: str = "", author: str = "") -> None:
        clock, challenge = self._desk.clock, self.challenge
        said: dict[str, Json] = {"event": event, "key": self._desk.phase.key, "by": str(by)}
        if clock is not None:
            said["rest_s"] = round(clock.rest(now), 3)
        if challenge is not None:
            said["stopped"] = challenge.stopped_clock
        self._desk.note_clock([said], now, reason=reason, by=author)

    def _ready(self, seat: Seat | None, now: float) -> None:
        match = self._desk.match
        for key, question in match.open.items():
            if question.by == seat and key not in match.answered and _is_word(question):
                said = Offer(key, raw=True, source="button", by=question.by, opened=question.opened)
                self._desk.take(said, now)
                return

    def _seat(self, buttons: Sequence[Button], button: Button) -> Seat | None:
        seats: Mapping[Button, Seat] = dict(
            zip(buttons, self._desk.match.rulebook.buttons, strict=False)
        )
        return seats.get(button)


def _is_word(question: Question[Any]) -> bool:
    """Whether a button can answer: somebody says that something is done."""
    return isinstance(question, Ready)


def left_open(entries: Sequence[Entry]) -> Challenge | None:
    """The challenge that a log leaves undecided; None if there is none."""
    for entry in reversed(entries):
        said = entry.answer if entry.kind == "clock" else None
        event = said.get("event") if isinstance(said, dict) else None
        if event == CHALLENGED and isinstance(said, dict):
            return Challenge(Seat(str(said["by"])), bool(said["stopped"]))
        if event == DECIDED:
            return None
    return None
