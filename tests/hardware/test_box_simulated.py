"""The simulated box: hands, scripts, faults."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall, BadFile
from hardware.sensor_box.simulated import (
    Faults,
    FaultyWire,
    SimulatedBox,
    faults_of,
    read_deed,
    read_script,
)

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


@pytest.mark.parametrize(
    "words", ["lay", "lay 3.1", "lay 1.1 x", "lay 1.1 0", "lift", "press", "press start", "jump",
              "reset now", ""],
)  # fmt: skip
def test_what_hands_cannot_do_is_said(words: str) -> None:
    """With what they can."""
    with pytest.raises(BadCall, match=r"there (is|are)|do not lie"):
        read_deed(words)


def test_a_script_is_sorted_and_its_faults_are_named() -> None:
    """By line."""
    deeds = read_script("2 lift 1.3\n# a card comes\n0.5 lay 1.3  # here\n", "evening.txt")
    assert [timed.after_s for timed in deeds] == [0.5, 2.0]
    for text in ("x lay 1.3", "-1 lay 1.3", "nan lay 1.3", "1 jump", "1"):
        with pytest.raises(BadFile, match=r"evening\.txt: line 1"):
            read_script(text, "evening.txt")


@pytest.mark.parametrize(
    "word", ["garbage=2", "garbage=-0.1", "drift=1", "reset_s=inf", "delay_s=nan", "noise=0.1",
             "torn"]
)  # fmt: skip
def test_faults_have_limits(word: str) -> None:
    """Each is named with what it may be."""
    with pytest.raises(BadCall):
        faults_of([word])


@given(st.integers(0, 500), st.integers(0, 60))
def test_a_wire_keeps_the_order_of_what_it_lets_through(seed: int, many: int) -> None:
    """Delays hold back all that is behind; nothing overtakes, nothing is made up."""
    wire = FaultyWire(Faults(delayed=0.5, missing=0.2, delay_s=1.0), Random(seed))
    come = b""
    for number in range(many):
        wire.put(b"%d\n" % number, number * 0.1)
        come += wire.take(number * 0.1)
    come += wire.take(1e9)
    numbers = [int(line) for line in come.split()]
    assert numbers == sorted(set(numbers))
    assert set(numbers) <= set(range(many))
    assert wire.next_at is None


def test_a_wire_without_faults_is_a_wire() -> None:
    """Bytes in, bytes out, at once."""
    wire = FaultyWire(Faults(), Random(1))
    for number in range(100):
        wire.put(b"%d\n" % number, 0.0)
    assert wire.take(0.0) == b"".join(b"%d\n" % number for number in range(100))
    assert wire.spoilt == 0


def test_the_link_leads_to_the_present_terminal(tmp_path: Path) -> None:
    """Unplugged it is gone; plugged in it is back, to another terminal perhaps."""
    link = tmp_path / "box"
    box = SimulatedBox(link)
    assert link.resolve().parent == Path("/dev/pts")
    box.unplug()
    assert not link.is_symlink()
    box.plug()
    assert link.exists()
    box.close()
    assert not link.exists()
