"""A book's paragraphs in our own words: read from its file, found by id or by words."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from companion.core.errors import BadFile, unread_toml

PARAGRAPHS = "paragraphs.toml"
"""Beside a box's rules: every paragraph of its book, and every ruling of ours, by id."""
CHAPTERS = "chapters.toml"
"""Beside a box's paragraphs: how the ids of each chapter begin, and what the chapter is called.

A small book needs none: its rules are one chapter, our rulings on them another.
"""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What one rule or ruling says: its id, its heading, its text, and the chapter it stands in."""

    rule: str
    heading: str
    text: str
    chapter: str = ""


@cache
def read_paragraphs(path: Path) -> Mapping[str, Paragraph]:
    """Every paragraph of a box's own file, by the id that cites it, in the order of the book.

    None where there is no such file; BadFile names the paragraph that lacks something.
    """
    file: dict[str, dict[str, str]] = _read(path)
    for rule, part in file.items():
        if not {"heading", "text"} <= {*part}:
            raise BadFile(path.name, rule, "a paragraph has a heading and a text")
    chapters: dict[str, str] = _read(path.with_name(CHAPTERS))
    return {
        rule: Paragraph(
            rule,
            part["heading"],
            part["text"].strip(),
            chapter_of(rule, chapters) if chapters else _usual_chapter(rule),
        )
        for rule, part in file.items()
    }


def _usual_chapter(rule: str) -> str:
    """Where a paragraph stands in a book that names no chapters."""
    return "Rulings" if rule.startswith("RULING") else "Rules"


def chapter_of(rule: str, chapters: Mapping[str, str]) -> str:
    """The chapter whose ids begin as this one does; of several the one that says more of it.

    >>> chapter_of("JP-10.2", {"JP-1": "Components", "JP-10": "Cleanup"})
    'Cleanup'
    >>> chapter_of("RULING 3", {"JP-1": "Components"})
    ''
    """
    fitting = [beginning for beginning in chapters if rule.startswith(beginning)]
    return chapters[max(fitting, key=len)] if fitting else ""


def _read(path: Path) -> dict[str, Any]:
    """A file of the box; empty where it has none, BadFile where it is no TOML."""
    try:
        return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(path.name, "", unread_toml(wrong)) from None


# Search: ids first, then headings, then the text itself.

_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")


class Place(IntEnum):
    """Where in a paragraph a word was found; smaller values are listed first."""

    ID = 0
    HEADING = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class Hit:
    """One paragraph that was found: where it says so, and which of the words it has."""

    paragraph: Paragraph
    place: Place
    words: tuple[str, ...]


@lru_cache(maxsize=2048)  # a book is looked through with every letter that is typed
def words_of(typed: str) -> tuple[str, ...]:
    """The words that were typed, each once, without regard to capitals and accents.

    >>> words_of("  Sun order, SUN jp-9.4 ")
    ('sun', 'order', 'jp-9.4')
    """
    return tuple(dict.fromkeys(_WORD.findall(_plain(typed))))


def look_up(typed: str, paragraphs: Iterable[Paragraph]) -> Sequence[Hit]:
    """The paragraphs with every word; where none has them all, those with the most of them.

    A word is found where another begins with it ("repair" in "repairing"), an id by its beginning
    ("JP-9", "9.4", "ruling 15"). Ids come first, then headings, then texts, each in the book's
    order. Nothing where no word was typed or none is found.
    """
    words = words_of(typed)
    if not words:
        return ()
    hits = [hit for paragraph in paragraphs if (hit := _hit(paragraph, words)) is not None]
    most = max((len(hit.words) for hit in hits), default=0)
    best = [hit for hit in hits if len(hit.words) == most]
    return sorted(best, key=lambda hit: (hit.place, not _is_whole_id(hit, words)))


def _hit(paragraph: Paragraph, words: tuple[str, ...]) -> Hit | None:
    if _is_id(" ".join(words), paragraph.rule):
        return Hit(paragraph, Place.ID, words)
    heading = words_of(f"{paragraph.heading} {paragraph.chapter}")
    everything = (*heading, *words_of(paragraph.text), *words_of(paragraph.rule))
    found = _found(words, everything)
    if not found:
        return None
    in_heading = _found(words, heading) == found
    return Hit(paragraph, Place.HEADING if in_heading else Place.TEXT, found)


def _found(words: tuple[str, ...], said: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if any(one.startswith(word) for one in said))


def _is_id(typed: str, rule: str) -> bool:
    """Whether an id was typed, whole or as far as a dot; the box's own letters may be left out.

    >>> _is_id("jp-9", "JP-9.4"), _is_id("9.4", "JP-9.4"), _is_id("jp-9", "JP-90.1")
    (True, True, False)
    """
    whole = _plain(rule)
    short = whole.partition("-")[2]
    return any(name == typed or name.startswith(f"{typed}.") for name in (whole, short) if name)


def _is_whole_id(hit: Hit, words: tuple[str, ...]) -> bool:
    typed, rule = " ".join(words), _plain(hit.paragraph.rule)
    return typed in (rule, rule.partition("-")[2])


def _plain(text: str) -> str:
    """A text without capitals and accents, as an on-screen keyboard writes it."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
