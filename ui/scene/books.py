"""A box's book as it is read on the screen: chapters, and what a page of it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from companion.games import RULEBOOKS, find_rulebook
from ui.scene.words import with_options_in_words
from ui.touch.actions import Panel, Show

if TYPE_CHECKING:
    from companion.match.book import Paragraph

SEPARATOR = "|"
"""Between a box and what of it is read, in the part of a panel."""

_PAGE_HIGH_U, _HEAD_HIGH_U, _LINE_HIGH_U = 330.0, 70.0, 28.1
_LETTERS_A_LINE = 64
MOST_LINES = 8
"""Lines of one piece of a paragraph; a longer text goes on in a second piece."""

_CITED = re.compile(r"RULING \d+|\b[A-Z]{2}-(?:[A-Z]{3}-\d+[a-z]?|R\d+|\d+(?:\.(?:[A-Z]\d?|\d+))*)")
"""An id of a rule or ruling; codes of refusals (JP-E32) are none."""


@dataclass(frozen=True, slots=True)
class RuleParagraph:
    """One rule or ruling: id, heading, text; `switch` is the option that turns it, as played.

    `chapter` opens the chapter it stands in, at its page.
    """

    rule: str
    heading: str
    text: str
    switch: str = ""
    chapter: Show | None = None


class Book:
    """One box's paragraphs, in chapters in the order of the book."""

    def __init__(self, box: str) -> None:
        rulebook = find_rulebook(box)
        self.box = box
        self.title = rulebook.title
        self.paragraphs = _paragraphs(box)

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[Paragraph]]:
        """Each chapter's paragraphs, by its title."""
        found: dict[str, list[Paragraph]] = {}
        for paragraph in self.paragraphs.values():
            found.setdefault(paragraph.chapter, []).append(paragraph)
        return found

    def named(self, name: str) -> Sequence[Paragraph]:
        """The paragraph of this id; of a whole chapter ("JP-17") all that it has; else none."""
        known = self.paragraphs.get(name)
        if known is not None:
            return (known,)
        return [
            one
            for rule, one in self.paragraphs.items()
            if rule.startswith((f"{name}.", f"{name}-"))
        ]

    def pages(self, chapter: str) -> Sequence[Sequence[RuleParagraph]]:
        """A chapter's paragraphs as they fit on the screen."""
        return packed([piece for one in self.chapters.get(chapter, ()) for piece in pieces(one)])

    def to_chapter(self, title: str, page: int = 0) -> Show:
        """The touch that opens a chapter."""
        return Show(Panel.CHAPTER, part_of(self.box, title), page)

    def to_paragraph(self, rule: str) -> Show | None:
        """The touch that opens the chapter of a paragraph, at its page; None for one not known."""
        known = self.paragraphs.get(rule)
        if known is None:
            return None
        pages = self.pages(known.chapter)
        at = next(n for n, page in enumerate(pages) if any(one.rule == rule for one in page))
        return self.to_chapter(known.chapter, at)


@cache
def _paragraphs(box: str) -> Mapping[str, Paragraph]:
    """A box's paragraphs, with its house rules called as people read them."""
    rulebook = find_rulebook(box)
    return {
        name: replace(one, text=with_options_in_words(one.text, rulebook.switches))
        for name, one in rulebook.paragraphs().items()
    }


def part_of(box: str, rest: str = "") -> str:
    """How a panel names what is read of a box."""
    return f"{box}{SEPARATOR}{rest}"


def split_part(part: str, usual: str) -> tuple[str, str]:
    """The box that a panel's part names, else the usual one, and what of it is read.

    >>> split_part("dogfight-hex|Attacks", "jaws-and-paws")
    ('dogfight-hex', 'Attacks')
    >>> split_part("JP-9.4, RULING 15", "jaws-and-paws")
    ('jaws-and-paws', 'JP-9.4, RULING 15')
    """
    box, found, rest = part.partition(SEPARATOR)
    return (box, rest) if found and box in RULEBOOKS else (usual, part)


def pieces(paragraph: Paragraph) -> Sequence[RuleParagraph]:
    """A paragraph as the screen has it: in one piece, or in several where its text is long."""
    bare = RuleParagraph(paragraph.rule, paragraph.heading, paragraph.text)
    texts = _broken(paragraph.text)
    if len(texts) == 1:
        return (bare,)
    return tuple(
        replace(bare, heading=f"{bare.heading} ({n} of {len(texts)})", text=text)
        for n, text in enumerate(texts, start=1)
    )


def packed(listed: Sequence[RuleParagraph]) -> Sequence[Sequence[RuleParagraph]]:
    """Paragraphs on as few pages as hold them at full size; one empty page of none."""
    pages: list[list[RuleParagraph]] = [[]]
    used = 0.0
    for one in listed:
        high = _HEAD_HIGH_U + (lines_of(one.text) - 1) * _LINE_HIGH_U
        if pages[-1] and used + high > _PAGE_HIGH_U:
            pages.append([])
            used = 0.0
        pages[-1].append(one)
        used += high
    return pages


def lines_of(text: str) -> int:
    """About how many lines a text takes at full size."""
    return sum(1 + len(part) // _LETTERS_A_LINE for part in text.split("\n"))


def _broken(text: str) -> Sequence[str]:
    """A text in pieces of at most MOST_LINES lines, cut between sentences."""
    if lines_of(text) <= MOST_LINES:
        return (text,)
    texts = [""]
    for sentence in re.split(r"(?<=[.!?:;])\s+", text):
        longer = f"{texts[-1]} {sentence}".strip()
        if texts[-1] and lines_of(longer) > MOST_LINES:
            texts.append(sentence)
        else:
            texts[-1] = longer
    return texts


def cites_in(text: str) -> Sequence[str]:
    """The ids that a text names, each once, in its order.

    >>> cites_in("As JP-9.4 says (RULING 15, JP-9.4), and HX-ATK-01 too.")
    ('JP-9.4', 'RULING 15', 'HX-ATK-01')
    """
    return tuple(dict.fromkeys(_CITED.findall(text)))
