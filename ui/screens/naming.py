"""Naming, searching, titling: a keyboard on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games import find_rulebook
from ui.naming import EraseLetter, LeaveName, NamingState, SwitchLetters, TakeName, TypeLetter
from ui.scene.theme import Colour, Reach
from ui.scene.values import Bottom, Frame, Key, KeyLook, Message, TopBar
from ui.screens.page import Page, Parts
from ui.searching import SearchState
from ui.titling import TitleState
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen

_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_MORE = ("1234567890", "äöüßéèçñå", "æøœ'-.&")


@dataclass(frozen=True, kw_only=True)
class NameLine(Part):
    """What is typed as it stands, with the place of the next letter."""

    text: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.SUNK, Reach.RADIUS)
        pen.edge(self.box, Colour.EDGE, 1.5, Reach.RADIUS)
        room = self.box.inset(16, 6)
        ink = pen.text(self.text, room.left(room.wide - 20), 32, least=18)
        cursor = Box(ink.right + 4, room.y + 4, 3, room.high - 8)
        pen.fill(cursor, Colour.INK2)


def layout(state: NamingState | SearchState | TitleState, page: Page) -> Parts:
    """What is typed over four rows of keys."""
    body = page.body
    yield "name", NameLine(box=body.top(58), text=state.text)
    rows = body.below(66).rows([1, 1, 1, 1], gap=6)
    for n, letters in enumerate(_MORE if state.more else _LETTERS):
        yield from _letters(rows[n], letters, n)
    other = "abc" if state.more else "123 äö"
    keys = (
        Key(other, SwitchLetters()),
        Key("Space", TypeLetter(" ")),
        Key("Erase", EraseLetter(), sign="erase"),
    )
    for n, (box, key) in enumerate(zip(rows[3].columns([1, 2.4, 1], gap=6), keys, strict=True)):
        yield f"typing/{n}", key_cap(box, key, caps=18)
    yield from page.around(_frame_of(state))


def _frame_of(state: NamingState | SearchState | TitleState) -> Frame:
    match state:
        case NamingState():
            return _name_frame(state)
        case SearchState():
            return _search_frame(state)
        case TitleState():
            return _title_frame(state)


def _letters(row: Box, letters: Sequence[str], n: int) -> Parts:
    indent = (10 - len(letters)) * row.wide / 20
    room = Box(row.x + indent, row.y, row.wide - 2 * indent, row.high)
    for at, (box, letter) in enumerate(
        zip(room.columns([1] * len(letters), gap=6), letters, strict=True)
    ):
        key = Key(letter if letter == "ß" else letter.upper(), TypeLetter(letter))
        yield f"letter/{n}.{at}", key_cap(box, key, caps=20)


def _name_frame(state: NamingState) -> Frame:
    take = Key("Take", TakeName(), "as the name", "tick", KeyLook.GO)
    if not state.text.strip():
        take = Key("Take", None, "no letter yet", "tick", KeyLook.IMPOSSIBLE)
    message = Message(state.field.side.name, state.field.label)
    return _frame("NAME", f"of the {state.field.label}", message, take)


def _search_frame(state: SearchState) -> Frame:
    """While words are typed the next tap says how many paragraphs have them."""
    take = Key("Search", TakeName(), state.counted, "search", KeyLook.GO)
    if not state.text.strip():
        take = Key("Search", None, state.counted, "search", KeyLook.IMPOSSIBLE)
    told = Message(second="Words, their beginnings, or an id such as RULING 3.")
    return _frame("SEARCH", find_rulebook(state.box).title, told, take)


def _title_frame(state: TitleState) -> Frame:
    """A title may be left out: the answer then stands as it is."""
    second = "as its title" if state.text.strip() else "without a title"
    take = Key("Take", TakeName(), second, "tick", KeyLook.GO)
    told = Message("What is printed on it?", f"At most {state.asked.most} letters.")
    return _frame("TITLE", state.asked.label, told, take)


def _frame(title: str, where: str, message: Message, take: Key) -> Frame:
    cancel = Key("Cancel", LeaveName(), sign="cancel")
    return Frame(TopBar(title, where), Bottom((cancel,), message, take))
