"""Naming: a player's name while it is typed, on the screen's keys or on a real keyboard.

What is typed lives here until it is taken; then it is one ordinary choice of the new match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.match.rulebook import LONGEST_NAME
from ui.presenters.new_match import SeatField
from ui.scene.values import Side
from ui.touch.actions import NameArbiter, SetupChoice


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


ARBITER = SeatField("", "arbiter", "", Side("Arbiter"), "arbiter")
"""Not a seat: who corrects the record."""

Typing = TypeLetter | EraseLetter | SwitchLetters


@dataclass(frozen=True, slots=True)
class NamingState:
    """The seat that is named, and the letters so far."""

    field: SeatField
    text: str = ""
    more: bool = False

    def after(self, action: Typing) -> NamingState:
        """The state when a key was touched; a name has at most 24 letters.

        >>> from ui.scene.values import Side
        >>> seat = SeatField("JP", "Jaws Pilot", "", Side("Jaws", "jaws"), "seat.JP")
        >>> NamingState(seat).after(TypeLetter("a")).after(TypeLetter("n")).text
        'An'
        """
        match action:
            case TypeLetter(letter):
                first = not self.text or self.text[-1] in " -"
                return replace(self, text=(self.text + _cased(letter, first=first))[:LONGEST_NAME])
            case EraseLetter():
                return replace(self, text=self.text[:-1])
            case SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> SetupChoice | NameArbiter:
        """What the name means: a choice of the new match, or who the arbiter is."""
        if self.field is ARBITER:
            return NameArbiter(self.text.strip())
        return SetupChoice(self.field.action_name, self.text.strip())


def _cased(letter: str, *, first: bool) -> str:
    """Names begin with a capital; a letter from a real keyboard stays as it was typed."""
    return letter.upper() if first and letter != "ß" else letter
