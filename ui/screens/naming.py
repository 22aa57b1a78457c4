"""Naming: a keyboard on the screen, for a player's name; a real keyboard types into it too.

What is typed lives here until it is taken; then it is one ordinary choice of the new match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ui.presenters.actions import SetupChoice
from ui.presenters.common import Bottom, Frame, Key, KeyLook, Message, TopBar
from ui.presenters.new_match import SeatField
from ui.screens.page import Page, Parts
from ui.theme import Colour, Reach
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen

LONGEST = 24
"""Letters of a name; longer ones would be read by nobody across a table."""

_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_MORE = ("1234567890", "äöüßéèçñå", "æøœ'-.&")


@dataclass(frozen=True, slots=True)
class EditName:
    """Open the keyboard for a seat."""

    field: SeatField


@dataclass(frozen=True, slots=True)
class TypeLetter:
    """Add a letter."""

    letter: str


@dataclass(frozen=True, slots=True)
class EraseLetter:
    """Take the last letter back."""


@dataclass(frozen=True, slots=True)
class SwitchLetters:
    """Show figures and accented letters, or the plain ones again."""


@dataclass(frozen=True, slots=True)
class TakeName:
    """Use what was typed."""


@dataclass(frozen=True, slots=True)
class LeaveName:
    """Close the keyboard and keep the old name."""


Typing = TypeLetter | EraseLetter | SwitchLetters


@dataclass(frozen=True, slots=True)
class NamingState:
    """The seat that is named, and the letters so far."""

    field: SeatField
    text: str = ""
    more: bool = False

    def after(self, action: Typing) -> NamingState:
        """The state when a key was touched; a name has at most 24 letters.

        >>> from ui.presenters.common import Side
        >>> seat = SeatField("JP", "Jaws Pilot", "", Side("Jaws", "jaws"), "seat.JP")
        >>> NamingState(seat).after(TypeLetter("a")).after(TypeLetter("n")).text
        'An'
        """
        match action:
            case TypeLetter(letter):
                first = not self.text or self.text[-1] in " -"
                return replace(self, text=(self.text + _cased(letter, first))[:LONGEST])
            case EraseLetter():
                return replace(self, text=self.text[:-1])
            case SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def choice(self) -> SetupChoice:
        """What the name means to the new match."""
        return SetupChoice(self.field.action_name, self.text.strip())


def _cased(letter: str, first: bool) -> str:  # noqa: FBT001
    """Names begin with a capital; a letter from a real keyboard stays as it was typed."""
    return letter.upper() if first and letter != "ß" else letter


@dataclass(frozen=True, kw_only=True)
class NameLine(Part):
    """The name as it stands, with the place of the next letter."""

    text: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.SUNK, Reach.RADIUS)
        pen.edge(self.box, Colour.EDGE, 1.5, Reach.RADIUS)
        room = self.box.inset(16, 6)
        ink = pen.text(self.text, room.left(room.wide - 20), 32, least=18)
        cursor = Box(ink.right + 4, room.y + 4, 3, room.high - 8)
        pen.fill(cursor, Colour.INK2)


def layout(state: NamingState, page: Page) -> Parts:
    """The name over four rows of keys."""
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
    yield from page.around(_frame(state))


def _letters(row: Box, letters: Sequence[str], n: int) -> Parts:
    indent = (10 - len(letters)) * row.wide / 20
    room = Box(row.x + indent, row.y, row.wide - 2 * indent, row.high)
    for at, (box, letter) in enumerate(
        zip(room.columns([1] * len(letters), gap=6), letters, strict=True)
    ):
        key = Key(letter if letter == "ß" else letter.upper(), TypeLetter(letter))
        yield f"letter/{n}.{at}", key_cap(box, key, caps=20)


def _frame(state: NamingState) -> Frame:
    take = Key("Take", TakeName(), "as the name", "tick", KeyLook.GO)
    if not state.text.strip():
        take = Key("Take", None, "no letter yet", "tick", KeyLook.IMPOSSIBLE)
    bottom = Bottom(
        (Key("Cancel", LeaveName(), sign="cancel"),),
        Message(state.field.side.name, state.field.label),
        take,
    )
    return Frame(TopBar("NAME", f"of the {state.field.label}"), bottom)
