"""A card declared at the table is kept from the screen: the next match of the table has it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games import find_rulebook
from companion.match.rulebook import Setup
from ui.demo.driver import touch_for
from ui.screens.match.ruling import RulingState
from ui.table.settings_file import OwnFigures
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

PLAYER: Mapping[str, Any] = {"deck": 33, "hand": 4, "hull": 9, "energy": 3, "prepared": True}
SET = [{"action": "set", "primary": "?"}, {"action": "pass"}, {"action": "pass"}]
FILE: dict[str, Any] = {
    "box": "starship-edition", "turn": 3, "phase": "tier-sequence",
    "players": {"A": {**PLAYER, "place": "1,1", "tiers": SET, "discard": ["?", "?"]},
                "B": {**PLAYER, "place": "3,1", "tiers": SET, "discard": ["?", "?"]}},
}  # fmt: skip
SETUP = Setup("starship-edition", position=FILE)


def play(person: Any, *answers: str) -> None:
    """Touch the key of each answer, past the rulings between them."""
    for raw in answers:
        while isinstance(person.state, RulingState):
            person.go_on()
        (question,) = person.match.open.values()
        person.touch(touch_for(person.state, question.key, raw))


def begin(person: Any, setup: Setup = SETUP) -> None:
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())


def kept(folder: Path) -> Path:
    """Where the table keeps its own figures and cards of this box."""
    return folder / "kept-starship-edition.toml"


def answer(person: Any, raw: Any) -> None:
    """Touch whatever leads to an answer, key by key, past the rulings before it."""
    while isinstance(person.state, RulingState):
        person.go_on()
    (question,) = person.match.open.values()
    before = len(person.match.entries)
    for _ in range(20):
        if len(person.match.entries) > before:
            return
        person.touch(touch_for(person.state, question.key, raw))
    raise AssertionError(f"no key leads to {raw!r} at {question.key}")


DECLARED = ("unknown", "INTERVENE", "free", "draw", "this")


def declare(person: Any, end: str) -> None:
    """An unlisted card: its player draws one card; then the declaration ends so."""
    play(person, *DECLARED)
    (question,) = person.match.open.values()
    person.table.offer(question.key, question.opened, 1, "touch")
    play(person, "yes", end)


def test_a_card_is_kept_by_one_key_and_the_next_match_has_it(person: Any, tmp_path: Path) -> None:
    """Nothing is typed: it is called by what it does; the file is one for --data, too."""
    begin(person)
    declare(person, "keep")
    title = "Card 1: draw this 1"
    written = tomllib.loads(kept(tmp_path).read_text("utf-8"))
    assert written["cards"][title]["effects"] == [{"op": "draw", "player": "this", "number": 1}]
    person.table.new_match(replace(SETUP, cards=person.table.figures_of("starship-edition")))
    assert title in person.match.rulebook.cards()


def test_what_is_not_kept_is_of_this_match_alone(person: Any, tmp_path: Path) -> None:
    """As ever: nothing is written."""
    begin(person)
    declare(person, "nothing more")
    assert not kept(tmp_path).exists()


def test_a_demonstration_keeps_nothing(person: Any, tmp_path: Path) -> None:
    """Bots declare as they like; the table's catalogue is not theirs."""
    begin(person, replace(SETUP, demonstration=True))
    declare(person, "keep")
    assert not kept(tmp_path).exists()


def next_morning(person: Any) -> None:
    """The same table, its files read anew."""
    person.table.__init__(
        person.table.record, person.table.settings_file, clock=person.clock, signals=person.desk
    )


TITLE = "Card 1: draw this 1"
WRITTEN = f"""# Ana put this right: the card says two.
[cards."{TITLE}"]
title = "Scout"  # as printed
type = "INTERVENE"
effects = [{{ op = "draw", number = 2 }}]
"""


def test_what_the_file_has_of_a_card_stays(person: Any, tmp_path: Path) -> None:
    """A card put right in the people's file holds, and is not written over by a match."""
    begin(person)
    declare(person, "keep")
    own = tmp_path / "figures-starship-edition.toml"
    own.write_text(WRITTEN)
    next_morning(person)
    begin(person)
    assert person.table.figures_of("starship-edition")["cards"][TITLE]["title"] == "Scout"
    declare(person, "keep")
    cards = person.table.figures_of("starship-edition")["cards"]
    assert cards[TITLE]["effects"][0]["number"] == 2
    assert own.read_text("utf-8") == WRITTEN


def test_a_card_in_both_files_is_named(person: Any, tmp_path: Path) -> None:
    """Which of the two holds is said on the first screen."""
    begin(person)
    declare(person, "keep")
    (tmp_path / "figures-starship-edition.toml").write_text(WRITTEN)
    next_morning(person)
    assert person.table.situation().settings_trouble == (
        f"cards.{TITLE} stands in figures-starship-edition.toml and in "
        "kept-starship-edition.toml, and differs: that of figures-starship-edition.toml holds."
    )


def test_a_kept_card_that_could_never_do_anything_is_left_out(tmp_path: Path) -> None:
    """An earlier companion kept it, in the one file that it had: the others are used still."""
    text = (
        '[cards.Old]\ntitle = "Old"\ntype = "MOVE"\n'
        'effects = [{ op = "modify", stat = "range", amount = 1, duration = "while_equipped" }]\n'
        '[cards.Good]\ntitle = "Good"\ntype = "MOVE"\neffects = [{ op = "move", max = 1 }]\n'
    )
    for name in ("figures-starship-edition.toml", "kept-starship-edition.toml"):
        folder = tmp_path / name.partition("-")[0]
        folder.mkdir()
        (folder / name).write_text(text)
        found = OwnFigures.load(folder, find_rulebook("starship-edition"))
        cards: Any = found.figures["cards"]
        assert list(cards) == ["Good"]
        assert f"{name}: Old is left out: cards.Old.effects.0.duration: " in found.trouble


def test_a_card_with_a_price_is_declared_and_kept_by_touch_alone(
    person: Any, tmp_path: Path
) -> None:
    """From the hand, in an attack: its price, what it adds, and at which moments it is played."""
    begin(person)
    said = ("G-SHOT", "unknown", "INTERVENE", "energy", 2, "nothing more", "add to attack", 1,
            "yes", "keep", ["attacker_modifier", "response_other"])  # fmt: skip
    for raw in said:
        answer(person, raw)
    (card,) = tomllib.loads(kept(tmp_path).read_text("utf-8"))["cards"].values()
    assert card["cost"] == [{"pay": "energy", "amount": 2}]
    assert card["windows"] == ["attacker_modifier", "response_other"]
    assert card["effects"] == [
        {"op": "modify", "stat": "attack", "amount": 1, "duration": "attack"}
    ]
