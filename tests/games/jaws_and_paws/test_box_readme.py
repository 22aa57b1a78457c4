"""The box's README says what the code does: words, switches, rulings, keys of a file."""

from __future__ import annotations

import re
from pathlib import Path

import companion.games.jaws_and_paws as box
from companion.games.jaws_and_paws.layout import STAGES
from companion.games.jaws_and_paws.mode_reports import FACE_UP_WORDS, MOON_WORDS
from companion.games.jaws_and_paws.reports import WORDS
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.games.jaws_and_paws.switches import MORE_SWITCHES, SWITCHES

HERE = Path(box.__file__).parent
README = (HERE / "README.md").read_text("utf-8")
RULINGS = (HERE / "RULINGS.md").read_text("utf-8")


def test_every_word_that_may_be_reported_is_explained() -> None:
    """With exactly its fields, optional ones marked."""
    lines = re.findall(r"^\| `([a-z ]+)` \| (.*?) ?\| (?:E\d|RULING)", README, flags=re.MULTILINE)
    told = {word: tuple(re.findall(r"`([a-z_]+\??)`", fields)) for word, fields in lines}
    words = {**WORDS, **MOON_WORDS, **FACE_UP_WORDS}
    assert told == {name: word.fields for name, word in words.items()}


def test_every_switch_is_in_the_rulings_with_all_its_values() -> None:
    """But `sight`, which belongs to every box."""
    for switch in (*SWITCHES.values(), *MORE_SWITCHES):
        name = switch.name
        if name == "sight":
            continue
        assert f"`{name}`" in RULINGS, name
        if all(isinstance(value, str) for value in switch.values):
            assert all(str(value) in RULINGS for value in switch.values), name


def test_every_ruling_is_written_down() -> None:
    """By number, with the sentence that a screen shows."""
    numbers = {int(n) for n in re.findall(r"^\| (\d+) \|", RULINGS, flags=re.MULTILINE)}
    assert numbers == {*range(1, 39)}
    assert {f"RULING {number}" for number in numbers} <= JawsAndPaws.paragraphs().keys()


CHAPTERS = [8, 11, 7, 4, 8, 3, 5, 8, 9, 3, 7, 6, 5, 7, 5, 5, 5, 3, 7, 5, 7]
"""How many paragraphs JP-1 to JP-21 have."""


def test_every_paragraph_has_its_text() -> None:
    """And there is none that nobody numbered."""
    rules = {rule for rule in JawsAndPaws.paragraphs() if rule.startswith("JP-")}
    told = [sum(rule.split(".")[0] == f"JP-{n}" for rule in rules) for n in range(1, 22)]
    assert told == CHAPTERS


def test_every_variant_is_named() -> None:
    """With what it is."""
    assert [name for name in JawsAndPaws.variants if f"| `{name}` |" not in README] == []


def test_every_module_of_the_box_is_on_the_map() -> None:
    """A newcomer finds each file in the table."""
    missing = [
        path.name
        for path in HERE.glob("*.*")
        if path.suffix in (".py", ".toml")
        and path.name != "__init__.py"
        and f"`{path.name}`" not in README
    ]
    assert missing == []


def test_every_stage_is_named() -> None:
    """section-2 and section-3 stand between those named."""
    assert [s for s in STAGES if f"`{s}`" not in README and s[-1] not in "23"] == []
