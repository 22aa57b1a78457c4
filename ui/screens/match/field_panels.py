"""Fighter panels: who flies what, and how their cards and tokens stand; one a seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK, Look
from companion.core.ruling import Fact, Seat, Shows
from ui.scene.theme import Caps, Colour, Face, Reach, SideColours
from ui.scene.values import Side
from ui.screens.page import Parts
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS

if TYPE_CHECKING:
    from ui.scene.scene import Scene


_SHORT = 6
"""Letters of a word that is not shortened where there is little room."""


@dataclass(frozen=True, slots=True)
class PanelCount:
    """A number of a seat's; `open`: it lies open to all, and is left out first."""

    name: str
    count: int
    short: str = ""
    open: bool = False

    @property
    def narrow(self) -> str:
        """Its name where there is little room.

        >>> [PanelCount(name, 4).narrow for name in ("Hand", "Ammunition", "Open cargo")]
        ['Hand', 'Ammu.', 'Open']
        """
        first = self.name.partition(" ")[0]
        return self.short or (first if len(first) <= _SHORT else f"{first[:4]}.")


@dataclass(frozen=True, slots=True)
class FighterPanel:
    """One seat: `side` is the player in the seat's colours, `drawn` the model's silhouette.

    `counts` are the seat's numbers by name, the deciding one first; `tokens` None where the box has
    none. `down` says why the model is not on the board ("" while it flies); `active` marks whose
    turn it is.
    """

    side: Side
    drawn: Look = NO_LOOK
    fighter: str = ""
    pilot: str = ""
    counts: tuple[PanelCount, ...] = ()
    tokens: int | None = None
    down: str = ""
    active: bool = False


def present_fighters(scene: Scene) -> tuple[FighterPanel, ...]:
    """A panel for each seat that has cards, in the book's order of seats."""
    return tuple(_panel(scene, seat) for seat in scene.names.seats if _plays(scene, seat))


def seat_side(scene: Scene, seat: Seat) -> Side | None:
    """A player in the seat's own colours, where its side has those of several; None: the table."""
    look = scene.match.rulebook.looks.get(seat)
    return Side(scene.names.player(seat), look) if look else scene.side(seat)


def _plays(scene: Scene, seat: Seat) -> bool:
    return any(fact.seat == seat for fact in scene.facts)


def _panel(scene: Scene, seat: Seat) -> FighterPanel:
    facts = [fact for fact in scene.facts if fact.seat == seat]
    told = {fact.name.rpartition(".")[2]: fact.value for fact in facts}
    piece = str(told.get("fighter") or told.get("ship") or "")
    return FighterPanel(
        side=seat_side(scene, seat) or Side(scene.names.player(seat)),
        drawn=scene.match.rulebook.looks.get(piece, NO_LOOK),
        fighter=_fighter(scene, piece),
        pilot=_pilot(facts, told),
        counts=tuple(_counts(facts)),
        tokens=_whole(told.get("tokens")),
        down=_down(told, piece),
        active=scene.values.get("active") == seat,
    )


def _fighter(scene: Scene, piece: str) -> str:
    token = next((t for t in scene.map.plan.tokens if t.piece == piece), None)
    return token.label if token is not None else piece


def _pilot(facts: Sequence[Fact], told: Mapping[str, Any]) -> str:
    """The pilot's last name, and the side of the card that lies up: "Fonck, side A".

    A box may have a pilot's value instead: that is told with what it is.
    """
    fact = next((fact for fact in facts if fact.name.endswith(".pilot")), None)
    if fact is None or not fact.value:
        return ""
    if _whole(fact.value) is not None:
        return f"{fact.label} {fact.value}"
    name = (fact.words or str(fact.value)).rpartition(" ")[2]
    side = told.get("pilot_side")
    return f"{name}, side {side}" if side else name


def _counts(facts: Sequence[Fact]) -> Iterator[PanelCount]:
    for fact in facts:
        count = _whole(fact.value)
        tokens = fact.name.endswith(".tokens")  # they have a drawing of their own
        if fact.shows.is_count and count is not None and not tokens:
            yield PanelCount(fact.label, count, fact.short, fact.shows is Shows.OPEN)


def _down(told: Mapping[str, Any], piece: str) -> str:
    if told.get("down"):
        return str(told["down"])
    if not piece or told.get("flying") is not False:
        return ""
    return "Crashed" if told.get("out") is True else "Off the board"


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# Parts and layout: large for two players, small for more.

