"""A book's paragraphs in our own words, one touch away from whatever cites them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PARAGRAPHS = "paragraphs.toml"
"""Beside a box's rules: every paragraph of its book, and every ruling of ours, by id."""
CHAPTERS = "chapters.toml"
"""Beside a box's paragraphs: how the ids of each chapter begin, and what the chapter is called."""


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

    None where there is no such file.
    """
    file: dict[str, dict[str, str]] = _read(path)
    chapters: dict[str, str] = _read(path.with_name(CHAPTERS))
    return {
        rule: Paragraph(rule, part["heading"], part["text"].strip(), chapter_of(rule, chapters))
        for rule, part in file.items()
    }


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
    """A file of the box; empty where it has none."""
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
