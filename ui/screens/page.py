"""Page: where the top bar, the body and the bottom row of every screen lie, in either format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ui.scene.scene import IN_ORDER, page_keys
from ui.scene.theme import Face, Hand, Reach, Theme
from ui.scene.values import Alert, Key, Line, ScreenFrame
from ui.touch.actions import Panel, Show, TurnPage
from ui.widgets.bars import bottom_row, row_box, top_bar, top_high
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal, narrow_refusal_high
from ui.widgets.key import RefusalPart, key_cap, refusal_caption, refusal_high
from ui.widgets.lettering import lines_of
from ui.widgets.part import Part
from ui.widgets.words import line_high

_REFUSAL_KEY, _REFUSAL_KEYS = 142.0, 288.0
"""How wide one key of a refusal is, and several together with the gaps between them."""
TIGHT_REFUSAL = 53.0
"""How high a refusal is where the body has hardly any room for it."""
_REFUSAL_HIGH, _NARROW_REFUSAL = 60.0, 84.0
"""How high a refusal is at the top of a body, and its words in portrait."""
_REFUSAL_SIDES = 120.0
"""What of a refusal's width its sign, its book and its margins take."""
_NEWS_SIDES, _MOST_NEWS = 16.0, 62.0
"""Over and under the words of what was done; how much of the body that may take."""
_LEAST_SHARE = 7.0
"""Letters: a key with fewer is as wide as with so many."""
_READABLE_WIDE = 300.0
"""Of a refusal that has room for a book beside its words."""
_BODY_GAP = (8.0, 4.0)
"""Between the top bar and the body, and between the body and the bottom row."""

Parts = Iterator[tuple[str, Part]]


