"""The box as a whole: every id has its text and its test, every ruling and switch its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games.dogfight_hex as box
from companion.games.dogfight_hex.asks import HEADLINE
from companion.games.dogfight_hex.cards import ASSUMED, CARDS
from companion.games.dogfight_hex.rules import DogfightHex
from companion.games.dogfight_hex.switches import SWITCHES

HERE = Path(box.__file__).parent
SOURCES = "\n".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
TESTS = "\n".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
RULES = {
    "MAT": 2, "SET": 7, "TRN": 1, "DEC": 4, "MOV": 7, "RES": 5, "ATK": 9, "SHD": 7, "DMG": 3,
    "DEB": 6, "END": 4, "WIN": 2,
}  # fmt: skip
"""How many paragraphs each chapter has; HX-SHD-06a besides."""
RULINGS = range(1, 31)
IDS = [
    *(f"HX-{chapter}-{number:02}" for chapter, count in RULES.items()
      for number in range(1, count + 1)),
    "HX-SHD-06a",
    *(f"RULING {number}" for number in RULINGS),
]  # fmt: skip


def test_every_rule_and_ruling_has_its_text() -> None:
    """One touch away from whatever cites it, and nothing is explained that does not exist."""
    paragraphs = DogfightHex.paragraphs()
    assert set(paragraphs) == set(IDS)
    assert all(part.heading and part.text for part in paragraphs.values())


def test_whatever_is_cited_has_a_text() -> None:
    """In rulings, questions, refusals, notices and faults alike."""
    cited = set(re.findall(r"HX-[A-Z]{3}-\d\d[a-z]?|RULING \d+", SOURCES))
    assert cited <= set(IDS)
    assert len(cited) > 70


@pytest.mark.parametrize("rule", IDS)
def test_every_id_has_a_test_named_after_it(rule: str) -> None:
    """hx_mov_03 or ruling_09, alone or as "03_and_04"."""
    chapter, _, number = rule.lower().replace("hx-", "hx_").replace(" ", "-").rpartition("-")
    names = re.findall(rf"def test_(\w*{chapter.replace('-', '_')}_\w+)", TESTS)
    wanted = number.zfill(2)
    told = [re.split(rf"{chapter.replace('-', '_')}_", name, maxsplit=1)[1] for name in names]
    assert any(re.match(rf"(\d\d_and_)?{wanted}(_|$)", name) for name in told), rule


def test_every_code_is_raised_by_a_test() -> None:
    """And so is every code of our own."""
    codes = set(re.findall(r'"(HX-[EW]-[A-Z0-9-]+|HX-[A-Z]+)"', SOURCES))
    of_the_book = {
        "PLAYERS", "WRECK-SETUP", "WHO", "ORDER", "START", "OCCUPIED", "DUP", "DEAD", "NOCARD",
        "FORCED", "WAIT", "STEPS", "BLOCKED", "OFFMAP", "FORWARD", "ANCHOR", "UNREACHABLE", "MUST",
        "RANGE", "TARGET", "BEAM", "ADJ", "RAM2",
    }  # fmt: skip
    assert {f"HX-E-{code}" for code in of_the_book} - {"HX-E-PLAYERS"} <= codes
    assert "HX-E-PLAYERS" in SOURCES
    assert [code for code in sorted(codes | {"HX-E-PLAYERS"}) if code not in TESTS] == []


@pytest.mark.parametrize("number", RULINGS)
def test_every_ruling_has_its_line(number: int) -> None:
    """In the box's own table."""
    assert f"\n| {number} | " in (HERE / "RULINGS.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(set(SWITCHES) - {"sight"}))
def test_every_switch_is_told_with_its_values_and_flips_something(name: str) -> None:
    """In the rulings' table, and in upper case in a test."""
    lines = (HERE / "RULINGS.md").read_text("utf-8")
    values = ", ".join(str(value).lower() for value in SWITCHES[name].values)
    assert f"`{name}` {values}" in lines
    assert name.upper() in TESTS or f'"{name}"' in TESTS


def test_every_assumed_figure_is_told() -> None:
    """The rulings name the figure that turns them."""
    lines = (HERE / "RULINGS.md").read_text("utf-8")
    told = [name for name in ASSUMED if name in lines or name.startswith("deck.")]
    assert told == list(ASSUMED)


def test_a_card_is_called_by_words_that_fit() -> None:
    """A headline holds its label beside a seat's letter."""
    assert all(len(f"F: {card.label.lower()}") <= HEADLINE for card in CARDS.values())


def test_every_file_of_the_box_is_in_its_page() -> None:
    """The README says what each file holds."""
    page = (HERE / "README.md").read_text("utf-8")
    files = [path.name for path in HERE.iterdir() if path.suffix in (".py", ".toml")]
    assert [name for name in files if name not in page and name != "__init__.py"] == []
