"""Paragraph files: what is read of them, and which chapter each paragraph stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import BadFile
from companion.match.book import CHAPTERS, read_paragraphs


def test_a_paragraph_stands_in_the_chapter_whose_ids_begin_like_its_own(tmp_path: Path) -> None:
    """The longest beginning wins; without a file of chapters there are rules and rulings."""
    file = tmp_path / "paragraphs.toml"
    rules = ("TS-101", "TS-301", "TS-321", "RULING 1")
    file.write_text("".join(f'["{rule}"]\nheading = "H"\ntext = " T "\n' for rule in rules))
    usual = [one.chapter for one in read_paragraphs(file).values()]
    assert usual == ["Rules", "Rules", "Rules", "Rulings"]
    chapters = 'TS-1 = "Start"\nTS-3 = "Won"\nTS-32 = "Lost"\nRULING = "Rulings"\n'
    (tmp_path / CHAPTERS).write_text(chapters)
    read_paragraphs.cache_clear()
    read = read_paragraphs(file)
    assert [one.chapter for one in read.values()] == ["Start", "Won", "Lost", "Rulings"]
    assert read["TS-101"].text == "T"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('["TS-1"]\ntitle = "T"\ntext = "T"\n', "paragraphs.toml: TS-1: a paragraph has a heading"),
        ('[RULING 1]\nheading = "H"\n', "paragraphs.toml: this is no TOML: .*at line 1"),
    ],
)
def test_a_paragraph_that_cannot_be_read_is_named(tmp_path: Path, written: str, told: str) -> None:
    """The file and the place in it: what forgets its heading, an id with a blank unquoted."""
    file = tmp_path / "paragraphs.toml"
    file.write_text(written)
    with pytest.raises(BadFile, match=told):
        read_paragraphs(file)
