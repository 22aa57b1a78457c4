"""Raw traffic is kept as it was, and tells the same when it is replayed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile
from hardware.firmware.frame import encode
from hardware.sensor_box import traffic as box_traffic
from hardware.sensor_box.line import BoxGone
from hardware.sensor_box.simulated import SimulatedBox
from hardware.sensor_box.traffic import (
    BOX,
    COMPANION,
    PORT,
    Monitor,
    Piece,
    TappedPort,
    TrafficFile,
    kept_in,
    read_traffic,
)

PIECES = st.builds(
    Piece,
    st.floats(0, 1e6).map(lambda at: round(at, 6)),
    st.sampled_from([BOX, COMPANION, PORT]),
    st.binary(max_size=60),
)


@given(st.lists(PIECES, max_size=20))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, pieces: list[Piece]) -> None:
    """Garbage included: it is what one looks for."""
    path = tmp_path_factory.mktemp("traffic") / "traffic.jsonl"
    path.write_text("".join(piece.line() for piece in pieces), "ascii")
    assert list(read_traffic(path)) == pieces


def test_a_torn_last_line_is_passed_over_and_a_bad_one_named(tmp_path: Path) -> None:
    """A power cut tears the last line; anything else is no file of traffic."""
    path = tmp_path / "traffic.jsonl"
    path.write_text(Piece(1.0, BOX, b"x").line() + '{"at": 2.0, "fr', "ascii")
    assert len(list(read_traffic(path))) == 1
    path.write_text('{"at": "soon"}\n' + Piece(1.0, BOX, b"x").line(), "ascii")
    with pytest.raises(BadFile, match="line 1"):
        list(read_traffic(path))
    with pytest.raises(BadFile, match="no file of a box's traffic"):
        list(read_traffic(tmp_path / "none"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match="a pipe or a device"):
        list(read_traffic(tmp_path / "pipe"))


class Wire:
    """A port that says what it is told to, then is pulled."""

    name = "wire"

    def __init__(self, said: list[bytes]) -> None:
        self.said = said

    def read(self) -> bytes:
        if not self.said:
            raise BoxGone("pulled")
        return self.said.pop(0)

    def write(self, data: bytes) -> None:
        del data

    def close(self) -> None:
        self.said.clear()


def test_a_tapped_port_tells_both_directions(tmp_path: Path) -> None:
    """What came, what went, that it was opened, and that it was lost."""
    path = tmp_path / "kept" / "traffic.jsonl"
    file = TrafficFile(path)
    port = TappedPort(Wire([b"~1 hello", b""]), file)
    assert (port.read(), port.read()) == (b"~1 hello", b"")
    port.write(b"?1 hello")
    with pytest.raises(BoxGone):
        port.read()
    port.close()
    file.close()
    kept = [(piece.sender, piece.data) for piece in read_traffic(path)]
    assert kept == [
        (PORT, b"opened wire"), (BOX, b"~1 hello"), (COMPANION, b"?1 hello"),
        (PORT, b"lost: pulled"),
    ]  # fmt: skip


def test_a_file_of_traffic_does_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening is kept, a season is not."""
    monkeypatch.setattr(box_traffic, "SIZE_MAX", 500)
    path = tmp_path / "traffic.jsonl"
    file = TrafficFile(path)
    for number in range(100):
        file(Piece(float(number), BOX, b"x" * 20))
    file.close()
    assert path.stat().st_size < 700
    assert (tmp_path / "traffic.jsonl.old").stat().st_size < 700
    assert list(read_traffic(path))[-1].at == 99.0


@pytest.mark.usefixtures("pseudo_terminals")
def test_a_port_is_opened_with_and_without_room_for_its_traffic(tmp_path: Path) -> None:
    """A disk that takes nothing keeps no box from the table."""
    with SimulatedBox(tmp_path / "box"):
        port = kept_in(tmp_path / "traffic.jsonl")(str(tmp_path / "box"))
        port.close()
        assert [piece.sender for piece in read_traffic(tmp_path / "traffic.jsonl")] == [PORT]
        port = kept_in(tmp_path / "traffic.jsonl" / "none")(str(tmp_path / "box"))
        port.close()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Before anything is opened for it."""
    (tmp_path / "file").write_text("x", "ascii")
    with pytest.raises(BadFile, match="cannot be written"):
        TrafficFile(tmp_path / "file" / "traffic.jsonl")


def line(mark: str, number: int, word: str, **fields: object) -> bytes:
    return encode(mark, number, word, list(fields.items()))


def conversation() -> list[Piece]:
    """A box is met, asked for the time, and lays a card; a bad line between."""
    hello = {"protocol": 1, "firmware": "1.0.0", "board": "b", "boot": "x", "counts": 0,
             "first": 1, "next": 2}  # fmt: skip
    card = {"slot": "1.3", "cards": 1, "at": 5_000_000, "err": 800, "stir": 0}
    return [
        Piece(10.0, PORT, b"opened /dev/ttyACM0"),
        Piece(10.001, COMPANION, line("?", 1, "hello", protocol=1, session="s", boot="-", got=0)),
        Piece(10.002, BOX, line("=", 1, "hello", **hello)),
        Piece(10.003, COMPANION, line("?", 2, "time")),
        Piece(10.004, BOX, line("=", 2, "time", got=4_900_000, at=4_900_100)),
        Piece(10.010, BOX, b"\xffgarbage\n"),
        Piece(10.150, BOX, line("!", 1, "laid", **card)),
    ]


def test_a_replay_says_what_was_said_with_its_own_times() -> None:
    """Meaning beside the raw lines, the error of each moment, bad lines named."""
    monitor = Monitor()
    lines = [text for piece in conversation() for text in monitor.lines(piece)]
    shown = "\n".join(lines)
    assert "0.0000 - opened /dev/ttyACM0" in shown
    assert "= board b, program 1.0.0, protocol 1" in shown
    assert "= track 1 section 3: laid, 1 card now (± 0.9 ms)" in shown
    assert "! not plain text" in shown
    assert " time" not in shown
    moment = monitor.replay.time.ours(5_000_000)
    assert moment.at == pytest.approx(10.1035, abs=0.001)


def test_everything_is_shown_on_demand() -> None:
    """Also what comes all the time."""
    monitor = Monitor(everything=True)
    shown = "\n".join(text for piece in conversation() for text in monitor.lines(piece))
    assert "> ?2 time" in shown
    assert "< =2 time" in shown
