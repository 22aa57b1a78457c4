"""The lock: whose cards lie on which section. A form of Declare questions, a row a team."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from companion.core.question import Declare
from companion.referee.late import SENSOR
from ui.presenters.seen_sections import (
    as_shown,
    cards_words,
    is_in_doubt,
    is_told,
    looks,
    offered,
    seen_note,
)
from ui.scene.scene import pages_of
from ui.scene.values import Frame, Key, KeyLook, Mark, Message, Side
from ui.touch.actions import Answer, Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class BorderKey:
    """How many cards of one border lie there: letter, count, the card's border (light, dark)."""

    letter: str
    count: int
    border: str
    key: Key


@dataclass(frozen=True, slots=True)
class LockSection:
    """One section: number, note ("seen: 1 card", "something lies", ""), a key a border."""

    label: str
    note: str
    keys: tuple[BorderKey, ...]
    doubled: bool = False
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class LockTeam:
    """One team's row: "4 cards", "Pilot 2, Gunner 2", its sections."""

    side: Side
    total: str
    split: str
    sections: tuple[LockSection, ...]


@dataclass(frozen=True, slots=True)
class LockState:
    """Next tap: take the lock as shown, or the deed for a doubled section. Two teams a page."""

    frame: Frame
    lead: str
    teams: tuple[LockTeam, ...]
    page: int = 1
    pages: int = 1


BORDERS = ("light", "dark")
"""How a card's border is drawn: the first part of a Declare is the light one."""

DEVICES = {SENSOR: "sensor", "camera": "seen"}
"""How a section's note names the device that told it, or that saw what a hand told."""

TEAMS_A_PAGE = 2

MOST_ON_A_SECTION = 2
"""One tap each: none, one, two, none again. More is told by the arbiter's report."""


def present_lock(scene: Scene) -> LockState:
    """A form of Declare questions: a row a team, a key a border."""
    asked = [question for question in scene.open.values() if isinstance(question, Declare)]
    teams = [list(group) for _, group in groupby(asked, key=lambda question: question.by)]
    doubled = [question for question in asked if sum(counts(scene, question).values()) > 1]
    shown, page, pages = pages_of(teams, scene.view.page, TEAMS_A_PAGE)
    return LockState(
        frame=scene.frame(
            message=_message(scene, asked) if pages == 1 else None,
            next_key=_next_key(scene, asked, doubled),
        ),
        lead=_lead(scene, [question for group in shown for question in group]),
        teams=tuple(_team(scene, group) for group in shown),
        page=page,
        pages=pages,
    )


def _is_known(scene: Scene, asked: list[Declare]) -> bool:
    """Whether anybody has told a card yet, or a camera has seen the tracks."""
    return looks(scene) or any(is_told(scene, q) or scene.seen(q.key) for q in asked)


def _lead(scene: Scene, asked: list[Declare]) -> str:
    """What to touch, and whose cards are asked for; first where something lies that is not told."""
    doubts = [_place(scene, question) for question in asked if is_in_doubt(scene, question)]
    if doubts:
        return f"Whose card? {', '.join(doubts)}"
    letters = " or ".join(part[:1].upper() for part in asked[0].parts)
    teams = dict.fromkeys(scene.names.label(question.by) for question in asked)
    return f"Tap {letters} where cards lie: {' and '.join(teams)}"


def _message(scene: Scene, asked: list[Declare]) -> Message:
    if _is_known(scene, asked):
        return Message("Wrong? Tap a border.", "A second tap makes two.")
    return Message("No card is told yet.", "One tap a card, two for a double.")


def counts(scene: Scene, question: Declare) -> Mapping[str, int]:
    """What is told of one section so far: answered, drafted, or nothing yet."""
    draft = scene.view.draft
    if draft is not None and draft.key == question.key and draft.opened == question.opened:
        return question.read(draft.raw)
    given = scene.match.answered.get(question.key, offered(scene, question))
    return question.read(given) if given is not None else dict.fromkeys(question.parts, 0)


def _place(scene: Scene, question: Declare) -> str:
    return f"{scene.names.label(question.by)} {question.of}"


def _team(scene: Scene, asked: list[Declare]) -> LockTeam:
    side = scene.side(asked[0].by)
    assert side is not None
    told = [counts(scene, question) for question in asked]
    sums = {part: sum(one[part] for one in told) for part in asked[0].parts}
    return LockTeam(
        side=side,
        total=cards_words(sum(sums.values())),
        split=", ".join(f"{part.capitalize()} {n}" for part, n in sums.items()),
        sections=tuple(_section(scene, question) for question in asked),
    )


def _section(scene: Scene, question: Declare) -> LockSection:
    told = counts(scene, question)
    total = sum(told.values())
    doubled, doubt = total > 1, is_in_doubt(scene, question)
    known = Mark.OK if is_told(scene, question) else Mark.NONE
    return LockSection(
        label=question.of,
        note="doubled" if doubled else _note(scene, question, total),
        keys=tuple(
            _border_key(question, told, part, border)
            for part, border in zip(question.parts, _borders(question), strict=True)
        ),
        doubled=doubled,
        mark=Mark.WARN if doubled or doubt else known,
    )


def _note(scene: Scene, question: Declare, total: int) -> str:
    """What is told of a section without two cards, and which device told it."""
    if not is_told(scene, question):
        return seen_note(scene, question)
    by = _device(scene, question.key)
    return f"{by}: empty" if by and not total else by or ("" if total else "empty")


def _device(scene: Scene, key: str) -> str:
    """The device whose word stands, as the note calls it; empty where a hand told it."""
    draft, source = scene.view.draft, scene.referee.sources.get(key)
    if source is None or (draft is not None and draft.key == key):
        return ""
    return DEVICES.get(source.second) or DEVICES.get(source.source, "")


def _borders(question: Declare) -> Iterable[str]:
    return (BORDERS[at % len(BORDERS)] for at in range(len(question.parts)))


def _border_key(question: Declare, told: Mapping[str, int], part: str, border: str) -> BorderKey:
    letter = part[:1].upper()
    touch = Draft(Answer(question.key, question.opened, dict(one_more(question, told, part))))
    look = KeyLook.CHOSEN if told[part] else KeyLook.PLAIN
    return BorderKey(letter, told[part], border, Key(letter, touch, look=look))


def one_more(question: Declare, told: Mapping[str, int], part: str) -> dict[str, int]:
    """One card more of a border; after the most that a touch can say, none again."""
    most = min(MOST_ON_A_SECTION, question.most)
    return {**told, part: (told[part] + 1) % (most + 1)}


def _next_key(scene: Scene, asked: list[Declare], doubled: list[Declare]) -> Key:
    """Take the lock as shown: what was not touched is as it is seen, else empty."""
    label, second = _next_words(scene, asked, doubled)
    doubts = sum(is_in_doubt(scene, question) for question in asked)
    unsure = bool(doubts) or not _is_known(scene, asked)
    if doubts:
        second = f"hold: {doubts} in doubt, not counted"
    look = KeyLook.HOLD if unsure else KeyLook.GO
    answer = as_shown(scene, asked, {q.key: dict(counts(scene, q)) for q in asked})
    return Key(label, answer, second, "next", look)


def _next_words(scene: Scene, asked: list[Declare], doubled: list[Declare]) -> tuple[str, str]:
    if not _is_known(scene, asked):
        return ("No cards at all", "hold, or tap where cards lie")
    if doubled:
        return (f"Discard {_place(scene, doubled[0])}", "all of them, unseen")
    total = sum(sum(counts(scene, question).values()) for question in asked)
    return ("Lock is right", cards_words(total))
