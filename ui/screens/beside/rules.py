"""The books on the screen: a cite's paragraphs, the chapters they stand in, and words looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games import RULEBOOKS
from companion.match.book import Hit, Place, look_up
from ui.scene.books import (
    Book,
    RuleParagraph,
    cites_in,
    packed,
    part_of,
    pieces,
    split_part,
)
from ui.scene.scene import BACK, Situation, page_keys, pages_of, quiet_frame
from ui.scene.theme import Colour, Face, Reach, Theme
from ui.scene.values import Key, KeyLook, Line, Message, ScreenFrame
from ui.scene.words import option_in_words, option_value_in_words
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.page import Page, Parts
from ui.touch.actions import CloseBook, Panel, Search, Show, TurnPage
from ui.touch.view import READING, View
from ui.widgets.box import Box
from ui.widgets.lettering import lines_of as drawn_lines
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high


@dataclass(frozen=True, slots=True)
class RulesState:
    """Paragraphs to read, a page at a time: those that a cite names, or a chapter's."""

    frame: ScreenFrame
    cite: str
    paragraphs: tuple[RuleParagraph, ...]
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class FoundState:
    """What was looked up: a line a paragraph, each opens it; `told` where there is none."""

    frame: ScreenFrame
    lines: tuple[Line, ...]
    told: str = ""
    page: int = 1
    pages: int = 1


CHAPTERS_A_PAGE = 8
HITS_A_PAGE = 5
SNIPPET = 76
"""Letters of a text that a line of what was found shows."""
LONGEST_CITE = 34
UNKNOWN = "This companion has no text for it: look it up in the printed book."


def present_rules(situation: Situation, view: View) -> ArbiterState | RulesState:
    """What a cite names; without one the chapters of the match's box, else all the boxes."""
    if not view.part:
        return present_books(situation, view) if situation.referee is None else _chapters(
            situation, view, Book(_usual(situation, view))
        )  # fmt: skip
    box, cite = split_part(view.part, _usual(situation, view))
    return _cited(situation, view, Book(box), cite)


def present_books(situation: Situation, view: View) -> ArbiterState:
    """The boxes, each a key to its chapters."""
    books = [Book(box) for box in RULEBOOKS]
    keys = tuple(
        Key(
            book.title,
            Show(Panel.CHAPTERS, part_of(book.box)),
            f"{len(book.chapters)} chapters, {len(book.paragraphs)} paragraphs",
            "book",
        )
        for book in books
    )
    frame = quiet_frame(
        situation, view, "RULES", "in our own words; the printed book decides", keys=(BACK,)
    )
    return ArbiterState(frame, "Which box?", keys)


def present_chapters(situation: Situation, view: View) -> ArbiterState:
    """A box's chapters, each a key."""
    box, _ = split_part(view.part, _usual(situation, view))
    return _chapters(situation, view, Book(box))


_IN_WORDS = {5: "five", 6: "six", 7: "seven"}


def _chapters(situation: Situation, view: View, book: Book) -> ArbiterState:
    titles, page, pages = pages_of(list(book.chapters), view.page, CHAPTERS_A_PAGE)
    keys = tuple(Key(title, book.to_chapter(title), _ids(book, title), "book") for title in titles)
    other = Key(
        "Boxes", Show(Panel.BOOKS), f"all {_IN_WORDS.get(len(RULEBOOKS), len(RULEBOOKS))}", "boxes"
    )
    row = (BACK, other, *page_keys(page, pages))
    frame = quiet_frame(
        situation, view, "RULES", book.title, keys=row, next_key=_search_key(book, KeyLook.GO)
    )
    return ArbiterState(frame, "", keys, page=page, pages=pages)


def _ids(book: Book, title: str) -> str:
    """The first and the last id of a chapter."""
    rules = [paragraph.rule for paragraph in book.chapters[title]]
    return rules[0] if len(rules) == 1 else f"{rules[0]} to {rules[-1].rpartition('-')[2]}"


