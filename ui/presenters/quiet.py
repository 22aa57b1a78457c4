"""What screens beside the match share: their frame, Back and Cancel, and pages of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.core.text import counted
from ui.presenters.book import part_of
from ui.presenters.common import Bottom, Frame, Key, KeyLook, Message, TopBar
from ui.presenters.scene import lost_device, open_challenge
from ui.touch.actions import Back, Panel, Show, TurnPage

if TYPE_CHECKING:
    from ui.presenters.situation import Situation
    from ui.touch.view import View

T = TypeVar("T")

BACK = Key("Back", Back(), sign="back")
CANCEL = Key("Cancel", Back(), sign="cancel")


def quiet_frame(
    situation: Situation,
    view: View,
    title: str,
    where: str = "",
    *,
    keys: Sequence[Key] = (),
    message: Message | None = None,
    next_key: Key | None = None,
) -> Frame:
    """A frame without a match: what the last touch was told, and which device is lost."""
    top = TopBar(title, where, situation.devices, situation.settings.sound)
    bottom = Bottom(tuple(keys), message or Message(), next_key)
    banner = open_challenge(situation.referee) or lost_device(situation)
    return Frame(top, bottom, view.refusal, banner)


def pages_of(listed: Sequence[T], page: int, size: int) -> tuple[Sequence[T], int, int]:
    """One page of a list, its number from 1, and how many there are.

    >>> pages_of("abcde", 1, 2), pages_of("abcde", 9, 2), pages_of("", 0, 2)
    (('cd', 2, 3), ('e', 3, 3), ('', 1, 1))
    """
    pages = max(1, -(-len(listed) // size))
    at = min(page, pages - 1)
    return listed[at * size : (at + 1) * size], at + 1, pages


IN_TIME = ("Earlier", "Later")
IN_ORDER = ("Before", "After")


def page_keys(
    page: int, pages: int, *, backwards: bool = False, words: tuple[str, str] = IN_TIME
) -> tuple[Key, ...]:
    """Earlier and later, where there is more than one page.

    `backwards`: the view counts pages from the last one; `words`: what the keys say.
    """
    if pages == 1:
        return ()
    step = -1 if backwards else 1
    earlier = TurnPage(-step) if page > 1 else None
    later = TurnPage(step) if page < pages else None
    return (_turn(words[0], earlier, "left"), _turn(words[1], later, "right"))


def why_key(box: str, cites: Iterable[str]) -> tuple[Key, ...]:
    """One key to all that a page of lines cites of a box; none where it cites nothing."""
    names = list(dict.fromkeys(n for cite in cites for n in cite.split(", ") if n))
    if not names:
        return ()
    part = part_of(box, ", ".join(names))
    return (Key("Why?", Show(Panel.RULES, part), counted(len(names), "rule"), "book"),)


def turning_key(page: int, pages: int) -> tuple[Key, ...]:
    """One key for all pages, where room is short: after the last the first comes again."""
    if pages == 1:
        return ()
    step = 1 if page < pages else 1 - pages
    return (Key("More", TurnPage(step), f"{page} of {pages}", "again"),)


def _turn(label: str, action: TurnPage | None, sign: str) -> Key:
    if action is None:
        return Key(label, None, "no more", sign, KeyLook.IMPOSSIBLE)
    return Key(label, action, sign=sign)
