"""The folder in which the signal process and its clients meet."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from hardware.signals.folder import AlreadyServed, SignalFolder, default_folder


def test_a_folder_is_claimed_by_one(socket_folder: Path) -> None:
    folder = SignalFolder(socket_folder)
    lock = folder.claim()
    with pytest.raises(AlreadyServed, match=r"process \d+ already serves .*signal\.sock"):
        folder.claim()
    os.close(lock)
    os.close(folder.claim())  # a lock file that was left behind binds nobody


def test_a_path_too_long_for_a_socket_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="a socket's path at most 107: choose a folder"):
        SignalFolder(tmp_path / ("x" * 100))


def test_a_socket_belongs_to_its_user_alone(socket_folder: Path) -> None:
    """Another user of the machine can neither ring the buzzer nor read what sounds."""
    folder = SignalFolder(socket_folder / "own")
    folder.make()
    folder.listen().close()
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.socket.stat().st_mode) == 0o600


def test_the_default_folder_is_the_users_runtime_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert default_folder() == tmp_path / "companion"


def test_without_a_runtime_folder_both_sides_still_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service or a bare root login has none set: the fallback is the same for everyone."""
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert default_folder() == default_folder()


def test_a_relative_folder_is_meant_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process works elsewhere, so the path must not depend on where it stands."""
    monkeypatch.chdir(tmp_path)
    assert SignalFolder(Path("near")).path == tmp_path / "near"
