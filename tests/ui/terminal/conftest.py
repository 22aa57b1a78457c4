"""What the tests of the terminal share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ui.terminal.app import run

OPENING = """
Jaws             # the toss
sun: Jaws.GL
placed
Jaws: ready
Paws: ready
"""
"""Up to the first Action Phase."""

LOCK = "!clock end\n" + "1 0\n" + "0 0\n" * 7 + "checked\n"
"""The Jaws Pilot has a card on section 1; everybody else is Repairing."""

DRAWN = "0\n0\n0\n0\ndrawn\n"


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a call: status, standard output, standard error."""

    def calls(*words: str) -> tuple[int, str, str]:
        status = run(words)
        told = capsys.readouterr()
        return status, told.out, told.err

    return calls