@dataclass(frozen=True)
class Page:
    """The zones in u for one theme: body between the top bar and the bottom row.

    **Landscape**: 480 u high, 800 u wide or more; the body is 60-384, side by side is the usual
    order. **Portrait** (`portrait`: the window is higher than wide): 480 u wide, 800 u high or
    more (853 at 720x1280). Both bars have two rows there, the body is 112-640 or longer, 460 u
    wide. From its top: a band (its lines are broken again to fill it, deeds in three lines), then
    the map or picture (460 x 220), then the pad, unbroken (keys 59 x 70), rulings or a list.
    `sides` puts over one another what stands side by side in landscape. A layout measures from
    `body` and `row`, never from the figures above, and asks `portrait` where another order is
    better. `news` is what has just been done: it stands at the body's top, and the screen under it.
    """

    theme: Theme
    news: Alert | None = None

    @property
    def portrait(self) -> bool:
        """Whether the window is higher than it is wide."""
        return self.theme.portrait

    @property
    def wide(self) -> float:
        """The window's width: 800 u or more, in portrait 480."""
        return self.theme.wide_u

    @property
    def high(self) -> float:
        """The window's height: 480 u, in portrait 800 or more."""
        return self.theme.high_u

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the window, u."""
        return self.wide, self.high

    @property
    def whole(self) -> Box:
        """The whole window."""
        return Box(0, 0, self.wide, self.high)

    @property
    def top(self) -> Box:
        """The top bar, from edge to edge: 52 u high, in portrait 104."""
        return Box(0, 0, self.wide, top_high(self.theme))

    @property
    def row(self) -> Box:
        """The bottom row, from edge to edge: 92 u high; in portrait 156, keys at its end."""
        return row_box(self.theme)

    @property
    def body(self) -> Box:
        """Everything between the bars and under the news, margins taken off."""
        side, first = Reach.MARGIN, self.top.bottom + _BODY_GAP[0]
        whole = Box(side, first, self.wide - 2 * side, self.row.y - _BODY_GAP[1] - first)
        return whole if self.news is None else whole.below(self._news_high(self.news, whole) + 4)

    @property
    def all(self) -> Box:
        """The body without margins: what inverts at zero."""
        return Box(0, self.top.bottom, self.wide, self.row.y - 1 - self.top.bottom)

    def sides(self, room: Box, left: float, gap: float = Reach.GAP + 4) -> tuple[Box, Box]:
        """A left column of this width and the rest; under the left hand they change sides.

        In portrait the first lies over the second, and has its share of the height instead.
        """
        if self.portrait:
            landscape = max(left + gap + 1, 800 - 2 * Reach.MARGIN)
            above = (room.high - gap) * left / (landscape - gap)
            return room.top(above), room.below(above + gap)
        first, second = room.left(left), room.beside(left + gap)
        if self.theme.hand is Hand.RIGHT:
            return first, second
        return first.moved(across=second.wide + gap), second.moved(across=-left - gap)

    def around(self, frame: ScreenFrame, *, pages: tuple[int, int] = (1, 1)) -> Parts:
        """Top bar and bottom row, with keys that turn pages (this one, of so many) if need be."""
        yield from top_bar(self.theme, frame.top, frame.banner, frame.strip)
        bottom = frame.bottom
        if not any(isinstance(key.action, TurnPage) for key in bottom.keys):
            bottom = replace(bottom, keys=(*bottom.keys, *page_keys(*pages, words=IN_ORDER)))
        yield from bottom_row(self.theme, bottom)

    def refusal(self, box: Box, refusal: Alert) -> Parts:
        """What was not taken, in the band's place, with its key; a touch opens its rule."""
        if refusal.key is None:
            yield "refusal", refusal_part(box, refusal)
            return
        keys = (refusal.key, *refusal.more)
        if self.portrait:
            yield from self._refusal_over_keys(box, refusal, keys)
            return
        gaps = Reach.GAP * (len(keys) - 1)
        wide = min(_REFUSAL_KEY * len(keys) + gaps, _REFUSAL_KEYS)
        yield "refusal", refusal_part(box.left(box.wide - wide - 2 * Reach.GAP), refusal)
        high = min(box.high, max(Reach.TARGET[1], box.high - 16))
        room = Box(box.right - wide - Reach.GAP, box.centre[1] - high / 2, wide, high)
        places = room.columns([_share(key) for key in keys], gap=Reach.GAP)
        for n, (place, key) in enumerate(zip(places, keys, strict=True)):
            yield f"refusal/key/{n}" if n else "refusal/key", key_cap(place, key)

    def _refusal_over_keys(self, box: Box, refusal: Alert, keys: tuple[Key, ...]) -> Parts:
        """Where the window is narrow the keys lie under the words."""
        words = box.top(box.high - Reach.TARGET[1] - Reach.GAP)
        yield "refusal", refusal_part(words, refusal)
        row = box.below(words.high + Reach.GAP)
        places = row.columns([_share(key) for key in keys], gap=Reach.GAP)
        for n, (place, key) in enumerate(zip(places, keys, strict=True)):
            yield f"refusal/key/{n}" if n else "refusal/key", key_cap(place, key)

    def with_news(self, told: Alert) -> Page:
        """The same page under what was done; as it is where that needs too many lines."""
        page = replace(self, news=told)
        return page if self.body.high - page.body.high <= _MOST_NEWS else self

    def told_news(self) -> Parts:
        """What was done, over the screen that asks what comes next."""
        if self.news is not None:
            whole = replace(self, news=None).body
            high = self._news_high(self.news, whole)
            yield "refusal", RefusalPart(box=whole.top(high), refusal=self.news)

    def _news_high(self, told: Alert, room: Box) -> float:
        first, rest = self._lines(told, room.wide - _REFUSAL_SIDES)
        return refusal_high(first, rest) + _NEWS_SIDES

    def _lines(self, refusal: Alert, wide: float) -> tuple[int, int]:
        """How many lines a reason and its way out have in this width."""
        caption = refusal_caption(refusal)
        rest = lines_of(self.theme, caption, 14, wide, Face.MEDIUM) if caption else 0
        return lines_of(self.theme, refusal.text, 14.5, wide), rest

    def refused(self, body: Box, refusal: Alert | None, *, tight: bool = False) -> tuple[Box, Box]:
        """The room at the body's top that a refusal needs, and what is left under it.

        `tight`: what lies under it needs nearly all of a landscape window; the refusal tells as
        many of its sentences there as two lines hold.
        """
        if refusal is None:
            return body.top(0), body
        if tight and not self.portrait:
            return body.moved(down=-6).top(TIGHT_REFUSAL), body.below(TIGHT_REFUSAL - 2)
        wide, keys = body.wide - _REFUSAL_SIDES, (refusal.key, *refusal.more)
        if not self.portrait and refusal.key is not None:
            gaps = Reach.GAP * (len(keys) + 1)
            wide -= min(_REFUSAL_KEY * len(keys) + gaps, _REFUSAL_KEYS + 2 * Reach.GAP)
        first, rest = self._lines(refusal, wide)
        high = max(_REFUSAL_HIGH, refusal_high(first, rest) + 18)
        if self.portrait:
            keyed = Reach.TARGET[1] + Reach.GAP if refusal.key else 0.0
            high = max(_NARROW_REFUSAL, high) + keyed
        return body.top(high), body.below(high + 6)

    def refused_beside(self, column: Box, refusal: Alert | None) -> tuple[Parts, Box]:
        """What was not taken at the top of a column, its keys under it; and what is left."""
        if refusal is None:
            return iter(()), column
        keys = [key for key in (refusal.key, *refusal.more) if key is not None]
        high = narrow_refusal_high(self.theme, refusal, column.wide)
        words = column.top(min(high, column.high - len(keys) * (Reach.TARGET[1] + Reach.GAP)))
        parts: list[tuple[str, Part]] = [("refusal", narrow_refusal(words, refusal))]
        y = words.bottom + Reach.GAP
        for n, key in enumerate(keys):
            box = Box(column.x, y, column.wide, Reach.TARGET[1])
            parts.append((f"refusal/key/{n}" if n else "refusal/key", key_cap(box, key)))
            y = box.bottom + Reach.GAP
        return iter(parts), column.below(y - column.y)

    def turning(self, room: Box, page: int, pages: int) -> Parts:
        """Keys that turn pages, where there are several: over or beside one another, with signs."""
        halves = room.rows if room.high > room.wide else room.columns
        boxes = halves([1, 1], gap=Reach.GAP)
        for sign, box, key in zip(("up", "down"), boxes, page_keys(page, pages), strict=False):
            where = key.second.replace(" of ", "/")
            yield f"page/{sign}", key_cap(box, replace(key, label=where, second="", sign=sign))


