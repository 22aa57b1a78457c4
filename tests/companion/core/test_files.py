"""A file is written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.core.files import write_whole


def no_room(_: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("content", [b"\xff\x00 bytes", "Wörter\n"])
def test_what_is_written_is_read_back(tmp_path: Path, content: bytes | str) -> None:
    """Bytes as they are, words as UTF-8, and nothing else in the folder."""
    path = tmp_path / "kept"
    path.write_bytes(b"before")
    write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_and_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where the name is taken by a folder."""
    path = tmp_path / "kept"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    monkeypatch.undo()
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(folder, b"after")
    assert sorted(tmp_path.iterdir()) == [folder, path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """A club keeps its files elsewhere and links to them: those are written."""
    kept = tmp_path / "club.toml"
    kept.write_text("before", "utf-8")
    link = tmp_path / "table.toml"
    link.symlink_to(kept)
    write_whole(link, "after")
    assert link.is_symlink()
    assert kept.read_text("utf-8") == "after"
