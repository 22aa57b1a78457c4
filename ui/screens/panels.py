"""Fighter panels: a player's plane, pilot, piles and tokens; large for two, small for more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.look import Look
from ui.presenters.fighters import PILES, FighterPanel
from ui.screens.page import Parts
from ui.theme import Caps, Colour, Face, Reach, SideColours
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS

LARGE_HIGH = 100.0
SMALL_HIGH = 46.0
STRIP_HIGH = 19.0
_GAP = 6.0
_MOST_LOZENGES = 5


@dataclass(frozen=True, kw_only=True)
class LargePanel(Part):
    """Plane and names over the counts over the tokens."""

    panel: FighterPanel

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = _ground(pen, self.box, self.panel)
        room = Box(self.box.x + 12, self.box.y + 7, self.box.wide - 20, self.box.high - 12)
        head = self._draw_head(pen, room.top(38), colours)
        if self.panel.down:
            pen.text(self.panel.down.upper(), room.below(head), 26, Colour.INK2)
            return
        below = room.below(head + 5)
        tokens = self.panel.tokens is not None
        self._draw_counts(pen, below.top(min(50.0, below.high - (20 if tokens else 0))))
        if tokens:
            _draw_tokens(pen, Box(below.x, room.bottom - 16, below.wide, 16), self.panel, "Tokens")

    def _draw_head(self, pen: Pen, room: Box, colours: SideColours) -> float:
        panel = self.panel
        plate = Box(room.right - 25, room.y, 25, 25)
        _draw_letter(pen, plate, panel.side.tint)
        if panel.drawn.sign in SIGNS:
            pen.sign(panel.drawn.sign, Box(room.x, room.y, 36, 36), colours.text)
        words = Box(room.x + 44, room.y, plate.x - room.x - 50, 18)
        pen.text(panel.side.name, words, 18, colours.text)
        second = " · ".join(part for part in (_short(panel.fighter), panel.pilot) if part)
        under = Box(words.x, room.y + 23, room.right - words.x, 15)
        pen.text(second, under, 15, Colour.INK2, face=Face.MEDIUM)
        return 40.0

    def _draw_counts(self, pen: Pen, room: Box) -> None:
        """The Deck larger than the others: an empty one ends the flight."""
        if not self.panel.counts:
            return
        for n, (place, (pile, count)) in enumerate(
            zip(room.columns([1] * len(self.panel.counts)), self.panel.counts, strict=True)
        ):
            caps = 24.0 if n == 0 else 19.0
            figure = Box(place.x, place.y, place.wide, room.high - 18)
            pen.text(str(count), figure, min(caps, figure.high), face=Face.FIGURES)
            name = Box(place.x, room.bottom - 15, place.wide - 2, 14.5)
            pen.text(PILES[pile], name, 14, Colour.INK2, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class SmallPanel(Part):
    """Two lines: who and the tokens, over the piles that matter most."""

    panel: FighterPanel

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = _ground(pen, self.box, self.panel)
        room = Box(self.box.x + 9, self.box.y + 4, self.box.wide - 14, self.box.high - 8)
        plate = Box(room.x, room.y, 22, 22)
        _draw_letter(pen, plate, self.panel.side.tint)
        upper = Box(plate.right + 7, room.y, room.right - plate.right - 7, 20)
        if self.panel.tokens is not None and not self.panel.down:
            wide = 46.0
            _draw_tokens(pen, Box(upper.right - wide, upper.y, wide, 18), self.panel, "")
            upper = upper.left(upper.wide - wide - 4)
        pen.text(self.panel.side.name, upper, 16, colours.text)
        lower = Box(room.x, room.bottom - 15.5, room.wide, 15)
        pen.text(self.panel.down or counted(self.panel), lower, 14.5, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class StripPart(Part):
    """One line: letter, piles and tokens, where the room is wanted for keys."""

    panel: FighterPanel

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        letter = self.box.left(18)
        colours = pen.theme.side(self.panel.side.tint)
        pen.text(self.panel.side.tint.letter or "-", letter, 15, colours.text)
        room = self.box.beside(20)
        if self.panel.tokens is not None and not self.panel.down:
            _draw_tokens(pen, Box(room.right - 44, room.y, 44, room.high), self.panel, "")
            room = room.left(room.wide - 48)
        words = self.panel.down or counted(self.panel)
        pen.text(words, room, 14.5, face=Face.MEDIUM)


def counted(panel: FighterPanel) -> str:
    """The piles in words; the Discard Pile, open to all, is left out where room is short."""
    shown = [(pile, count) for pile, count in panel.counts if pile != "discard"]
    return "  ".join(f"{PILES[pile]} {count}" for pile, count in shown)


def _short(fighter: str) -> str:
    """The maker left out: "Fokker Dr.I" is known as a Dr.I."""
    return fighter.rpartition(" ")[2] if fighter else ""


def _ground(pen: Pen, box: Box, panel: FighterPanel) -> SideColours:
    colours = pen.theme.side(panel.side.tint)
    pen.fill(box, Colour.PANEL, Reach.RADIUS)
    pen.fill(box.left(5), colours.text, 2)
    if panel.active:
        pen.edge(box, colours.text, 2, Reach.RADIUS)
    return colours


def _draw_letter(pen: Pen, plate: Box, look: Look) -> None:
    colours = pen.theme.side(look)
    if look.letter:
        pen.fill(plate, colours.fill, 4)
        pen.text(look.letter, plate, 16, colours.on_fill, align="centre")


def _draw_tokens(pen: Pen, room: Box, panel: FighterPanel, label: str) -> None:
    """Lozenges as far as they can be counted at a glance, else a figure beside one."""
    tokens = panel.tokens or 0
    x = room.x
    if label:
        x += pen.text(label, room, 14, Colour.INK2, face=Face.MEDIUM).wide + 8
    if label and tokens <= _MOST_LOZENGES:
        for n in range(_MOST_LOZENGES):
            where = Box(x + 15 * n, room.y, 15, room.high).square(30)
            tint = pen.theme.side(panel.side.tint).text if n < tokens else Colour.HAIR
            pen.sign("token", where, tint)
        return
    pen.sign("token", Box(x, room.y, 15, room.high).square(34), Colour.INK)
    figure = Box(x + 18, room.y, room.right - x - 18, room.high)
    pen.text(str(tokens), figure, 16, face=Face.FIGURES)


# --- putting them together ---


def panels(room: Box, shown: Sequence[FighterPanel]) -> Parts:
    """Two side by side, large where the room is high; more in two rows."""
    if not shown:
        return
    rows = 1 if len(shown) <= 2 else 2
    high = min(room.high, LARGE_HIGH + 24 if rows == 1 else (SMALL_HIGH + 8) * rows + _GAP)
    lines = room.top(high).rows([1] * rows, gap=_GAP)
    columns = max(2, -(-len(shown) // rows))
    for n, panel in enumerate(shown):
        box = lines[n // columns].columns([1] * columns, gap=_GAP)[n % columns]
        large = rows == 1 and box.high >= LARGE_HIGH - 0.5
        yield f"panel/{n}", (LargePanel if large else SmallPanel)(box=box, panel=panel)


def strips(room: Box, shown: Sequence[FighterPanel]) -> Parts:
    """A line a seat, one under another."""
    high = min(STRIP_HIGH + 6, room.high / max(1, len(shown)))
    top = room.y + (room.high - high * len(shown)) / 2
    for n, panel in enumerate(shown):
        box = Box(room.x, top + n * high, room.wide, high)
        yield f"strip/{n}", StripPart(box=box, panel=panel)


def stacked_panels(room: Box, shown: Sequence[FighterPanel]) -> Parts:
    """Small ones in one column."""
    gap = 4.0
    high = min(SMALL_HIGH + 4, (room.high - gap * (len(shown) - 1)) / max(1, len(shown)))
    for n, panel in enumerate(shown):
        box = Box(room.x, room.y + n * (high + gap), room.wide, high)
        yield f"panel/{n}", SmallPanel(box=box, panel=panel)


CAPS = Caps.DETAIL
