"""Paper: A4 pages of words, small boards and pictures; the boards are those of the screen."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph
from reportlab.platypus import Image as PdfImage

from ui.scene.theme import Face, Light, Theme, font_file
from ui.sharing.course import board_room
from ui.sharing.page_pen import CAPS_SHARE, PagePen, TextLine
from ui.table.protocol import shown
from ui.widgets.board_map import board_map
from ui.widgets.pen import Tint, whole
from ui.widgets.shape import Disc, Shape, Solid, Stroke, borders, mask, rounded, turned
from ui.widgets.signs import FRAME, SIGNS

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from ui.scene.map import MapState
    from ui.widgets.box import Box

MARGIN_MM = 16.0
_MASK_PX = 200

# Letters.


@cache
def font(face: Face = Face.REGULAR) -> str:
    """The screen's letters; where they are not installed, Helvetica, which has no Cyrillic."""
    file = font_file(face)
    if file is None:
        return "Helvetica-Bold" if face in (Face.BOLD, Face.FIGURES) else "Helvetica"
    try:
        cast("Any", pdfmetrics).registerFont(TTFont(f"companion-{face}", file))
    except TTFError:  # B612 comes as OpenType, which reportlab does not read
        return font(Face.BOLD) if face is Face.FIGURES else "Helvetica"
    return f"companion-{face}"


def drawable(text: str, name: str) -> str:
    """A text with a sign for each letter that a font has not: paper would just leave it out."""
    known = getattr(pdfmetrics.getFont(name), "face", None)
    glyphs = getattr(known, "charToGlyph", None)
    if glyphs is None:  # one of the printer's own fonts: Latin letters alone
        return text.encode("cp1252", "replace").decode("cp1252")
    missing = _MISSING if ord(_MISSING) in glyphs else "?"
    return "".join(
        letter if ord(letter) in glyphs or letter.isspace() else missing for letter in text
    )


_MISSING = "\ufffd"
"""The sign that stands for a letter which cannot be shown."""


@cache
def style(name: str) -> ParagraphStyle:
    """How one kind of words looks on paper."""
    size, left, face, colour = _STYLES[name]
    return ParagraphStyle(
        name, fontName=font(face), fontSize=size, leading=size * 1.28, leftIndent=left * mm,
        textColor=HexColor(colour), spaceAfter=size * 0.16, splitLongWords=True,
    )  # fmt: skip


_STYLES = {
    "title": (17, 0, Face.BOLD, "#14181b"),
    "heading": (12, 0, Face.BOLD, "#14181b"),
    "head": (9, 0, Face.REGULAR, "#4a463b"),
    "line": (9.5, 0, Face.REGULAR, "#14181b"),
    "strike": (9.5, 0, Face.REGULAR, "#4a463b"),
    "green": (9.5, 8, Face.REGULAR, "#17653a"),
    "yellow": (9.5, 8, Face.REGULAR, "#6b4200"),
    "cyan": (8.5, 8, Face.REGULAR, "#4a463b"),
    "dim": (9.5, 8, Face.REGULAR, "#4a463b"),
    "red": (9.5, 0, Face.BOLD, "#8c1410"),
    "bold": (9.5, 0, Face.BOLD, "#14181b"),
    "told": (9.5, 8, Face.REGULAR, "#14181b"),
    "caption": (8, 0, Face.REGULAR, "#4a463b"),
}
"""Size in points, indent in mm, letters and colour."""


def words(text: str, name: str, *, struck: bool = False) -> Paragraph:
    """A paragraph of words that people may have typed; none of it is markup."""
    said = escape(drawable(shown(text), style(name).fontName))
    return Paragraph(f"<strike>{said}</strike>" if struck else said, style(name))


# Boards.


