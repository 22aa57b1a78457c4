"""Ready: a word that something is done, of the table or of several seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.question import Ready
from companion.core.ruling import TABLE, Shows
from ui.presenters.differ import map_of_both
from ui.scene.map import MapState
from ui.scene.values import Band, Frame, Key, KeyLook, Line, Mark, Message, Side
from ui.touch.actions import Answer

if TYPE_CHECKING:
    from companion.core.question import Question
    from ui.scene.scene import Scene


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


BESIDE_MAP = 4
"""More words than these need the room that the map would have."""


def present_ready(scene: Scene) -> ReadyState:
    """The words that are waited for: each seat says its own, nobody says it for another."""
    asked = [question for question in scene.open.values() if isinstance(question, Ready)]
    waiting = [question for question in asked if question.key not in scene.match.answered]
    first = waiting[0] if waiting else asked[0]
    alone = len(asked) == 1
    words = _deed(scene, first) if alone else (f"{first.word}?",)
    each, many = " and ".join(_who(scene, question) for question in asked), len(asked) > BESIDE_MAP
    return ReadyState(
        frame=scene.frame(
            message=Message(_first_badge(scene), str(first.cite)),
            next_key=_next_key(scene, waiting, alone=alone),
        ),
        band=Band(
            tuple(line.upper() for line in words),
            scene.side(first.by) if alone else None,
            note=first.prompt if alone else f"{each}: each with {_ways(scene, asked)} of its own.",
        ),
        rows=() if alone else tuple(_row(scene, question, many=many) for question in asked),
        map=None if many else _map(scene),
    )


def _map(scene: Scene) -> MapState:
    """The table as recorded; where the round waits for pieces, also as it is seen."""
    astray = scene.referee.sight.elsewhere() if scene.blocked is not None else {}
    if astray:
        return map_of_both(scene, astray)
    return scene.map.draw(scene.match.position.placement())


def _ways(scene: Scene, asked: list[Ready]) -> str:
    """What each says its word with: buttons are as many as the box gives to seats."""
    buttons = scene.match.rulebook.buttons
    return "a key or a button" if all(q.by in buttons for q in asked) else "a key"


def _deed(scene: Scene, question: Ready) -> tuple[str, ...]:
    """Who, then what; a seat is named and not spelled by its code."""
    words = question.headline or question.prompt
    what = words.removeprefix(f"{question.by}: ")
    return (words,) if what == words else (scene.names.called(question.by), what)


def _row(scene: Scene, question: Ready, *, many: bool) -> ReadyRow:
    said = question.key in scene.match.answered
    side = scene.side(question.by) or Side("Table")
    key = Key(
        question.word.capitalize() if many else f"{_who(scene, question)} {question.word}",
        Answer(question.key, question.opened, question.word),
        look=KeyLook.CHOSEN if said else KeyLook.GO,
        mark=Mark.OK if said else Mark.NONE,
    )
    if not said:
        key = scene.unlit_if_blocked(key)
    return ReadyRow(side, scene.names.player(question.by), _without_who(scene, question), key)


def _without_who(scene: Scene, question: Ready) -> str:
    """What is asked, without the name that stands above it."""
    who, found, what = question.prompt.partition(": ")
    names = (str(question.by), scene.names.label(question.by), scene.names.player(question.by))
    if not found or not who.startswith(names):
        return question.prompt
    return what[:1].upper() + what[1:]


def _next_key(scene: Scene, waiting: list[Ready], *, alone: bool) -> Key:
    """Lit for a word of one seat; of several none may speak for the others."""
    if not waiting:
        return Key("Ready", None, "all have said it", "next", KeyLook.IMPOSSIBLE)
    missing = ", ".join(_who(scene, question) for question in waiting)
    first = waiting[0]
    word = first.word.capitalize()
    if not alone:
        return Key(f"{word}?", None, f"waits for {missing}", "next", KeyLook.IMPOSSIBLE)
    answer = Answer(first.key, first.opened, first.word)
    return Key(word, answer, f"says {missing}", "next", KeyLook.GO)


def _who(scene: Scene, question: Question[Any]) -> str:
    return "the table" if question.by == TABLE else scene.names.player(question.by)


def _first_badge(scene: Scene) -> str:
    """Which team has what the table has one of: "Jaws have the Sun"."""
    held = [f for f in scene.facts if f.shows is Shows.BADGE and f.value in scene.names.sides]
    if not held:
        return ""
    label = held[0].label[:1].lower() + held[0].label[1:]
    return f"{held[0].value} {label.replace('has ', 'have ', 1)}"  # teams are several people
