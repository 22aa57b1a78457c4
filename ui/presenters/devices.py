"""The devices in full: one line each, worst first, with what mends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, quiet_frame
from ui.scene.values import Device, DeviceState, Frame, Key, Line, Mark
from ui.touch.actions import Retry

if TYPE_CHECKING:
    from ui.scene.scene import Situation
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class DevicesState:
    """`lines`: state, name, text, age; a line that is not well carries a Retry key."""

    frame: Frame
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
    """Every device with what mends it; what is not as it should be can be tried again."""
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
    return tuple(_line(device, retry=retry) for device in ordered)


def _line(device: Device, *, retry: bool) -> Line:
    way_out = device.way_out if retry else device.way_out.partition("; ")[0]
    text = ". ".join(dict.fromkeys(part for part in (device.text, way_out) if part))
    mark = Mark.WARN if device.alarm and MARKS[device.state] is Mark.OK else MARKS[device.state]
    age = f"{device.age_s:.1f} s" if device.age_s is not None else ""
    again = Key("Retry", Retry(device.name), sign="retry")
    key = again if retry and mark is not Mark.OK else None
    return Line(device.label or device.name, text, mark, age, key)