def _share(key: Key) -> float:
    """What of the keys' room one of several takes: by its longer line."""
    return max(_LEAST_SHARE, len(key.label) + 1.0, float(len(key.second)))


def refusal_part(box: Box, refusal: Alert) -> RefusalPart:
    """What was not taken; a touch opens the rule behind it."""
    large = box.wide >= _READABLE_WIDE and box.high >= Reach.TARGET[1]
    action = Show(Panel.RULES, refusal.cite) if refusal.cite and large else None
    return RefusalPart(box=box, refusal=refusal, action=action)


def line_boxes(theme: Theme, room: Box, lines: Sequence[Line], *, high: float) -> Sequence[Box]:
    """Boxes one under another, each as high as its line must be, from the room's top.

    No higher than `high`, unless the line needs it: it has some air then, where there is room.
    Where not all have room the last are left out.
    """
    needed = [line_high(theme, line, room.wide) for line in lines]
    while needed and sum(needed) + _LINE_GAP * (len(needed) - 1) > room.high + 1:
        needed.pop()
    spare = room.high - sum(needed) - _LINE_GAP * (len(needed) - 1)
    share = spare / max(1, len(needed))
    boxes, y = list[Box](), room.y
    for one in needed:
        tall = max(one, min(max(high, one + _LINE_AIR), one + share))
        boxes.append(Box(room.x, y, room.wide, tall))
        y += tall + _LINE_GAP
    return boxes


_LINE_GAP, _LINE_AIR = 4.0, 10.0


def stacked(room: Box, number: int, *, high: float, gap: float = 6.0) -> Sequence[Box]:
    """Boxes one under another, as many as asked, no higher than `high`, from the room's top."""
    if number < 1:
        return ()
    each = min(high, (room.high - gap * (number - 1)) / number)
    return tuple(Box(room.x, room.y + n * (each + gap), room.wide, each) for n in range(number))
