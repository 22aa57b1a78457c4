"""The journal: what sounded when, readable after anything, for this boot alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.offers import SignalEvent, SignalKind
from companion.core.ruling import Json
from hardware.signals import folder as signal_journal
from hardware.signals.folder import Journal, read_journal, utc_now
from hardware.signals.protocol import told_fields

ZERO = SignalEvent(SignalKind.ZERO, "round-1", 120.0001, 0.0, 0.0001)
CUE = SignalEvent(SignalKind.CUE, "round-1", 115.0, 5.0)


def written(path: Path, *events: SignalEvent, boot: str = "boot-1") -> None:
    journal = Journal(path, boot)
    for event in events:
        journal.append(told_fields(event))
    journal.close()


def test_what_was_signalled_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "signals.jsonl"
    written(path, CUE, ZERO)
    assert read_journal(path, "boot-1", "round-1") == [CUE, ZERO]


def test_each_line_has_boot_and_utc(tmp_path: Path) -> None:
    """People read the wall clock; programs need to know whose monotonic seconds these are."""
    path = tmp_path / "signals.jsonl"
    written(path, ZERO)
    line: dict[str, Json] = json.loads(path.read_text("utf-8"))
    assert line["boot"] == "boot-1"
    assert str(line["utc"])[:10] == utc_now()[:10]
    assert str(line["utc"]).endswith("Z")


def test_other_rounds_and_other_boots_are_left_out(tmp_path: Path) -> None:
    """After a restart of the machine the same seconds mean another time."""
    path = tmp_path / "signals.jsonl"
    written(path, ZERO, boot="boot-0")
    written(path, SignalEvent(SignalKind.ZERO, "round-2", 200.0))
    assert read_journal(path, "boot-1", "round-1") == []


def test_a_missing_journal_says_nothing_sounded(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "none.jsonl", "boot-1", "round-1") == []


@pytest.mark.parametrize("torn", [b'{"boot":"boot-1","ev', b"\x00\xff\n", b"[]\n", b"\n\n", b"7\n"])
def test_a_torn_or_foreign_line_hides_no_other(tmp_path: Path, torn: bytes) -> None:
    """A process killed while it wrote, then a new one: both are read, the half line is not."""
    path = tmp_path / "signals.jsonl"
    written(path, CUE)
    with path.open("ab") as file:
        file.write(torn)
    written(path, ZERO)
    assert read_journal(path, "boot-1", "round-1") == [CUE, ZERO]


def test_a_long_journal_is_set_aside_once_and_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight hours of rounds must not fill the folder, nor lose the round that runs."""
    monkeypatch.setattr(signal_journal, "SIZE_MAX", 100)
    path = tmp_path / "signals.jsonl"
    written(path, CUE)
    written(path, ZERO)
    assert path.with_suffix(".old.jsonl").exists()
    assert read_journal(path, "boot-1", "round-1") == [CUE, ZERO]


def test_a_journal_that_cannot_be_written_says_why_and_goes_on(tmp_path: Path) -> None:
    """The buzzer matters more than its diary."""
    journal = Journal(tmp_path / "missing" / "signals.jsonl", "boot-1")
    journal.append(told_fields(ZERO))
    journal.close()
    assert "No such file" in (journal.trouble or "")


def test_a_full_disk_is_named() -> None:
    journal = Journal(Path("/dev/full"), "boot-1")
    journal.append(told_fields(ZERO))
    journal.close()
    assert "No space left" in (journal.trouble or "")
