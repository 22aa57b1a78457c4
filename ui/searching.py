"""Searching: words to look up in a box's book, while they are typed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.naming import EraseLetter, SwitchLetters, TypeLetter, Typing
from ui.presenters.rules import hits_in_words
from ui.scene.books import part_of
from ui.touch.actions import Panel, Show

LONGEST = 40
"""Letters of what is looked up."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """Whose book is searched, and the letters so far."""

    box: str
    text: str = ""
    more: bool = False

    def after(self, action: Typing) -> SearchState:
        """The state when a key was touched.

        >>> typed = SearchState("jaws-and-paws", "su").after(TypeLetter("N"))
        >>> typed.text, typed.after(EraseLetter()).text
        ('suN', 'su')
        """
        match action:
            case TypeLetter(letter):
                return replace(self, text=(self.text + letter).lstrip()[:LONGEST])
            case EraseLetter():
                return replace(self, text=self.text[:-1])
            case SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> Show:
        """The list of what was found."""
        return Show(Panel.FOUND, part_of(self.box, self.text.strip()))

    @property
    def counted(self) -> str:
        """How many paragraphs have these words."""
        return hits_in_words(self.box, self.text)
