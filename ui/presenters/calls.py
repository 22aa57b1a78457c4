"""What a touch means where somebody is called: a challenge, and a late card that was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Seat
from companion.referee.late import number_of, team_of
from companion.referee.presses import CARD_IN_TIME
from ui.presenters.common import Mark, Refusal

if TYPE_CHECKING:
    from companion.core import offers
    from companion.core.ruling import Notice
    from companion.referee.late import FeltCard
    from companion.referee.referee import Referee


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """Something is disputed, says `by` (a team, or the table): the clock stands."""

    by: str


@dataclass(frozen=True, slots=True)
class DecideChallenge:
    """The open challenge is decided; the clock goes on if the challenge had stopped it."""


@dataclass(frozen=True, slots=True)
class RuleLate:
    """The late card that a sensor saw is `player`'s."""

    late: FeltCard
    player: str


@dataclass(frozen=True, slots=True)
class RuleSeenLate:
    """The late card that the camera saw is `player`'s."""

    late: offers.LateCard
    player: str


@dataclass(frozen=True, slots=True)
class LetLie:
    """The card that the camera saw come late was there in time."""

    late: offers.LateCard


@dataclass(frozen=True, slots=True)
class FeltInTime:
    """The card that a sensor felt late was there in time."""

    late: FeltCard


Call = OpenChallenge | DecideChallenge | RuleLate | FeltInTime | RuleSeenLate | LetLie
AT_THE_MATCH = (OpenChallenge, RuleSeenLate, LetLie)
"""After these the match itself is shown, whatever panel they were touched on."""


def call(action: Call, referee: Referee, now: float, arbiter: str = "") -> Refusal | None:
    """Do what was touched, in the arbiter's name; what the table is told of a late card's ruling.

    Error: BadCall where the late card waits no longer.
    """
    match action:
        case OpenChallenge(by):
            referee.presses.open(now, Seat(by), author=arbiter)
        case DecideChallenge():
            referee.presses.close(now, author=arbiter)
        case RuleLate(late, player):
            return _told(referee.tracks.rule(late, Seat(player), now, arbiter))
        case FeltInTime(late):
            referee.tracks.let_lie(late)
            _note_in_time(referee, now, (f"{late.team} {late.section}", "sensor"), arbiter)
        case RuleSeenLate(late, player):
            return _told(referee.late_seen.rule(late, Seat(player), now, arbiter))
        case LetLie(late):
            referee.late_seen.let_lie(late, now)
            _note_in_time(referee, now, (f"{team_of(late)} {number_of(late)}", "camera"), arbiter)
    return None


def _note_in_time(referee: Referee, now: float, seen: tuple[str, str], arbiter: str) -> None:
    """The log keeps that a card was let lie, who said so, and what had called it late.

    Whoever challenges said it; without a challenge the table did, at the screen.
    """
    (card, seen_by), challenge = seen, referee.presses.challenge
    by = challenge.by if challenge is not None else TABLE
    key = referee.phase.key
    said = {"event": CARD_IN_TIME, "key": key, "by": str(by), "card": card, "seen_by": seen_by}
    referee.note_clock([said], now, by=arbiter)


def _told(notice: Notice | None) -> Refusal | None:
    """What the box rules of it: hands do that now, so it is said where they look."""
    if notice is None:
        return None
    return Refusal(notice.text, notice.way_out, notice.code, str(notice.cite), Mark.WARN)
