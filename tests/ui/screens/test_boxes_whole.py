"""Matches of every box on the smallest screen: each text whole, each key as large as a finger."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import rulebook_of
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from companion.record.record import Record
from ui.demo.drawn import SteppedClock
from ui.scene.theme import Caps, Reach, Theme
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.result import ResultState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import present
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

PEOPLE = ("Annabel", "Bo", "Cleopatra", "Dan", "Eve", "Finnegan")
MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("starship-edition", {"players": 2}),
    ("starship-edition", {"players": 6}),
    ("talespin-dogfight", {"players": 4}),
    ("dogfight-hex", {"players": 3}),
    ("dogfight-hex", {"players": 6}),
]
ANSWERS = 110


class Played:
    """A match at a table without devices: bots answer, and every kind of screen is kept once."""

    def __init__(self, folder: Path, box: str, options: dict[str, Any]) -> None:
        rules = rulebook_of(Setup(box, options=options))
        bare = Setup(box, rules.usual(()), options=options)
        seats = dict(zip(rules(bare).seats_taken(), PEOPLE, strict=False))
        setup = Setup(box, bare.variants, seats, options)
        record = Record.open(str(folder / "r.sqlite"))
        self.table = Table(record, SettingsFile.load(folder / "s.toml"), clock=SteppedClock(9.0))
        self.table.new_match(setup)
        self.bots = bots_of(setup, Random(1))
        self.view = act(a.Checked(), self.table, View())

    def states(self) -> Iterator[tuple[str, Any]]:
        """Each screen with its kind, up to so many answers."""
        ruled = 0
        for _ in range(ANSWERS):
            state = present(self.table.situation(), self.view)
            match = self.table.refereed().match
            yield f"{type(state).__name__}: {sorted(match.open)[:1]}", state
            for ruling in match.rulings[ruled:]:
                self.bots.perform(ruling.deeds)
            ruled = len(match.rulings)
            if isinstance(state, ResultState):
                return
            if isinstance(state, RulingState | TableCheckState):
                key = state.frame.bottom.next
                assert key is not None
                assert key.action is not None
                self.view = act(key.action, self.table, self.view)
                continue
            question = next(q for key, q in match.open.items() if key not in match.answered)
            raw = self.bots.act(question)
            answer = a.Anyway(a.Answer(question.key, question.opened, raw))
            self.view = act(answer, self.table, self.view)
            assert self.view.refusal is None, self.view.refusal


@pytest.mark.slow
@pytest.mark.parametrize(("box", "options"), MATCHES, ids=str)
def test_every_screen_of_a_match_can_be_read_and_touched(
    make_sheet: Any, tmp_path: Path, box: str, options: dict[str, Any]
) -> None:
    """Whatever is asked, however many play: no text cut or over another, no key too small."""
    from ui.screens.registry import parts_of, screen_of

    theme = Theme()
    sheet = make_sheet(theme)
    for kind, state in Played(tmp_path, box, options).states():
        sheet.show(screen_of(state), parts_of(state, theme))
        written = [(name, text) for name, text in sheet.written() if text.text]
        for name, text in written:
            assert not text.cut, (kind, name, text.text)
            assert text.caps_u >= Caps.DETAIL - 0.05, (kind, name, text.text)
        keys = [(name, part.box) for name, part in sheet.parts.items() if part.action is not None]
        for name, box_u in keys:
            assert box_u.wide >= Reach.TARGET[0] - 0.01, (kind, name, box_u)
            assert box_u.high >= Reach.TARGET[1] - 0.01, (kind, name, box_u)
        for (one, first), (other, second) in itertools.combinations(keys, 2):
            assert not first.meets(second), (kind, one, other)
