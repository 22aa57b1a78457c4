"""Every step and ruling has its text and its test; every code of a refusal is raised by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.talespin_dogfight.rules import TalespinDogfight
from companion.games.talespin_dogfight.steps import SET_UP, STEPS

HERE = Path(__file__).parent
BOX = HERE.parents[2] / "companion/games/talespin_dogfight"
PARAGRAPHS = TalespinDogfight.paragraphs()
SOURCE = "\n".join(path.read_text("utf-8") for path in sorted(BOX.glob("*.py")))
TESTS = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_*.py")))

CODES = (
    "TS-E-TURN", "TS-E-CARD", "TS-E-OPP", "TS-E-RANGE", "TS-E-WHO", "TS-E-WINDOW", "TS-E-CLOSED",
    "TS-E-ORDER", "TS-E-HANDMAX", "TS-E-FIRST", "TS-E-LOW", "TS-E-HAND", "TS-E-VALUE", "TS-E-MUST",
    "TS-E-DAMAGE", "TS-E-COUNT", "TS-E-PLAYERCARD", "TS-E-PLACE",
)  # fmt: skip
BY_TABLE = {"TS-324", "TS-325", "TS-326"}
"""Steps of phase 3b that share their code with 3a: run by `test_3b_goes_through_its_steps`."""


def _spelling(rule: str) -> str:
    """How a test may name a rule: as cited, or in its own name, alone or after another."""
    word, _, number = rule.replace("RULING ", "ruling-").lower().rpartition("-")
    named = word.replace("-", "[-_ ]")
    return rf"(?i)(?:{named}[-_ ]|_and_|_){number}(?!\d)"


@pytest.mark.parametrize("rule", [rule for rule in PARAGRAPHS if rule not in BY_TABLE])
def test_every_paragraph_is_named_by_a_test(rule: str) -> None:
    """By its id in a test's name, its words or its table of cases."""
    elsewhere = TESTS.replace(Path(__file__).read_text("utf-8"), "")
    assert re.search(_spelling(rule), elsewhere), rule


def test_every_cite_of_the_code_has_its_paragraph() -> None:
    """What a screen's Why shows."""
    cited = set(re.findall(r"TS-(?:WIN-\d\d|\d{3})", SOURCE)) | {
        f"RULING {number}" for number in re.findall(r"RULING (\d+)", SOURCE)
    }
    assert cited - set(PARAGRAPHS) == set()


def test_every_step_has_its_paragraph_in_the_order_of_the_table() -> None:
    """101 to 111, 201 to 211, 301 to 310, 321 to 327."""
    rules = [step.rule for step in STEPS.values() if step.name not in (SET_UP, "over")]
    numbers = [int(rule.removeprefix("TS-")) for rule in rules]
    assert set(rules) <= set(PARAGRAPHS)
    assert numbers[:22] == [*range(101, 112), *range(201, 212)]


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_raised_and_tested(code: str) -> None:
    """In the code, and in another test than this."""
    assert f'"{code}"' in SOURCE
    elsewhere = TESTS.replace(Path(__file__).read_text("utf-8"), "")
    assert f'"{code}"' in elsewhere


def test_every_ruling_stands_in_the_list() -> None:
    """RULINGS.md has a line for each number."""
    listed = re.findall(r"^\| (\d+) \|", (BOX / "RULINGS.md").read_text("utf-8"), re.MULTILINE)
    assert [int(number) for number in listed] == [*range(1, 20)]


def test_every_file_stands_in_the_readme() -> None:
    """A newcomer finds each."""
    readme = (BOX / "README.md").read_text("utf-8")
    for path in BOX.glob("*.py"):
        assert path.name == "__init__.py" or path.name in readme, path.name
