"""Cards: the pad of one team's card: one tap a card that was turned over."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.presenters.cards import CardsState
from ui.scene.theme import Colour, Face, Hand
from ui.scene.values import Band, Bottom, Message
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.bars import KEY, TOP, MessagePart
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import pad
from ui.widgets.words import LinePart

_PAD_WIDE = 522.0
_LEFT_WIDE = 288.0
_MESSAGE_WIDE = 190.0


@dataclass(frozen=True, kw_only=True)
class Notes(Part):
    """Two lines on what is known of the card: first what matters more."""

    notes: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        rows = self.box.rows([1] * max(1, len(self.notes)))
        for n, (row, note) in enumerate(zip(rows, self.notes, strict=False)):
            face, tint = (Face.MEDIUM, Colour.INK) if n == 0 else (Face.REGULAR, Colour.INK2)
            pen.text(note, row, 15, tint, face=face)


def layout(state: CardsState, page: Page) -> Parts:
    """Pad at one side, the other team's card and the map at the other."""
    keys, beside = page.sides(page.body.moved(down=-4), _PAD_WIDE)
    left, right = keys.left(_LEFT_WIDE), keys.beside(_LEFT_WIDE + 20)
    left, right = left.below(4), right.below(4)
    yield from pad(left, state.left, "left")
    yield from pad(right, state.right, "right", caps=16)
    yield from _beside(state, beside)
    yield from _bottom(state, page)


def _beside(state: CardsState, room: Box) -> Parts:
    y = room.y + 4
    for n, line in enumerate(state.others[:2]):
        yield f"other/{n}", LinePart(box=Box(room.x, y, room.wide, 46), line=line)
        y += 52
    notes_high = 23.0 * min(2, len(state.notes))
    yield from board_map(Box(room.x, y, room.wide, room.bottom - y - notes_high - 2), state.map)
    if state.notes:
        box = Box(room.x, room.bottom - notes_high + 2, room.wide, notes_high)
        yield "notes", Notes(box=box, notes=state.notes[:2])


def _bottom(state: CardsState, page: Page) -> Parts:
    """Who is asked stands where Done will be; a refusal, or what sight offers, beside it."""
    frame = state.frame
    if frame.refusal is None and frame.bottom.next is not None and frame.bottom.next.action:
        yield from page.around(frame)
        return
    message = frame.bottom.message if frame.bottom.message.first else Message()
    beside = message != Message() and frame.refusal is None
    room = _asked_room(page, len(frame.bottom.keys), _MESSAGE_WIDE if beside else 0.0)
    shown = message if beside else Message()
    yield from page.around(replace(frame, bottom=Bottom(frame.bottom.keys)))
    if frame.refusal is not None:
        yield from page.refusal(room, frame.refusal)
        return
    yield "asked", BandPart(box=room, band=Band((state.asked,), state.side))
    if beside:
        x = room.x - _MESSAGE_WIDE if page.theme.hand is Hand.RIGHT else room.right + 10
        box = Box(x, room.y, _MESSAGE_WIDE - 10, room.high)
        yield "asked/message", MessagePart(box=box, message=shown)


def _asked_room(page: Page, keys: int, less: float) -> Box:
    """From the bottom keys to the other edge, less what a message takes."""
    x = 10 + keys * (KEY[0] + 8) + 8 + less
    room = Box(x, TOP + 8, page.wide - 10 - x, KEY[1])
    if page.theme.hand is Hand.LEFT:
        return Box(page.wide - room.right, room.y, room.wide, room.high)
    return room


if __name__ == "__main__":
    raise SystemExit(main("cards"))
