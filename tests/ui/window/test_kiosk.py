"""The appliance's window: the whole screen, turned as it is mounted, no pointer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("fullscreen", "show_cursor", "rotation")


@pytest.fixture
def graphics(window: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Kivy's own settings, set back afterwards: the process's window is open already."""
    from kivy.config import Config

    before = {name: Config.get("graphics", name) for name in NAMES}
    monkeypatch.delenv("COMPANION_KIOSK", raising=False)
    yield lambda: tuple(Config.get("graphics", name) for name in NAMES)
    for name, value in before.items():
        Config.set("graphics", name, value)


def test_on_a_desk_it_is_a_window(graphics: Any) -> None:
    from ui.window.opening import configure

    configure()
    assert graphics() == ("0", "1", "0")


def test_as_an_appliance_it_has_the_whole_screen(
    graphics: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a desktop too, where the session's service says so."""
    from ui.window.opening import configure

    monkeypatch.setenv("COMPANION_KIOSK", "1")
    configure(rotation=270)
    assert graphics() == ("auto", "0", "270")
