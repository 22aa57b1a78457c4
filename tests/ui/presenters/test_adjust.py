"""Adjust for boxes with headings: the arbiter can set what the box lets be set."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.dogfight_1917.rules import Dogfight1917
from companion.rulebook import Setup
from ui.presenters import actions as a
from ui.presenters.acting import act
from ui.presenters.adjust import AdjustState
from ui.presenters.view import View


def begin(person: Any, mode: str) -> None:
    """A match of Dogfight: 1917 past its table check."""
    person.table.new_match(Setup("dogfight-1917", (mode,)))
    person.view = act(a.Checked(), person.table, View())


@pytest.mark.parametrize("mode", Dogfight1917.variants)
def test_adjust_opens_in_every_mode(person: Any, mode: str) -> None:
    """Whoever plays, and whether or not there are teams."""
    begin(person, mode)
    state = person.touch(a.Show(a.Panel.ADJUST))
    assert person.is_at(AdjustState)
    assert "Tokens" in [key.label for key in person.touch(state.things[-1].action).quantities]
