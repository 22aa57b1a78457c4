"""PagePen and SvgPen: the same parts as on the screen, drawn for a page or a sheet of paper.

No window is needed. A page has light and dark, so what SvgPen draws names its colours and leaves
their values to `colours_css`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ui.scene.theme import LEADING, Caps, Colour, Face, Light, Palette, Rgba, SideColours, Theme
from ui.widgets.box import Box
from ui.widgets.pen import WHOLE, Pen, Tint, Written, arrow_head, lines_high, top_of, whole
from ui.widgets.shape import Disc, Point, Shape, Solid, Stroke, borders
from ui.widgets.signs import FRAME, SIGNS, Layer

if TYPE_CHECKING:
    from companion.core.board import Look

# Colours that keep their names.


class NamedRgba(tuple[float, float, float, float]):  # noqa: SLOT001 - a tuple has no named slots
    """A colour that a page knows by name, whatever the light."""

    name: str

    @classmethod
    def of(cls, name: str, value: Rgba) -> NamedRgba:
        """A colour under that name."""
        named = cls(value)
        named.name = name
        return named


class NamedTheme(Theme):
    """A theme whose sides' colours keep their names: "side1-text"."""

    def side(self, look: Look) -> SideColours:
        """As the screen has them, each with its name; ink where a side has no colour."""
        if look.colour is None:
            return super().side(look)
        found = super().side(look)
        own = f"side{look.colour}"
        return SideColours(
            NamedRgba.of(f"{own}-text", found.text),
            NamedRgba.of(f"{own}-fill", found.fill),
            NamedRgba.of(f"{own}-on", found.on_fill),
            found.mark,
        )


_SIDES = 6


def colours_css(palette: Palette = Palette.STANDARD) -> str:
    """Every colour by name, by day and by night, and a class for each that draws in it."""
    day, night = (_values(Theme(light, palette)) for light in (Light.DAY, Light.NIGHT))
    inks = "".join(f".t-{name}{{fill:var(--{name});stroke:var(--{name})}}" for name in day)
    dark = _declared(night)
    return (
        f":root{{color-scheme:light dark;{_declared(day)}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-light=day]){{{dark}}}}}"
        f"@media screen{{:root[data-light=night]{{{dark}}}}}{inks}"
    )


def _declared(values: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in values.items())


def _values(theme: Theme) -> dict[str, str]:
    from companion.core.board import Look

    named = {str(colour): _code(theme[colour]) for colour in Colour}
    for n in range(_SIDES):
        side = theme.side(Look(n))
        parts = (side.text, side.fill, side.on_fill)
        named |= {f"side{n}-{part}": _code(value) for part, value in
                  zip(("text", "fill", "on"), parts, strict=True)}  # fmt: skip
    return named


def _code(colour: Rgba) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])


# What pages and paper have in common: letters that are measured without a window.

CAPS_SHARE = 0.72
"""Capitals of the usual sans serif letters, of the font's size."""
NARROW = 0.86
"""The screen's condensed letters beside Helvetica; another font is squeezed to that width."""
_FONTS = {Face.BOLD: "Helvetica-Bold", Face.FIGURES: "Helvetica-Bold"}


