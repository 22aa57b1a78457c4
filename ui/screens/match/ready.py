"""Ready: the table, or each of several seats, says that something is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.question import Ready
from companion.core.ruling import TABLE, Shows
from ui.scene.map import MapState
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Band, Frame, Key, KeyLook, Line, Mark, Message, Side
from ui.screens.arbiter.differ import map_of_both
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Answer
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import LinePart

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


# Parts and layout.

_ONE_LINE, _TWO_LINES = 106.0, 158.0
_KEY_WIDE = 130.0
_IN_ONE_COLUMN = 4
_ROOMY = 70.0


@dataclass(frozen=True, kw_only=True)
class SeatGround(Part):
    """Whose word it is, beside the key."""

    row: ReadyRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        colours = pen.theme.side(self.row.side.tint)
        pen.fill(self.box.left(5), colours.text, 2)
        draw_emblem(pen, self.row.side, Box(self.box.x + 14, self.box.y, 34, self.box.high)
                    .square(34))  # fmt: skip
        room = Box(self.box.x + 60, self.box.y, self.box.wide - 60 - _KEY_WIDE - 16, self.box.high)
        tight = self.box.high < _ROOMY
        inner = room.inset(0, 4 if tight else 7)
        high = 16.0 if tight else 20.0
        pen.text(self.row.name, inner.top(high), high, colours.text)
        below = inner.below(high + 5)
        pen.text(self.row.prompt, below, 15, Colour.INK2, face=Face.MEDIUM, lines=2)


def layout(state: ReadyState, page: Page) -> Parts:
    """The deed over the seats' words, or over lines and map."""
    body = page.body
    high = _TWO_LINES if len(state.band.lines) > 1 else _ONE_LINE
    band = body.top(high)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
    room = body.below(high + 8)
    if state.map is not None and (state.rows or state.lines):
        room, shown = page.sides(room, room.wide * 0.5)
        yield from board_map(shown, state.map)
    elif state.map is not None:
        yield from board_map(room, state.map)
    yield from _rows(state, room)
    yield from page.around(state.frame)


def _places(room: Box, rows: int) -> Sequence[Box]:
    """One under another; more than the room has height for stand in two columns."""
    if rows <= _IN_ONE_COLUMN:
        return stacked(room, rows, high=76.0 if rows <= 2 else 66.0)
    left, right = room.columns([1, 1], gap=8)
    first = (rows + 1) // 2
    return (*stacked(left, first, high=66.0), *stacked(right, first, high=66.0)[: rows - first])


def _rows(state: ReadyState, room: Box) -> Parts:
    boxes = _places(room, len(state.rows))
    for n, (box, row) in enumerate(zip(boxes, state.rows, strict=True)):
        bare = ReadyRow(row.side, row.name, row.prompt, row.key)
        yield f"seat/{n}", SeatGround(box=box, row=bare)
        key = Box(box.right - _KEY_WIDE - 6, box.y + 5, _KEY_WIDE, box.high - 10)
        yield f"seat/{n}/key", key_cap(key, row.key, caps=18)
    used = boxes[-1].bottom - room.y + 6 if boxes else 0.0
    rest = room.below(used)
    fitting = min(len(state.lines), max(0, int((rest.high + 3) // 46)))
    for n, (box, line) in enumerate(
        zip(stacked(rest, fitting, high=46, gap=3), state.lines, strict=False)
    ):
        yield f"line/{n}", LinePart(box=box, line=line)
