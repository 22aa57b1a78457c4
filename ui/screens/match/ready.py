"""Ready: the table, or each of several seats, says that something is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.question import Question, Ready
from companion.core.ruling import TABLE, Shows
from ui.scene.map import MapState
from ui.scene.theme import Caps, Colour, Face, Reach, Rgba
from ui.scene.values import Band, Key, KeyLook, Line, Mark, Message, RulingLine, ScreenFrame, Side
from ui.scene.words import capitals
from ui.screens.arbiter.differ import map_of_both
from ui.screens.match.ruled import map_told, ruled_bands, told_with
from ui.screens.match.ruling import NO_KEY
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Answer, Answers
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_keys import said_band
from ui.widgets.lettering import lines_of
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS
from ui.widgets.words import LinePart, RulingPart, sentence_wide

if TYPE_CHECKING:
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class ReadyRow:
    """One seat's word: its key, inverted when given; `prompt` is what it is asked."""

    side: Side
    name: str
    prompt: str
    key: Key


@dataclass(frozen=True, slots=True)
class ReadyState:
    """What hands do before the word is said; a key a seat where several say it (or the buttons).

    `deeds` are what was ruled and waits for hands: told in the band's place, it being the first;
    over it where one word alone is waited for.
    The map stands where no key does, and where the camera sees the table otherwise.
    """

    frame: ScreenFrame
    band: Band
    rows: tuple[ReadyRow, ...]
    lines: tuple[Line, ...] = ()
    map: MapState | None = None
    deeds: tuple[Band, ...] = ()


def present_ready(scene: Scene) -> ReadyState:
    """The words that are waited for: of a will each seat's own, of what is done one for all."""
    asked = [question for question in scene.open.values() if isinstance(question, Ready)]
    waiting = [question for question in asked if question.key not in scene.match.answered]
    first = waiting[0] if waiting else asked[0]
    alone = len(asked) == 1
    told = told_with(scene)
    return ReadyState(
        frame=scene.frame(
            message=Message(_first_badge(scene), str(first.cite)),
            next_key=_next_key(scene, asked, waiting),
        ),
        band=_band(scene, asked, first) if alone or not told else told[0],
        rows=() if alone else tuple(_row(scene, question) for question in asked),
        map=map_told(scene) if alone and told else _map(scene, alone=alone),
        deeds=told,
    )


def _band(scene: Scene, asked: Sequence[Ready], first: Ready) -> Band:
    """Who is asked for what; of several the word alone, or what all of them do."""
    if len(asked) == 1:
        lines = tuple(map(capitals, _deed(scene, first)))
        return Band(lines, scene.side(first.by), note=first.prompt)
    each = " and ".join(_who(scene, question) for question in asked)
    if first.is_own:
        note = f"{each}: each with {_ways(scene, asked)} of its own."
        return Band((f"{first.word}?".upper(),), note=note)
    does = scene.names.without(first.headline or first.prompt, first.by)
    return Band((capitals(f"All: {does}"),), note=f"{each}. One touch for all, or each its own.")


def _map(scene: Scene, *, alone: bool) -> MapState | None:
    """The table as recorded; where the round waits for pieces, also as it is seen."""
    astray = scene.referee.sight.elsewhere() if scene.blocked is not None else {}
    if astray:
        return map_of_both(scene, astray)
    return scene.map.draw(scene.match.position.placement()) if alone else None


def _ways(scene: Scene, asked: Sequence[Ready]) -> str:
    """What each says its word with: buttons are as many as the box gives to seats."""
    buttons = scene.match.rulebook.buttons
    return "a key or a button" if all(q.by in buttons for q in asked) else "a key"


def _deed(scene: Scene, question: Ready) -> tuple[str, ...]:
    """Who, then what; a seat is named and not spelled by its code."""
    words = question.headline or question.prompt
    what = words.removeprefix(f"{question.by}: ")
    return (words,) if what == words else (scene.names.called(question.by), what)