LARGE_HIGH = (76.0, 124.0)
SMALL_HIGH = 42.0
STRIP_HIGH = 20.0
_GAP = 6.0
_MOST_LOZENGES = 5
_FEW_COUNTS = 3
_COUNT_WIDE = 46.0
"""Of a large panel for each of its counts: its name, at the least."""
_TOKENS_WIDE = 18.0
"""Of a lozenge with a figure beside it, up to the figure."""
_HEAD_HIGH = 38.0
_LOW_HEAD_HIGH = 21.0
_WITH_PILOT = 80.0
_WITH_LOZENGES = 66.0


@dataclass(frozen=True, kw_only=True)
class LargePanel(Part):
    """Plane and names over the counts.

    Where there is room the pilot is named, and tokens stand as lozenges instead of a figure.
    """

    panel: FighterPanel

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = _ground(pen, self.box, self.panel)
        room = Box(self.box.x + 12, self.box.y + 6, self.box.wide - 19, self.box.high - 11)
        head = _HEAD_HIGH if room.high >= _WITH_PILOT else _LOW_HEAD_HIGH
        below = room.below(head + 4)
        lozenges = below.high >= _WITH_LOZENGES
        self._draw_head(pen, room.top(head), colours, counted=not lozenges)
        if self.panel.down:
            pen.text(self.panel.down.upper(), below, 26, Colour.INK2)
            return
        if lozenges and self.panel.tokens is not None:
            line = Box(below.x, room.bottom - 16, below.wide, 16)
            _draw_tokens(pen, line, self.panel, "Tokens")
            below = below.top(below.high - 22)
        self._draw_counts(pen, below)

    def _draw_head(self, pen: Pen, room: Box, colours: SideColours, *, counted: bool) -> None:
        """Silhouette, name and pilot; the tokens too where they are told by a figure."""
        panel = self.panel
        plate = Box(room.right - 22, room.y, 22, 20)
        _draw_letter(pen, plate, panel.side.tint)
        words = Box(room.x, room.y + 1, plate.x - room.x - 6, 18)
        if counted and panel.tokens is not None and not panel.down:
            wide = 24.0 + 11.0 * len(str(panel.tokens))
            _draw_tokens(pen, Box(words.right - wide, words.y, wide, 18), panel, "")
            words = words.left(words.wide - wide - 4)
        side = min(37.0, room.high)
        low = room.high < _HEAD_HIGH
        if panel.drawn.sign in SIGNS and not self._needs(pen, words.wide - side - 7):
            pen.sign(panel.drawn.sign, Box(room.x, room.y, side, side), colours.text)
            words = words.beside(side + 7)
        name = " · ".join(part for part in (panel.side.name, _short(panel.fighter)) if part)
        whole = pen.width(name, 15) <= words.wide
        pen.text(name if whole else panel.side.name, words, 18, colours.text)
        if not low:
            under = Box(words.x, room.y + 23, room.right - words.x, 15)
            pen.text(panel.pilot, under, 15, Colour.INK2, face=Face.MEDIUM)

    def _needs(self, pen: Pen, wide: float) -> bool:
        """Whether the name alone needs more than this."""
        return pen.width(self.panel.side.name, Caps.DETAIL) > wide

    def _draw_counts(self, pen: Pen, room: Box) -> None:
        """The Deck larger than the others: an empty one ends the flight."""
        shown = [(pile.narrow, pile.count) for pile in self.panel.counts]
        figures = min(26.0, room.high - 19)
        widths = [
            max(
                pen.width(name, 14, Face.MEDIUM),
                pen.width(str(count), figures * (0.8 if n else 1.0), Face.FIGURES),
            )
            for n, (name, count) in enumerate(shown)
        ]
        gap = max(3.0, (room.wide - sum(widths)) / max(1, len(shown)))
        x = room.x
        for n, ((name, count), wide) in enumerate(zip(shown, widths, strict=True)):
            figure = Box(x, room.y, wide + gap - 2, figures)
            caps = figures if n == 0 else figures * 0.8
            pen.text(str(count), figure, caps, face=Face.FIGURES, across="bottom")
            label = Box(x, room.y + figures + 4.5, wide + 2, 14.5)
            pen.text(name, label, 14, Colour.INK2, face=Face.MEDIUM)
            x += wide + gap


