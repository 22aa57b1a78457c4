"""Everyone at once: one word closes what all players do together, and exceptions are told before.

"All: draw up to 4" is one touch; a row a player has the numbers of those who do otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.question import Count, Ready
from companion.core.ruling import TABLE
from ui.scene.scene import Scene, pages_of
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Message, ScreenFrame, Side
from ui.screens.match.counts import NOBODY
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, FillForm
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player: who, what the numbers count, a key a number; the one that counts is lit."""

    side: Side
    name: str
    counts: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class EveryoneState:
    """What all do, a row for each who may do otherwise; the next tap is the word for all."""

    frame: ScreenFrame
    band: Band
    rows: tuple[PlayerRow, ...]
    page: int = 1
    pages: int = 1


ROWS_A_PAGE = 6
MOST_KEYS = 6


def is_for_everyone(scene: Scene) -> bool:
    """Whether one word says what all did, and each number asked besides has a silence."""
    closing = scene.closing
    counts = [question for question in scene.open.values() if not isinstance(question, Ready)]
    return (
        closing is not None
        and bool(closing.all_do)
        and all(isinstance(one, Count) and one.lapse is not None for one in counts)
        and all(len(one.options_now()) <= MOST_KEYS for one in counts)
    )


def present_everyone(scene: Scene) -> EveryoneState:
    """Who has told nothing does what all do."""
    closing = scene.closing
    assert closing is not None
    asked = [question for question in scene.open.values() if isinstance(question, Count)]
    shown, page, pages = pages_of(asked, scene.view.page, ROWS_A_PAGE)
    label, told = f"All {closing.in_a_word}", _exceptions(scene, asked)
    return EveryoneState(
        frame=scene.frame(
            message=Message(told, str(closing.cite)),
            next_key=scene.closing_key(closing, label, "for everybody"),
        ),
        band=Band((f"All: {closing.all_do}".upper(),)),
        rows=tuple(_row(scene, question) for question in shown),
        page=page,
        pages=pages,
    )


def _exceptions(scene: Scene, asked: Sequence[Count]) -> str:
    """Who does otherwise: "Discard: Ana 2, Dan 1"; else that nobody does.

    Of a player's several hands it says which.
    """
    what = scene.names.without(asked[0].headline, asked[0].by) if asked else ""
    told = {one: scene.match.answered.get(one.key, one.lapse) for one in asked}
    said = [f"{_name(scene, one)} {n}" for one, n in told.items() if str(n) != str(one.lapse)]
    return f"{what}: {', '.join(said) or 'nobody'}" if asked else ""


def _who(scene: Scene, question: Count) -> str:
    return "Table" if question.by == TABLE else scene.names.player(question.by)


def _row(scene: Scene, question: Count) -> PlayerRow:
    told = str(scene.match.answered.get(question.key, question.lapse))
    keys = tuple(
        Key(
            option.label,
            FillForm(Answer(question.key, question.opened, option.value)),
            look=KeyLook.CHOSEN if option.name == told else KeyLook.PLAIN,
        )
        for option in question.options_now()
    )
    counts = scene.names.without(question.headline, question.by)
    return PlayerRow(scene.side(question.by) or NOBODY, _name(scene, question), counts, keys)


def _name(scene: Scene, question: Count) -> str:
    """The player's name; where one player has several hands, whose hand it is."""
    name = _who(scene, question)
    others = [one for one in scene.open.values() if isinstance(one, Count) and one is not question]
    headline = question.headline.partition(":")[0]
    same = any(_who(scene, one) == name for one in others)
    return f"{name} · {headline.rpartition(' ')[2]}" if same else name


# Layout.

_BAND_HIGH = 82.0
_KEY_WIDE = 74.0
_WIDE = 500.0
"""So wide is a row that has its keys beside the name."""
_EMBLEM_BESIDE = 200.0
_TWO_LINES_HIGH = 46.0
_NARROW = 51.0
_GAP = 4.0
_ONE_COLUMN = 4
_MOST_HIGH = (66.0, 100.0)
"""Of a row with keys beside the name, and under it."""


@dataclass(frozen=True, kw_only=True)
class PlayerGround(Part):
    """Whose row it is and what is counted; `words` is the room for that."""

    side: Side
    name: str
    counts: str
    words: Box

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        room = self.words
        if self.words.wide >= _EMBLEM_BESIDE:
            side = min(28.0, room.high)
            draw_emblem(pen, self.side, room.left(28).square(side))
            room = room.beside(38)
        if room.high < _TWO_LINES_HIGH:
            counts = pen.width(self.counts, Caps.DETAIL, Face.MEDIUM) + 12
            named = room.left(room.wide - counts)
            pen.text(self.name, named, max(Caps.DETAIL, min(18.0, room.high - 9)), colours.text)
            pen.text(self.counts, room, Caps.DETAIL, Colour.INK2, face=Face.MEDIUM, align="right")
        elif pen.width(self.name, Caps.DETAIL) > room.wide:
            pen.text(self.name, room, 18, colours.text, lines=2)
        else:
            upper, lower = room.inset(0, 7).rows([1.3, 1], gap=7)
            pen.text(self.name, upper, min(20.0, upper.high - 2), colours.text)
            pen.text(self.counts, lower, Caps.DETAIL, Colour.INK2, face=Face.MEDIUM)


def layout(state: EveryoneState, page: Page) -> Parts:
    """What all do over a row a player; more than four rows stand in two columns."""
    band = page.body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        band, room = page.refused(page.body, state.frame.refusal)
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
        room = page.body.below(band.high + 6)
    columns = 1 if page.portrait or len(state.rows) <= _ONE_COLUMN else 2
    lines = max(1, -(-len(state.rows) // columns))
    most = max((len(row.keys) for row in state.rows), default=1)
    high = min(_MOST_HIGH[page.portrait or columns > 1], (room.high - _GAP * (lines - 1)) / lines)
    for n, row in enumerate(state.rows):
        column = room.columns([1] * columns, gap=Reach.GAP)[n // lines]
        place = Box(column.x, column.y + n % lines * (high + _GAP), column.wide, high)
        yield from _row_parts(row, place, n, most)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _row_parts(row: PlayerRow, place: Box, n: int, number: int) -> Parts:
    """Keys at the far edge of a wide row; of a narrow one under the name, where it is high.

    Each number has its column, as many as `number`.
    """
    over = place.high - Reach.TARGET[1] - 4
    under = place.wide < _WIDE and over >= Caps.DETAIL + 3
    each = _KEY_WIDE if place.wide >= _WIDE else _NARROW
    wide = place.wide - 16 if under else number * each + (number - 1) * _GAP
    words = Box(place.x + 12, place.y, place.wide - wide - 28, place.high)
    keys = Box(place.right - wide - 4, place.y + 2, wide, place.high - 4)
    if under:
        over = min(38.0, over)
        words = Box(place.x + 12, place.y + 1, place.wide - 24, over)
        keys = Box(place.x + 8, words.bottom, wide, place.bottom - 3 - words.bottom)
        words = words.top(over - 3)
    ground = PlayerGround(
        box=place, side=row.side, name=row.name, counts=row.counts, words=words
    )  # fmt: skip
    yield f"player/{n}", ground
    for at, (box, key) in enumerate(
        zip(keys.columns([1] * max(1, number), gap=_GAP), row.keys, strict=False)
    ):
        yield f"player/{n}/{at}", key_cap(box, key, caps=22)