def present_chapter(situation: Situation, view: View) -> RulesState:
    """A chapter's paragraphs, and the way on to the next chapter."""
    box, title = split_part(view.part, _usual(situation, view))
    book = Book(box)
    every = book.pages(title)
    at = min(view.page, len(every) - 1)
    keys = _turned(at, len(every), every[at])
    return RulesState(
        _reading_frame(
            situation, view, book, title, keys, _read_on(at, len(every), _next(book, title))
        ),
        "",
        tuple(_as_played(situation, one, book) for one in every[at]),
        at + 1,
        len(every),
    )  # fmt: skip


def _next(book: Book, title: str) -> Key:
    titles = list(book.chapters)
    at = titles.index(title) + 1 if title in titles else len(titles)
    if at == len(titles):
        return Key("Chapters", Show(Panel.CHAPTERS, part_of(book.box)), "this was the last", "book",
                   KeyLook.GO)  # fmt: skip
    return Key("Next chapter", book.to_chapter(titles[at]), titles[at], "next", KeyLook.GO)


def _cited(situation: Situation, view: View, book: Book, cite: str) -> RulesState:
    """Every paragraph that a cite names; a touch on one opens its chapter."""
    names = [name.strip() for name in cite.split(",") if name.strip()]
    every = packed([piece for name in names for piece in _pieces(book, name)])
    at = min(view.page, len(every) - 1)
    shown = [_linked(_as_played(situation, one, book), book) for one in every[at]]
    where = cite if len(cite) <= LONGEST_CITE else f"{names[0]} and {len(names) - 1} more"
    keys = _turned(at, len(every), every[at])
    return RulesState(
        _reading_frame(
            situation, view, book, where, keys, _read_on(at, len(every), _chapter_key(book, shown))
        ),
        cite,
        tuple(shown),
        at + 1,
        len(every),
    )  # fmt: skip


def _pieces(book: Book, name: str) -> Sequence[RuleParagraph]:
    known = [piece for one in book.named(name) for piece in pieces(one)]
    return known or (RuleParagraph(name, "", UNKNOWN),)


def _linked(one: RuleParagraph, book: Book) -> RuleParagraph:
    return replace(one, chapter=book.to_paragraph(one.rule))


def _chapter_key(book: Book, shown: Sequence[RuleParagraph]) -> Key:
    """On to the chapter of the first paragraph shown; to all of them where none is known."""
    for one in shown:
        if one.chapter is not None:
            title = book.paragraphs[one.rule].chapter
            return Key("Whole chapter", one.chapter, title, "book", KeyLook.GO)
    return Key("Chapters", Show(Panel.CHAPTERS, part_of(book.box)), book.title, "book", KeyLook.GO)


def _turned(at: int, pages: int, shown: Sequence[RuleParagraph]) -> tuple[Key, ...]:
    """Back to the earlier page, and on to what the paragraphs shown refer to."""
    own = {one.rule for one in shown}
    cited = [name for one in shown for name in cites_in(one.text) if name not in own]
    named = tuple(dict.fromkeys(cited))
    keys = page_keys(at + 1, pages)[:1]
    if not named:
        return keys
    see = Show(Panel.RULES, ", ".join(named))
    return (*keys, Key("See also", see, f"{len(named)} more", "book"))


def _read_on(at: int, pages: int, after: Key) -> Key:
    """The next page, and after the last one what follows."""
    if at + 1 < pages:
        return Key("Read on", TurnPage(1), f"page {at + 2} of {pages}", "next", KeyLook.GO)
    return after


def _reading_frame(
    situation: Situation, view: View, book: Book, where: str, keys: tuple[Key, ...], next_key: Key
) -> ScreenFrame:
    named = tuple(
        replace(key, action=Show(Panel.RULES, part_of(book.box, key.action.part)))
        if isinstance(key.action, Show)
        else key
        for key in keys
    )
    row = (BACK, *_close_key(view), _search_key(book), *named)
    words = f"{book.title} · {where}" if where else book.title
    return quiet_frame(situation, view, "RULES", words, keys=row, next_key=next_key)


def _close_key(view: View) -> tuple[Key, ...]:
    """Out of the books at once, where Back would have to be touched more than once."""
    read = [panel for panel, _ in view.panels if panel in READING]
    return (Key("Close", CloseBook(), sign="cancel"),) if len(read) > 1 else ()


