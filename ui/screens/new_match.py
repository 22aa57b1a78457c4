"""New match: five choices at the left, the chosen one at the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.naming import EditName
from ui.presenters.new_match import Choice, NewMatchState, SeatField
from ui.scene.map import MapState
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Key, KeyLook, Mark
from ui.screens.choice_rows import choice_rows
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.board_map import MapFrame, in_a_row
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words

_CHOICES_WIDE = 252.0
_SEAT_HIGH = 64.0
_ONE_COLUMN, _LISTED_HIGH, _SHORT = 5, 61.0, 20


@dataclass(frozen=True, kw_only=True)
class ChoicePart(Part):
    """One of the five: title, present value, and its signal or an arrow where it is open."""

    choice: Choice

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = (self.choice.key.look is KeyLook.CHOSEN) != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.GO if inverted else Colour.EDGE, Reach.EDGE)
        ink, second = (Colour.GO_INK, Colour.GO_INK) if inverted else (Colour.INK, Colour.INK2)
        room = self.box.inset(14, 7)
        at = Box(room.right - 20, room.y, 20, room.high / 2).square()
        if inverted:
            pen.sign("right", at, ink)
        elif self.choice.mark:
            pen.sign(self.choice.mark, at, ink)
        upper, lower = room.rows([1, 1.1])
        pen.text(self.choice.title, upper.left(room.wide - 28), 15, second)
        pen.text(self.choice.value, lower, 17, ink)


@dataclass(frozen=True, kw_only=True)
class SeatPart(Part):
    """A seat as a key: emblem, the player's name (or that it is missing), the seat."""

    field: SeatField

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.field.side.tint)
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        edge = Colour.BAD if self.field.error else colours.text
        pen.edge(self.box, edge, 1.8, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else Colour.INK
        second = Colour.GO_INK if pressed else Colour.INK2
        if self.field.error:
            pen.sign(Mark.BAD, Box(self.box.x + 6, self.box.y, 18, self.box.high).square(18), ink)
        else:
            draw_emblem(pen, self.field.side, Box(self.box.x + 8, self.box.y, 26, self.box.high))
        indent = 27 if self.field.error else 42
        room = self.box.beside(indent).inset(0, 4 if self.field.error else 6)
        room = room.left(room.wide - 5)
        name = self.field.player or "Touch to name"
        if not self.field.player and pen.width(name, Caps.DETAIL) > room.wide:
            name = "Name?" if pen.width("Name?", Caps.DETAIL) <= room.wide else "?"
        label = self.field.label
        if pen.width(label, Caps.DETAIL, Face.MEDIUM) > room.wide:
            label = self.field.seat
        if self.field.error:
            pen.text(name, room.top(15), 15, ink if self.field.player else second)
            why = room.below(18)
            pen.text(self.field.error, why, 14, second, face=Face.MEDIUM, lines=2)
            return
        upper, lower = room.rows([1.1, 1])
        pen.text(name, upper, 17, ink if self.field.player else second)
        pen.text(label, lower, 14.5, second, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class TablePlan(Part):
    """The table between the seats: the boards as they lie before the screen."""

    map: MapState

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.edge(self.box, Colour.HAIR, 1.5, 5)
        frame = MapFrame.fit(self.box.inset(14, 8), self.map.bounds_mm, stretch=2.2)
        for board in self.map.boards:
            place = frame.around(board.outline_mm).inset(2)
            tint = pen.theme.side(board.side.tint).text
            pen.edge(place, tint, 1.6, 4)
            columns = len(board.cells) if in_a_row(board) else 1
            for cell in place.columns([1] * columns)[1:]:
                pen.fill(Box(cell.x, place.y + 2, 1, place.high - 4), Colour.GRID)


def layout(state: NewMatchState, page: Page) -> Parts:
    """Choices, then rows; or for seats the fields around the table."""
    left, right = page.sides(page.body.inset(0, 2), _CHOICES_WIDE)
    places = stacked(left, len(state.choices), high=60, gap=4)
    for n, (box, choice) in enumerate(zip(places, state.choices, strict=True)):
        yield f"choice/{n}", ChoicePart(box=box, choice=choice, action=choice.key.action)
    if state.frame.refusal is not None:
        yield from page.refusal(right.top(76), state.frame.refusal)
        right = right.below(82)
    if state.seats:
        yield from _seats(state, right, page)
    elif len(state.rows) == 1 and (whole := state.rows[0].values) and _is_list(whole):
        columns = 1 if len(whole) <= _ONE_COLUMN else 2
        lines = stacked(right, -(-len(whole) // columns), high=_LISTED_HIGH, gap=5)
        for n, key in enumerate(whole):
            place = lines[n // columns].columns([1] * columns, gap=8)[n % columns]
            yield f"row/0/{n}", key_cap(place, key, caps=20, align="left")
    elif state.rows:
        yield from choice_rows(right, state.rows, page.theme)
    else:
        yield "title", Words(box=right.top(40), text=state.title)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _is_list(keys: Sequence[Key]) -> bool:
    """Whether keys need lines of their own: they have long words, or more to say."""
    return any(key.second or len(key.label) > _SHORT for key in keys)


def _seats(state: NewMatchState, room: Box, page: Page) -> Parts:
    """Seats as the table lies: the far team above, the near one below, each behind its board."""
    rows_high = 0.0
    if state.rows:
        rows_high = 104.0
        yield from choice_rows(
            Box(room.x, room.bottom - rows_high, room.wide, rows_high), state.rows[:1], page.theme
        )
    table = room.top(room.high - rows_high - 6)
    far, near = _by_place(state)
    upper, lower = table.top(_SEAT_HIGH), table.below(table.high - _SEAT_HIGH)
    for name, row, seats in (("far", upper, far), ("near", lower, near)):
        boxes = row.columns([1] * max(1, len(seats)), gap=Reach.GAP)
        for n, (box, seat) in enumerate(zip(boxes, seats, strict=False)):
            yield f"seat/{name}/{n}", SeatPart(box=box, field=seat, action=EditName(seat))
    middle = Box(table.x, upper.bottom + 6, table.wide, lower.y - upper.bottom - 12)
    if state.map is not None and middle.high > 30:
        yield "plan", TablePlan(box=middle, map=_bare(state.map))


def _bare(shown: MapState) -> MapState:
    """The boards alone: no piece stands yet."""
    return MapState(shown.boards, bounds_mm=shown.bounds_mm)


def _by_place(state: NewMatchState) -> tuple[list[SeatField], list[SeatField]]:
    """Seats of the far boards and of the near ones, each from left to right."""
    boards = {board.name: board for board in state.map.boards} if state.map else {}

    def board_of(seat: SeatField) -> str | None:
        return next((name for name in boards if name.startswith(seat.label)), None)

    def place(seat: SeatField) -> float:
        name = board_of(seat)
        return sum(x for x, _ in boards[name].outline_mm) if name else 0.0

    def is_far(seat: SeatField, at: int) -> bool:
        name = board_of(seat)
        return boards[name].turned if name else at >= len(state.seats) // 2

    far = [seat for at, seat in enumerate(state.seats) if is_far(seat, at)]
    near = [seat for at, seat in enumerate(state.seats) if not is_far(seat, at)]
    if not any(board_of(seat) for seat in state.seats):
        return far[::-1], near  # they sit around what lies between them
    return sorted(far, key=place), sorted(near, key=place)


if __name__ == "__main__":
    raise SystemExit(main("new_match"))