def _row(scene: Scene, question: Ready) -> ReadyRow:
    said = question.key in scene.match.answered
    side = scene.side(question.by) or Side("Table")
    key = Key(
        f"{_who(scene, question)} {question.in_a_word}",
        Answer(question.key, question.opened, question.word),
        look=KeyLook.CHOSEN if said else KeyLook.PLAIN,
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


def _next_key(scene: Scene, asked: Sequence[Ready], waiting: Sequence[Ready]) -> Key:
    """Lit for one seat's word, and for what is done by several; of a will nobody speaks for all."""
    if not waiting:
        return Key("Ready", None, "all have said it", "next", KeyLook.IMPOSSIBLE)
    missing = ", ".join(_who(scene, question) for question in waiting)
    first = waiting[0]
    word = first.in_a_word.capitalize()
    if len(asked) > 1 and first.is_own:
        return Key(f"{word}?", None, f"waits for {missing}", "next", KeyLook.IMPOSSIBLE)
    answers = tuple(Answer(one.key, one.opened, one.word) for one in waiting)
    if len(asked) == 1:
        return Key(word, answers[0], f"says {missing}", "next", KeyLook.GO)
    return Key(f"All {first.in_a_word}", Answers(answers), missing, "next", KeyLook.GO)


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

_KEYS_OVER_MAP = 0.95
"""In portrait the share of the height that keys have over a map, for one half of it 0.5."""
_IN_ONE_ROW = 3
_GAP = 10.0
_MOST_HIGH = 240.0
_TWO_ROWS = 150.0
_ASKED, _ASKED_WIDE = 19.0, 300.0
"""What is asked over a map, and in landscape how wide beside it."""
_LEAST_HIGH = 84.0
"""Of the keys under what hands do first."""


@dataclass(frozen=True, kw_only=True)
class WordHalf(Part):
    """A seat's whole half of the screen as its key: once its word is said, inverted with a tick."""

    row: ReadyRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        key, colours = self.row.key, pen.theme.side(self.row.side.tint)
        said = key.look is KeyLook.CHOSEN
        inverted = said != pressed
        if key.look is not KeyLook.IMPOSSIBLE:
            pen.fill(self.box, Colour.GO if inverted else Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, colours.text, 1.5 if inverted else 4, Reach.BAND_RADIUS)
        ink = Colour.GO_INK if inverted else Colour.INK
        upper, lower = self.box.inset(14, min(12.0, self.box.high * 0.1)).rows([1.1, 1], gap=6)
        self._draw_name(pen, upper, ink if inverted else colours.text)
        self._draw_word(pen, lower, ink)

    def _draw_name(self, pen: Pen, room: Box, ink: Colour | Rgba) -> None:
        """The tick once it is said, before that the side's sign; then whose word it is."""
        emblem = "ok" if self.row.key.mark else pen.theme.side(self.row.side.tint).mark
        name, side = self.row.name.upper(), min(Caps.HANDS + 6, room.high)
        if _fitted(pen, name, room.wide - side - 12) < Caps.NAME:
            name, side = self.row.name, 24.0
        side = side if emblem in SIGNS else 0.0
        caps = min(Caps.HANDS, room.high, _fitted(pen, name, room.wide - side - 12))
        used = side + 12 + pen.width(name, caps)
        shift = max(0.0, (room.wide - used) / 2) if caps >= Caps.NAME else 0.0
        if side:
            where = Box(room.x + shift, room.y, side, room.high)
            pen.sign(emblem, where.square(side), ink)
        words = room.beside(shift + side + (12 if side else 0))
        lines = 2 if caps < Caps.NAME and room.high >= Caps.DETAIL * 2.6 else 1
        pen.text(name, words, max(caps, Caps.DETAIL), ink, lines=lines)

    def _draw_word(self, pen: Pen, room: Box, ink: Colour) -> None:
        """READY in large letters once it is said; before that what is asked for."""
        key = self.row.key
        if key.look is KeyLook.CHOSEN:
            word = key.label.rpartition(" ")[2].upper()
            caps = min(Caps.HANDS, room.high, _fitted(pen, word, room.wide))
            pen.text(word, room, caps, ink, align="centre")
            return
        words = key.second or self.row.prompt
        lines = min(3, max(1, int((room.high + 6) // 22)))
        pen.text(words, room, 19, ink, face=Face.MEDIUM, align="centre", lines=lines)


def _fitted(pen: Pen, words: str, wide: float) -> float:
    """The largest capitals, u, in which words stand on one line of this width."""
    return Caps.HANDS * min(1.0, wide / max(1.0, pen.width(words, Caps.HANDS)))


def layout(state: ReadyState, page: Page) -> Parts:
    """The deed over the seats' words, or over lines and map."""
    body = page.body
    if state.frame.refusal is not None:
        band, room = page.refused(body, state.frame.refusal)
        yield from page.refusal(band, state.frame.refusal)
    elif state.deeds:
        bands, room = ruled_bands(page, body, state.deeds, _LEAST_HIGH)
        yield from bands
        room = room.below(4)
        if not state.rows:
            words, room = _beside_prompt(page, room, state.band.note)
            yield "asked", words
    else:
        said = said_band(page.theme, body, state.band)
        yield "band", said
        room = body.below(said.box.high + 8)
    if state.map is not None and (state.rows or state.lines):
        room, shown = page.sides(room, room.wide * (_KEYS_OVER_MAP if page.portrait else 0.5))
        yield from board_map(shown, state.map)
    elif state.map is not None:
        yield from board_map(room, state.map)
    yield from _halves(state, room, page)
    if not state.rows:
        yield from _lines(state, room)
    yield from page.around(state.frame)


def _beside_prompt(page: Page, room: Box, prompt: str) -> tuple[RulingPart, Box]:
    """What is asked once the deeds above it are done, and the map's room beside or under it."""
    line = RulingLine("", prompt, "", NO_KEY)
    words, shown = (room, room) if page.portrait else page.sides(room, _ASKED_WIDE)
    lines = lines_of(page.theme, prompt, _ASKED, sentence_wide(line, words.wide))
    words = words.top(lines_high(lines, _ASKED) + 14)
    below = shown.below(words.high + Reach.GAP) if page.portrait else shown
    return RulingPart(box=words, line=line, caps=_ASKED), below


def _halves(state: ReadyState, room: Box, page: Page) -> Parts:
    """The keys side by side, in portrait one over another; of more than three several in a row."""
    number = len(state.rows)
    if not number:
        return
    beside = _IN_ONE_ROW if number != _IN_ONE_ROW + 1 else 2
    if page.portrait or room.wide < page.wide / 2:
        beside = 1 if number <= _IN_ONE_ROW else 2
    if room.high < _TWO_ROWS:
        beside = number
    beside = min(beside, number)
    rows = -(-number // beside)
    high = min(_MOST_HIGH, (room.high - _GAP * (rows - 1)) / rows)
    for n, row in enumerate(state.rows):
        line = Box(room.x, room.y + n // beside * (high + _GAP), room.wide, high)
        place = line.columns([1] * beside, gap=_GAP)[n % beside]
        yield f"seat/{n}", WordHalf(box=place, row=row, action=row.key.action)


def _lines(state: ReadyState, room: Box) -> Parts:
    fitting = min(len(state.lines), max(0, int((room.high + 3) // 46)))
    for n, (box, line) in enumerate(
        zip(stacked(room, fitting, high=46, gap=3), state.lines, strict=False)
    ):
        yield f"line/{n}", LinePart(box=box, line=line)
