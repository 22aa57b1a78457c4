"""Ready: a word that something is done, of the table or of several seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.question import Ready
from companion.ruling import TABLE
from ui.presenters.actions import Answer, Answers
from ui.presenters.common import Band, Frame, Key, KeyLook, Line, Mark, Message, Side
from ui.presenters.map import MapState

if TYPE_CHECKING:
    from companion.question import Question
    from ui.presenters.scene import Scene


@dataclass(frozen=True, slots=True)
class ReadyRow:
    """One seat's word: its key, lit when given."""

    side: Side
    name: str
    prompt: str
    key: Key


@dataclass(frozen=True, slots=True)
class ReadyState:
    """What hands do before the word is said; rows where several seats say it (or the buttons)."""

    frame: Frame
    band: Band
    rows: tuple[ReadyRow, ...]
    lines: tuple[Line, ...] = ()
    map: MapState | None = None


def present_ready(scene: Scene) -> ReadyState:
    """The words that are waited for; one key says the last of them, or all at once."""
    asked = [question for question in scene.open.values() if isinstance(question, Ready)]
    waiting = [question for question in asked if question.key not in scene.match.answered]
    first = waiting[0] if waiting else asked[0]
    alone = len(asked) == 1
    words = (first.headline or first.prompt) if alone else first.word
    return ReadyState(
        frame=scene.frame(
            message=Message(_first_badge(scene), str(first.cite)),
            next_key=_next_key(scene, waiting),
        ),
        band=Band((words.upper(),), scene.side(first.by) if alone else None, note=first.prompt),
        rows=() if alone else tuple(_row(scene, question) for question in asked),
        map=scene.map.draw(scene.match.position.placement()),
    )


def _row(scene: Scene, question: Ready) -> ReadyRow:
    said = question.key in scene.match.answered
    side = scene.side(question.by) or Side("Table", "table")
    key = Key(
        question.word.capitalize(),
        Answer(question.key, question.opened, question.word),
        look=KeyLook.CHOSEN if said else KeyLook.PLAIN,
        mark=Mark.OK if said else Mark.NONE,
    )
    return ReadyRow(side, scene.names.player(question.by), question.prompt, key)


def _next_key(scene: Scene, waiting: list[Ready]) -> Key:
    words = tuple(Answer(q.key, q.opened, q.word) for q in waiting)
    if not waiting:
        return Key("Ready", None, "all have said it", "next", KeyLook.IMPOSSIBLE)
    missing = ", ".join(_who(scene, question) for question in waiting)
    word = waiting[0].word.capitalize()
    action = words[0] if len(words) == 1 else Answers(words)
    return Key(word, action, f"says {missing}", "next", KeyLook.GO)


def _who(scene: Scene, question: Question[Any]) -> str:
    return "the table" if question.by == TABLE else scene.names.player(question.by)


def _first_badge(scene: Scene) -> str:
    """Which team has what the table has one of: "Jaws: Has the Sun"."""
    held = [f for f in scene.facts if f.seat == TABLE and f.value in scene.names.sides]
    return f"{held[0].value}: {held[0].label}" if held else ""
