"""A book's paragraphs in our own words, one touch away from whatever cites them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What one rule or ruling says: its id, its heading and its text."""

    rule: str
    heading: str
    text: str


@cache
def read_paragraphs(path: Path) -> Mapping[str, Paragraph]:
    """Every paragraph of a box's own file, by the id that cites it, in the order of the book."""
    file = tomllib.loads(path.read_text("utf-8"))
    return {
        rule: Paragraph(rule, part["heading"], part["text"].strip()) for rule, part in file.items()
    }
