"""Sheet: the one Kivy widget of a window: shows parts, redraws what changed, takes touches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from kivy import graphics
from kivy.clock import Clock
from kivy.uix.widget import Widget

from ui.scene.theme import Colour, Reach, Theme
from ui.widgets.box import Box
from ui.widgets.part import Glide, Part
from ui.widgets.pen import Filled, Written
from ui.widgets.shape import Point, rounded
from ui.widgets.texture_pen import Store, TexturePen

# Fingers that are down, and the edge that fills while one holds.


class Finger:
    """On which part and where (u), since when (s), what it meant then, and the edge it filled."""

    def __init__(self, name: str, point: Point, down_at: float, action: Any) -> None:
        self.name = name
        self.point = point
        self.down_at = down_at
        self.action = action
        self.edge = graphics.InstructionGroup()
        self.timer: Any = None

    def draw_edge(self, pen: TexturePen, box: Box, share: float) -> None:
        """The part of the outline that has been held, clockwise from the middle of the top."""
        self.edge.clear()
        outline = rounded((box.wide, box.high), Reach.RADIUS, inset=2.5)
        path = first_part([*outline, outline[0]], share)
        if len(path) < 2:
            return
        unit, high_px = pen.theme.unit_px, pen.theme.size_px[1]
        points = [(box.x + x, box.y + y) for x, y in path]
        flat = [length for x, y in points for length in (x * unit, high_px - y * unit)]
        self.edge.add(graphics.Color(*pen.colour(Colour.BAD)))
        self.edge.add(graphics.SmoothLine(points=flat, width=pen.px(2.5)))


def first_part(path: list[Point], share: float) -> list[Point]:
    """The first `share` (0 to 1) of a path, by length.

    >>> first_part([(0, 0), (10, 0), (10, 10)], 0.75)
    [(0, 0), (10, 0), (10.0, 5.0)]
    """
    sides = list(pairwise(path))
    left = share * sum(math.dist(start, end) for start, end in sides)
    kept = [path[0]]
    for start, end in sides:
        length = math.dist(start, end)
        if length > left:
            part = left / length
            step = ((end[0] - start[0]) * part, (end[1] - start[1]) * part)
            return [*kept, (start[0] + step[0], start[1] + step[1])]
        kept.append(end)
        left -= length
    return kept


# A part that comes to its place from elsewhere.

GLIDE_S = 0.3


class Gliding:
    """What moves a drawn part: where to and how it is turned; the drawing itself stays."""

    def __init__(self, glide: Glide, box: Box, theme: Theme, now: float) -> None:
        self.glide = glide
        self.starts_at = now + glide.turn_in * GLIDE_S
        self._unit = theme.unit_px
        x, y = box.centre
        self.shift = graphics.Translate(0.0, 0.0)
        middle = (x * self._unit, theme.size_px[1] - y * self._unit)
        self.turn = graphics.Rotate(angle=0.0, origin=middle)

    def place(self, now: float) -> bool:
        """Move it to where it is at this time; False once it has arrived."""
        share = min(1.0, max(0.0, (now - self.starts_at) / GLIDE_S))
        left = 1.0 - share * share * (3.0 - 2.0 * share)
        self.shift.xy = (
            self.glide.across * left * self._unit,
            -self.glide.down * left * self._unit,
        )
        self.turn.angle = -self.glide.turned_deg * left
        return share < 1.0


# The sheet.


@dataclass
class _Shown:
    """A part as it stands on the canvas."""

    part: Part
    group: graphics.InstructionGroup = field(default_factory=graphics.InstructionGroup)
    written: list[Written] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    since: float = 0.0
    gliding: Gliding | None = None


class Sheet(Widget):
    """Parts by name, in drawing order. `show()` draws only those that differ from before.

    A tap sends its part's action to `on_action`, a touch beside every key calls `on_blank`. Each
    finger is a touch of its own: it presses, holds and slides off by itself, whatever others do.
    What has come to mean something else under a finger is not done by it. After a change of screen
    everything is deaf for a quarter of a second, and so is a next tap that has just changed.

    Where it `glides`, parts with a glide come to their places one after another, which any touch
    cuts short; else they stand there at once.
    """

    glides = False

    def __init__(
        self,
        theme: Theme,
        on_action: Callable[[Any], None],
        on_blank: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.theme = theme
        self.on_action = on_action
        self.on_blank = on_blank
        self.clock: Callable[[], float] = time.monotonic
        self.screen = ""
        self.drawn = 0
        self._store = Store()
        self._shown: dict[str, _Shown] = {}
        self._since = float("-inf")
        self._fingers: dict[Any, Finger] = {}
        self._acted: dict[str, tuple[float, Point]] = {}
        self._glider: Any = None

    # --- showing ---

    def show(self, screen: str, parts: Mapping[str, Part], theme: Theme | None = None) -> None:
        """Show these parts under the screen's name; a new theme draws everything afresh."""
        now = self.clock()
        if theme is not None and theme != self.theme:
            self.theme = theme
            self._shown = {}
            self.canvas.clear()
        if screen != self.screen:
            self.screen, self._since = screen, now
            self._let_all_go(lambda _: True)
        before = self._shown
        self._shown = {name: self._drawn(name, part, before, now) for name, part in parts.items()}
        if list(before) != list(self._shown) or len(self.canvas.children) < len(self._shown):
            self._stack()
        self._let_all_go(lambda finger: finger.name not in self._shown)
        if self._glider is None and self.is_gliding:
            self._glider = Clock.schedule_interval(self._glide_on, 0)

    def draw_ahead(self, part: Part) -> None:
        """Draw a part that nobody sees yet: its letters, shapes and pictures are at hand then."""
        part.draw(TexturePen(graphics.InstructionGroup(), self.theme, self._store), pressed=False)

    # --- gliding ---

    @property
    def is_gliding(self) -> bool:
        """Whether any part is still on its way."""
        return any(shown.gliding is not None for shown in self._shown.values())

    def _glide_on(self, _dt: float) -> None:
        """Each frame for as long as anything is on its way; then nothing is left to be done."""
        self._glide_to(self.clock())

    def _glide_to(self, now: float) -> None:
        for shown in self._shown.values():
            if shown.gliding is not None and not shown.gliding.place(now):
                shown.gliding = None
        if self._glider is not None and not self.is_gliding:
            self._glider.cancel()
            self._glider = None

    def _drawn(self, name: str, part: Part, before: Mapping[str, _Shown], now: float) -> _Shown:
        shown = before.get(name)
        if shown is None:
            shown = _Shown(part, since=now)
        elif shown.part == part:
            return shown
        elif shown.part.action != part.action:
            shown.since = now
        shown.part = part
        shown.gliding = None
        if self.glides and part.glide is not None:
            shown.gliding = Gliding(part.glide, part.box, self.theme, now)
        self._draw(name, shown)
        return shown

    def _draw(self, name: str, shown: _Shown) -> None:
        _before = list(shown.group.children)  # holds the texture of its picture for the next one
        shown.group.clear()
        if shown.gliding is not None:
            shown.gliding.place(shown.gliding.starts_at)
            for instruction in (graphics.PushMatrix(), shown.gliding.shift, shown.gliding.turn):
                shown.group.add(instruction)
        gliding = shown.gliding is not None
        pen = TexturePen(shown.group, self.theme, self._store, gliding=gliding)
        shown.part.draw(pen, pressed=self._is_pressed(name))
        if shown.gliding is not None:
            shown.group.add(graphics.PopMatrix())
        shown.written, shown.filled = pen.written, pen.filled
        self.drawn += 1

    def _stack(self) -> None:
        """Put the groups on the canvas in the order of the parts."""
        self.canvas.clear()
        for shown in self._shown.values():
            self.canvas.add(shown.group)
        for finger in self._fingers.values():
            if finger.timer is not None:
                self.canvas.add(finger.edge)

    # --- reading ---

    @property
    def parts(self) -> Mapping[str, Part]:
        """What is shown, by name."""
        return {name: shown.part for name, shown in self._shown.items()}

    def written(self) -> list[tuple[str, Written]]:
        """Every text on the sheet with the name of its part, in drawing order."""
        return [(name, text) for name, shown in self._shown.items() for text in shown.written]

    def ground(self, name: str, text: Written) -> Filled | None:
        """The last area filled under a text, its own part's included."""
        under = None
        x, y = text.ink.centre
        for other, shown in self._shown.items():
            for filled in shown.filled:
                if filled.box.covers(x, y):
                    under = filled
            if other == name:
                break
        return under

    def at(self, x: float, y: float) -> str | None:
        """The name of the topmost part with an action at a point, u."""
        for name in reversed(self._shown):
            part = self._shown[name].part
            if part.box.covers(x, y) and part.action_at(x, y) is not None:
                return name
        return None

    def hidden(self, name: str, text: Written) -> bool:
        """Whether a part drawn later fills over a text."""
        later = False
        for other, shown in self._shown.items():
            if later and any(filled.box.meets(text.ink, slack=1.0) for filled in shown.filled):
                return True
            later = later or other == name
        return False

    # --- touches ---

    def units(self, x_px: float, y_px: float) -> tuple[float, float]:
        """A point of the window, pixels from the bottom left, in u from the top left."""
        unit = self.theme.unit_px
        return x_px / unit, (self.theme.size_px[1] - y_px) / unit

    def on_touch_down(self, touch: Any) -> bool:
        if getattr(touch, "is_mouse_scrolling", False):
            return True
        self._glide_to(math.inf)
        point = self.units(*touch.pos)
        name = self.at(*point)
        if name is None:
            self.on_blank()
            return True
        if self._deaf(name) or self._echoes(name, point):
            return True
        touch.grab(self)
        part = self._shown[name].part
        finger = Finger(name, point, self.clock(), part.action_at(*point))
        self._fingers[touch.uid] = finger
        self._draw(name, self._shown[name])
        if part.held:
            self.canvas.add(finger.edge)
            hold = partial(self._hold, touch.uid)
            finger.timer = Clock.schedule_interval(hold, 1 / 30)
        return True

    def _deaf(self, name: str) -> bool:
        shown = self._shown[name]
        since = max(self._since, shown.since) if shown.part.primary else self._since
        return self.clock() - since < Reach.DEAF_S

    def _echoes(self, name: str, point: Point) -> bool:
        """Whether this is a finger told again, down still or just lifted: two drivers may do so."""
        acted_at, place = self._acted.get(name, (float("-inf"), point))
        if self.clock() - acted_at < Reach.ECHO_S and _is_near(place, point):
            return True
        down = (finger for finger in self._fingers.values() if finger.name == name)
        return any(_is_near(finger.point, point) for finger in down)

    def _is_pressed(self, name: str) -> bool:
        return any(finger.name == name for finger in self._fingers.values())

    def _act(self, finger: Finger) -> None:
        """Do what the part means, if that is what it meant when the finger came down."""
        self._acted[finger.name] = (self.clock(), finger.point)
        action = self._shown[finger.name].part.action_at(*finger.point)
        if action is not None and action == finger.action:
            self.on_action(action)

    def on_touch_move(self, touch: Any) -> bool:
        finger = self._fingers.get(touch.uid)
        if touch.grab_current is self and finger is not None and not self._is_on(finger, touch):
            touch.ungrab(self)
            self._let_go(touch.uid)
        return True

    def _is_on(self, finger: Finger, touch: Any) -> bool:
        """Whether a finger is still on its part, or hardly beside it."""
        box = self._shown[finger.name].part.box.grown(Reach.GAP)
        return box.covers(*self.units(*touch.pos))

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return True
        touch.ungrab(self)
        finger = self._fingers.get(touch.uid)
        self._let_go(touch.uid)
        if finger is None:
            return True
        if not self._shown[finger.name].part.held and self._is_on(finger, touch):
            self._act(finger)
        return True

    def _hold(self, uid: Any, _dt: float) -> None:
        """Fill the edge clockwise; when it is full, act."""
        finger = self._fingers.get(uid)
        if finger is None:
            return
        part = self._shown[finger.name].part
        share = min(1.0, (self.clock() - finger.down_at) / Reach.HOLD_S)
        finger.draw_edge(TexturePen(finger.edge, self.theme, self._store), part.box, share)
        if share >= 1.0:
            self._let_go(uid)
            self._act(finger)

    def _let_all_go(self, gone: Callable[[Finger], bool]) -> None:
        """Fingers that count no more, because what they were on is not there."""
        for uid, finger in list(self._fingers.items()):
            if gone(finger):
                self._let_go(uid)

    def _let_go(self, uid: Any) -> None:
        """The finger is gone, or no longer counts."""
        finger = self._fingers.pop(uid, None)
        if finger is None:
            return
        if finger.timer is not None:
            finger.timer.cancel()
            self.canvas.remove(finger.edge)
        if finger.name in self._shown:
            self._draw(finger.name, self._shown[finger.name])


def _is_near(one: Point, other: Point) -> bool:
    return math.dist(one, other) < Reach.TARGET[0] / 2