@cache
def letters_wide(text: str, caps: float, face: Face = Face.BOLD) -> float:
    """How wide a line is, u."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return NARROW * float(stringWidth(text, _FONTS.get(face, "Helvetica"), caps / CAPS_SHARE))


class TextLine(NamedTuple):
    """One line as it comes out: where it begins, its base line, its capitals and its width."""

    text: str
    x: float
    base: float
    caps: float
    wide: float


class PagePen(Pen):
    """Sets text by measured letters; shapes, lines and ghosts of whatever draws shapes."""

    def half_turn(self) -> AbstractContextManager[None]:
        """Nobody sits opposite a page."""
        return nullcontext()

    def width(self, text: str, caps: float, face: Face = Face.BOLD) -> float:
        return letters_wide(text, caps, face)

    def lines(self, text: str, caps: float, wide: float, face: Face = Face.BOLD) -> int:
        return len(_wrapped(text, caps, wide, face))

    def silhouette(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self.shapes(box, whole(SIGNS[name], turn_deg), FRAME, tint)

    def line(self, points: Sequence[Point], tint: Tint, width: float = 1.5) -> None:
        self.shapes(Box(0, 0, 1, 1), (Stroke(tuple(points), width),), (1, 1), tint)

    def arrow(self, start: Point, end: Point, tint: Tint, width: float = 2.5) -> None:
        self.line((start, end), tint, width)
        self.line(arrow_head(start, end, size=9.0), tint, width)

    def picture(self, slot: str, pixels: Any, box: Box, part: Box = WHOLE) -> None:
        """A map has none; photographs lie in a page by themselves."""
        raise NotImplementedError(f"no picture is drawn on a page: {slot}")

    def text(  # noqa: PLR0913 - a text has these properties
        self,
        text: str,
        room: Box,
        caps: float = Caps.BODY,
        tint: Tint = Colour.INK,
        *,
        face: Face = Face.BOLD,
        align: str = "left",
        across: str = "middle",
        lines: int = 1,
        least: float = Caps.DETAIL,
        struck: bool = False,
    ) -> Box:
        rows = _wrapped(text, caps, room.wide, face)
        while caps > least and (len(rows) > lines or _widest(rows, caps, face) > room.wide):
            caps -= 0.5
            rows = _wrapped(text, caps, room.wide, face)
        high = lines_high(len(rows), caps)
        top = top_of(room, high, across)
        share = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        for n, row in enumerate(rows):
            wide = min(letters_wide(row, caps, face), room.wide)
            at = room.x + (room.wide - wide) * share
            base = top + caps * (1 + n * LEADING)
            self.write(TextLine(row, at, base, caps, wide), tint, face)
        ink = Box(room.x, top, _widest(rows, caps, face), high)
        self.written.append(Written(text, room, ink, caps, self.colour(tint), cut=False))
        return ink

    @abstractmethod
    def write(self, line: TextLine, tint: Tint, face: Face) -> None:
        """Put down one line."""


def _wrapped(text: str, caps: float, wide: float, face: Face) -> list[str]:
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and letters_wide(longer, caps, face) <= wide:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows or [""]


def _widest(rows: Iterable[str], caps: float, face: Face) -> float:
    return max(letters_wide(row, caps, face) for row in rows)


# SVG.


def figure(value: float) -> str:
    """A number in as few figures as a drawing needs.

    >>> figure(12.0), figure(3.14159), figure(-0.04)
    ('12', '3.1', '0')
    """
    return f"{value:.1f}".removesuffix(".0").replace("-0", "0" if abs(value) < 0.05 else "-0")


class SvgPen(PagePen):
    """Draws into one piece of SVG, `out`; `signs` are the symbols that it refers to."""

    def __init__(self) -> None:
        super().__init__(NamedTheme())
        self.out: list[str] = []
        self.signs: set[str] = set()

    @property
    def drawn(self) -> str:
        """All of it, to lie in an `svg` with `symbols` of its signs and `colours_css`."""
        return "".join(self.out)

    def fill(self, box: Box, tint: Tint, radius: float = 0.0) -> None:
        self._put(f'<rect {_rect(box, radius)} stroke="none"/>', tint)

    def edge(self, box: Box, tint: Tint, width: float = 1.5, radius: float = 6.0) -> None:
        rect = _rect(box.inset(width / 2), max(0.0, radius - width / 2))
        self._put(f'<rect {rect} fill="none" stroke-width="{figure(width)}"/>', tint)

    def shapes(
        self, box: Box, shapes: Sequence[Shape], frame: tuple[float, float], tint: Tint
    ) -> None:
        scale = (box.wide / frame[0], box.high / frame[1])
        self._put(svg_shapes(shapes, (box.x, box.y), scale), tint)

    def sign(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self._use(f"sign-{name}", box, tint, turn_deg)

    def halo(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self._use(f"rim-{name}", box, tint, turn_deg, width=2.2)

    def ghost(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self._use(f"rim-{name}", box, tint, turn_deg, width=1.6, dashes=(4.5, 3.0))

    def write(self, line: TextLine, tint: Tint, face: Face) -> None:
        size, at = figure(line.caps / CAPS_SHARE), f'x="{figure(line.x)}" y="{figure(line.base)}"'
        held = f' textLength="{figure(line.wide)}" lengthAdjust="spacingAndGlyphs"'
        self._put(
            f'<text {at} font-size="{size}"{held} stroke="none">{escape(line.text)}</text>', tint
        )

    def _use(
        self,
        symbol: str,
        box: Box,
        tint: Tint,
        turn_deg: float,
        *,
        width: float = 0.0,
        dashes: tuple[float, ...] = (),
    ) -> None:
        self.signs.add(symbol)
        x, y = box.centre
        turned = f' transform="rotate({figure(turn_deg)} {figure(x)} {figure(y)})"' * bool(turn_deg)
        across = FRAME[0] / min(box.wide, box.high)
        drawn = f' stroke-width="{figure(width * across)}"' * bool(width)
        if dashes:
            lengths = " ".join(figure(length * across) for length in dashes)
            drawn += f' stroke-dasharray="{lengths}"'
        self._put(f'<use href="#{symbol}" {_rect(box)}{turned}{drawn}/>', tint)

    def _put(self, drawn: str, tint: Tint) -> None:
        """In its colour: by name where it has one."""
        if isinstance(tint, NamedRgba):
            self.out.append(f'<g class="t-{tint.name}">{drawn}</g>')
        elif isinstance(tint, Colour):
            self.out.append(f'<g class="t-{tint}">{drawn}</g>')
        else:
            code = _code(tint)
            self.out.append(f'<g fill="{code}" stroke="{code}">{drawn}</g>')


def _rect(box: Box, radius: float = 0.0) -> str:
    round_ = f' rx="{figure(radius)}"' if radius else ""
    return (
        f'x="{figure(box.x)}" y="{figure(box.y)}" width="{figure(box.wide)}" '
        f'height="{figure(box.high)}"{round_}'
    )


def svg_shapes(shapes: Sequence[Shape], at: Point = (0, 0), scale: Point = (1, 1)) -> str:
    """Shapes as elements that take the colour around them; what cuts is done by a mask."""
    if not any(shape.cut for shape in shapes):
        return "".join(_element(shape, at, scale) for shape in shapes)
    drawn = "".join(
        f'<g fill="{ink}" stroke="{ink}">{_element(shape, at, scale)}</g>'
        for shape in shapes
        for ink in ("#000" if shape.cut else "#fff",)
    )
    name = f"m{sha256(drawn.encode()).hexdigest()[:10]}"
    left, top = at[0], at[1]
    room = _rect(Box(left, top, FRAME[0] * scale[0], FRAME[1] * scale[1]))
    mask = f'<mask id="{name}" maskUnits="userSpaceOnUse" {room}>{drawn}</mask>'
    return f'{mask}<rect {room} stroke="none" mask="url(#{name})"/>'


def _element(shape: Shape, at: Point, scale: Point) -> str:
    def path(points: Sequence[Point], *, closed: bool) -> str:
        placed = (f"{figure(at[0] + x * scale[0])} {figure(at[1] + y * scale[1])}"
                  for x, y in points)  # fmt: skip
        return f'd="M{"L".join(placed)}{"Z" if closed else ""}"'

    if isinstance(shape, Solid):
        return f'<path {path(shape.points, closed=True)} stroke="none"/>'
    if isinstance(shape, Disc):
        x, y = at[0] + shape.centre[0] * scale[0], at[1] + shape.centre[1] * scale[1]
        ring = f'fill="none" stroke-width="{figure(shape.width * min(scale))}"'
        how = ring if shape.width else 'stroke="none"'
        radius = figure(shape.radius * min(scale))
        return f'<circle cx="{figure(x)}" cy="{figure(y)}" r="{radius}" {how}/>'
    dashes = f' stroke-dasharray="{figure(shape.dash)} {figure(shape.gap)}"' * bool(shape.dash)
    width = figure(shape.width * min(scale))
    way = path(shape.points, closed=shape.closed)
    return f'<path {way} fill="none" stroke-width="{width}"{dashes}/>'


_RIM_PX = (400, 400)


@cache
def symbol(name: str) -> str:
    """The symbol of a sign ("sign-camel") or of its outline alone ("rim-camel")."""
    kind, _, sign = name.partition("-")
    layers = SIGNS[sign]
    inside = _rim(layers) if kind == "rim" else "".join(map(_layer, layers))
    return f'<symbol id="{name}" viewBox="0 0 100 100" overflow="visible">{inside}</symbol>'


def _layer(layer: Layer) -> str:
    drawn = svg_shapes(layer.shapes)
    return drawn if layer.colour is None else f'<g class="t-{layer.colour}">{drawn}</g>'


def _rim(layers: Sequence[Layer]) -> str:
    share = FRAME[0] / _RIM_PX[0]
    found = borders(whole(layers), FRAME, _RIM_PX)
    ways = (
        "L".join(f"{figure(x * share)} {figure(y * share)}" for x, y in _thinned(border))
        for border in found
    )
    return f'<path d="{"".join(f"M{way}Z" for way in ways)}" fill="none"/>'


def _thinned(border: Sequence[Point]) -> Sequence[Point]:
    """The same outline in fewer points: none lies off it by a pixel."""
    import cv2
    import numpy as np

    points = np.asarray(border, np.float32).reshape(-1, 1, 2)
    few = cv2.approxPolyDP(points, 1.0, closed=True)
    return [(float(x), float(y)) for x, y in few[:, 0, :]]
