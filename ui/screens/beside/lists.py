"""Lists: devices, and how these and what was looked up are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, Situation, quiet_frame
from ui.scene.theme import Caps, Colour
from ui.scene.values import Device, DeviceState, Key, Line, Mark, ScreenFrame
from ui.scene.words import age_in_words
from ui.screens.beside.rules import FoundState
from ui.screens.page import Page, Parts, line_boxes
from ui.touch.actions import Retry
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import LinePart, Words

if TYPE_CHECKING:
    from ui.touch.view import View

# Devices in full: worst first, with what mends them.


@dataclass(frozen=True, slots=True)
class DevicesState:
    """`lines`: state, name, text, age; a line that is not well carries a Retry key."""

    frame: ScreenFrame
    lines: tuple[Line, ...]


WORST_FIRST = (
    DeviceState.LOST,
    DeviceState.STALE,
    DeviceState.ABSENT,
    DeviceState.FOUND,
    DeviceState.LIVE,
)
MARKS = {
    DeviceState.LOST: Mark.BAD,
    DeviceState.STALE: Mark.WARN,
    DeviceState.ABSENT: Mark.NONE,
    DeviceState.FOUND: Mark.ASK,
    DeviceState.LIVE: Mark.OK,
}


def present_devices(situation: Situation, view: View) -> DevicesState:
    """Every device with what mends it; a chosen one that is not as it should be has Retry."""
    return DevicesState(
        quiet_frame(situation, view, "DEVICES", "worst first", keys=(BACK,)),
        (*device_lines(situation, retry=True), *situation.parts),
    )


def is_watched(situation: Situation) -> bool:
    """Whether a camera looks at the table, or has looked: else all stands on people's word."""
    if situation.referee is not None and situation.referee.sight.sighting is not None:
        return True
    cameras = (device for device in situation.devices if device.name == "CAM")
    return any(device.state is not DeviceState.ABSENT for device in cameras)


def device_lines(situation: Situation, *, retry: bool = False) -> tuple[Line, ...]:
    """A line a device, worst first; without `retry` the way out is told in short."""
    ordered = sorted(situation.devices, key=lambda device: WORST_FIRST.index(device.state))
    return tuple(_device_line(device, retry=retry) for device in ordered)


def _device_line(device: Device, *, retry: bool) -> Line:
    way_out = device.way_out if retry else device.way_out.partition("; ")[0]
    text = ". ".join(dict.fromkeys(part for part in (device.text, way_out) if part))
    mark = Mark.WARN if device.alarm and MARKS[device.state] is Mark.OK else MARKS[device.state]
    age = age_in_words(device.age_s)
    again = Key("Retry", Retry(device.name), sign="retry")
    key = again if retry and device.chosen and mark is not Mark.OK else None
    return Line(device.label or device.name, text, mark, age, key)


# Layouts: a line each, what it opens at its edge.

_KEY_WIDE = 130.0


def devices(state: DevicesState, page: Page) -> Parts:
    """A line a device, worst first; Retry beside what is not live."""
    yield from _listed(state.frame, state.lines, page, "No device was looked for yet.")
    yield from page.around(state.frame)


def found(state: FoundState, page: Page) -> Parts:
    """A line a paragraph; a touch opens it."""
    yield from _listed(state.frame, state.lines, page, state.told)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _listed(frame: ScreenFrame, lines: Sequence[Line], page: Page, empty: str) -> Parts:
    above, body = page.refused(page.body, frame.refusal)
    if frame.refusal is not None:
        yield from page.refusal(above, frame.refusal)
    if not lines:
        yield (
            "empty",
            Words(box=body, text=empty, caps=Caps.NAME, tint=Colour.INK2, align="centre", lines=4),
        )
    keyed = any(line.key is not None and line.key.label for line in lines)
    room = body.left(body.wide - _KEY_WIDE - 6) if keyed else body
    places = line_boxes(page.theme, room, lines, high=78 if page.portrait else 60)
    for n, (box, line) in enumerate(zip(places, lines, strict=False)):
        yield from _line(Box(body.x, box.y, body.wide, box.high), line, n)


def _line(box: Box, line: Line, n: int) -> Parts:
    """A key without a label makes the whole line a key."""
    if line.key is None:
        yield f"line/{n}", LinePart(box=box, line=line)
    elif not line.key.label:
        yield f"line/{n}", LinePart(box=box, line=line, action=line.key.action)
    else:
        yield f"line/{n}", LinePart(box=box.left(box.wide - _KEY_WIDE - 6), line=line)
        key = Box(box.right - _KEY_WIDE, box.y, _KEY_WIDE, box.high)
        yield f"line/{n}/key", key_cap(key, line.key)
