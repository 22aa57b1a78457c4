"""What the tests of the terminal share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ui.terminal.app import run


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a call: status, standard output, standard error."""

    def calls(*words: str) -> tuple[int, str, str]:
        status = run(words)
        told = capsys.readouterr()
        return status, told.out, told.err

    return calls
