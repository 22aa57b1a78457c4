"""Kept pictures by their names: nothing else has to be kept in step with them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.record.evidence import (
    ENDINGS,
    EvidenceFile,
    EvidencePart,
    Occasion,
    in_order,
    kept_in,
)

TAKEN = "2026-11-21T19:34:07.250Z"


@given(
    st.integers(0, 10**7),
    st.sampled_from(Occasion),
    st.sampled_from(EvidencePart),
    st.datetimes(datetime(2000, 1, 1), datetime(2200, 1, 1)),  # noqa: DTZ001 - they are UTC
    st.sampled_from(ENDINGS),
)
def test_a_name_says_everything(
    seq: int, occasion: Occasion, part: EvidencePart, taken: datetime, ending: str
) -> None:
    """Read again it is the same file, to the millisecond."""
    at_utc = f"{taken:%Y-%m-%dT%H:%M:%S}.{taken.microsecond // 1000:03d}Z"
    file = EvidenceFile(seq, occasion, part, at_utc, ending)
    assert EvidenceFile.parse(file.name) == file
    assert file.name.startswith(file.short)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "zero-20261121-193407.jpg",
        "00042-reveal-before-20261121T193407.250Z.jpg.part",
        "00042-reveal-before-20261121T193407.250Z.png",
        "00042-reveal-before-20261341T193407.250Z.jpg",
        "00042-reveal-sideways-20261121T193407.250Z.jpg",
        "00042-lunch-before-20261121T193407.250Z.jpg",
        "42-reveal-before-20261121T193407.250Z.jpg",
        "../00042-reveal-before-20261121T193407.250Z.jpg",
    ],
)
def test_what_others_put_there_is_passed_over(name: str) -> None:
    """A half-written file, another ending, a date that is none."""
    assert EvidenceFile.parse(name) is None


def test_a_folder_is_listed_by_line_and_time(tmp_path: Path) -> None:
    """Stills first, then the boards and the clip; nothing where there is no folder."""
    parts = (EvidencePart.CLIP, EvidencePart.BOARDS, EvidencePart.AFTER, EvidencePart.BEFORE)
    for n, part in enumerate(parts):
        taken = TAKEN.replace("07.250", f"{9 - n:02d}.250")
        (tmp_path / EvidenceFile(7, Occasion.ZERO, part, taken).name).touch()
    first = EvidenceFile(3, Occasion.REVEAL, EvidencePart.AT, TAKEN)
    (tmp_path / first.name).touch()
    (tmp_path / "note.txt").touch()
    kept = kept_in(tmp_path)
    assert kept == in_order(reversed(kept))
    assert kept[0] == first
    assert [one.part for one in kept[1:]] == [
        EvidencePart.BEFORE,
        EvidencePart.AFTER,
        EvidencePart.BOARDS,
        EvidencePart.CLIP,
    ]
    assert kept_in(tmp_path / "nowhere") == ()
