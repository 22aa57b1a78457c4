"""Lines between box and companion: what is written is read, and nothing else is believed."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.frame import (
    LINE_MAX,
    MARKS,
    NUMBER_MAX,
    BadFrame,
    Lines,
    checksum,
    decode,
    encode,
)

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
VALUES = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=20)
FIELDS = st.dictionaries(WORDS, VALUES, max_size=5)
FRAMES = st.tuples(st.sampled_from(MARKS), st.integers(0, NUMBER_MAX), WORDS, FIELDS)
Said = tuple[str, int, str, dict[str, str]]


def line_of(said: Said) -> bytes:
    """A frame as it goes over the line."""
    mark, number, word, fields = said
    return encode(mark, number, word, list(fields.items()))


@given(FRAMES)
def test_what_is_written_is_read(said: Said) -> None:
    """Every frame comes back as it was, with either end of line."""
    line = line_of(said)
    for end in (b"\n", b"\r\n"):
        frame = decode(line[:-1] + end[:-1])
        assert (frame.mark, frame.number, frame.word, frame.fields) == said


@given(st.binary(max_size=300))
def test_no_bytes_break_the_parser(line: bytes) -> None:
    """Whatever comes is a frame or a BadFrame with a reason, and nothing else."""
    try:
        frame = decode(line)
    except BadFrame:
        pass
    else:
        said = (frame.mark, frame.number, frame.word, frame.fields)
        assert line_of(said)[:-1] == line.removesuffix(b"\r")


@given(FRAMES, st.data())
def test_a_changed_byte_is_noticed(said: Said, data: st.DataObject) -> None:
    """One byte anywhere other than it was sent: the line counts for nothing."""
    line = bytearray(line_of(said)[:-1])
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(BadFrame):
        decode(bytes(line))


@given(FRAMES, st.data())
def test_garbage_at_any_byte_is_noticed(said: Said, data: st.DataObject) -> None:
    """Bytes put in, and bytes taken out, at any place."""
    line = line_of(said)[:-1]
    begin = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(begin, len(line)))
    spoilt = line[:begin] + data.draw(st.binary(max_size=30)) + line[end:]
    if spoilt not in (line, line + b"\r"):
        with pytest.raises(BadFrame):
            decode(spoilt)


@given(st.lists(FRAMES, min_size=1, max_size=6), st.data())
def test_lines_come_whole_however_they_are_cut(frames: list[Said], data: st.DataObject) -> None:
    """A port gives bytes in pieces of any size."""
    sent = b"".join(line_of(said) for said in frames)
    lines, come = Lines(), list[bytes]()
    while sent:
        size = data.draw(st.integers(1, len(sent)))
        come += lines.feed(sent[:size])
        sent = sent[size:]
    assert [decode(line).number for line in come] == [number for _, number, _, _ in frames]


@given(FRAMES, st.binary(max_size=600), st.data())
def test_after_any_garbage_the_next_whole_line_is_read(
    said: Said, noise: bytes, data: st.DataObject
) -> None:
    """A line that follows an end of line is never lost to what came before it."""
    lines = Lines()
    cut = data.draw(st.integers(0, len(noise)))
    for piece in (noise[:cut], noise[cut:] + b"\n"):
        lines.feed(piece)
    assert lines.feed(line_of(said)) == [line_of(said)[:-1]]


def test_a_line_without_end_is_given_up() -> None:
    """A megabyte without an end of line is no megabyte kept."""
    lines = Lines()
    for _ in range(1000):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines._rest) < LINE_MAX
    assert lines.cut == 1
    assert lines.feed(b"tail\n!1 x\n") == [b"!1 x"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "no checksum"),
        (b"!1 laid", "no checksum"),
        (b"!1 laid *00000000", "does not fit"),
        (b"\xff!1 laid *00000000", "not plain text"),
        (b"x" * LINE_MAX, "too long"),
    ],
)
def test_what_is_wrong_is_said(line: bytes, why: str) -> None:
    """The monitor shows it to whoever looks for a bad cable."""
    with pytest.raises(BadFrame, match=why):
        decode(line)


@pytest.mark.parametrize(
    "said",
    [
        "#1 laid",
        "!x laid",
        "!01 laid",
        "!1073741824 laid",
        "!1 LAID",
        "!1",
        "!1 ",
        "!1 laid slot",
        "!1 laid slot=",
        "!1 laid =1.3",
        "!1 laid a=1 a=2",
        "!1  laid",
        "!1 laid  a=1",
    ],
)
def test_a_right_checksum_makes_no_frame(said: str) -> None:
    """There is one way to write each frame, and what is written otherwise is refused."""
    with pytest.raises(BadFrame):
        decode(f"{said} *{checksum(said.encode()):08X}".encode())


@pytest.mark.parametrize(
    "fields", [[("k", "two words")], [("k", "")], [("K", "v")], [("k", "ä")], [("k", "x" * 250)]]
)
def test_what_cannot_be_read_is_not_written(fields: list[tuple[str, object]]) -> None:
    """A frame that the other side would refuse never sets out."""
    with pytest.raises(BadFrame):
        encode("!", 1, "laid", fields)


def test_numbers_have_limits() -> None:
    """A field is believed within its limits only."""
    frame = decode(encode("!", 1, "laid", [("a", -5), ("b", "007"), ("c", "1e3")])[:-1])
    assert frame.whole("a", -9, 9) == -5
    for key in ("b", "c", "none"):
        with pytest.raises(BadFrame):
            frame.whole(key, 0, 9999)
    with pytest.raises(BadFrame, match="from 0 to 9"):
        frame.whole("a", 0, 9)


@given(st.binary(max_size=200))
def test_the_checksum_is_zlibs(said: bytes) -> None:
    """Any tool can check a line."""
    assert checksum(said) == zlib.crc32(said)