def _search_key(book: Book, look: KeyLook = KeyLook.PLAIN, words: str = "") -> Key:
    second = "words or an id" if look is KeyLook.GO else ""
    return Key("Search", Search(book.box, words), second, "search", look)


def present_found(situation: Situation, view: View) -> FoundState:
    """The paragraphs with the words that were typed, the nearest first."""
    box, typed = split_part(view.part, _usual(situation, view))
    book = Book(box)
    hits = look_up(typed, book.paragraphs.values())
    shown, page, pages = pages_of(hits, view.page, HITS_A_PAGE)
    row = (BACK, *_close_key(view), *page_keys(page, pages))
    again = replace(
        _search_key(book, KeyLook.GO, typed), label="Other words", second="search again"
    )
    return FoundState(
        quiet_frame(situation, view, "RULES", f"{book.title} · {typed}", keys=row,
                    message=_found_words(hits, typed), next_key=again),
        tuple(_hit_line(book, hit) for hit in shown),
        "" if hits else _nothing(book, typed),
        page,
        pages,
    )  # fmt: skip


def _nothing(book: Book, typed: str) -> str:
    return (
        f'No paragraph of {book.title} has "{typed}". Try the beginning of a word, fewer words, '
        f"or an id such as {next(iter(book.paragraphs))}."
    )  # fmt: skip


def hits_in_words(box: str, typed: str) -> str:
    """How many paragraphs have what was typed so far, while it is typed."""
    hits = look_up(typed, Book(box).paragraphs.values())
    return _found_words(hits, typed).first if typed.strip() else "type words or an id"


def _found_words(hits: Sequence[Hit], typed: str) -> Message:
    if not hits:
        return Message("nothing found")
    number = "1 paragraph" if len(hits) == 1 else f"{len(hits)} paragraphs"
    words = hits[0].words
    missing = [word for word in typed.casefold().split() if word.strip(".,;") not in words]
    if hits[0].place is Place.ID or not missing:
        return Message(number, f"with {' and '.join(words)}" if words else "")
    return Message(number, f"with {' and '.join(words)}, none with all words")


def _hit_line(book: Book, hit: Hit) -> Line:
    paragraph = hit.paragraph
    name = f"{paragraph.rule} · {paragraph.heading}"
    read = Key("", Show(Panel.RULES, part_of(book.box, paragraph.rule)))
    where = {Place.ID: "id", Place.HEADING: "heading", Place.TEXT: "text"}[hit.place]
    return Line(name, snippet(paragraph.text, hit.words), right=where, key=read)


def snippet(text: str, words: Sequence[str], most: int = SNIPPET) -> str:
    """A line's worth of a text, from a little before the first of the words in it.

    >>> snippet("The Moon is drawn. The Sun is laid on a zone of either team.", ("sun",), 24)
    '… The Sun is laid on a …'
    """
    lower = text.casefold()
    found = [at for word in words if (at := lower.find(word)) >= 0]
    begin = max(0, text.rfind(" ", 0, max(0, min(found, default=0) - 4)) + 1)
    cut = text[begin:]
    if len(cut) > most:
        cut = cut[: cut.rfind(" ", 0, most - 1)] + " …"
    return f"… {cut}" if begin else cut


def _as_played(situation: Situation, one: RuleParagraph, book: Book) -> RuleParagraph:
    """With the house rule that turns it, where this match is played by this book."""
    match = situation.referee.match if situation.referee is not None else None
    if match is None or match.setup.box != book.box:
        return one
    rulebook = match.rulebook
    for switch in rulebook.switches.values():
        if one.rule in str(switch.cite).split(", "):
            value = option_value_in_words(switch.name, rulebook.options[switch.name])
            return replace(one, switch=f"{option_in_words(switch.name)}: {value.lower()}")
    return one


def _usual(situation: Situation, view: View) -> str:
    """The box of the match under way; else the one that was last chosen for a new match."""
    if situation.referee is not None:
        return situation.referee.match.setup.box
    return view.setup.box


# Parts and layout.

_CAPS = 18.0
_LARGER = (30.0, 26.0, 22.0)
"""Capitals of the text where the whole page has room for them."""


