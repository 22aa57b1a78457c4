"""TexturePen: draws parts on the screen, as instructions and textures of Kivy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

from kivy import graphics
from kivy.graphics.texture import Texture

from ui.scene.theme import Caps, Colour, Face, Rgba, Theme
from ui.widgets import lettering
from ui.widgets import shape as raster
from ui.widgets.box import Box
from ui.widgets.pen import WHOLE, Filled, Pen, Tint, Written, arrow_head, top_of, whole
from ui.widgets.signs import FRAME, SIGNS

_MASKS_KEPT = 600


class Store:
    """Textures shared by all parts of a window: letters, masks and pictures."""

    def __init__(self) -> None:
        self.letters = lettering.TextStore()
        self._masks: OrderedDict[Any, Texture] = OrderedDict()
        self._pictures: WeakValueDictionary[str, Texture] = WeakValueDictionary()

    def mask(
        self,
        shapes: tuple[raster.Shape, ...],
        frame: tuple[float, float],
        size: tuple[int, int],
        *,
        gliding: bool = False,
    ) -> Texture:
        """The smooth mask of these shapes at this size, px; `gliding`: drawn between pixels too."""
        key = (shapes, frame, size, gliding)
        if key not in self._masks:
            opacity = raster.mask(shapes, frame, size).tobytes()
            self._masks[key] = lettering.Ink(*size, opacity).in_white(gliding=gliding)
            if len(self._masks) > _MASKS_KEPT:
                self._masks.popitem(last=False)
        self._masks.move_to_end(key)
        return self._masks[key]

    def picture(self, slot: str, pixels: Any) -> Texture:
        """The slot's one texture with these pixels (height x width x 3, BGR, rows from the top).

        A new texture per frame would leak; a picture of the same size is copied into the old one.
        It goes with the last drawing of it.
        """
        high, wide = pixels.shape[:2]
        texture = self._pictures.get(slot)
        if texture is None or texture.size != (wide, high):
            texture = Texture.create(size=(wide, high), colorfmt="rgb")
            texture.flip_vertical()
            self._pictures[slot] = texture
        texture.blit_buffer(pixels.tobytes(), colorfmt="bgr", bufferfmt="ubyte")
        return texture


class TexturePen(Pen):
    """Draws into one group of instructions; boxes are in u, y down from the window's top.

    Each pixel of a texture is one of the window's, but where what is drawn will be `gliding`.
    """

    def __init__(
        self,
        group: graphics.InstructionGroup,
        theme: Theme,
        store: Store,
        *,
        gliding: bool = False,
    ) -> None:
        super().__init__(theme)
        self.group = group
        self.store = store
        self.gliding = gliding

    # --- measures ---

    @contextmanager
    def half_turn(self) -> Iterator[None]:
        """What is drawn within stands on its head: for those who sit opposite."""
        wide_px, high_px = self.theme.size_px
        self.group.add(graphics.PushMatrix())
        self.group.add(graphics.Rotate(angle=180, origin=(wide_px / 2, high_px / 2)))
        yield
        self.group.add(graphics.PopMatrix())

    def px(self, length_u: float) -> float:
        """A length in pixels."""
        return length_u * self.theme.unit_px

    def placed(self, box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
        """Position (from the bottom left) and size of a box in whole pixels."""
        unit = self.theme.unit_px
        left, right = round(box.x * unit), round(box.right * unit)
        top, bottom = round(box.y * unit), round(box.bottom * unit)
        return (left, self.theme.size_px[1] - bottom), (max(1, right - left), max(1, bottom - top))

    def width(self, text: str, caps: float, face: Face = Face.BOLD) -> float:
        """How wide a line will be, u."""
        return lettering.text_wide(self.theme, text, caps, face)

    def lines(self, text: str, caps: float, wide: float, face: Face = Face.BOLD) -> int:
        """How many lines a text takes in a room of this width."""
        size_px = lettering.size_for(face, self.px(caps))
        return lettering.lines_taken(text, face, size_px, wide * self.theme.unit_px)

    # --- areas ---

    def fill(self, box: Box, tint: Tint, radius: float = 0.0) -> None:
        """A filled rectangle, with round corners if wanted."""
        colour = self.colour(tint)
        self.filled.append(Filled(box, colour))
        pos, size = self.placed(box)
        if (pos, size) == ((0, 0), self.theme.size_px) and radius <= 0 and colour[3] >= 1:
            self._fill_all(colour)
            return
        self.group.add(graphics.Color(*colour))
        if radius <= 0:
            self.group.add(graphics.Rectangle(pos=pos, size=size))
            return
        self._stretched(pos, size, radius, width=0.0)

    def _fill_all(self, colour: Rgba) -> None:
        """Clear the window: a rectangle over all of it is two fifths of a frame without a GPU."""
        self.group.add(graphics.ClearColor(*colour))
        self.group.add(graphics.ClearBuffers())

    def edge(self, box: Box, tint: Tint, width: float = 1.5, radius: float = 6.0) -> None:
        """The outline of a rectangle, inside its box."""
        self.group.add(graphics.Color(*self.colour(tint)))
        pos, size = self.placed(box)
        self._stretched(pos, size, radius, width=width)

    def _stretched(
        self, pos: tuple[int, int], size: tuple[int, int], radius: float, width: float
    ) -> None:
        """Round corners as one stretched texture: corners keep their size, sides are drawn out."""
        radius_px = max(1.0, min(self.px(radius), size[0] / 2 - 1, size[1] / 2 - 1))
        width_px = max(1.0, self.px(width)) if width else 0.0
        corner = int(max(radius_px, width_px)) + 2
        side = 2 * corner + 2
        whole = raster.Solid(raster.rounded((side, side), radius_px))
        shapes: tuple[raster.Shape, ...] = (whole,)
        if width_px:
            inner = raster.rounded((side, side), radius_px, inset=width_px)
            shapes = (whole, raster.Solid(inner, cut=True))
        texture = self._mask(shapes, (side, side), (side, side))
        self.group.add(
            graphics.BorderImage(texture=texture, border=(corner,) * 4, pos=pos, size=size)
        )

    def _mask(
        self, shapes: tuple[raster.Shape, ...], frame: tuple[float, float], size: tuple[int, int]
    ) -> Texture:
        return self.store.mask(shapes, frame, size, gliding=self.gliding)

    # --- shapes and signs ---

    def shapes(
        self, box: Box, shapes: Sequence[raster.Shape], frame: tuple[float, float], tint: Tint
    ) -> None:
        """Shapes of a frame stretched onto the box, in one colour."""
        pos, size = self.placed(box)
        self.group.add(graphics.Color(*self.colour(tint)))
        texture = self._mask(tuple(shapes), frame, size)
        self.group.add(graphics.Rectangle(texture=texture, pos=pos, size=size))

    def halo(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A thin outline around a sign, so that it stands off any ground."""
        _, size = self.placed(box)
        borders = raster.borders(whole(SIGNS[name], turn_deg), FRAME, size)
        width = max(1.5, self.px(2.2))
        strokes = tuple(raster.Stroke(border, width, closed=True) for border in borders)
        self.shapes(box, strokes, size, tint)

    def sign(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A sign in its box; layers that name a colour of the theme keep it."""
        for layer in SIGNS[name]:
            shapes = raster.turned(layer.shapes, turn_deg) if turn_deg else layer.shapes
            self.shapes(box, shapes, FRAME, tint if layer.colour is None else layer.colour)

    def ghost(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """The dashed outline of a sign: where a thing was, or where the record has it."""
        _, size = self.placed(box)
        borders = raster.borders(whole(SIGNS[name], turn_deg), FRAME, size)
        dash, gap, width = self.px(4.5), self.px(3), max(1.2, self.px(1.6))
        strokes = tuple(
            raster.Stroke(border, width, closed=True, dash=dash, gap=gap) for border in borders
        )
        self.shapes(box, strokes, size, tint)

    def silhouette(self, name: str, box: Box, tint: Tint, turn_deg: float = 0.0) -> None:
        """A sign in one colour, whatever its layers' own."""
        self.shapes(box, whole(SIGNS[name], turn_deg), FRAME, tint)

    def line(self, points: Sequence[raster.Point], tint: Tint, width: float = 1.5) -> None:
        """A straight or bent line through points in u."""
        box, local = _framed(points, width)
        self.shapes(box, (raster.Stroke(local, width),), (box.wide, box.high), tint)

    def arrow(self, start: raster.Point, end: raster.Point, tint: Tint, width: float = 2.5) -> None:
        """The path of a hand: a line with an open head."""
        head = arrow_head(start, end, size=9.0)
        box, local = _framed([start, end, *head], width)
        strokes = (raster.Stroke(local[:2], width), raster.Stroke(local[2:], width))
        self.shapes(box, strokes, (box.wide, box.high), tint)

    # --- text ---

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
        """Write into a room; returns the box of the ink.

        `align` is left, centre or right; `across` top, middle or bottom, judged by capitals.
        Where the text does not fit it is made smaller, down to capitals of `least`.
        """
        unit = self.theme.unit_px
        setting = lettering.fit(
            text,
            face,
            self.px(caps),
            (room.wide * unit, room.high * unit),
            least_px=self.px(min(least, caps)),
            lines=lines,
        )
        if align == "centre":
            setting = lettering.balanced(setting, text, room.wide * unit)
        top = top_of(room, setting.high_px / unit, across)
        colour = self.colour(tint)
        boxes = [
            self._line(line, setting, room, top + n * setting.leading_px / unit, align, colour)
            for n, line in enumerate(setting.lines)
            if line
        ]
        ink = _around(boxes) if boxes else Box(room.x, top, 0, 0)
        if struck:
            self._strike(boxes, colour)
        caps_u = lettering.metrics(setting.face, setting.size_px).caps_px / unit
        self.written.append(Written(text, room, ink, caps_u, colour, setting.cut))
        return ink

    def _line(
        self, line: str, setting: lettering.Typeset, room: Box, top: float, align: str, colour: Rgba
    ) -> Box:
        """One line with its capitals' top at `top`; returns the box of its ink."""
        face, size_px = setting.face, setting.size_px
        texture = self.store.letters.texture(line, face, size_px, gliding=self.gliding)
        unit = self.theme.unit_px
        measured = lettering.metrics(face, size_px)
        wide = lettering.line_width(line, face, size_px) / unit
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        left = room.x + (room.wide - wide) * shift
        x_px = round(left * unit)
        y_px = self.theme.size_px[1] - round(top * unit) + measured.above_px - texture.height
        self.group.add(graphics.Color(*colour))
        self.group.add(graphics.Rectangle(texture=texture, pos=(x_px, y_px), size=texture.size))
        caps = measured.caps_px / unit
        return Box(left, top, wide, caps * (1.28 if lettering.is_deep(line) else 1.0))

    def _strike(self, boxes: Sequence[Box], colour: Rgba) -> None:
        self.group.add(graphics.Color(*colour))
        for ink in boxes:
            middle = ink.y + ink.high * 0.45
            pos, size = self.placed(Box(ink.x - 1, middle, ink.wide + 2, 1.5))
            self.group.add(graphics.Rectangle(pos=pos, size=size))

    # --- pictures ---

    def picture(self, slot: str, pixels: Any, box: Box, part: Box = WHOLE) -> None:
        """A camera's picture in its slot's one texture; `part` of it, as shares of its sides."""
        texture = self.store.picture(slot, pixels)
        pos, size = self.placed(box)
        left, right, top, low = part.x, part.right, part.y, part.bottom
        corners = (left, low, right, low, right, top, left, top)  # the texture's rows run down
        self.group.add(graphics.Color(1, 1, 1, 1))
        self.group.add(graphics.Rectangle(texture=texture, tex_coords=corners, pos=pos, size=size))


def _framed(points: Sequence[raster.Point], width: float) -> tuple[Box, tuple[raster.Point, ...]]:
    """The box around a line, and the line in that box's own frame."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = min(xs) - width, min(ys) - width
    box = Box(left, top, max(xs) - left + width, max(ys) - top + width)
    return box, tuple((x - left, y - top) for x, y in points)


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
    return Box(left, top, right - left, bottom - top)
