"""Catalogue, map and deck files: what they say, and what is wrong with broken ones."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadFile
from companion.core.files import line_of
from companion.games.starship_edition.figures import (
    OWN_FIGURES,
    TABLE_FILE,
    assumed_figures,
    read_figures,
)
from companion.match.rulebook import Setup
from ui.terminal.app import run

CARD = '[cards.X]\ntitle = "Xenon"\ntype = "ATTACK"\n'

BROKEN: dict[str, tuple[str, int, str, str]] = {
    "an operation that there is not": (
        CARD + 'effects = [\n  { op = "miss" },\n  { op = "pull" },\n]', 6, "cards.X.effects.1",
        "op = 'pull' is not known; there are move, rotate, attack"),
    "an effect without an operation": (
        CARD + "effects = [{ amount = 2 }]", 4, "cards.X.effects.0",
        "op is required, one of move, rotate"),
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
        "a whole number or one of 'mobility'"),
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
        "cards.X.effects.0.of.1", "op = 'mis' is not known"),
    "a type that there is not": (
        '[cards.X]\ntitle = "Xenon"\ntype = "MAGIC"', 3, "cards.X.type",
        "'MAGIC' is no type; there are ATTACK, MOVE"),
    "a card without a title": (
        '[cards.X]\ntype = "MOVE"', 1, "cards.X.title", "is required"),
    "a form that there is not": (
        CARD + 'form = "comet"', 4, "cards.X.form", "'normal', 'gear', 'star' or 'jump'"),
    "a window that there is not": (
        CARD + 'windows = ["tier", "lunch"]', 4, "cards.X.windows.1", "'prep', 'step1'"),
    "a star that is set": (
        CARD + 'form = "star"\nwindows = ["prep", "tier"]', 5, "cards.X.windows.1",
        "a star card is never used at 'tier'; there are prep, step1"),
    "a price in another coin": (
        CARD + 'cost = [{ pay = "gold" }]', 4, "cards.X.cost.0.pay",
        "'energy', 'hull', 'counter', 'hand' or 'discard'"),
    "a price in counters without a name": (
        CARD + 'cost = [{ pay = "counter" }]', 4, "cards.X.cost.0.name",
        "is no kind of counters"),
    "a permission that is not one": (
        CARD + "permits_secondary = { kind = 1 }", 4, "cards.X.permits_secondary.kind",
        "there are type, form, id"),
    "a permission of a card nobody knows": (
        CARD + 'permits_secondary = { id = "NOPE" }', 4, "cards.X.permits_secondary.id",
        "'NOPE' is no card; there are G-MOVE"),
    "a permission by yes": (
        CARD + "permits_secondary = true", 4, "cards.X.permits_secondary",
        "a table of names and values is expected, not True"),
    "an ability without effects": (
        '[abilities.AB-Z]\ntitle = "Zap"\neffects = []', 3, "abilities.AB-Z.effects",
        "at least 1 item is expected"),
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
    "a card that is called by a key": (
        '[cards.done]\ntitle = "X"\ntype = "MOVE"', 1, "cards.done", "no more cards are played"),
    "samples left out, and no deck": (
        "samples = false", 0, "decks", "'standard': samples = false leaves out the one that ships"),
    "a table that there is not": ("[weather]\nrain = true", 1, "weather", "there are name"),
}  # fmt: skip

STAR = CARD + 'form = "star"\n'
ABILITY = '[abilities.AB-Z]\ntitle = "Zap"\n'
RUST = '[counters.rust]\nholder = "card"\n'
EFFECT = "effects = [{ op = "

MISFITS: dict[str, tuple[str, int, str, str]] = {
    "a miss on a tier card": (
        CARD + EFFECT + '"miss" }]', 4, "cards.X.effects.0.op",
        "'miss': no attack is under way at tier; it needs windows attacker_modifier, response_"),
    "a reduction in the Preparation": (
        CARD + 'form = "jump"\n' + EFFECT + '"reduce", amount = 1 }]', 5, "cards.X.effects.0.op",
        "no attack is under way at prep"),
    "a target on a tier card": (
        CARD + EFFECT + '"damage", vessel = "target", amount = 1 }]', 4,
        "cards.X.effects.0.vessel", "there are this, one, any, others and all"),
    "an attacker inside a choice": (
        CARD + EFFECT + '"choose", of = [{ op = "draw" }, { op = "draw", player = "attacker" }]}]',
        4, "cards.X.effects.0.of.1.player", "no attack is under way at tier"),
    "an attack on oneself": (
        STAR + 'windows = ["attacker_modifier"]\n' + EFFECT + '"attack", at = "attacker" }]', 6,
        "cards.X.effects.0.at", "needs windows response_target or response_other"),
    "a bonus of what is never equipped": (
        CARD + 'discard_bonus = [{ op = "draw" }]', 4, "cards.X.discard_bonus",
        'this card is never equipped; form = "gear" or an effect { op = "equip" } equips it'),
    "upkeep of what is never equipped": (
        CARD + 'upkeep = [{ pay = "hull" }]', 4, "cards.X.upkeep", "never equipped"),
    "two copies of what is never equipped": (
        CARD + "unique_on_vessel = false", 4, "cards.X.unique_on_vessel", "never equipped"),
    "a card of gear's time that is none": (
        CARD + 'duration = "while_equipped"\n' + EFFECT + '"modify", stat = "range", amount = 1 }]',
        4, "cards.X.duration", "never equipped"),
    "a change of gear's time on no gear": (
        CARD + EFFECT + '"modify", stat = "range", amount = 1, duration = "while_equipped" }]', 4,
        "cards.X.effects.0.duration", "there are instant, attack, tier, turn, game"),
    "a time of nothing": (
        CARD + 'duration = "turn"\n' + EFFECT + '"draw" }]', 4, "cards.X.duration",
        "nothing here lasts"),
    "a tier's time after the tiers": (
        STAR + 'windows = ["end_of_turn"]\n' + EFFECT
        + '"modify", stat = "range", amount = 1, duration = "tier" }]', 6,
        "cards.X.effects.0.duration", "'tier' never comes to pass here"),
    "a window of another form": (
        CARD + 'windows = ["tier", "prep"]', 4, "cards.X.windows.1",
        "a normal card is never used at 'prep'; there are tier, any"),
    "a jump that answers": (
        CARD + 'form = "jump"\nwindows = ["response_target"]', 5, "cards.X.windows.0",
        "there are prep, any"),
    "a permission by a card in no tier": (
        STAR + 'permits_secondary = { type = "MOVE" }', 5, "cards.X.permits_secondary",
        "a star card lies in no tier and on no vessel"),
    "a permission of a form that is not set": (
        CARD + 'permits_secondary = { form = "star" }', 4, "cards.X.permits_secondary.form",
        "there are normal, gear"),
    "a permission of a card that is not set": (
        CARD + 'permits_secondary = { id = "G-DODGE" }', 4, "cards.X.permits_secondary.id",
        "G-DODGE is a star card"),
    "a permission that contradicts itself": (
        CARD + 'permits_secondary = { id = "G-SHOT", type = "MOVE" }', 4,
        "cards.X.permits_secondary.type", "G-SHOT has type 'ATTACK'"),
    "an ability's permission of a type that there is not": (
        ABILITY + EFFECT + '"draw" }]\npermits_secondary = { type = "MAGIC" }', 4,
        "abilities.AB-Z.permits_secondary.type", "'MAGIC' is no type; there are ATTACK"),
    "an ability that equips": (
        ABILITY + EFFECT + '"equip" }]', 3, "abilities.AB-Z.effects.0.op", "no card acts here"),
    "an ability's gear": (
        ABILITY + 'duration = "while_equipped"\n' + EFFECT
        + '"modify", stat = "range", amount = 1 }]', 3, "abilities.AB-Z.duration",
        "there are instant, attack, tier, turn, game"),
    "a second card after all tiers": (
        ABILITY + 'when = "end_of_turn"\n' + EFFECT + '"set_secondary" }]', 4,
        "abilities.AB-Z.effects.0.op", "all tiers are over at end_of_turn"),
    "a tier granted after all tiers": (
        STAR + 'windows = ["discard_phase"]\ngrants_extra_tier = 1', 6,
        "cards.X.grants_extra_tier", "all tiers are over at discard_phase"),
    "counters with a deed and no limit": (
        "[counters.rage]\ndestroys = true", 2, "counters.rage.destroys", "threshold = ..."),
    "counters that destroy and do more": (
        "[counters.rage]\nthreshold = 2\ndestroys = true\n" + EFFECT + '"draw" }]', 4,
        "counters.rage.effects", "destroyed at the limit"),
    "counters that equip": (
        "[counters.rage]\nthreshold = 2\n" + EFFECT + '"equip" }]', 3,
        "counters.rage.effects.0.op", "no card acts here"),
    "counters of a card laid by none": (
        RUST + CARD + EFFECT + '"counter", name = "rust", amount = 1 }]', 6,
        "cards.X.effects.0.name", "'rust' lies on equipped cards"),
    "counters of a card laid elsewhere": (
        RUST + CARD + 'form = "gear"\n' + EFFECT
        + '"counter", name = "rust", amount = 1, vessel = "one" }]', 7,
        "cards.X.effects.0.vessel", "'this' is expected"),
    "a price in counters of a card": (
        RUST + CARD + 'cost = [{ pay = "counter", name = "rust" }]', 6, "cards.X.cost.0.name",
        "pays only their upkeep; there are over heat"),
    "a change by nothing": (
        CARD + EFFECT + '"energy", amount = 0 }]', 4, "cards.X.effects.0.amount",
        "0 changes nothing"),
    "a move by nothing": (
        CARD + EFFECT + '"move", max = 0 }]', 4, "cards.X.effects.0.max", "1 to 99, or 'mobility'"),
    "a turn by nothing": (
        CARD + EFFECT + '"rotate", steps = -8 }]', 4, "cards.X.effects.0.steps", "also 'free'"),
    "a range that is ignored": (
        CARD + EFFECT + '"attack", range = 2, ignores = ["range"] }]', 4,
        "cards.X.effects.0.range", "the attack ignores ranges"),
}  # fmt: skip
"""What loaded silently and could never do anything."""


@pytest.mark.parametrize("kind", [*BROKEN, *MISFITS])
def test_each_kind_of_damage_is_named_with_its_line_and_place(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line, place, and what may stand there, in one line; nothing is begun."""
    text, line, place, said = {**BROKEN, **MISFITS}[kind]
    file = tmp_path / "ours.toml"
    file.write_text(f"{text}\n")
    assert run(["referee", "starship-edition", "--data", str(file), "--script", "-"]) == 2
    told = capsys.readouterr().err
    where = f"line {line}, {place}" if line else place
    assert told.startswith(f"companion: {file}: {where}: "), told
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


