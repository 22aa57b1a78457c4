"""Sheet: the one Kivy widget of a window: shows parts, redraws what changed, takes touches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, SmoothLine
from kivy.uix.widget import Widget

from ui.scene.theme import Colour, Reach, Theme
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Filled, Pen, Store, Written
from ui.widgets.shape import Point, rounded

# The finger that is down, and the edge that fills while it holds.


class Finger:
    """On which part and where (u), since when (s), and the edge it has filled so far."""

    def __init__(self, name: str, point: Point, down_at: float) -> None:
        self.name = name
        self.point = point
        self.down_at = down_at
        self.edge = InstructionGroup()
        self.timer: Any = None

    def draw_edge(self, pen: Pen, box: Box, share: float) -> None:
        """The part of the outline that has been held, clockwise from the middle of the top."""
        self.edge.clear()
        outline = rounded((box.wide, box.high), Reach.RADIUS, inset=2.5)
        path = first_part([*outline, outline[0]], share)
        if len(path) < 2:
            return
        unit, high_px = pen.theme.unit_px, pen.theme.size_px[1]
        points = [(box.x + x, box.y + y) for x, y in path]
        flat = [length for x, y in points for length in (x * unit, high_px - y * unit)]
        self.edge.add(Color(*pen.colour(Colour.BAD)))
        self.edge.add(SmoothLine(points=flat, width=pen.px(2.5)))


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


# The sheet.


@dataclass
class _Shown:
    """A part as it stands on the canvas."""

    part: Part
    group: InstructionGroup = field(default_factory=InstructionGroup)
    written: list[Written] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    since: float = 0.0


class Sheet(Widget):
    """Parts by name, in drawing order. `show()` draws only those that differ from before.

    A tap sends its part's action to `on_action`, a touch beside every key calls `on_blank`. After
    a change of screen everything is deaf for a quarter of a second, and so is a next tap that has
    just come to mean something else.
    """

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
        self._finger: Finger | None = None
        self._acted = ("", float("-inf"))

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
            self._let_go()
        before = self._shown
        self._shown = {name: self._drawn(name, part, before, now) for name, part in parts.items()}
        if list(before) != list(self._shown) or len(self.canvas.children) < len(self._shown):
            self._stack()
        if self._finger is not None and self._finger.name not in self._shown:
            self._let_go()

    def _drawn(self, name: str, part: Part, before: Mapping[str, _Shown], now: float) -> _Shown:
        shown = before.get(name)
        if shown is None:
            shown = _Shown(part, since=now)
        elif shown.part == part:
            return shown
        elif shown.part.action != part.action:
            shown.since = now
        shown.part = part
        self._draw(name, shown)
        return shown

    def _draw(self, name: str, shown: _Shown) -> None:
        shown.group.clear()
        pen = Pen(shown.group, self.theme, self._store)
        shown.part.draw(pen, pressed=self._finger is not None and self._finger.name == name)
        shown.written, shown.filled = pen.written, pen.filled
        self.drawn += 1

    def _stack(self) -> None:
        """Put the groups on the canvas in the order of the parts."""
        self.canvas.clear()
        for shown in self._shown.values():
            self.canvas.add(shown.group)
        if self._finger is not None and self._finger.timer is not None:
            self.canvas.add(self._finger.edge)

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
        if self._finger is not None or getattr(touch, "is_mouse_scrolling", False):
            return True
        point = self.units(*touch.pos)
        name = self.at(*point)
        if name is None:
            self.on_blank()
            return True
        if self._deaf(name) or self._echoes(name):
            return True
        touch.grab(self)
        shown = self._shown[name]
        self._finger = Finger(name, point, self.clock())
        self._draw(name, shown)
        if shown.part.held:
            self.canvas.add(self._finger.edge)
            self._finger.timer = Clock.schedule_interval(self._hold, 1 / 30)
        return True

    def _deaf(self, name: str) -> bool:
        shown = self._shown[name]
        since = max(self._since, shown.since) if shown.part.primary else self._since
        return self.clock() - since < Reach.DEAF_S

    def _echoes(self, name: str) -> bool:
        """Whether this is the last tap told again: two drivers may report one finger."""
        return name == self._acted[0] and self.clock() - self._acted[1] < Reach.ECHO_S

    def _act(self, finger: Finger) -> None:
        self._acted = (finger.name, self.clock())
        action = self._shown[finger.name].part.action_at(*finger.point)
        if action is not None:
            self.on_action(action)

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self and self._finger is not None:
            part = self._shown[self._finger.name].part
            if not part.box.grown(Reach.GAP).covers(*self.units(*touch.pos)):
                touch.ungrab(self)
                self._let_go()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return True
        touch.ungrab(self)
        finger = self._finger
        self._let_go()
        if finger is not None:
            part = self._shown[finger.name].part
            if not part.held and part.box.grown(Reach.GAP).covers(*self.units(*touch.pos)):
                self._act(finger)
        return True

    def _hold(self, _dt: float) -> None:
        """Fill the edge clockwise; when it is full, act."""
        finger = self._finger
        if finger is None:
            return
        part = self._shown[finger.name].part
        share = min(1.0, (self.clock() - finger.down_at) / Reach.HOLD_S)
        finger.draw_edge(Pen(finger.edge, self.theme, self._store), part.box, share)
        if share >= 1.0:
            self._let_go()
            self._act(finger)

    def _let_go(self) -> None:
        """The finger is gone, or no longer counts."""
        finger, self._finger = self._finger, None
        if finger is None:
            return
        if finger.timer is not None:
            finger.timer.cancel()
            self.canvas.remove(finger.edge)
        if finger.name in self._shown:
            self._draw(finger.name, self._shown[finger.name])
