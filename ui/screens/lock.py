"""The lock: whose cards lie on which section; a row a team, a key a border."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.lock import BorderKey, LockSection, LockState, LockTeam
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import KeyLook, Mark
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words

_HEAD_WIDE = 168.0
_KEY_HIGH = 88.0


@dataclass(frozen=True, kw_only=True)
class TeamHead(Part):
    """The row's ground, the team's name and how many cards it laid."""

    team: LockTeam

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.team.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        room = Box(self.box.x + 18, self.box.y, _HEAD_WIDE - 26, self.box.high)
        draw_emblem(pen, self.team.side, Box(room.x + 2, room.y + 14, 38, 38))
        name = Box(room.x + 50, room.y + 20, room.wide - 50, 26)
        pen.text(self.team.side.name.upper(), name, 25, colours.text)
        pen.text(self.team.total, Box(room.x, room.bottom - 54, room.wide, 16), 15)
        split = Box(room.x, room.bottom - 30, room.wide, 16)
        pen.text(self.team.split, split, 14.5, Colour.INK2, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class SectionHead(Part):
    """A section's number, what was seen of it, and a line under it if it is doubled or in doubt."""

    section: LockSection
    line_y: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        number = self.box.left(24)
        pen.text(self.section.label, number, 19, face=Face.FIGURES)
        warned = self.section.mark is Mark.WARN
        tint = Colour.INK if warned else Colour.INK2
        face = Face.BOLD if self.section.doubled else Face.MEDIUM
        pen.text(self.section.note, self.box.beside(19), 14.5, tint, face=face, align="right")
        if warned:
            pen.fill(Box(self.box.x, self.line_y, self.box.wide, 3), Colour.WARN_LINE)


@dataclass(frozen=True, kw_only=True)
class BorderPart(Part):
    """A card's back as a key: the team's fill in a light or dark border, letter and count."""

    border: BorderKey
    tint: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        letter, count = self.box.inset(6, 10).rows([1.35, 1])
        if not self.border.count and not pressed:
            pen.fill(self.box, Colour.PANEL, 6)
            pen.edge(self.box, Colour.EDGE, 1.5, 6)
            pen.text(self.border.letter, letter, 22, Colour.INK2, align="centre")
            return
        colours = pen.theme.side(self.tint)
        light = self.border.border == "light"
        pen.fill(self.box, Colour.PLATE_INK if light else Colour.PLATE, 6)
        pen.edge(self.box, Colour.EDGE if light else colours.text, 1.5, 6)
        pen.fill(self.box.inset(5.5), colours.fill, 3)
        pen.text(self.border.letter, letter, 22, colours.on_fill, align="centre")
        figure = str(self.border.count) if self.border.count else "+"
        pen.text(figure, count, 18, colours.on_fill, face=Face.FIGURES, align="centre")


def layout(state: LockState, page: Page) -> Parts:
    """Two rows of four sections; a refusal takes the lead line's place."""
    body = page.body
    lead = Box(body.x + 4, body.y - 2, body.wide - 8, 42)
    if state.frame.refusal is not None:
        yield from page.refusal(Box(body.x, body.y - 6, body.wide, 53), state.frame.refusal)
    else:
        yield "lead", Words(box=lead, text=state.lead, caps=30)
    rows = body.below(48).rows([1] * max(1, len(state.teams)), gap=6)
    for n, (row, team) in enumerate(zip(rows, state.teams, strict=True)):
        yield f"team/{n}", TeamHead(box=row, team=_bare(team))
        yield from _sections(row, team, n)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _bare(team: LockTeam) -> LockTeam:
    return LockTeam(team.side, team.total, team.split, ())


def _sections(row: Box, team: LockTeam, n: int) -> Parts:
    room = Box(row.x + _HEAD_WIDE + 8, row.y, row.wide - _HEAD_WIDE - 22, row.high)
    boxes = room.columns([1] * max(1, len(team.sections)), gap=10)
    for place, section in zip(boxes, team.sections, strict=True):
        name = f"section/{n}.{section.label}"
        keys = Box(place.x, row.bottom - _KEY_HIGH - 8, place.wide, _KEY_HIGH)
        bare = LockSection(section.label, section.note, (), section.doubled, section.mark)
        head = Box(place.x, row.y + 8, place.wide, keys.y - row.y - 12)
        yield name, SectionHead(box=head, section=bare, line_y=keys.bottom + 3)
        columns = keys.columns([1] * max(1, len(section.keys)), gap=6)
        for column, border in zip(columns, section.keys, strict=True):
            yield (
                f"{name}/{border.letter}",
                BorderPart(
                    box=column, border=border, tint=team.side.tint, action=border.key.action,
                    held=border.key.look is KeyLook.HOLD,
                ),
            )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main("lock"))
