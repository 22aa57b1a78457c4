"""The box's README says what the code does: words, switches, rulings, keys of a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games.jaws_and_paws as box
from companion.games.jaws_and_paws.boards import STAGES
from companion.games.jaws_and_paws.position import PLAYER, TABLETOP
from companion.games.jaws_and_paws.reports import FACE_UP_WORDS, MOON_WORDS, WORDS
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
    assert numbers == {*range(1, 40)}
    assert {f"RULING {number}" for number in numbers} <= JawsAndPaws.paragraphs().keys()


CHAPTERS = [8, 11, 7, 4, 8, 3, 5, 8, 9, 3, 7, 6, 5, 7, 5, 5, 5, 3, 7, 5, 7]
"""How many paragraphs JP-1 to JP-21 have."""


def test_every_paragraph_has_its_text() -> None:
    """And there is none that nobody numbered."""
    rules = {rule for rule in JawsAndPaws.paragraphs() if rule.startswith("JP-")}
    told = [sum(rule.split(".")[0] == f"JP-{n}" for rule in rules) for n in range(1, 22)]
    assert told == CHAPTERS


TESTS = [
    name
    for file in sorted(Path(__file__).parent.glob("test_*.py"))
    for name in re.findall(r"^ *def (test_\w+)\(", file.read_text("utf-8"), flags=re.MULTILINE)
]
UNTESTED = {"JP-4.2": "people may say what they like: nothing is asked, told or ruled of it"}
"""Paragraphs without a test, and why."""


def ids_named(name: str) -> set[str]:
    """What a test is named by: "jp_9_3_to_9_7", "jp_13_4_and_2_8", "ruling_15"."""
    ids = {f"RULING {number}" for number in re.findall(r"ruling_(\d+)", name)}
    for chapter, first, rest in re.findall(r"jp_(\d+)_(\d+)((?:_(?:and|to)_\d+(?:_\d+)?)*)", name):
        ids.add(f"JP-{chapter}.{first}")
        for link, one, two in re.findall(r"_(and|to)_(\d+)(?:_(\d+))?", rest):
            last = int(two or one)
            start = int(first) if link == "to" else last
            ids |= {f"JP-{one if two else chapter}.{n}" for n in range(start, last + 1)}
    return ids


def test_a_tests_name_is_read_as_it_is_meant() -> None:
    """Else the next test would be worth nothing."""
    assert ids_named("test_jp_13_4_and_2_8_team") == {"JP-13.4", "JP-2.8"}
    assert ids_named("test_jp_9_6_to_9_7_steps") == {"JP-9.6", "JP-9.7"}
    assert ids_named("test_jp_21_1_and_2_hold_and_ruling_3_too") == {
        "JP-21.1",
        "JP-21.2",
        "RULING 3",
    }


@pytest.mark.parametrize("rule", sorted(JawsAndPaws.paragraphs()))
def test_every_paragraph_and_ruling_has_a_test_named_after_it(rule: str) -> None:
    """Or a reason why it has none."""
    named = any(rule in ids_named(name) for name in TESTS)
    assert named != (rule in UNTESTED)


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


def test_the_page_has_the_rows_of_the_ledger() -> None:
    """What may stand in a file, and what an arbiter may set, is told as it is declared."""
    assert "\n".join(TABLETOP.rows()) in README
    assert "\n".join(PLAYER.rows("JP.")) in README
