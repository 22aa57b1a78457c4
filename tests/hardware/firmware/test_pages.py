"""PROTOCOL.md and wiring.md say what the code does."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.firmware import box, outbox, settling
from hardware.firmware.frame import EVENT, LINE_MAX, NUMBER_MAX, REQUEST, Frame, decode
from hardware.sensor_box.clock import DRIFT_MAX
from hardware.sensor_box.clock import KEPT as TRIPS
from hardware.sensor_box.sensor_box import STALE_S
from hardware.sensor_box.session import RETRY_S
from hardware.sensor_box.words import Beat, Hello, read_event
from tests.patience import PATIENCE_S

FIRMWARE = Path(__file__).resolve().parents[3] / "hardware" / "firmware"
PAGE = (FIRMWARE / "PROTOCOL.md").read_text("utf-8")

BOARD_PINS = {2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17,
              14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25}  # fmt: skip
"""GP number to the pin that is counted, from the board's own documentation."""


def examples() -> list[bytes]:
    """Every line in a block of the page."""
    blocks = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
    return [line.encode() for block in blocks for line in block.splitlines()]


def rows(heading: str) -> dict[str, list[str]]:
    """The table under a heading: its first column to the words of its second."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return {
        row[0]: re.findall(r"[a-z]+", row[1])
        for row in re.findall(r"^\| `(\w+)` \|(?: `([^`|]*)`)? ?\|", part, re.MULTILINE)
    }


def test_the_page_has_examples() -> None:
    """A page without any would pass all that follows."""
    assert len(examples()) >= 20


@pytest.mark.parametrize("line", examples(), ids=lambda line: line.decode().split(" *")[0][:40])
def test_every_example_is_read(line: bytes) -> None:
    """By the parser that both sides have, and by the companion's own reading of the words."""
    frame = decode(line)
    if frame.mark == EVENT:
        assert read_event(frame) is not None
    elif frame.word == "beat":
        Beat.read(frame)
    elif frame.word == "hello" and frame.mark != REQUEST:
        Hello.read(frame)


def by_word(mark: str) -> dict[str, Frame]:
    return {frame.word: frame for frame in map(decode, examples()) if frame.mark == mark}


def test_every_event_has_its_fields_and_an_example() -> None:
    """No word of the table is without one, none of the examples has other fields."""
    told = rows("Events")
    assert set(told) == set(by_word(EVENT))
    for word, frame in by_word(EVENT).items():
        assert sorted(frame.fields) == sorted(told[word]), word


def test_every_request_is_the_boxs() -> None:
    """The table is what may be asked, no more and no less."""
    told = rows("Requests")
    assert set(told) == set(box.Box.VERBS)
    for word, frame in by_word(REQUEST).items():
        if word in told:
            assert sorted(frame.fields) == sorted(told[word]), word


def test_the_numbers_are_the_codes() -> None:
    """Limits and times as the page has them."""
    words = " ".join(PAGE.split())
    for text in (
        f"Protocol {box.PROTOCOL}.",
        f"at most {LINE_MAX - 1} bytes",
        f"at most {NUMBER_MAX}",
        f"again {box.DEAF_US / 1e6:g} s after",
        f"again every {outbox.RESEND_US / 1e6:g} s, at most {outbox.WINDOW} at a time",
        f"send again {outbox.HASTE_US / 1000:g} ms after",
        f"The box keeps {outbox.KEPT} events",
        f"{box.SLOT_SETTLE_US / 1000:g} ms for a card, {box.BUTTON_SETTLE_US / 1000:g} ms for",
        f"for {STALE_S:g} s the companion calls the box stale",
        f"again every {RETRY_S:g} s with the same number",
        f"the last {TRIPS} trips",
        f"beyond {DRIFT_MAX * 1e6:g} millionths",
    ):
        assert text in words, text
    assert ", ".join(f"`{name}`" for name in box.BUTTONS) in words
    assert settling.STUCK_US > settling.CHATTER_US


def constants() -> dict[str, object]:
    """The pins of pico.py, which cannot be imported without MicroPython."""
    tree = ast.parse((FIRMWARE / "pico.py").read_text("utf-8"))
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant | ast.Tuple)
    }


def wired() -> Iterator[tuple[str, int, int]]:
    """The rows of wiring.md: name, GP number, board pin."""
    page = (FIRMWARE / "wiring.md").read_text("utf-8")
    for name, number, pin in re.findall(r"\| `([^`]+)` \| (\d+) \| (\d+) \|", page):
        yield name, int(number), int(pin)


def test_the_pin_table_is_the_codes() -> None:
    """Whoever solders by the table gets what the program drives, none missing or doubled."""
    pins = constants()
    slots, buttons, lamps = pins["SLOTS"], pins["BUTTONS"], pins["LAMPS"]
    assert isinstance(slots, tuple)
    assert isinstance(buttons, tuple)
    assert isinstance(lamps, tuple)
    names = [*box.SLOTS, *box.BUTTONS, "buzzer", "lamp 10", "lamp 5", "lamp 3", "lamp 0"]
    numbers = [*slots, *buttons, pins["BUZZER"], *lamps]
    assert [(name, number) for name, number, _ in wired()] == list(zip(names, numbers, strict=True))
    assert all(BOARD_PINS[number] == pin for _, number, pin in wired())
    assert len({number for _, number, _ in wired()}) == len(names)


def test_the_recipe_of_the_readme_runs() -> None:
    """A box is found, sounds a round and tells of a card, in a program of its own."""
    page = (FIRMWARE / "README.md").read_text("utf-8")
    (recipe,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", recipe],
        capture_output=True,
        text=True,
        cwd=FIRMWARE.parents[1],
        timeout=PATIENCE_S,
        check=False,
    )
    if "gives no pseudo-terminal" in ran.stderr:
        pytest.skip("this system gives no pseudo-terminals")
    assert ran.returncode == 0, ran.stderr
    card, zero = ran.stdout.splitlines()
    assert card.startswith("CardEvent(move=<CardMove.LAID")
    assert zero.startswith("SignalEvent(kind=<SignalKind.ZERO")
    assert "clocks within 0.0" in zero
