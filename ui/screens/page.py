"""Page: where the top bar, the body and the bottom row of every screen lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ui.scene.theme import Hand, Reach, Theme
from ui.scene.values import Frame, Key, KeyLook, Refusal
from ui.touch.actions import Panel, Show, TurnPage
from ui.widgets.bars import TOP, bottom_row, top_bar
from ui.widgets.box import Box
from ui.widgets.key import RefusalPart, key_cap
from ui.widgets.part import Part

_FEW_PAGES = 9
_REFUSAL_KEY, _REFUSAL_KEYS = 142.0, 288.0
"""How wide one key of a refusal is, and several together with the gaps between them."""
_LEAST_SHARE = 7.0
"""Letters: a key with fewer is as wide as with so many."""
_READABLE_WIDE = 300.0
"""Of a refusal that has room for a book beside its words."""
BODY_TOP = 60.0
BODY_BOTTOM = 384.0

Parts = Iterator[tuple[str, Part]]


@dataclass(frozen=True)
class Page:
    """The zones in u for one theme: body between the top bar and the bottom row."""

    theme: Theme

    @property
    def wide(self) -> float:
        """The window's width: 800 u or more."""
        return self.theme.wide_u

    @property
    def body(self) -> Box:
        """Everything between the bars, margins taken off."""
        side = Reach.MARGIN
        return Box(side, BODY_TOP, self.wide - 2 * side, BODY_BOTTOM - BODY_TOP)

    @property
    def all(self) -> Box:
        """The body without margins: what inverts at zero."""
        return Box(0, 52, self.wide, TOP - 53)

    def sides(self, room: Box, left: float, gap: float = Reach.GAP + 4) -> tuple[Box, Box]:
        """A left column of this width and the rest; under the left hand they change sides."""
        first, second = room.left(left), room.beside(left + gap)
        if self.theme.hand is Hand.RIGHT:
            return first, second
        return first.moved(across=second.wide + gap), second.moved(across=-left - gap)

    def around(self, frame: Frame, *, pages: tuple[int, int] = (1, 1)) -> Parts:
        """Top bar and bottom row, with keys that turn pages (this one, of so many) if need be."""
        yield from top_bar(self.wide, frame.top, frame.banner)
        keys = frame.bottom.keys
        if pages[1] > 1:
            keys = counted(keys, *pages) or (*keys, *turning_keys(*pages))
        yield from bottom_row(self.theme, replace(frame.bottom, keys=keys))

    def refusal(self, box: Box, refusal: Refusal) -> Parts:
        """What was not taken, in the band's place, with its key; a touch opens its rule."""
        if refusal.key is None:
            yield "refusal", refusal_part(box, refusal)
            return
        keys = (refusal.key, *refusal.more)
        gaps = Reach.GAP * (len(keys) - 1)
        wide = min(_REFUSAL_KEY * len(keys) + gaps, _REFUSAL_KEYS)
        yield "refusal", refusal_part(box.left(box.wide - wide - 2 * Reach.GAP), refusal)
        high = min(box.high, max(Reach.TARGET[1], box.high - 16))
        room = Box(box.right - wide - Reach.GAP, box.centre[1] - high / 2, wide, high)
        places = room.columns([_share(key) for key in keys], gap=Reach.GAP)
        for n, (place, key) in enumerate(zip(places, keys, strict=True)):
            yield f"refusal/key/{n}" if n else "refusal/key", key_cap(place, key)

    def turning(self, room: Box, page: int, pages: int) -> Parts:
        """Keys that turn pages, where there are several: over or beside one another."""
        if pages <= 1:
            return
        halves = room.rows if room.high > room.wide else room.columns
        for name, box, key in zip(
            ("up", "down"), halves([1, 1], gap=Reach.GAP), turning_keys(page, pages), strict=True
        ):
            yield f"page/{name}", key_cap(box, key)


def _share(key: Key) -> float:
    """What of the keys' room one of several takes: by its longer line."""
    return max(_LEAST_SHARE, len(key.label) + 1.0, float(len(key.second)))


def refusal_part(box: Box, refusal: Refusal) -> RefusalPart:
    """What was not taken; a touch opens the rule behind it."""
    large = box.wide >= _READABLE_WIDE and box.high >= Reach.TARGET[1]
    action = Show(Panel.RULES, refusal.cite) if refusal.cite and large else None
    return RefusalPart(box=box, refusal=refusal, action=action)


def counted(keys: tuple[Key, ...], page: int, pages: int) -> tuple[Key, ...]:
    """Keys among which some turn pages, those with the page's number; () where none does."""
    if not any(isinstance(key.action, TurnPage) for key in keys):
        return ()
    where = f"{page} of {pages}"
    return tuple(
        replace(key, second=where) if isinstance(key.action, TurnPage) else key for key in keys
    )


def turning_keys(page: int, pages: int) -> tuple[Key, Key]:
    """Back and forth through pages; at either end a key says so by being an outline."""
    where = f"{page} of {pages}" if pages <= _FEW_PAGES else f"{page}/{pages}"
    return (
        _turn("up", -1, where if page > 1 else "first", possible=page > 1),
        _turn("down", 1, where if page < pages else "last", possible=page < pages),
    )


def _turn(sign: str, step: int, where: str, *, possible: bool) -> Key:
    if possible:
        return Key(where, TurnPage(step), sign=sign)
    return Key(where, None, sign=sign, look=KeyLook.IMPOSSIBLE)


def stacked(room: Box, number: int, *, high: float, gap: float = 6.0) -> Sequence[Box]:
    """Boxes one under another, as many as asked, no higher than `high`, from the room's top."""
    if number < 1:
        return ()
    each = min(high, (room.high - gap * (number - 1)) / number)
    return tuple(Box(room.x, room.y + n * (each + gap), room.wide, each) for n in range(number))
