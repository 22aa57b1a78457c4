"""Titling: words added to an answer, while they are typed: what an unlisted card is called.

What is typed lives here until it is taken; then it is one ordinary answer, judged like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.naming import EraseLetter, SwitchLetters, TypeLetter, Typing
from ui.touch.actions import AddWords, Answer


@dataclass(frozen=True, slots=True)
class TitleState:
    """The answer that words are added to, and the letters so far."""

    asked: AddWords
    text: str = ""
    more: bool = False

    def after(self, action: Typing) -> TitleState:
        """The state when a key was touched; a title begins with a capital.

        >>> asked = AddWords(Answer("turn-1/which", 3, "unknown"), "Another card", 9)
        >>> typed = TitleState(asked, "Tractor b").after(TypeLetter("e"))
        >>> typed.text, typed.after(EraseLetter()).text
        ('Tractor b', 'Tractor ')
        """
        match action:
            case TypeLetter(letter):
                letter = letter if self.text else letter.upper()
                return replace(self, text=(self.text + letter).lstrip()[: self.asked.most])
            case EraseLetter():
                return replace(self, text=self.text[:-1])
            case SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> Answer:
        """The answer with its words; as it stands where there are none.

        >>> asked = AddWords(Answer("turn-1/which", 3, "unknown"), "Another card", 40)
        >>> TitleState(asked, "Tractor beam ").taken.raw, TitleState(asked).taken.raw
        ('unknown Tractor beam', 'unknown')
        """
        return replace(self.asked.answer, raw=f"{self.asked.answer.raw} {self.text}".strip())
