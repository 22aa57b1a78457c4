"""A file is written as a whole or not at all, read with a limit, and judged in plain words."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from companion.core.errors import BadFile
from companion.core.files import read_edited_file, read_model, text_of, write_whole


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


def test_a_pipe_and_a_device_are_refused_at_once(tmp_path: Path) -> None:
    """Reading either would never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for endless in (pipe, Path("/dev/zero")):
        with pytest.raises(BadFile, match="a pipe or a device"):
            read_edited_file(endless)
    assert text_of(Path(os.devnull)) == ""


def test_a_file_that_nobody_wrote_by_hand_is_refused_by_its_size(tmp_path: Path) -> None:
    """A sparse file of a terabyte costs no more than its limit."""
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadFile, match="larger than 16 MB"):
        read_edited_file(path)
    assert text_of(_of(tmp_path, b"abcd"), most_bytes=4) == "abcd"
    with pytest.raises(OSError, match="larger"):
        text_of(_of(tmp_path, b"abcde"), most_bytes=4)


def test_a_byte_order_mark_and_foreign_line_ends_are_no_text(tmp_path: Path) -> None:
    """As editors on other systems write them."""
    assert text_of(_of(tmp_path, b"\xef\xbb\xbfa = 1\r\nb = 2\rc")) == "a = 1\nb = 2\nc"


def _of(folder: Path, content: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


def test_a_pipe_or_a_device_stays_one(tmp_path: Path) -> None:
    """A file put in its place would take it away from everybody else."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="a pipe or a device"):
        write_whole(pipe, "after")
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]
    assert pipe.is_fifo()


# What is wrong with a file, in people's words.


class Move(BaseModel):
    """A step of one kind."""

    model_config = ConfigDict(extra="forbid")
    op: Literal["move"]
    most: Annotated[int, Field(ge=0)] | Literal["all"] = 1


class Turn(BaseModel):
    """A step of another kind."""

    model_config = ConfigDict(extra="forbid")
    op: Literal["turn"]


Step = Annotated[Move | Turn, Field(discriminator="op")]


class Steps(BaseModel):
    """A file whose values may be of several kinds."""

    first: Step | None = None
    steps: dict[str, list[Step]] = {}
    confirmed: bool | list[str] = True


@pytest.mark.parametrize(
    ("raw", "place", "told"),
    [
        ({"steps": {"A": [{"op": "move", "most": -1}]}}, "steps.A.0.most",
         "a number greater than or equal to 0 or one of 'all' is expected, not -1"),
        ({"steps": {"A": [{"op": "turn", "most": 1}]}}, "steps.A.0.most",
         "there is no such word; there are op"),
        ({"steps": {"A": [{"op": "fly"}]}}, "steps.A.0",
         "op = 'fly' is not known; there are move, turn"),
        ({"first": {}}, "first", "op is required, one of move, turn"),
        ({"first": {"op": "move", "most": "few"}}, "first.most",
         "a whole number or one of 'all' is expected, not 'few'"),
        ({"confirmed": 3}, "confirmed",
         "true or false or a list in brackets is expected, not 3"),
        ({"steps": {"A": 3}}, "steps.A", "a list in brackets is expected, not 3"),
    ],
)  # fmt: skip
def test_where_several_kinds_may_stand_each_is_told(
    raw: dict[str, Any], place: str, told: str
) -> None:
    """The place is what the file has, without the library's words for the kinds that it tried."""
    with pytest.raises(BadFile) as wrong:
        read_model(Steps, raw, "ours.toml", "word")
    assert (wrong.value.place, wrong.value.text) == (place, told)