@pytest.mark.parametrize("kind", MISFITS)
def test_a_match_begun_with_a_misfit_is_still_read(kind: str) -> None:
    """An earlier edition loaded it: its matches in the record are gone on with as they were."""
    own: dict[str, Any] = tomllib.loads(MISFITS[kind][0])
    assert set(own.get("cards", {})) <= set(read_figures(own, edition=1).cards)
    with pytest.raises(BadFile):
        read_figures(own, edition=2)


def test_a_deck_that_counts_unknown_cards_is_told_whole() -> None:
    """`unknown` replaces the deck that ships; without it only the counts that are named change."""
    told = read_figures({"decks": {"standard": {"G-SHOT": 3, "unknown": 27}}})
    assert told.decks["standard"] == {"G-SHOT": 3, "unknown": 27}
    changed = read_figures({"decks": {"standard": {"G-SHOT": 3}}})
    assert changed.deck_size("standard") == assumed_figures().deck_size("standard") - 6
    before = read_figures({"decks": {"standard": {"unknown": 30}}}, edition=1)
    assert before.deck_size("standard") == 70


def test_sample_cards_can_be_switched_off() -> None:
    """`samples = false`: only the table's own cards, abilities and decks are there."""
    own: dict[str, Any] = tomllib.loads(
        "samples = false\n" + CARD + "[decks.standard]\nX = 10\nunknown = 30\n"
    )
    figures = read_figures(own)
    assert (list(figures.cards), list(figures.abilities)) == (["X"], [])
    assert figures.vessels["standard"].abilities == []
    assert figures.decks == {"standard": {"X": 10, "unknown": 30}}
    kept = OWN_FIGURES.confirmed(own, "club")
    assert list(read_figures(kept).cards) == ["X"]


def test_a_cards_file_decides_for_the_whole_match(new_table: Any) -> None:
    """The set-up takes it: nothing but the own card is offered."""
    own = tomllib.loads("samples = false\n" + CARD + "[decks.standard]\nX = 10\nunknown = 30\n")
    rules = new_table(cards=own).match.rulebook
    assert list(rules.cards()) == ["X"]
    assert rules.setup.edition == 3 == Setup("starship-edition", edition=3).edition


def test_gear_whose_change_ends_before_it_is_told() -> None:
    """No `while_equipped`: it loads, and a notice says how long the change lasts."""
    gear = 'form = "gear"\n' + EFFECT + '"modify", stat = "attack", amount = 1 }]\n'
    (said,) = read_figures(tomllib.loads(CARD + gear)).notices
    assert said == (
        "Xenon (X) is equipped, but its change of attack lasts the turn: "
        'duration = "while_equipped" would last as long as the card.'
    )
    lasting = tomllib.loads(CARD + 'duration = "while_equipped"\n' + gear)
    assert read_figures(lasting).notices == assumed_figures().notices == ()
