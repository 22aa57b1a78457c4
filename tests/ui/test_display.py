"""Where the touch app can open."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.display import Display, DisplayKind, find_display


class Machine:
    """Folders as `/sys/class/drm` and `/dev/dri`, with sockets plugged in by the test."""

    def __init__(self, top: Path) -> None:
        self.drm = top / "drm"
        self.devices = top / "dri"
        self.drm.mkdir()
        self.devices.mkdir()

    def socket(self, name: str, status: str) -> None:
        """Give a card a socket: `card1-HDMI-A-1`, `connected`."""
        (self.drm / name).mkdir()
        (self.drm / name / "status").write_text(status + "\n")
        (self.devices / name.partition("-")[0]).touch()

    def find(self, **environ: str) -> Display | None:
        """What a program with these variables finds here."""
        return find_display(environ, self.drm, self.devices)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine without graphics, in two folders laid out as Linux lays out its own."""
    return Machine(tmp_path)


def test_a_desktop_is_named_by_its_variable(machine: Machine) -> None:
    """Wayland before X: a Wayland desktop sets both, and only the first is its own."""
    assert machine.find(DISPLAY=":7") == Display(DisplayKind.X11, ":7")
    assert machine.find(WAYLAND_DISPLAY="wayland-1", DISPLAY=":0") == Display(
        DisplayKind.WAYLAND, "wayland-1"
    )


def test_an_empty_variable_is_no_desktop(machine: Machine) -> None:
    """`DISPLAY= companion` is how a shell says: without the screen."""
    assert machine.find(DISPLAY="", WAYLAND_DISPLAY="") is None


def test_a_machine_without_a_card_has_no_display(tmp_path: Path) -> None:
    """Folders that are not there are no error: most servers have none."""
    assert find_display({}, tmp_path / "none", tmp_path / "none") is None


def test_a_plugged_in_screen_counts_without_a_desktop(machine: Machine) -> None:
    """A Pi with the Lite system draws straight to its card; empty sockets are passed by."""
    machine.socket("card1-HDMI-A-1", "disconnected")
    machine.socket("card1-HDMI-A-2", "connected")
    assert machine.find() == Display(DisplayKind.KMS, "card1-HDMI-A-2")
    assert str(machine.find()) == "bare KMS (card1-HDMI-A-2)"


def test_sockets_with_nothing_plugged_in_are_no_display(machine: Machine) -> None:
    """`unknown` is said by sockets that cannot tell; opening the app blind would help nobody."""
    machine.socket("card0-HDMI-A-1", "disconnected")
    machine.socket("card0-Composite-1", "unknown")
    assert machine.find() is None


def test_a_card_that_cannot_be_opened_is_no_display(machine: Machine) -> None:
    """A socket may be listed where its card is not to be had, as inside a container."""
    machine.socket("card0-Virtual-1", "connected")
    (machine.devices / "card0").unlink()
    assert machine.find() is None


def test_a_build_machine_never_draws_to_its_card(machine: Machine) -> None:
    """Under CI a virtual card reports a screen that nobody sees; a virtual desktop still counts."""
    machine.socket("card0-Virtual-1", "connected")
    assert machine.find(CI="true") is None
    assert machine.find(CI="true", DISPLAY=":99") == Display(DisplayKind.X11, ":99")
