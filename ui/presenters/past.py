"""Past matches of the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, page_keys, pages_of, quiet_frame
from ui.scene.values import Frame, Key, Line, Mark
from ui.touch.actions import ResumeMatch

if TYPE_CHECKING:
    from ui.scene.scene import PastMatch, Situation
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class PastState:
    """A line a match: who played, how it ended, when; each opens it."""

    frame: Frame
    lines: tuple[Line, ...]
    page: int = 1
    pages: int = 1


LINES_A_PAGE = 5


def present_past(situation: Situation, view: View) -> PastState:
    """The newest first; a damaged match says so in its own line."""
    shown, page, pages = pages_of(situation.matches, view.page, LINES_A_PAGE)
    count = len(situation.matches)
    return PastState(
        quiet_frame(
            situation,
            view,
            "PAST MATCHES",
            f"{count} on this table",
            keys=(BACK, *page_keys(page, pages)),
        ),
        tuple(_line(situation, match) for match in shown),
        page,
        pages,
    )


def _line(situation: Situation, match: PastMatch) -> Line:
    if match.trouble:
        return Line(match.title or match.match_id, match.trouble, Mark.WARN)
    mark = Mark.OK if match.ended else Mark.ASK
    words = "Look" if match.ended or match.demonstration else "Resume"
    key = Key(words, ResumeMatch(match.match_id))
    players, day = " / ".join(match.players), situation.day(match.at)
    if match.saved:
        return Line(players, match.saved, Mark.WARN, day, key)
    return Line(players, match.summary, mark, day, key)
