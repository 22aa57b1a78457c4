"""A card declared at the table is kept from the screen: the next match of the table has it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.rulebook import Setup
from ui.presenters import actions as a
from ui.presenters.acting import act
from ui.presenters.ruling import RulingState
from ui.presenters.view import View
from ui.tapping import touch_for

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
    return folder / "figures-starship-edition.toml"


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


def test_what_the_file_has_of_a_card_stays(person: Any, tmp_path: Path) -> None:
    """A card put right in the file is not undone by going on with the match that taught it."""
    begin(person)
    declare(person, "keep")
    own = kept(tmp_path)
    own.write_text(own.read_text("utf-8").replace("number = 1", "number = 2"))
    person.table.__init__(  # the table as it is the next morning
        person.table.record, person.table.settings_file, clock=person.clock, signals=person.desk
    )
    begin(person)
    declare(person, "keep")
    cards = person.table.figures_of("starship-edition")["cards"]
    assert cards["Card 1: draw this 1"]["effects"][0]["number"] == 2
