"""A table's own cards: read, confirmed, and refused by name and place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from companion.core.errors import BadFile
from companion.games.talespin_dogfight.figures import (
    ASSUMED,
    OWN_FIGURES,
    assumed_figures,
    read_figures,
)
from companion.games.talespin_dogfight.steps import WINDOWS
from ui.terminal.app import run

BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "unknown part": ({"planes": {}}, "planes: there is no such figure; there are name, confirmed"),
    "unknown key": ({"ring": {"size": 3}}, "ring.size: there is no such figure"),
    "tiny ring": ({"ring": {"locations": 2}}, "ring.locations: "),
    "huge ring": ({"ring": {"locations": 99}}, "ring.locations: "),
    "text for a number": ({"ring": {"locations": "many"}}, "ring.locations: "),
    "short row": ({"maneuvers": {"Dip": [3, 1]}}, "maneuvers.Dip.2: is required"),
    "long row": ({"maneuvers": {"Dip": [3, 1, 1, 1]}}, "maneuvers.Dip: "),
    "value 14": ({"maneuvers": {"Dip": [14, 1, 1]}}, "maneuvers.Dip.0: "),
    "value 0": ({"maneuvers": {"Dip": [0, 1, 1]}}, "maneuvers.Dip.0: "),
    "negative Damage": ({"maneuvers": {"Dip": [3, -1, 1]}}, "maneuvers.Dip.1: "),
    "text in a row": ({"pilots": {"Ace": [3, "five", 1, 1]}}, "pilots.Ace.1: "),
    "a row that is none": ({"pilots": {"Ace": 3}}, "pilots.Ace: "),
    "no title": ({"maneuvers": {"": [3, 1, 1]}}, "maneuvers."),
    "RANGE of a moon": ({"characters": {"Ace": [2, 99, 6, 1, 0]}}, "characters.Ace.1: "),
    "no window": ({"windows": {"Smoke": {"windows": []}}}, "windows.Smoke.windows: "),
    "misspelt window": (
        {"windows": {"Smoke": {"windows": ["insted"]}}}, "windows.Smoke.windows.0: one of",
    ),
    "windows left out": ({"windows": {"Smoke": {}}}, "windows.Smoke.windows: is required"),
    "result without its window": (
        {"windows": {"Smoke": {"windows": ["end"], "result": "met"}}},
        "windows.Smoke.result: 'met' needs the window 'instead' [RULING 8]",
    ),
    "value without result": (
        {"windows": {"Smoke": {"windows": ["instead"], "value": 3}}}, "windows.Smoke.value: ",
    ),
    "result without value": (
        {"windows": {"Smoke": {"windows": ["instead"], "result": "value"}}},
        "a value of 1 to 13 goes with the result 'value'",
    ),
    "misspelt operation": (
        {"windows": {"Smoke": {"windows": ["end"], "effects": [{"does": "drw"}]}}},
        "windows.Smoke.effects.0.does: ",
    ),
    "operation's unknown key": (
        {"windows": {"Smoke": {"windows": ["end"], "effects": [{"does": "draw", "many": 2}]}}},
        "windows.Smoke.effects.0.many: there is no such figure; there are does, who, count",
    ),
    "reward of nobody": ({"rewards": {"Ace": {}}}, "rewards.Ace: no Pilot card is called 'Ace'"),
    "confirmed what": ({"confirmed": ["maneuvers.Dip"]}, "'maneuvers.Dip' is no assumed figure"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_names_its_place(case: str) -> None:
    """Source, place and what is allowed."""
    raw, words = BROKEN[case]
    with pytest.raises(BadFile) as refused:
        read_figures(raw, "mine.toml")
    assert str(refused.value).startswith("mine.toml: ")
    assert words in str(refused.value)


@pytest.mark.parametrize("case", BROKEN)
def test_each_kind_of_damage_is_named_with_its_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line, place and what is allowed in one line; nothing is begun."""
    raw, words = BROKEN[case]
    file = tmp_path / "ours.toml"
    file.write_text(tomli_w.dumps(raw))
    assert run(["referee", "talespin-dogfight", "--data", str(file), "--script", "-"]) == 2
    told = capsys.readouterr().err
    assert re.match(rf"companion: {re.escape(str(file))}: line \d+, ", told), told
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"maneuvers": {"Dip": [3]}}, "is required (a row has value, Damage, Draw)"),
        ({"pilots": {"Ace": [3, 5, 1, 1, 1]}}, "not (3, 5, 1, 1, 1) (a row has PILOT, value"),
        ({"characters": {"Ace": "fast"}}, "is expected, not 'fast' (a row has PILOT, R"),
        ({"passengers": {"Ace": [1, True]}}, "(a row has PILOT, RANGE)"),
    ],
)
def test_a_row_that_is_wrong_is_told_with_what_its_numbers_mean(
    raw: dict[str, Any], words: str
) -> None:
    """In words that a table understands."""
    with pytest.raises(BadFile) as refused:
        read_figures(raw, "mine.toml")
    assert words in str(refused.value)


def test_a_tables_own_cards_stand_beside_the_assumed_ones() -> None:
    """New titles are added, known ones replaced."""
    own: dict[str, Any] = {"maneuvers": {"Dip": [3, 2, 0], "Swoop": [4, 0, 0]}, "name": "ours"}
    figures = read_figures(own)
    assert figures.maneuvers["Dip"].damage == 2
    assert figures.maneuvers["Swoop"].value == 4
    assert figures.maneuvers["Strafe"] == assumed_figures().maneuvers["Strafe"]


def test_the_digests_demonstration_table_ships() -> None:
    """Thirteen values, one of them the Lucky Shot, and a card for each window."""
    figures = assumed_figures()
    assert sorted(card.value for card in figures.maneuvers.values()) == [*range(1, 14)]
    assert [card.title for card in figures.maneuvers.values() if card.any_answer] == ["Lucky Shot"]
    shown = {window for card in figures.windows.values() for window in card.windows}
    assert shown == set(WINDOWS)


def test_figures_are_listed_changed_and_confirmed() -> None:
    """What was read off is no assumption any more."""
    assert [figure.name for figure in OWN_FIGURES.listed({})] == [*ASSUMED]
    own = OWN_FIGURES.changed({}, "maneuvers.Swoop", [3, 2, 2])
    figures = read_figures(own)
    assert figures.maneuvers["Swoop"].damage == 2
    assert (figures.assumed("maneuvers.Swoop"), figures.assumed("maneuvers.Strafe")) == (
        "", " (assumed figure)",
    )  # fmt: skip
    with pytest.raises(BadFile, match="Swoop"):
        OWN_FIGURES.changed({}, "maneuvers.Swoop", [30, 2, 2])
    assert read_figures(OWN_FIGURES.confirmed({}, "ours")).assumed(*ASSUMED) == ""