class PdfPen(PagePen):
    """Draws on a canvas whose y runs up; `high` is the drawing's height, u."""

    def __init__(self, canvas: Canvas, high: float) -> None:
        super().__init__(Theme(Light.DAY))
        self._canvas: Any = canvas  # half of its methods ship no types
        self._high = high

    def fill(self, box: Box, tint: Tint, radius: float = 0.0) -> None:
        self._ink(tint)
        self._canvas.roundRect(
            box.x, self._high - box.bottom, box.wide, box.high, radius, stroke=0, fill=1
        )

    def edge(self, box: Box, tint: Tint, width: float = 1.5, radius: float = 6.0) -> None:
        outline = rounded((box.wide, box.high), radius, inset=width / 2)
        self.shapes(box, (Stroke(outline, width, closed=True),), (box.wide, box.high), tint)

    def shapes(
        self, box: Box, shapes: Sequence[Shape], frame: tuple[float, float], tint: Tint
    ) -> None:
        if any(shape.cut for shape in shapes):
            self._canvas.drawImage(
                _stencil(tuple(shapes), frame, self.colour(tint)),
                box.x, self._high - box.bottom, box.wide, box.high, mask="auto",
            )  # fmt: skip
            return
        self._ink(tint)
        scale = (box.wide / frame[0], box.high / frame[1])
        for shape in shapes:
            self._shape(shape, (box.x, box.y), scale)

    def sign(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        for layer in SIGNS[name]:
            shapes = turned(layer.shapes, turn_deg) if turn_deg else layer.shapes
            self.shapes(box, shapes, FRAME, tint if layer.colour is None else layer.colour)

    def halo(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self._rim(name, box, tint, turn_deg, Stroke((), 2.2, closed=True))

    def ghost(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        self._rim(name, box, tint, turn_deg, Stroke((), 1.6, closed=True, dash=4.5, gap=3.0))

    def write(self, line: TextLine, tint: Tint, face: Face) -> None:
        self._ink(tint)
        name, size = font(face), line.caps / CAPS_SHARE
        drawn = pdfmetrics.stringWidth(line.text, name, size) or 1.0
        text = self._canvas.beginText(line.x, self._high - line.base)
        text.setFont(name, size)
        text.setHorizScale(100.0 * min(1.0, line.wide / drawn))
        text.textOut(line.text)
        self._canvas.drawText(text)

    def _ink(self, tint: Tint) -> None:
        colour = Color(*self.colour(tint)[:3])
        self._canvas.setFillColor(colour)
        self._canvas.setStrokeColor(colour)

    def _rim(self, name: str, box: Box, tint: Tint, turn_deg: float, line: Stroke) -> None:
        size = (_MASK_PX, _MASK_PX)
        found = borders(whole(SIGNS[name], turn_deg), FRAME, size)
        scale = (box.wide / _MASK_PX, box.high / _MASK_PX)
        placed = (tuple((x * scale[0], y * scale[1]) for x, y in border) for border in found)
        strokes = [
            Stroke(points, line.width, closed=True, dash=line.dash, gap=line.gap)
            for points in placed
        ]
        self.shapes(box, strokes, (box.wide, box.high), tint)

    def _shape(self, shape: Shape, at: tuple[float, float], scale: tuple[float, float]) -> None:
        canvas = self._canvas
        if isinstance(shape, Disc):
            x, y = at[0] + shape.centre[0] * scale[0], at[1] + shape.centre[1] * scale[1]
            canvas.setDash()
            canvas.setLineWidth(shape.width * min(scale))
            ring = bool(shape.width)
            canvas.circle(
                x, self._high - y, shape.radius * min(scale), stroke=int(ring), fill=int(not ring)
            )
            return
        path = canvas.beginPath()
        for n, (x, y) in enumerate(shape.points):
            place = (at[0] + x * scale[0], self._high - at[1] - y * scale[1])
            path.lineTo(*place) if n else path.moveTo(*place)
        if isinstance(shape, Solid):
            canvas.drawPath(path, stroke=0, fill=1)
            return
        if shape.closed:
            path.close()
        canvas.setLineWidth(shape.width * min(scale))
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        canvas.setDash([shape.dash, shape.gap] if shape.dash else [])
        canvas.drawPath(path, stroke=1, fill=0)


@cache
def _stencil(
    shapes: tuple[Shape, ...], frame: tuple[float, float], colour: tuple[float, ...]
) -> ImageReader:
    """Shapes of which some cut others, as a picture with the mask's opacity."""
    opacity = mask(shapes, frame, (_MASK_PX, _MASK_PX))
    pixels = np.empty((_MASK_PX, _MASK_PX, 4), np.uint8)
    pixels[:, :, :3] = [round(part * 255) for part in colour[:3]]
    pixels[:, :, 3] = opacity
    return ImageReader(Image.fromarray(pixels, "RGBA"))


class BoardDrawing(Flowable):
    """A board as it stood, so many mm wide, and a caption under it."""

    def __init__(self, state: MapState, caption: str, wide_mm: float = 62.0) -> None:
        super().__init__()
        self._state, self._room = state, board_room(state)
        self._caption = words(caption, "caption")
        self._scale = wide_mm * mm / self._room.wide
        self.width, self.height = wide_mm * mm, self._room.high * self._scale + 10

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - reportlab's names
        return self.width, self.height

    def draw(self) -> None:
        canvas: Canvas = self.canv
        canvas.saveState()
        canvas.translate(0, 10)
        canvas.scale(self._scale, self._scale)
        pen = PdfPen(canvas, self._room.high)
        for _, part in board_map(self._room, self._state):
            part.draw(pen, pressed=False)
        canvas.restoreState()
        self._caption.wrapOn(canvas, self.width, 10)
        self._caption.drawOn(canvas, 0, 0)


HIGHEST_MM = 120.0
"""So high a picture may be, whatever its shape: a page has to take it."""


def photograph(content: bytes, wide_mm: float = 80.0) -> PdfImage | None:
    """A picture so many mm wide, narrower where it would be far higher; None where it is none."""
    try:
        wide, high = ImageReader(io.BytesIO(content)).getSize()
    except Exception:  # noqa: BLE001 - Pillow has a dozen errors for what is no picture
        return None
    wide_mm = min(wide_mm, HIGHEST_MM * wide / high)
    return PdfImage(io.BytesIO(content), wide_mm * mm, wide_mm * mm * high / wide)


# Pages.


def as_pdf(story: Iterable[Flowable], title: str, foot: str) -> bytes:
    """A4 pages of these, each with `foot` and its number at the bottom."""

    def page(canvas: Canvas, document: Any) -> None:
        canvas.setFont(font(), 8)
        canvas.setFillColor(HexColor("#4a463b"))
        canvas.drawString(MARGIN_MM * mm, 9 * mm, drawable(shown(foot), font()))
        canvas.drawRightString(A4[0] - MARGIN_MM * mm, 9 * mm, f"page {document.page}")

    made = io.BytesIO()
    margin = MARGIN_MM * mm
    document = BaseDocTemplate(made, pagesize=A4, title=shown(title), author="dogfight companion")
    room = Frame(margin, margin, A4[0] - 2 * margin, A4[1] - 2 * margin, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [room], onPage=page)])
    document.build(list(story))
    return made.getvalue()
