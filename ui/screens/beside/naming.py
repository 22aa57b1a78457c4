"""The keyboard on the screen: a player's name, words to look up, words added to an answer.

What is typed lives here until it is taken; a name is then one ordinary choice of the new match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games import find_rulebook
from companion.match.rulebook import LONGEST_NAME
from companion.referee.challenge import LONGEST_CLAIM
from ui.scene.books import part_of
from ui.scene.theme import Colour, Reach
from ui.scene.values import Bottom, Key, KeyLook, Message, ScreenFrame, Strip, TopBar
from ui.screens.beside.rules import hits_in_words
from ui.screens.page import Page, Parts
from ui.touch import actions
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen

ARBITER = actions.EditName("", "arbiter", "Arbiter")
"""Not a seat: who corrects the record."""


@dataclass(frozen=True, slots=True)
class NamingState:
    """Whose name is typed, and the letters so far."""

    asked: actions.EditName
    text: str = ""
    more: bool = False
    strip: Strip | None = None

    def after(self, action: actions.Typing) -> NamingState:
        """The state when a key was touched; a name has at most 24 letters.

        >>> pilot = actions.EditName("seat.JP", "Jaws Pilot", "Jaws")
        >>> NamingState(pilot).after(actions.TypeLetter("a")).after(actions.TypeLetter("n")).text
        'An'
        """
        match action:
            case actions.TypeLetter(letter):
                first = not self.text or self.text[-1] in " -"
                return replace(self, text=(self.text + _cased(letter, first=first))[:LONGEST_NAME])
            case actions.EraseLetter():
                return replace(self, text=self.text[:-1])
            case actions.SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> actions.SetupChoice | actions.NameArbiter | actions.SetFigure:
        """What the name means: a choice of the new match, a figure, or who the arbiter is."""
        if not self.asked.choice:
            return actions.NameArbiter(self.text.strip())
        if self.asked.choice.startswith(actions.FIGURE):
            figure = self.asked.choice.removeprefix(actions.FIGURE)
            return actions.SetFigure(figure, self.text.strip())
        return actions.SetupChoice(self.asked.choice, self.text.strip())


def _cased(letter: str, *, first: bool) -> str:
    """Names begin with a capital; a letter from a real keyboard stays as it was typed."""
    return letter.upper() if first and letter != "ß" else letter


# Searching: words to look up in a box's book.

LONGEST = 40
"""Letters of what is looked up."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """Whose book is searched, and the letters so far."""

    box: str
    text: str = ""
    more: bool = False
    strip: Strip | None = None

    def after(self, action: actions.Typing) -> SearchState:
        """The state when a key was touched.

        >>> typed = SearchState("jaws-and-paws", "su").after(actions.TypeLetter("N"))
        >>> typed.text, typed.after(actions.EraseLetter()).text
        ('suN', 'su')
        """
        match action:
            case actions.TypeLetter(letter):
                return replace(self, text=(self.text + letter).lstrip()[:LONGEST])
            case actions.EraseLetter():
                return replace(self, text=self.text[:-1])
            case actions.SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> actions.Show:
        """The list of what was found."""
        return actions.Show(actions.Panel.FOUND, part_of(self.box, self.text.strip()))

    @property
    def counted(self) -> str:
        """How many paragraphs have these words."""
        return hits_in_words(self.box, self.text)


# Titling: words added to an answer, such as what an unlisted card is called.


@dataclass(frozen=True, slots=True)
class TitleState:
    """The answer that words are added to, and the letters so far."""

    asked: actions.AddWords
    text: str = ""
    more: bool = False
    strip: Strip | None = None

    def after(self, action: actions.Typing) -> TitleState:
        """The state when a key was touched; a title begins with a capital.

        >>> unknown = actions.Answer("turn-1/which", 3, "unknown")
        >>> asked = actions.AddWords(unknown, "Another card", 9)
        >>> typed = TitleState(asked, "Tractor b").after(actions.TypeLetter("e"))
        >>> typed.text, typed.after(actions.EraseLetter()).text
        ('Tractor b', 'Tractor ')
        """
        match action:
            case actions.TypeLetter(letter):
                letter = letter if self.text else letter.upper()
                return replace(self, text=(self.text + letter).lstrip()[: self.asked.most])
            case actions.EraseLetter():
                return replace(self, text=self.text[:-1])
            case actions.SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def taken(self) -> actions.Answer:
        """The answer with its words; as it stands where there are none.

        >>> unknown = actions.Answer("turn-1/which", 3, "unknown")
        >>> asked = actions.AddWords(unknown, "Another card", 40)
        >>> TitleState(asked, "Tractor beam ").taken.raw, TitleState(asked).taken.raw
        ('unknown Tractor beam', 'unknown')
        """
        return replace(self.asked.answer, raw=f"{self.asked.answer.raw} {self.text}".strip())


# Claiming: what a side says of what is disputed.


@dataclass(frozen=True, slots=True)
class ClaimState:
    """Whose claim is typed, and the letters so far."""

    asked: actions.TypeClaim
    text: str = ""
    more: bool = False
    strip: Strip | None = None

    def after(self, action: actions.Typing) -> ClaimState:
        """The state when a key was touched; a claim begins with a capital.

        >>> claim = ClaimState(actions.TypeClaim("Jaws", "Jaws"), "Too lat")
        >>> typed = claim.after(actions.TypeLetter("e"))
        >>> typed.text, typed.taken
        ('Too late', TellClaim(by='Jaws', text='Too late'))
        """
        match action:
            case actions.TypeLetter(letter):
                letter = letter if self.text else letter.upper()
                return replace(self, text=(self.text + letter).lstrip()[:LONGEST_CLAIM])
            case actions.EraseLetter():
                return replace(self, text=self.text[:-1])
            case actions.SwitchLetters():
                return replace(self, more=not self.more)

    @property
    def turned(self) -> bool:
        """Whether all of the keyboard faces whoever sits across."""
        return self.asked.turned

    @property
    def taken(self) -> actions.TellClaim:
        """The claim as the log keeps it."""
        return actions.TellClaim(self.asked.by, self.text.strip())


# Parts and layout.

_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_MORE = ("1234567890", "äöüßéèçñå", "æøœ'-.&")
_UPRIGHT = ("abcdefgh", "ijklmnop", "qrstuvwx", "yz-'.&")
_UPRIGHT_MORE = ("12345678", "90äöüßéè", "çñåæøœ")
"""In portrait ten keys beside one another would be too narrow for a finger."""


_LINES_HIGH = 60.0
"""A line so high has room for several of letters."""


@dataclass(frozen=True, kw_only=True)
class NameLine(Part):
    """What is typed as it stands, with the place of the next letter."""

    text: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.SUNK, Reach.RADIUS)
        pen.edge(self.box, Colour.EDGE, 1.5, Reach.RADIUS)
        room = self.box.inset(16, 6)
        lines = 1
        if room.high >= _LINES_HIGH and pen.width(self.text, 18) > room.wide - 20:
            lines = min(3, pen.lines(self.text, 14, room.wide - 20))
        shown = self.text
        while lines > 1 and " " not in shown and pen.width(shown, 15) > room.wide - 20:
            shown = f"…{shown[2:]}"  # of one word the end: there the next letter comes
            lines = 2 if pen.width(shown, 15) > room.wide - 20 else 1
        ink = pen.text(shown, room.left(room.wide - 20), 32, least=14, lines=lines)
        cursor = Box(ink.right + 4, room.y + 4, 3, room.high - 8)
        pen.fill(cursor, Colour.INK2)


def layout(state: NamingState | SearchState | TitleState | ClaimState, page: Page) -> Parts:
    """What is typed over four rows of keys."""
    body = page.body
    name_high = 84.0 if page.portrait else 58.0
    yield "name", NameLine(box=body.top(name_high), text=state.text)
    listed: Sequence[str] = _MORE if state.more else _LETTERS
    if page.portrait:
        listed = _UPRIGHT_MORE if state.more else _UPRIGHT
    rows = body.below(name_high + 8).rows([1] * (len(listed) + 1), gap=6)
    for n, letters in enumerate(listed):
        yield from _letters(rows[n], letters, n, len(listed[0]))
    other = "abc" if state.more else "123 äö"
    keys = (
        Key(other, actions.SwitchLetters()),
        Key("Space", actions.TypeLetter(" ")),
        Key("Erase", actions.EraseLetter(), sign="erase"),
    )
    for n, (box, key) in enumerate(zip(rows[-1].columns([1, 2.4, 1], gap=6), keys, strict=True)):
        yield f"typing/{n}", key_cap(box, key, caps=18)
    yield from page.around(replace(_frame_of(state), strip=state.strip))


def _frame_of(state: NamingState | SearchState | TitleState | ClaimState) -> ScreenFrame:
    match state:
        case NamingState():
            return _name_frame(state)
        case SearchState():
            return _search_frame(state)
        case TitleState():
            return _title_frame(state)
        case ClaimState():
            return _claim_frame(state)


def _letters(row: Box, letters: Sequence[str], n: int, most: int) -> Parts:
    indent = (most - len(letters)) * row.wide / (2 * most)
    room = Box(row.x + indent, row.y, row.wide - 2 * indent, row.high)
    for at, (box, letter) in enumerate(
        zip(room.columns([1] * len(letters), gap=6), letters, strict=True)
    ):
        key = Key(letter if letter == "ß" else letter.upper(), actions.TypeLetter(letter))
        yield f"letter/{n}.{at}", key_cap(box, key, caps=20)


def _name_frame(state: NamingState) -> ScreenFrame:
    take = Key("Take", actions.TakeName(), "as the name", "tick", KeyLook.GO)
    if not state.text.strip():
        take = Key("Take", None, "no letter yet", "tick", KeyLook.IMPOSSIBLE)
    message = Message(state.asked.side, state.asked.whose)
    of_figure = state.asked.choice.startswith(actions.FIGURE)
    where = state.asked.whose if of_figure else f"of the {state.asked.whose}"
    return _frame("NAME", where, message, take)


def _search_frame(state: SearchState) -> ScreenFrame:
    """While words are typed the next tap says how many paragraphs have them."""
    take = Key("Search", actions.TakeName(), state.counted, "search", KeyLook.GO)
    if not state.text.strip():
        take = Key("Search", None, state.counted, "search", KeyLook.IMPOSSIBLE)
    told = Message(second="Words, their beginnings, or an id such as RULING 3.")
    return _frame("SEARCH", find_rulebook(state.box).title, told, take)


def _title_frame(state: TitleState) -> ScreenFrame:
    """A title may be left out: the answer then stands as it is."""
    second = "as its title" if state.text.strip() else "without a title"
    take = Key("Take", actions.TakeName(), second, "tick", KeyLook.GO)
    told = Message("What is printed on it?", f"At most {state.asked.most} letters.")
    return _frame("TITLE", state.asked.label, told, take)


def _claim_frame(state: ClaimState) -> ScreenFrame:
    take = Key("Take", actions.TakeName(), "as what they say", "tick", KeyLook.GO)
    if not state.text.strip():
        take = Key("Take", None, "no letter yet", "tick", KeyLook.IMPOSSIBLE)
    told = Message("What happened?", f"At most {LONGEST_CLAIM} letters.")
    return _frame("CLAIM", f"of {state.asked.label}", told, take)


def _frame(title: str, where: str, message: Message, take: Key) -> ScreenFrame:
    cancel = Key("Cancel", actions.LeaveName(), sign="cancel")
    return ScreenFrame(TopBar(title, where), Bottom((cancel,), message, take))
