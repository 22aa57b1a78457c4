"""Catalogue, map and deck files: what they say, and what is wrong with broken ones."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.cli import run
from companion.errors import BadFile
from companion.games.starship_edition.figures import (
    OWN_FIGURES,
    TABLE_FILE,
    assumed_figures,
    read_figures,
)
from companion.toml_lines import line_of

CARD = '[cards.X]\ntitle = "Xenon"\ntype = "ATTACK"\n'

BROKEN: dict[str, tuple[str, int, str, str]] = {
    "an operation that there is not": (
        CARD + 'effects = [\n  { op = "miss" },\n  { op = "pull" },\n]', 6, "cards.X.effects.1",
        "op = 'pull' is no operation; there are 'move', 'rotate', 'attack'"),
    "an effect without an operation": (
        CARD + "effects = [{ amount = 2 }]", 4, "cards.X.effects.0", "an operation needs op ="),
    "a word that an operation lacks": (
        CARD + 'effects = [{ op = "move", speed = 2 }]', 4, "cards.X.effects.0.speed",
        "there are optional, condition, op, vessel, max, min"),
    "a number that is too large": (
        CARD + 'effects = [{ op = "repair", amount = 100 }]', 4, "cards.X.effects.0.amount",
        "less than or equal to 99"),
    "a number below none": (
        CARD + 'effects = [{ op = "damage", amount = 0 }]', 4, "cards.X.effects.0.amount",
        "greater than or equal to 1"),
    "text for a number": (
        CARD + 'effects = [{ op = "move", max = "far" }]', 4, "cards.X.effects.0.max",
        "valid integer or one of 'mobility'"),
    "a vessel that nobody has": (
        CARD + 'effects = [{ op = "energy", vessel = "mine", amount = 1 }]', 4,
        "cards.X.effects.0.vessel", "'this', 'target', 'attacker', 'one'"),
    "least more than most": (
        CARD + 'effects = [{ op = "move", min = 3, max = 2 }]', 4, "cards.X.effects.0.min",
        "3 is more than max, 2"),
    "a stat that there is not": (
        CARD + 'effects = [{ op = "modify", stat = "luck", amount = 1 }]', 4,
        "cards.X.effects.0.stat", "'luck' is no stat; there are attack, range, mobility"),
    "counters that there are not": (
        CARD + 'effects = [{ op = "counter", name = "rust", amount = 1 }]', 4,
        "cards.X.effects.0.name", "'rust' is no kind of counters; there are over heat"),
    "a choice of one": (
        CARD + 'effects = [{ op = "choose", of = [{ op = "miss" }] }]', 4,
        "cards.X.effects.0.of", "at least 2 items"),
    "a mistake inside a choice": (
        CARD + 'effects = [{ op = "choose", of = [{ op = "miss" }, { op = "mis" }] }]', 4,
        "cards.X.effects.0.of.1", "op = 'mis' is no operation"),
    "a type that there is not": (
        '[cards.X]\ntitle = "Xenon"\ntype = "MAGIC"', 3, "cards.X.type",
        "'MAGIC' is no type; there are ATTACK, MOVE"),
    "a card without a title": (
        '[cards.X]\ntype = "MOVE"', 1, "cards.X.title", "this is missing"),
    "a form that there is not": (
        CARD + 'form = "comet"', 4, "cards.X.form", "'normal', 'gear', 'star' or 'jump'"),
    "a window that there is not": (
        CARD + 'windows = ["tier", "lunch"]', 4, "cards.X.windows.1", "'prep', 'step1'"),
    "a star that is set": (
        CARD + 'form = "star"\nwindows = ["tier"]', 5, "cards.X.windows", "leave out 'tier'"),
    "a price in another coin": (
        CARD + 'cost = [{ pay = "gold" }]', 4, "cards.X.cost.0.pay",
        "'energy', 'hull', 'counter', 'hand' or 'discard'"),
    "a price in counters without a name": (
        CARD + 'upkeep = [{ pay = "counter" }]', 4, "cards.X.upkeep.0.name",
        "is no kind of counters"),
    "a permission that is not one": (
        CARD + "permits_secondary = { kind = 1 }", 4, "cards.X.permits_secondary.kind",
        "there are type, form, id"),
    "a permission of a card nobody knows": (
        CARD + 'permits_secondary = { id = "NOPE" }', 4, "cards.X.permits_secondary.id",
        "'NOPE' is no card; there are G-MOVE"),
    "a permission by yes": (
        CARD + "permits_secondary = true", 4, "cards.X.permits_secondary",
        "a table of names and values, not True"),
    "an ability without effects": (
        '[abilities.AB-Z]\ntitle = "Zap"\neffects = []', 3, "abilities.AB-Z.effects",
        "at least 1 item needed"),
    "an ability at a moment that there is not": (
        '[abilities.AB-Z]\ntitle = "Zap"\nwhen = "noon"\neffects = [{ op = "draw" }]', 3,
        "abilities.AB-Z.when", "'preparation', 'step1', 'tier_1'"),
    "a card without letters": (
        '[cards.X]\ntitle = ""\ntype = "MOVE"', 2, "cards.X.title", "at least 1 character"),
    "effects that are no list": (
        CARD + 'effects = { op = "miss" }', 4, "cards.X.effects", "a list in brackets"),
    "a word of the card misspelt": (
        CARD + "effect = []", 4, "cards.X.effect", "there are title, type, form"),
    "a deck with a card nobody knows": (
        "[decks.standard]\nG-SHOT = 9\nG-NONE = 2", 3, "decks.standard.G-NONE",
        "no card has this id; there are G-MOVE"),
    "a deck too small to deal": (
        "[decks.tiny]\nG-SHOT = 6", 1, "decks.tiny", "6 cards; 7 are drawn at the start"),
    "copies below none": (
        "[decks.standard]\nG-SHOT = -1", 2, "decks.standard.G-SHOT", "greater than or equal to 0"),
    "a square with an unknown sign": (
        '[squares.ring]\nrows = [\n  "A..",\n  ".?.",\n  "...",\n]', 4, "squares.ring.rows.1",
        "column 2 has '?'"),
    "a square with a short row": (
        '[squares.ring]\nrows = ["A..", ".."]', 2, "squares.ring.rows.1",
        "2 signs; the first row has 3"),
    "a layout of unknown squares": (
        '[map.layouts]\n2 = [["ring", "moon"]]', 2, "map.layouts.2.0.1",
        "no square is called 'moon'; there are drift, ring, shoal"),
    "squares that do not fit": (
        '[squares.low]\nrows = ["A..."]\n[map.layouts]\n2 = [["ring", "low"]]', 4,
        "map.layouts.2.0", "squares side by side of 4, 1 rows"),
    "rows that are not equally wide": (
        '[map.layouts]\n2 = [["ring", "drift"], ["ring"]]', 2, "map.layouts.2",
        "not equally wide"),
    "too few start spaces": (
        '[map.layouts]\n2 = [["ring"]]', 2, "map.layouts.2",
        "1 start space for 2 vessels"),
    "a space that nobody reaches": (
        '[squares.cut]\nrows = ["A#.", "B#.", ".#."]\n[map.layouts]\n2 = [["cut"]]', 4,
        "map.layouts.2", "cannot be reached from"),
    "a grid that there is not": (
        '[map]\nkind = "round"', 2, "map.kind", "'square', 'hex' or 'none'"),
    "a map for seven": ('[map.layouts]\n7 = [["ring"]]', 2, "map.layouts.7", "'5' or '6'"),
    "a hull of none": ("[vessel]\nhull = 0", 2, "vessel.hull", "greater than or equal to 1"),
    "an ability that there is not": (
        '[vessel]\nabilities = ["AB-FLY"]', 2, "vessel.abilities.0",
        "'AB-FLY' is no ability; there are AB-FOCUS"),
    "a table that there is not": ("[weather]\nrain = true", 1, "weather", "there are name"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_of_damage_is_named_with_its_line_and_place(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line, place, and what may stand there, in one line; nothing is begun."""
    text, line, place, said = BROKEN[kind]
    file = tmp_path / "ours.toml"
    file.write_text(f"{text}\n")
    assert run(["referee", "starship-edition", "--data", str(file), "--script", "-"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {file}: line {line}, {place}: "), told
    assert said in told
    assert told.count("\n") == 1


def test_a_file_that_is_no_toml_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the line at which it ceases to be one."""
    file = tmp_path / "ours.toml"
    file.write_text("[cards.X]\ntitle = \n")
    assert run(["referee", "starship-edition", "--data", str(file), "--script", "-"]) == 2
    assert "this is no TOML: Invalid value (at line 2" in capsys.readouterr().err


def test_what_ships_is_read_and_may_be_added_to() -> None:
    """Own cards come beside those that ship; own figures replace single ones."""
    own: dict[str, Any] = tomllib.loads(CARD + "[vessel]\nhull = 12\n")
    figures = read_figures(own)
    assert {"X", "G-SHOT"} <= set(figures.cards)
    assert (figures.vessels["standard"].hull, figures.vessels["standard"].attack) == (12, 3)
    assert assumed_figures().vessels["standard"].hull == 10


def test_assumed_figures_are_listed_changed_and_confirmed() -> None:
    """A table holds them against its ship card; rulings then lose the mark."""
    own = OWN_FIGURES.changed({}, "vessel.hull", 12)
    listed = {figure.name: figure for figure in OWN_FIGURES.listed(own)}
    assert (listed["vessel.hull"].value, listed["vessel.hull"].confirmed) == (12, True)
    assert not listed["vessel.attack"].confirmed
    assert read_figures(own).assumed("vessel.hull") == ""
    assert read_figures(own).assumed("vessel.attack") == " (assumed figure)"
    kept = OWN_FIGURES.confirmed(own, "club")
    assert all(figure.confirmed for figure in OWN_FIGURES.listed(kept))
    with pytest.raises(BadFile, match=r"vessel\.hull: "):
        OWN_FIGURES.changed({}, "vessel.hull", 0)


def test_lines_of_the_shipped_file_are_found() -> None:
    """Arrays of several lines, inline tables, keys in quotes, and headers."""
    text = TABLE_FILE.read_text("utf-8")
    lines = text.splitlines()
    for place, start in {
        "cards.G-DODGE.cost.0.pay": 'cost = [{ pay = "energy"',
        "squares.shoal.rows.3": '"#..."',
        "counters.over heat.at": "at = ",
        "map.layouts.5.1.2": '["ring@270"',
        "decks.standard": "[decks.standard]",
    }.items():
        line = line_of(text, place)
        assert line is not None
        assert lines[line - 1].strip().startswith(start)
    assert line_of(text, "nothing.like.it") is None
