"""What the panel's buttons mean at the table: ready, challenge, and the referee's clock.

A short press of the referee's button lets the clock stand or go on; held, it opens a challenge, as
a team's challenge button does. While a challenge is open the clock stands; the referee's next press
ends it, and the clock goes on if the challenge had stopped it. Both are lines of the log, and so is
what is told in between: who challenges, which line, what each side claims.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.offers import Button, Offer
from companion.core.question import Ready
from companion.core.ruling import TABLE, Seat
from companion.referee.challenge import (
    CALLED,
    CHALLENGED,
    CLAIMED,
    DECIDED,
    DISPUTED,
    LONGEST_CLAIM,
    TAKEN_BACK,
    Challenge,
    Verdict,
    left_open,
    lost_by,
)

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

CARD_IN_TIME = "card in time"
"""The event of the log where people say that a card called late lay there at the buzzer."""


class Presses:
    """The buttons of one match; `challenge` is the one that is open, None while nothing is.

    `budget` is how many challenges each side may lose at this table; 0: they are not counted.
    """

    def __init__(self, desk: Desk) -> None:
        self.challenge: Challenge | None = None
        self.budget = 0
        self._desk = desk
        self._ran_before = False  # whether the clock ran when the referee's button went down

    def press(self, press: Press, now: float) -> None:
        """Do what a press of a button means at this moment."""
        if press.button is Button.REFEREE:
            self._pressed_by_referee(now, long=press.is_long)
        elif press.is_long:
            return  # a team's button has said all at its first contact
        elif press.button in CHALLENGE_BUTTONS:
            self._challenged(self._seat(CHALLENGE_BUTTONS, press.button), now)
        else:
            self._ready(self._seat(READY_BUTTONS, press.button), now)

    def _challenged(self, seat: Seat | None, now: float) -> None:
        """A team's button; where one is open and nobody said whose, it is that team's."""
        if seat is not None and self.challenge is not None and not self.challenge.named:
            self.call(now, seat)
        else:
            self.open(now, TABLE if seat is None else seat)

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
        self,
        now: float,
        by: Seat,
        *,
        ran: bool = False,
        named: bool = True,
        reason: str = "",
        author: str = "",
    ) -> None:
        """Open a challenge: the clock stands until it is decided. A second one changes nothing.

        `by` is who disputes, `author` the arbiter who opened it for them. Where that is not yet
        said (`named` false) it is the table's until `call` tells.
        """
        if self.challenge is not None:
            return
        clock = self._desk.clock
        running = clock is not None and clock.running
        self._desk.halt(now, reason=reason, by=author)
        opened = len(self._desk.match.entries)
        self.challenge = Challenge(by, running or ran, named, seq=opened)
        self._note(CHALLENGED, now, by, reason, author, None if named else {"named": False})

    def call(self, now: float, by: Seat, *, author: str = "") -> None:
        """Say who challenges. BadCall where no challenge is open."""
        challenge = self._open_one()
        if challenge.named and challenge.by == by:
            return
        self.challenge = replace(challenge, by=by, named=True)
        self._note(CALLED, now, by, author=author)

    def dispute(self, now: float, line: int | None, *, author: str = "") -> None:
        """Say which line of the log is disputed (None: no line). BadCall: no such line."""
        challenge = self._open_one()
        if line is not None and not 0 < line < len(self._desk.match.entries):
            raise BadCall(f"There is no line {line} in the log: it cannot be disputed.")
        if challenge.line == line:
            return
        self.challenge = replace(challenge, line=line)
        self._note(DISPUTED, now, challenge.by, author=author, more={"line": line})

    def claim(self, now: float, by: Seat, text: str, *, author: str = "") -> None:
        """Keep what a side says of it, in place of what it said before; nothing takes that away.

        BadCall where no challenge is open, or the claim is too long to be kept.
        """
        challenge, text = self._open_one(), " ".join(text.split())
        if len(text) > LONGEST_CLAIM:
            raise BadCall(f"A claim has at most {LONGEST_CLAIM} letters, and this has {len(text)}.")
        if challenge.said_by(by) == text:
            return
        self.challenge = challenge.with_claim(by, text)
        self._note(CLAIMED, now, by, author=author, more={"claim": text})

    def close(
        self,
        now: float,
        verdict: Verdict | None = None,
        *,
        reason: str = "",
        author: str = "",
    ) -> None:
        """The challenge is decided; the clock goes on if the challenge had stopped it.

        `verdict` says what came of it (None: the log keeps only that it was decided).
        """
        challenge, self.challenge = self.challenge, None
        if challenge is None:
            return
        more: dict[str, Json] = {} if verdict is None else {"verdict": str(verdict)}
        lost = replace(challenge, verdict=verdict).is_lost
        if self.budget and lost:
            more["left"] = self.left(challenge.by) - 1
        self._note(DECIDED, now, challenge.by, reason, author, more)
        if challenge.stopped_clock:
            self._desk.run_on(now, by=author)

    def open_again(
        self, now: float, challenge: Challenge, *, ran: bool, reason: str = "", author: str = ""
    ) -> None:
        """Take its decision back: the challenge is open as it was before, with all that was said.

        `ran`: the clock ran until now.
        """
        stopped = challenge.stopped_clock or ran
        self.challenge = replace(challenge, verdict=None, stopped_clock=stopped)
        more: dict[str, Json] = {"challenge": challenge.seq}
        if challenge.verdict is not None:
            more["was"] = str(challenge.verdict)
        self._note(TAKEN_BACK, now, challenge.by, reason, author, more)
        self.recall(self._desk.match.entries)

    def left(self, side: Seat) -> int:
        """How many more challenges a side may lose; without meaning where none are counted."""
        return max(0, self.budget - lost_by(self._desk.match.entries, side))

    def _open_one(self) -> Challenge:
        if self.challenge is None:
            raise BadCall("No challenge is open: there is nothing to be said of one.")
        return self.challenge

    def recall(self, entries: Sequence[Entry]) -> None:
        """After a restart: open the challenge that the log leaves open."""
        self.challenge = left_open(entries)

    def _note(
        self,
        event: str,
        now: float,
        by: Seat,
        reason: str = "",
        author: str = "",
        more: Mapping[str, Json] | None = None,
    ) -> None:
        clock, challenge = self._desk.clock, self.challenge
        said: dict[str, Json] = {"event": event, "key": self._desk.phase.key, "by": str(by)}
        if clock is not None:
            said["rest_s"] = round(clock.rest(now), 3)
        if challenge is not None:
            said["stopped"] = challenge.stopped_clock
        said.update(more or {})
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