@dataclass(frozen=True, kw_only=True)
class ParagraphPart(Part):
    """Id, heading, text, and the option that turns it as this match is played."""

    paragraph: RuleParagraph
    caps: float = _CAPS

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.RADIUS)
        if self.action is not None:
            pen.edge(self.box, Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        room = self.box.inset(14, 9)
        under = self._draw_head(pen, room.top(20))
        text = room.below(28 + under)
        lines = max(1, int((text.high + 10) // (22 * self.caps / _CAPS)))
        pen.text(self.paragraph.text, text, self.caps, face=Face.MEDIUM, across="top", lines=lines)

    def _draw_head(self, pen: Pen, head: Box) -> float:
        """Id, heading and option; how much lower the text begins where these need two lines."""
        if self.action is not None:
            pen.sign("right", Box(head.right - 18, head.y, 18, head.high).square(17), Colour.INK2)
            head = head.left(head.wide - 26)
        ink = pen.text(self.paragraph.rule, head, 17, Colour.INK2)
        rest, switch = head.beside(ink.wide + 14), self.paragraph.switch
        lines = pen.lines(self.paragraph.heading, 15, rest.wide)
        if lines > 1:
            whole = rest.top(lines_high(lines, 15))
            pen.text(self.paragraph.heading, whole, 15, lines=lines, across="top")
            head = head.moved(down=whole.high - 14)
        elif not switch:
            pen.text(self.paragraph.heading, rest, 17)
        if not switch or lines > 1:
            pen.text(switch, head.moved(down=22), 15, Colour.INK2, face=Face.MEDIUM)
            return head.y - self.box.y - 9 + (20.0 if switch else 0.0)
        wide = pen.width(switch, 15) + 8
        if pen.width(self.paragraph.heading, 15) + wide + 10 > rest.wide:
            pen.text(self.paragraph.heading, rest, 17)
            pen.text(switch, head.moved(down=22), 15, Colour.INK2, face=Face.MEDIUM)
            return 20.0
        at = Box(rest.right - wide, rest.y, wide, rest.high)
        pen.text(switch, at, 15, Colour.INK2, face=Face.MEDIUM, align="right")
        pen.text(self.paragraph.heading, rest.left(rest.wide - wide - 10), 17)
        return 0.0


def layout(state: RulesState, page: Page) -> Parts:
    """Each paragraph as high as its text; smaller where a refusal takes some of the room."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    if state.paragraphs:
        caps = _caps_for(state, body, page)
        boxes = _boxes(state, body, page, caps)
        for n, (box, one) in enumerate(zip(boxes, state.paragraphs, strict=True)):
            action = one.chapter
            yield f"rule/{n}", ParagraphPart(box=box, paragraph=one, action=action, caps=caps)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _caps_for(state: RulesState, body: Box, page: Page) -> float:
    """As large as lets all of the page be read at once."""
    wide, gaps = body.wide - 28, 6.0 * (len(state.paragraphs) - 1)

    def fits(caps: float) -> bool:
        highs = (_high(one, wide, page.theme, caps) for one in state.paragraphs)
        return sum(highs) + gaps <= body.high

    return next((caps for caps in _LARGER if fits(caps)), _CAPS)


def _boxes(state: RulesState, body: Box, page: Page, caps: float) -> list[Box]:
    """Each as high as its words need; all of them less where there is no room for that."""
    wanted = [_high(one, body.wide - 28, page.theme, caps) for one in state.paragraphs]
    gaps = 6.0 * (len(wanted) - 1)
    share = min(1.0, (body.high - gaps) / sum(wanted))
    boxes, y = list[Box](), body.y
    for high in wanted:
        boxes.append(Box(body.x, y, body.wide, high * share))
        y += high * share + 6
    return boxes


def _high(one: RuleParagraph, wide: float, theme: Theme, caps: float) -> float:
    """A paragraph's height with its text in these capitals."""
    beside = wide - text_wide(theme, one.rule, 17) - 14 - (26 if one.chapter else 0)
    heading = drawn_lines(theme, one.heading, 15, beside)
    text = drawn_lines(theme, one.text, caps, wide, Face.MEDIUM)
    switch = 20.0 if one.switch else 0.0
    return 50 + switch + lines_high(text, caps) + lines_high(heading, 15) - 15
