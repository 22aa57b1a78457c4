"""Reads the log of a demonstration as it grows, and holds it against what the bots did.

Whatever the camera answered is right or wrong; a pose that somebody told is counted with the reason
why the camera did not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.question import Choose, Roll

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.match.match import Match
    from ui.demo_tally import Tally

WHICH_WAY = "which way"
NOTHING_MOVES = "nothing moves"
NOT_IN_TIME = "the camera did not answer in time"
CONFIRMED = "what the camera saw was confirmed"
TOLD = "told"


@dataclass(frozen=True, slots=True)
class Noted:
    """A question that is open: where each of its answers leaves pieces, by name, and no others.

    `asks_way`: it asks how pieces came to where they stand already, though not by the record yet.
    `of_cards`: it asks what lies on a section, and cards lie there in sleeves.
    """

    question: Question[Any]
    ends: Mapping[str, Mapping[Piece, Pose]]
    asks_way: bool
    of_cards: bool = False


class Witness:
    """One match seen through its log.

    `wants` is what the bots answer to a question; it is asked while the question is open if hands
    may be ahead of it, since afterwards the table looks otherwise.
    """

    def __init__(
        self,
        match: Match[Any],
        wants: Callable[[Question[Any]], Json],
        tally: Tally,
        *,
        sleeved: bool = False,
    ) -> None:
        self._sleeved = sleeved
        self._match = match
        self._wants = wants
        self._tally = tally
        self._noted: dict[str, Noted] = {}
        self._why: dict[str, str] = {}
        self._read = 0
        self._put: Mapping[Piece, Pose] = {}

    def because(self, key: str, why: str) -> None:
        """Say why somebody tells a pose now."""
        self._why[key] = why

    def read(self) -> None:
        """Count what was answered since."""
        entries = self._match.entries
        for entry in entries[self._read :]:
            noted = self._noted.pop(entry.key, None)
            if noted is not None and entry.kind == "answer":
                self._count(entry, noted)
        self._read = len(entries)

    def note(self) -> None:
        """Take down what is open now, before anybody answers it."""
        for key, question in self._match.open.items():
            if key in self._noted:
                continue
            if question.may_move:
                self._wants(question)
            self._noted[key] = self._as_noted(question)

    def _as_noted(self, question: Question[Any]) -> Noted:
        ends = ends_of(question)
        placement = self._match.position.placement()
        ahead = any(placement.get(piece) != pose for piece, pose in self._put.items())
        of_cards = self._sleeved and bool(self._match.rulebook.seen_section(question))
        return Noted(question, ends, asks_way=ahead and not ends, of_cards=of_cards)

    def _count(self, entry: Entry, noted: Noted) -> None:
        if entry.source == "camera":
            self._count_seen(entry, noted)
        elif noted.of_cards:
            self._tally.cards.asked += entry.source != "lapse"
        elif isinstance(noted.question, Roll):
            self._tally.rolls.told += 1
        elif noted.asks_way:
            self._tally.poses.asked[WHICH_WAY] += 1
        elif noted.ends:
            self._tally.poses.asked[self._why.pop(entry.key, TOLD)] += 1
        self._put = noted.ends.get(str(entry.answer), {})

    def _count_seen(self, entry: Entry, noted: Noted) -> None:
        self._tally.seen += 1
        wanted = self._wants(noted.question)
        right = agree(noted.question, entry.answer, wanted)
        if not right:
            self._tally.misled.append(f"{entry.key}: {entry.answer}, not {wanted}")
        if noted.ends:
            self._tally.poses.right += right
            self._tally.poses.wrong += not right
        if noted.of_cards:
            self._tally.cards.right += right
            self._tally.cards.wrong += not right
        if isinstance(noted.question, Roll):
            self._tally.rolls.right += right
            self._tally.rolls.wrong += not right


def ends_of(question: Question[Any]) -> Mapping[str, Mapping[Piece, Pose]]:
    """Where the answers to a choice leave pieces, by name; those that a camera cannot see are none.

    Nor are two that look alike. Cards that are revealed move pieces too, but nobody moves a piece
    to say which card it is.
    """
    if not isinstance(question, Choose):
        return {}
    shown = {option.name: option.shows for option in question.options_now() if option.shows}
    looks = Counter(tuple(sorted(shows.items())) for shows in shown.values())
    return {n: shows for n, shows in shown.items() if looks[tuple(sorted(shows.items()))] == 1}


def agree(question: Question[Any], seen: Json, wanted: Json) -> bool:
    """Whether the camera answered what the bots did; dice lie there in any order."""
    if isinstance(question, Roll) and isinstance(seen, list) and isinstance(wanted, list):
        return sorted(map(str, seen)) == sorted(map(str, wanted))
    return seen == wanted