@dataclass(frozen=True, kw_only=True)
class SmallPanel(Part):
    """Two lines: who and the tokens, over the piles that matter most."""

    panel: FighterPanel

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = _ground(pen, self.box, self.panel)
        room = Box(self.box.x + 9, self.box.y + 3, self.box.wide - 14, self.box.high - 6)
        plate = Box(room.x, room.y, 22, 22)
        _draw_letter(pen, plate, self.panel.side.tint)
        upper = Box(plate.right + 7, room.y, room.right - plate.right - 7, 18)
        if self.panel.tokens is not None and not self.panel.down:
            wide = 46.0
            _draw_tokens(pen, Box(upper.right - wide, upper.y, wide, 18), self.panel, "")
            upper = upper.left(upper.wide - wide - 4)
        name = self.panel.side.name
        pen.text(name, upper, 15 if pen.width(name, 15) <= upper.wide else 14, colours.text)
        lower = Box(room.x, room.bottom - 15.5, room.wide, 15)
        words = self.panel.down or _fitting(pen, self.panel, room.wide)
        pen.text(words, lower, 14.5, face=Face.MEDIUM)


@dataclass(frozen=True, kw_only=True)
class StripPart(Part):
    """One line: letter, piles and tokens, where the room is wanted for keys."""

    panel: FighterPanel
    ground: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room, colours = self.box, pen.theme.side(self.panel.side.tint)
        if self.ground:
            _ground(pen, self.box, self.panel)
            room = room.beside(12)
        pen.text(self.panel.side.tint.letter or "-", room.left(18), 15, colours.text)
        if self.panel.down:
            pen.text(self.panel.down, room.beside(20), 14.5, face=Face.MEDIUM)
            return
        counts, tokens = room.beside(19), self.panel.tokens
        if tokens is not None:
            wide = _TOKENS_WIDE + pen.width(str(tokens), 16, Face.FIGURES) + 3
            _draw_tokens(pen, Box(room.right - wide, room.y, wide, room.high), self.panel, "")
            counts = counts.left(counts.wide - wide - 3)
        told = _fitting(pen, self.panel, counts.wide)
        pen.text(told, counts, 14, face=Face.MEDIUM)


def shown_counts(panel: FighterPanel) -> list[PanelCount]:
    """Three at most; what lies open to all is left out first."""
    kept = [pile for pile in panel.counts if not pile.open]
    return (kept if len(panel.counts) > _FEW_COUNTS else [*panel.counts])[:_FEW_COUNTS]


def _fitting(pen: Pen, panel: FighterPanel, wide: float) -> str:
    """As many of the counts in words as stand on one line."""
    words = [f"{pile.narrow} {pile.count}" for pile in shown_counts(panel)]
    lines = ("  ".join(words[:n]) for n in range(len(words), 0, -1))
    return next((line for line in lines if pen.width(line, 14, Face.MEDIUM) <= wide), "")


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
    most = LARGE_HIGH[1] * rows + _GAP * (rows - 1)
    lines = room.top(min(room.high, most)).rows([1] * rows, gap=_GAP)
    columns = max(2, -(-len(shown) // rows))
    for n, panel in enumerate(shown):
        box = lines[n // columns].columns([1] * columns, gap=_GAP)[n % columns]
        yield f"panel/{n}", _panel_parts(box, panel)


def _panel_parts(box: Box, panel: FighterPanel) -> Part:
    wide_enough = box.wide >= _COUNT_WIDE * len(panel.counts)
    if box.high >= LARGE_HIGH[0] - 0.5 and wide_enough:
        return LargePanel(box=box, panel=panel)
    if box.high < SMALL_HIGH - 0.5:
        return StripPart(box=box, panel=panel, ground=True)
    return SmallPanel(box=box.top(min(box.high, SMALL_HIGH + 8)), panel=panel)


def strips(room: Box, shown: Sequence[FighterPanel]) -> Parts:
    """A line a seat, one under another."""
    top = room.bottom - STRIP_HIGH * len(shown)
    for n, panel in enumerate(shown):
        box = Box(room.x, top + n * STRIP_HIGH, room.wide, STRIP_HIGH)
        yield f"strip/{n}", StripPart(box=box, panel=panel)


def stacked_panels(room: Box, shown: Sequence[FighterPanel]) -> Parts:
    """One under another, as large as there is room."""
    gap = 4.0
    each = (room.high - gap * (len(shown) - 1)) / max(1, len(shown))
    high = min(LARGE_HIGH[1] - 24, each)
    for n, panel in enumerate(shown):
        yield (
            f"panel/{n}",
            _panel_parts(Box(room.x, room.y + n * (high + gap), room.wide, high), panel),
        )
