"""Where the touch app can open."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ui.window.appliance import Display, DisplayKind, find_display, why_silent


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


def test_a_desktop_that_is_gone_is_told_by_its_variable(tmp_path: Path) -> None:
    """The variable outlives the desktop in `tmux` and over ssh: what was tried is named."""
    assert why_silent({"DISPLAY": ":4711"}).startswith("DISPLAY=:4711: ")
    both = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": "x"}
    said = why_silent(both)
    assert said.startswith("WAYLAND_DISPLAY=wayland-0: ")
    assert said.endswith("DISPLAY=x: this is no display's name, as :0")


def test_one_desktop_that_answers_is_enough(tmp_path: Path) -> None:
    """A dead Wayland beside a living one of the other kind: the window opens there."""
    with socket.socket(socket.AF_UNIX) as desktop:
        desktop.bind(str(tmp_path / "wayland-0"))
        desktop.listen()
        environ = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
        assert not why_silent(environ)
        assert not why_silent({**environ, "DISPLAY": ":4711"})
    assert why_silent(environ)


def test_a_desktop_elsewhere_is_asked_at_its_port() -> None:
    """`localhost:10.0`, as ssh sets it: the port is 6000 and the number."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert port > 6000
        assert not why_silent({"DISPLAY": f"127.0.0.1:{port - 6000}.0"})
    assert why_silent({"DISPLAY": f"127.0.0.1:{port - 6000}.0"})


@pytest.mark.parametrize("name", [":99999999999999", "host:99999", "::::", "\x00:0", ":0.0.0"])
def test_a_name_that_is_none_is_no_fault_of_ours(name: str) -> None:
    assert why_silent({"DISPLAY": name})


def test_no_name_at_all_is_not_silent() -> None:
    """Then no desktop is meant, and `find_display` looks for a bare screen."""
    assert not why_silent({"DISPLAY": ""})
