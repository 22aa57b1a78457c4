"""Every action is done by somebody: at the match or the table, or by whoever holds the screen."""

from __future__ import annotations

from typing import get_args

import pytest

from ui.touch import actions as a
from ui.touch.acting import DEEDS

OPERATOR = (
    a.AddWords, a.EditName, a.EraseLetter, a.LeaveName, a.Quit, a.Restart, a.Search,
    a.ShowDemo, a.SwitchLetters, a.TakeName, a.TypeArbiter, a.TypeClaim, a.TypeLetter,
)  # fmt: skip
"""What types a name, asks for the demonstration or ends the app: `Operator.touched` does it."""


@pytest.mark.parametrize("kind", get_args(a.Action))
def test_every_action_is_done_once(kind: type) -> None:
    """An action that nobody does would be a key that does nothing, and nobody would say so."""
    assert (kind in DEEDS) != (kind in OPERATOR)


def test_nothing_is_done_that_is_no_action() -> None:
    """The table of deeds holds no kind that no key can mean."""
    assert set(DEEDS) <= set(get_args(a.Action))
